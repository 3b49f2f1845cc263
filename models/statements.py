"""Claims written from structured annotations: trial prompts and yes/no questions."""

from __future__ import annotations

import random
import re

_HIGHER = (
    "{i} increased {o} compared with {c}.",
    "{O} was higher with {i} than with {c}.",
    "Compared with {c}, {i} leads to higher {o}.",
    "{O} is significantly increased by {i} relative to {c}.",
    "Higher {o} was reported with {i} than with {c}.",
    "{i} increases {o}.",
    "{i} raises {o} relative to {c}.",
)
_LOWER = (
    "{i} decreased {o} compared with {c}.",
    "{O} was lower with {i} than with {c}.",
    "Compared with {c}, {i} leads to lower {o}.",
    "{O} is significantly reduced by {i} relative to {c}.",
    "Lower {o} was reported with {i} than with {c}.",
    "{i} reduces {o}.",
    "{i} lowers {o} relative to {c}.",
)
_SAME = (
    "{i} did not significantly change {o} compared with {c}.",
    "There was no significant difference in {o} between {i} and {c}.",
    "{O} did not differ between {i} and {c}.",
    "{i} has no effect on {o}.",
    "{i} and {c} are similar with regard to {o}.",
)
_AFFECTED = ("{i} affects {o}.", "{O} differs between {i} and {c}.", "{i} has a significant effect on {o}.")
TEMPLATES = {"higher": _HIGHER, "lower": _LOWER, "same": _SAME, "affected": _AFFECTED}


def tidy(phrase: str) -> str:
    """An annotated phrase without stray spaces, closing marks or trailing brackets."""
    phrase = " ".join(phrase.split()).strip(" .;,:")
    if len(phrase.split()) > 6:
        phrase = re.sub(r"\s*\([^()]*\)", "", phrase)
    return phrase


def inside(phrase: str) -> str:
    """The phrase as it stands inside a sentence: acronyms and names keep their capital."""
    first, _, rest = phrase.partition(" ")
    if first[1:].islower() and first[:1].isupper():
        return f"{first.lower()} {rest}".strip()
    return phrase


def opening(phrase: str) -> str:
    """The phrase as it opens a sentence."""
    return phrase[:1].upper() + phrase[1:]


def trial_claim(
    direction: str, intervention: str, comparator: str, outcome: str, rng: random.Random
) -> str | None:
    """Write what a trial found as a claim, or None where the phrases are too long to read as one.

    Args:
        direction: `higher`, `lower`, `same` or `affected`.
        intervention: What was tried.
        comparator: What it was compared with.
        outcome: What was measured.
        rng: Chooses the wording.
    """
    i, c, o = tidy(intervention), tidy(comparator), tidy(outcome)
    if not i or not o or len(i.split()) > 14 or len(o.split()) > 12 or len(c.split()) > 14:
        return None
    usable = [t for t in TEMPLATES[direction] if c or "{c}" not in t]
    text = rng.choice(usable).format(i=inside(i), c=inside(c), o=inside(o), O=opening(o))
    return opening(text)


_PREDICATE = re.compile(
    r"\b(?:(?:more |less |as |still |really |also |an? |the )*"
    r"(?:independent(?:ly)? |important |significant(?:ly)? |useful |good |major |strong |reliable |valid |"
    r"viable )*"
    r"(?:associated|related|linked|correlated|effective|safe|necessary|useful|beneficial|feasible|predictive|"
    r"possible|"
    r"reliable|accurate|justified|appropriate|harmful|dangerous|important|needed|warranted|superior|inferior|"
    r"equivalent|better|worse|risk factor|predictors?|marker|biomarker|cause|option|alternative|influenced|"
    r"affected|"
    r"increased|decreased|reduced|impaired|altered|elevated|different|higher|lower|mandatory|able|indicative|"
    r"comparable|responsible|involved|advantageous|sufficient|adequate|acceptable|dependent|sensitive)\b)",
    re.IGNORECASE,
)
_VERBS = """
    improve increase reduce decrease affect predict influence have cause play help protect prevent
    alter change contribute correlate differ enhance provide impair lead result promote induce delay
    benefit explain determine modify modulate inhibit lower raise add need require support represent
    confer remain reflect indicate facilitate detect identify allow make matter work
""".split()  # noqa: SIM905 - a list would be one word a line
_VERB = re.compile(rf"\s({'|'.join(_VERBS)})\b")


def third_person(verb: str) -> str:
    """Third person singular of a base verb."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")


def statement_of(question: str) -> str | None:
    """Turn a yes/no question into the statement that "yes" affirms, where simple grammar does it.

    Returns:
        The statement, or None where the question's form is not one of those handled.
    """
    text = " ".join(question.split()).rstrip("? ").strip()
    # "Topic: is it X" needs the topic put in the pronoun's place, which goes wrong more often than right.
    if ":" in text or "?" in text or len(text.split()) < 4:
        return None
    auxiliary, _, rest = text.partition(" ")
    auxiliary = auxiliary.lower()
    if auxiliary in {"is", "are", "was", "were"}:
        found = _PREDICATE.search(rest)
        if not found or found.start() == 0 or " " not in rest[: found.start()].strip() + " ":
            return None
        subject = rest[: found.start()].strip()
        if not subject or subject.lower() in {"there", "it", "this", "we"}:
            return None
        return f"{opening(subject)} {auxiliary} {rest[found.start() :]}."
    found = _VERB.search(" " + rest)
    if not found:
        return None
    subject, verb, tail = rest[: max(found.start() - 1, 0)].strip(), found.group(1), rest[found.end() - 1 :]
    if not subject or subject.lower() in {"we", "it", "they", "you"}:
        return None
    if auxiliary == "does":
        return f"{opening(subject)} {third_person(verb)}{tail}."
    if auxiliary == "do":
        return f"{opening(subject)} {verb}{tail}."
    if auxiliary in {"can", "could", "may", "will"}:
        return f"{opening(subject)} {auxiliary} {verb}{tail}."
    return None
