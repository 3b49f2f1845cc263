"""Kinds of entries, duplicates, suspicion and corrections."""

import time

import pytest

from tests.evidence.helpers import ref
from veriscite.domain import (
    Candidate,
    Identifiers,
    Mismatch,
    Reference,
    ReferenceCheck,
    ReferenceStatus,
)
from veriscite.evidence.checks import corrections
from veriscite.evidence.checks.duplicates import duplicates
from veriscite.evidence.checks.invented import suspicion
from veriscite.evidence.checks.kinds import EntryKind, cites_preprint, is_english, kind_of
from veriscite.linking import PlainListParser
from veriscite.reading.bibliography.bibtex import read_bibtex
from veriscite.reading.bibliography.csl_json import read_csl_json
from veriscite.reading.bibliography.ris import read_ris

TITLE = "Sleep loss and plaque growth in mice"


def bib(entry: str) -> Reference:
    return read_bibtex(entry).references[0]


def csl(text: str) -> Reference:
    return read_csl_json(text, "list", max_references=9).references[0]


def plain(line: str) -> Reference:
    return PlainListParser().parse(line, offset=None).references[0]


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        (bib("@article{k, title={T}, journal={Sleep}, year=2018}"), "paper"),
        (bib("@inproceedings{k, title={T}, booktitle={Proc. of X}, publisher={Springer}}"), "paper"),
        (bib("@article{k, title={T}, journal={arXiv preprint arXiv:1701.00001}}"), "preprint"),
        (bib("@article{k, title={T}, journal={Sleep}, note={in press}}"), "other"),
        (bib("@article{k, title={T}, year=2018}"), "other"),
        (bib("@book{k, title={T}, publisher={Sage}}"), "other"),
        (bib("@misc{k, title={T}, howpublished={http://x.org}}"), "other"),
        (bib("@phdthesis{k, title={T}, school={MIT}}"), "other"),
        (bib("@techreport{k, title={T}, institution={NIST}}"), "other"),
        (read_ris("TY  - JOUR\nTI  - T\nJO  - Sleep\nER  - \n").references[0], "paper"),
        (read_ris("TY  - THES\nTI  - T\nER  - \n").references[0], "other"),
        (csl('[{"id":"a","type":"article-journal","title":"T","container-title":"Sleep"}]'), "paper"),
        (csl('[{"id":"a","type":"webpage","title":"T"}]'), "other"),
        (plain("Zhang W, Roe C. Sleep loss and plaque growth. J Sleep Res. 2018;12(3):45-67."), "paper"),
        (plain("Zhang, W. (2018). Sleep loss: a report [PhD thesis]. University of X."), "other"),
        (plain("World Health Organization. Sleep. Geneva; 2018. Available from: http://who.int"), "other"),
        (plain("Zhang W. Sleep (personal communication, 2018)."), "other"),
        (plain("ISO 9001:2015. Quality systems. International Organization for Standardization."), "other"),
        (plain("Zhang W. Sleep loss in mice. J Sleep Res. 2018; in press."), "other"),
    ],
    ids=lambda value: value.raw[:40] if isinstance(value, Reference) else value,
)  # fmt: skip
def test_kinds(reference: Reference, kind: str) -> None:
    assert kind_of(reference) == EntryKind(kind)


def test_a_journals_doi_is_no_preprint() -> None:
    assert cites_preprint(ref(TITLE, doi="10.1101/2020.01.01.123456"))
    assert not cites_preprint(ref(TITLE, doi="10.1101/gad.12345"))
    assert not cites_preprint(ref(TITLE, doi="10.1000/x", arxiv="1701.00001"))


@pytest.mark.parametrize(
    ("title", "english"),
    [
        (TITLE, True),
        ("Deep residual learning", True),
        ("Der Schlaf und die Maus", False),
        ("Étude de la perte du sommeil", False),
        ("睡眠与小鼠", False),
    ],
)
def test_english(title: str, english: bool) -> None:
    assert is_english(title) is english


def suspected(reference: Reference, asked: tuple[str, ...] = ("a", "b")) -> bool:
    return bool(suspicion(reference, asked, "words", this_year=2026))


def test_suspicion_falls_only_on_what_sources_must_know() -> None:
    entry = ref(TITLE, "Zhang, W.", 2018).model_copy(update={"venue": "Journal of Sleep"})
    assert suspected(entry)
    assert not suspected(entry, ("a",))
    for change in (
        {"year": 2026},
        {"year": 1930},
        {"year": None},
        {"title": "Sleep loss"},
        {"title": "Der Schlaf und die Maus im Alter"},
        {"authors": ()},
        {"venue": "PhD thesis"},
        {"venue": "Cambridge University Press"},
    ):
        assert not suspected(entry.model_copy(update=change)), change


def test_duplicates_by_identifier_and_by_title_and_authors() -> None:
    found = duplicates(
        [
            ref(TITLE, "Zhang, W.", 2018, id="a", doi="10.1/a"),
            ref("Sleep Loss & Plaque Growth in Mice", "Wei Zhang", 2017, id="b", arxiv="1701.00001"),
            ref(TITLE, "Gupta, A.", 2018, id="other-people"),
            ref(f"Erratum: {TITLE}", "Zhang, W.", 2018, id="erratum"),
            ref("Quite another title of mice", "Zhang, W.", 2018, id="wrong-doi", doi="10.1/a"),
            ref("Annual report on sleep", "Sleep Group", 2001, id="y1"),
            ref("Annual report on sleep", "Sleep Group", 2009, id="y2"),
            ref("Part 1 of the sleep story", "Zhang, W.", 2018, id="p1"),
            ref("Part 2 of the sleep story", "Zhang, W.", 2018, id="p2"),
        ]
    )
    assert found == {"a": ("b",), "b": ("a",)}


def test_an_entry_is_no_duplicate_of_itself() -> None:
    assert duplicates([ref("Quarto", "A, B.", 2018, id="q")]) == {}


def test_a_long_list_takes_no_quadratic_time() -> None:
    entries = [ref(f"{TITLE} {n}", "Zhang, W.", 2018, id=f"r{n}") for n in range(5_000)]
    began = time.monotonic()
    duplicates(entries)
    assert time.monotonic() - began < 20


def checked(**changes: object) -> ReferenceCheck:
    record = Candidate(
        source="crossref", record_id="x", title=TITLE, year=2018, score=0.97,
        identifiers=Identifiers(doi="10.1000/sleep"),
    )  # fmt: skip
    values: dict[str, object] = {
        "reference_id": "k", "status": ReferenceStatus.FOUND, "found_by": ("crossref",), "record": record,
    }  # fmt: skip
    return ReferenceCheck.model_validate(values | changes)


YEAR = Mismatch(part="year", cited="2008", found="2018", source="crossref", serious=True)
ENTRY = bib(f"@article{{k, title={{{TITLE}}}, author={{Zhang, W.}}, journal={{Sleep}}, year=2018}}")


def test_only_what_is_serious_and_certain_is_corrected() -> None:
    parts = lambda *args: [(c.part, c.value) for c in corrections(*args)]  # noqa: E731
    assert parts(ENTRY, checked()) == [("doi", "10.1000/sleep")]
    slip = YEAR.model_copy(update={"serious": False})
    assert parts(ENTRY, checked(mismatches=(slip,))) == [("doi", "10.1000/sleep")]
    # One source, found by words: not certain enough to change a year.
    old = ENTRY.model_copy(update={"year": 2008})
    assert parts(old, checked(mismatches=(YEAR,))) == []
    two = checked(mismatches=(YEAR,), found_by=("crossref", "openalex"))
    assert parts(old, two) == [("year", "2018")]
    own = old.model_copy(update={"identifiers": Identifiers(doi="10.1000/sleep")})
    assert parts(own, checked(mismatches=(YEAR,))) == [("year", "2018")]
    assert parts(ENTRY, checked(status=ReferenceStatus.NOT_FOUND)) == []


def test_a_preprint_gets_a_note_and_never_the_journals_doi() -> None:
    preprint = bib(f"@article{{k, title={{{TITLE}}}, journal={{arXiv:1701.00001}}, year=2018}}")
    published = Candidate(
        source="crossref", record_id="x", title=TITLE, year=2019, venue="Sleep",
        identifiers=Identifiers(doi="10.1000/sleep"),
    )  # fmt: skip
    (note,) = corrections(preprint, checked(published_as=published))
    assert (note.part, note.value) == ("note", "Published version: Sleep, 2019, doi:10.1000/sleep")
