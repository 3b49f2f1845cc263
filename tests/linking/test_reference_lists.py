"""Splitting a list into entries."""

import pytest

from veriscite.domain import Reference
from veriscite.linking import PlainListParser


def parse(text: str) -> tuple[Reference, ...]:
    return PlainListParser().parse(text).references


def raws(text: str) -> list[str]:
    return [r.raw for r in parse(text)]


@pytest.mark.parametrize("label", ["[{}]", "({})", "{}.", "{})", "{}"])
def test_numbered_entries_of_every_shape_over_wrapped_lines(label: str) -> None:
    text = "\n".join(
        f"{label.format(n)} Aker P. Dunes that walk in the\nnight. J Test Geo. {2000 + n};3:1-\n9."
        for n in range(1, 12)
    )
    references = parse(text)
    assert [r.label for r in references] == [str(n) for n in range(1, 12)]
    assert {r.title for r in references} == {"Dunes that walk in the night"}
    assert [r.year for r in references] == list(range(2001, 2012))
    assert [r.id for r in references][:2] == ["ref-1", "ref-2"]


def test_labels_on_lines_of_their_own_and_blank_lines() -> None:
    text = "1\nAker P. Dunes walk. J Test. 2001;3:1-9.\n\n2\nBrun Q. Dunes sleep. J Test. 2002;4:1-9."
    assert [(r.label, r.title) for r in parse(text)] == [("1", "Dunes walk"), ("2", "Dunes sleep")]


def test_labels_of_which_only_some_stand_alone() -> None:
    entries = [f"Aker P. Dunes that walk. J Test. {2001 + n};3:1-9." for n in range(6)]
    text = "\n".join(f"[{n}]{' ' if n > 3 else chr(10)}{entry}" for n, entry in enumerate(entries, start=1))
    assert [(r.label, r.year) for r in parse(text)] == [(str(n), 2000 + n) for n in range(1, 7)]


def test_a_number_that_opens_a_wrapped_line_is_no_label() -> None:
    text = (
        "1. Aker P. Dunes that walk. J Test. 2001;\n12. Field Press.\n"
        "2. Brun Q. Dunes. J Test. 2002;4:\n1990. 3 p."
    )
    assert [r.label for r in parse(text)] == ["1", "2"]


def test_years_that_open_lines_are_no_labels() -> None:
    text = (
        "Kosiol C, Vinar T, Siepel A.\n2008. Patterns of selection. PLOS G 4:1-9.\n\n"
        "Liu S, Lorenzen E.\n2009. Bears of the north. Cell 157:785-794.\n\n"
        "Yang Z, Dos Reis M.\n2011. Properties of the test. Mol Evol 28:1217-1228."
    )
    assert [(r.label, r.year, r.title) for r in parse(text)] == [
        (None, 2008, "Patterns of selection"),
        (None, 2009, "Bears of the north"),
        (None, 2011, "Properties of the test"),
    ]


def test_two_entries_on_one_line() -> None:
    text = (
        "[1] A. Ode, Rates, J. Test 1, 2-3 (1994). [2] B. Pim, Dates, J. Test 2, 4-5 (1995).\n"
        "[3] C. Rau, Fates, J. Test 3, 6-7 (1996)."
    )
    assert [(r.label, r.year) for r in parse(text)] == [("1", 1994), ("2", 1995), ("3", 1996)]


def test_very_short_entries_keep_their_numbers() -> None:
    text = (
        "44. Kim L. Phrases. J Test IR 2011.\n45. KeyTool. http://key.example.org\n46. TagIt\n"
        "47. Lin M. Tags. J Test IR 2012."
    )
    references = parse(text)
    assert [(r.label, r.title) for r in references] == [
        ("44", "Phrases"), ("45", "KeyTool"), ("46", "TagIt"), ("47", "Tags"),
    ]  # fmt: skip
    assert references[1].url == "http://key.example.org"


def test_parts_of_one_number_are_entries_of_their_own() -> None:
    text = (
        "(12) (a) Noor, P.; Oss, Q. J. Test Chem. 2001, 12, 1-9. (b) Paz, R. Test Lett. 2002, "
        "3, 44.\n(13) Rao, T. Test Acc. 2004, 7, 8."
    )
    assert [(r.label, r.year, r.title) for r in parse(text)] == [
        ("12a", 2001, None), ("12b", 2002, None), ("13", 2004, None),
    ]  # fmt: skip


def test_labels_that_are_no_numbers() -> None:
    text = (
        "[Smi20] Smith, A. Silt. Mud J, 2020.\n[ABC+19] Abel, A. Mud. Mud J,\n2019.\n"
        "[X] Xu, B. Clay. Mud J, 2018."
    )
    assert [r.label for r in parse(text)] == ["Smi20", "ABC+19", "X"]


def test_unlabelled_entries_line_by_line() -> None:
    text = (
        "Li Chenn and Q. Tangg. Two-sided mix-ups. JTC - Journal of Test Computing, 14(3):416-440, 2008\n"
        "Boyd, X. Posts about posts. Social Test + Society, 5(1), 2019\n"
        "World Health Organization. (2020). Guidelines on smoke. Author."
    )
    assert [r.authors[0].family for r in parse(text)] == ["Chenn", "Boyd", "World Health Organization"]


def test_unlabelled_entries_with_a_hanging_indent() -> None:
    text = (
        "Griff, A., 2008. Old lakes of the plain. Quat Test 12, 1-9.\n     Shorelines dated by shells.\n"
        "Helm, B., 2010. Dunes and wind. Quat Test\n   14, 22-30.\n"
        "  Ivers, C., 2011. Pollen. Quat Test 15, 2-4."
    )
    assert [r.year for r in parse(text)] == [2008, 2010, 2011]


def test_unlabelled_entries_wrapped_without_indent_or_blank_lines() -> None:
    text = (
        "Albers HE (2012) The regulation of social recognition, social com-\nmunication and aggression: the\n"
        "neural network. Horm Behav 61:283-292. CrossRef Medline\n"
        "Arakawa H, Arakawa K, Blanchard DC, Blanchard RJ (2008a) A new\n"
        "test of scent. Behav Brain Res 190:97-104.\n"
        "CrossRef Medline\nBakker J, Honda S-I, Harada N (2002) The aromatase\n"
        "knock-out mouse. J Neurosci 22:9104-9112."
    )
    references = parse(text)
    assert [(r.authors[0].family, r.year, r.year_suffix) for r in references] == [
        ("Albers", 2012, None), ("Arakawa", 2008, "a"), ("Bakker", 2002, None),
    ]  # fmt: skip
    assert references[0].title is not None
    assert references[0].title.startswith("The regulation of social recognition, social communication")


def test_dashes_repeat_authors() -> None:
    text = (
        'Anders, Ella. "Agents at Sea." Trade Test 27 (1985): 70-84.\n'
        '———. "Agents Ashore." Trade Test 28 (1986): 1-9.\n'
        "——— and Ann T. Coul. Channels. Oslo: Field Press, 2002.\n"
        "———, ———, and Adel Ansari. Harbours. Oslo: Field Press, 2004."
    )
    assert [[a.family for a in r.authors] for r in parse(text)] == [
        ["Anders"], ["Anders"], ["Anders", "Coul"], ["Anders", "Coul", "Ansari"],
    ]  # fmt: skip


def test_what_follows_the_list_is_no_entry_and_is_told() -> None:
    text = (
        "[1] A. Brown. Typed clouds. Test PL, 2015.\n"
        "[2] C. Palm. Untyped clouds. Test PL, 2016.\n\nA\nMore on clouds\n\nWe set x = 1."
    )
    parsed = PlainListParser().parse(text, offset=100)
    assert [r.title for r in parsed.references] == ["Typed clouds", "Untyped clouds"]
    (note,) = parsed.notes
    assert note.raw.startswith("A\nMore on clouds")
    assert note.span is not None
    assert note.span.start == 100 + text.index("A\nMore")


def test_spans_are_given_only_for_a_list_in_the_manuscript() -> None:
    text = "1. Aker P. Dunes walk. J Test. 2001;3:1-9.\n2. Brun Q. Dunes\n sleep. J Test. 2002;4:1-9."
    body = "Text before.\n" + text
    for reference in PlainListParser().parse(text, offset=13).references:
        assert reference.span is not None
        assert reference.span.of(body) == reference.raw
    assert all(r.span is None for r in PlainListParser().parse(text, offset=None).references)


def test_an_empty_list_has_no_entries() -> None:
    assert PlainListParser().parse(" \n\n ").references == ()


def test_an_entry_that_cannot_be_parsed_is_still_an_entry() -> None:
    (first, second) = parse("[1] ???\n[2] §§ 12 ff.")
    assert (first.raw, first.title, first.authors, first.year) == ("[1] ???", None, (), None)
    assert second.raw == "[2] §§ 12 ff."


def test_a_pasted_list_of_one_line_each_is_not_joined() -> None:
    lines = [
        "World Bee Organization, Global strategy to help bees sleep.",
        "Institute of Naps, 2010 National Nap Survey report.",
        "E. Kaner, F. Beyer, and H. Dick, “Brief naps in primary care,” Bee Rev, vol. 4, pp. 1–9, 2007.",
        "P. Nilsen, “Naps: a review of what is known and of what is not, with a list of all hives that "
        "ever slept through a whole winter night,” Apidologie, vol. 32, pp. 954–959, 2010.",
        "R. Tait and H. Christ, “Naps of the young,” Med J Bee, vol. 192, pp. S15–S21, 2010.",
        "Institute of Naps, Hospital statistics 2010–11.",
        "J. McCam and M. Day, “Naps,” Bee Rev, vol. 9, pp. 1–2, 2008.",
        "A. Rubin, D. Kiv, and R. Vol, “Estimating naps with scores from hives of all sizes and kinds,” "
        "Apidologie, vol. 36, pp. 29–40, 2012.",
    ]
    assert raws("\n".join(lines)) == lines
