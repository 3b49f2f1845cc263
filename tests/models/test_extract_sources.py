import random
from collections import Counter
from pathlib import Path

import pytest

from models import extract_sources
from models.annotated import Annotated, evidence_inference_claims
from models.extract_sources import annotated_rows
from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, Document
from tests.models.test_data import write

SENTENCES = (
    "Sleep is studied by many groups.",
    "We asked nurses to keep a diary for a month.",
    "Music lowered anxiety in nurses who slept badly.",
    "Tea had no effect on anything that was measured.",
    "More work is needed in other places.",
    "Funding came from a foundation.",
)


def pair(label: int, *rationales: set[int]) -> Annotated:
    document = Document("Music lowered anxiety in nurses.", SENTENCES, label, "t", "g")
    return Annotated(document, tuple(map(frozenset, rationales)))


@pytest.mark.parametrize("label", [SUPPORT, CONTRADICT])
def test_extracts_with_the_rationale_have_the_claims_label(label: int) -> None:
    rows = list(annotated_rows(pair(label, {2}), random.Random(1)))
    assert {r.label for r in rows if SENTENCES[2] in r.premise} == {label}
    assert {r.label for r in rows if SENTENCES[2] not in r.premise} <= {NOT_ENOUGH_INFO}
    assert Counter(r.kind for r in rows)["extract"] == 2


def test_an_extract_with_half_a_rationale_is_left_out() -> None:
    far = (4, 5)
    rows = list(annotated_rows(pair(SUPPORT, {2, *far}), random.Random(1)))
    assert all(r.kind != "extract" or all(SENTENCES[i] in r.premise for i in far) for r in rows)


def integrity(folder: Path) -> None:
    about = ["Music lowered anxiety in nurses who slept badly, in a trial of 300."]
    other = ["Music lowered blood pressure in nurses, as told by them."]
    write(
        folder / "citation-integrity/corpus.jsonl.gz",
        [{"doc_id": 1, "abstract": about}, {"doc_id": 2, "abstract": other}],
    )
    write(
        folder / "citation-integrity/fine_labels.jsonl.gz",
        [{"split": "train", "id": 3, "fine": "CONTRADICT"}],
    )

    def claim(number: int, text: str, doc: int, label: str | None) -> dict[str, object]:
        evidence = {str(doc): [{"sentences": [0], "label": label}]} if label else {}
        return {"id": number, "claim": text, "cited_doc_ids": [doc], "evidence": evidence}

    write(
        folder / "citation-integrity/claims_train.jsonl",
        [
            claim(1, "Listening to music reduces how anxious nurses are [<|cit|>].", 1, "SUPPORT"),
            claim(2, "Music cures every nurse of anxiety for good [<|cit|>].", 1, "REFUTE"),
            claim(3, "Music raised the blood pressure of all nurses [<|cit|>].", 2, "REFUTE"),
            claim(4, "Bread was eaten by nurses in the morning [<|cit|>].", 2, None),
        ],
    )


def test_not_accurate_is_a_contradiction_only_where_its_fine_label_says_so(tmp_path: Path) -> None:
    integrity(tmp_path)
    rows = list(extract_sources.citation_integrity(tmp_path, random.Random(1)))
    assert [r.label for r in rows] == [SUPPORT, NOT_ENOUGH_INFO, CONTRADICT, NOT_ENOUGH_INFO]
    assert {r.group for r in rows} == {"ci1", "ci2"}


def test_only_supported_claims_are_edited_and_an_edit_alone_tells_nothing(tmp_path: Path) -> None:
    integrity(tmp_path)
    rows = [
        row
        for seed in range(20)
        for row in extract_sources.citation_integrity_edited(tmp_path, random.Random(seed))
    ]
    assert {r.label for r in rows} == {CONTRADICT, NOT_ENOUGH_INFO}
    assert all("nurses are" in r.hypothesis for r in rows)
    assert all("reduces" not in r.hypothesis or " not " in r.hypothesis for r in rows)
    assert all(("trial of 300" in r.premise) == (r.label == CONTRADICT) for r in rows)


def test_trials_become_a_claim_with_them_and_one_against_them(tmp_path: Path) -> None:
    trial = {
        "pmcid": "PMC11",
        "label": "significantly decreased",
        "abstract": "We studied nurses at night. Mortality was clearly lower with aspirin than with placebo.",
        "evidence_in_abstract": True,
        "evidence": ["Mortality was clearly lower with aspirin than with placebo", "p < 0.05"],
        "intervention": "aspirin",
        "comparator": "placebo",
        "outcome": "mortality",
    }
    unseen = {**trial, "pmcid": "PMC12", "evidence_in_abstract": False}
    reserved = {**trial, "pmcid": "PMC7"}
    write(tmp_path / "evidence-inference/joined_v2.jsonl.gz", [trial, unseen, reserved])
    pairs = list(evidence_inference_claims(tmp_path, random.Random(1)))
    assert [p.document.label for p in pairs] == [SUPPORT, CONTRADICT]
    assert {p.rationales for p in pairs} == {(frozenset({1}),)}
    assert {p.document.group for p in pairs} == {"pmcPMC11"}
