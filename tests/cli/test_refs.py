"""`veriscite refs`, end to end in this process, with scripted sources in the place of the network."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.evidence.helpers import rec
from tests.fakes.finders import ScriptedFinder
from veriscite.cli import commands
from veriscite.domain import Notice, NoticeKind, Report
from veriscite.domain.events import event_adapter
from veriscite.evidence.records import Record
from veriscite.ports import EvidenceSource

BIB = """% kept by hand
@article{sleep,
  title   = {Sleep loss and plaque growth in the hippocampus of mice},
  author  = {Zhang, Wei and Roe, Clara},
  journal = {Journal of Sleep Research},
  year    = {2008},
  doi     = {10.1000/sleep}
}
@article{yeast, title={Kinetics of silent enzymes in the cells of yeast}, author={Poe, Dan},
  journal={Annals of Yeast}, year=2001}
@article{nobody, title={Dreams of the sleepless electric sheep in the fields}, author={Deck, Rick},
  journal={Journal of Dreams}, year={2019}}
"""


def _record(title: str, authors: str, year: int, venue: str, doi: str, *notices: Notice) -> Record:
    record = rec(title, authors, year, doi=doi)
    return record.model_copy(
        update={"venue": venue, "kinds": ("journal-article",), "notices": notices, "source": "crossref"}
    )


SLEEP = _record(
    "Sleep loss and plaque growth in the hippocampus of mice", "Zhang, Wei; Roe, Clara", 2018,
    "Journal of Sleep Research", "10.1000/sleep",
    Notice(kind=NoticeKind.RETRACTED, source="crossref", doi="10.1000/sleep.r"),
)  # fmt: skip
YEAST = _record(
    "Kinetics of silent enzymes in the cells of yeast", "Poe, Dan", 2001, "Annals of Yeast", "10.1000/yeast"
)

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text(BIB)

    def network(_settings: object) -> tuple[list[ScriptedFinder], list[EvidenceSource]]:
        finders = [
            ScriptedFinder(
                name,
                ids={"doi:10.1000/sleep": [SLEEP], "doi:10.1000/yeast": [YEAST]},
                words={"yeast": [YEAST], "nobody": ()},
                silent_on_ids=True,
            )
            for name in ("crossref", "openalex")
        ]
        return finders, []

    monkeypatch.setattr("veriscite.wiring._network", network)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["veriscite", "refs", *arguments])
        with pytest.raises(SystemExit) as exit:
            commands.main()
        out = capfd.readouterr()
        return int(exit.value.code or 0), out.out, out.err

    return run


def test_a_list_is_checked_and_reported_in_every_format(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("refs.bib", "-o", "out")
    assert (code, err) == (0, "")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "report.csv", "report.html", "report.json", "report.md",
    ]  # fmt: skip
    assert "✗ sleep retracted" in out
    assert "? nobody possibly invented" in out
    assert "3 references looked into. Nothing to say of 1 of them." in out
    assert "What came of" not in out
    report = Report.model_validate_json((tmp_path / "out" / "report.json").read_text())
    assert report.summary.reference_findings == {"retracted": 1, "invented": 1, "mismatch": 1}
    markdown = (tmp_path / "out" / "report.md").read_text()
    assert markdown.startswith("# Reference check: refs.bib")
    assert "cited “2008”, found “2018”" in markdown
    assert "All claims" not in markdown
    html = (tmp_path / "out" / "report.html").read_text()
    assert "Possibly invented" in html
    assert "All claims" not in html
    rows = (tmp_path / "out" / "report.csv").read_text("utf-8-sig").splitlines()
    assert rows[0].startswith("reference_id,")
    assert len(rows) == 4


@pytest.mark.parametrize(
    ("words", "code"), [("invented", 1), ("retracted,duplicate", 1), ("duplicate", 0), ("contradict", 2)]
)
def test_what_is_found_can_fail(cli: Cli, words: str, code: int) -> None:
    assert cli("refs.bib", "-q", "--fail-on", words)[0] == code


def test_a_corrected_copy_is_written_and_its_difference_shown(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("refs.bib", "--fix", "new.bib")
    assert code == 0
    fixed = (tmp_path / "new.bib").read_text()
    expected = BIB.replace("year    = {2008}", "year    = {2018}")
    assert fixed == expected.replace("year=2001}", "year=2001, doi={10.1000/yeast}}")
    assert "-  year    = {2008}," in out
    assert "+  year    = {2018}," in out
    assert "2 corrections in 2 entries; written to new.bib" in out
    assert (tmp_path / "refs.bib").read_text() == BIB
    # Nothing more is to be corrected in the corrected copy.
    _, again, _ = cli("new.bib", "--fix", "newer.bib")
    assert "Nothing to correct" in again
    assert (tmp_path / "newer.bib").read_text() == fixed


def test_nothing_is_overwritten(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("refs.bib", "--fix", "refs.bib", "--force")
    assert (code, "would overwrite the list itself" in err) == (2, True)
    (tmp_path / "there.bib").write_text("mine")
    code, _, err = cli("refs.bib", "--fix", "there.bib")
    assert (code, "is there already" in err) == (2, True)
    assert (tmp_path / "there.bib").read_text() == "mine"
    assert cli("refs.bib", "-q", "--fix", "there.bib", "--force")[0] == 0
    (tmp_path / "list.txt").write_text("1. Zhang W. Sleep. 2018.\n2. Roe C. Mice. 2019.\n")
    code, _, err = cli("list.txt", "--fix", "x.bib")
    assert (code, "is no .bib file" in err) == (2, True)


def test_offline_asks_nobody_and_events_are_json(cli: Cli) -> None:
    code, out, _ = cli("refs.bib", "--offline", "--json-events")
    assert code == 0
    events = [event_adapter.validate_json(line) for line in out.splitlines()]
    checks = [json.loads(line)["check"] for line in out.splitlines() if '"reference_checked"' in line]
    assert [check["status"] for check in checks] == ["not_checked"] * 3
    assert events[-1].type == "run_finished"


def test_the_list_of_a_manuscript_is_taken(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "paper.md").write_text(
        "# Sleep\n\nMice sleep [1]. They grow [2].\n\n## References\n\n"
        "1. Zhang W, Roe C. Sleep loss in mice. J Sleep Res. 2018;1:2-3.\n"
        "2. Poe D. Yeast. Ann Yeast. 2001;4:5-6.\n"
    )
    code, out, _ = cli("paper.md", "--offline")
    assert code == 0
    assert "0 of 2 references could be looked into." in out
