"""Markdown that cites by identifier needs no list."""

import pytest

from veriscite.domain import Manuscript
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading.reader import DocumentReader


def _read(text: str, references: str | None = None) -> Manuscript:
    apart = references.encode() if references else None
    return DocumentReader(PlainListParser()).read(ManuscriptInput(text.encode(), "a.md", apart, "a.bib"))


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("doi:10.1234/abc.2019(4)77", "doi", "10.1234/abc.2019(4)77"),
        ("pmid:12345678", "pmid", "12345678"),
        ("arxiv:1502.01234v1", "arxiv", "1502.01234"),
        ("pmcid:PMC123456", "pmcid", "PMC123456"),
    ],
)
def test_a_key_that_is_an_identifier_is_an_entry(key: str, field: str, value: str) -> None:
    manuscript = _read(f"# Naps\n\nBees sleep at night [@{key}]. They nap (see @{key}). Again @{key}.")
    (reference,) = manuscript.references
    assert (reference.id, reference.raw) == (key, key)
    assert getattr(reference.identifiers, field) == value
    pairing = CitationPairer().pair(manuscript)
    assert [m.reference_ids for m in pairing.markers] == [(key,)] * 3


def test_an_address_is_kept_as_the_entrys_address() -> None:
    (reference,) = _read("# Naps\n\nBees sleep [@url:https://example.org/a/b?c=1].").references
    assert reference.url == "https://example.org/a/b?c=1"


def test_code_mail_and_other_keys_make_no_entries() -> None:
    text = "# Naps\n\nWrite `[@doi:10.1/x]` to a@doi:10.1/y, or cite [@smith2020] and [@tag:mine]."
    assert _read(text).references == ()


def test_a_list_keeps_its_own_entries_and_keys() -> None:
    bib = "@article{doi:10.1000/x, title={Bees}, author={Ode, A.}, year={2001}}"
    manuscript = _read("# Naps\n\nBees sleep [@doi:10.1000/x; @doi:10.1000/y].", bib)
    assert [r.id for r in manuscript.references] == ["doi:10.1000/x", "doi:10.1000/y"]
    assert manuscript.references[0].title == "Bees"
