"""Run the hard cases of the shared folder and report how many pass.

    python -m tests.benchmarks.cases --area A B --verbose

Each case passes or fails as a whole; a failed one is listed with its reason. The last line is JSON.
"""

import argparse
import asyncio
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from veriscite.domain import Citance, CitationMarker, Manuscript, Pairing
from veriscite.domain.identifiers import normalise_arxiv, normalise_doi
from veriscite.errors import VeriSciteError
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.linking.text import fold_space, name_key
from veriscite.ports import ManuscriptInput
from veriscite.reading.reader import DocumentReader

Case = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What came of a case; `reason` says why it failed, or why it was not run."""

    id: str
    area: str
    passed: bool
    reason: str = ""


def shared_folder() -> Path | None:
    """Return the shared folder, or None where there is none."""
    named = os.environ.get("VERISCITE_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared"
    return folder if (folder / "cases" / "cases.jsonl").is_file() else None


def load_cases(areas: list[str]) -> list[Case]:
    """Return the cases of these areas in file order; none where the shared folder is absent."""
    folder = shared_folder()
    if folder is None:
        return []
    lines = (folder / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for line in lines if line.strip() and (case := json.loads(line))["area"] in areas]


def run_marker_case(case: Case) -> Outcome:
    """Area A: which markers, tied to what, in which citance."""
    given = case["input"]
    suffix = {"markdown": "md", "latex": "tex", "jats": "xml"}.get(given["format"], "txt")
    name = f"manuscript.{suffix}"
    references, references_name = None, "references.txt"
    if "references" in given:
        references = "\n".join(given["references"]).encode()
    elif "bib" in given:
        references, references_name = given["bib"].encode(), "references.bib"
    source = ManuscriptInput(given["body"].encode(), name, references, references_name)
    reader = DocumentReader(PlainListParser())
    manuscript = reader.read(source)
    expected = case["expected"]
    if given["format"] == "latex":
        expected = _as_read(expected, source, reader)
    problems = compare_markers(expected, manuscript, CitationPairer().pair(manuscript))
    problems += _compare_items(expected.get("bibitems", {}), manuscript)
    return Outcome(case["id"], "A", not problems, "; ".join(problems))


def _as_read(expected: Case, source: ManuscriptInput, reader: DocumentReader) -> Case:
    """Write what is expected of a LaTeX case, which quotes the source, as the reader shows it.

    Each marker is read on its own behind a word, with the case's definitions and list; each sentence too.
    That the right sentence is found, and each marker in it, is left for the comparison.
    """
    body = source.content.decode()
    frame = "\n".join(line for line in body.split("\n") if line.startswith("\\defcitealias"))
    begin = body.find("\\begin{thebibliography}")
    frame += "\n" + (body[begin:] if begin >= 0 else "")

    def shown(tex: str) -> str:
        given = replace(source, content=f"{frame}\n\nBe {tex}\n".encode())
        text = reader.read(given).text
        return text.strip().removeprefix("Be ")

    citations = [
        {**c, "marker": shown(c["marker"]), "citance": shown(c["citance"])} for c in expected["citations"]
    ]
    unresolved = [{**u, "marker": shown(u["marker"])} for u in expected.get("unresolved", [])]
    return {**expected, "citations": citations, "unresolved": unresolved}


def _compare_items(items: dict[str, str], manuscript: Manuscript) -> list[str]:
    found = {reference.id: reference.raw for reference in manuscript.references}
    problems = [f"no entry {key!r}" for key, words in items.items() if words not in found.get(key, "")]
    return problems if not items or len(found) == len(items) else [*problems, f"{len(found)} entries"]


def compare_markers(expected: Case, manuscript: Manuscript, pairing: Pairing) -> list[str]:
    """Compare expected citations in their order with the markers found; name every difference."""
    wanted = list(expected["citations"])
    unresolved = list(expected.get("unresolved", []))
    markers = list(pairing.markers)
    citances = {m: c for c in pairing.citances for m in c.marker_ids}
    problems: list[str] = []
    for marker in markers:
        match = next((w for w in wanted if _same(w["marker"], marker.raw)), None)
        if match is not None and marker.reference_ids:
            wanted.remove(match)
            problems += _compare_one(match, marker, citances.get(marker.id), manuscript)
            continue
        report = next((u for u in unresolved if _same(u["marker"], marker.raw)), None)
        if report is None:
            problems.append(f"unexpected {marker.raw!r} -> {list(marker.reference_ids)}")
            continue
        unresolved.remove(report)
        problems += _compare_report(report, marker, pairing, manuscript)
    problems += [f"missed {w['marker']!r}" for w in wanted]
    problems += [f"not reported {u['marker']!r}" for u in unresolved]
    return problems


def _compare_one(
    wanted: Case, marker: CitationMarker, citance: Citance | None, manuscript: Manuscript
) -> list[str]:
    ids = _ids(wanted["refs"], manuscript)
    problems = []
    if sorted(ids) != sorted(marker.reference_ids):
        problems.append(f"{marker.raw!r} -> {list(marker.reference_ids)}, not {ids}")
    if citance is None or citance.text != fold_space(wanted["citance"]):
        problems.append(f"{marker.raw!r} in {citance.text if citance else None!r}")
    return problems


def _compare_report(
    report: Case, marker: CitationMarker, pairing: Pairing, manuscript: Manuscript
) -> list[str]:
    skipped = [s for s in pairing.skipped if s.marker_id == marker.id]
    if not skipped:
        return [f"{marker.raw!r} is not reported"]
    wanted = _ids(report.get("candidates", []), manuscript)
    found = sorted(c for s in skipped for c in s.candidates)
    return [] if sorted(wanted) == found else [f"{marker.raw!r}: candidates {found}, not {wanted}"]


def _ids(refs: list[int | str], manuscript: Manuscript) -> list[str]:
    return [manuscript.references[r - 1].id if isinstance(r, int) else r for r in refs]


def _same(a: str, b: str) -> bool:
    return fold_space(a) == fold_space(b)


def run_list_case(case: Case) -> Outcome:
    """Area B: how many entries, and what each says."""
    given, expected = case["input"], case["expected"]
    texts = [given["references_text"]]
    if "repeat_with_heading" in given:
        texts = [given["references_text"].replace("{HEADING}", h) for h in given["repeat_with_heading"]]
        texts = [given["body_before"] + "\n" + text for text in texts]
    name = "references.bib" if given["format"] == "bib" else "references.txt"
    problems: list[str] = []
    for text in texts:
        if "repeat_with_heading" in given:
            source = ManuscriptInput(text.encode(), "manuscript.txt")
        else:
            source = ManuscriptInput(b"Text.", "manuscript.txt", text.encode(), name)
        manuscript = DocumentReader(PlainListParser()).read(source)
        found = compare_entries(expected, manuscript)
        if found and len(texts) > 1:
            heading = given["repeat_with_heading"][texts.index(text)]
            found = [f"under {heading!r}: {found[0]}"]
        problems += found
    return Outcome(case["id"], "B", not problems, "; ".join(problems))


def compare_entries(expected: Case, manuscript: Manuscript) -> list[str]:
    """Compare the entries of a list field by field."""
    references = manuscript.references
    if len(references) != expected["count"]:
        return [f"{len(references)} entries, not {expected['count']}"]
    problems = []
    for n, (reference, entry) in enumerate(zip(references, expected["entries"], strict=True), start=1):
        first = reference.authors[0].family if reference.authors else None
        found = {
            "title": reference.title,
            "year": reference.year,
            "first_author": first,
            "label": reference.label,
            "key": reference.id,
            "doi": reference.identifiers.doi,
            "arxiv": reference.identifiers.arxiv,
            "url": reference.url,
            "author_count": len(reference.authors),
            "authors": [a.family for a in reference.authors],
        }
        for field, value in found.items():
            if field in entry and not _equal(field, entry[field], value):
                problems.append(f"entry {n}: {field} {value!r}, not {entry[field]!r}")
    raw = "\n".join(r.raw for r in references)
    problems += [f"contains {s!r}" for s in expected.get("must_not_contain", []) if s in raw]
    return problems


def _equal(field: str, wanted: Any, found: Any) -> bool:
    if wanted is None or found is None:
        return wanted == found
    if field == "doi":
        return normalise_doi(wanted) == found
    if field == "arxiv":
        return normalise_arxiv(wanted) == found
    if field == "first_author":
        return name_key(wanted) == name_key(found)
    if field == "title":
        return re.sub(r"\W+", " ", wanted).strip() == re.sub(r"\W+", " ", found).strip()
    return bool(wanted == found)


RUNNERS: dict[str, Callable[[Case], Outcome]] = {"A": run_marker_case, "B": run_list_case}


def run_cases(cases: list[Case]) -> list[Outcome]:
    """Run all cases; one that breaks fails with its error and does not stop the others."""
    outcomes = []
    for case in cases:
        if case["area"] not in RUNNERS:
            continue
        try:
            outcomes.append(RUNNERS[case["area"]](case))
        except VeriSciteError as error:
            outcomes.append(Outcome(case["id"], case["area"], False, f"{type(error).__name__}: {error}"))
    answers = [case for case in cases if case["area"] == "D"]
    if answers:
        from tests.benchmarks.evidence import hard_cases  # runs tests

        outcomes += [
            Outcome(case_id, "D", passed, reason) for case_id, passed, reason in hard_cases.run(answers)
        ]
    claims = [case for case in cases if case["area"] == "E"]
    if claims:
        from tests.benchmarks import entailment_cases  # loads the models' libraries

        try:
            judged = asyncio.run(entailment_cases.run(claims))
        except VeriSciteError as error:
            judged = [(case["id"], False, f"not judged: {error}") for case in claims]
        outcomes += [Outcome(case_id, "E", passed, reason) for case_id, passed, reason in judged]
    return outcomes


def main(argv: list[str] | None = None) -> int:
    """Run the cases of the areas named, print a table and a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cases", description=__doc__)
    parser.add_argument("--area", nargs="+", default=["A", "B"], choices=["A", "B", "D", "E"])
    parser.add_argument("--case", nargs="+", default=[], help="only the cases of these ids")
    parser.add_argument("--verbose", action="store_true", help="list passed cases too")
    arguments = parser.parse_args(argv)
    if shared_folder() is None:
        print("Skipped: the shared folder with the cases is absent (set VERISCITE_SHARED).", file=sys.stderr)
        print(json.dumps({"cases_passed": 0, "cases_total": 0, "skipped": True}))
        return 0
    cases = load_cases(arguments.area)
    if arguments.case:
        cases = [case for case in cases if case["id"] in arguments.case]
    outcomes = run_cases(cases)
    table = Table("case", "passed", "reason")
    for outcome in outcomes:
        if arguments.verbose or not outcome.passed:
            table.add_row(outcome.id, "yes" if outcome.passed else "no", outcome.reason)
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(table, markup=False)
    passed, total = Counter(o.area for o in outcomes if o.passed), Counter(o.area for o in outcomes)
    summary: dict[str, Any] = {"cases_passed": passed.total(), "cases_total": total.total()}
    summary |= {area: {"passed": passed[area], "total": total[area]} for area in sorted(total)}
    print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
