"""The user's own library."""

import pytest

from tests.evidence.helpers import gather, ref, statuses
from veriscite.domain import Found, NoAbstract, NotFound
from veriscite.evidence.library import LibrarySource
from veriscite.ports import SearchRequest

GLASS = "Glass fibres were cooled to four kelvin. Light slowed down by a factor of three."
SNAIL = "Garden snails were counted in forty gardens by hand. Their number rose with rain."

ENTRIES = [
    ref(
        "Slow light in cold glass fibres: a first measurement",
        "Iqbal, S; Roe, C",
        2019,
        id="iqbal",
        abstract=GLASS,
        doi="10.1/slow",
    ),
    ref("Garden snails after rain", "Bee, A", 2003, id="bee", abstract=SNAIL),
    ref("Kinetics of silent enzymes in yeast", "Poe, D", 2001, id="poe"),
    ref(
        "Words that were withheld in journals",
        "Quine, E",
        2020,
        id="quine",
        abstract="Abstract not available",
    ),
]


async def test_the_lists_own_entries_are_matched_by_id() -> None:
    library = LibrarySource(ENTRIES, own_list=True)
    found = await gather(library.lookup(ENTRIES))
    assert statuses(found, ["iqbal", "bee", "poe", "quine"]) == ["found", "found", "not_found", "no_abstract"]
    evidence = found["iqbal"]
    assert isinstance(evidence, Found)
    assert evidence.evidence.sentences == tuple(GLASS.replace(". ", ".|").split("|"))
    assert evidence.evidence.match_score is None
    assert evidence.evidence.source == "library"
    missing = found["poe"]
    assert isinstance(missing, NotFound)
    assert missing.asked == ("library",)


async def test_ids_of_another_file_mean_nothing() -> None:
    library = LibrarySource(ENTRIES, own_list=False)
    stranger = ref("A wholly different matter of many words", "Ulm, Z", 1999, id="iqbal")
    assert (await gather(library.lookup([stranger])))["iqbal"].status == "not_found"


@pytest.mark.parametrize(
    ("reference", "record_id"),
    [
        (ref("Slow light in cold glass fibres", "S. Iqbal", 2019), "iqbal"),
        (ref("Slow Light in Cold Glass Fibers: A First Measurement", "Iqbal S", 2018), "iqbal"),
        (ref(raw="Bee A. Garden snails after rain. J Snail 2003;1:2.", title=None), "bee"),
        (ref(raw="doi:10.1/slow", doi="10.1/slow"), "iqbal"),
        (
            ref(
                "Slow light",
                "Iqbal",
                2019,
                doi="10.1/slow",
                raw="Iqbal. Slow light in cold glass fibers: a first measurement. 2019",
            ),
            "iqbal",
        ),
    ],
)
async def test_another_library_is_matched_by_identifier_or_title(reference: object, record_id: str) -> None:
    library = LibrarySource(ENTRIES, own_list=False)
    found = (await gather(library.lookup([reference])))["r1"]  # type: ignore[list-item]
    assert isinstance(found, Found)
    assert found.evidence.record_id == record_id


async def test_an_identifier_of_another_entry_is_not_believed() -> None:
    library = LibrarySource(ENTRIES, own_list=False)
    found = (await gather(library.lookup([ref("Garden snails after rain", "Bee A", 2003, doi="10.1/slow")])))[
        "r1"
    ]
    assert isinstance(found, Found)
    assert found.evidence.record_id == "bee"


async def test_a_library_entry_without_abstract_is_a_known_work() -> None:
    library = LibrarySource(ENTRIES, own_list=False)
    found = (await gather(library.lookup([ref("Kinetics of silent enzymes in yeast", "Poe D", 2001)])))["r1"]
    assert isinstance(found, NoAbstract)
    assert found.record.record_id == "poe"


async def test_searching_titles_and_abstracts() -> None:
    library = LibrarySource(ENTRIES, own_list=True)
    cited = ENTRIES[1]
    other = await library.search(SearchRequest(cited, "light slowed in fibres"))
    assert isinstance(other, Found)
    assert (other.evidence.record_id, other.evidence.of_cited_work) == ("iqbal", False)
    same = await library.search(SearchRequest(cited, "snails counted in gardens"))
    assert isinstance(same, Found)
    assert (same.evidence.record_id, same.evidence.of_cited_work) == ("bee", True)
    for query in ("volcanic ash on distant moons", "", "the of and"):
        nothing = await library.search(SearchRequest(cited, query))
        assert isinstance(nothing, NotFound), query


def test_what_it_is() -> None:
    component = LibrarySource(ENTRIES, own_list=True).component()
    assert component.detail == "4 entries, 3 with an abstract"


async def test_an_empty_library() -> None:
    library = LibrarySource([], own_list=False)
    assert (await gather(library.lookup(ENTRIES)))["bee"].status == "not_found"
    assert isinstance(await library.search(SearchRequest(ENTRIES[0], "snails")), NotFound)
