from collections.abc import Sequence

from models.reading_choices import READINGS, Reading, cross_fitted, pairs_of, scored
from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, Document
from veriscite.verification.aggregate import PairScore
from veriscite.verification.calibration import Calibration

SENTENCES = ("Tea was drunk.", "Music lowered anxiety.", "Nurses slept badly.", "It rained.", "We ate bread.")


def document(number: int, label: int = SUPPORT) -> Document:
    return Document("Music lowered anxiety.", SENTENCES, label, "t", f"g{number}")


def test_a_reading_says_what_stands_first_and_what_stands_in_front() -> None:
    plain = Calibration(extracts=(1,))
    about = document(1)
    assert pairs_of(Reading("r", plain), about, "A title.") == [("Music lowered anxiety.", about.claim)]
    assert pairs_of(Reading("r", plain, title_in_front=True), about, "A title.") == [
        ("A title. Music lowered anxiety.", about.claim)
    ]
    assert pairs_of(Reading("r", plain, title_in_front=True), about, "")[0][0] == "Music lowered anxiety."
    assert pairs_of(Reading("r", plain, claim_first=True), about, "")[0][0] == about.claim


def test_every_reading_reads_something_and_the_whole_abstract_is_one_premise() -> None:
    counts = {reading.name: len(pairs_of(reading, document(1), "T")) for reading in READINGS}
    assert min(counts.values()) >= 1
    assert counts["whole abstract"] == 1
    assert counts["windows of 3, stride 2"] == 2


def test_scores_come_back_to_their_documents() -> None:
    def by_length(pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        return [PairScore(float(len(premise)), 0.0) for premise, _ in pairs]

    documents = [document(1), Document("It rained.", ("It rained.",), SUPPORT, "t", "g2")]
    found = scored(by_length, READINGS[1], documents, {}, batch=2)
    assert [len(scores) for scores in found] == [2, 1]
    assert found[1][0].support == len("It rained.")


def test_each_half_is_judged_by_the_calibration_of_the_other() -> None:
    margins = {SUPPORT: (3.0, -3.0), CONTRADICT: (-3.0, 3.0), NOT_ENOUGH_INFO: (-3.0, -3.0)}
    documents = [document(i, label) for i in range(20) for label in margins]
    right = cross_fitted([[PairScore(*margins[d.label])] for d in documents], documents, Calibration())
    assert right["macro_f1"] == 1.0
    assert right["log_loss"] < 0.2
    nothing = cross_fitted([[PairScore(0.0, 0.0)] for _ in documents], documents, Calibration())
    assert nothing["log_loss"] > 1.0
