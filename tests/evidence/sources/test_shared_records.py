"""Recorded answers of Crossref and OpenAlex, read as records (skipped where they are absent)."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.evidence.shared import shared
from veriscite.evidence.abstracts import Abstract, read_abstract
from veriscite.evidence.sources.crossref import record_of_item
from veriscite.evidence.sources.openalex import record_of_work

FILES = {
    "crossref": ("crossref_responses.jsonl.gz", record_of_item),
    "openalex": ("openalex_responses.jsonl.gz", record_of_work),
}


def _works(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(shared("data", "api", name), "rt", encoding="utf-8") as lines:
        for line in lines:
            value = json.loads(line)
            yield from value if isinstance(value, list) else [value]


@pytest.mark.parametrize("source", sorted(FILES))
def test_recorded_answers_are_read(source: str) -> None:
    name, parse = FILES[source]
    records = [record for work in _works(name) if work and (record := parse(work)) is not None]
    assert len(records) > 1_000
    assert sum(bool(record.title) for record in records) > 0.98 * len(records)
    assert sum(bool(record.authors) for record in records) > 0.8 * len(records)
    assert sum(record.year is not None for record in records) > 0.95 * len(records)
    abstracts = [record for record in records if record.abstract]
    # The recorded answers of OpenAlex were asked for without abstracts.
    assert len(abstracts) > (300 if source == "crossref" else -1)
    usable = sum(isinstance(read_abstract(one.abstract, one.title), Abstract) for one in abstracts)
    assert usable >= 0.8 * len(abstracts)
