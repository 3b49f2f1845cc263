"""VeriScite: does the cited paper say what this manuscript says it says?

```python
from pathlib import Path
from veriscite import check, check_references, stream

report = check(Path("paper.md"), references=Path("refs.bib"))
for event in stream(Path("paper.md"), references=Path("refs.bib")):
    print(event.type)
for found in check_references(Path("refs.bib")).reference_checks:
    print(found.reference_id, found.status, found.mismatches)
```
"""

from typing import TYPE_CHECKING, Any

from veriscite._version import __version__

if TYPE_CHECKING:
    from veriscite.api import acheck, acheck_references, astream, check, check_references, stream
    from veriscite.domain import Label, Report
    from veriscite.errors import VeriSciteError
    from veriscite.settings import Settings

__all__ = [
    "Label",
    "Report",
    "Settings",
    "VeriSciteError",
    "__version__",
    "acheck",
    "acheck_references",
    "astream",
    "check",
    "check_references",
    "stream",
]

_HOMES = {
    "acheck": "veriscite.api",
    "acheck_references": "veriscite.api",
    "astream": "veriscite.api",
    "check": "veriscite.api",
    "check_references": "veriscite.api",
    "stream": "veriscite.api",
    "Label": "veriscite.domain",
    "Report": "veriscite.domain",
    "VeriSciteError": "veriscite.errors",
    "Settings": "veriscite.settings",
}


def __getattr__(name: str) -> Any:
    # Loaded on first use, so that `veriscite --help` need not load the workflow.
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'veriscite' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
