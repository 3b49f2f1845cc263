"""Where entries of lists without labels begin, and labels of further shapes."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veriscite.linking import PlainListParser
from veriscite.linking.references.entry_starts import entry_starts, shipped_weights, taught
from veriscite.linking.references.lines import lines_of, pieces_of
from veriscite.linking.references.unlabelled import split_unlabelled

_NAMES = ("Adams", "Baker", "Clark", "Davis", "Evans", "Fisher", "Green", "Hughes")
_TITLES = ("Naps of bees in hives", "Moths that walk at dusk", "How wasps count", "Ants on dunes in spring")


def _entries(form: str) -> list[str]:
    return [
        form.format(name=name, title=_TITLES[n % 4], year=1990 + n, volume=n + 3)
        for n, name in enumerate(_NAMES)
    ]


_FORMS = (
    "{name}, J. A., & Miller, P. ({year}). {title}. Apidologie, {volume}, 11–19.",
    "{name} JA, Miller P ({year}) {title}. Apidologie {volume}:11-19.",
    "{name} JA, Miller P: {title}. Apidologie {volume}: 11–19 ({year}).",
    "Jane {name} and Paul Miller. {year}. {title}. Apidologie, {volume}.",
)


def _raws(text: str) -> list[str]:
    return [" ".join(r.raw.split()) for r in PlainListParser().parse(text).references]


@pytest.mark.parametrize("form", _FORMS)
def test_a_list_that_runs_on_one_line_is_split(form: str) -> None:
    entries = _entries(form)
    assert _raws(" ".join(entries)) == entries


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("indent", ["", "    "])
def test_wrapped_entries_are_split_with_and_without_hanging_indents(form: str, indent: str) -> None:
    entries = _entries(form)
    wrapped = []
    for entry in entries:
        words = entry.split()
        wrapped.append(" ".join(words[:7]) + "\n" + indent + " ".join(words[7:]))
    assert _raws("\n".join(wrapped)) == entries


@pytest.mark.parametrize("label", ["{}.", "({})", "[{}]"])
@pytest.mark.parametrize("between", [" ", "  "])
def test_numbered_entries_that_run_on_one_line_are_split(label: str, between: str) -> None:
    entries = _entries(_FORMS[2])
    text = between.join(f"{label.format(n)} {e}" for n, e in enumerate(entries, 1))
    assert [r.label for r in PlainListParser().parse(text).references] == [str(n) for n in range(1, 9)]


@pytest.mark.parametrize("count", [2, 3])
def test_a_short_list_of_one_line_each_is_split(count: int) -> None:
    for form in _FORMS[:2]:
        assert _raws("\n".join(_entries(form)[:count])) == _entries(form)[:count]


@pytest.mark.parametrize(
    "line", ["PMID: 123456", "DOI: https://doi.org/10.1000/xyz", "CrossRef Medline", "ISBN 3-900051-07-0"]
)
def test_identifiers_on_lines_of_their_own_open_no_entry(line: str) -> None:
    entries = _entries(_FORMS[1])
    assert _raws("\n".join(f"{e}\n{line}" for e in entries)) == [f"{e} {line}" for e in entries]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("/1/ Ode A. Rates. 1994.\n/2/ Pim B. Dates. 1995.", ["1", "2"]),
        ("{1} Ode A. Rates. 1994.\n{2} Pim B. Dates. 1995.", ["1", "2"]),
        ("1: Ode A. Rates. 1994.\n2: Pim B. Dates. 1995.", ["1", "2"]),
        (
            "[Ode and Pim,\n1994] Ode, A. and Pim, B. Rates. 1994.\n[Pim et al., 1995] Pim, B. Dates. 1995.",
            ["Ode and Pim, 1994", "Pim et al., 1995"],
        ),
        (
            "[Ode et al.(1994)Ode, Pim, and\nRau] Ode, A. Rates. 1994.\n[Pim(1995)] Pim, B. Dates. 1995.",
            ["Ode et al.(1994)Ode, Pim, and Rau", "Pim(1995)"],
        ),
    ],
)
def test_labels_of_further_shapes(text: str, labels: list[str]) -> None:
    references = PlainListParser().parse(text).references
    assert [r.label for r in references] == labels
    assert [r.year for r in references] == [1994, 1995]


@pytest.mark.parametrize(
    "after",
    [
        "Communicated by H. Rau",
        "School of Naps, University of Bees, Oslo, Norway\nE-mail address: ode@example.org",
        "E-mail: ode@example.org",
        "A.O.: National Institute of Naps, 3 Hive Street",
        "Figure 6: Naps by hour.\n0.1 0.2 0.3",
        "This article was processed by the author using a style file.",
    ],
)
def test_what_stands_below_the_last_entry_is_no_part_of_it(after: str) -> None:
    parsed = PlainListParser().parse(f"[1] A. Ode, Rates, 1994.\n[2] B. Pim, Dates of\nnaps, 1995.\n{after}")
    assert [r.raw.split()[-1] for r in parsed.references] == ["1994.", "1995."]
    assert [note.raw for note in parsed.notes] == [after]


@pytest.mark.parametrize(
    "entry",
    [
        "C. Flood and J. Hicks. Sorting bees by their stripes in the dark of the hive and of the wood. In "
        "Proceedings of the 1994 ACM Conference on Bees and Honey, pages 12-23, Orlando, June 1994.",
        "HILTON, S., HUNT, K., BEDFORD, H. 2011. How papers told of bees that came to towns in hot "
        "summers of 2005 and 2006, and of what people did then. Social Science & Honey, 70, 942-950.",
        "PARK, C. K., LU, N., XU, Z. Z., LIU, T., SERHAN, C. N. 2011. Settling of bees in hives of straw and "
        "of wood in early spring. J Apidol, 31, 150-158. doi: 31/42/15 [pii]; 10.1523/JAPIDOL.2443-11.2011",
        "Alan Yuhas and Mazin Sidahmed, ‘Is this a swarm? The order of the council told,’ The Keeper, 31 "
        "January 2017, https://www.example.org/2017/jan/28/swarm-order-of-the-council-and-the-keepers, "
        "accessed 19 February, 2017.",
    ],
)
def test_one_entry_on_one_line_is_not_cut(entry: str) -> None:
    assert [r.raw for r in PlainListParser().parse(entry).references] == [entry]


def test_shipped_weights_belong_to_features_that_exist() -> None:
    lines = lines_of("\n".join(_entries(_FORMS[0])))
    named = {name for names, _ in taught(lines, range(len(lines))) for name in names}
    assert named & set(shipped_weights())
    assert "any" in shipped_weights()


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="AbcZ .,:;()&-\n\t12019", max_size=1_500))
def test_entries_cover_the_list_in_order(text: str) -> None:
    spans = split_unlabelled(text)
    assert all(a < b for a, b in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    kept = "".join(text[a:b] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())


def test_long_texts_take_time_in_proportion() -> None:
    text = " ".join(_entries(_FORMS[0]) * 500)
    assert len(entry_starts(pieces_of(text))) >= 3_900
