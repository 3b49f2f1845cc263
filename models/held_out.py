"""Distortions of abstracts that no adapter was trained on: what each kind of error is measured with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models import cc_by_sources, distortions
from models.rows import Document, Row, seeded


@dataclass(frozen=True)
class HeldOutEdit:
    """An edited sentence against the whole abstract that it is from.

    Attributes:
        kind: What was done to it, as in `Distortion.kind`.
        original: The sentence before the edit.
        document: The edited sentence as a claim against the abstract, with the label that it should get.
    """

    kind: str
    original: str
    document: Document


def held_out_edits(data: Path, seed: int = 13, of_a_kind: int = 60) -> list[HeldOutEdit]:
    """Edits of the abstracts that are kept out of training, reserved for the examples.

    Args:
        data: Folder with the data.
        seed: Seed of every choice.
        of_a_kind: Edits of one kind at most.
    """
    rng = seeded(seed, "held-out edits")
    abstracts = list(_held_out_abstracts(data))
    strangers = sorted(
        {a for _, sentences, _ in abstracts for a in distortions.acronyms(" ".join(sentences))}
    )
    by_kind: dict[str, list[HeldOutEdit]] = defaultdict(list)
    for group, sentences, findings in abstracts:
        for index in findings:
            for row in cc_by_sources.edits_of(group, sentences, [index], strangers, rng):
                by_kind[row.kind].append(_edit(row, sentences, index))
    chosen = []
    for _, edits in sorted(by_kind.items()):
        chosen += rng.sample(edits, min(of_a_kind, len(edits)))
    return chosen


def _edit(row: Row, sentences: list[str], index: int) -> HeldOutEdit:
    document = Document(row.hypothesis, tuple(sentences), row.label, row.source, row.group)
    return HeldOutEdit(row.kind, sentences[index], document)


def _held_out_abstracts(data: Path) -> Iterator[tuple[str, list[str], list[int]]]:
    # The held-out training fold would add a third more, but its windows stand in training as evidence that is
    # silent on claims of other abstracts.
    for group, _, sentences, findings in cc_by_sources.cc_by_abstracts(data, reserved=True):
        yield group, sentences, findings
