"""Real papers and hard cases that are not part of this repository; skipped where they are absent."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.reading.fakes import LineParser
from veriscite.domain import Manuscript
from veriscite.errors import NoTextLayerError, UnreadableFileError
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader

SHARED = Path(os.environ.get("VERISCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
pytestmark = pytest.mark.skipif(
    not (SHARED / "data" / "papers").is_dir(), reason="needs the shared data (set VERISCITE_SHARED)"
)
ERRORS = {
    "NO_TEXT_LAYER": NoTextLayerError,
    "NOT_A_PDF": UnreadableFileError,
    "UNREADABLE_PDF": UnreadableFileError,
}


def _fold(text: str) -> str:
    return " ".join(text.split())


def _read(path: Path) -> Manuscript:
    source = ManuscriptInput(content=path.read_bytes(), name=path.name)
    return DocumentReader(LineParser()).read(source)


def _cases(area: str) -> list[dict[str, Any]]:
    path = SHARED / "cases" / "cases.jsonl"
    if not path.is_file():
        return []
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [case for case in cases if case["area"] == area]


@pytest.mark.parametrize("case", _cases("C"), ids=lambda case: case["id"])
def test_pdf_cases(case: dict[str, Any]) -> None:
    path = SHARED / "cases" / case["input"]["file"]
    expected = case["expected"]
    if "error" in expected:
        with pytest.raises(ERRORS[expected["error"]]):
            _read(path)
        return
    manuscript = _read(path)
    body = _fold(manuscript.body.of(manuscript.text))
    for citation in expected["citations"]:
        assert citation["citance"] in body
    for absent in expected.get("not_citations", []):
        assert absent not in manuscript.text
    assert len(manuscript.references) == len(expected["references"])


@pytest.mark.parametrize("case", [case for case in _cases("B") if case["id"] == "B21"], ids=["B21"])
def test_list_headings(case: dict[str, Any]) -> None:
    reader = DocumentReader(LineParser())
    missed = []
    for heading in case["input"]["repeat_with_heading"]:
        entries = case["input"]["references_text"].replace("{HEADING}", heading)
        manuscript = reader.read(ManuscriptInput(content=(case["input"]["body_before"] + entries).encode()))
        if len(manuscript.references) != case["expected"]["count"]:
            missed.append(heading)
    assert missed == []


def test_two_columns_with_a_correspondence_block_inside_a_sentence() -> None:
    manuscript = _read(SHARED / "data" / "papers" / "bmc_trauma_2010.pdf")
    text = _fold(manuscript.body.of(manuscript.text))
    assert "with low molecular weight heparins (LMWHs) as the primary DVT prophylactic agent [10]" in text
    assert "ball.chad@gmail.com" not in text
    assert "licensee BioMed Central" not in manuscript.text
    assert len(manuscript.references) == 79
    assert manuscript.title is not None
    assert manuscript.title.startswith("Complications related to deep venous thrombosis")


def test_a_side_bar_and_a_note_inside_a_sentence() -> None:
    manuscript = _read(SHARED / "data" / "papers" / "peerj_2017.pdf")
    text = _fold(manuscript.text)
    assert "NGS experiments). Codeml is part of the PAML package" in text
    assert "protein-interaction networks (Kim, Korbel & Gerstein, 2007; Kosiol et al., 2008;" in text
    assert "Submitted 25 March 2016" not in text
    entries = manuscript.text[manuscript.body.end :].split("\n\n")[1:]
    assert len(entries) == 24
    assert all(any(year in entry for year in ("19", "20")) for entry in entries)


def test_a_supplement_with_its_own_list() -> None:
    manuscript = _read(SHARED / "data" / "papers" / "clinsci_2014_ace.pdf")
    text = _fold(manuscript.body.of(manuscript.text))
    assert "heart, liver, kidney and lung tissues [13–25]." in text
    assert "Residual enzyme activity was monitored continuously" in text
    assert manuscript.text[manuscript.body.end :].startswith("REFERENCES\n\n1 Acharya")
    assert any("after the reference list" in note.message for note in manuscript.notes)


def test_glyphs_without_letters_are_guessed() -> None:
    manuscript = _read(SHARED / "data" / "papers" / "meta-review_manuscript.pdf")
    text = _fold(manuscript.text)
    for words in (
        "the scientific process",
        "contribution workflow used",
        "offline tools",
        "different institutions",
    ):
        assert words in text
    assert any("ligatures" in note.message for note in manuscript.notes)


def test_reading_is_fast_enough() -> None:
    path = SHARED / "data" / "papers" / "meta-review_manuscript.pdf"
    start = time.process_time()
    _read(path)
    assert time.process_time() - start < 60  # a guard against a blow-up, not a speed


def test_markdown_with_citations_in_code() -> None:
    manuscript = _read(SHARED / "data" / "papers" / "inara_paper.md")
    left = manuscript.text
    for span in reversed(manuscript.excluded):
        left = left[: span.start] + left[span.end :]
    keys = [part.split("]")[0].split(" ")[0].rstrip('.",\n') for part in left.split("@")[1:]]
    expected = json.loads((SHARED / "data" / "papers" / "EXPECTED.json").read_text(encoding="utf-8"))
    assert [key.split("\n")[0].rstrip(",.") for key in keys] == expected["inara_paper.md"][
        "citations_in_order"
    ]
    assert manuscript.body.end == len(manuscript.text)
