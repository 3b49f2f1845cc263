"""Untrusted text made safe to look at, and the words that every surface uses for outcomes."""

import re
from enum import StrEnum

from veriscite.domain import AgentAction, DecidedBy, DeletionTest, Label, SkipReason, source_title

# Control characters can drive a terminal and bidirectional overrides can reorder what a reader sees, so
# both are shown by their number. Left-to-right and right-to-left *marks* are harmless and stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """Return `text` with control characters and bidirectional overrides spelled out (`[U+202E]`)."""
    if text.isprintable():  # so nearly always; saves the search
        return text
    return _UNSEEN.sub(lambda match: f"[U+{ord(match[0]):04X}]", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return `text` on one line: white space folded, control characters spelled out."""
    return visible(_SPACES.sub(" ", text)).strip()


def shorten(text: str, limit: int) -> str:
    """Return `text` on one line of at most `limit` characters, cut at a word where there is one."""
    line = one_line(text)
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    word_end = cut.rfind(" ")
    return (cut[:word_end] if word_end > limit // 2 else cut).rstrip() + "…"


def percent(share: float) -> str:
    """Return a share of one as a whole percentage; never 0 % or 100 % for what is neither."""
    if 0 < share < 0.005:
        return "< 1 %"
    if 0.995 <= share < 1:
        return "> 99 %"
    return f"{share * 100:.0f} %"


def seconds(value: float) -> str:
    """Return a duration in words: `0.8 s`, `12 s`, `3 min 20 s`."""
    if value < 10:
        return f"{value:.1f} s"
    whole = round(value)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"


def stopped(text: str) -> str:
    """Return `text` with a full stop, unless it already ends like a sentence."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def plural(count: int, one: str, many: str = "") -> str:
    """Return `1 claim`, `2 claims`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def deletion_words(test: DeletionTest) -> str:
    """Return what came of leaving words out, in a sentence."""
    others = "another word" if test.k == 1 else f"{test.k} others"
    return (
        f"Without {test.words}, its log-odds change by {-test.top_drop:+.2f}; "
        f"without {others} at random by {-test.random_drop:+.2f}."
    )


class Standing(StrEnum):
    """What came of a claim, in the order in which a reader should look."""

    CONTRADICT = "CONTRADICT"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"
    UNRESOLVED = "UNRESOLVED"
    NO_VERDICT = "NO_VERDICT"
    FAILED = "FAILED"
    NOT_REACHED = "NOT_REACHED"
    NOT_A_FINDING = "NOT_A_FINDING"
    SUPPORT = "SUPPORT"


SYMBOLS = {
    Standing.CONTRADICT: "✗",
    Standing.NOT_ENOUGH_INFO: "?",
    Standing.NO_VERDICT: "○",
    Standing.UNRESOLVED: "–",
    Standing.FAILED: "!",
    Standing.NOT_REACHED: "…",
    Standing.NOT_A_FINDING: "·",
    Standing.SUPPORT: "✓",
}
"""A sign beside the word for each standing, so that colour never speaks alone."""


STANDING_WORDS = {
    Standing.CONTRADICT: "Contradicted",
    Standing.NOT_ENOUGH_INFO: "Not enough information",
    Standing.NO_VERDICT: "No verdict",
    Standing.UNRESOLVED: "Unresolved",
    Standing.FAILED: "Failed",
    Standing.NOT_REACHED: "Not reached",
    Standing.NOT_A_FINDING: "Not a finding",
    Standing.SUPPORT: "Supported",
}

STANDING_MEANING = {
    Standing.CONTRADICT: "the abstract says otherwise",
    Standing.NOT_ENOUGH_INFO: "the abstract does not settle it",
    Standing.NO_VERDICT: "every verifier abstained",
    Standing.UNRESOLVED: "nothing to check against",
    Standing.FAILED: "the check itself broke",
    Standing.NOT_REACHED: "the run was cancelled before it came to it",
    Standing.NOT_A_FINDING: "it asserts nothing about the cited work, and was not judged",
    Standing.SUPPORT: "the abstract says so",
}

LABEL_WORDS = {
    Label.SUPPORT: "Supported",
    Label.CONTRADICT: "Contradicted",
    Label.NOT_ENOUGH_INFO: "Not enough information",
}

DECIDED_WORDS = {
    DecidedBy.AGREEMENT: "agreement of both verifiers",
    DecidedBy.AGENT: "the agent's conclusion, after the verifiers disagreed",
    DecidedBy.SINGLE_VERIFIER: "one verifier alone; the other abstained",
}

ACTION_WORDS = {
    AgentAction.SEARCH_AGAIN: "Search again",
    AgentAction.SECOND_OPINION: "Second opinion",
    AgentAction.CONCLUDE: "Conclude",
}

SKIP_WORDS = {
    SkipReason.NO_ENTRY: "No such entry",
    SkipReason.AMBIGUOUS_ENTRY: "Several entries fit",
    SkipReason.NO_REFERENCE_LIST: "No reference list",
    SkipReason.NO_CLAIM_TEXT: "No claim beside the marker",
    SkipReason.LIMIT: "Beyond the limit set",
}

STATUS_WORDS = {
    "not_found": "Not found",
    "ambiguous": "Ambiguous",
    "no_abstract": "No abstract",
    "lookup_failed": "Could not look",
    "found": "Found",
    "not_a_finding": "Not a finding",
}

STATUS_MEANING = {
    "not_found": "every source asked has answered, and none knows this work",
    "ambiguous": "several records fit equally well",
    "no_abstract": "the work is known, but no source gives its abstract",
    "lookup_failed": "a source did not answer; whether the work exists is not known",
}

ROLE_WORDS = {
    "nli": "NLI model",
    "blind": "Blind verifier",
    "second_opinion": "Blind second opinion",
    "planner": "Planner",
    "source": "Evidence source",
    "attributor": "Attribution",
    "attribution": "Attribution",
}


def role_words(role: str) -> str:
    """Return the words for a role; the role itself, spelled out, where there are none."""
    words = role.replace("_", " ")
    return ROLE_WORDS.get(role, words[:1].upper() + words[1:])


def source_words(source: str) -> str:
    """Return an evidence source's name, spelled out."""
    return source_title(source)


def status_words(status: str) -> str:
    """Return the words for a lookup's status, or the status itself where there are none."""
    return STATUS_WORDS.get(status, status.replace("_", " "))
