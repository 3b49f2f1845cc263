"""The form: text or files, the library, the options, and the examples.

Its fields live in `st.session_state`; what was typed is also kept as a draft on the server, under a key in
the page's address, so that neither a rerun nor a reload nor an error loses it.
"""

from typing import Any, Final

import streamlit as st

from veriscite.errors import VeriSciteError
from veriscite_app import examples
from veriscite_app.jobs import registry
from veriscite_app.markup import callout
from veriscite_app.submission import (
    Draft,
    NamedFile,
    Submission,
    default_max_claims,
    drafts,
    offline_by_default,
)
from veriscite_app.texts import name_of, t

MODES: Final = ("paste", "upload")
MANUSCRIPT_TYPES: Final = ("pdf", "docx", "tex", "zip", "xml", "md", "markdown", "txt")
REFERENCE_TYPES: Final = ("bib", "bbl", "ris", "json", "jsonl", "xml", "txt")


def restore(draft: Draft | None) -> None:
    """Fill the fields of a session that has just begun."""
    if "mode" in st.session_state:
        return
    if draft is None:
        draft = Draft(offline=offline_by_default(), max_claims=default_max_claims())
    _put(draft)


def offline_now() -> bool:
    """Whether the form says offline."""
    return bool(st.session_state.get("offline", True))


def show_form() -> None:
    """Draw the form."""
    problem = st.session_state.pop("form_problem", None)
    if problem is not None:
        callout("bad", *problem)
    _examples()
    st.segmented_control(
        t("form.mode"),
        MODES,
        required=True,
        format_func=lambda mode: t(f"form.mode_{mode}"),
        key="mode",
        persist_state="session",
        on_change=save_draft,
    )
    if st.session_state["mode"] == "paste":
        _paste()
    else:
        _upload()
    _library()
    _options()


def save_draft() -> None:
    """Keep the fields as they are now, and put the draft's key into the page's address."""
    st.query_params["draft"] = drafts().save(st.query_params.get("draft"), _draft())


def _examples() -> None:
    with st.container(border=True, key="examples"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{t('form.example_title')}**", width="content")
            for name in examples.NAMES:
                st.button(
                    name_of("example", name),
                    key=f"example-{name}",
                    icon=":material/description:",
                    on_click=_load_example,
                    args=(name,),
                )
        st.caption(t("form.example_text"))


def _paste() -> None:
    left, right = st.columns([3, 2])
    with left:
        st.text_area(
            t("form.manuscript"),
            height=290,
            placeholder=t("form.manuscript_placeholder"),
            key="manuscript",
            persist_state="session",
            on_change=save_draft,
        )
    with right:
        st.text_area(
            t("form.references"),
            height=290,
            placeholder=t("form.references_placeholder"),
            key="references",
            persist_state="session",
            on_change=save_draft,
        )


def _upload() -> None:
    left, right = st.columns([3, 2])
    with left:
        st.file_uploader(t("form.manuscript_file"), type=MANUSCRIPT_TYPES, key="manuscript_file")
        _kept("manuscript_file", "kept_manuscript")
    with right:
        st.file_uploader(t("form.references_file"), type=REFERENCE_TYPES, key="references_file")
        _kept("references_file", "kept_references")


def _kept(widget: str, kept: str) -> None:
    file: NamedFile | None = st.session_state.get(kept)
    if file is None or st.session_state.get(widget) is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(t("form.kept", name=file.name))
        st.button(t("form.kept_drop"), key=f"drop-{kept}", on_click=_forget, args=(kept,), type="tertiary")


def _forget(kept: str) -> None:
    st.session_state[kept] = None


def _library() -> None:
    paths = st.session_state["library_paths"]
    with st.expander(t("form.library"), expanded=bool(paths), icon=":material/library_books:"):
        st.file_uploader(
            t("form.library_help"), type=REFERENCE_TYPES, accept_multiple_files=True, key="library_files"
        )
        if paths:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(t("form.library_example", names=", ".join(path.name for path in paths)))
                st.button(t("form.library_drop"), key="drop-library", on_click=_drop_library, type="tertiary")


def _drop_library() -> None:
    st.session_state["library_paths"] = ()
    save_draft()


def _options() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        st.toggle(
            t("form.offline"),
            key="offline",
            help=t("form.offline_help"),
            persist_state="session",
            on_change=save_draft,
        )
        st.number_input(
            t("form.max_claims"),
            min_value=1,
            max_value=10_000,
            value=None,
            step=1,
            key="max_claims",
            placeholder=t("form.max_claims_placeholder"),
            help=t("form.max_claims_help"),
            width=180,
            persist_state="session",
            on_change=save_draft,
        )
        st.button(t("form.run"), key="run", type="primary", icon=":material/fact_check:", on_click=_submit)


def _load_example(name: str) -> None:
    try:
        _put(examples.load(name, _draft()))
    except VeriSciteError as error:
        st.session_state["form_problem"] = (error.message, error.advice)
    else:
        save_draft()
        st.toast(t("form.example_loaded", name=name_of("example", name)), icon=":material/check:")


def _draft() -> Draft:
    state = st.session_state
    return Draft(
        mode=state["mode"],
        manuscript=state["manuscript"],
        references=state["references"],
        example=state["example"],
        library_paths=state["library_paths"],
        offline=state["offline"],
        max_claims=state["max_claims"],
        manuscript_file=state["kept_manuscript"],
        references_file=state["kept_references"],
    )


def _put(draft: Draft) -> None:
    fields: dict[str, Any] = {
        "mode": draft.mode,
        "manuscript": draft.manuscript,
        "references": draft.references,
        "example": draft.example,
        "library_paths": draft.library_paths,
        "offline": draft.offline,
        "max_claims": draft.max_claims,
        "kept_manuscript": draft.manuscript_file,
        "kept_references": draft.references_file,
    }
    for key, value in fields.items():
        st.session_state[key] = value


def _submit() -> None:
    submission = _submission()
    if submission is None:
        advice = t(f"form.empty_{st.session_state['mode']}")
        st.session_state["form_problem"] = (t("form.empty_title"), advice)
        return
    try:
        job_id = registry().submit(submission)
    except VeriSciteError as error:
        st.session_state["form_problem"] = (error.message, error.advice)
        return
    st.query_params.from_dict({"job": job_id})


def _submission() -> Submission | None:
    state = st.session_state
    if state["mode"] == "paste":
        names = examples.names(state["example"], state["manuscript"], state["references"])
        manuscript = _text(state["manuscript"], names[0])
        references = _text(state["references"], names[1])
    else:
        state["kept_manuscript"] = manuscript = _file("manuscript_file") or state["kept_manuscript"]
        state["kept_references"] = references = _file("references_file") or state["kept_references"]
    if manuscript is None:
        return None
    return Submission(
        manuscript=manuscript,
        references=references,
        library_files=tuple(
            NamedFile(file.name, file.getvalue()) for file in state.get("library_files") or ()
        ),
        library_paths=state["library_paths"],
        offline=state["offline"],
        max_claims=state["max_claims"],
        draft=_draft(),
    )


def _text(text: str, name: str) -> NamedFile | None:
    return NamedFile(name, text.encode("utf-8", "surrogatepass")) if text.strip() else None


def _file(widget: str) -> NamedFile | None:
    uploaded = st.session_state.get(widget)
    return NamedFile(uploaded.name, uploaded.getvalue()) if uploaded is not None else None
