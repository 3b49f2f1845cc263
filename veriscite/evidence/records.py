"""A record as any source gives it, in one form, so that matching knows no source."""

from veriscite.domain import Author, Candidate, Frozen, Identifiers, Notice, Reference

_PARTICLES = frozenset(
    "al bin da de del della den der di do dos du el ibn la le san st ten ter van von zu zum zur".split()  # noqa: SIM905
)
_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "phd", "md"})
_MAX_AUTHORS = 500


class Record(Frozen):
    """One work as a source describes it; nothing in it is trusted.

    Attributes:
        record_id: The source's own id.
        abstract: As the source gave it, not yet cleaned or judged.
        kinds: Types of publication as the source names them.
        abstract_note: Why the source holds its abstract back, if it says so.
        notices: Retractions and the like that the source knows of.
        published_as: Identifiers of the published version, where this is a preprint of it.
    """

    source: str
    record_id: str
    title: str
    authors: tuple[Author, ...] = ()
    year: int | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    abstract: str | None = None
    abstract_note: str = ""
    kinds: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    published_as: Identifiers | None = None

    def candidate(self, score: float | None = None) -> Candidate:
        """Tell the record briefly."""
        return Candidate(
            source=self.source,
            record_id=self.record_id,
            title=self.title,
            year=self.year,
            authors=tuple(display_name(author) for author in self.authors[:10]),
            score=None if score is None else round(score, 4),
            identifiers=self.identifiers,
        )


def record_of(entry: Reference, source: str) -> Record:
    """See an entry of a user's library as a record."""
    return Record(
        source=source,
        record_id=entry.id,
        title=entry.title or "",
        authors=entry.authors[:_MAX_AUTHORS],
        year=entry.year,
        venue=entry.venue,
        identifiers=entry.identifiers,
        url=entry.url,
        abstract=entry.abstract,
    )


def display_name(author: Author) -> str:
    """Write a name the way people say it."""
    return f"{author.given} {author.family}" if author.given else author.family


def parse_name(name: str) -> Author:
    """Split a displayed name (`Jane van der Berg`, `Berg, Jane`) into family and given names.

    Args:
        name: One person's or body's name, as sources print it.
    """
    name = " ".join(name[:300].split())
    if "," in name:
        family, _, given = name.partition(",")
        return Author(family=family.strip() or name, given=given.strip() or None)
    words = name.split(" ")
    while len(words) > 1 and words[-1].lower() in _SUFFIXES:
        words.pop()
    if len(words) == 1:
        return Author(family=words[0])
    if _is_initials(words[-1]) and not _is_initials(words[0]):
        # `Smith JA`: the order of medical databases. A single capital could be a family name (`Y. O`).
        return Author(family=" ".join(words[:-1]), given=words[-1])
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    return Author(family=" ".join(words[start:]), given=" ".join(words[:start]))


def _is_initials(word: str) -> bool:
    letters = word.replace(".", "").replace("-", "")
    return 0 < len(letters) <= 3 and letters.isalpha() and letters.isupper()
