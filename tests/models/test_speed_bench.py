import argparse
from pathlib import Path

import pytest

from models import speed_bench
from models.rows import Document
from tests.verification.test_base_weights import needs_package
from veriscite.settings import StorageSettings
from veriscite.verification.base_weights import base_weights

SENTENCES = (
    "Asthma is common.",
    "We gave aspirin to 40 adults with asthma for two weeks.",
    "Aspirin reduced the number of attacks from five to two (P<0.001).",
    "Sleep did not change.",
)
CLAIMS = ("Aspirin reduced asthma attacks.", "Aspirin increased asthma attacks.", "Children sleep badly.")


def documents() -> list[Document]:
    return [Document(claim, SENTENCES, 0, "invented", str(n)) for n, claim in enumerate(CLAIMS)]


@needs_package
@pytest.mark.slow
async def test_both_ways_give_the_same_verdicts_and_a_ratio() -> None:
    cache = StorageSettings().cache_dir
    base_weights(cache)
    options = argparse.Namespace(cache=cache, model="science", rounds=1)
    found = await speed_bench.measure(options, documents())
    assert found["claims"] == found["same_verdicts"] == 3
    assert found["nli_speedup"] == pytest.approx(
        found["plain_s_per_claim"] / found["ours_s_per_claim"], rel=0.05
    )


@needs_package
@pytest.mark.slow
async def test_a_verdict_that_differs_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = speed_bench.PlainLoop.judge

    def contrary(self: speed_bench.PlainLoop, document: Document):
        label = judge(self, document)
        return next(other for other in type(label) if other is not label)

    monkeypatch.setattr(speed_bench.PlainLoop, "judge", contrary)
    options = argparse.Namespace(cache=StorageSettings().cache_dir, model="science", rounds=1)
    assert (await speed_bench.measure(options, documents()))["same_verdicts"] == 0


def test_without_data_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VERISCITE_SHARED", str(tmp_path))
    assert speed_bench.main([]) == 0
    assert "skipped" in capsys.readouterr().out
