"""Average the weights of two stages of one adapter: `python -m models.average`.

A later stage gains on its own rows and loses some of what was learnt before; weights in between often do
better than either end, at no cost when they are used (Wortsman et al., 2022, "Robust fine-tuning of zero-shot
models"). The change that LoRA makes to a weight is `B A`; the average of two such changes is written exactly,
as one adapter of the summed ranks.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veriscite.verification.adapters import CONFIG, WEIGHTS

_DOWN, _UP = ".lora_A.weight", ".lora_B.weight"


def averaged(
    earlier: dict[str, Any], later: dict[str, Any], share: float, scales: tuple[float, float]
) -> dict[str, Any]:
    """Weights of the averaged adapter.

    Args:
        earlier: Weights of one stage by name; a layer that it does not adapt counts as unchanged there.
        later: Weights of the other stage; it has every layer that `earlier` has.
        share: Share of the later stage, 0 to 1.
        scales: `alpha / rank` of each; the result has the scale 1.

    Returns:
        `A` of shape (summed ranks, inputs) and `B` of shape (outputs, summed ranks); all other weights in
        full.

    Raises:
        ValueError: The earlier stage has weights that the later one lacks.
    """
    import torch

    lost = set(earlier) - set(later)
    if lost:
        raise ValueError(f"the later stage lacks {len(lost)} weights of the earlier one, such as {min(lost)}")
    rank = next(w.shape[0] for name, w in earlier.items() if name.endswith(_DOWN))
    made: dict[str, Any] = {}
    for name, weight in later.items():
        before = earlier.get(name)
        if name.endswith(_DOWN):
            first = before if before is not None else torch.zeros(rank, weight.shape[1])
            made[name] = torch.cat([first, weight]).contiguous()
        elif name.endswith(_UP):
            first = before if before is not None else torch.zeros(weight.shape[0], rank)
            parts = [(1 - share) * scales[0] * first, share * scales[1] * weight]
            made[name] = torch.cat(parts, dim=1).contiguous()
        elif before is None:
            raise ValueError(f"the earlier stage lacks {name}")
        else:
            made[name] = (1 - share) * before + share * weight
    return made


def average(
    earlier: Path, later: Path, share: float, output: Path, tried: Mapping[str, float] | None = None
) -> None:
    """Read two adapters of one base, and write their average.

    Args:
        earlier: Folder of one.
        later: Folder of the other.
        share: Share of the later one, 0 to 1.
        output: Where to write; what is there is replaced.
        tried: Log-loss on the held-out training fold by share, for the record.

    Raises:
        ValueError: They are of different bases or shapes.
    """
    from safetensors.torch import load_file, save_file

    configs = [json.loads((folder / CONFIG).read_text(encoding="utf-8")) for folder in (earlier, later)]
    if configs[0]["base_model_name_or_path"] != configs[1]["base_model_name_or_path"]:
        raise ValueError("the two adapters are of different bases")
    scales = (
        configs[0]["lora_alpha"] / configs[0]["r"],
        configs[1]["lora_alpha"] / configs[1]["r"],
    )
    weights = [load_file(str(folder / WEIGHTS)) for folder in (earlier, later)]
    made = averaged(weights[0], weights[1], share, scales)
    rank = configs[0]["r"] + configs[1]["r"]
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    save_file(made, str(output / WEIGHTS), metadata={"format": "pt"})
    (output / CONFIG).write_text(
        json.dumps({**configs[1], "r": rank, "lora_alpha": rank}, indent=2) + "\n", encoding="utf-8"
    )
    training = json.loads((later / "training.json").read_text(encoding="utf-8"))
    training["averaged"] = {"share": share, "log_loss": dict(tried or {})}
    (output / "training.json").write_text(json.dumps(training, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Average two adapters."""
    parser = argparse.ArgumentParser(prog="python -m models.average", description=__doc__)
    parser.add_argument("earlier", type=Path, help="folder of the earlier stage's adapter")
    parser.add_argument("later", type=Path, help="folder of the later stage's adapter")
    parser.add_argument("--share", type=float, default=0.5, help="share of the later stage, 0 to 1")
    parser.add_argument("--output", type=Path, required=True, help="folder of the averaged adapter")
    parser.add_argument(
        "--tried",
        nargs="*",
        default=[],
        metavar="SHARE=LOSS",
        help="log-loss on the held-out training fold of each share tried, for the card",
    )
    options = parser.parse_args(arguments)
    if not 0 <= options.share <= 1:
        parser.error("--share lies between 0 and 1")
    tried = {share: float(loss) for share, _, loss in (entry.partition("=") for entry in options.tried)}
    average(options.earlier, options.later, options.share, options.output, tried)
    return 0


if __name__ == "__main__":
    sys.exit(main())
