"""Word's own citations: `CITATION` fields and the sources that the document keeps for them."""

import pytest

from tests.reading.docx_builder import complex_field, docx, p, shown, simple_field, source
from veriscite.domain import Manuscript
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader
from veriscite.reading.docx.sources import cited_tags

SOURCES = (
    source("Mos20", "Moss", 2020, "On walls")
    + source("Fer19", "Fern", 2019, "On shade")
    + "<b:Source><b:Tag>WHO21</b:Tag><b:Author><b:Author><b:Corporate>World Moss Org</b:Corporate></b:Author>"
    "</b:Author><b:Title>Moss report</b:Title><b:Year>2021</b:Year><b:URL>https://doi.org/10.1000/w.1</b:URL>"
    "</b:Source><b:Source><b:Tag>Empty</b:Tag></b:Source><b:Source><b:Title>No tag</b:Title></b:Source>"
)


def read(body: str, sources: str = SOURCES) -> Manuscript:
    return DocumentReader(PlainListParser()).read(ManuscriptInput(docx(body, sources=sources), "paper.docx"))


def test_citations_are_tied_to_their_sources() -> None:
    manuscript = read(
        p("Moss grows ", simple_field(" CITATION Mos20 \\l 1033 ", "(Moss, 2020)"), ".")
        + p("Ferns too ", complex_field(" CITATION fer19 \\p 3-5 \\m WHO21 \\n \\l 1031", "(Fern 2019, S. 3-5; WMO)"), ".")  # noqa: E501
        + p(complex_field(" BIBLIOGRAPHY ", "Fern, A. (2019). On shade."))
    )  # fmt: skip
    assert shown(manuscript) == [
        ("(Moss, 2020)", ("Mos20",)),
        ("(Fern 2019, S. 3-5; WMO)", ("fer19", "WHO21")),
    ]
    moss, fern, who = manuscript.references
    assert (moss.title, moss.year, moss.venue, moss.authors[0].family) == ("On walls", 2020, "J Moss", "Moss")
    assert moss.raw == "Moss Ann (2020). On walls. J Moss 3. 1-9"
    assert (fern.id, fern.title) == ("fer19", "On shade")
    assert (who.authors[0].corporate, who.identifiers.doi) == (True, "10.1000/w.1")
    assert [span.of(manuscript.text) for span in manuscript.excluded] == ["Fern, A. (2019). On shade."]
    pairing = CitationPairer().pair(manuscript)
    assert [claim.reference_id for claim in pairing.claims] == ["Mos20", "fer19", "WHO21"]


def test_numbers_that_word_prints() -> None:
    body = p("Moss ", simple_field(" CITATION Mos20 ", "[1]"), simple_field(" CITATION Fer19 ", ", [2]"), ".")
    assert shown(read(body)) == [("[1], [2]", ("Mos20", "Fer19"))]


def test_a_source_that_is_gone_is_told() -> None:
    body = p(
        "Moss ", simple_field("CITATION Mos20", "(Moss)"), " and ", simple_field("CITATION Gone", "(X)"), "."
    )
    manuscript = read(body)
    assert [reference.id for reference in manuscript.references] == ["Mos20"]
    assert any("not kept in the document" in note.message for note in manuscript.notes)


def test_without_sources_the_text_stands_for_itself() -> None:
    body = (
        p("Moss ", simple_field("CITATION Mos20", "[1]"), ".")
        + p("References")
        + p("1. Moss A. On walls. 2020.")
    )
    manuscript = read(body, sources="")
    assert manuscript.stated_markers == ()
    assert len(manuscript.references) == 1


def test_broken_sources_are_left_out_with_a_note() -> None:
    manuscript = read(p("Moss ", simple_field("CITATION Mos20", "[1]"), "."), sources="<b:Source>")
    assert manuscript.stated_markers == ()
    assert any("customXml/item1.xml" in note.message for note in manuscript.notes)


@pytest.mark.parametrize(
    ("instruction", "tags"),
    [
        (" CITATION Mos20 \\l 1033 ", ("Mos20",)),
        ("CITATION  Mos20", ("Mos20",)),
        (' citation "Mos 20" \\s "Fern 19" \\m Ivy \\m Ivy', ("Mos 20", "Ivy")),
        (" CITATION Mos20 \\y \\t \\f see \\p \"3 4\" \\m Fer19 \\v 2", ("Mos20", "Fer19")),
        ("CITATION \\l 1033", ()),
        ("CITATIONS Mos20", ()),
        ("REF Mos20", ()),
    ],
)  # fmt: skip
def test_what_a_field_cites(instruction: str, tags: tuple[str, ...]) -> None:
    assert cited_tags(instruction) == tags
