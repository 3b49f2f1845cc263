"""What the rules read in an entry: authors, year, title and venue, each by its shape and place."""

import re
from dataclasses import dataclass

from veriscite.linking.references.authors import AuthorList, parse_authors
from veriscite.linking.references.fields import Year, find_title, find_venue, find_year

_QUOTED_TITLE = re.compile(r"([^\W\d_][^\d“”\"«»]{2,150}?)[\s,.:]*([“\"«]\s?[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Reading:
    """The fields of an entry, and where the title was looked for and found to end."""

    names: AuthorList
    year: Year | None
    title: str | None
    venue: str | None
    title_start: int
    title_end: int

    def hints(self) -> list[tuple[int, int, str]]:
        """Return the stretches that the fields stand on (start, end, name), in order."""
        found = []
        if self.names.end:
            found.append((0, self.names.end, "author"))
        if self.year and self.year.leading:
            found.append((self.year.start, self.year.end, "date"))
        if self.title:
            found.append((self.title_start, self.title_end, "title"))
        found.append((max(self.title_end, self.title_start), 1_000_000, "rest"))
        return found


def read_by_rules(text: str) -> Reading:
    """Read an entry that is on one line, without label and identifiers."""
    found = parse_authors(text)
    if not found.authors and not found.repeated and (quote := _QUOTED_TITLE.match(text)):
        # Names of a shape of their own end at the title's quotation mark.
        found = parse_authors(quote[1] + ".")
        found = AuthorList(found.authors, quote.start(2), found.et_al)
    year = find_year(text, found.end)
    start = year.end if year and year.leading else found.end
    title = find_title(text, start, after_comma=text[found.end : found.end + 1] in ",:" and found.end > 0)
    return Reading(found, year, title.text, find_venue(text, title.end), start, title.end)
