"""The benchmark's own flattening and scoring, on small inputs of our own."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as etree

import pytest

from tests.benchmarks.linking import contexts, refstrings, splitting
from tests.benchmarks.linking.__main__ import headline, main, total
from tests.benchmarks.linking.flatten import Flat, Link, flatten
from tests.benchmarks.linking.jats import match_links, score
from tests.benchmarks.linking.pdf import _Work, moved_links
from tests.benchmarks.linking.printing import print_reference
from tests.benchmarks.linking.reading import FoundLink, printed_entries, read
from tests.benchmarks.linking.scoring import Count, Item, Names, count_multisets, half_of, plain


def _article(body: str, refs: str) -> etree.Element:
    return etree.fromstring(
        "<article><front><article-meta><title-group><article-title>Bees at  night</article-title>"
        f"</title-group></article-meta></front><body>{body}</body><back><ref-list>{refs}</ref-list></back></article>"
    )


def _xref(number: int, printed: str | None = None) -> str:
    return f'<xref ref-type="bibr" rid="r{number}">{printed or number}</xref>'


_NAMES = ("Adams", "Baker", "Clark", "Davis", "Evans")
_REFS = "".join(
    f'<ref id="r{n}"><label>{n}</label><element-citation><person-group person-group-type="author"><name>'
    f"<surname>{name}</surname><given-names>Jo Ann</given-names></name></person-group><article-title>Study of"
    f" {name} bees</article-title><source>Apidologie</source><year>200{n}</year><volume>{n}</volume>"
    f"<fpage>1</fpage><lpage>9</lpage></element-citation></ref>"
    for n, name in enumerate(_NAMES, start=1)
)


def _told(flat: Flat) -> list[tuple[str, int]]:
    return [(flat.text[link.start : link.end], link.entry + 1) for link in flat.links]


def test_flattening_keeps_what_is_printed_and_expands_ranges() -> None:
    body = (
        "<sec><title>Results</title><p>Bees\n sleep [" + _xref(1) + "]. They nap ["
        + _xref(2) + "–" + _xref(4)
        + "], see <xref ref-type='fig' rid='f1'>Figure 1</xref>.</p><fig id='f1'><caption><p>Not pasted ["
        + _xref(5) + "].</p></caption></fig><p>And [" + _xref(3, "3-5") + "].</p></sec>"
    )  # fmt: skip
    flat = flatten(_article(body, _REFS), "x")
    assert flat.text == (
        "Bees at night\n\nResults\n\nBees sleep [1]. They nap [2–4], see Figure 1.\n\nAnd [3-5]."
    )
    assert _told(flat) == [("1", 1), ("2", 2), ("4", 4), ("2–4", 3), ("3-5", 3), ("3-5", 4), ("3-5", 5)]
    assert flat.style == "numeric"


def test_author_year_dashes_are_no_ranges() -> None:
    body = f"<p>Bees ({_xref(1, 'Adams, 2001')}–{_xref(3, 'Clark, 2003')}).</p>"
    flat = flatten(_article(body, _REFS), "x")
    assert flat.style == "author-year"
    assert _told(flat) == [("Adams, 2001", 1), ("Clark, 2003", 3)]


def test_superscripts_are_plain_digits_or_unicode_by_name() -> None:
    article = _article(f"<p>Bees sleep.<sup>{_xref(1)},{_xref(2)}</sup></p>", _REFS)
    texts = {flatten(article, f"name {n}").text.splitlines()[-1] for n in range(20)}
    assert texts == {"Bees sleep.1,2", "Bees sleep.¹,²"}
    assert flatten(article, "x").style == "superscript"


@pytest.mark.parametrize(
    ("numeric", "style", "printed"),
    [
        (True, True, "2. Baker JA. Study of Baker bees. Apidologie. 2002;2:1–9."),
        (True, False, "2. J. A. Baker, “Study of Baker bees,” Apidologie, vol. 2, pp. 1–9, 2002."),
        (False, True, "Baker, J. A. (2002). Study of Baker bees. Apidologie, 2, 1–9."),
        (False, False, "Baker JA. 2002. Study of Baker bees. Apidologie 2:1–9."),
    ],
)
def test_fields_are_printed_in_four_ways(numeric: bool, style: bool, printed: str) -> None:
    ref = _article("", _REFS).findall(".//ref")[1]
    assert print_reference(ref, numeric=numeric, number="2" if numeric else None, style=style) == printed


def test_what_has_punctuation_is_printed_as_it_stands_and_abutting_names_are_parted() -> None:
    name = "<name><surname>{}</surname><given-names>{}</given-names></name>"
    ref = etree.fromstring(
        f"<ref id='a'><mixed-citation>{name.format('Adams', 'J.')}{name.format('Baker', 'K.')} "
        "(<year>2001</year>). <article-title>On <italic>Apis</italic></article-title>. "
        "<source>Bee</source>.</mixed-citation></ref>"
    )
    printed = print_reference(ref, numeric=False, number=None, style=True)
    assert printed == "Adams J., Baker K. (2001). On Apis. Bee."


def test_an_article_is_linked_and_scored_as_a_whole() -> None:
    flat = flatten(_article(f"<p>Bees sleep at night [{_xref(1)},{_xref(3)}].</p>", _REFS), "x")
    item = score("x", "jats", flat)
    assert item.counts["links"] == Count(right=2, found=2, wanted=2)
    worse = Flat(
        flat.text,
        flat.references,
        flat.entries,
        (Link(flat.links[0].start, flat.links[0].end, 4),),
        "numeric",
        "",
    )
    assert score("x", "jats", worse).counts["links"] == Count(right=0, found=2, wanted=1)


def test_links_match_by_overlap_and_entry_one_to_one() -> None:
    wanted = [Link(10, 12, 0), Link(14, 16, 0), Link(10, 16, 1)]
    found = [FoundLink(9, 17, 0), FoundLink(9, 17, 1), FoundLink(30, 33, 0)]
    missed, excess = match_links(wanted, found)
    assert missed == [Link(14, 16, 0)]
    assert excess == [FoundLink(30, 33, 0)]


def test_a_reference_is_the_printed_entry_that_it_shares_most_with() -> None:
    entries = ("Adams JA. Study of bees. Apidologie. 2001;1:1-9.", "Baker B. Naps. Bee World. 2002;2:10-12.")
    manuscript, _ = read(b"Bees [1].", "pasted.txt", "\n".join(entries))
    assert printed_entries(manuscript, entries) == {"ref-1": 0, "ref-2": 1}
    merged, _ = read(b"Bees [1].", "pasted.txt", "1. " + " ".join(entries))
    assert printed_entries(merged, ("1. " + entries[0], entries[1])) == {"ref-1": 0}


def test_links_move_to_where_the_words_stand_in_another_text() -> None:
    flat = Flat("Bees sleep well at night [12]. Birds do too.", "", (), (Link(26, 28, 11),), "numeric", "")
    text = "Header 3\nBees sleep\nwell at night\n[12]. Birds do too."
    (moved,) = moved_links(flat, text)
    assert text[moved.start : moved.end] == "12"
    changed = text.replace("[12]", "[x]")
    (moved,) = moved_links(flat, changed)
    assert "x" in changed[moved.start : moved.end]
    assert "night" not in changed[moved.start : moved.end]


@pytest.mark.parametrize(
    ("authors", "families"),
    [
        ("Romero, C., Paunesku, D., & Dweck, C.", {"romero"}),
        ("Pérez-Higueras JJ, Arias A.", {"perezhigueras"}),
        ("C. Romero and D. Paunesku", {"romero"}),
        ("Phillip B. Gibbons and Steven S. Muchnick.", {"gibbons"}),
        ("S. L. Peyton Jones & P. L. Wadler", {"peytonjones", "jones"}),
        ("Jonathan Bolton,", {"jonathanbolton", "bolton", "jonathan"}),
        ("BOLTON, Jonathan,", {"bolton"}),
        ("Smith et al.", {"smith"}),
        ("", set()),
    ],
)
def test_the_first_authors_family_name(authors: str, families: set[str]) -> None:
    assert refstrings.families(authors) == families


def test_fields_count_only_where_tagged() -> None:
    gold = refstrings.Gold(
        "Romero C. Bees sleep. Apidologie. 2011;1:1-2.", "Bees  sleep!", "Romero C.", ("2012",)
    )
    item = refstrings.score("x", "corpus", gold)
    assert {name: c.right for name, c in item.counts.items()} == {"title": 1, "first_author": 1, "year": 0}


def test_grobid_strings_are_read_with_and_without_a_namespace() -> None:
    bibl = (
        '<bibl><author>Romero, C.</author> (<date>2011</date>). <title level="a">Bees<lb/>sleep</title>. '
        '<title level="j">Apis</title>. <idno type="DOI">10.1234/ab</idno></bibl><bibl><title level="j">Apis'
        "</title> <date>2012</date></bibl>"
    )
    expected = refstrings.Gold(
        "Romero, C. (2011). Bees sleep. Apis. 10.1234/ab", "Bees sleep", "Romero, C.", ("2011",), "10.1234/ab"
    )
    for root in ("<citations>{}</citations>", '<TEI xmlns="http://www.tei-c.org/ns/1.0">{}</TEI>'):
        assert list(refstrings.read_grobid(root.format(bibl).encode(), "x")) == [expected]
    assert list(refstrings.read_grobid(b"<tei><bibl>cut off", "x")) == []


def test_lists_are_read_with_labels_and_line_ends() -> None:
    xml = (
        b"<tei><text><listBibl>References<lb/>\n <bibl><label>[1]</label> A. Adams, Bee<lb/>\n World 1 (2001)"
        b" 2; </bibl>"
        b"<bibl>B. Baker, Bee World 2 (2002) 3.<lb/></bibl> <bibl><label>[2]</label> C. Clark, Apis 3 (2003)"
        b" 4.<lb/></bibl></listBibl></text></tei>"
    )
    text, entries, labelled = splitting.read_list(etree.fromstring(xml))
    assert labelled
    assert [plain(e) for e in entries] == ["aadamsbeeworld120012bbakerbeeworld220023", "cclarkapis320034"]
    assert text.count("\n") == 3
    assert "References" not in text
    assert splitting.score("x", text, entries, labelled).counts["entries"] == Count(2, 2, 2)


def test_labels_of_letters_are_no_part_of_an_entry() -> None:
    bibl = "<bibl><label>[{}]</label> {} A. Bees sleep, Bee World {} (200{}) 2.<lb/></bibl>"
    people = [("AH", "Adams", 1), ("BK", "Baker", 2), ("Cl", "Clark", 3)]
    listed = "".join(bibl.format(label, name, n, n) for label, name, n in people)
    read_in = splitting.read_list(etree.fromstring(f"<listBibl>{listed}</listBibl>"))
    assert splitting.score("x", *read_in).counts["entries"] == Count(3, 3, 3)


def test_contexts_say_which_sentences_are_taken_in() -> None:
    sentences = [
        "The model was built by others.",
        "It predicts sleep [<CITATION_MARKER>14</CITATION_MARKER>].",
        "Bees nap [3].",
    ]
    assert 1 in contexts.taken_in(sentences)
    assert 2 not in contexts.taken_in(sentences)
    item = contexts.score("x", {"sentences": sentences, "labels": [1, 1, 0]})
    assert item.counts["baseline"] == Count(right=1, found=1, wanted=2)


def test_counts_and_figures() -> None:
    assert count_multisets("aab", "abbc") == Count(right=2, found=4, wanted=3)
    assert Count(2, 4, 3).f1 == pytest.approx(4 / 7)
    assert Count().f1 is None
    assert plain("  Pérez–Ø'Neil, J.") == "perezoneilj"
    names = [f"n{i}" for i in range(40)]
    assert {half_of(n) for n in names} == {"open", "held"}
    held = Names(("held",), 3)(names, key=str)
    assert len(held) == 3
    assert {half_of(n) for n in held} == {"held"}
    opened = next(n for n in names if half_of(n) == "open")
    items = [
        Item(held[0], ("all",), {"entries": Count(1, 2, 2)}),
        Item(opened, ("all",), {"entries": Count(9, 9, 9)}),
    ]
    assert headline("splitting", total(items)) == {"splitting_f1": 0.5, "splitting_f1_n": 2}


def test_without_shared_data_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VERISCITE_SHARED", str(tmp_path))
    assert main(["--part", "jats"]) == 0
    out = capsys.readouterr().out
    assert "No shared data" in out
    (tmp_path / "data").mkdir()
    assert main(["--part", "jats", "pdf"]) == 0
    out = capsys.readouterr().out
    assert "pdf: not measured, there is no linking/pdf-jats" in out
    assert json.loads(out.splitlines()[-1]) == {}


@pytest.mark.parametrize(("label", "raw"), [("3a", "[3] a) A. Bee"), ("3b", "b )A. Bee"), ("3", "3. A. Bee")])
def test_labels_of_parts_are_taken_off_as_printed(label: str, raw: str) -> None:
    assert splitting._without(label, raw) == "A. Bee"


def test_a_deposited_work_counts_when_the_pdf_prints_it() -> None:
    printed = "[1]j.adams.theflightofhoneybeesatnight.apidologie,2001.doi:10.1000/x1."
    assert _Work("10.1000/x1", "", "").can_be_told(printed)
    assert not _Work("10.1000/x2", "", "").can_be_told(printed)
    assert _Work("10.1000/x2", "The flights of honeybees at night", "").can_be_told(printed)
    assert not _Work(None, "A very different work on moths", "").can_be_told(printed)
    assert _Work(None, "", "Adams, The flight of honeybees, Apidologie, night 2001").can_be_told(printed)
    assert not _Work(None, "", "Moths, wasps, and other insects of the garden").can_be_told(printed)
