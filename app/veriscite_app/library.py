"""The library's heavy modules, imported by one thread at a time.

Threads that import the same cyclic packages at once can see half-made modules, or wait for each other.
"""

import threading
from types import ModuleType

_IMPORTING = threading.Lock()


def api() -> ModuleType:
    """Return `veriscite.api`."""
    with _IMPORTING:
        import veriscite.api
    return veriscite.api


def wiring() -> ModuleType:
    """Return `veriscite.wiring`."""
    with _IMPORTING:
        import veriscite.wiring
    return veriscite.wiring
