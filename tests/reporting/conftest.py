from __future__ import annotations

import pytest

from tests import builders
from veriscite.domain import Report


@pytest.fixture(scope="session")
def report() -> Report:
    return builders.full_report()


@pytest.fixture(scope="session")
def cancelled() -> Report:
    return builders.cancelled_report()
