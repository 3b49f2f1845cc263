from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from veriscite.domain import Attribution, Label, Report, Span, TokenScore
from veriscite.reporting.text import Standing
from veriscite.reporting.view import (
    attribution_pieces,
    context_of,
    pairs,
    place_of,
    standing_counts,
    strongest,
    unresolved_references,
)


def test_standings_agree_with_the_summary(report: Report) -> None:
    counts = standing_counts(pairs(report))
    summary = report.summary
    assert counts[Standing.UNRESOLVED] == summary.unresolved
    assert counts[Standing.FAILED] == summary.failed
    assert counts[Standing.NO_VERDICT] == summary.abstained
    assert {s.value: counts[s] for s in map(Standing, summary.labels)} == summary.labels
    assert sum(counts.values()) == summary.claims


def test_a_citance_is_shown_in_its_section_with_its_own_marker_told_apart(report: Report) -> None:
    view = pairs(report)[1]
    context = context_of(view, report)
    assert "".join(piece.text for piece in context.citance) == report.pairing.citances[1].text
    assert [(piece.text, piece.mark) for piece in context.citance if piece.mark] == [("[2]", "own-marker")]
    assert "A sentence that cites nothing" in context.before
    assert "##" not in context.before + context.after


def test_a_skipped_part_is_shown_where_it_stands(report: Report) -> None:
    place = place_of(report.pairing.skipped[0], report)
    assert (place.section, place.marker) == ("Methods", "[5, 99]")
    assert place.before.endswith("was used as before ")


def test_the_decisive_sentence(report: Report) -> None:
    views = {view.claim.id: view for view in pairs(report)}
    assert views["c1"].decisive == 1  # the one attributed
    assert views["c3"].decisive is None  # the label is another than that of the verdict with a rationale
    assert views["c10"].decisive == 1  # the first rationale
    assert views["c5"].decisive is None


def test_a_rationale_outside_the_evidence_is_ignored(report: Report) -> None:
    result = report.results[4].model_copy(
        update={"outcomes": (builders.nli(Label.SUPPORT, None, 99),), "attribution": None}
    )
    changed = report.model_copy(update={"results": (*report.results[:4], result)})
    assert pairs(changed)[9].decisive is None


def test_a_reference_without_evidence_is_told_once_with_all_its_claims(report: Report) -> None:
    extra = report.unresolved[0].model_copy(update={"claim_id": "c6"})
    views = unresolved_references(report.model_copy(update={"unresolved": (report.unresolved[0], extra)}))
    assert [(view.reference_id, view.claim_ids) for view in views] == [("ref-5", ("c5", "c6"))]


@given(st.text(min_size=1, max_size=40), st.data())
def test_pieces_give_the_text_back(text: str, data: st.DataObject) -> None:
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    scores = st.floats(-3, 3) | st.just(math.nan) | st.just(0.0)
    drawn = data.draw(st.lists(st.tuples(spans, scores), max_size=8))
    tokens = tuple(
        TokenScore(text="t", span=Span(start=min(span), end=max(span)), score=score) for span, score in drawn
    )
    attribution = Attribution(
        target=Label.SUPPORT,
        claim_text=text,
        sentence=text,
        claim=tokens,
        evidence=(),
        sentence_index=0,
        baseline="",
        steps=1,
        convergence_delta=0.0,
        output_difference=1.0,
        model="",
    )
    claim, sentence = attribution_pieces(attribution)
    assert "".join(piece.text for piece in claim) == "".join(piece.text for piece in sentence) == text
    for piece in claim:
        if piece.mark and piece.score is not None:
            assert piece.mark.startswith("for") == (piece.score > 0)


def test_intensity_follows_the_score(report: Report) -> None:
    attribution = report.results[0].attribution
    assert attribution
    claim, _ = attribution_pieces(attribution)
    marks = {piece.text: piece.mark for piece in claim if piece.score is not None}
    assert marks["group"] == "against-4"
    assert marks["raised"] == "for-2"
    assert [word.text for _, word in strongest(attribution, 2)] == ["group", "group"]
