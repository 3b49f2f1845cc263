from pathlib import Path

import pytest

from models.integrity_head import CLASSES, Head, cross_validated, features, scores_of
from models.rows import Document
from tests.verification.tiny import THREE, save_checkpoint, tiny_deberta
from veriscite.verification.nli_model import ModelChoice, load_nli_model


def points(rows: int = 60):
    """Three clouds in a plane, one a class, of unequal sizes."""
    import torch

    torch.manual_seed(1)
    labels = [0] * (rows // 2) + [1] * (rows // 3) + [2] * (rows - rows // 2 - rows // 3)
    centres = torch.tensor([[0.0, 4.0], [4.0, 0.0], [-4.0, -4.0]])
    return torch.stack([centres[label] + torch.randn(2) for label in labels]), labels


def test_a_head_learns_what_is_there_and_a_held_back_one_less() -> None:
    x, labels = points()
    predicted = Head(x, labels, 1e-3).probabilities(x).argmax(-1).tolist()
    assert sum(p == g for p, g in zip(predicted, labels, strict=True)) >= 55
    sure, unsure = (
        Head(x, labels, penalty).probabilities(x).max(-1).values.mean() for penalty in (1e-3, 10.0)
    )
    assert unsure < sure
    assert unsure == pytest.approx(1 / len(CLASSES), abs=0.1)


def test_cross_validation_never_sees_the_group_that_it_predicts() -> None:
    import torch

    # The one feature names the group, and each group has one label: nothing of it carries over to others.
    groups = [f"g{n}" for n in range(30) for _ in range(3)]
    labels = [n % 3 for n in range(30) for _ in range(3)]
    x = torch.nn.functional.one_hot(torch.arange(30).repeat_interleave(3)).float()
    inside = Head(x, labels, 1e-4).probabilities(x).argmax(-1).tolist()
    assert inside == labels
    outside = cross_validated(x, labels, groups, 1e-4)
    assert sum(p == g for p, g in zip(outside, labels, strict=True)) < 60


def test_features_are_those_of_each_document_whatever_the_batch(tmp_path: Path) -> None:
    import torch

    folder = save_checkpoint(tiny_deberta(THREE), tmp_path / "model")
    model = load_nli_model(ModelChoice(str(folder), tmp_path))
    documents = [
        Document("aspirin lowers mortality", ("aspirin reduced mortality in mice .",), 0, "t", "a"),
        Document("sugar", ("weather .", "aspirin reduced the risk of cancer in patients ."), 1, "t", "b"),
        Document("aspirin reduced mortality", ("two mice .",), 2, "t", "c"),
    ]
    whole, singly = features(model, documents, batch=3), features(model, documents, batch=1)
    assert whole.shape == (3, 16 + 3 + 1)
    assert torch.allclose(whole, singly, atol=1e-5)
    assert whole[0, -1] == pytest.approx(2 / 3)
    assert not model.model.classifier._forward_pre_hooks


def test_scores_tell_accurate_from_the_rest() -> None:
    import torch

    probabilities = torch.tensor([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.3, 0.1, 0.6]])
    found = scores_of([0, 1, 1, 2], probabilities)
    assert found["accurate_f1"] == pytest.approx(2 / 3)
    assert found["inaccurate_f1"] == pytest.approx(0.8)
    assert found["accurate_auroc"] == 1.0
    assert found["f1_irrelevant"] == 1.0
