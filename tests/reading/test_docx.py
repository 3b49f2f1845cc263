"""Word documents: text, headings, citation fields, and what is left out."""

import base64
import json

import pytest

from tests.reading.docx_builder import (
    RAISED,
    citation,
    complex_field,
    docx,
    endnote,
    instruction,
    item,
    mark,
    mendeley_control,
    p,
    run,
    shown,
    simple_field,
    zotero,
)
from veriscite.domain import Manuscript, MarkerStyle, SkipReason
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader

MOSS = item(1, "Moss", 2019, "Moss grows on walls", DOI="10.1000/moss")
FERN = item(2, "Fern", 2020, "Ferns grow in shade")
REED = item("r3", "Reed", 2021, "Reeds grow in water")


def read(body: str, **parts: str) -> Manuscript:
    return DocumentReader(PlainListParser()).read(ManuscriptInput(docx(body, **parts), "paper.docx"))


def test_paragraphs_headings_and_title() -> None:
    manuscript = read(
        p("On moss and ferns", style="Titel")
        + p("Introduction", style="Heading1")
        + p("Moss ", run("grows"), " on walls.")
        + p("Details", style="berschrift2")
        + p("It is green.")
        + p("Methods", style="MyHead")
        + p("We looked.", style="Loop")
        + p("Results", properties='<w:outlineLvl w:val="1"/>')
        + p("It grew.")
    )
    assert manuscript.format == "docx"
    assert manuscript.title == "On moss and ferns"
    assert [(s.heading, s.level, s.span.of(manuscript.text).strip()) for s in manuscript.sections] == [
        ("On moss and ferns", 1, ""),
        ("Introduction", 1, "Moss grows on walls."),
        ("Details", 2, "It is green."),
        ("Methods", 1, "We looked."),
        ("Results", 2, "It grew."),
    ]


def test_superscripts_become_unicode_and_other_raised_text_stays() -> None:
    manuscript = read(
        p("Moss grows", run("1,3-5", RAISED), " on the 2", run("nd", RAISED), " wall, 10", run("-5", RAISED))
        + p("Fern", run("2", '<w:rStyle w:val="Up"/>'), ".")
    )
    assert manuscript.text == "Moss grows¹,³-⁵ on the 2nd wall, 10⁻⁵\n\nFern²."


def test_tracked_changes_show_the_last_revision() -> None:
    manuscript = read(
        p(
            "Moss grows ",
            '<w:del w:id="1"><w:r><w:delText>badly</w:delText></w:r></w:del>',
            f'<w:ins w:id="2">{run("well")}</w:ins>',
            f'<w:moveFrom w:id="3">{run(" here")}</w:moveFrom>',
            ".",
        )
        + p("It is", properties='<w:rPr><w:del w:id="4"/></w:rPr>')
        + p(" green.")
    )
    assert manuscript.text == "Moss grows well.\n\nIt is green."
    assert any("2 tracked deletions were left out" in note.message for note in manuscript.notes)


def test_hidden_text_is_left_out_and_noted() -> None:
    manuscript = read(p("Moss grows", run(" secretly", "<w:vanish/>"), run(".", '<w:vanish w:val="0"/>')))
    assert manuscript.text == "Moss grows."
    assert any("hidden" in note.message for note in manuscript.notes)


def test_zotero_fields_state_markers_and_hold_the_list() -> None:
    manuscript = read(
        p("Introduction", style="Heading1")
        + p(
            "Moss grows ",
            complex_field(zotero(MOSS, FERN), "[1,", run("2]")),
            ". Reeds do ",
            simple_field(zotero(REED), "[3]"),
            ".",
        )
        + p("References", style="Heading1")
        + p(
            mark("begin"),
            instruction(" ADDIN ZOTERO_BIBL {} CSL_BIBLIOGRAPHY "),
            mark("separate"),
        )
        + p("[1] A. Moss. Moss grows on walls. 2019.")
        + p("[2] A. Fern. Ferns grow in shade. 2020.", mark("end"))
    )
    assert shown(manuscript) == [("[1,2]", ("1", "2")), ("[3]", ("r3",))]
    assert {m.style for m in manuscript.stated_markers} == {MarkerStyle.NUMERIC}
    assert [(r.id, r.title, r.year) for r in manuscript.references] == [
        ("1", "Moss grows on walls", 2019),
        ("2", "Ferns grow in shade", 2020),
        ("r3", "Reeds grow in water", 2021),
    ]
    assert manuscript.references[0].identifiers.doi == "10.1000/moss"
    (left_out,) = manuscript.excluded
    assert left_out.of(manuscript.text).startswith("[1] A. Moss")
    claims = CitationPairer().pair(manuscript).claims
    assert [(c.text, c.reference_id) for c in claims] == [
        ("Moss grows.", "1"),
        ("Moss grows.", "2"),
        ("Reeds do.", "r3"),
    ]


def test_author_year_fields_tell_a_part_of_the_sentence_from_an_addition() -> None:
    manuscript = read(
        p(
            "However, Moss (",
            complex_field(zotero(MOSS), "2019"),
            ") saw it; ",
            complex_field(zotero(FERN), "Fern (2020)"),
            " did not ",
            complex_field(zotero(REED), "(Reed, 2021)"),
            ".",
        )
    )
    assert [
        (s, m.narrative) for (s, _), m in zip(shown(manuscript), manuscript.stated_markers, strict=True)
    ] == [
        ("Moss (2019)", True),
        ("Fern (2020)", True),
        ("(Reed, 2021)", False),
    ]
    assert {m.style for m in manuscript.stated_markers} == {MarkerStyle.AUTHOR_YEAR}


def test_raised_fields_are_superscript_markers() -> None:
    manuscript = read(
        p("Moss grows.", complex_field(zotero(MOSS, FERN), run("1,2", RAISED)), " It is green.")
    )
    assert shown(manuscript) == [("¹,²", ("1", "2"))]
    assert manuscript.stated_markers[0].style is MarkerStyle.SUPERSCRIPT


def test_the_same_number_in_two_libraries_is_two_works() -> None:
    other = item(1, "Alga", 1999, "Algae float")
    manuscript = read(
        p(
            "Moss ",
            complex_field(zotero(MOSS), "[1]"),
            " or algae ",
            complex_field(zotero(other, library="http://zotero.org/users/2/items"), "[2]"),
            " or moss ",
            complex_field(zotero(MOSS), "[1]"),
        )
    )
    assert shown(manuscript) == [("[1]", ("1",)), ("[2]", ("1-2",)), ("[1]", ("1",))]
    assert [r.title for r in manuscript.references] == ["Moss grows on walls", "Algae float"]


def test_mendeley_fields_and_content_controls() -> None:
    old = f"ADDIN CSL_CITATION {json.dumps(citation(MOSS))}"
    manuscript = read(
        p(
            "Moss grows ",
            complex_field(old, "(Moss, 2019)"),
            " in shade ",
            mendeley_control("(Fern, 2020)", FERN),
        )
    )
    assert shown(manuscript) == [("(Moss, 2019)", ("1",)), ("(Fern, 2020)", ("2",))]


def test_endnote_fields_with_their_data_inside_and_beside() -> None:
    packed = base64.b64encode(endnote(8, "Fern", 2020, "Ferns grow in shade").encode() + b"\0").decode()
    beside = (
        mark("begin", packed)
        + instruction(" ADDIN EN.CITE ")
        + mark("begin", packed)
        + instruction(" ADDIN EN.CITE.DATA ")
        + mark("end")
        + mark("separate")
        + run("[8]")
        + mark("end")
    )
    inside = complex_field(" ADDIN EN.CITE " + endnote(7, "Moss", 2019, "Moss grows on walls"), "[7]")
    manuscript = read(p("Moss grows ", inside, " in shade ", beside, "."))
    assert manuscript.text == "Moss grows [7] in shade [8]."
    assert shown(manuscript) == [("[7]", ("7",)), ("[8]", ("8",))]
    assert [(r.title, r.authors[0].family) for r in manuscript.references] == [
        ("Moss grows on walls", "Moss"),
        ("Ferns grow in shade", "Fern"),
    ]


def test_a_broken_field_is_noted_and_its_text_and_siblings_stay() -> None:
    manuscript = read(
        p(
            "Moss grows ",
            complex_field(" ADDIN ZOTERO_ITEM CSL_CITATION {broken", "[1]"),
            " in shade ",
            complex_field(zotero(FERN), "[2]"),
        )
    )
    assert manuscript.text == "Moss grows [1] in shade [2]"
    assert shown(manuscript) == [("[2]", ("2",))]
    (note,) = [n for n in manuscript.notes if "citation field" in n.message]
    assert note.raw == "[1]"
    assert note.span is not None
    assert note.span.of(manuscript.text) == "[1]"


def test_an_item_without_data_stays_unresolved() -> None:
    bare = {"citationItems": [{"id": 9, "uris": ["http://zotero.org/users/1/items/9"]}]}
    manuscript = read(
        p(
            "Moss grows ",
            complex_field(zotero(MOSS), "[1]"),
            ". Ferns do ",
            complex_field(f"ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps(bare)}", "[2]"),
            ".",
        )
    )
    found = CitationPairer().pair(manuscript)
    assert [(s.part, s.reason) for s in found.skipped] == [("9", SkipReason.NO_ENTRY)]
    assert [c.reference_id for c in found.claims] == ["1"]


def test_a_field_that_never_ends_swallows_nothing() -> None:
    manuscript = read(p("Moss ", mark("begin"), instruction(" TOC "), run("grows.")) + p("It is green."))
    assert manuscript.text == "Moss grows.\n\nIt is green."
    assert any("never end" in note.message for note in manuscript.notes)


def test_a_table_of_contents_and_tables_are_left_out() -> None:
    cell = f"<w:tc>{p('Leaf')}</w:tc><w:tc>{p('4')}</w:tc>"
    manuscript = read(
        p(complex_field(' TOC \\o "1-3" ', "Methods 3"))
        + p("Moss grows.")
        + f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"
        + f"<w:tbl><w:tr><w:tc>{p('A box with prose.')}</w:tc></w:tr></w:tbl>"
    )
    assert manuscript.text == "Moss grows.\n\nA box with prose."
    assert any("1 tables were left out" in note.message for note in manuscript.notes)


def test_notes_follow_their_paragraph_and_a_citing_note_is_a_marker() -> None:
    notes = (
        '<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
        f'<w:footnote w:id="1">{p("Only in wet years.")}</w:footnote>'
        f'<w:footnote w:id="2">{p("See ", complex_field(zotero(MOSS), "Moss, On walls, 2019"), ".")}'
        "</w:footnote>"
    )
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    manuscript = read(
        p("Moss grows", reference.format(1), " on walls.", reference.format(2), " It is green."),
        footnotes=notes,
    )
    assert manuscript.text == "Moss grows on walls.² It is green.\n\nOnly in wet years."
    assert shown(manuscript) == [("²", ("1",))]
    (claim,) = CitationPairer().pair(manuscript).claims
    assert claim.text == "Moss grows on walls."


def test_text_boxes_are_paragraphs_of_their_own_and_read_once() -> None:
    box = f"<w:txbxContent>{p('In a box.')}</w:txbxContent>"
    shape = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{box}</wps:txbx>"
        "</w:drawing>"
        f"</mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert read(p("Moss ", shape, "grows.")).text == "Moss grows.\n\nIn a box."


def test_a_list_in_plain_text_is_found_by_its_heading_with_its_automatic_numbers() -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        '<w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="5">'
        '<w:abstractNumId w:val="0"/></w:num>'
    )
    numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr>'
    manuscript = read(
        p("Introduction", style="Heading1")
        + p("Moss grows on walls", run("2", RAISED), ".")
        + p("References", style="Heading1")
        + p("Moss A. Moss grows on walls. J Moss. 2019;1:1-9.", properties=numbered)
        + p("Fern A. Ferns grow in shade. J Moss. 2020;2:1-9.", properties=numbered),
        numbering=numbering,
    )
    assert [(r.label, r.year) for r in manuscript.references] == [("1", 2019), ("2", 2020)]
    assert not manuscript.stated_markers
    (claim,) = CitationPairer().pair(manuscript).claims
    assert (claim.text, claim.reference_id) == ("Moss grows on walls.", "ref-2")


def test_a_broken_further_part_is_noted() -> None:
    manuscript = read(p("Moss grows."), footnotes="<w:footnote>")
    assert manuscript.text == "Moss grows."
    assert any("footnotes.xml" in note.message for note in manuscript.notes)


@pytest.mark.parametrize("tag", ["w:smartTag", "w:customXml", "w:hyperlink", "w:sdt><w:sdtContent"])
def test_wrappers_are_seen_through(tag: str) -> None:
    closing = "</w:sdtContent></w:sdt>" if "sdt" in tag else f"</{tag}>"
    assert read(p("Moss ", f"<{tag}>{run('grows')}{closing}", ".")).text == "Moss grows."
