"""The training data of each adapter as a table: source, rows at most, licence; and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models import cc_by_sources, extract_sources, sources
from models.rows import (
    Document,
    Row,
    bucket,
    data_folder,
    is_reserved,
    normalised,
    read_jsonl,
    seeded,
)


@dataclass(frozen=True)
class Ingredient:
    """One line of the table.

    Attributes:
        name: Unique within the adapter.
        read: Yields the source's rows.
        cap: Rows at most, drawn with the seed.
        licence: As stated by the source.
        commercial_use: Whether that licence allows it; only `science-research` has rows that don't.
    """

    name: str
    read: sources.Source
    cap: int
    licence: str
    commercial_use: bool = True


_MNLI = "MultiNLI licences (OANC, CC BY-SA, CC BY)"
_SNLI = "CC BY-SA 4.0"
_CAD = "Apache-2.0 (annotations), CC BY-SA 4.0 (SNLI text)"


def _not_commercial(source: str) -> sources.Source:
    return sources.nli_rows(source, None, commercial_use=False)


TABLES: dict[str, tuple[Ingredient, ...]] = {
    "science": (
        Ingredient("evidence-inference", sources.evidence_inference, 2200, "MIT"),
        Ingredient("check-covid", sources.check_covid, 1800, "MIT"),
        Ingredient("citation-integrity", sources.citation_integrity, 1100, "MIT"),
        Ingredient("pubmedqa", sources.pubmed_qa, 800, "MIT"),
        Ingredient(
            "cc-by-distortions", cc_by_sources.cc_by_distortions, 1700, "CC BY (abstracts); edits ours"
        ),
        Ingredient("cc-by-titles", cc_by_sources.cc_by_titles, 200, "CC BY (abstracts); edits ours"),
        Ingredient(
            "similar-abstracts", cc_by_sources.similar_abstracts, 400, "CC BY (abstracts); pairing ours"
        ),
        Ingredient("summedits-scitldr", sources.short_documents("summedits-scitldr", 170), 150, "Apache-2.0"),
        Ingredient("fever-symmetric", sources.nli_rows("fever-symmetric", 0), 250, "CC BY-SA 3.0"),
        Ingredient("mnli", sources.nli_rows("mnli", 0), 500, _MNLI),
        Ingredient("snli-windows", sources.nli_windows("snli", 0), 150, _SNLI),
        Ingredient("cad-nli", sources.nli_rows("cad-nli", 0), 300, _CAD),
    ),
    # A second stage that goes on from the first: more of each source, every kind of edit, more general NLI.
    "science-2": (
        Ingredient("evidence-inference", sources.evidence_inference, 3300, "MIT"),
        Ingredient("check-covid", sources.check_covid, 1800, "MIT"),
        Ingredient("citation-integrity", sources.citation_integrity, 1000, "MIT"),
        Ingredient("pubmedqa", sources.pubmed_qa, 1000, "MIT"),
        Ingredient("cc-by-every-kind", cc_by_sources.cc_by_every_kind, 4600, "CC BY (abstracts); edits ours"),
        Ingredient("cc-by-titles", cc_by_sources.cc_by_titles, 200, "CC BY (abstracts); edits ours"),
        Ingredient(
            "similar-abstracts", cc_by_sources.similar_abstracts, 700, "CC BY (abstracts); pairing ours"
        ),
        Ingredient("fever-symmetric", sources.nli_rows("fever-symmetric", 0), 600, "CC BY-SA 3.0"),
        Ingredient("mnli", sources.nli_rows("mnli", 0), 3500, _MNLI),
        Ingredient("mnli-windows", sources.nli_windows("mnli", 0), 1500, _MNLI),
        Ingredient("cad-nli", sources.nli_rows("cad-nli", 0), 1500, _CAD),
    ),
    # A third stage, on every layer: rows read as the verifier reads, most of them claims in people's own
    # words, and such claims with one edit, which an edit of the evidence's own sentence does not teach.
    "science-3": (
        Ingredient("check-covid", extract_sources.check_covid, 2300, "MIT"),
        Ingredient("check-covid-edited", extract_sources.check_covid_edited, 700, "MIT; edits ours"),
        Ingredient("citation-integrity", extract_sources.citation_integrity, 1300, "MIT"),
        Ingredient(
            "citation-integrity-edited", extract_sources.citation_integrity_edited, 1200, "MIT; edits ours"
        ),
        Ingredient("evidence-inference", extract_sources.evidence_inference, 1500, "MIT"),
        Ingredient("pubmedqa", sources.pubmed_qa, 700, "MIT"),
        Ingredient("cc-by-every-kind", cc_by_sources.cc_by_every_kind, 1200, "CC BY (abstracts); edits ours"),
        Ingredient(
            "similar-abstracts", cc_by_sources.similar_abstracts, 300, "CC BY (abstracts); pairing ours"
        ),
        Ingredient("fever-symmetric", sources.nli_rows("fever-symmetric", 0), 200, "CC BY-SA 3.0"),
        Ingredient("mnli", sources.nli_rows("mnli", 0), 300, _MNLI),
        Ingredient("cad-nli", sources.nli_rows("cad-nli", 0), 200, _CAD),
    ),
    # Goes on from that with rows whose licence forbids commercial use: weights for research only.
    "science-research": (
        Ingredient(
            "scifact", extract_sources.scifact, 4000, "CC BY-NC 2.0 (claims), ODC-BY (abstracts)", False
        ),
        Ingredient("check-covid", extract_sources.check_covid, 900, "MIT"),
        Ingredient("evidence-inference", sources.evidence_inference, 500, "MIT"),
        Ingredient("cc-by-every-kind", cc_by_sources.cc_by_every_kind, 900, "CC BY (abstracts); edits ours"),
        Ingredient("covidfact", _not_commercial("covidfact"), 400, "not stated", False),
        Ingredient(
            "climate-fever",
            sources.nli_rows("climate-fever", None, commercial_use=False),
            400,
            "not stated",
            False,
        ),
    ),
    "general": (
        Ingredient("mnli", sources.nli_rows("mnli", 1), 1400, _MNLI),
        Ingredient("mnli-windows", sources.nli_windows("mnli", 1), 1400, _MNLI),
        Ingredient("snli", sources.nli_rows("snli", 1), 500, _SNLI),
        Ingredient("snli-windows", sources.nli_windows("snli", 1), 500, _SNLI),
        Ingredient("cad-nli", sources.nli_rows("cad-nli", 1), 700, _CAD),
        Ingredient("fever-symmetric", sources.nli_rows("fever-symmetric", 1), 400, "CC BY-SA 3.0"),
        Ingredient("breaking-nli", sources.nli_rows("breaking-nli", None), 100, "CC BY-SA 4.0"),
    ),
}

#: Per cent of groups kept out of training for dev scores, calibration and thresholds.
_HELD_OUT = {
    "check-covid": 14,
    "evidence-inference": 8,
    "citation-integrity": 8,
    "cc-by-distortions": 5,
    "scifact": 12,
}
_HELD_OUT_OTHERWISE = 4


@dataclass(frozen=True)
class Dataset:
    """Rows to train on, held-out rows, and how many of each source there are."""

    train: list[Row]
    held_out: list[Row]
    composition: list[dict[str, Any]]


def is_held_out(row_source: str, group: str) -> bool:
    """Whether a group belongs to the held-out fold. Articles are one group whatever source they come by."""
    percent = _HELD_OUT["evidence-inference"] if group.startswith("pmc") else _HELD_OUT.get(row_source, 0)
    return bucket(f"fold:{group}", 100) < (percent or _HELD_OUT_OTHERWISE)


class EvaluationTexts:
    """Claims and sentences of every dev set, by which training rows are dropped."""

    def __init__(self, data: Path) -> None:
        """Read the claims and evidence of all dev sets under `data`."""
        self._claims: set[str] = set()
        self._sentences: set[str] = set()
        for row in read_jsonl(data / "nli" / "dev.jsonl.gz"):
            self._claims.add(normalised(row["hypothesis"]))
            # Cheap and enough: long documents of other tasks need no sentence splitter.
            self._add_sentences(row["premise"].split(". "))
        corpus = {row["doc_id"]: row for row in read_jsonl(data / "scifact" / "corpus.jsonl.gz")}
        for claim in read_jsonl(data / "scifact" / "claims_dev.jsonl"):
            self._claims.add(normalised(claim["claim"]))
            for doc in claim["cited_doc_ids"]:
                self._add_sentences([corpus[doc]["title"], *corpus[doc]["abstract"]])
        corpus = {row["doc_id"]: row for row in read_jsonl(data / "citation-integrity" / "corpus.jsonl.gz")}
        for claim in read_jsonl(data / "citation-integrity" / "claims_dev.jsonl"):
            self._claims.add(normalised(sources.marked_clause(claim["claim"])))
            for doc in claim["cited_doc_ids"]:
                self._add_sentences(corpus[doc]["abstract"])
        corpus = {row["cord_id"]: row for row in read_jsonl(data / "check-covid" / "corpus.json")}
        for claim in read_jsonl(data / "check-covid" / "covidCheck_dev_composed+extracted.json"):
            self._claims.add(normalised(claim["claim"]))
            self._add_sentences([corpus[claim["cord_id"]]["title"], *corpus[claim["cord_id"]]["abstract"]])

    def _add_sentences(self, sentences: Iterable[str]) -> None:
        self._sentences.update(n for s in sentences if len(n := normalised(s)) > 40)

    def hold(self, row: Row) -> bool:
        """Whether the row's claim or one of its longer premise sentences stands in a dev set."""
        if normalised(row.hypothesis) in self._claims:
            return True
        parts = {normalised(row.premise), *(normalised(s) for s in row.premise.split(". "))}
        return not self._sentences.isdisjoint(parts)

    def hold_document(self, document: Document) -> bool:
        """Whether the document's claim or one of its sentences stands in a dev set."""
        rows = (Row(s, document.claim, document.label, document.source, "") for s in document.sentences)
        return any(self.hold(row) for row in rows)


def build(adapter: str, seed: int, data: Path | None = None) -> Dataset:
    """Read, filter, draw and split the rows of one adapter; the same seed gives the same rows.

    Args:
        adapter: `science` or `general`.
        seed: Seed of every random choice.
        data: Folder with the data; `data_folder()` by default.
    """
    folder = data or data_folder()
    forbidden = EvaluationTexts(folder)
    train: list[Row] = []
    held_out: list[Row] = []
    composition: list[dict[str, Any]] = []
    seen: set[tuple[str, str]] = set()
    for ingredient in TABLES[adapter]:
        rng = seeded(seed, adapter, ingredient.name)
        kept: list[Row] = []
        overlapping = 0
        for row in ingredient.read(folder, rng):
            key = (normalised(row.premise), normalised(row.hypothesis))
            if key in seen:
                continue
            if forbidden.hold(row):
                overlapping += 1
                continue
            seen.add(key)
            kept.append(row)
        inside = [r for r in kept if not is_held_out(r.source, r.group)]
        outside = [r for r in kept if is_held_out(r.source, r.group)]
        inside = rng.sample(inside, min(ingredient.cap, len(inside)))
        outside = rng.sample(outside, min(ingredient.cap // 10, len(outside)))
        train += inside
        held_out += outside
        composition.append(
            {
                "source": ingredient.name,
                "licence": ingredient.licence,
                "commercial_use": ingredient.commercial_use,
                "available": len(kept),
                "train": len(inside),
                "held_out": len(outside),
                "dropped_as_in_dev": overlapping,
                "labels": dict(sorted(Counter(r.label for r in inside).items())),
            }
        )
    seeded(seed, adapter, "order").shuffle(train)
    return Dataset(train, held_out, composition)


__all__ = [
    "TABLES",
    "Dataset",
    "EvaluationTexts",
    "Ingredient",
    "asdict",
    "build",
    "is_held_out",
    "is_reserved",
]
