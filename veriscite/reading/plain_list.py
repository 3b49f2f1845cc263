"""Reference lists in plain text: handed to the parser, one list or several."""

from collections.abc import Sequence

from veriscite.domain import ReadingNote, Reference, Span
from veriscite.errors import TooLargeError
from veriscite.ports import ParsedList, ReferenceListParser


def parse_spans(text: str, spans: Sequence[Span], parser: ReferenceListParser, *, apart: bool) -> ParsedList:
    """Parse the list proper and any further lists (supplementary, further reading) as one.

    Ids go on counting. A further list whose labels begin anew loses them, so that a marker in the text means
    the entry of the list proper.

    Args:
        text: The text that holds the lists.
        spans: Where they stand; the first is the list proper.
        parser: Splits and parses one list.
        apart: Whether the text is not the manuscript's, so that entries have no place in it.
    """
    references: list[Reference] = []
    notes: list[ReadingNote] = []
    for number, span in enumerate(spans):
        parsed = parser.parse(span.of(text), offset=None if apart else span.start)
        notes.extend(parsed.notes)
        if number == 0:
            references.extend(parsed.references)
            continue
        taken = {reference.label for reference in references if reference.label}
        restarts = any(reference.label in taken for reference in parsed.references)
        for reference in parsed.references:
            update: dict[str, str | None] = {"id": f"ref-{len(references) + 1}"}
            if restarts:
                update["label"] = None
            references.append(reference.model_copy(update=update))
        if parsed.references:
            restart = "; markers do not refer to it, since its numbers begin anew" if restarts else ""
            message = f"A further list ({len(parsed.references)} entries) follows the main one{restart}."
            notes.append(
                ReadingNote(
                    message=message,
                    span=None if apart else span,
                )
            )
    return ParsedList(references=tuple(references), notes=tuple(notes))


def limit_references(count: int, name: str, max_references: int) -> None:
    """Refuse a list that is longer than the limit.

    Raises:
        TooLargeError: It is.
    """
    if count > max_references:
        raise TooLargeError(
            f"{name} holds {count:,} references; the limit is {max_references:,}.",
            advice="Give the entries that the manuscript cites, or raise VERISCITE_READING_MAX_REFERENCES.",
        )
