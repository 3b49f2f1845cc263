import pytest

from veriscite.domain import Label
from veriscite.errors import LabelMappingError
from veriscite.verification.labels import LabelMap, map_labels


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({0: "entailment", 1: "neutral", 2: "contradiction"}, LabelMap(0, 1, 2)),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, LabelMap(2, 1, 0)),
        ({0: "SUPPORT", 1: "NEI", 2: "REFUTE"}, LabelMap(0, 1, 2)),
        ({0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}, LabelMap(0, 2, 1)),
        ({0: "SUPPORT", 1: "CONTRADICT", 2: "NOT_ENOUGH_INFO"}, LabelMap(0, 2, 1)),
        ({0: "entailment", 1: "not_entailment"}, LabelMap(0, 1, None)),
    ],
)
def test_known_names(names: dict[int, str], expected: LabelMap) -> None:
    assert map_labels(names, "m") == expected


@pytest.mark.parametrize(
    "names",
    [
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "positive", 1: "negative"},
        {0: "entailment", 1: "supports", 2: "neutral"},
        {0: "entailment", 1: "contradiction"},
        {},
    ],
)
def test_what_cannot_be_mapped_is_refused_and_says_what_to_do(names: dict[int, str]) -> None:
    with pytest.raises(LabelMappingError) as caught:
        map_labels(names, "someone/model")
    assert "someone/model" in caught.value.message
    assert caught.value.advice


def test_a_two_class_model_never_contradicts() -> None:
    labels = map_labels({0: "entailment", 1: "not_entailment"}, "m")
    assert labels.index(Label.CONTRADICT) is None
    assert labels.index(Label.NOT_ENOUGH_INFO) == 1
