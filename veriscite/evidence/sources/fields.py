"""Values of untrusted answers: taken when they have the form they should have, cut to a sensible length."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

YEARS = range(1400, 2200)
MAX_ITEMS = 500
MAX_TEXT = 2_000
MAX_ABSTRACT = 100_000
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> Sequence[Any]:
    """The value's first items if it is a list, else none."""
    return value[:MAX_ITEMS] if isinstance(value, list) else ()


def objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects among a list's first items."""
    return [item for item in items(value) if isinstance(item, dict)]


def text(value: Any, length: int = MAX_TEXT) -> str:
    """The value in one line if it is text, else nothing."""
    return " ".join(value[: 4 * length].split())[:length] if isinstance(value, str) else ""


def first_text(value: Any, length: int = MAX_TEXT) -> str:
    """The first text of a list, or the text itself."""
    return next((found for item in items(value) if (found := text(item, length))), "") or text(value, length)


def title_text(value: Any) -> str:
    """A title without the mark-up that some sources leave in it (`<i>E. coli</i>`)."""
    return text(_TAG.sub("", value[: 4 * MAX_TEXT])) if isinstance(value, str) else ""


def year(value: Any) -> int | None:
    """A year as a number or as text, if it can be one."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    digits = str(value)[:4] if isinstance(value, str) else str(value)
    return int(digits) if digits.isascii() and digits.isdigit() and int(digits) in YEARS else None


def web_address(value: Any) -> str | None:
    """The value if it is an address that a browser may open."""
    found = text(value)
    return found if found.startswith(("https://", "http://")) else None


def abstract_text(value: Any) -> str | None:
    """An abstract as it came, cut to a bound; None when there is none."""
    return value[:MAX_ABSTRACT] if isinstance(value, str) and value.strip() else None
