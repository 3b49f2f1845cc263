import gzip
import json
from pathlib import Path

import pytest

from models.data import TABLES, EvaluationTexts, is_held_out
from models.rows import NOT_ENOUGH_INFO, Row, bucket, is_reserved, normalised, sentences_of
from models.sources import clean_citing_sentence, evidence_sentences, marked_clause, nli_rows


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(json.dumps(row) for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)


COVID = "Covid evidence that must never be trained on at all."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    secret = "The kept back sentence is long enough to be recognised again."
    write(tmp_path / "nli/dev.jsonl.gz", [{"premise": secret, "hypothesis": "A dev claim."}])
    for folder, corpus, claims in (
        ("scifact", "corpus.jsonl.gz", "claims_dev.jsonl"),
        ("citation-integrity", "corpus.jsonl.gz", "claims_dev.jsonl"),
    ):
        sentence = f"{folder} evidence that must never be trained on by anyone."
        write(tmp_path / folder / corpus, [{"doc_id": 1, "title": "T", "abstract": [sentence]}])
        write(tmp_path / folder / claims, [{"claim": f"{folder} claim <|cit|>.", "cited_doc_ids": [1]}])
    write(
        tmp_path / "check-covid/corpus.json",
        [
            {
                "cord_id": "x",
                "title": "T",
                "abstract": ["Covid evidence that must never be trained on at all."],
            }
        ],
    )
    write(
        tmp_path / "check-covid/covidCheck_dev_composed+extracted.json",
        [{"claim": "Covid claim.", "cord_id": "x"}],
    )
    return tmp_path


def row(premise: str, hypothesis: str) -> Row:
    return Row(premise, hypothesis, NOT_ENOUGH_INFO, "t", "g")


@pytest.mark.parametrize(
    "bad",
    [
        row("Anything.", "a DEV claim"),
        row("Anything.", "Covid claim."),
        row("Before. Covid evidence that must never be trained on at all. After.", "New."),
        row("Before. scifact evidence that must never be trained on by anyone.", "New."),
        row("citation-integrity evidence that must never be trained on by anyone.", "New."),
        row("The kept back sentence is long enough to be recognised again.", "New."),
    ],
)
def test_rows_that_stand_in_a_dev_set_are_known(data: Path, bad: Row) -> None:
    assert EvaluationTexts(data).hold(bad)


def test_other_rows_pass(data: Path) -> None:
    assert not EvaluationTexts(data).hold(row("Something else was found.", "Something was found."))


def test_the_halves_of_a_source_share_no_premise(tmp_path: Path) -> None:
    rows = [
        {
            "source": "mnli",
            "premise": f"Premise {i // 3}.",
            "hypothesis": f"Hypothesis {i}.",
            "label": "neutral",
            "commercial_use": i % 7 != 0,
        }
        for i in range(300)
    ]
    write(tmp_path / "nli/train.jsonl.gz", rows)
    import random

    halves = [list(nli_rows("mnli", part)(tmp_path, random.Random(0))) for part in (0, 1)]
    premises = [{r.premise for r in half} for half in halves]
    assert premises[0]
    assert premises[1]
    assert premises[0].isdisjoint(premises[1])
    assert sum(map(len, halves)) == sum(bool(r["commercial_use"]) for r in rows)


def test_no_source_of_the_general_adapter_holds_scientific_claims() -> None:
    names = {i.name for i in TABLES["general"]}
    science = {"evidence-inference", "check-covid", "citation-integrity", "pubmedqa"}
    assert names.isdisjoint(science)
    assert not any(name.startswith(("cc-by", "scifact")) for name in names)


def test_every_ingredient_states_a_licence_and_a_cap() -> None:
    for table in TABLES.values():
        assert len({i.name for i in table}) == len(table)
        assert all(i.licence and i.cap > 0 for i in table)


def test_folds_are_stable_and_small() -> None:
    held = [is_held_out("check-covid", f"doc{i}") for i in range(2_000)]
    assert 0.10 < sum(held) / len(held) < 0.18
    assert bucket("fold:doc1", 100) == bucket("fold:doc1", 100)
    # An article is in one fold, by whatever source it comes.
    assert is_held_out("evidence-inference", "pmc123") == is_held_out("cc-by-distortions", "pmc123")


@pytest.mark.parametrize(
    ("pmcid", "reserved"), [("PMC1237", True), ("1237", True), ("1234", False), ("", False)]
)
def test_abstracts_of_the_examples_are_reserved(pmcid: str, reserved: bool) -> None:
    assert is_reserved(pmcid) is reserved


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Sugar is sweet [<|multi_cit|>,7].", "Sugar is sweet."),
        ("Sugar is sweet (<|cit|>), and <|other_cit|> salt is not [48].", "Sugar is sweet, and salt is not."),
        ("Sugar (10 mg) is sweet.<|cit|>", "Sugar (10 mg) is sweet."),
    ],
)
def test_citation_marks_are_taken_out(text: str, clean: str) -> None:
    assert clean_citing_sentence(text) == clean


def test_of_a_passage_the_sentence_with_the_citation_is_the_claim() -> None:
    passage = "Sugar is known to be sweet <|other_cit|>. Salt is known to be salty <|cit|>. Water is wet."
    assert marked_clause(passage) == "Salt is known to be salty."


def test_annotated_evidence_is_found_in_its_sentences() -> None:
    sentences = ["We studied mice.", "Mortality fell by twelve per cent with aspirin.", "It was safe."]
    assert evidence_sentences(sentences, ["mortality fell by twelve per cent with aspirin"]) == {1}
    assert evidence_sentences(sentences, ["p < 0.05"]) == set()


def test_sentences_drop_section_marks_and_join_scraps() -> None:
    text = "ABSTRACT.RESULTS: Mortality fell. It was 1.4 +/- 0.2 in mice. 12. The end came."
    found = sentences_of(text)
    assert found[0] == "Mortality fell."
    assert "ABSTRACT" not in " ".join(found)
    assert all(any(c.isalpha() for c in s) for s in found)
    assert normalised("A-b, C!") == "a b c"
