"""Parsing one entry into fields."""

import pytest

from tests.linking.helpers import parse
from veriscite.linking import PlainListParser


@pytest.mark.parametrize(
    ("entry", "families", "title", "year"),
    [
        ("Smith, A. B., Olu, T., & Rao, V. (2020). Silt budgets. Mud Journal, 12, 1-9.",
         ["Smith", "Olu", "Rao"], "Silt budgets", 2020),
        ("Aker P, Brun QR. Dunes that walk. J Test Geo. 2001;3(2):1-9.", ["Aker", "Brun"],
         "Dunes that walk", 2001),
        ("Meiss MH, Chand WL: Clots after falls: a local sign?. J Test Trauma 2003, 54:224-31.",
         ["Meiss", "Chand"], "Clots after falls: a local sign?", 2003),
        ('A. Bora and C. Dahl, "Foam on slow rivers," J. Test Water, vol. 3, no. 2, pp. 10-19, 2011.',
         ["Bora", "Dahl"], "Foam on slow rivers", 2011),
        ("Ash Vasan, Aidan N. Gomes, Łukasz Kais, and Illia Polo. Only looking is needed. "
        "In Proc. Test NIPS, 2017.",
         ["Vasan", "Gomes", "Kais", "Polo"], "Only looking is needed", 2017),
        ("Ö. Demir, J. van den Hoek, Md. Rahim Uddin, and F. Roland. Keys and doors. In Test Sec, 2021.",
         ["Demir", "van den Hoek", "Uddin", "Roland"], "Keys and doors", 2021),
        ("Jamy Lugo and Lior Strand. 2021. Light on Sly Menus. Journal of Test Law (2021).",
         ["Lugo", "Strand"], "Light on Sly Menus", 2021),
        ("Anders, Ella. “Agents at Sea.” Trade Test 27 (1985): 70-84.", ["Anders"], "Agents at Sea", 1985),
        ("McKea, John W., Jr. Silent films of 1919. Oslo: Field Press, 1950.", ["McKea"],
         "Silent films of 1919", 1950),
        ("Cloe GD, Simms Jr. GM, and Whart RA, Jr. 1988. Ice on cold lakes. J Test Clim 1:715-728.",
         ["Cloe", "Simms Jr.", "Whart"], "Ice on cold lakes", 1988),
        ("de la Torra, J., & Garcia Lorka, F. (1999). Songs of the plain. Field Press.",
         ["de la Torra", "Garcia Lorka"], "Songs of the plain", 1999),
        ("R. S. Sutt and A. G. Bart, Learning from crumbs: An introduction. Field press, 2018.",
         ["Sutt", "Bart"], "Learning from crumbs: An introduction", 2018),
        ("T. Ven; F.-Y. Cyr; and C. Hira: Dark matter and the early sky, Test Rev. D94, 043515 (2016).",
         ["Ven", "Cyr", "Hira"], "Dark matter and the early sky", 2016),
        ("Judd, A., Stift, N., and Weip, E. Mining profit is hard, let's go fishing! Test "
        "ePrint Archive, 2021.",
         ["Judd", "Stift", "Weip"], "Mining profit is hard, let's go fishing!", 2021),
        ("Wanda X, Yoro Z, et al. Dust in lungs. Test Chest 2001, 119(1 Suppl):132S-75S.",
         ["Wanda", "Yoro"], "Dust in lungs", 2001),
        ("Čapek D. [Dust in bread]. Test Lek. 1988;4:2. Czech.", ["Čapek"], "Dust in bread", 1988),
        ("Ek F. RETRACTED: Dust in tea. Test Food. 2012 Jan 3. [Epub ahead of print]", ["Ek"],
         "Dust in tea", 2012),
        ("World Health Organization. (2020). Guidelines on smoke. Author.",
         ["World Health Organization"], "Guidelines on smoke", 2020),
        ("Noor, P.; Oss, Q. J. Test Chem. 2001, 12, 1-9.", ["Noor", "Oss"], None, 2001),
        ("S. E. Han, G. Chen, Nano Lett. 2010, 10, 1012.", ["Han", "Chen"], None, 2010),
        ("WordNest 3.0, http://nest.example.org/", [], "WordNest 3.0", None),
    ],
)  # fmt: skip
def test_styles(entry: str, families: list[str], title: str | None, year: int | None) -> None:
    reference = parse(entry)
    assert [a.family for a in reference.authors] == families
    assert (reference.title, reference.year) == (title, year)
    assert reference.raw == entry


def test_organisations_are_told_from_people() -> None:
    assert parse("World Health Organization. (2020). Guidelines on smoke.").authors[0].corporate
    assert not parse("Smith, A. (2020). Silt.").authors[0].corporate


@pytest.mark.parametrize(
    ("words", "year"), [("(in press)", None), ("(n.d.)", None), ("(forthcoming)", None), ("(2019b)", 2019)]
)
def test_years_and_what_stands_for_one(words: str, year: int | None) -> None:
    reference = parse(f"Okafor, C. {words}. Bud break on slopes. J Phenol.")
    assert (reference.year, reference.title) == (year, "Bud break on slopes")
    assert reference.year_suffix == ("b" if year else None)


def test_identifiers_over_line_ends() -> None:
    references = (
        PlainListParser()
        .parse(
            "[4] V. Tarok. Codes on odd rings. Test Trans., 48(5):1319-1343, 2002. "
            "doi:10.9999/TTI.2002.\n1003824\n"
            "[5] B. Foo. Codes. Test Trans., 2003. https://doi.org/10.9999/\ntti.2003.99-7."
        )
        .references
    )
    assert [r.identifiers.doi for r in references] == ["10.9999/tti.2002.1003824", "10.9999/tti.2003.99-7"]
    assert [r.year for r in references] == [2002, 2003]
    assert [r.title for r in references] == ["Codes on odd rings", "Codes"]


def test_arxiv_pmid_and_url() -> None:
    reference = parse(
        "Aker P. Dunes. arXiv:1706.03762, 2017. PMID: 12345678. "
        "http://a.example.org/walk-\nthe-dunes/ Accessed 3 May 2020."
    )
    assert reference.identifiers.arxiv == "1706.03762"
    assert reference.identifiers.pmid == "12345678"
    assert reference.url == "http://a.example.org/walk-the-dunes/"
    assert reference.year == 2017


def test_blocks_with_the_title_first() -> None:
    references = (
        PlainListParser()
        .parse(
            "1. Finding Things Again\nMara Nilsen, Jo Perk\n"
            "Field University Press (2011-01-31)\nDOI: 10.9999/9781400839452\n"
            "2. Botbook writes a review\nJo Perk\nTestjobs (2018-02-20) http://blogs.example.org/botbook"
        )
        .references
    )
    assert [(r.title, r.year, [a.family for a in r.authors]) for r in references] == [
        ("Finding Things Again", 2011, ["Nilsen", "Perk"]),
        ("Botbook writes a review", 2018, ["Perk"]),
    ]
    assert references[0].identifiers.doi == "10.9999/9781400839452"


def test_venue() -> None:
    assert parse("Aker P. Dunes that walk. J Test Geo. 2001;3:1-9.").venue == "J Test Geo"
    assert parse("Smith, A. (2020). Silt budgets. Mud Journal, 12(3), 1-9.").venue == "Mud Journal"
    assert parse("Ode A, Pim B (2001) Dunes that walk. J. Biol. Dunes 3, 1-9.").venue == "J. Biol. Dunes"
    assert parse("McKea, J. (1950). Silent films. Oslo: Field Press.").venue is None


@pytest.mark.parametrize(
    "title", ["Aspirin and mortality in old patients", "Sugar & cancer risk", "Sleep and memory"]
)
def test_a_title_of_two_things_is_not_two_names(title: str) -> None:
    entry = parse(f"1. Ames B. {title}. J Test. 2001;1:1-9.")
    assert (entry.title, [a.family for a in entry.authors]) == (title, ["Ames"])


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("M. Aker, The naps of bees (Hive Press, Honeytown, 1979).", "The naps of bees"),
        ("H. Aker, The naps of bees, Amsterdam 1984.", "The naps of bees"),
        ("S. Aker, The naps of bees, Copenhagen 1955-1958.", "The naps of bees"),
        ("Aker T., The naps of bees, New York: Hive University Press, 2003, 406 p.", "The naps of bees"),
        ("Aker J., Brun P., 1985, The naps of bees, Springer-Verlag, New York.", "The naps of bees"),
        (
            "BEE collaboration, J. Aker et al., The naps of bees, Phys. Rev. D 71 (2005) 1.",
            "The naps of bees",
        ),
        ('3GPP TR 21.905: "The naps of bees".', "The naps of bees"),
        ("Aker F, Brun N 2006, The naps of bees, Commun. Math. Phys., 264, 465-503.", "The naps of bees"),
        (
            "Aker DK, Brun A. The naps of bees in Canada N Engl J Med 1999; 341:233-239.",
            "The naps of bees in Canada",
        ),
        ("Aker R, Brun J. The naps of bees Semin Immunol 9: 329-330, 1997.", "The naps of bees"),
        (
            "E. Aker, B. Brun, The naps of bees in hives ,Rept .Prog .Phys .79 ( 1)( 2016)014401",
            "The naps of bees in hives",
        ),
    ],
)
def test_titles_end_where_publisher_place_or_journal_begin(entry: str, title: str) -> None:
    assert parse(entry).title == title


@pytest.mark.parametrize(
    "title",
    [
        "Cancer deaths in a developing area: Chennai (Madras, India) experience",
        "A new hydroid (Hydrozoa, Anthomedusae) and its relationships",
        "Naps, dreams, and memory in the bees of Canada",
    ],
)
def test_brackets_and_commas_may_belong_to_a_title(title: str) -> None:
    assert parse(f"Aker CK, Brun V. {title}. J Test. 2001;3:1-9.").title == title
