from tests.linking.helpers import links, manuscript, section
from veriscite.domain import MarkerStyle, SkipReason, Span, StatedMarker
from veriscite.linking import CitationPairer


def stated(text: str, shown: str, *keys: str, **fields: object) -> StatedMarker:
    start = text.index(shown)
    return StatedMarker(span=Span(start=start, end=start + len(shown)), keys=keys, **fields)


def test_a_stated_marker_is_taken_at_its_word() -> None:
    text = "Aspirin lowers the risk of a stroke (see there). Statins do not (12)."
    marker = stated(text, " (see there)", "ref-2", "ref-4")
    found = CitationPairer().pair(manuscript(text, stated_markers=(marker,)))
    assert links(found) == [(" (see there)", [2, 4])]
    assert [c.text for c in found.claims] == ["Aspirin lowers the risk of a stroke."] * 2
    assert not found.skipped


def test_where_the_file_states_its_markers_nothing_is_guessed() -> None:
    text = "Aspirin lowers the risk of a stroke. The interval was [1, 2], as in [3]."
    marker = stated(text, "[3]", "ref-3", style=MarkerStyle.NUMERIC)
    found = CitationPairer().pair(manuscript(text, stated_markers=(marker,)))
    assert links(found) == [("[3]", [3])]
    assert found.markers[0].style is MarkerStyle.NUMERIC


def test_a_narrative_marker_leaves_its_sentence_whole() -> None:
    text = "As AuthorB (2002) found, aspirin lowers the risk of a stroke."
    marker = stated(text, "AuthorB (2002)", "ref-2", style=MarkerStyle.AUTHOR_YEAR, narrative=True)
    (claim,) = CitationPairer().pair(manuscript(text, stated_markers=(marker,))).claims
    assert claim.reference_id == "ref-2"
    assert claim.text.startswith("As AuthorB")
    assert claim.text.endswith("found, aspirin lowers the risk of a stroke.")


def test_a_key_without_an_entry_is_reported_beside_those_that_have_one() -> None:
    text = "Aspirin lowers the risk of a stroke [a, b]."
    found = CitationPairer().pair(manuscript(text, stated_markers=(stated(text, "[a, b]", "ref-1", "lost"),)))
    assert [c.reference_id for c in found.claims] == ["ref-1"]
    assert [(s.part, s.reason) for s in found.skipped] == [("lost", SkipReason.NO_ENTRY)]


def test_markers_outside_the_body_or_in_a_heading_make_no_claim() -> None:
    text = "Aspirin [1]\n\nIt lowers the risk of a stroke [2].\n\nNotes [3]"
    markers = tuple(stated(text, f"[{n}]", f"ref-{n}") for n in (1, 2, 3))
    end = text.index("\n\nNotes")
    source = manuscript(text, stated_markers=markers).model_copy(
        update={
            "body": Span(start=0, end=end),
            "sections": (section("Aspirin [1]", text.index("\n\nIt"), end),),
        }
    )
    assert links(CitationPairer().pair(source)) == [("[2]", [2])]
