"""Matching against recorded answers of the service (skipped where they are absent).

Every recorded paper is cited the way users cite: perturbed. The right record must be taken, and with the
right record gone none of the thousands of others may be. Misses cost recall, wrong takes cost precision.
"""

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator

import pytest
from rapidfuzz import fuzz, process

from tests.evidence.shared import shared
from veriscite.domain import Author, Reference
from veriscite.evidence.abstracts import Abstract, read_abstract
from veriscite.evidence.folding import fold
from veriscite.evidence.matching import choose, same_work
from veriscite.evidence.records import Record, parse_name
from veriscite.evidence.sources.semantic_scholar import record_of_paper

SAMPLE = 60


@pytest.fixture(scope="module")
def records() -> list[Record]:
    found: dict[str, Record] = {}
    with gzip.open(shared("data", "api", "semantic_scholar_responses.jsonl.gz"), "rt") as lines:
        for line in lines:
            answer = json.loads(line)
            for paper in answer if isinstance(answer, list) else [answer]:
                if isinstance(paper, dict) and paper.get("title"):
                    record = record_of_paper(paper)
                    assert record is not None
                    found[record.record_id] = record
    with gzip.open(shared("data", "abstracts", "cc_by.jsonl.gz"), "rt") as lines:
        for number, line in enumerate(lines):
            article = json.loads(line)
            found[article["file"]] = Record(
                source="semantic_scholar",
                record_id=article["file"],
                title=article["title"],
                authors=tuple(parse_name(name) for name in article["authors"] if name.strip()),
                year=int(article["year"]) if str(article["year"]).isdigit() else None,
                abstract=" ".join(section["text"] for section in article.get("sections") or []),
            )
            if number >= 1_000:
                break
    return list(found.values())


def _initials(author: Author) -> Author:
    given = "".join(word[0] for word in (author.given or "").replace("-", " ").split() if word)
    return Author(family=author.family, given=given or None)


def _misspelt(title: str, chance: random.Random) -> str:
    words = title.split()
    long = [i for i, word in enumerate(words) if len(word) > 6 and word.isalpha()]
    if long:
        at = chance.choice(long)
        cut = chance.randrange(2, len(words[at]) - 1)
        words[at] = words[at][:cut] + words[at][cut + 1 :]
    return " ".join(words)


Perturb = Callable[[Reference, random.Random], Reference]


def _with(**changes: Callable[[Reference, random.Random], object]) -> Perturb:
    return lambda r, c: r.model_copy(update={key: change(r, c) for key, change in changes.items()})


PERTURBATIONS: dict[str, Perturb] = {
    "as recorded": _with(),
    "lower case": _with(title=lambda r, _: (r.title or "").lower()),
    "dashes and quotes": _with(title=lambda r, _: re.sub("[-:]", " – ", f"“{r.title}.”")),
    "misspelt": _with(title=lambda r, c: _misspelt(r.title or "", c)),
    "without subtitle": _with(title=lambda r, _: re.split(r": | - ", r.title or "")[0]),
    "a year later": _with(year=lambda r, _: r.year and r.year + 1),
    "initials": _with(authors=lambda r, _: tuple(map(_initials, r.authors))),
    "first author only": _with(authors=lambda r, _: r.authors[:1]),
    "et al.": _with(authors=lambda r, _: (*r.authors[:3], Author(family="others"))),
    "no year": _with(year=lambda _r, _c: None),
    "raw only": _with(title=lambda _r, _c: None, authors=lambda _r, _c: (), year=lambda _r, _c: None),
}


def _cited(record: Record) -> Reference:
    authors = ", ".join(f"{a.family} {(a.given or '')[:1]}" for a in record.authors[:6])
    return Reference(
        id="r",
        raw=f"[3] {authors}. {record.title}. {record.venue or 'J Test'} {record.year or ''};3:1-9.",
        title=record.title,
        authors=record.authors,
        year=record.year,
    )


def _citable(records: list[Record]) -> Iterator[Record]:
    return (r for r in records if r.authors and r.year and len(fold(r.title).split()) >= 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", PERTURBATIONS)
def test_precision_and_recall(records: list[Record], name: str, record_property: Callable[..., None]) -> None:
    chance = random.Random(7)
    titles = [fold(record.title) for record in records]
    right = wrong = asked = 0
    for truth in chance.sample(list(_citable(records)), SAMPLE):
        reference = PERTURBATIONS[name](_cited(truth), chance)
        near = process.extract(fold(truth.title), titles, scorer=fuzz.token_sort_ratio, limit=12)
        hits = [records[index] for _, _, index in near]
        for offered, there in ((hits, True), ([h for h in hits if not same_work(h, truth)], False)):
            choice = choose(reference, offered)
            taken = choice.accepted[0].record if choice.accepted else None
            asked += there
            if taken is not None and same_work(taken, truth):
                right += 1
            elif taken is not None:
                wrong += 1
                print("wrong:", reference.title, "->", taken.title)
    precision, recall = right / (right + wrong), right / asked
    record_property("precision", precision)
    record_property("recall", recall)
    print(f"{name}: {asked} references, precision {precision:.4f}, recall {recall:.4f}")
    assert precision >= 0.995
    assert recall >= (0.90 if name in ("without subtitle", "raw only") else 0.97)


@pytest.mark.slow
def test_real_lists_against_recorded_answers(records: list[Record]) -> None:
    """No entry of nine real lists may be tied to a record whose title is another's."""
    titles = [fold(record.title) for record in records]
    accepted = 0
    for path in sorted(shared("data", "api", "bibliographies").glob("openreview_*.json")):
        for entry in json.loads(path.read_text()):
            reference = Reference(
                id="r",
                raw=re.sub("[#*]", ", ", entry["raw_text"].split("\n")[0]),
                title=entry["title"],
                authors=tuple(parse_name(name) for name in entry["authors"] or []),
                year=int(entry["year"]) if entry.get("year") else None,
            )
            wanted = fold(entry["title"] or "")
            near = process.extract(wanted, titles, scorer=fuzz.token_set_ratio, limit=10)
            choice = choose(reference, [records[index] for _, _, index in near])
            assert not choice.tied
            if choice.accepted:
                accepted += 1
                record = choice.accepted[0].record
                assert fuzz.ratio(wanted, fold(record.title)) > 85, (entry["title"], record.title)
    assert accepted >= 190


@pytest.mark.slow
def test_recorded_abstracts_are_read_or_missing(records: list[Record]) -> None:
    for record in records:
        outcome = read_abstract(record.abstract, record.title, record.abstract_note)
        given = bool((record.abstract or "").strip())
        assert isinstance(outcome, Abstract) is given, (record.title, outcome)
