"""The checker against scripted finders: what is found, what is asked, what an outage means."""

from collections.abc import Sequence

from tests.evidence.helpers import rec, ref
from tests.fakes.finders import ScriptedFinder
from veriscite.domain import (
    Identifiers,
    LookupFailed,
    NotFound,
    Notice,
    NoticeKind,
    Reference,
    ReferenceCheck,
    ReferenceStatus,
    SourceAnswer,
)
from veriscite.errors import SourceError
from veriscite.evidence.checks import SourcesReferenceChecker
from veriscite.evidence.library import LibrarySource
from veriscite.evidence.records import Record

TITLE = "Sleep loss and plaque growth in the hippocampus of mice"
PEOPLE = "Zhang, Wei; Roe, Clara"
DOI = "10.1000/sleep.1"
OUTAGE = SourceError("The server answered 503.")


def cited(**changes: object) -> Reference:
    values = {"title": TITLE, "authors": PEOPLE, "year": 2018} | changes
    reference = ref(**values)  # type: ignore[arg-type]
    return reference.model_copy(update={"venue": "Journal of Sleep Research"})


def found(source: str, **changes: object) -> Record:
    values = {"title": TITLE, "authors": PEOPLE, "year": 2018, "doi": DOI} | changes
    record = rec(**values)  # type: ignore[arg-type]
    return record.model_copy(
        update={"source": source, "venue": "Journal of Sleep Research", "kinds": ("journal-article",)}
    )


async def checks(
    references: Sequence[Reference], *finders: ScriptedFinder, **options: object
) -> list[ReferenceCheck]:
    checker = SourcesReferenceChecker(finders, **options)  # type: ignore[arg-type]
    return [check async for check in checker.check(references)]


async def test_a_reference_as_the_record_has_it_needs_no_look() -> None:
    a = ScriptedFinder("crossref", ids={f"doi:{DOI}": [found("crossref")]})
    b = ScriptedFinder("openalex", ids={f"doi:{DOI}": [found("openalex")]})
    (check,) = await checks([cited(doi=DOI)], a, b)
    assert check.status is ReferenceStatus.FOUND
    assert check.found_by == ("crossref", "openalex")
    assert not check.needs_a_look
    assert check.record is not None
    assert check.record.identifiers.doi == DOI
    assert (a.searched, b.searched) == ([], [])


async def test_one_batch_for_all_identifiers_and_words_until_one_knows_the_work() -> None:
    references = [cited(id=f"r{n}", doi=f"10.1000/{n}") for n in range(60)]
    references += [cited(id="w")]
    ids = {f"doi:10.1000/{n}": [found("a", doi=f"10.1000/{n}", id=f"p{n}")] for n in range(60)}
    a = ScriptedFinder("a", ids=ids, words={"w": [found("a")]})
    b = ScriptedFinder("b", silent_on_ids=True)
    assert len(await checks(references, a, b)) == 61
    assert [len(batch) for batch in a.batches] == [60]
    assert (a.searched, b.searched) == (["w"], [])
    # The work that words led to is asked for by its DOI where it was not yet heard of.
    assert b.batches[-1] == ["w"]


async def test_notices_of_both_sources_are_one_where_they_are_one() -> None:
    retracted = NoticeKind.RETRACTED
    by_crossref = Notice(kind=retracted, source="crossref", doi="10.1000/r", date="2020-03-01")
    a = found("crossref").model_copy(update={"notices": (by_crossref,)})
    b = found("openalex", title=f"RETRACTED: {TITLE}").model_copy(
        update={"notices": (Notice(kind=retracted, source="openalex"),)}
    )
    (check,) = await checks(
        [cited(doi=DOI)],
        ScriptedFinder("crossref", ids={f"doi:{DOI}": [a]}),
        ScriptedFinder("openalex", ids={f"doi:{DOI}": [b]}),
    )
    (notice,) = check.notices
    assert (notice.source, notice.doi, notice.date) == ("crossref, openalex", "10.1000/r", "2020-03-01")
    assert not check.mismatches  # the mark is no other title


async def test_two_corrections_stay_two_and_retraction_comes_first() -> None:
    noticed = found("crossref").model_copy(
        update={
            "notices": (
                Notice(kind=NoticeKind.CORRECTED, source="crossref", doi="10.1000/c1"),
                Notice(kind=NoticeKind.CORRECTED, source="crossref", doi="10.1000/c2"),
                Notice(kind=NoticeKind.RETRACTED, source="crossref"),
            )
        }
    )
    (check,) = await checks([cited(doi=DOI)], ScriptedFinder("crossref", ids={f"doi:{DOI}": [noticed]}))
    assert [n.kind for n in check.notices] == [
        NoticeKind.RETRACTED, NoticeKind.CORRECTED, NoticeKind.CORRECTED,
    ]  # fmt: skip


async def test_possibly_invented_needs_two_sources_that_answered() -> None:
    nothing = {"r1": ()}
    (check,) = await checks([cited()], ScriptedFinder("a", words=nothing), ScriptedFinder("b", words=nothing))
    assert check.status is ReferenceStatus.NOT_FOUND
    assert check.suspicion.startswith("a and b were asked for “Zhang 2018 Sleep loss")
    assert "may be invented" in check.suspicion
    (alone,) = await checks([cited()], ScriptedFinder("a", words=nothing))
    assert (alone.status, alone.suspicion) == (ReferenceStatus.NOT_FOUND, "")


async def test_an_outage_blames_no_reference() -> None:
    nothing = {"r1": ()}
    (check,) = await checks(
        [cited()],
        ScriptedFinder("a", words=nothing),
        ScriptedFinder("b", words=nothing),
        ScriptedFinder("c", words={"r1": OUTAGE}),
    )
    assert (check.status, check.suspicion) == (ReferenceStatus.NOT_CHECKED, "")
    assert [a.status for a in check.answers] == ["not_found", "not_found", "lookup_failed"]
    assert not check.needs_a_look


async def test_an_outage_of_one_source_does_not_hide_what_another_knows() -> None:
    (check,) = await checks(
        [cited(doi=DOI)],
        ScriptedFinder("a", ids={f"doi:{DOI}": OUTAGE}, words={"r1": OUTAGE}),
        ScriptedFinder("b", ids={f"doi:{DOI}": [found("b")]}),
    )
    assert (check.status, check.found_by) == (ReferenceStatus.FOUND, ("b",))


async def test_a_doi_of_another_work_is_a_serious_mismatch_and_never_a_suspicion() -> None:
    other = rec("Tuning a coder for sorting machines", "Hu, E.", 2021, doi="10.1000/other")
    finders = [
        ScriptedFinder(name, ids={"doi:10.1000/other": [other]}, words={"r1": ()}) for name in ("a", "b")
    ]
    (check,) = await checks([cited(doi="10.1000/other")], *finders)
    (mismatch,) = check.mismatches
    assert (mismatch.part, mismatch.serious, mismatch.cited) == ("doi", True, "10.1000/other")
    assert "Tuning a coder" in mismatch.found
    assert check.suspicion == ""


async def test_a_wrong_doi_is_told_with_the_right_one() -> None:
    other = rec("Tuning a coder for sorting machines", "Hu, E.", 2021, doi="10.1000/other")
    a = ScriptedFinder("a", ids={"doi:10.1000/other": [other], f"doi:{DOI}": [found("a")]},
                       words={"r1": [found("a")]})  # fmt: skip
    (check,) = await checks([cited(doi="10.1000/other")], a)
    assert check.status is ReferenceStatus.FOUND
    (mismatch,) = check.mismatches
    assert (mismatch.part, mismatch.found) == ("doi", DOI)


async def test_a_doi_that_nobody_knows_is_told_only_where_it_is_a_typo_or_two_say_so() -> None:
    def finders(dead: str, count: int) -> list[ScriptedFinder]:
        return [
            ScriptedFinder(f"f{n}", ids={f"doi:{DOI}": [found(f"f{n}")]}, words={"r1": [found(f"f{n}")]},
                           silent_on_ids=True)
            for n in range(count)
        ]  # fmt: skip

    (typo,) = await checks([cited(doi="10.1000/sleep.l")], *finders("", 1))
    assert [(m.part, m.found, m.serious) for m in typo.mismatches] == [("doi", DOI, True)]
    (one,) = await checks([cited(doi="10.99/quite.other")], *finders("", 1))
    assert not one.mismatches
    (two,) = await checks([cited(doi="10.99/quite.other")], *finders("", 2))
    assert [m.part for m in two.mismatches] == ["doi"]
    (tail,) = await checks([cited(doi=f"{DOI}/full")], *finders("", 1))
    assert [(m.part, m.serious) for m in tail.mismatches] == [("doi", False)]


async def test_a_cited_preprint_is_told_its_published_version() -> None:
    entry = ref(TITLE, PEOPLE, 2017, arxiv="1701.00001").model_copy(
        update={"venue": "arXiv preprint arXiv:1701.00001"}
    )
    preprint = rec(TITLE, PEOPLE, 2017, arxiv="1701.00001").model_copy(
        update={"venue": "arXiv", "published_as": Identifiers(doi=DOI)}
    )
    a = ScriptedFinder("a", ids={"arxiv:1701.00001": [preprint], f"doi:{DOI}": [found("a")]})
    (check,) = await checks([entry], a)
    assert check.published_as is not None
    assert check.published_as.identifiers.doi == DOI
    assert not check.mismatches  # neither year nor venue of the published version is a mismatch


async def test_two_works_that_fit_equally_are_ambiguous() -> None:
    entry = Reference(id="r1", raw="Trial results in surgical wards", title="Trial results in surgical wards")
    twins = [
        rec("Trial results in surgical wards", "A, B.", 2011, id="1"),
        rec("Trial results in surgical wards", "C, D.", 2012, id="2"),
    ]
    (check,) = await checks([entry], ScriptedFinder("a", words={"r1": twins}))
    assert check.status is ReferenceStatus.AMBIGUOUS
    assert check.suspicion == ""


async def test_a_known_title_by_other_people_is_told_but_not_called_invented() -> None:
    entry = ref(TITLE, "Gupta, Asha; Brown, Mary; Clark, Rob", 2018).model_copy(
        update={"venue": "Journal of Sleep Research"}
    )
    finders = [ScriptedFinder(name, words={"r1": [found(name)]}) for name in ("a", "b")]
    (check,) = await checks([entry], *finders)
    assert check.suspicion == ""
    assert [(m.part, m.serious) for m in check.mismatches] == [("authors", True)]


async def test_offline_only_the_library_and_the_list_itself_are_looked_at() -> None:
    library = LibrarySource([cited(id="k", doi=DOI)], own_list=False)
    entry = cited(id="r1", doi=DOI, year=2011)
    again = cited(id="r2", doi=DOI, year=2011)
    unknown = ref("Kinetics of silent enzymes in yeast", "Poe, D.", 2001, id="r3")
    out = await checks([entry, again, unknown], ScriptedFinder("a"), local=[library], offline=True)
    assert [c.status.value for c in out] == ["found", "found", "not_checked"]
    assert [c.duplicates for c in out] == [("r2",), ("r1",), ()]
    assert [m.part for m in out[0].mismatches] == ["year"]
    assert not any(c.suspicion for c in out)


async def test_an_entry_of_the_users_library_is_no_proof_that_the_work_exists() -> None:
    bare = LibrarySource([cited(id="k")], own_list=False)
    nothing = {"r1": ()}
    finders = (ScriptedFinder("a", words=nothing), ScriptedFinder("b", words=nothing))
    (check,) = await checks([cited()], *finders, local=[bare])
    assert check.status is ReferenceStatus.NOT_FOUND
    assert check.suspicion
    with_abstract = LibrarySource([cited(id="k", abstract="We slept. They grew.")], own_list=False)
    (known,) = await checks([cited()], *finders, local=[with_abstract])
    assert (known.status, known.found_by) == (ReferenceStatus.FOUND, ("library",))


async def test_what_failed_in_retrieval_is_not_asked_again() -> None:
    a, b = ScriptedFinder("a"), ScriptedFinder("b")
    known = [
        LookupFailed(
            reference_id="r1", source="a", code="source_failed", message="down",
            answers=(SourceAnswer(source="b", status="not_found"),),
        )
    ]  # fmt: skip
    checker = SourcesReferenceChecker([a, b])
    (check,) = [c async for c in checker.check([cited()], known=known)]
    assert check.status is ReferenceStatus.NOT_CHECKED
    assert a.searched == b.searched == []
    silent = NotFound(
        reference_id="r1", answers=tuple(SourceAnswer(source=s, status="not_found") for s in ("a", "b"))
    )
    (missed,) = [c async for c in checker.check([cited()], known=[silent])]
    assert missed.status is ReferenceStatus.NOT_FOUND
    assert missed.suspicion


async def test_a_batch_that_fails_is_asked_for_in_smaller_parts() -> None:
    references = [cited(id=f"r{n}", doi=f"10.1000/{n}") for n in range(120)]
    ids: dict[str, object] = {f"doi:10.1000/{n}": [found("a", doi=f"10.1000/{n}")] for n in range(120)}
    ids["doi:10.1000/110"] = OUTAGE
    a = ScriptedFinder("a", ids=ids, words={r.id: OUTAGE for r in references})  # type: ignore[arg-type]
    out = await checks(references, a)
    assert [c.status.value for c in out] == ["found"] * 100 + ["not_checked"] * 20
    assert [len(batch) for batch in a.batches[:4]] == [120, 50, 50, 20]


async def test_a_work_cited_with_a_year_far_off_is_known_and_its_year_is_told() -> None:
    record = found("crossref", year=2001)
    finder = ScriptedFinder("crossref", words={cited().id: [record]}, silent_on_ids=True)
    (check,) = await checks([cited()], finder)
    assert check.status is ReferenceStatus.FOUND
    assert [(m.part, m.cited, m.found, m.serious) for m in check.mismatches] == [
        ("year", "2018", "2001", True)
    ]


async def test_a_title_used_again_and_again_is_not_taken_for_a_wrong_year() -> None:
    records = [found("crossref", year=year, doi=f"10.1000/{year}") for year in (1990, 2001)]
    finder = ScriptedFinder("crossref", words={cited().id: records}, silent_on_ids=True)
    (check,) = await checks([cited()], finder)
    assert check.status is not ReferenceStatus.FOUND
    assert check.suspicion == ""


async def test_what_comes_nearest_is_told_where_nothing_is_found() -> None:
    other = found("crossref", title=f"{TITLE} and rats", year=1990, authors="Roe, Dan")
    finder = ScriptedFinder("crossref", words={cited().id: [other]}, silent_on_ids=True)
    (check,) = await checks([cited()], finder)
    assert check.status is ReferenceStatus.NOT_FOUND
    assert "nearest is" in check.answers[0].detail
