"""Area D of the hard cases: answers of a source, through the real client, as the tests run them."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

_TESTS = Path(__file__).parents[2] / "evidence" / "test_shared_cases.py"
_CASE = re.compile(r"\[(D\d+)\]$")


class _Watch:
    """Gathers the outcome of each case from the reports of pytest."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the reason of a failure, or that the test passed."""
        found = _CASE.search(report.nodeid)
        if found and (report.when == "call" or report.failed):
            crash = getattr(report.longrepr, "reprcrash", None)
            said = getattr(crash, "message", str(report.longrepr)).splitlines()[:1] if report.failed else []
            self.outcomes.setdefault(found[1], said[0] if said else "")


def run(cases: list[dict[str, Any]]) -> list[tuple[str, bool, str]]:
    """Run the cases.

    Returns:
        Id, whether it passed, and why not.
    """
    watch = _Watch()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-p", "no:cacheprovider", str(_TESTS)], plugins=[watch])
    reasons = {case["id"]: watch.outcomes.get(case["id"], "not run") for case in cases}
    return [(case_id, not reason, reason) for case_id, reason in reasons.items()]
