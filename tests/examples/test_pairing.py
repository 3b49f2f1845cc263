"""Every claim that an example expects is found, tied to the right entry, and nothing else is."""

import json

import pytest

from veriscite.domain import Manuscript, Pairing, SkipReason
from veriscite.examples import EXAMPLES, ExampleFiles, example
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader


@pytest.fixture(params=EXAMPLES)
def files(request: pytest.FixtureRequest) -> ExampleFiles:
    return example(request.param)


def _read(files: ExampleFiles) -> tuple[Manuscript, Pairing]:
    source = ManuscriptInput(files.manuscript.read_bytes(), name=files.manuscript.name)
    manuscript = DocumentReader(PlainListParser()).read(source)
    return manuscript, CitationPairer().pair(manuscript)


def test_claims_and_skipped_markers_are_those_expected(files: ExampleFiles) -> None:
    manuscript, pairing = _read(files)
    references = {reference.id: reference for reference in manuscript.references}
    citances = {citance.id: citance for citance in pairing.citances}
    expected = json.loads(files.expected.read_text(encoding="utf-8"))["claims"]
    skipped = [claim for claim in expected if claim["expected"].startswith("skipped:")]

    wanted = sorted(
        (claim["snippet"], claim["reference"]["first_author"], claim["reference"]["year"])
        for claim in expected
        if claim not in skipped
    )
    snippets = {claim["snippet"] for claim in expected}
    found = sorted(
        (
            next((s for s in snippets if s in citances[claim.citance_id].text), claim.text),
            references[claim.reference_id].authors[0].family,
            references[claim.reference_id].year,
        )
        for claim in pairing.claims
    )
    assert found == wanted
    assert [(marker.part in skipped[0]["marker"], marker.reason) for marker in pairing.skipped] == [
        (True, SkipReason.NO_ENTRY)
    ]


def test_the_whole_list_is_read(files: ExampleFiles) -> None:
    manuscript, _ = _read(files)
    assert manuscript.notes == ()
    assert all(r.title and r.year and r.authors for r in manuscript.references)
    if files.name == "numeric":
        assert [r.label for r in manuscript.references] == [str(n) for n in range(1, 20)]
