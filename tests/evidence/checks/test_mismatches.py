"""Entries beside records: usual styles give no serious mismatch, real faults are told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.helpers import rec, ref
from veriscite.domain import Author, Mismatch, Reference
from veriscite.evidence.checks.mismatches import Version, mismatches
from veriscite.evidence.checks.venues import same_venue
from veriscite.evidence.records import Record
from veriscite.linking import PlainListParser
from veriscite.reading.bibliography.bibtex import read_bibtex

TITLE = "Sleep loss and plaque growth: a study in mice"
PEOPLE = "Zhang, Wei; Roe, Clara; Müller, Jörg; van der Berg, Anna"


def record(**changes: object) -> Record:
    base = rec(TITLE, PEOPLE, 2018, doi="10.1000/sleep").model_copy(
        update={"venue": "Journal of the American Chemical Society", "kinds": ("journal-article",)}
    )
    return base.model_copy(update=changes)


def entry(*, venue: str | None = None, **changes: object) -> Reference:
    values = {"title": TITLE, "authors": PEOPLE, "year": 2018} | changes
    reference = ref(**values)  # type: ignore[arg-type]
    return reference.model_copy(update={"venue": venue})


def told(reference: Reference, *records: Record) -> tuple[Mismatch, ...]:
    return mismatches(reference, [Version(r, by_identifier=True) for r in records or (record(),)])


@pytest.mark.parametrize(
    "harmless",
    [
        entry(),
        entry(title="Sleep loss and plaque growth"),
        entry(title="SLEEP LOSS AND PLAQUE GROWTH: A STUDY IN MICE"),
        entry(title="The sleep loss and plaque growth: study in mice"),
        entry(year=2017),
        entry(year=2019),
        entry(authors="W. Zhang; C. Roe; J. Mueller; A. van der Berg"),
        entry(authors="Zhang W; Roe C; Muller J; Berg AV"),
        entry(authors="Zhang, Wei", raw="Zhang W, et al. Sleep loss and plaque growth. 2018."),
        entry(authors="Wei, Zhang; Roe, Clara; Müller, Jörg; van der Berg, Anna"),
        entry(authors="", raw=f"Zhang W, Roe C. {TITLE}. 2018."),
        entry(venue="J. Am. Chem. Soc."),
        entry(venue="JACS"),
        entry(venue="J Amer Chem Society (Online)"),
        entry(venue="arXiv preprint arXiv:1801.00001"),
        entry(venue="Proceedings of the 3rd Conference on Sleep"),
    ],
    ids=lambda reference: f"{reference.raw[:50]} / {reference.venue}",
)
def test_ways_of_writing_are_no_mismatch(harmless: Reference) -> None:
    assert told(harmless) == ()


@pytest.mark.parametrize(
    ("faulty", "part", "serious"),
    [
        (entry(year=2008), "year", True),
        (entry(year=2016), "year", False),
        (entry(authors="Gupta, Asha; Brown, Mary"), "authors", True),
        (entry(authors="Zhang, Wei; Gupta, Asha; Brown, Mary; Clark, Rob"), "authors", True),
        (entry(authors="Zhang, Wei; Roe, Clara; Müller, Jörg; Gupta, Asha"), "authors", False),
        (entry(authors="Zhang, Lin; Roe, Clara; Müller, Jörg; van der Berg, Anna"), "authors", False),
        (entry(authors="Roe, Clara; Zhang, Wei; Müller, Jörg; van der Berg, Anna"), "authors", False),
        (entry(authors="Zhang, Wei; Roe, Clara"), "authors", False),
        (entry(title="Sleep loss and plaqe growth: a study in mice"), "title", False),
        (entry(venue="The Lancet"), "venue", True),
    ],
    ids=lambda value: value.raw[:60] if isinstance(value, Reference) else str(value),
)
def test_faults_are_told(faulty: Reference, part: str, serious: bool) -> None:
    found = told(faulty)
    assert [(m.part, m.serious) for m in found] == [(part, serious)]


def test_what_one_record_has_as_cited_is_no_mismatch_whatever_another_says() -> None:
    odd = record(year=1999, venue="The Lancet", authors=(Author(family="Gupta"),))
    cited = entry(venue="Journal of the American Chemical Society")
    assert told(cited, odd, record()) == ()
    assert {m.part for m in told(cited, odd)} == {"year", "venue", "authors"}


def test_a_foreign_journal_that_only_one_search_hit_names_is_a_slip() -> None:
    (mismatch,) = mismatches(entry(venue="The Lancet"), [Version(record(), by_identifier=False)])
    assert not mismatch.serious


def test_versions_of_a_manuscript_may_have_other_years_and_a_few_other_authors() -> None:
    preprint = record(venue="arXiv", year=2016)
    assert told(entry(year=2019), preprint) == ()
    many = "; ".join(f"Name{chr(97 + n)}berg, Ann" for n in range(10))
    cited = entry(authors=f"{many}; Newcomer, Eve")
    assert told(cited, preprint.model_copy(update={"authors": entry(authors=many).authors})) == ()


def test_bodies_and_editors_are_not_compared() -> None:
    assert told(entry(authors="World Health Organization")) == ()
    text = (
        "@book{k, editor = {Gupta, Asha}, title = {Sleep loss and plaque growth: a study in mice}, year=2018}"
    )
    (edited,) = read_bibtex(text).references
    assert told(edited) == ()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Proc. Natl. Acad. Sci. U.S.A.", "Proceedings of the National Academy of Sciences"),
        ("PNAS", "Proceedings of the National Academy of Sciences"),
        ("Phys. Rev. Lett.", "Physical Review Letters"),
        ("N Engl J Med", "New England Journal of Medicine"),
        ("Angew. Chem. Int. Ed.", "Angewandte Chemie International Edition"),
        ("Nucleic Acids Res", "Nucleic Acids Research"),
        ("IEEE Trans. Pattern Anal.", "IEEE Transactions on Pattern Analysis and Machine Intelligence"),
        ("The BMJ", "BMJ"),
        ("Science (New York, N.Y.)", "Science"),
        ("Dev Cogn Neurosci", "Developmental Cognitive Neuroscience"),
        ("Int J Obes (Lond)", "International Journal of Obesity"),
        ("Rev. Mod. Phys", "Reviews of Modern Physics"),
    ],
)  # fmt: skip
def test_abbreviations_are_the_same_venue(a: str, b: str) -> None:
    assert same_venue(a, b)
    assert same_venue(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [("The Lancet", "Nature Medicine"), ("Journal of Sleep Research", "Journal of Surgical Oncology")],
)
def test_other_journals_are_not(a: str, b: str) -> None:
    assert not same_venue(a, b)


NAMES = st.sampled_from(
    [
        "Zhang",
        "Roe",
        "Müller",
        "Ångström",
        "O'Brien",
        "García-López",
        "Nguyen",
        "Şahin",
        "Kowalczyk",
        "Li",
        "Ødegård",
        "Smith-Jones",
        "Weiß",
        "Iwasaki",
    ]
)
GIVEN = st.sampled_from(
    [
        "Wei",
        "Clara",
        "Jörg",
        "Anna-Lena",
        "José",
        "María",
        "Søren",
        "Xiao-Ming",
        "Kim",
        "Émile",
        "John",
        "Paul",
    ]
)
PERSON = st.builds(lambda family, given: Author(family=family, given=given), NAMES, GIVEN)
WORDS = st.lists(
    st.sampled_from(
        [
            "sleep",
            "growth",
            "of",
            "mice",
            "neural",
            "networks",
            "for",
            "deep",
            "learning",
            "trials",
            "β-amyloid",
            "TNF-α",
            "in",
            "women",
        ]
    ),
    min_size=5,
    max_size=12,
)
VENUES = st.sampled_from(
    [
        "Journal of Neural Engineering",
        "Annals of Applied Biology",
        "Reviews of Modern Physics",
        "Nature Medicine",
    ]
)


def _short(word: str) -> str:
    return word if len(word) < 5 else word[:4] + "."


@st.composite
def records(draw: st.DrawFn) -> Record:
    people = tuple(draw(st.lists(PERSON, min_size=1, max_size=9, unique_by=lambda a: a.family)))
    title = " ".join(draw(WORDS)).capitalize()
    if draw(st.booleans()):
        title = f"{title}: {' '.join(draw(WORDS))}"
    return Record(
        source="test",
        record_id="p",
        title=title,
        authors=people,
        year=draw(st.integers(1970, 2024)),
        venue=draw(VENUES),
        kinds=("journal-article",),
    )


def _initials(given: str) -> str:
    return " ".join(f"{part[0]}." for part in given.replace("-", " ").split())


@given(records(), st.sampled_from(["apa", "vancouver", "ieee"]), st.booleans())
def test_an_entry_in_any_usual_style_gives_no_serious_mismatch(
    work: Record, style: str, abbreviated: bool
) -> None:
    venue = (
        " ".join(_short(w) for w in (work.venue or "").split() if w != "of") if abbreviated else work.venue
    )
    names = work.authors
    if style == "apa":
        written = ", ".join(f"{a.family}, {_initials(a.given or '')}" for a in names)
        raw = f"{written} ({work.year}). {work.title}. {venue}, 12(3), 45–67."
    elif style == "vancouver":
        written = ", ".join(
            f"{a.family} {_initials(a.given or '').replace('.', '').replace(' ', '')}" for a in names[:6]
        )
        raw = (
            f"{written}{', et al' if len(names) > 6 else ''}. {work.title}. {venue}. {work.year};12(3):45-67."
        )
    else:
        written = ", ".join(f"{_initials(a.given or '')} {a.family}" for a in names)
        raw = f'{written}, "{work.title}," {venue}, vol. 12, no. 3, pp. 45–67, {work.year}.'
    for reference in PlainListParser().parse(raw, offset=None).references:
        found = mismatches(reference, [Version(work, by_identifier=True)])
        assert not [m for m in found if m.serious], raw


@given(records(), st.booleans())
def test_an_entry_of_a_reference_manager_gives_no_mismatch_at_all(work: Record, upper: bool) -> None:
    authors = " and ".join(f"{a.family}, {a.given}" for a in work.authors)
    title = work.title.upper() if upper and "β" not in work.title and "α" not in work.title else work.title
    text = (
        f"@article{{k,\n author = {{{authors}}},\n title = {{{{{title}}}}},\n journal = {{{work.venue}}},\n"
        f" year = {work.year}\n}}"
    )
    (reference,) = read_bibtex(text).references
    assert mismatches(reference, [Version(work, by_identifier=True)]) == ()
