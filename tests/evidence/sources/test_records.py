"""Answers of each service as records: what counts is kept, what has another form is left out."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.domain import Author, NoticeKind
from veriscite.evidence.politeness import UnusableAnswerError
from veriscite.evidence.sources.arxiv import records_of_feed
from veriscite.evidence.sources.crossref import record_of_item
from veriscite.evidence.sources.europe_pmc import record_of_article
from veriscite.evidence.sources.openalex import from_inverted_index, record_of_work
from veriscite.evidence.sources.semantic_scholar import record_of_paper

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_CROSSREF = "DOI title author issued container-title URL abstract updated-by relation type subtitle"
_OPENALEX = (
    "id doi ids title authorships publication_year primary_location type is_retracted abstract_inverted_index"
)
_EUROPE_PMC = (
    "id source title authorList authorString pubYear doi pmid pmcid abstractText pubTypeList "
    "commentCorrectionList journalInfo"
)
KEYS = {
    record_of_item: _CROSSREF.split(" "),
    record_of_work: _OPENALEX.split(" "),
    record_of_article: _EUROPE_PMC.split(" "),
}


@pytest.mark.parametrize("parse", list(KEYS), ids=lambda parse: parse.__module__)
@given(data=st.data())
def test_values_of_any_form_break_nothing(parse: Any, data: st.DataObject) -> None:
    value = data.draw(st.dictionaries(st.sampled_from(KEYS[parse]), ANY_JSON))
    parse(value)
    # With an id, so that the rest is looked at.
    parse({**value, "DOI": "10.1000/x", "id": "https://openalex.org/W1"})


def test_crossref_parts() -> None:
    record = record_of_item(
        {
            "DOI": "10.1000/ABC",
            "title": ["On <i>E. coli</i>"],
            "subtitle": ["a trial"],
            "author": [
                {"given": "Ana", "family": "Gómez"},
                {"name": "The Trial Group"},
                {"given": "Plato"},
                {},
            ],
            "published-online": {"date-parts": [[2019, 12]]},
            "published-print": {"date-parts": [[2020, 3, 4]]},
            "container-title": ["J Tests &amp; Trials"],
            "abstract": "<jats:p>Text.</jats:p>",
            "type": "journal-article",
        }
    )
    assert record is not None
    assert (record.record_id, record.year, record.title) == ("10.1000/abc", 2020, "On E. coli: a trial")
    assert record.authors == (
        Author(family="Gómez", given="Ana"),
        Author(family="The Trial Group", corporate=True),
        Author(family="Plato"),
    )
    assert record.abstract == "<jats:p>Text.</jats:p>"
    assert record.published_as is None


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("retraction", NoticeKind.RETRACTED),
        ("withdrawal", NoticeKind.RETRACTED),
        ("partial_retraction", NoticeKind.RETRACTED),
        ("correction", NoticeKind.CORRECTED),
        ("erratum", NoticeKind.CORRECTED),
        ("corrigendum", NoticeKind.CORRECTED),
        ("expression_of_concern", NoticeKind.EXPRESSION_OF_CONCERN),
        ("Expression of Concern", NoticeKind.EXPRESSION_OF_CONCERN),
    ],
)
def test_crossref_notices_are_those_about_the_work(kind: str, expected: NoticeKind) -> None:
    update = {"DOI": "10.1000/n", "type": kind, "updated": {"date-parts": [[2021, 5]]}, "label": "Notice"}
    record = record_of_item({"DOI": "10.1000/abc", "updated-by": [update, update]})
    assert record is not None
    (notice,) = record.notices
    assert (notice.kind, notice.doi, notice.date) == (expected, "10.1000/n", "2021-05")
    # The notice itself says what it updates; that speaks of another work.
    itself = record_of_item({"DOI": "10.1000/n", "update-to": [{**update, "DOI": "10.1000/abc"}]})
    assert itself is not None
    assert itself.notices == ()


def test_crossref_editions_and_news_are_no_notices() -> None:
    updates = [
        {"DOI": "10.1000/n", "type": kind} for kind in ("new_version", "addendum", "clarification", "")
    ]
    record = record_of_item({"DOI": "10.1000/abc", "updated-by": updates})
    assert record is not None
    assert record.notices == ()


def test_crossref_preprints_name_what_they_became() -> None:
    relation = {"is-preprint-of": [{"id-type": "doi", "id": "10.1000/final", "asserted-by": "subject"}]}
    record = record_of_item(
        {"DOI": "10.1101/pre", "type": "posted-content", "subtype": "preprint", "relation": relation}
    )
    assert record is not None
    assert record.published_as is not None
    assert record.published_as.doi == "10.1000/final"
    assert record.kinds == ("posted-content", "preprint")


def test_openalex_parts() -> None:
    record = record_of_work(
        {
            "id": "https://openalex.org/W5",
            "doi": "https://doi.org/10.48550/ARXIV.1706.03762",
            "ids": {
                "pmid": "https://pubmed.ncbi.nlm.nih.gov/12",
                "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/345678",
            },
            "title": "A title",
            "authorships": [{"author": {"display_name": "Ada van Dam"}}, {"raw_author_name": "B. Roe"}, {}],
            "publication_year": 2017,
            "is_retracted": True,
            "abstract_inverted_index": {"world": [1], "hello": [0, 2]},
        }
    )
    assert record is not None
    assert record.identifiers.arxiv == "1706.03762"
    assert record.identifiers.pmid == "12"
    assert record.identifiers.pmcid == "PMC345678"
    assert [author.family for author in record.authors] == ["van Dam", "Roe"]
    assert [notice.kind for notice in record.notices] == [NoticeKind.RETRACTED]
    assert record.abstract == "hello world hello"


@given(st.lists(st.text(alphabet="abcdef.", min_size=1, max_size=6), min_size=1, max_size=60))
def test_an_inverted_index_gives_the_text_back(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        index.setdefault(word, []).append(position)
    assert from_inverted_index(index) == " ".join(words)


@pytest.mark.parametrize(
    "index", [None, [], "x", {}, {"a": "b"}, {"a": [None, -1, "0", True]}, {"a": [10**18], "b": [3]}]
)
def test_odd_inverted_indices(index: Any) -> None:
    assert from_inverted_index(index) in (None, "b a")


def test_europe_pmc_parts() -> None:
    record = record_of_article(
        {
            "id": "100",
            "source": "PPR",
            "doi": "10.1101/2020.01",
            "title": "A preprint.",
            "authorList": {
                "author": [{"lastName": "Roe", "firstName": "Jane"}, {"collectiveName": "The Group"}]
            },
            "pubYear": "2020",
            "abstractText": "<h4>Background</h4>Text.",
            "pubTypeList": {"pubType": ["Preprint"]},
            "commentCorrectionList": {
                "commentCorrection": [
                    {"id": "333", "source": "MED", "type": "Preprint of", "reference": "J Tests 2021"},
                    {"id": "444", "source": "MED", "type": "Erratum in", "reference": "J Tests 2022"},
                    {"id": "555", "source": "MED", "type": "Comment in"},
                    {"id": "556", "source": "MED", "type": "Erratum for"},
                ]
            },
        }
    )
    assert record is not None
    assert record.title == "A preprint"
    assert record.authors[1].corporate
    assert record.published_as is not None
    assert record.published_as.pmid == "333"
    assert [notice.kind for notice in record.notices] == [NoticeKind.CORRECTED]


def test_europe_pmc_retracted_by_type_alone() -> None:
    record = record_of_article(
        {"id": "1", "source": "MED", "pubTypeList": {"pubType": ["Retracted Publication"]}}
    )
    assert record is not None
    assert [notice.kind for notice in record.notices] == [NoticeKind.RETRACTED]


FEED = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<entry><id>http://arxiv.org/abs/hep-th/9901001v2</id><published>1999-01-04T00:00:00Z</published>
<title>Long
  titles wrap</title><summary> Text &lt; more. </summary><author><name>Ana Gómez</name></author>
<arxiv:doi>10.1000/final</arxiv:doi><arxiv:journal_ref>J. Tests 3 (2000) 1</arxiv:journal_ref></entry>
<entry><id>http://arxiv.org/api/errors#incorrect_id</id><title>Error</title></entry></feed>"""


def test_arxiv_feed() -> None:
    (record,) = records_of_feed(FEED.encode())
    assert record.record_id == "hep-th/9901001"
    assert record.title == "Long titles wrap"
    assert record.year == 1999
    assert record.published_as is not None
    assert record.published_as.doi == "10.1000/final"
    assert record.venue == "J. Tests 3 (2000) 1"


def test_an_abstract_of_a_withdrawn_preprint_is_none() -> None:
    feed = FEED.replace("Text &lt; more.", "This paper has been withdrawn by the authors due to an error.")
    (record,) = records_of_feed(feed.encode())
    assert record.abstract is None
    assert "withdrawn" in record.abstract_note


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"<html><body>Sign in</body></html>",
        FEED.encode()[:300],
        FEED.replace("<feed", '<!DOCTYPE x [<!ENTITY a "aa">]><feed').encode(),
        FEED.encode("utf-16"),
        b"<a>" * 50_000,
    ],
)
def test_what_is_no_feed_is_no_answer(body: bytes) -> None:
    with pytest.raises(UnusableAnswerError):
        records_of_feed(body)


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_a_feed_or_none(body: bytes) -> None:
    with contextlib.suppress(UnusableAnswerError):
        records_of_feed(body)


def test_every_parser_leaves_out_what_stands_for_no_work() -> None:
    for parse in (record_of_item, record_of_work, record_of_article, record_of_paper):
        assert parse(json.loads("{}")) is None
