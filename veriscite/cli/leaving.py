"""How the process ends."""

import contextlib
import os
import sys
import threading
from typing import NoReturn

EXIT_OK = 0
EXIT_CONTRADICTED = 1
EXIT_BAD_INPUT = 2
EXIT_RUN_FAILED = 3
EXIT_INTERRUPTED = 130

RUN_THREAD = "veriscite-run"
"""Name of the thread that `veriscite.api.Run` works in."""


def leave(code: int) -> NoReturn:
    """End with an exit code, without waiting for what nobody waits for any more.

    A thread inside a model cannot be stopped: waiting for it can take as long as loading the model does,
    and tearing the interpreter down around it aborts the process. By now all reports are on disk, or
    never will be. Nor is a process torn down that has loaded torch, which takes seconds and frees nothing
    that its end does not.
    """
    abandoned = any(thread.name == RUN_THREAD for thread in threading.enumerate())
    if abandoned or "torch" in sys.modules or (code == EXIT_INTERRUPTED and threading.active_count() > 1):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        _exit(code)
    sys.exit(code)


def _exit(code: int) -> NoReturn:
    os._exit(code)
