"""Kinds of references and records that have been matched wrongly: each with what must come of it."""

import pytest

from tests.evidence.helpers import rec, ref
from veriscite.domain import Author, Reference
from veriscite.evidence.authors import compare_authors
from veriscite.evidence.matching import Decision, choose, compare, same_work

TITLE = "Slow light in cold glass fibres of air"


def raw_only(raw: str) -> Reference:
    return Reference(id="r", raw=raw)


@pytest.mark.parametrize(
    ("raw", "authors", "year", "decision"),
    [
        # The year and the initials count although nothing was parsed.
        ("Iqbal S. {}. J Opt 2019;3:1-9.", "S. Iqbal", 2019, Decision.ACCEPT),
        ("Iqbal S. {}. J Opt 2019;3:1-9.", "S. Iqbal", 2001, Decision.REJECT),
        ("Iqbal S. {}. J Opt 2019;3:1-9.", "Z. Iqbal", 2010, Decision.POSSIBLE),
        ("Z. Iqbal, “{},” J. Opt. 3, 2019.", "S. Iqbal", 2012, Decision.POSSIBLE),
        ("Sara Iqbal. {}. J Opt 2019.", "S. Iqbal", 2019, Decision.ACCEPT),
        ("Iqbal SA, Roe C. {}. J Opt 2019.", "S. A. Iqbal;C. Roe", 2019, Decision.ACCEPT),
        # The year of a title is not the year of the entry.
        ("Iqbal S. {}. J Opt.", "S. Iqbal", 2019, Decision.ACCEPT),
        # A venue's name may hold any word.
        ("Iqbal S. {}. Review of Optics. 2019.", "S. Iqbal", 2019, Decision.ACCEPT),
        ("Iqbal S. {}: a reply. J Opt. 2019.", "S. Iqbal", 2019, Decision.REJECT),
        ("Iqbal S. {}. Part II. J Opt. 2019.", "S. Iqbal", 2019, Decision.REJECT),
    ],
)
def test_entries_that_were_not_parsed(raw: str, authors: str, year: int, decision: Decision) -> None:
    assert compare(raw_only(raw.format(TITLE)), rec(TITLE, authors, year)).decision is decision


def test_a_title_behind_hundreds_of_authors_is_found() -> None:
    names = ", ".join(f"Author{n:03d} B" for n in range(400))
    reference = raw_only(f"Iqbal S, {names}. {TITLE}. J Opt 2019;3:1-9.")
    assert compare(reference, rec(TITLE, "S. Iqbal", 2019)).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("raw", "decision"),
    [
        (f"[3] {TITLE}. J Opt. 2019.", Decision.ACCEPT),
        (f"(2019). {TITLE}. J Opt, 3, 1-9.", Decision.ACCEPT),
        (f"@misc{{k, author = {{}}, title = {{{TITLE}}}, year = 2019}}", Decision.ACCEPT),
        (f"@misc{{k, title = {{{TITLE}}}, year = 2019}}", Decision.ACCEPT),
        # Others are named, though they were not parsed.
        (f"@misc{{k, author = {{Moe, J}}, title = {{{TITLE}}}, year = 2019}}", Decision.REJECT),
        (f"Moe J. {TITLE}. J Opt. 2019.", Decision.REJECT),
        (f"{TITLE}. J. Moe, R. Sun. J Opt. 2019.", Decision.REJECT),
        (f"{TITLE}, by Jo Moe. J Opt. 2019.", Decision.REJECT),
    ],
)
def test_entries_that_name_nobody(raw: str, decision: Decision) -> None:
    reference = Reference(id="r", raw=raw, title=TITLE, year=2019)
    assert compare(reference, rec(TITLE, "S. Iqbal;C. Roe", 2019)).decision is decision
    later = rec(TITLE, "S. Iqbal;C. Roe", 2021)
    assert compare(reference, later).decision is not Decision.ACCEPT


def test_short_titles_that_name_nobody_need_the_venue_too() -> None:
    reference = Reference(
        id="r", raw="Slow cold light. J Opt. 2019.", title="Slow cold light", year=2019, venue="J Opt"
    )
    record = rec("Slow cold light", "S. Iqbal", 2019)
    assert compare(reference, record).decision is Decision.POSSIBLE
    there = record.model_copy(update={"venue": "J. Opt."})
    assert compare(reference, there).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    "raw", ["Iqbal S. Basic issues of slow light. {}. 2003. p. 1-9.", "Iqbal S. In: {}. 2003."]
)
def test_the_book_is_not_its_chapter(raw: str) -> None:
    book = "Handbook of cold glass and fibres"
    chapter = Reference(
        id="r",
        raw=raw.format(book),
        title="Basic issues of slow light",
        authors=(Author(family="Iqbal", given="S"),),
        year=2003,
    )
    record = rec(book, "Sara Iqbal", 2003)
    assert compare(chapter, record).decision is Decision.REJECT
    assert compare(raw_only(chapter.raw), record).decision is Decision.REJECT


@pytest.mark.parametrize("kind", ["peer-review", "erratum", "Retraction", "Published Erratum"])
def test_what_the_source_calls_a_notice_is_none_of_the_work(kind: str) -> None:
    notice = rec(TITLE, "S. Iqbal", 2019).model_copy(update={"kinds": (kind,)})
    assert compare(ref(TITLE, "Iqbal S", 2019), notice).decision is Decision.REJECT
    assert compare(ref(TITLE, "Iqbal S", 2019), notice, by_identifier=True).decision is Decision.REJECT


@pytest.mark.parametrize(
    ("found", "year", "decision"),
    [
        # The same people wrote on: only the year tells whether the cited title was cut.
        (f"{TITLE} and in rods of ice", 2019, Decision.ACCEPT),
        (f"{TITLE} and in rods of ice", 2020, Decision.POSSIBLE),
        (f"{TITLE}: a first measurement", 2020, Decision.ACCEPT),
        (f"{TITLE}: study protocol", 2019, Decision.REJECT),
        (f"{TITLE} revisited", 2019, Decision.REJECT),
    ],
)
def test_longer_titles(found: str, year: int, decision: Decision) -> None:
    assert (
        compare(ref(TITLE, "Iqbal S; Roe C", 2019), rec(found, "S. Iqbal;C. Roe", year)).decision is decision
    )


def test_a_part_of_the_title_needs_the_first_author() -> None:
    reference = ref("Slow light in cold glass fibr...", "Roe C; Iqbal S; Poe D", 2019)
    assert compare(reference, rec(TITLE, "S. Iqbal;C. Roe;D. Poe", 2019)).decision is Decision.POSSIBLE
    assert compare(reference, rec(TITLE, "C. Roe;S. Iqbal;D. Poe", 2019)).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("cited", "found", "decision"),
    [
        ("44-B waste package loading curve test", "21-P waste package loading curve test", Decision.REJECT),
        ("Slow light for cold glass", "Slow light with hot air", Decision.REJECT),
        ("Depth of slow light in glass", "ETA: energy based depth of slow light in glass", Decision.REJECT),
        ("Slow light in cold clear glass fibres", "Slow light in cold pure glass fibres", Decision.ACCEPT),
    ],
)
def test_an_identifier_and_the_same_people_excuse_one_word(
    cited: str, found: str, decision: Decision
) -> None:
    reference = ref(cited, "Iqbal S", 2019)
    assert compare(reference, rec(found, "S. Iqbal", 2019), by_identifier=True).decision is decision
    others = rec(found, "J. Moe", 2019)
    assert compare(reference, others, by_identifier=True).decision is Decision.REJECT


def test_an_identifier_beside_another_title_in_an_unparsed_entry_is_not_followed() -> None:
    reference = raw_only(
        "Iqbal S. Waste packages of type B and their loading curves. Ice Test 12, 101 (2004)."
    )
    other = rec("Absorber plates of type P and their loading curves", "S. Iqbal", 2004)
    assert compare(reference, other, by_identifier=True).decision is Decision.REJECT
    terse = raw_only("S. Iqbal, J. Opt. 12, 101 (2004)")
    assert compare(terse, other, by_identifier=True).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("cited", "found", "fit"),
    [
        (Author(family="Ha MJ"), "Myung Jeong Ha", "same"),
        (Author(family="Li H"), "Hui Li", "same"),
        (Author(family="Li H"), "Wei Li", "weak"),
        (Author(family="J.", given="Scaglione"), "J. Scaglione", "same"),
        (Author(family="Chetty", given="G"), "Girija Cietty", "same"),
        (Author(family="Cheng", given="G"), "Girija Chang", "other"),
    ],
)
def test_names_spoilt_as_lists_spoil_them(cited: Author, found: str, fit: str) -> None:
    reference = Reference(id="r", raw="x", title="A title", authors=(cited,))
    assert compare_authors(reference, rec("A title", found).authors).fit == fit


def test_versions_with_other_first_authors_are_one_work() -> None:
    one = rec(TITLE, "Z. Tong;Y. Song;J. Wang", 2022, id="one")
    two = rec(TITLE, "Y. Song;J. Wang", 2022, id="two")
    assert same_work(one, two)
    assert not same_work(one, rec(TITLE, "Q. Moe;Y. Song", 2022, id="three"))


def test_two_editions_are_told_apart_by_the_year() -> None:
    first = rec("Optics of cold glass", "S. Iqbal", 2001, id="first")
    second = rec("Optics of cold glass", "S. Iqbal", 2003, id="second")
    for year, wanted in ((2001, "first"), (2003, "second")):
        choice = choose(ref("Optics of cold glass", "Iqbal S", year), [first, second])
        assert choice.accepted[0].record.record_id == wanted


def test_no_author_waves_another_title_through() -> None:
    authors = "S. Iqbal;C. Roe;D. Poe"
    for title in ("Fast light in hot iron rods", "Slow sound in cold glass fibres of air"):
        assert compare(ref(TITLE, authors, 2019), rec(title, authors, 2019)).decision is Decision.REJECT


def test_no_title_waves_other_authors_through() -> None:
    assert compare(ref(TITLE, "Iqbal S", 2019), rec(TITLE, "J. Moe", 2019)).decision is Decision.REJECT
    assert compare(ref(TITLE, "Iqbal S", 2019), rec(TITLE, "", 2018)).decision is Decision.POSSIBLE
