import copy

import pytest

from tests.verification.tiny import tiny_bert, tiny_deberta
from veriscite.verification.relative_positions import trim_relative_positions


def logits(model, length: int):
    import torch

    torch.manual_seed(length)
    ids = torch.randint(5, 30, (2, length))
    mask = torch.ones_like(ids)
    mask[1, length // 2 :] = 0
    return model(input_ids=ids, attention_mask=mask).logits


@pytest.mark.parametrize("length", [3, 9, 20, 60])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_trimmed_positions_change_no_number(length: int, frozen: bool, shared: bool) -> None:
    import torch

    plain, trimmed = (tiny_deberta(seed=3, share_att_key=shared).requires_grad_(not frozen) for _ in range(2))
    assert trim_relative_positions(trimmed)
    assert not trim_relative_positions(trimmed)
    for inference in (True, False):
        with torch.inference_mode(inference):
            assert torch.allclose(logits(plain, length), logits(trimmed, length), atol=1e-5)


def test_positions_are_projected_once_in_a_frozen_model_only(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    multiplied: list[int] = []
    linear = torch.nn.functional.linear

    def counted(given, *weights):
        multiplied.append(given.shape[-2])
        return linear(given, *weights)

    counts = []
    for frozen in (False, True):
        model = tiny_deberta(seed=3).requires_grad_(not frozen)
        trim_relative_positions(model)
        monkeypatch.setattr(torch.nn.functional, "linear", counted)
        multiplied.clear()
        logits(model, 5)
        monkeypatch.undo()
        counts.append(len(multiplied))
    projections_of_positions = 2 * 2  # queries and keys of two layers
    assert counts[0] - counts[1] == projections_of_positions


def test_gradients_pass_by_the_kept_positions() -> None:
    import torch

    found = []
    for keep in (False, True):
        model = tiny_deberta(seed=3).requires_grad_(False)
        if keep:
            with torch.inference_mode():
                trim_relative_positions(model)
        given = torch.randn(1, 7, 16, generator=torch.Generator().manual_seed(1)).requires_grad_()
        model(inputs_embeds=given).logits[0, 0].backward()
        found.append(given.grad)
    assert found[0].abs().sum() > 0
    assert torch.allclose(found[0], found[1], atol=1e-5)


def test_a_copy_with_shared_weights_shares_the_positions_too() -> None:
    import torch

    model = tiny_deberta(seed=3).requires_grad_(False)
    trim_relative_positions(model)
    shared = {id(w): w for w in (*model.parameters(), *model.buffers())}
    copied = copy.deepcopy(model, shared)
    assert {id(b) for b in copied.buffers()} == {id(b) for b in model.buffers()}
    assert torch.equal(logits(model, 9), logits(copied, 9))
    assert not any("positions" in name for name in model.state_dict())


def test_bert_is_left_as_it_is() -> None:
    assert not trim_relative_positions(tiny_bert())
