from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builder_references import references_report
from veriscite.domain import Report
from veriscite.errors import InputError, UnwritableFolderError
from veriscite.reporting import check_folder, render, write_report
from veriscite.reporting.write import reference_table


def test_all_formats_are_written_and_nothing_else(report: Report, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    paths = write_report(report, folder)
    assert sorted(p.name for p in folder.iterdir()) == [
        "references.csv",
        "report.csv",
        "report.html",
        "report.json",
        "report.md",
    ]
    assert paths.pop("references.csv").read_bytes() == reference_table(report)
    assert all(path.read_bytes() == render(report, format) for format, path in paths.items())


def test_a_report_of_references_alone_has_one_table(tmp_path: Path) -> None:
    report = references_report()
    assert list(write_report(report, tmp_path)) == ["html", "json", "csv", "md"]
    assert (tmp_path / "report.csv").read_bytes() == reference_table(report)


def test_an_unknown_format_writes_nothing(report: Report, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="docx"):
        write_report(report, tmp_path, ["html", "docx"])
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_breaks_off_leaves_the_old_file(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.json").write_text("old")

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritableFolderError, match="No space left on device"):
        write_report(report, tmp_path, ["json"])
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("report.json", "old")]


def test_a_folder_that_is_a_file_is_told_as_such(report: Report, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    for act in (
        lambda: check_folder(tmp_path / "taken"),
        lambda: write_report(report, tmp_path / "taken", ["json"]),
        lambda: write_report(report, tmp_path / "taken" / "below", ["json"]),
    ):
        with pytest.raises(UnwritableFolderError, match=r"cannot be written to .*taken.*--output"):
            act()


def test_checking_a_folder_leaves_nothing(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    check_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_relative_folder_is_checked_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_folder(Path("a/b"))
    check_folder(Path())
