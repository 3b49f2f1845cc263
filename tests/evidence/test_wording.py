"""How the words of two titles differ: a letter can make another work."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.evidence.folding import fold
from veriscite.evidence.titles import TitleFit, compare_titles, find_title, notice_kind
from veriscite.evidence.wording import compare_words, is_misspelt

WORDS = st.sampled_from(
    sorted({*"acdi2", "slow", "light", "cold", "of", "the", "men", "women", "part", "alpha"})
)
TITLES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("fibres", "fibers", True),
        ("behavior", "behaviour", True),
        ("randomised", "randomized", True),
        ("analysis", "analysys", True),
        ("anaemia", "anemia", True),
        ("paediatric", "pediatric", True),
        ("effect", "effects", True),
        ("tumuor", "tumour", True),
        # Other words, however alike.
        ("men", "women", False),
        ("male", "female", False),
        ("mice", "rice", False),
        ("iran", "iraq", False),
        ("hypertension", "hypotension", False),
        ("intracellular", "intercellular", False),
        ("increased", "decreased", False),
        ("linear", "nonlinear", False),
        ("symmetric", "asymmetric", False),
        ("covid19", "covid18", False),
        ("upper", "lower", False),
        ("vitro", "vivo", False),
        ("prenatal", "postnatal", False),
        ("inclusion", "exclusion", False),
        ("microscopic", "macroscopic", False),
    ],
)
def test_misspellings(a: str, b: str, expected: bool) -> None:
    assert is_misspelt(a, b) is expected
    assert is_misspelt(b, a) is expected


@pytest.mark.parametrize(
    ("cited", "found", "fit"),
    [
        # A letter, a number, a word of a few letters.
        ("Vitamin C and colds in winter", "Vitamin D and colds in winter", TitleFit.DIFFERENT),
        ("Vaccines against hepatitis A virus", "Vaccines against hepatitis B virus", TitleFit.DIFFERENT),
        ("Roles of TNF-α in slow colds", "Roles of TNF-β in slow colds", TitleFit.DIFFERENT),
        ("Sleep and diet of old men in towns", "Sleep and diet of old women in towns", TitleFit.DIFFERENT),
        ("On slow light. Part I", "On slow light. Part II", TitleFit.DIFFERENT),
        ("On slow light in glass. Part I", "On slow light in glass. Part 1", TitleFit.CLOSE),
        ("On slow light in glass. Part I", "On slow light in glass", TitleFit.DIFFERENT),
        ("Slow light in glass at 5 kelvin", "Slow light in glass at 05 kelvin", TitleFit.CLOSE),
        (
            "Care with drugs for old people at home",
            "Care without drugs for old people at home",
            TitleFit.DIFFERENT,
        ),
        # Words in another place, split, joined, forgotten.
        ("Bench marking slow light in glas", "Benchmarking slow light in glass", TitleFit.CLOSE),
        ("Effect of slow light on glass", "Effects of the slow light in glass", TitleFit.CLOSE),
        (
            "Slow light in cold fibres: a first measurement of speed",
            "Slow light in cold glass fibres: a first measurement of speed",
            TitleFit.CLOSE,
        ),
        ("Slow light in fibres of glass", "Cold slow light in fibres of glass", TitleFit.DIFFERENT),
        (
            "Slow light in cold glass fibres of air",
            "Slow light in cold glass fibres of air revisited",
            TitleFit.DIFFERENT,
        ),
        # Two subtitles of one main title.
        (
            "Slow light in cold glass: a tutorial",
            "Slow light in cold glass: how it is made",
            TitleFit.DIFFERENT,
        ),
        (
            "Slow light in cold glass fibres and ro...",
            "Slow light in cold glass fibres and rods of ice",
            TitleFit.PARTIAL,
        ),
        ("Slow light in cold gla…", "Slow light in cold glass fibres and rods of ice", TitleFit.PARTIAL),
        # What lists write behind a title.
        ("Slow light in glass [J]", "Slow light in glass", TitleFit.EXACT),
        ("Slow light in glass (in press)", "Slow light in glass", TitleFit.EXACT),
        ("Slow light in glass, 2nd ed.", "Slow light in glass", TitleFit.EXACT),
        ("Slow light in glass. arXiv preprint", "Slow light in glass", TitleFit.EXACT),
    ],
)
def test_titles_that_differ_in_a_word(cited: str, found: str, fit: TitleFit) -> None:
    assert compare_titles(cited, found).fit is fit
    assert compare_titles(found, cited).fit is fit


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Decision letter for “Slow light”", "decision"),
        ('Peer Review #2 of "Slow light (v0.1)"', "review"),
        ("eLife Assessment: Slow light", "assessment"),
        ("Faculty Opinions recommendation of Slow light.", "recommendation"),
        ("Supplementary material for “Slow light”", "supplementary"),
        ("Data from: Slow light", "data"),
        ("Additional file 3 of Slow light", "additional"),
        ("Figure S2 from Slow light", "figure"),
        ("MOESM1 of Slow light", "moesm"),
        ("Replication data for: Slow light", "replication"),
        ("A comment on: Slow light", "comment"),
        ("Remarks on “Slow light”", "remark"),
        ("Data mining in slow light", ""),
        ("Evaluating slow light", ""),
    ],
)
def test_notices_of_reviewers_and_archives(title: str, kind: str) -> None:
    assert notice_kind(title) == kind


@pytest.mark.parametrize(
    ("raw", "fit"),
    [
        ("Iqbal S. Slow light in cold glass fibres. J Opt. 2019;3:1-9.", TitleFit.PARTIAL),
        (
            "@article{k, author = {Iqbal, S}, title = {{Slow light in cold glass fibres}}, year = {2019}}",
            TitleFit.PARTIAL,
        ),
        ("Iqbal S. Slow light in cold glass fibres: a reply. J Opt. 2019.", TitleFit.DIFFERENT),
        ("Iqbal S. Slow light in cold glass fibres (in ice). J Opt. 2019.", TitleFit.DIFFERENT),
        (
            "Iqbal S. Slow light in cold glass fibres: a first measurement. Rev Opt Review. 2019.",
            TitleFit.EXACT,
        ),
    ],
)
def test_a_main_title_inside_an_entry(raw: str, fit: TitleFit) -> None:
    assert find_title("Slow light in cold glass fibres: a first measurement", raw).fit is fit


def test_a_book_around_the_cited_chapter_is_not_taken() -> None:
    raw = "Iqbal S. Basic issues of slow light. Handbook of cold glass and fibres. 2003. p. 1-9."
    people = frozenset({"sara", "iqbal"})
    assert find_title("Handbook of cold glass and fibres", raw, people=people).fit is TitleFit.DIFFERENT
    assert find_title("Basic issues of slow light", raw, people=people).fit is TitleFit.EXACT
    inside = "Iqbal S. In: Handbook of cold glass and fibres. 2003."
    assert find_title("Handbook of cold glass and fibres", inside).fit is TitleFit.DIFFERENT


@given(TITLES, TITLES)
def test_comparison_is_symmetric(a: str, b: str) -> None:
    assert compare_titles(a, b).fit is compare_titles(b, a).fit
    there, back = compare_words(fold(a), fold(b)), compare_words(fold(b), fold(a))
    assert bool(there.lost or there.added) is bool(back.lost or back.added)


@given(TITLES, TITLES)
def test_case_diacritics_and_punctuation_mean_nothing(a: str, b: str) -> None:
    plain = compare_titles(a, b)
    for change in (
        str.upper,
        lambda t: t.replace("a", "á").replace("o", "ö"),
        lambda t: f"“{t}”",
        lambda t: t.replace(" ", "  "),
        lambda t: t.replace("light", "<i>light</i>"),
    ):
        assert compare_titles(change(a), b).fit is plain.fit
        assert compare_titles(a, change(b)).fit is plain.fit


@given(TITLES)
def test_a_title_is_itself(title: str) -> None:
    assert compare_titles(title, title).fit is TitleFit.EXACT
    assert not compare_words(fold(title), fold(title)).lost


@pytest.mark.parametrize(
    "title",
    [
        "word " * 20_000,
        "x" * 100_000,
        "a: " * 33_000,
        "(a " * 33_000,
        "1 " * 50_000,
        "abcdefghi " * 5_000 + "abcdefghj " * 5_000,
        "… " * 50_000,
        "comment on " * 9_000,
        ". part i" * 12_000,
        "<i>" * 33_000,
        "\\alpha{" * 14_000,
    ],
)
def test_a_title_of_100_000_characters_takes_little_time(title: str) -> None:
    began = time.process_time()
    compare_titles(title, title[1:])
    compare_titles(title, "slow light in cold glass fibres of air")
    find_title(title, title[7:])
    find_title("slow light in cold glass fibres: a first look", title)
    notice_kind(title)
    assert time.process_time() - began < 3
