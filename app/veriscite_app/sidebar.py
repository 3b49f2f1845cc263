"""The sidebar: which models, verifiers, planner and sources are active, and why."""

import streamlit as st

from veriscite.domain import Provenance
from veriscite.errors import VeriSciteError
from veriscite_app.markup import callout, draw
from veriscite_app.submission import settings_for
from veriscite_app.texts import t


@st.cache_data(ttl=30, show_spinner=False)
def _active(*, offline: bool) -> Provenance:
    from veriscite.wiring import describe

    return describe(settings_for(offline=offline))


def show_sidebar(*, offline: bool) -> None:
    """Draw the sidebar for this choice."""
    with st.sidebar:
        st.subheader(t("side.title"))
        try:
            provenance = _active(offline=offline)
        except VeriSciteError as error:
            callout("bad", t("side.failed"), error.message, error.advice)
        else:
            draw("components", provenance=provenance)
            st.caption(t("side.version", version=provenance.veriscite))
        st.caption(t("side.privacy"))
