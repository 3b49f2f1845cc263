"""Authors with years: parenthetical, narrative, bare; who is meant, and when that cannot be told."""

import pytest

from tests.linking.helpers import claims, links, pair
from veriscite.domain import MarkerStyle, SkipReason

LIST = """\
Adams, K. (2019). A survey of dunes. Sand J.
Brandt, A. (2018). Edges of peat. Bog J.
Brandt, J. T. (2018). Tops of peat. Bog J.
de la Torre, M., & Ng, P. (2011). Wet walls. Wall J.
Garcia-Lorca, F. (2001). Songs of the plain. Plain J.
Holm, S. (2006). Mood and media. Media J.
Intergovernmental Panel on Climate Change. (2015). Synthesis report. Author.
Jones, L., Mbeki, S., & Roy, D. (2017). No trend in dunes. Sand J.
Müller, Ö., & Šimić, Ž. (2003). Weiße Nächte. Nacht J.
O'Carroll, D. (2004). Green lanes. Lane J.
Okafor, C. (in press). Bud break on slopes. J Phenol.
Smith, A. B. (2020). Tides and mud. Mud J.
Smith, A. B., Olu, T., & Rao, V. (2020). Silt budgets. Mud J.
van den Berg, H. (1999). Polders. Water J.
Varga, I. (2009a). Against mood. Mood J.
Varga, I. (2009b). For mood. Mood J.
World Health Organization. (2020). Guidelines on smoke. Author."""
ENTRIES = {line.split(",")[0].split(".")[0]: n for n, line in enumerate(LIST.split("\n"), start=1)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mood fades (Holm, 2006).", [("(Holm, 2006)", [6])]),
        ("Mood fades (Holm 2006).", [("(Holm 2006)", [6])]),
        ("Mood fades (see e.g. Holm, 2006, p. 3).", [("(see e.g. Holm, 2006, p. 3)", [6])]),
        ("Mood fades (Holm, 2006; Varga, 2009a).", [("(Holm, 2006; Varga, 2009a)", [6, 15])]),
        ("Mood fades (Holm 2006, Varga 2009b).", [("(Holm 2006, Varga 2009b)", [6, 16])]),
        ("Mood fades (Varga, 2009a,b).", [("(Varga, 2009a,b)", [15, 16])]),
        ("Mood fades (Varga, 2009a; 2009b).", [("(Varga, 2009a; 2009b)", [15, 16])]),
        ("Mood fades [Holm, 2006].", [("[Holm, 2006]", [6])]),
        ("Holm (2006) measured mood.", [("Holm (2006)", [6])]),
        ("Holm [2006] measured mood.", [("Holm [2006]", [6])]),
        ("In towns, Holm (2006, p. 3) measured mood.", [("Holm (2006, p. 3)", [6])]),
        ("As Holm’s (2006) essay says, mood fades.", [("Holm’s (2006)", [6])]),
        (
            "Adams' (2019) survey and Adams's (2019) comment.",
            [("Adams' (2019)", [1]), ("Adams's (2019)", [1])],
        ),
        ("Smith et al. (2020) weighed silt.", [("Smith et al. (2020)", [13])]),
        ("We follow Smith et al.’s (2020) method.", [("Smith et al.’s (2020)", [13])]),
        ("Smith (2020) weighed mud.", [("Smith (2020)", [12])]),
        ("Smith, Olu, and Rao (2020) weighed silt.", [("Smith, Olu, and Rao (2020)", [13])]),
        ("Jones and colleagues (2017) found none.", [("Jones and colleagues (2017)", [8])]),
        ("Walls are wet (de la Torre & Ng, 2011).", [("(de la Torre & Ng, 2011)", [4])]),
        ("De la Torre and Ng (2011) saw wet walls.", [("De la Torre and Ng (2011)", [4])]),
        ("Songs are old (García Lorca, 2001).", [("(García Lorca, 2001)", [5])]),
        ("Nights are white (Mueller & Simic, 2003).", [("(Mueller & Simic, 2003)", [9])]),
        ("Lanes are green (O’Carroll, 2004).", [("(O’Carroll, 2004)", [10])]),
        ("Polders sink (van den Berg, 1999).", [("(van den Berg, 1999)", [14])]),
        ("Peat dries (A. Brandt, 2018).", [("(A. Brandt, 2018)", [2])]),
        ("Peat dries (J. T. Brandt, 2018).", [("(J. T. Brandt, 2018)", [3])]),
        ("Buds open (Okafor, in press).", [("(Okafor, in press)", [11])]),
        (
            "Smoke harms (World Health Organization [WHO], 2020).",
            [("(World Health Organization [WHO], 2020)", [17])],
        ),
        ("Smoke harms (WHO, 2020).", [("(WHO, 2020)", [17])]),
        ("The World Health Organization (2020) warns.", [("World Health Organization (2020)", [17])]),
        ("Warming goes on (IPCC 2015).", [("(IPCC 2015)", [7])]),
        ("Dunes move (as shown by Adams, 2019).", [("(as shown by Adams, 2019)", [1])]),
        ("This was reviewed in Adams 2019 at length.", [("Adams 2019", [1])]),
        ("Dunes (cited in Holm, 2006) move.", [("(cited in Holm, 2006)", [6])]),
    ],
)
def test_markers_are_found_and_tied(text: str, expected: list[tuple[str, list[int]]]) -> None:
    pairing = pair(text, LIST)
    assert links(pairing) == expected
    assert not pairing.skipped
    assert {m.style for m in pairing.markers} == {MarkerStyle.AUTHOR_YEAR}


@pytest.mark.parametrize(
    "text",
    [
        "We enrolled farmers (n = 12) in May (2020) and later (June 2021).",
        "Yields rose (p < 0.05; Table S2, 2020 data).",
        "Analyses used R (version 4.1, 2021).",
        "Grants (No. 4521, 2018) and trial NCT00000000 (2016) paid.",
        "The dye (doi:10.1016/0003-2697(76)90527-3) and https://example.org/set(2019)/v2.",
        "Polymerase chain reaction (PCR) was used in 2019.",
        "Between 1990 and 2004 (1995 excepted) it rained.",
    ],
)
def test_false_friends(text: str) -> None:
    pairing = pair("Mood fades (Holm, 2006). " + text, LIST)
    assert links(pairing) == [("(Holm, 2006)", [6])]
    assert pairing.skipped == ()


def test_several_entries_that_fit_equally_are_reported() -> None:
    pairing = pair("Peat dries (Brandt, 2018). Mood fades (Varga, 2009).", LIST)
    assert [(s.reason, s.candidates) for s in pairing.skipped] == [
        (SkipReason.AMBIGUOUS_ENTRY, ("ref-2", "ref-3")),
        (SkipReason.AMBIGUOUS_ENTRY, ("ref-15", "ref-16")),
    ]
    assert pairing.claims == ()


def test_letters_that_the_list_does_not_print_follow_its_order() -> None:
    references = "Fick, A. (2019). Archives of clubs. Past J.\nFick, A. (2019). Broadcast ruins. Past J."
    pairing = pair(
        "Clubs grew (Fick, 2019a). Clubs closed (Fick, 2019b). Some stayed (Fick, 2019).", references
    )
    assert [refs for _, refs in links(pairing)] == [[1], [2], []]
    assert pairing.skipped[0].candidates == ("ref-1", "ref-2")


def test_another_year_is_reported_with_the_entry_that_may_be_meant() -> None:
    pairing = pair("Mood fades (Holm, 2006). Dunes rest (Jones et al., 2007).", LIST)
    (skipped,) = pairing.skipped
    assert (skipped.reason, skipped.candidates) == (SkipReason.NO_ENTRY, ("ref-8",))


@pytest.mark.parametrize("marker", ["(Nobody, 2010)", "(Nobody & Noone, 2010)", "(Nobody et al., 2010)"])
def test_an_author_who_is_not_listed_is_reported(marker: str) -> None:
    pairing = pair(f"Mood fades (Holm, 2006). Dunes rest {marker}.", LIST)
    assert [(s.reason, s.candidates) for s in pairing.skipped] == [(SkipReason.NO_ENTRY, ())]


def test_only_the_work_that_was_read_is_cited() -> None:
    pairing = pair(
        "Dunes rest (Moreau, 1953, as cited in Holm, 2006). Moreau (1953, as cited in Holm, 2006) too.", LIST
    )
    assert links(pairing) == [
        ("(Moreau, 1953, as cited in Holm, 2006)", [6]),
        ("Moreau (1953, as cited in Holm, 2006)", [6]),
    ]
    assert pairing.skipped == ()


def test_ibid_means_the_marker_before_unless_that_is_a_group() -> None:
    pairing = pair(
        "Mood fades (Holm, 2006, p. 3). It ends early (ibid., p. 7). "
        "Others differ (Holm, 2006; Adams, 2019). It lasts (ibid.).",
        LIST,
    )
    assert [refs for _, refs in links(pairing)] == [[6], [6], [6, 1], []]
    assert pairing.skipped[0].candidates == ("ref-6", "ref-1")


def test_a_remark_that_cites_keeps_its_words() -> None:
    text = (
        "Mood fades (a finding that was later confirmed in three large towns by Holm, "
        "2006, who also weighed what "
        "the listeners of the first trial had said about their own mood)."
    )
    pairing = pair(text, LIST)
    assert links(pairing) == [("Holm, 2006", [6])]
    assert "confirmed in three large towns by Holm, who also" in claims(pairing)[0]


def test_numbers_are_no_markers_in_a_document_of_names() -> None:
    pairing = pair("Mood fades (Holm, 2006). Dunes move (Adams, 2019). See [3] and (2).", LIST)
    assert [raw for raw, _ in links(pairing)] == ["(Holm, 2006)", "(Adams, 2019)"]


def test_an_entry_whose_authors_were_not_read_is_known_by_its_first_word() -> None:
    references = (
        "Fujita W Gomes I Dove LS Devi LA (2014) A ligand. J Test.\n"
        "US DEA (Drug Office) (2015). A rule. Author."
    )
    pairing = pair("It binds (Fujita et al., 2014). It was banned (US DEA, 2015).", references)
    assert [refs for _, refs in links(pairing)] == [[1], [2]]


def test_words_before_the_authors_are_no_authors() -> None:
    text = "Dunes move (please see the third paragraph of the Introduction and Adams, 2019; Holm, 2006)."
    assert [refs for _, refs in links(pair(text, LIST))] == [[1, 6]]
