"""Area E: claims judged by the verifiers that run without a key."""

from typing import Any

Case = dict[str, Any]


async def run(cases: list[Case]) -> list[tuple[str, bool, str]]:
    """Judge each case.

    Returns:
        Id, whether it passed, and what was answered.
    """
    raise NotImplementedError
