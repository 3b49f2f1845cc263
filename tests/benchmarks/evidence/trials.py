"""What is asked of the matching: a reference, the records offered for it, and which of them are right."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.evidence.citing import WAYS, cite, spoil, written
from tests.benchmarks.evidence.lookalikes import Make, lookalikes, part
from tests.benchmarks.evidence.pool import Pool, held, plain
from veriscite.domain import Identifiers, Reference
from veriscite.evidence.records import Record

Key = tuple[str, str]
OFFERED = 12
_SHORTEST = 3


@dataclass(frozen=True)
class Trial:
    """One question.

    Attributes:
        group: Spoilt references, look-alikes, identifiers or equals.
        kind: The typed way in which it was made.
        right: Ids of the records that may be taken; empty where none may.
        equal: Ids of the works that should all be named, where nothing tells them apart.
    """

    group: str
    kind: str
    reference: Reference
    offered: tuple[Record, ...]
    right: frozenset[Key]
    by_identifier: bool = False
    equal: frozenset[Key] = frozenset()


def key(record: Record) -> Key:
    """Id of a record among all sources."""
    return record.source, record.record_id


def sample(pool: Pool, half: str, count: int, seed: int) -> list[int]:
    """Places of works of one half, one record a work: those with authors, year and a title of some words."""
    chosen: dict[int, int] = {}
    for place, record in enumerate(pool.records):
        words = plain(record.title)
        citable = record.authors and record.year and len(words.split()) >= _SHORTEST
        if citable and _is_work(record) and held(words) == (half == "held"):
            chosen.setdefault(pool.works[place], place)
    places = list(chosen.values())
    return random.Random(seed).sample(places, min(count, len(places)))


def _is_work(record: Record) -> bool:
    return not {"peer-review", "component", "paratext", "erratum", "dataset", "other"} & set(record.kinds)


def trials(pool: Pool, places: Sequence[int], seed: int) -> Iterator[Trial]:
    """All trials of these works, in a fixed order."""
    words = tuple(sorted({w for r in pool.records[::7] for w in plain(r.title).split() if len(w) > 4}))
    makers = lookalikes(words)
    entries = _siblings(pool)
    for place in places:
        truth = pool.records[place]
        chance = random.Random(f"{seed} {truth.record_id}")
        right = pool.versions[pool.works[place]]
        near = tuple(pool.records[p] for p in pool.nearest(truth.title, OFFERED))
        rest = tuple(record for record in near if key(record) not in right)
        yield from _spoilt(truth, near, rest, right, chance)
        yield from _beside_lookalikes(truth, near, rest, right, makers, chance)
        yield from _identified(truth, rest, right, chance)
        yield from _equals(truth, rest, makers, chance)
        yield from _siblings_of(pool, place, entries)


def _spoilt(
    truth: Record,
    near: Sequence[Record],
    rest: Sequence[Record],
    right: frozenset[Key],
    chance: random.Random,
) -> Iterator[Trial]:
    for way in WAYS:
        reference = spoil(way, cite(truth), chance)
        if reference is not None:
            yield Trial("spoilt", way, reference, tuple(near), right)
            yield Trial("no hit", way, reference, tuple(rest), frozenset())


def _beside_lookalikes(
    truth: Record,
    near: Sequence[Record],
    rest: Sequence[Record],
    right: frozenset[Key],
    makers: Mapping[str, Make],
    chance: random.Random,
) -> Iterator[Trial]:
    for kind, make in makers.items():
        other = make(truth, chance)
        if other is None:
            continue
        reference = written(cite(truth), chance.randrange(5))
        yield Trial("beside it", kind, reference, (other, *near), right)
        yield Trial("instead of it", kind, reference, (other, *rest), frozenset())
        bare = reference.model_copy(update={"title": None, "authors": (), "year": None})
        yield Trial("instead, raw", kind, bare, (other, *rest), frozenset())
    one, two = part("I")(truth, chance), part("II")(truth, chance)
    assert one is not None
    assert two is not None
    two = two.model_copy(update={"record_id": "part two"})
    for cited, record in (("I", one), ("II", two)):
        reference = written(cite(record), chance.randrange(5))
        yield Trial("beside it", "part of a series", reference, (two, one, *rest), frozenset({key(record)}))
        other = two if cited == "I" else one
        yield Trial("instead of it", "part of a series", reference, (other, *rest), frozenset())
    edition = truth.model_copy(
        update={"record_id": "edition", "year": (truth.year or 0) + 4, "identifiers": Identifiers()}
    )
    reference = written(cite(edition), chance.randrange(5))
    yield Trial("beside it", "two editions", reference, (*near, edition), frozenset({key(edition)}))
    reference = written(cite(truth), chance.randrange(5))
    yield Trial("beside it", "two editions", reference, (edition, *near), right)
    for other in rest[:1]:
        # The nearest title of all, under the names and the year of this.
        same_names = other.model_copy(update={"authors": truth.authors, "year": truth.year})
        yield Trial("instead of it", "nearest, same names", reference, (same_names,), frozenset())
        bare = reference.model_copy(update={"title": None, "authors": (), "year": None})
        yield Trial("instead, raw", "nearest, same names", bare, (same_names,), frozenset())


def _identified(
    truth: Record, rest: Sequence[Record], right: frozenset[Key], chance: random.Random
) -> Iterator[Trial]:
    for way in (
        "as recorded",
        "misspelt",
        "cut short",
        "without subtitle",
        "authors shuffled",
        "raw only",
        "no year",
    ):
        reference = spoil(way, cite(truth), chance)
        if reference is not None:
            yield Trial("identifier", way, reference, (truth,), right, by_identifier=True)
    reference = written(cite(truth), chance.randrange(5))
    for other in rest[:1]:
        yield Trial(
            "identifier", "of the nearest title", reference, (other,), frozenset(), by_identifier=True
        )
        same = other.model_copy(update={"authors": truth.authors, "year": truth.year})
        yield Trial(
            "identifier", "of nearest, same names", reference, (same,), frozenset(), by_identifier=True
        )
        bare = reference.model_copy(update={"title": None, "authors": (), "year": None})
        yield Trial("identifier", "of the nearest, raw", bare, (other,), frozenset(), by_identifier=True)


def _equals(
    truth: Record, rest: Sequence[Record], makers: Mapping[str, Make], chance: random.Random
) -> Iterator[Trial]:
    """Two works of one title, of which the reference names neither's authors."""
    other = makers["other people"](truth, chance)
    assert other is not None
    nameless = written(cite(truth).model_copy(update={"authors": ()}), 0)
    both = frozenset({key(truth), key(other)})
    yield Trial("equals", "nobody named", nameless, (truth, other, *rest), frozenset(), equal=both)


def _siblings(pool: Pool) -> Mapping[tuple[str, int], list[int]]:
    """Places of records by first author and year."""
    found: dict[tuple[str, int], list[int]] = {}
    for place, record in enumerate(pool.records):
        if record.authors and record.year:
            first = record.authors[0]
            name = plain(first.family) + " " + plain(first.given or "")[:1]
            found.setdefault((name, record.year), []).append(place)
    return found


def _siblings_of(pool: Pool, place: int, entries: Mapping[tuple[str, int], list[int]]) -> Iterator[Trial]:
    """Other works of the same first author and year, in place of the cited one."""
    truth = pool.records[place]
    first = truth.authors[0]
    name = plain(first.family) + " " + plain(first.given or "")[:1]
    others = [p for p in entries[name, truth.year or 0] if pool.works[p] != pool.works[place]]
    if others:
        reference = written(cite(truth), 0)
        offered = tuple(pool.records[p] for p in others[:OFFERED])
        yield Trial("instead of it", "same author and year", reference, offered, frozenset())
        bare = reference.model_copy(update={"title": None, "authors": (), "year": None})
        yield Trial("instead, raw", "same author and year", bare, offered, frozenset())
