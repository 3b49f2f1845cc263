"""The shipped examples say what they claim to say, and carry what they must by licence."""

import json
import re
from pathlib import Path
from typing import Any

import bibtexparser
import pytest

from veriscite.errors import InputError
from veriscite.examples import EXAMPLES, ExampleFiles, example

ANSWERS = {
    "SUPPORT",
    "CONTRADICT",
    "NOT_ENOUGH_INFO",
    "unresolved:not_found",
    "unresolved:no_abstract",
    "skipped:no_entry",
}
PLANTED = {
    "reversed direction",
    "wrong number",
    "overclaim: correlation for cause",
    "not in the abstract",
    "overclaim: sheep for people",
    "no abstract",
    "invented reference",
    "marker with no entry",
}
#: A run of so many words shared with an abstract is copied, not paraphrased.
COPIED_WORDS = 8


@pytest.fixture(params=EXAMPLES)
def files(request: pytest.FixtureRequest) -> ExampleFiles:
    return example(request.param)


def _claims(files: ExampleFiles) -> list[dict[str, Any]]:
    claims: list[dict[str, Any]] = json.loads(files.expected.read_text(encoding="utf-8"))["claims"]
    return claims


def _library(files: ExampleFiles) -> dict[str, dict[str, str]]:
    (path,) = files.library
    parsed = bibtexparser.parse_file(str(path))
    assert parsed.failed_blocks == []
    return {entry.key: {f.key: f.value for f in entry.fields} for entry in parsed.entries}


def _prose_and_list(files: ExampleFiles) -> tuple[str, str]:
    prose, heading, entries = files.manuscript.read_text(encoding="utf-8").partition("\n## References\n")
    assert heading
    return prose, entries


def _words(text: str) -> list[str]:
    return re.findall(r"[\w.]+", text.lower())


def test_every_file_is_there(files: ExampleFiles) -> None:
    paths: list[Path] = [files.manuscript, *files.library, files.expected, files.readme]
    assert all(path.is_file() for path in paths)
    assert files.references is None


def test_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="numeric, author-year"):
        example("../numeric")


def test_expected_claims_stand_in_the_prose(files: ExampleFiles) -> None:
    prose, _ = _prose_and_list(files)
    for claim in _claims(files):
        assert prose.count(claim["snippet"]) == 1, claim["snippet"]
        start = prose.index(claim["snippet"])
        sentence_end = re.compile(r"\.(?:\s|$)(?!\d)").search(prose, start + len(claim["snippet"]))
        around = prose[prose.rfind("\n", 0, start) : sentence_end.end() if sentence_end else None]
        assert claim["marker"] in around, claim
        assert claim["expected"] in ANSWERS
        assert claim["planted"] is None or claim["planted"] in PLANTED
        assert (claim["planted"] is None) == (claim["expected"] == "SUPPORT")
        assert len(claim["why"]) > 20


def test_every_marker_of_the_prose_has_its_answer(files: ExampleFiles) -> None:
    prose, _ = _prose_and_list(files)
    if files.name == "numeric":
        found = re.findall(r"\[\d[\d, –]*\]", prose)
    else:
        found = re.findall(r"\([^()]*, \d{4}\)|\w+ et al\. \(\d{4}\)", prose)
    expected = {claim["marker"] for claim in _claims(files)}
    assert set(found) == expected
    assert len(found) == len(expected)


def test_numeric_example_is_of_the_promised_size() -> None:
    prose, entries = _prose_and_list(example("numeric"))
    assert 15 <= len(re.findall(r"\[\d[\d, –]*\]", prose)) <= 20
    assert 900 <= len(prose.split()) <= 1200
    labels = [int(n) for n in re.findall(r"^(\d+)\. ", entries, re.MULTILINE)]
    assert labels == list(range(1, 20))


def test_every_kind_of_error_is_planted() -> None:
    assert {c["planted"] for c in _claims(example("numeric"))} == {*PLANTED, None}
    right = [c for c in _claims(example("numeric")) if c["planted"] is None]
    assert len(right) > len(_claims(example("numeric"))) / 2


def test_library_holds_what_is_expected_of_it(files: ExampleFiles) -> None:
    library = _library(files)
    _, entries = _prose_and_list(files)
    for claim in _claims(files):
        reference, key = claim["reference"], claim["library_key"]
        listed = reference["year"] is not None and any(
            reference["first_author"] in line and str(reference["year"]) in line
            for line in entries.splitlines()
        )
        assert listed == (claim["expected"] != "skipped:no_entry")
        if claim["expected"] in ("unresolved:not_found", "skipped:no_entry"):
            assert key is None
            continue
        entry = library[key]
        assert entry["year"] == str(reference["year"])
        assert entry["author"].startswith(reference["first_author"])
        assert ("abstract" in entry) == (claim["expected"] != "unresolved:no_abstract")


def test_some_of_the_library_is_not_cited(files: ExampleFiles) -> None:
    cited = {claim["library_key"] for claim in _claims(files)} - {None}
    assert cited < set(_library(files))


def test_numbers_said_to_be_right_stand_in_the_abstract(files: ExampleFiles) -> None:
    prose, _ = _prose_and_list(files)
    library = _library(files)
    for claim in _claims(files):
        numbers = re.findall(r"\d+(?:\.\d+)?(?=%)", claim["snippet"])
        if claim["expected"] == "SUPPORT":
            assert all(number in library[claim["library_key"]]["abstract"] for number in numbers), claim
        if claim["planted"] == "wrong number":
            assert any(number not in library[claim["library_key"]]["abstract"] for number in numbers), claim
        assert claim["snippet"] in prose


def test_every_article_is_attributed(files: ExampleFiles) -> None:
    readme = files.readme.read_text(encoding="utf-8")
    library = _library(files)
    lines = [line for line in readme.splitlines() if line.startswith("- ")]
    assert len(lines) == len(library)
    for entry in library.values():
        (line,) = [line for line in lines if f"https://doi.org/{entry['doi']} " in line]
        assert "CC BY" in line
        assert entry["title"].strip("{}").rstrip(".") in line
        family, _, given = entry["author"].split(" and ")[0].partition(", ")
        assert f"{given} {family}" in line


def test_articles_are_kept_apart_from_training(files: ExampleFiles) -> None:
    numbers = [int(n) for n in re.findall(r"\(PMC(\d+)\)", files.readme.read_text(encoding="utf-8"))]
    assert len(numbers) == len(_library(files))
    # The training script leaves out every article whose PMC number ends in 7.
    assert all(number % 10 == 7 for number in numbers)


def test_prose_copies_no_abstract(files: ExampleFiles) -> None:
    prose, _ = _prose_and_list(files)
    words = _words(prose)
    ours = {tuple(words[i : i + COPIED_WORDS]) for i in range(len(words) - COPIED_WORDS + 1)}
    for key, entry in _library(files).items():
        theirs = _words(entry.get("abstract", ""))
        for i in range(len(theirs) - COPIED_WORDS + 1):
            assert tuple(theirs[i : i + COPIED_WORDS]) not in ours, (key, theirs[i : i + COPIED_WORDS])


def test_readme_tells_what_was_planted(files: ExampleFiles) -> None:
    readme = files.readme.read_text(encoding="utf-8")
    for claim in _claims(files):
        if claim["planted"]:
            assert claim["why"] in readme
