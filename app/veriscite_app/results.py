"""The results: numbers and chart, the claims with all that was found out, what was left out, the files."""

import altair as alt
import streamlit as st

from veriscite.domain import Report, RunStatus
from veriscite.errors import VeriSciteError
from veriscite.reporting.text import Standing
from veriscite.reporting.view import PairView, pairs, standing_counts
from veriscite_app.cards import by_attention, card, needed_agent, tone_of
from veriscite_app.exports import EXPORTS, Export
from veriscite_app.jobs import JobView
from veriscite_app.live import show_log
from veriscite_app.log import lines
from veriscite_app.markup import callout, draw
from veriscite_app.texts import duration, name_of, t

PAGE_SIZE = 25
COLOURS = {"support": "#0f9488", "contradict": "#d9480f", "nei": "#c29a12", "grey": "#8a93a3"}
ALWAYS_SHOWN = (Standing.CONTRADICT, Standing.NOT_ENOUGH_INFO, Standing.SUPPORT)


def show_results(job: JobView, report: Report) -> None:
    """Draw a finished run."""
    all_pairs = pairs(report)
    _head(report)
    _numbers(report, all_pairs)
    _downloads(job, report)
    claims, left_out, log, about = st.tabs(
        [t("results.tab_claims"), t("results.tab_left_out"), t("results.tab_log"), t("results.tab_about")]
    )
    with claims:
        _claims(job.id, report, all_pairs)
    with left_out:
        draw("left_out", groups=_left_out(report))
    with log:
        draw("steps", steps=job.progress.steps(stopped=not job.progress.finished))
        show_log(lines(job.events))
    with about:
        draw("about", provenance=report.provenance, run_id=report.run_id)


def _head(report: Report) -> None:
    took = duration((report.finished_at - report.started_at).total_seconds())
    key = "results.cancelled" if report.status is RunStatus.CANCELLED else "results.finished"
    title = report.manuscript.title or report.manuscript.source_name
    detail = t(key, time=took)
    if report.manuscript.title:
        detail = f"{report.manuscript.source_name} · {detail}"
    draw("run_header", title=title, detail=detail)


def _numbers(report: Report, all_pairs: tuple[PairView, ...]) -> None:
    summary = report.summary
    found = _occurring(all_pairs)
    stats = [{"value": summary.claims, "name": t("results.claims"), "tone": "plain"}]
    stats += [
        {"value": found.get(standing, 0), "name": name_of("standing", standing), "tone": tone_of(standing)}
        for standing in Standing
        if standing in found or standing in ALWAYS_SHOWN
    ]
    stats.append({"value": summary.skipped, "name": t("results.skipped"), "tone": "plain"})
    draw("stats", stats=stats)
    if summary.judged == 0:
        callout("warn", t("results.none"))
    else:
        mean = summary.actions_per_agent_case
        actions = "" if mean is None else t("results.actions", mean=f"{mean:.1f}")
        told = {"agreed": summary.agreed_at_once, "agent": summary.needed_agent, "actions": actions}
        st.caption(t("results.decided", single=summary.single_verifier, **told))
    if found:
        st.altair_chart(chart(found), alt=t("results.chart_alt"))


def _occurring(all_pairs: tuple[PairView, ...]) -> dict[Standing, int]:
    return {standing: number for standing, number in standing_counts(all_pairs).items() if number}


def chart(found: dict[Standing, int]) -> alt.Chart:
    """Return a bar for each standing, its number in the label."""
    names = {standing: f"{name_of('standing', standing)}  {number}" for standing, number in found.items()}
    values = [{"standing": names[standing], "count": number} for standing, number in found.items()]
    axis = alt.Axis(labelLimit=220, labelFontSize=13, ticks=False, domain=False)
    plain: alt.Chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_bar(cornerRadiusEnd=4, height={"band": 0.62})
        .encode(
            y=alt.Y("standing:N", sort=list(names.values()), title=None, axis=axis),
            x=alt.X("count:Q", axis=None),
            color=alt.Color(
                "standing:N",
                scale=alt.Scale(domain=list(names.values()), range=[COLOURS[tone_of(s)] for s in found]),
                legend=None,
            ),
            tooltip=[alt.Tooltip("count:Q", title=t("results.claims"))],
        )
        .properties(height=30 * len(found))
    )
    return plain


def _downloads(job: JobView, report: Report) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="downloads"):
        st.markdown(f"**{t('results.take')}**", width="content")
        for export in EXPORTS:
            _download(export, job, report)


def _download(export: Export, job: JobView, report: Report) -> None:
    try:
        content = _content(export.format, job.id, report)
    except VeriSciteError as error:
        callout("bad", t("problem.export", message=error.message), error.advice)
        return
    st.download_button(
        t(f"results.export_{export.format}"),
        content,
        file_name=export.file_name(report),
        mime=export.mime,
        key=f"download-{export.format}",
        icon=":material/download:",
        on_click="ignore",
    )


@st.cache_data(max_entries=40, show_spinner=False)
def _content(format_name: str, job_id: str, _report: Report) -> bytes:
    export = next(e for e in EXPORTS if e.format == format_name)
    return export.content(_report)


def _claims(job_id: str, report: Report, all_pairs: tuple[PairView, ...]) -> None:
    found = _occurring(all_pairs)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        wanted = st.pills(
            t("results.filter"),
            list(found),
            selection_mode="multi",
            format_func=lambda standing: f"{name_of('standing', standing)} ({found[standing]})",
            key=f"filter-{job_id}",
        )
        order = st.segmented_control(
            t("results.sort"),
            ["attention", "text"],
            default="attention",
            required=True,
            format_func=lambda key: t(f"results.sort_{key}"),
            key=f"order-{job_id}",
        )
    agent_only = st.toggle(t("results.agent_only"), key=f"agent-{job_id}")
    chosen = [
        pair
        for pair in all_pairs
        if (not wanted or pair.standing in wanted) and (needed_agent(pair) or not agent_only)
    ]
    if order == "attention":
        chosen.sort(key=by_attention)
    if not chosen:
        callout("info", t("results.no_match"))
        return
    first = _page(job_id, len(chosen))
    draw("cards", cards=[card(pair, report) for pair in chosen[first : first + PAGE_SIZE]])


def _page(job_id: str, total: int) -> int:
    pages = -(-total // PAGE_SIZE)
    if pages == 1:
        return 0
    page = st.segmented_control(
        t("results.page"),
        list(range(pages)),
        default=0,
        required=True,
        format_func=lambda n: t(
            "results.page_of", first=n * PAGE_SIZE + 1, last=min(total, (n + 1) * PAGE_SIZE), total=total
        ),
        key=f"page-{job_id}-{total}",
    )
    return (page or 0) * PAGE_SIZE


def _left_out(report: Report) -> list[dict[str, object]]:
    claims = {c.id: c.text for c in report.pairing.claims}
    skipped: list[object] = [
        {"kind": name_of("skip", s.reason), "tone": "nei", "text": s.part, "detail": s.detail}
        for s in report.pairing.skipped
    ]
    unresolved: list[object] = [
        {
            "kind": name_of("lookup", u.status),
            "tone": "grey",
            "text": claims.get(u.claim_id, u.claim_id),
            "detail": f"{u.reference_id}: {u.reason}",
        }
        for u in report.unresolved
    ]
    failed: list[object] = [
        {
            "kind": f.step,
            "tone": "bad",
            "text": claims.get(f.claim_id, f.claim_id),
            "detail": f"{f.message} {f.advice}".strip(),
        }
        for f in report.failures
    ]
    notes: list[object] = [
        {
            "kind": "" if n.line is None else t("results.line", line=n.line),
            "tone": "grey",
            "text": n.message,
            "detail": n.raw[:300],
        }
        for n in report.manuscript.notes
    ]
    return [
        {"title": t("results.skipped_title"), "entries": skipped},
        {"title": t("results.unresolved_title"), "entries": unresolved},
        {"title": t("results.failures_title"), "entries": failed},
        {"title": t("results.notes_title"), "entries": notes},
    ]
