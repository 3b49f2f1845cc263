"""What the readers of tagged references share."""

import re
from xml.etree.ElementTree import Element

from veriscite.domain import Author

_SPACE = re.compile(r"\s+")


def words_of(element: Element | None) -> str:
    """Return the text of an element and all it holds, white space folded."""
    return "" if element is None else _SPACE.sub(" ", "".join(element.itertext())).strip()


def printed(authors: tuple[Author, ...], year: str, parts: list[str]) -> str:
    """Write tagged fields as an entry reads: authors, year in parentheses, the other parts.

    Args:
        authors: In order; those beyond twenty are left to `et al.`.
        year: As printed, with its suffix letter.
        parts: Title, venue, pages and so on; empty ones are left out.
    """
    names = [f"{author.family} {author.given}" if author.given else author.family for author in authors[:20]]
    if len(authors) > 20:
        names.append("et al.")
    head = " ".join(part for part in (", ".join(names), f"({year})" if year else "") if part)
    body = ". ".join(part.strip().rstrip(".") for part in parts if part.strip())
    return ". ".join(part for part in (head, body) if part)
