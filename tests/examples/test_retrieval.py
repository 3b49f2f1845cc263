"""The example's library answers for each entry of its list as `expected.json` says, without a network."""

import json

import pytest

from veriscite.domain import Found
from veriscite.evidence.library import LibrarySource
from veriscite.examples import EXAMPLES, example
from veriscite.linking import PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader, read_references


@pytest.mark.parametrize("name", EXAMPLES)
async def test_library_answers_as_expected(name: str) -> None:
    files, parser = example(name), PlainListParser()
    source = ManuscriptInput(files.manuscript.read_bytes(), name=files.manuscript.name)
    manuscript = DocumentReader(parser).read(source)
    entries = read_references(files.library[0].read_bytes(), files.library[0].name, parser).references

    answers: dict[tuple[str, int | None], tuple[str, str | None]] = {}
    references = {reference.id: reference for reference in manuscript.references}
    async for answer in LibrarySource(entries, own_list=False).lookup(manuscript.references):
        reference = references[answer.reference_id]
        record = answer.evidence.record_id if isinstance(answer, Found) else None
        answers[reference.authors[0].family, reference.year] = (answer.status, record)

    expected = {}
    for claim in json.loads(files.expected.read_text(encoding="utf-8"))["claims"]:
        kind, _, status = claim["expected"].partition(":")
        if kind != "skipped":
            key = (claim["reference"]["first_author"], claim["reference"]["year"])
            expected[key] = (status, None) if kind == "unresolved" else ("found", claim["library_key"])
    assert answers == expected
