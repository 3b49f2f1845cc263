"""JATS articles: prose, cross-references, reference list."""

import gzip
import os
import re
from pathlib import Path

import pytest

from veriscite.domain import Manuscript, MarkerStyle, SkipReason
from veriscite.errors import UnreadableFileError
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader

SHARED = Path(os.environ.get("VERISCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
LIST = "".join(
    f'<ref id="b{n}"><label>{n}.</label><element-citation><person-group person-group-type="author"><name>'
    f"<surname>{name}</surname><given-names>A</given-names></name></person-group><year>{2000 + n}</year>"
    f"<article-title>On {name.lower()}</article-title><source>J Moss</source></element-citation></ref>"
    for n, name in enumerate(("Moss", "Fern", "Reed", "Alga", "Lichen", "Sedge"), 1)
)


def article(body: str, *, references: str = LIST, back: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "x.dtd">'
        '<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front>'
        "<article-meta>"
        '<title-group><article-title>On <italic>moss</italic><xref ref-type="fn">*</xref></article-title>'
        f"</title-group></article-meta></front><body>{body}</body>"
        f"<back>{back}<ref-list><title>References</title>{references}</ref-list></back></article>"
    )


def read(body: str, **parts: str) -> Manuscript:
    source = ManuscriptInput(article(body, **parts).encode(), "paper.xml")
    return DocumentReader(PlainListParser()).read(source)


def x(rid: str, shown: str) -> str:
    return f'<xref ref-type="bibr" rid="{rid}">{shown}</xref>'


def shown(manuscript: Manuscript) -> list[tuple[str, str]]:
    return [(m.span.of(manuscript.text), " ".join(m.keys)) for m in manuscript.stated_markers]


def test_sections_paragraphs_and_title() -> None:
    manuscript = read(
        "<sec><label>1</label><title>Introduction</title><p>Moss\n  <bold>grows</bold>.</p>"
        "<p>It is green.</p>"
        "<sec><title>Why</title><p>Rain.</p></sec></sec><sec><title>Results</title><p>It grew.</p></sec>"
    )
    assert manuscript.format == "jats"
    assert manuscript.title == "On moss"
    assert manuscript.text.startswith("1 Introduction\n\nMoss grows.\n\nIt is green.\n\nWhy\n\nRain.")
    assert [(s.heading, s.level) for s in manuscript.sections] == [
        ("1 Introduction", 1),
        ("Why", 2),
        ("Results", 1),
    ]


@pytest.mark.parametrize(
    ("body", "markers"),
    [
        (f"Moss grows [{x('b3', '3')}–{x('b5', '5')}].", [("[3–5]", "b3 b4 b5")]),
        (f"Moss grows {x('b1', '[1]')}–{x('b3', '[3]')}.", [("[1]–[3]", "b1 b2 b3")]),
        (f"Moss grows [{x('b1', '1')}, {x('b3', '3')}-{x('b5', '5')}].", [("[1, 3-5]", "b1 b3 b4 b5")]),
        (f"Moss grows ({x('b1', '1')} to {x('b3', '3')}).", [("(1 to 3)", "b1 b2 b3")]),
        (f"Moss grows [{x('b2 b4', '2,4')}].", [("[2,4]", "b2 b4")]),
        (f"Moss grows [{x('b2', '2–4')}].", [("[2–4]", "b2 b3 b4")]),
        (f"Moss [{x('b1', '1')}] grows [{x('b2', '2')}].", [("[1]", "b1"), ("[2]", "b2")]),
        (f"Moss (type I, {x('b1', '[1]')}) grows.", [("[1]", "b1")]),
        (f"Moss grows.<sup>{x('b1', '1')},{x('b3', '3')}–{x('b5', '5')}</sup>", [("¹,³–⁵", "b1 b3 b4 b5")]),
        (f"Moss grows.{x('b1', '<sup>1</sup>')}", [("¹", "b1")]),
        (f"Moss grows.{x('b1', '1')} Ferns do.", [("¹", "b1")]),
        (f"It grows ({x('b1', 'A 2001')}; {x('b2', 'Bo, 2002')}).", [("(A 2001; Bo, 2002)", "b1 b2")]),
        (f"It grows (see {x('b1', 'Moss, 2001')} for review).", [("(see Moss, 2001 for review)", "b1")]),
        (f"However, Moss et al. ({x('b1', '2001')}) saw it.", [("Moss et al. (2001)", "b1")]),
        (f"Moss and Fern {x('b1', '(2001)')} saw it.", [("Moss and Fern (2001)", "b1")]),
        (f"It grew (Wu {x('b1', '2001')}; Xi {x('b2', '2002')}).", [("(Wu 2001; Xi 2002)", "b1 b2")]),
        (f"{x('b1', 'Wu (2001)')} or {x('b2', 'Xi (2002)')} so.", [("Wu (2001)", "b1"), ("Xi (2002)", "b2")]),
        (f"It grows ({x('b1', 'Moss, 2001')}, {x('b2', 'b')}).", [("(Moss, 2001, b)", "b1 b2")]),
    ],
)  # fmt: skip
def test_cross_references_become_markers(body: str, markers: list[tuple[str, str]]) -> None:
    manuscript = read(f"<p>{body}</p>")
    assert shown(manuscript) == markers
    assert not CitationPairer().pair(manuscript).skipped


def test_styles_and_what_is_a_part_of_its_sentence() -> None:
    manuscript = read(
        f"<p>Moss ({x('b1', '2001')}) saw it [{x('b2', '2')}] grow<sup>{x('b3', '3')}</sup> "
        f"({x('b4', 'Alga, 2004')}).</p>"
    )
    assert [(m.style, m.narrative) for m in manuscript.stated_markers] == [
        (MarkerStyle.AUTHOR_YEAR, True),
        (MarkerStyle.NUMERIC, False),
        (MarkerStyle.SUPERSCRIPT, False),
        (MarkerStyle.AUTHOR_YEAR, False),
    ]


def test_a_number_that_is_a_word_of_its_sentence_gives_way_to_a_name() -> None:
    (claim,) = CitationPairer().pair(read(f"<p>As shown in [{x('b1', '1')}], moss grows.</p>")).claims
    assert claim.text == "As shown in Moss, moss grows."


def test_floats_are_no_part_of_the_sentence_around() -> None:
    figure = (
        f"<fig><label>Figure 1</label><caption><title>Moss.</title><p>After [{x('b2', '2')}].</p></caption>"
        "<graphic xlink:href='x'/></fig>"
    )
    table = f"<table-wrap><table><tr><td>{x('b3', '3')}</td></tr></table></table-wrap>"
    manuscript = read(
        f"<p>Moss {figure}grows<xref ref-type='fn' rid='n1'><sup>a</sup></xref> "
        f"<disp-formula><tex-math>x</tex-math></disp-formula>well{table} [{x('b1', '1')}].</p>"
    )
    assert manuscript.text == "Moss grows well [1].\n\nFigure 1. Moss. After [2]."
    assert shown(manuscript) == [("[1]", "b1"), ("[2]", "b2")]
    assert any("1 citations stand in tables" in note.message for note in manuscript.notes)


def test_back_matter_is_read_only_where_it_may_claim() -> None:
    back = (
        "<ack><p>We thank all.</p></ack><app-group><app><title>Appendix</title>"
        f"<p>Moss grows [{x('b1', '1')}].</p></app></app-group><fn-group><fn><p>No conflict.</p></fn>"
        "</fn-group>"
    )
    manuscript = read("<p>Text.</p>", back=back)
    assert manuscript.text == "Text.\n\nAppendix\n\nMoss grows [1]."


def test_numbers_and_marks_that_are_raised() -> None:
    manuscript = read("<p>10<sup>−5</sup> of H<sub>2</sub>O, the 2<sup>nd</sup> <sup>14</sup>C.</p>")
    assert manuscript.text == "10⁻⁵ of H2O, the 2nd ¹⁴C."


def test_references_from_tags_and_from_words() -> None:
    references = (
        '<ref id="a"><label>[1]</label><mixed-citation id="a1"><string-name><surname>Moss</surname>'
        "<given-names>A</given-names></string-name>, <collab>Fern Group</collab>. <year>2001a</year>. "
        "<article-title>On <italic>moss</italic>"
        "</article-title>. <source>J Moss</source> <volume>1</volume>, "
        '<pub-id pub-id-type="doi">10.1000/ABC</pub-id> <pub-id pub-id-type="pmid">0123</pub-id>'
        "</mixed-citation></ref>"
        '<ref id="b"><mixed-citation>Reed B. On reeds. J Moss. 2002;1:1-9.</mixed-citation></ref>'
        '<ref id="c"><element-citation publication-type="book"><name><surname>Alga</surname></name>'
        "<year>2003</year><source>The book of algae</source><publisher-name>Press</publisher-name>"
        "</element-citation></ref>"
        '<ref id="a"><mixed-citation>Again.</mixed-citation></ref><ref id="d"/>'
    )
    manuscript = read(f"<p>It grows {x('a1', '[1]')}.</p>", references=references)
    first, second, third = manuscript.references
    assert first.id == "a"
    assert (first.label, first.title, first.year, first.year_suffix) == ("1", "On moss", 2001, "a")
    assert [(a.family, a.given, a.corporate) for a in first.authors] == [
        ("Moss", "A", False),
        ("Fern Group", None, True),
    ]
    assert (first.venue, first.identifiers.doi, first.identifiers.pmid) == ("J Moss", "10.1000/abc", "123")
    assert first.raw.startswith("Moss A, Fern Group. 2001a. On moss. J Moss 1")
    assert (second.title, second.year, second.authors[0].family) == ("On reeds", 2002, "Reed")
    assert (third.title, third.venue) == ("The book of algae", "Press")
    assert shown(manuscript) == [("[1]", "a")]
    messages = " ".join(note.message for note in manuscript.notes)
    assert "occurs again" in messages
    assert "empty" in messages
    assert all(note.line for note in manuscript.notes)


def test_an_unknown_entry_is_reported() -> None:
    found = CitationPairer().pair(read(f"<p>Moss grows [{x('lost', '9')}].</p>"))
    assert [(s.part, s.reason) for s in found.skipped] == [("lost", SkipReason.NO_ENTRY)]


def test_namespaces_entities_and_wrappers() -> None:
    text = (
        '<records><j:article xmlns:j="urn:jats"><j:front/><j:body><j:p>Moss&nbsp;grows &alpha; &unknown; '
        '[<j:xref ref-type="bibr" rid="b1">1</j:xref>].</j:p></j:body><j:back><j:ref-list><j:ref id="b1">'
        "<j:mixed-citation>Moss A. On moss. J Moss. 2001;1:1-9.</j:mixed-citation></j:ref></j:ref-list>"
        "</j:back>"
        "</j:article></records>"
    )
    manuscript = DocumentReader(PlainListParser()).read(ManuscriptInput(text.encode(), "x"))
    assert manuscript.text == "Moss grows α &unknown; [1]."
    assert shown(manuscript) == [("[1]", "b1")]
    assert any("&unknown;" in note.message for note in manuscript.notes)


def test_another_encoding_is_read_as_declared() -> None:
    text = article("<p>Müller sah Moos.</p>").replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert DocumentReader(PlainListParser()).read(ManuscriptInput(text, "x")).text == "Müller sah Moos."


def test_broken_xml_says_where() -> None:
    text = article("<p>Moss grows.\n</sec>")
    with pytest.raises(UnreadableFileError, match=r"not well-formed.*line 2"):
        DocumentReader(PlainListParser()).read(ManuscriptInput(text.encode(), "paper.xml"))


@pytest.mark.skipif(not (SHARED / "data" / "papers").is_dir(), reason="needs the shared data")
@pytest.mark.parametrize(
    ("name", "references", "links", "cited"),
    [("plos_pone.0052690.xml", 51, 92, 51), ("elife06003.xml", 32, 43, 32)],
)
def test_real_articles(name: str, references: int, links: int, cited: int) -> None:
    content = (SHARED / "data" / "papers" / name).read_bytes()
    manuscript = DocumentReader(PlainListParser()).read(ManuscriptInput(content, name))
    assert len(manuscript.references) == references
    assert sum(len(m.keys) for m in manuscript.stated_markers) == links
    keys = {key for m in manuscript.stated_markers for key in m.keys}
    assert len(keys) == cited
    assert keys <= {r.id for r in manuscript.references}
    assert not CitationPairer().pair(manuscript).skipped


@pytest.mark.skipif(not (SHARED / "data" / "linking" / "jats").is_dir(), reason="needs the shared data")
def test_every_cross_reference_of_real_articles_is_tied_to_an_entry() -> None:
    files = sorted((SHARED / "data" / "linking" / "jats").glob("*.nxml.gz"))[::14]
    assert files
    for path in files:
        content = gzip.decompress(path.read_bytes())
        manuscript = DocumentReader(PlainListParser()).read(ManuscriptInput(content, path.name))
        ids = {reference.id for reference in manuscript.references}
        keys = [key for marker in manuscript.stated_markers for key in marker.keys]
        assert set(keys) <= ids, path.name
        body = re.search(rb"<body.*</body>", content, re.DOTALL)
        assert body is not None
        prose = re.sub(rb"<table-wrap[\s>].*?</table-wrap>", b"", body.group(), flags=re.DOTALL)
        assert len(keys) >= len(re.findall(rb"<xref[^>]*\bbibr\b", prose)), path.name
