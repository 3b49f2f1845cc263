"""HTML that we build ourselves, from Jinja templates that escape every value.

So no text of a manuscript, an abstract or a search result is ever rendered as HTML or Markdown.
"""

from functools import cache
from pathlib import Path

import streamlit as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from veriscite.reporting.text import visible
from veriscite_app import texts

_FOLDER = Path(__file__).parent
STYLE = _FOLDER / "style.css"
FAVICON = _FOLDER / "favicon.svg"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_finalize,
    )
    environment.globals.update(t=texts.t, name_of=texts.name_of)
    return environment


def _finalize(value: object) -> object:
    """Spell out control characters and bidirectional overrides; our own HTML stays as it is."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def render(template: str, **values: object) -> str:
    """Return a template's HTML; every value is escaped."""
    return _environment().get_template(f"{template}.html").render(**values)


def draw(template: str, **values: object) -> None:
    """Put a template's HTML onto the page."""
    st.html(render(template, **values))


def callout(tone: str, title: str, *paragraphs: str) -> None:
    """Put a message onto the page: `tone` is `bad`, `warn` or `info`."""
    draw("callout", tone=tone, title=title, paragraphs=[p for p in paragraphs if p])


def start_at_top(view: str) -> None:
    """Scroll up once when `view` replaces another; Streamlit would keep the old place.

    Args:
        view: A name of ours, never a user's text: it goes into a script.
    """
    script = "document.querySelector('.stMain')?.scrollTo(0, 0)"
    st.html(f"<script>/* {view} */ {script}</script>", unsafe_allow_javascript=True)
