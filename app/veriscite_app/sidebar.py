"""The sidebar: which models, verifiers, planner and sources are active, and why."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet

import streamlit as st

from veriscite.domain import Provenance
from veriscite.errors import VeriSciteError
from veriscite_app import library
from veriscite_app.markup import callout, draw
from veriscite_app.submission import settings_for
from veriscite_app.texts import t

KEEP_S = 30.0
PATIENCE_S = 0.3
POLL_S = 0.7


class Active:
    """Asks what is active in a thread of its own, and remembers the answer for a while.

    The first question imports the model libraries, which takes seconds: the page must not wait for it.
    """

    def __init__(self) -> None:
        self._answers: dict[bool, tuple[float, Future[Provenance]]] = {}
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="describe")

    def ask(self, *, offline: bool) -> "Future[Provenance]":
        """Return the answer, which may not have come yet."""
        with self._lock:
            asked = self._answers.get(offline)
            if asked is None or (asked[1].done() and time.monotonic() - asked[0] > KEEP_S):
                asked = (time.monotonic(), self._thread.submit(_describe, offline=offline))
                self._answers[offline] = asked
            return asked[1]


def _describe(*, offline: bool) -> Provenance:
    provenance: Provenance = library.wiring().describe(settings_for(offline=offline))
    return provenance


_ACTIVE = Active()


def show_sidebar(*, offline: bool) -> None:
    """Draw the sidebar for this choice."""
    with st.sidebar:
        st.subheader(t("side.title"))
        answer = _ACTIVE.ask(offline=offline)
        if _is_there(answer):
            _show(answer)
        else:
            _wait(offline=offline)
        st.caption(t("side.privacy"))


@st.fragment(run_every=POLL_S)
def _wait(*, offline: bool) -> None:
    answer = _ACTIVE.ask(offline=offline)
    if answer.done():
        st.rerun()
    st.caption(t("side.looking"))


def _is_there(answer: "Future[Provenance]") -> bool:
    try:
        answer.exception(timeout=PATIENCE_S)
    except NotYet:
        return False
    return True


def _show(answer: "Future[Provenance]") -> None:
    try:
        provenance = answer.result()
    except VeriSciteError as error:
        callout("bad", t("side.failed"), error.message, error.advice)
        return
    draw("components", provenance=provenance)
    st.caption(t("side.version", version=provenance.veriscite))
