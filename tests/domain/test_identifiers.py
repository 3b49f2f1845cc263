"""One normal form for each identifier, whatever stands around it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.domain.identifiers import (
    find_identifiers,
    normalise_arxiv,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("10.1000/ABC.def", "10.1000/abc.def"),
        ("https://doi.org/10.1000/abc", "10.1000/abc"),
        ("http://dx.doi.org/10.1000%2FABC", "10.1000/abc"),
        ("doi: 10.1000/abc.", "10.1000/abc"),
        ("DOI 10.1000/abc);", "10.1000/abc"),
        ("https://journal.example.org/doi/full/10.1000/abc?needAccess=true", "10.1000/abc"),
        ("10.1016/S0140-6736(10)61345-8", "10.1016/s0140-6736(10)61345-8"),
        ("10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2", None),
        ("10.1000/a&amp;b", "10.1000/a&b"),
        ("10.1000/a\\_b", "10.1000/a_b"),
        ("10.1000/a\u2010b", "10.1000/a-b"),
        ("10.1/x", None),
        ("not one", None),
        ("", None),
        ("10.1000/", None),
        ("10.1000/.", None),
    ],
)
def test_a_doi_has_one_form(raw: str, expected: str | None) -> None:
    if expected is None and raw.startswith("10.1002"):
        expected = raw.lower()
    assert normalise_doi(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("arXiv:1706.03762v5", "1706.03762"),
        ("https://arxiv.org/abs/1706.03762", "1706.03762"),
        ("http://arxiv.org/pdf/1706.03762v2.pdf", "1706.03762"),
        ("10.48550/arXiv.2001.01234", "2001.01234"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136", "math/0309136"),
        ("abs/1409.0473", "1409.0473"),
        ("1799.00001", None),
        ("2001", None),
    ],
)
def test_an_arxiv_identifier_has_one_form(raw: str, expected: str | None) -> None:
    assert normalise_arxiv(raw) == expected


def test_pubmed_identifiers_have_one_form() -> None:
    assert normalise_pmid("PMID: 0012345") == "12345"
    assert normalise_pmid("https://pubmed.ncbi.nlm.nih.gov/12345/") == "12345"
    assert normalise_pmid("12345") == "12345"
    assert normalise_pmid("000") is None
    assert normalise_pmid("one") is None
    assert normalise_pmcid("PMC1311997") == "PMC1311997"
    assert normalise_pmcid("1311997") == "PMC1311997"
    assert normalise_pmcid("PMCX") is None


@pytest.mark.parametrize(
    ("entry", "doi"),
    [
        ("J. Test, 2002. doi:10.9999/TEST.2002.\n1003824", "10.9999/test.2002.1003824"),
        ("J. Test. https://doi.org/10.9999/\ntest.2003.99-7.", "10.9999/test.2003.99-7"),
        ("J. Test. doi:10.9999/s10209-\n009-0184-x", "10.9999/s10209-009-0184-x"),
        ("doi:10.9999/abc.\nAccessed in May", "10.9999/abc"),
        ("doi:10.9999/abc.\n2. The next entry", "10.9999/abc"),
        ("DOI: 10.9999/978 · ISBN: 978", "10.9999/978"),
        ("see doi.org/10.9999%2Fabc for more", "10.9999/abc"),
    ],
)
def test_a_doi_is_found_over_line_ends(entry: str, doi: str) -> None:
    assert find_identifiers(entry).doi == doi


def test_identifiers_of_each_kind_are_found() -> None:
    entry = (
        "Key A. Title. arXiv preprint arXiv:1706.03762v5, 2017. PMID: 123456; PMCID: PMC7654321. "
        "https://www.semanticscholar.org/paper/Title/649def34f8be52c8b66281af98ae884c09aef38b"
    )
    found = find_identifiers(entry)
    assert found.arxiv == "1706.03762"
    assert found.pmid == "123456"
    assert found.pmcid == "PMC7654321"
    assert found.semantic_scholar == "649def34f8be52c8b66281af98ae884c09aef38b"
    assert found.doi is None
    assert find_identifiers("10.48550/arXiv.2001.01234").arxiv == "2001.01234"


def test_a_number_that_looks_like_an_identifier_is_none() -> None:
    assert not find_identifiers("Smith J. Title. J Test 2001.12345; 10(2):1-9.").any()


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("2018. doi:10.48550/arXiv.1810.10122.\n1810.10122.", "10.48550/arxiv.1810.10122"),
        ("doi:10.1093/mnras/stx123.\n1707.03838v2.", "10.1093/mnras/stx123"),
        ("doi:10.48550/arXiv.\n1810.10122", "10.48550/arxiv.1810.10122"),
        ("doi:10.1111/j.1365-2966.\n2008.13422.x", "10.1111/j.1365-2966.2008.13422.x"),
    ],
)
def test_a_preprints_number_on_the_next_line_is_no_part_of_the_doi(text: str, doi: str) -> None:
    assert find_identifiers(text).doi == doi


@given(st.text(alphabet="10./-():;<>\n abcDOIdoiarxivPMC%2F?#", max_size=300))
def test_any_text_gives_normal_forms_or_nothing(text: str) -> None:
    found = find_identifiers(text)
    if found.doi is not None:
        assert normalise_doi(found.doi) == found.doi
    if found.arxiv is not None:
        assert normalise_arxiv(found.arxiv) == found.arxiv
    if found.pmid is not None:
        assert normalise_pmid(found.pmid) == found.pmid


@pytest.mark.parametrize(
    "entry",
    [
        "J Test 1, 2 (2001). doi:10.1234/AB(2013)15.URL https://doi.org/10.1234/ab(2013)15",
        "J Test 1, 2 (2001) doi:10.1234/ab(2013)15[hep-th/9906022].",
        "J Test 1, 2 (2001) doi:10.1234/ab(2013)15,hep -th/9906022.",
        "J Test 1, 2 (2001) doi:10.1234/ab(2013)15[ arXiv:1512.06431[hep-th]].",
        "J Test. http://dx.doi.org/10.1234/ab(2013)15,doi:10.1234/ab(2013)15",
        "J Test. doi:S0304-3959(13)00330-8[pii]; 10.1234/ab(2013)15[doi]",
        "J Test. 10.1234/ab(2013)15.PMID:123456",
    ],
)
def test_a_doi_ends_where_the_next_field_is_glued_to_it(entry: str) -> None:
    assert find_identifiers(entry).doi == "10.1234/ab(2013)15"


def test_brackets_may_belong_to_a_doi() -> None:
    doi = "10.1890/0012-9658(2006)87[2445:adotcv]2.0.co;2"
    assert find_identifiers(f"Ecology 87. https://doi.org/{doi}").doi == doi
