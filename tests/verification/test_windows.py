import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.verification.windows import window_spans, window_texts


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
