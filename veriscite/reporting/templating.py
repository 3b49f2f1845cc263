"""Jinja environments in which nothing untrusted gets out unescaped."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from veriscite.reporting import text as words
from veriscite.reporting.text import one_line, visible

_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~$&@]|:(?=//)|(?<=www)\.|^[-+=#]", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^(\d{1,9})([.)])")


class Prepared(str):
    """Markdown that is already escaped, or ours."""

    __slots__ = ()


def escape_markdown(text: str) -> Prepared:
    """Return `text` on one line with whatever Markdown could take for its own escaped.

    CommonMark lets ASCII punctuation be escaped by a backslash, HTML's angle brackets too. Signs that mean
    something at the start of a line only are escaped there only, so that the source stays readable; bare
    addresses are broken up, since some renderers make links of them.
    """
    escaped = _MARKDOWN.sub(lambda match: "\\" + match[0], one_line(text))
    return Prepared(_LIST_NUMBER.sub(r"\1\\\2", escaped))


@cache
def html_environment() -> Environment:
    """Return the environment of HTML templates: autoescape, and hidden characters made visible."""
    return _environment(autoescape=True, finalize=_finalize_html)


@cache
def markdown_environment() -> Environment:
    """Return the environment of Markdown templates: every expression is escaped unless it is `Prepared`."""
    return _environment(autoescape=False, finalize=_finalize_markdown)


def _environment(*, autoescape: bool, finalize: Any) -> Environment:
    environment = Environment(
        loader=PackageLoader("veriscite.reporting", "templates"),
        autoescape=autoescape,  # noqa: S701  (Markdown has its own escaping, see `finalize`)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=finalize,
    )
    environment.filters.update(
        percent=words.percent,
        deletion=words.deletion_words,
        seconds=words.seconds,
        one_line=one_line,
        shorten=words.shorten,
        role=words.role_words,
        source=words.source_words,
        status=words.status_words,
        anchor=anchor,
        plural=words.plural,
        stopped=words.stopped,
    )
    environment.globals.update(words=words)
    return environment


def anchor(value: str) -> str:
    """Return a name that may stand in an `id` and after a `#`."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", value)


def _finalize_html(value: Any) -> Any:
    # Markup is what templates and filters of ours made; all else may carry a reader astray.
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _finalize_markdown(value: Any) -> Any:
    if isinstance(value, Prepared) or not isinstance(value, str):
        return value
    return escape_markdown(value)
