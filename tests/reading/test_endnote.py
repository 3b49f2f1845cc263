"""EndNote XML as a reference list."""

import pytest

from veriscite.errors import TooLargeError, UnreadableFileError
from veriscite.linking import PlainListParser
from veriscite.reading.bibliography import read_references
from veriscite.reading.formats import TextKind, manuscript_kind, reference_list_kind

STYLE = '<style face="normal" font="default" size="100%">{}</style>'
LIST = (
    '<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><database name="L.enl">L.enl</database>'
    '<rec-number>7</rec-number><ref-type name="Journal Article">17</ref-type><contributors><authors>'
    f"<author>{STYLE.format('Moss, Anna')}</author>"
    f"<author>{STYLE.format('World Moss Organisation,')}</author>"
    f"</authors></contributors><titles><title>{STYLE.format('Moss on walls')}</title><secondary-title>J Moss"
    "</secondary-title></titles><pages>1-9</pages><volume>3</volume><dates><year>2019</year></dates>"
    "<accession-num>0123456</accession-num><abstract>Moss &amp; walls.</abstract><electronic-resource-num>"
    "10.1000/ABC</electronic-resource-num><urls><related-urls><url>https://moss.example/1</url>"
    "</related-urls>"
    "</urls><remote-database-name>Medline</remote-database-name></record>\n"
    "<record><titles><title>Second</title></titles></record>\n"
    "<record><rec-number>7</rec-number><titles><title>Again</title></titles></record>\n"
    "<record><rec-number>9</rec-number></record></records></xml>"
)


def test_records_become_references() -> None:
    parsed = read_references(LIST.encode(), "list.xml", PlainListParser())
    first, second = parsed.references
    assert (first.id, first.title, first.year, first.venue) == ("7", "Moss on walls", 2019, "J Moss")
    assert [(a.family, a.given, a.corporate) for a in first.authors] == [
        ("Moss", "Anna", False),
        ("World Moss Organisation", None, True),
    ]
    assert (first.identifiers.doi, first.identifiers.pmid) == ("10.1000/abc", "123456")
    assert (first.url, first.abstract) == ("https://moss.example/1", "Moss & walls.")
    assert first.raw.startswith("Moss Anna, World Moss Organisation (2019). Moss on walls. J Moss 3. 1-9")
    assert (second.id, second.title) == ("ref-2", "Second")
    assert [(note.line, "occurs again" in note.message) for note in parsed.notes] == [(3, True), (4, False)]


def test_it_is_told_by_its_content() -> None:
    assert reference_list_kind(LIST, "x") is TextKind.ENDNOTE_XML
    with pytest.raises(UnreadableFileError, match="reference list"):
        manuscript_kind(LIST, "x")


def test_limits_and_broken_files() -> None:
    with pytest.raises(TooLargeError):
        read_references(LIST.encode(), "list.xml", PlainListParser(), max_references=2)
    with pytest.raises(UnreadableFileError, match="line 1"):
        read_references(LIST[:400].encode(), "list.xml", PlainListParser())
