"""Hostile and mutilated files: an error that says so, or a text whose spans hold; never anything else."""

import contextlib
import io
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.docx_builder import complex_field, docx, item, mark, p, part, zotero
from tests.reading.test_endnote import LIST as ENDNOTE
from tests.reading.test_jats import article, x
from tests.reading.zip_builder import packed
from veriscite.domain import Manuscript
from veriscite.errors import InputError, TooLargeError, UnreadableFileError
from veriscite.linking import PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader
from veriscite.reading.bibliography import read_references

JATS = article(
    f"<sec><title>One</title><p>Moss [{x('b1', '1')}–{x('b3', '3')}] and Fern et al. ({x('b2', '2002')}) "
    f"<fig><caption><p>See.<sup>{x('b4', '4')}</sup></p></caption></fig></p></sec>"
)
BODY = (
    p("Introduction", style="Heading1")
    + p("Moss ", complex_field(zotero(item(1, "Moss", 2019, "Moss")), "(2019)"), " and ", mark("begin"))
    + p(complex_field(zotero(item(2, "Fern", 2020, "Ferns")), "[2]"), mark("end"))
)


def read(content: bytes, name: str = "paper") -> Manuscript:
    return DocumentReader(PlainListParser()).read(ManuscriptInput(content, name))


def check(manuscript: Manuscript) -> None:
    at = 0
    for marker in manuscript.stated_markers:
        assert at <= marker.span.start < marker.span.end <= len(manuscript.text)
        at = marker.span.end
    for span in (*manuscript.excluded, *(s.span for s in manuscript.sections)):
        assert 0 <= span.start <= span.end <= len(manuscript.text)
    assert len({r.id for r in manuscript.references}) == len(manuscript.references)


PIECES = st.sampled_from(
    ["<", ">", "</p>", "<p>", "&x;", "&#0;", "<xref rid='b1 b2'>", "</xref>", "(", "[", "–", "2019", "\x00",
     "\ud7ff", "<!--", "<sup>", "</w:p>", "<w:del>", '<w:fldChar w:fldCharType="end"/>', "w:instrText", "]]>",
     "Smith et al. "]
)  # fmt: skip
CITATIONS = [
    x("b1", "1"), x("b3", "3"), x("b2", "Fern (2002"), x("b4 b9", "2001"), x("", "5"), "[", "]", "(", ")",
    "–", ", ", "; ", " and ", "Moss et al. ", ".", "<sup>1</sup>", "\n", "</p><p>", "<fn><p>Note.</p></fn>",
    "word ",
]  # fmt: skip
CUTS = st.lists(
    st.tuples(st.integers(0, 5_000), st.integers(0, 60), st.one_of(st.just(""), PIECES)), max_size=4
)


def mutated(text: str, cuts: list[tuple[int, int, str]]) -> str:
    for start, length, piece in cuts:
        start %= len(text) + 1
        text = text[:start] + piece + text[start + length :]
    return text


@settings(max_examples=150, deadline=None)
@given(CUTS)
def test_mutilated_jats(cuts: list[tuple[int, int, str]]) -> None:
    with contextlib.suppress(InputError):
        check(read(mutated(JATS, cuts).encode("utf-8", "replace")))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(CITATIONS), max_size=25))
def test_any_order_of_citations(parts: list[str]) -> None:
    with contextlib.suppress(InputError):
        check(read(article(f"<p>{''.join(parts)}</p>").encode()))


@settings(max_examples=100, deadline=None)
@given(CUTS)
def test_mutilated_word_parts(cuts: list[tuple[int, int, str]]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        xml = mutated(part("document", f"<w:body>{BODY}</w:body>"), cuts)
        archive.writestr("word/document.xml", xml.encode("utf-8", "replace"))
    with contextlib.suppress(InputError):
        check(read(buffer.getvalue()))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 255)), max_size=6), st.integers(0, 5_000))
def test_mutilated_archives(changes: list[tuple[int, int]], end: int) -> None:
    content = bytearray(docx(BODY))
    for position, byte in changes:
        content[position % len(content)] = byte
    for archive in (bytes(content), bytes(content[:end])):
        with contextlib.suppress(InputError):
            check(read(archive, "paper.docx"))


@settings(max_examples=100, deadline=None)
@given(CUTS)
def test_mutilated_endnote(cuts: list[tuple[int, int, str]]) -> None:
    with contextlib.suppress(InputError):
        read_references(mutated(ENDNOTE, cuts).encode("utf-8", "replace"), "list.xml", PlainListParser())


def test_external_entities_are_not_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("x") / "secret"
    secret.write_text("the secret")
    address = secret.as_uri()
    declared = f'<!DOCTYPE article [<!ENTITY e SYSTEM "{address}"><!ENTITY % p SYSTEM "{address}"> %p;]>'
    text = declared + '<article article-type="x"><body><p>Moss &e; grows.</p></body></article>'
    manuscript = read(text.encode())
    assert manuscript.text == "Moss &e; grows."


def test_entities_do_not_grow() -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    text = (
        f'<!DOCTYPE article [<!ENTITY l0 "lol">{entities}]><article article-type="x">'
        '<body><p a="&l11;">&l11;</p></body></article>'
    )
    start = time.process_time()
    assert read(text.encode()).text == "&l11;"
    assert time.process_time() - start < 5


def test_deep_nesting_is_refused() -> None:
    text = article("<p>" + "<bold>" * 5_000 + "x" + "</bold>" * 5_000 + "</p>")
    with pytest.raises(TooLargeError, match="deeper"):
        read(text.encode())
    deep = "<w:ins>" * 5_000 + "</w:ins>" * 5_000
    with pytest.raises(TooLargeError, match="deeper"):
        read(docx(deep))


def test_text_cut_up_by_comments_costs_no_more() -> None:
    text = article("<p>" + "<!---->a" * 200_000 + "</p>")
    start = time.process_time()
    assert len(read(text.encode()).text) == 200_000
    assert time.process_time() - start < 20


def test_a_zip_bomb_is_refused() -> None:
    bomb = b"<w:document>" + b" " * 150_000_000
    with pytest.raises(TooLargeError, match="unpacks"):
        read(packed({"word/document.xml": bomb}))
    with pytest.raises(TooLargeError, match="files"):
        read(packed({"word/document.xml": b"x", **{f"word/{n}": b"" for n in range(5_001)}}))


def test_names_that_climb_lead_nowhere() -> None:
    relations = (
        b'<Relationships><Relationship Type="x/officeDocument" Target="../../etc/passwd"/></Relationships>'
    )
    content = packed(
        {
            "_rels/.rels": relations,
            "../../etc/passwd": b"secret",
            "word/../../x": b"y",
            "word/document.xml": b"<a/>",
        }
    )
    with pytest.raises(InputError) as caught:
        read(content)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("size", [30, 300, -30])
def test_a_truncated_archive_says_so(size: int) -> None:
    with pytest.raises(InputError):
        read(docx(BODY)[:size], "paper.docx")


def test_a_word_document_is_no_reference_list() -> None:
    with pytest.raises(UnreadableFileError, match="Word document"):
        read_references(docx(BODY), "list.docx", PlainListParser())
