"""What is handed in, and drafts."""

from pathlib import Path

import pytest
from veriscite_app.submission import (
    Draft,
    Drafts,
    NamedFile,
    Submission,
    offline_by_default,
    safe_name,
    settings_for,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("refs.bib", "refs.bib"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\my refs.bib", "my refs.bib"),
        ("..", "fallback"),
        ("", "fallback"),
        ('a<b>:"|?*.ris', "a_b______.ris"),
        ("Übersicht.bib", "Übersicht.bib"),
        ("x" * 300 + ".bib", "x" * 96 + ".bib"),
    ],
)
def test_names_of_files_are_made_safe(name: str, expected: str) -> None:
    assert safe_name(name, fallback="fallback") == expected


def test_files_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    given = Submission(
        manuscript=NamedFile("a.md", b""),
        library_files=(NamedFile("a.bib", b"1"), NamedFile("a.bib", b"2")),
        library_paths=(Path("example.bib"),),
    )
    first, *written = given.library(tmp_path)
    assert first == Path("example.bib")
    assert [path.read_bytes() for path in written] == [b"1", b"2"]


def test_the_reader_may_read_no_further_files() -> None:
    given = Submission(manuscript=NamedFile("a.md", b"x"), references=NamedFile("r.bib", b"y")).as_input()
    assert given.root is None
    assert (given.content, given.references, given.references_name) == (b"x", b"y", "r.bib")


def test_the_form_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERISCITE_RUN_MAX_CLAIMS", "7")
    monkeypatch.setenv("VERISCITE_EVIDENCE_OFFLINE", "true")
    monkeypatch.setenv("VERISCITE_NLI_MODEL", "somewhere")
    settings = settings_for(offline=False, max_claims=None)
    assert settings.run.max_claims is None
    assert not settings.evidence.offline
    assert settings.nli.model == "somewhere"


@pytest.mark.parametrize("key", ["ANTHROPIC_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"])
def test_offline_is_the_default_until_there_is_a_key(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    assert offline_by_default()
    monkeypatch.setenv(key, "k")
    assert not offline_by_default()


def test_offline_set_in_the_environment_wins_over_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("VERISCITE_EVIDENCE_OFFLINE", "true")
    assert offline_by_default()


def test_a_draft_is_found_again_and_a_strangers_key_is_not_taken_over() -> None:
    drafts = Drafts()
    key = drafts.save(None, Draft(manuscript="one"))
    assert drafts.save(key, Draft(manuscript="two")) == key
    assert drafts.get(key) == Draft(manuscript="two")
    invented = drafts.save("invented", Draft(manuscript="three"))
    assert invented != "invented"
    assert drafts.get("invented") is None


def test_old_drafts_go_by_number_and_by_size() -> None:
    drafts = Drafts(keep=2, max_bytes=100)
    first, second = (drafts.save(None, Draft(manuscript=str(n))) for n in range(2))
    third = drafts.save(None, Draft(manuscript="3"))
    assert drafts.get(first) is None
    assert drafts.get(second) is not None
    big = drafts.save(None, Draft(manuscript="x" * 200))
    assert drafts.get(third) is None
    assert drafts.get(big) is not None, "the text just typed is kept whatever its size"
