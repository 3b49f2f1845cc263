"""Records that look like a work and are not: each made from it in one typed way."""

import random
import re
from collections.abc import Callable, Mapping

from tests.benchmarks.evidence.pool import plain
from veriscite.domain import Author, Identifiers
from veriscite.evidence.records import Record

_BY_AUTHORS = {
    "correction": (
        "Correction: {}", "Erratum to: {}", "{} (Erratum)", "Corrigendum to “{}”", "Author Correction: {}",
        "Correction to “{}”", "Publisher Correction: {}",
    ),
    "retraction notice": (
        "Retraction: {}", "Retraction notice to “{}”", "Notice of Retraction: {}", "Retraction Note: {}",
        "Expression of Concern: {}", "Statement of Retraction: {}",
    ),
    "reply": (
        "Reply to comments on: {}", "{}: Authors' reply", "Response to “{}”", "Rejoinder: {}",
        "Author response: {}", "Response to comment on “{}”",
    ),
    "material": (
        "Supplementary material for “{}”", "Data from: {}", "Supporting information for: {}",
        "Online appendix to “{}”", "Replication data for: {}", "Additional file 1 of {}", "Code for: {}",
        "Figure 3 from {}", "MOESM1 of {}", "Tweetorial: {}", "Dataset for {}", "Poster: {}",
    ),
    "protocol": (
        "{}: study protocol", "{}: protocol for a systematic review", "{}: a replication", "{} revisited",
        "Protocol for: {}",
    ),
}  # fmt: skip
_BY_OTHERS = {
    "comment": (
        "Comment on “{}”", "Comments on {}", "{}: a comment", "A comment on: {}", "Discussion of “{}”",
        "Commentary: {}", "Remarks on “{}”",
    ),
    "review": (
        "Review of “{}”", 'Review for "{}"', "Book Review: {}", 'Review of: "{}"',
        'Peer Review #2 of "{} (v0.1)"', 'Decision letter for "{}"', "Faculty Opinions recommendation of {}.",
        "Faculty of 1000 evaluation for {}.", "eLife Assessment: {}", "Editorial comment: {}",
    ),
}  # fmt: skip
_BY_NOBODY = (
    'Review for "{}"', 'Decision letter for "{}"', 'Peer Review #1 of "{} (v0.2)"', "Decision letter: {}",
    "eLife assessment: {}", "Reviewer report for “{}”",
)  # fmt: skip

Make = Callable[[Record, random.Random], Record | None]

_PEOPLE = ("Ines Castellano", "Oluwaseun Adeyemi", "Tuomas Virtala", "Priya Raghunathan", "Marek Zelinka")
_OPPOSITES = (
    ("with", "without"), ("male", "female"), ("mice", "rats"), ("men", "women"), ("children", "adults"),
    ("increases", "decreases"), ("increased", "decreased"), ("high", "low"), ("early", "late"),
    ("in vitro", "in vivo"), ("supervised", "unsupervised"), ("acute", "chronic"), ("short", "long"),
    ("local", "global"), ("positive", "negative"), ("type 1", "type 2"), ("primary", "secondary"),
    ("small", "large"), ("human", "murine"), ("upper", "lower"), ("human", "animal"), ("single", "multiple"),
    ("static", "dynamic"), ("linear", "nonlinear"), ("online", "offline"), ("urban", "rural"),
)  # fmt: skip
_DROPPED = frozenset(
    {"after", "before", "the", "and", "for", "with", "from", "into", "between", "using", "based", "towards"}
)


def _notice(*templates: str, people: bool = False, nobody: bool = False) -> Make:
    """A work about the work; by its authors, by other people, or by nobody named."""

    def make(record: Record, chance: random.Random) -> Record:
        authors = record.authors
        if nobody:
            authors = ()
        elif people:
            first, last = chance.choice(_PEOPLE).split()
            authors = (Author(family=last, given=first),)
        year = record.year + chance.choice((0, 0, 1)) if record.year else None
        return _like(record, title=chance.choice(templates).format(record.title), authors=authors, year=year)

    return make


def _like(record: Record, **changes: object) -> Record:
    return record.model_copy(
        update={
            "record_id": f"made from {record.record_id}",
            "source": "made",
            "identifiers": Identifiers(),
            "kinds": (),
            **changes,
        }
    )


def _other_people(record: Record, chance: random.Random) -> Record:
    people = tuple(
        Author(family=last, given=first)
        for first, last in (name.split() for name in chance.sample(_PEOPLE, 3))
    )
    return _like(record, authors=people)


def _same_family(record: Record, chance: random.Random) -> Record | None:
    """Same title and family name, another person, another time."""
    first = record.authors[0]
    if not first.given or record.year is None:
        return None
    given = next(n for n in ("Zoltan", "Quirin", "Ximena") if n[0].lower() != first.given[0].lower())
    return _like(record, authors=(Author(family=first.family, given=given),), year=record.year - 9)


def _long_ago(record: Record, _: random.Random) -> Record | None:
    return _like(record, authors=record.authors[:1], year=record.year - 17) if record.year else None


def _opposite(record: Record, chance: random.Random) -> Record | None:
    pairs = [*_OPPOSITES, *((b, a) for a, b in _OPPOSITES)]
    for one, other in pairs:
        changed, count = re.subn(rf"\b{one}\b", other, record.title, count=1, flags=re.IGNORECASE)
        if count:
            return _like(record, title=changed)
    return None


def _other_word(pool_words: tuple[str, ...]) -> Make:
    """One word of meaning is another's."""

    def make(record: Record, chance: random.Random) -> Record | None:
        words = record.title.split(" ")
        places = [i for i, w in enumerate(words) if len(w) > 3 and w.isalpha() and w.lower() not in _DROPPED]
        if len(places) < 2:
            return None
        at = chance.choice(places)
        words[at] = chance.choice([w for w in chance.sample(pool_words, 5) if w != words[at].lower()])
        return _like(record, title=" ".join(words))

    return make


def _other_number(record: Record, chance: random.Random) -> Record | None:
    numbers = list(re.finditer(r"(?<![\w.])\d{1,4}(?![\w.])", record.title))
    if not numbers:
        return None
    found = chance.choice(numbers)
    other = str(int(found.group()) + chance.choice((1, 2)))
    return _like(record, title=record.title[: found.start()] + other + record.title[found.end() :])


def _other_letter(record: Record, chance: random.Random) -> Record | None:
    """`Vitamin D` for `vitamin C`, `TNF-beta` for `TNF-alpha`."""
    for pattern, others in ((r"(?<= )[B-HJ-Z](?![\w'.])", "BCDEFGHK"), (r"[αβγδκλ]", "αβγδκ")):
        found = re.search(pattern, record.title)
        if found:
            letter = chance.choice([c for c in others if c != found.group()])
            return _like(record, title=record.title[: found.start()] + letter + record.title[found.end() :])
    return None


def _longer(record: Record, chance: random.Random) -> Record | None:
    """Another work whose title goes on where this one ends (`Deep learning`, `Deep learning for garlic`)."""
    tail = chance.choice(
        ("for rural clinics", "in small children", "under heavy rain", "and its discontents")
    )
    year = (record.year or 0) + chance.choice((1, 2, 3))
    return _like(record, title=f"{record.title} {tail}", year=year, venue=None)


def _other_subtitle(record: Record, chance: random.Random) -> Record | None:
    head = re.split(r": ", record.title)[0]
    if head == record.title or len(plain(head).split()) < 2:
        return None
    tail = chance.choice(
        ("a systematic review", "results of a second study", "evidence from Chile", "a tutorial")
    )
    return _like(record, title=f"{head}: {tail}")


def part(number: str) -> Make:
    """A part of a series."""
    return lambda record, _: _like(record, title=f"{record.title}. Part {number}")


def lookalikes(pool_words: tuple[str, ...]) -> Mapping[str, Make]:
    """All ways of making a record that only looks like the work.

    Args:
        pool_words: Words of other titles, to put in place of one of this.
    """
    return {
        **{kind: _notice(*templates) for kind, templates in _BY_AUTHORS.items()},
        **{kind: _notice(*templates, people=True) for kind, templates in _BY_OTHERS.items()},
        "review by nobody": _notice(*_BY_NOBODY, nobody=True),
        "other people": _other_people,
        "same family name": _same_family,
        "long ago": _long_ago,
        "opposite word": _opposite,
        "other word": _other_word(pool_words),
        "other number": _other_number,
        "other letter": _other_letter,
        "longer title": _longer,
        "other subtitle": _other_subtitle,
    }
