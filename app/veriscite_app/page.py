"""The page: the form, or the run that the page's address names."""

import streamlit as st

from veriscite_app.form import offline_now, restore, save_draft, show_form
from veriscite_app.jobs import JobState, JobView, Problem, registry
from veriscite_app.live import show_live, show_log
from veriscite_app.log import lines
from veriscite_app.markup import FAVICON, STYLE, callout, draw, start_at_top
from veriscite_app.sidebar import show_sidebar
from veriscite_app.submission import drafts
from veriscite_app.texts import t


def show() -> None:
    """Draw the page."""
    st.set_page_config(
        page_title=t("page.title"),
        page_icon=str(FAVICON),
        layout="wide",
        initial_sidebar_state="auto",
        menu_items={"Get help": None, "Report a bug": None, "About": t("page.about_md")},
    )
    st.html(STYLE)
    job_id = st.query_params.get("job")
    job = registry().view(job_id) if job_id is not None else None
    draft_key = st.query_params.get("draft")
    draft = job.submission.draft if job else drafts().get(draft_key) if draft_key else None
    restore(draft)
    draw("header")
    if job is not None:
        _show_job(job)
    else:
        if job_id is not None:
            callout("warn", t("page.lost_title"), t("page.lost_text"))
        show_form()
    show_sidebar(offline=job.submission.offline if job else offline_now())


def _show_job(job: JobView) -> None:
    if job.report is not None:
        # Brings the charting library, which takes a second to import: the form does not wait for it.
        from veriscite_app.results import show_results

        start_at_top("results")
        _new_check()
        show_results(job, job.report)
        return
    if not job.state.ended:
        start_at_top("live")
        draw("run_header", title=job.submission.manuscript.name, detail="")
        show_live(job)
        return
    if job.state is JobState.CANCELLED:
        callout("info", t("problem.cancelled"), t("problem.nothing"), t("problem.kept"))
    elif job.problem is not None:
        _problem(job.problem)
    if job.events:
        with st.expander(t("results.tab_log"), icon=":material/list:"):
            show_log(lines(job.events))
    show_form()


def _problem(problem: Problem) -> None:
    title = t("problem.input") if problem.of_input else t("problem.run")
    again = t("problem.retryable") if problem.retryable else ""
    callout("bad", title, problem.message, problem.advice, again, t("problem.kept"))


def _new_check() -> None:
    st.button(t("page.new"), key="new", icon=":material/arrow_back:", on_click=_back_to_form)


def _back_to_form() -> None:
    del st.query_params["job"]
    save_draft()
