"""Typed minimal edits that turn a sentence into a claim whose label against that sentence is known."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, normalised


@dataclass(frozen=True)
class Distortion:
    """An edited sentence, the kind of edit, and the label that it has against the original."""

    text: str
    kind: str
    label: int


_OPPOSITES = (
    "increase decrease|increases decreases|increased decreased|increasing decreasing|higher lower|"
    "greater smaller|improved worsened|improves worsens|improvement deterioration|improve worsen|"
    "reduced increased|reduces increases|reduction increase|reducing increasing|reduce increase|"
    "longer shorter|better worse|faster slower|upregulated downregulated|enhanced impaired|"
    "enhances impairs|elevated reduced|lower higher|decreased increased|decreases increases|"
    "decrease increase|inhibited activated|inhibits activates|positively negatively|"
    "negatively positively|promoted inhibited|promotes inhibits|rose fell|superior inferior|"
    "inferior superior|shorter longer|worse better|stronger weaker|weaker stronger|"
    "effective ineffective|safe unsafe|declined rose|less more|fewer more|gain loss|protective harmful|"
    "beneficial harmful|smaller larger|larger smaller|common rare|feasible infeasible|similar different"
)
OPPOSITES: dict[str, str] = dict(pair.split() for pair in _OPPOSITES.split("|"))
_DIRECTION = re.compile(rf"\b({'|'.join(OPPOSITES)})\b", re.IGNORECASE)

_SYNONYMS = {
    "increased": "raised",
    "decreased": "lowered",
    "reduced": "decreased",
    "reduces": "lowers",
    "reduction": "decrease",
    "improved": "bettered",
    "higher": "greater",
    "demonstrated": "showed",
    "significant": "marked",
    "significantly": "markedly",
    "patients": "individuals with the disease",
    "effective": "efficacious",
    "participants": "subjects",
    "associated with": "linked to",
    "compared with": "relative to",
    "compared to": "versus",
    "treatment": "therapy",
    "children": "young people",
    "prevalence": "frequency",
    "may": "might",
    "risk": "likelihood",
    "findings": "results",
    "suggest": "indicate",
    "mortality": "death rate",
    "superior to": "better than",
    "investigated": "studied",
    "similar": "comparable",
    "observed": "seen",
    "enhances": "boosts",
    "inhibits": "suppresses",
    "feasible": "practicable",
}
_SYNONYM = re.compile(rf"\b({'|'.join(sorted(_SYNONYMS, key=len, reverse=True))})\b")

_LEAD_IN = re.compile(
    r"^(?:(?:in (?:conclusion|summary|contrast|addition)|overall|moreover|furthermore|however|therefore|"
    r"thus|finally|additionally|interestingly|importantly|notably),?:?\s+|"
    r"(?:conclusions?|results?|findings)[:,.]\s+)?"
    r"(?:(?:we|the authors|this study|our study|our (?:results|data|findings)|"
    r"the (?:present |current )?(?:results|data|findings|study)|these (?:results|data|findings)|results|"
    r"it was)\s+(?:also\s+)?"
    r"(?:found|find|show(?:ed|s|n)?|demonstrated?s?|conclude[sd]?|observed|report(?:ed)?|confirm(?:ed|s)?|"
    r"provide evidence)\s+that\s+)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,/=<>±–-])(\d{1,4}(?:\.\d{1,2})?)(?=\s?%|\s(?!to\b|and\b|[-–]\s?\d)[a-zA-Z]|)")
_POPULATIONS = (
    (re.compile(r"\b(?:mice|rats)\b"), "patients"),
    (re.compile(r"\b(?:mouse|rat|murine|porcine|rabbit|canine)\b"), "human"),
    (re.compile(r"\b(?:rabbits|pigs|dogs|sheep|piglets|zebrafish|monkeys|macaques)\b"), "humans"),
    (re.compile(r"\bchildren\b"), "older adults"),
    (re.compile(r"\b(?:adolescents|young adults)\b"), "elderly people"),
    (re.compile(r"\bwomen\b"), "men"),
    (re.compile(r"\b(?:adults|older adults)\b"), "infants"),
    (re.compile(r"\b(?:infants|newborns|neonates)\b"), "adults"),
    (re.compile(r"\bin vitro\b"), "in patients"),
    (re.compile(r"\bhealthy (?:volunteers|subjects|participants)\b"), "patients with cancer"),
)
_CAUSES = (
    (
        re.compile(
            r"\b(?:was|were|is|are) (?:positively |significantly |independently |strongly )*"
            r"(?:associated|correlated|linked) with\b"
        ),
        "causes",
    ),
    (re.compile(r"\b(?:correlated|correlates) with\b"), "causes"),
    (re.compile(r"\b(?:is|was) (?:an? )?(?:independent )?(?:predictor|marker) of\b"), "is a cause of"),
)
_NEGATIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"\bno (?:statistically )?significant (difference|effect|change|improvement|increase|reduction|"
            r"association|interaction)\b"
        ),
        r"a significant \1",
    ),
    (re.compile(r"\bno significant (differences|effects|changes|improvements)\b"), r"significant \1"),
    (re.compile(r"\b(was|were|is|are) not\b"), r"\1"),
    (re.compile(r"\bdid not (significantly )?differ\b"), r"differed \1"),
    (re.compile(r"\bdid not\b"), "did"),
    (re.compile(r"\bdoes not\b"), "does"),
    (re.compile(r"\bcannot\b"), "can"),
    (re.compile(r"\bfailed to\b"), "managed to"),
    (re.compile(r"\b(can|could|may|should|will) (?!not\b)(?=[a-z])"), r"\1 not "),
    (
        re.compile(
            r"\b(was|were|is|are) (?=(?:significantly |positively |strongly |also |more |less )*"
            r"(?:associated|effective|increased|decreased|reduced|higher|lower|greater|safe|feasible|improved|"
            r"related|superior|better|observed|found|well|sensitive|useful|necessary))"
        ),
        r"\1 not ",
    ),
    (
        re.compile(
            r"\b(reduced|increased|improved|decreased|enhanced|inhibited|induced|caused|prevented|attenuated|"
            r"promoted|predicted|affected)(?= (?:the|both|plasma|serum|body|blood|[a-z]+ (?:levels?|rates?)))"
        ),
        r"did not affect, let alone \1,",
    ),
)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,5}(?:-\d{1,2}|-[αβγ])?\b")
_NOT_ENTITIES = frozenset(
    """
    CI OR RR HR SD SE SEM ANOVA II III IV RESULTS METHODS USA UK AND THE VAS
    """.split()  # noqa: SIM905 - a list would be one word a line
)


_SIDES = re.compile(
    r"\b(?:higher|lower|greater|smaller|longer|shorter|better|worse|more|less|larger|superior|faster|slower)\b"
    r"[^.,;]{0,25}?\b(?P<before>in|with|for|by|among) (?:the )?(?P<first>[\w/-]+(?: [\w/-]+){0,4}?)"
    r"(?P<middle>(?: group)? (?:than|compared (?:with|to)|versus|vs\.?) "
    r"(?:(?P<again>in|with|for|by|among) )?(?:the )?)"
    r"(?P<second>[\w/-]+(?: (?!(?:and|with|in|at|after|during|but|for|on|over|alone|only)\b)[\w/-]+){0,4}?)"
    r"(?=[.,;]| (?:at|after|during|but|for|on|over|group)\b|$)",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"\b(?:of|in|for|among|with|and|or|by|a|an|both|either|before|after)\b", re.IGNORECASE)
_UNITS = {
    "days": "weeks",
    "weeks": "months",
    "months": "years",
    "years": "months",
    "hours": "days",
    "minutes": "hours",
    "mg": "g",
    "g": "mg",
    "kg": "g",
    "mm": "cm",
    "cm": "mm",
    "ml": "l",
}
_UNIT = re.compile(
    r"\b\d+(?:\.\d+)?\s?(?P<unit>days|weeks|months|years|hours|minutes|mg|g|kg|mm|cm|ml)\b(?!/)",
    re.IGNORECASE,
)
_VERB = {
    "reduce": "reduces",
    "increase": "increases",
    "improve": "improves",
    "decrease": "decreases",
    "lead": "leads",
    "play": "plays",
    "contribute": "contributes",
    "provide": "provides",
    "prevent": "prevents",
    "affect": "affects",
    "help": "helps",
    "protect": "protects",
    "be": "is",
    "have": "has",
    "cause": "causes",
    "result": "results",
    "represent": "represents",
    "serve": "serves",
    "enhance": "enhances",
    "promote": "promotes",
}
_HEDGES: tuple[tuple[re.Pattern[str], Any], ...] = (
    (
        re.compile(rf"\b(?:may|might|could) (?:potentially |possibly )?(?P<verb>{'|'.join(_VERB)})\b"),
        lambda m: _VERB[m["verb"]],
    ),
    (re.compile(r"\b(?:appears|seems) to be\b"), "is"),
    (re.compile(r"\b(?:appear|seem) to be\b"), "are"),
    (re.compile(r"\b(?:appeared|seemed) to be\b"), "was"),
    (re.compile(r"(?<=s )(?:suggest|indicate) that\b"), "prove that"),
    (re.compile(r"\b(?:is|was) likely to\b"), "is certain to"),
    (re.compile(r"\b(?:potentially|possibly|probably|perhaps)\b "), "definitely "),
)
_PARTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^(?:some|several|many|most) (?:of )?(?:the )?(?=[a-z]{4,}s\b)", re.IGNORECASE), "all "),
    (
        re.compile(
            r"\b(?:a|the) (?:small |large )?(?:majority|minority|subset|subgroup|third|quarter) of\b",
            re.IGNORECASE,
        ),
        "all",
    ),
    (
        re.compile(
            r"(?<!more )(?<!most )(?<!less )(?<!how )(?<!very )\b(?:often|usually|sometimes)\b"
            r"(?! (?:do|does|did|as)\b)"
        ),
        "always",
    ),
)


def plain_claim(sentence: str) -> str:
    """The sentence as someone else would report it: no lead-in, no statistics in brackets."""
    text = _LEAD_IN.sub("", sentence.strip(), count=1)
    text = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", text)
    text = re.sub(r"\s+([,.;])", r"\1", " ".join(text.split()))
    return text[:1].upper() + text[1:] if text[:2].islower() or text[1:2] == " " else text


def paraphrase(sentence: str, rng: random.Random) -> Distortion | None:
    """The claim with at most two words put differently: still supported."""
    text = plain_claim(sentence)
    found = list(_SYNONYM.finditer(text))
    for match in sorted(rng.sample(found, min(2, len(found))), key=lambda m: -m.start()):
        text = text[: match.start()] + _SYNONYMS[match.group()] + text[match.end() :]
    return Distortion(text, "distortion:paraphrase", SUPPORT)


def flip_direction(sentence: str, rng: random.Random) -> Distortion | None:
    """The only word of direction turned round; sentences with several are left alone."""
    text = plain_claim(sentence)
    found = list(_DIRECTION.finditer(text))
    negated = re.search(
        r"\b(?:no|not|neither|nor|without|similar|comparable|difference)\b", text, re.IGNORECASE
    )
    if len(found) != 1 or negated:
        return None
    word = found[0].group()
    other = OPPOSITES[word.lower()]
    other = other[:1].upper() + other[1:] if word[0].isupper() else other
    return Distortion(
        text[: found[0].start()] + other + text[found[0].end() :], "distortion:direction", CONTRADICT
    )


def change_number(sentence: str, rng: random.Random) -> Distortion | None:
    """One number changed by at least a third, with the same number of decimals."""
    text = plain_claim(sentence)
    found = [
        m for m in _NUMBER.finditer(text) if not 1900 <= float(m.group(1)) <= 2030 and float(m.group(1)) > 1
    ]
    if not found:
        return None
    match = rng.choice(found)
    number = match.group(1)
    decimals = len(number.partition(".")[2])
    percent = text[match.end() : match.end() + 2].strip().startswith("%")
    factor = rng.choice([0.25, 0.4, 0.5, 0.65, 1.5, 2.0, 3.0])
    changed = float(number) * factor
    if percent and changed > 100:
        changed = float(number) * rng.choice([0.3, 0.5, 0.6])
    replacement = f"{changed:.{decimals}f}"
    if float(replacement) == float(number) or float(replacement) == 0:
        return None
    return Distortion(
        text[: match.start()] + replacement + text[match.end() :], "distortion:number", CONTRADICT
    )


def negate(sentence: str, rng: random.Random) -> Distortion | None:
    """A negation put in or taken out, the first that the sentence allows."""
    text = plain_claim(sentence)
    for pattern, replacement in _NEGATIONS:
        changed, count = pattern.subn(replacement, text, count=1)
        if count:
            changed = " ".join(changed.replace("did not affect, let alone", "did not affect or").split())
            return Distortion(changed.replace(" .", "."), "distortion:negation", CONTRADICT)
    return None


def change_population(sentence: str, rng: random.Random) -> Distortion | None:
    """What was found in some, claimed of others."""
    text = plain_claim(sentence)
    for pattern, replacement in _POPULATIONS:
        if pattern.search(text) and replacement.split()[-1] not in text:
            return Distortion(pattern.sub(replacement, text), "distortion:population", NOT_ENOUGH_INFO)
    return None


def claim_cause(sentence: str, rng: random.Random) -> Distortion | None:
    """An association told as a cause."""
    text = plain_claim(sentence)
    if re.search(r"\b(?:no|not|neither)\b", text):
        return None
    for pattern, replacement in _CAUSES:
        if pattern.search(text):
            return Distortion(pattern.sub(replacement, text, count=1), "distortion:cause", NOT_ENOUGH_INFO)
    return None


def swap_entity(sentence: str, rng: random.Random, others: list[str]) -> Distortion | None:
    """One acronym replaced by another from elsewhere: a claim on something the sentence does not speak of."""
    text = plain_claim(sentence)
    own = [a for a in _ACRONYM.findall(text) if a not in _NOT_ENTITIES]
    strangers = [o for o in others if o not in text]
    if not own or not strangers:
        return None
    return Distortion(
        re.sub(rf"\b{re.escape(rng.choice(own))}\b", rng.choice(strangers), text),
        "distortion:entity",
        NOT_ENOUGH_INFO,
    )


def swap_sides(sentence: str, rng: random.Random) -> Distortion | None:
    """What was compared changes places: "higher in A than in B" told as "higher in B than in A"."""
    text = plain_claim(sentence)
    if re.search(r"\b(?:no|not|neither|nor|without|similar|comparable|difference)\b", text, re.IGNORECASE):
        return None
    found = _SIDES.search(text)
    if not found:
        return None
    first, second = found["first"].strip(), found["second"].strip()
    alike = found["again"] == found["before"] or set(first.lower().split()) & set(second.lower().split())
    if not alike or _INSIDE.search(f"{first} {second}") or normalised(first) == normalised(second):
        return None
    changed = f"{text[: found.start('first')]}{second}{found['middle']}{first}{text[found.end('second') :]}"
    return Distortion(changed, "distortion:comparator", CONTRADICT)


def change_unit(sentence: str, rng: random.Random) -> Distortion | None:
    """The number stays, its unit changes."""
    text = plain_claim(sentence)
    found = list(_UNIT.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    changed = text[: match.start("unit")] + _UNITS[match["unit"].lower()] + text[match.end("unit") :]
    return Distortion(changed, "distortion:unit", CONTRADICT)


def remove_hedge(sentence: str, rng: random.Random) -> Distortion | None:
    """A cautious statement told as a certain one."""
    text = plain_claim(sentence)
    if re.search(r"\b(?:no|not|neither|nor)\b", text, re.IGNORECASE):
        return None
    for pattern, replacement in _HEDGES:
        changed, count = pattern.subn(replacement, text, count=1)
        if count:
            changed = re.sub(r"(\w{2,}[^siu\W]s) is\b", r"\1 are", " ".join(changed.split()))
            return Distortion(changed[:1].upper() + changed[1:], "distortion:hedge", NOT_ENOUGH_INFO)
    return None


def part_to_whole(sentence: str, rng: random.Random) -> Distortion | None:
    """What holds of some, told of all."""
    text = plain_claim(sentence)
    for pattern, replacement in _PARTS:
        changed, count = pattern.subn(replacement, text, count=1)
        if count:
            return Distortion(changed[:1].upper() + changed[1:], "distortion:part-to-whole", NOT_ENOUGH_INFO)
    return None


def acronyms(text: str) -> list[str]:
    """Acronyms that stand for things (genes, drugs, scales), not for statistics."""
    return [a for a in _ACRONYM.findall(text) if a not in _NOT_ENTITIES]


CONTRADICTIONS: tuple[Callable[[str, random.Random], Distortion | None], ...] = (
    flip_direction,
    change_number,
    negate,
    swap_sides,
    change_unit,
)
UNSUPPORTED: tuple[Callable[[str, random.Random], Distortion | None], ...] = (
    change_population,
    claim_cause,
    remove_hedge,
    part_to_whole,
)
EVERY_KIND: tuple[Callable[[str, random.Random], Distortion | None], ...] = (
    paraphrase,
    *CONTRADICTIONS,
    *UNSUPPORTED,
)
