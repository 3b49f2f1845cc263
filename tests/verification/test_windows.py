import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.verification.windows import closest, window_spans, window_texts


def test_three_sentences_at_a_time_two_further_on() -> None:
    assert window_spans(7) == ((0, 3), (2, 5), (4, 7))


def test_the_last_window_keeps_its_size() -> None:
    assert window_spans(8) == ((0, 3), (2, 5), (4, 7), (5, 8))


def test_a_short_abstract_is_one_window() -> None:
    assert window_spans(2) == ((0, 2),)
    assert window_spans(0) == ()


@given(st.integers(1, 200), st.integers(1, 9), st.data())
def test_every_sentence_is_read(count: int, size: int, data: st.DataObject) -> None:
    stride = data.draw(st.integers(1, size))
    spans = window_spans(count, size, stride)
    assert {i for span in spans for i in range(*span)} == set(range(count))
    assert all(stop - start == min(size, count) for start, stop in spans)
    assert list(spans) == sorted(set(spans))


@pytest.mark.parametrize(("count", "size", "stride"), [(-1, 3, 2), (5, 0, 1), (5, 3, 4), (5, 3, 0)])
def test_gaps_are_refused(count: int, size: int, stride: int) -> None:
    with pytest.raises(ValueError, match="no windows"):
        window_spans(count, size, stride)


def test_texts_are_the_sentences_of_the_span() -> None:
    assert window_texts(["A b. ", "C.", "D."], [(0, 2), (1, 3)]) == ["A b. C.", "C. D."]


TEXTS = (
    "Asthma is common.",
    "We gave aspirin to mice.",
    "Aspirin lowered mortality.",
    "More work is needed.",
)


def test_the_closest_windows_are_kept_in_reading_order() -> None:
    assert closest("Aspirin lowered mortality in mice.", TEXTS, 2) == (1, 2)
    assert closest("Aspirin lowered mortality.", TEXTS, 9) == (0, 1, 2, 3)


def test_of_equals_the_later_are_kept() -> None:
    assert closest("Nothing alike here.", TEXTS, 2) == (2, 3)


def test_rare_words_weigh_more() -> None:
    texts = ("the drug and the dose", "the drug and the cost", "the drug and the dose", "zinc")
    assert closest("zinc drug", texts, 2) == (2, 3)


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        closest("zinc", TEXTS, 0)


@given(st.text(), st.lists(st.text(), max_size=40), st.integers(1, 12))
def test_whatever_the_texts_the_indices_are_theirs(claim: str, texts: list[str], at_most: int) -> None:
    kept = closest(claim, texts, at_most)
    assert list(kept) == sorted(set(kept))
    assert set(kept) <= set(range(len(texts)))
    assert len(kept) == min(len(texts), at_most)
