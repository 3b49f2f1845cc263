"""A short run of the mutations for every parser, and of the shapes that grow; `make fuzz` runs long."""

import random
from collections.abc import Callable

import pytest

from tests.fuzz.blowup import exponent, measure
from tests.fuzz.mutate import mutate
from tests.fuzz.run import fuzz
from tests.fuzz.seeds import TEXT
from tests.fuzz.shapes import SHAPES
from tests.fuzz.targets import TARGETS, Target


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_parser(name: str) -> None:
    outcome = fuzz(name, seed=7, inputs=60, seconds=30, bound=10)
    assert outcome.problems == []
    assert outcome.inputs > 5
    assert outcome.read > 0


def _hang(_content: bytes) -> None:
    while True:
        pass


def _break(_content: bytes) -> None:
    raise ValueError("broken")


@pytest.mark.parametrize(
    ("run", "told"), [(_hang, "more than 1 s of CPU time"), (_break, "ValueError: broken")]
)
def test_what_goes_wrong_is_told(run: Callable[[bytes], None], told: str, tmp_path, monkeypatch) -> None:
    # The child imports its targets anew, so the faulty one is put in by a module of that name.
    (tmp_path / "sitecustomize.py").write_text(
        "import tests.fuzz.targets as t, tests.fuzz.test_fuzz as f\n"
        f"t.TARGETS['plain text'] = t.Target(lambda rng: b'x', f.{run.__name__})\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{'.'}")
    outcome = fuzz("plain text", seed=1, inputs=2, seconds=60, bound=0.5)
    assert [number for number, _ in outcome.problems] == [0, 1]
    assert all(told in problem for _, problem in outcome.problems)


def test_the_same_seed_gives_the_same_input() -> None:
    others = [b"other words"]
    first = [mutate(TEXT.encode(), others, random.Random(n)) for n in range(50)]
    assert first == [mutate(TEXT.encode(), others, random.Random(n)) for n in range(50)]
    assert len(set(first)) > 40
    assert isinstance(TARGETS["plain text"], Target)


def test_the_exponent_of_growth() -> None:
    assert exponent([(1_000, 0.1), (2_000, 0.2), (4_000, 0.4)]) == pytest.approx(1.0)
    assert exponent([(1_000, 0.1), (4_000, 1.6)]) == pytest.approx(2.0)
    assert exponent([(1_000, 0.001), (4_000, 0.002)]) is None


# Those that were worse than linear, or took too much memory, before they were mended.
@pytest.mark.parametrize(
    "name", ["bbl: open entries", "latex: dense", "docx: nested fields", "latex: macro bomb", "jats: rids"]
)
def test_shapes_that_grew_too_fast(name: str) -> None:
    small, large = (measure(name, size, 60) for size in (50_000, 200_000))
    assert isinstance(small["s"], float)
    assert isinstance(large["s"], float)
    assert large["s"] < 8 * small["s"] + 0.5
    assert isinstance(large["peak_mb"], int)
    assert large["peak_mb"] < 150


def test_shapes_can_be_made() -> None:
    assert {shape.target for shape in SHAPES.values()} <= set(TARGETS)
    assert all(shape.make(1_000) for shape in SHAPES.values())
