"""An entry beside the records of its work. A false alarm is worse than a miss.

A part counts as differing only where no record of the work, of any source, has it as the entry does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veriscite.domain import Mismatch, Reference
from veriscite.evidence.checks.differences import SAME, Compared, Difference, Same
from veriscite.evidence.checks.kinds import EntryForm, form_of, is_other_version
from veriscite.evidence.checks.people import compare_people
from veriscite.evidence.checks.venues import compare_venues
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.records import Record
from veriscite.evidence.titles import TitleFit, compare_titles, find_title

ONLINE_FIRST_YEARS = 1
SERIOUS_YEARS = 3
VERSION_YEARS = 3


@dataclass(frozen=True)
class Version:
    """A record that was taken for the cited work.

    Attributes:
        by_identifier: Whether an identifier of the entry led to it.
    """

    record: Record
    by_identifier: bool


def mismatches(reference: Reference, versions: Sequence[Version]) -> tuple[Mismatch, ...]:
    """Lay an entry beside the records of its work, part by part.

    Args:
        reference: The entry.
        versions: Records that matching took for the cited work, the best first.
    """
    parts: tuple[tuple[str, Callable[[Reference, Record], Compared]], ...] = (
        ("title", _title),
        ("authors", compare_people),
        ("year", _year),
        ("venue", compare_venues),
    )
    found = []
    for part, compare in parts:
        mismatch = _agreed(part, reference, versions, compare)
        if mismatch is not None:
            found.append(mismatch)
    return tuple(found)


def _agreed(
    part: str,
    reference: Reference,
    versions: Sequence[Version],
    compare: Callable[[Reference, Record], Compared],
) -> Mismatch | None:
    """The mismatch of a part if every record that says anything of it differs from the entry."""
    differing: list[tuple[Version, Difference]] = []
    for version in versions:
        compared = compare(reference, version.record)
        if isinstance(compared, Same):
            return None
        if compared is not None:
            differing.append((version, compared))
    if not differing:
        return None
    # The mildest view is told: what one source has oddly is no fault of the entry.
    version, told = min(differing, key=lambda one: (one[1].serious, not one[0].by_identifier))
    serious = told.serious and (part != "venue" or len(differing) > 1 or version.by_identifier)
    return Mismatch.model_validate(
        {
            "part": part,
            "cited": told.cited,
            "found": told.found,
            "source": version.record.source,
            "serious": serious,
            "note": told.note,
        }
    )


def _title(reference: Reference, record: Record) -> Compared:
    """Compare titles: a subtitle left out, a cut, accents and case are no differences."""
    if not reference.title or not record.title:
        return None
    match = compare_titles(reference.title, record.title)
    if match.fit in (TitleFit.EXACT, TitleFit.PARTIAL) or _says_the_same(reference.title, record.title):
        return SAME
    if (
        form_of(reference) is EntryForm.PROSE
        and find_title(record.title, reference.raw).fit is TitleFit.EXACT
    ):
        return SAME  # the title was cut out of the entry wrongly
    if match.fit is TitleFit.CLOSE:
        return Difference(reference.title, record.title, serious=False, note="other wording or spelling")
    if not fold(record.title).isascii() or form_of(reference) is EntryForm.PROSE:
        return None
    return Difference(
        reference.title,
        record.title,
        serious=not is_other_version(reference, record) and match.score < _MUCH_ALIKE,
        note="another title",
    )


_MUCH_ALIKE = 0.6


def _says_the_same(cited: str, found: str) -> bool:
    """Whether titles differ in articles and the like only, or in a name put in front (`LIFT: ...`)."""
    mine, theirs = content_words(fold(cited)), content_words(fold(found))
    if mine == theirs:
        return True
    for whole, other in ((found, mine), (cited, theirs)):
        _, colon, rest = whole.partition(":")
        if colon and len(other) >= _TAIL_WORDS and content_words(fold(rest)) == other:
            return True
    return False


_TAIL_WORDS = 4


def _year(reference: Reference, record: Record) -> Compared:
    """Compare years: one year apart is online first beside print."""
    if reference.year is None or record.year is None:
        return None
    apart = abs(reference.year - record.year)
    if apart <= ONLINE_FIRST_YEARS:
        return SAME
    if is_other_version(reference, record):
        if apart <= VERSION_YEARS:
            return SAME
        return Difference(
            str(reference.year), str(record.year), serious=False, note="perhaps another version"
        )
    return Difference(
        str(reference.year), str(record.year), serious=apart >= SERIOUS_YEARS, note=f"{apart} years apart"
    )
