"""The live view: the six steps, how far the run is, and a line for each event."""

from datetime import UTC, datetime

import streamlit as st

from veriscite_app.jobs import JobState, JobView, registry
from veriscite_app.log import LogLine, lines
from veriscite_app.markup import callout, draw
from veriscite_app.texts import count, duration, t

POLL_S = 0.5
LATEST = 240
CHUNK = 40


def show_live(job: JobView) -> None:
    """Draw a job that has not ended; it redraws itself until it has."""
    _poll(job.id)
    st.caption(t("live.reload_hint"))


@st.fragment(run_every=POLL_S)
def _poll(job_id: str) -> None:
    job = registry().view(job_id)
    if job is None or job.state.ended:
        st.rerun()
    draw("steps", steps=job.progress.steps())
    _progress(job)
    st.button(
        t("live.cancel"),
        key="cancel",
        icon=":material/stop_circle:",
        disabled=job.cancelling,
        on_click=registry().cancel,
        args=(job_id,),
    )
    if job.cancelling:
        callout("info", t("live.cancelling"))
    st.markdown(f"**{t('live.log')}**")
    show_log(lines(job.events), latest=LATEST, height=430)


def _progress(job: JobView) -> None:
    now = datetime.now(UTC)
    progress = job.progress
    if job.state is JobState.QUEUED:
        st.progress(0.0, text=t("live.queued"))
        return
    if progress.claims is None:
        st.progress(0.0, text=t("live.progress_start"))
        return
    parts = [t("live.progress", done=progress.done, claims=count("claim", progress.claims))]
    if progress.started_at is not None:
        parts.append(t("live.elapsed", time=duration((now - progress.started_at).total_seconds())))
    left = progress.remaining_s(now)
    if left is not None:
        parts.append(t("live.remaining", time=duration(left)))
    st.progress(progress.share, text=" · ".join(parts))


def show_log(log: list[LogLine], *, latest: int | None = None, height: int | None = None) -> None:
    """Draw the log's lines, the latest at the end.

    They are drawn in chunks: a chunk that is full never changes, so that only the last one travels again.
    """
    first = 0
    if latest is not None and len(log) > latest:
        first = (len(log) - latest) // CHUNK * CHUNK
        st.caption(t("live.log_cut", n=len(log) - first, total=len(log)))
    with st.container(height=height or "content", border=True, autoscroll=height is not None, key="log"):
        if not log:
            st.caption(t("live.log_empty"))
        for start in range(first, len(log), CHUNK):
            draw("log", lines=log[start : start + CHUNK])
