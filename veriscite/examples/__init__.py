"""Short manuscripts that ship with VeriScite: written for it, with errors planted on purpose.

`numeric` cites with numbers, `author-year` with names and years. Both end in their own reference list; the
abstracts come from a library beside them, so that no network is needed.
"""

from dataclasses import dataclass
from pathlib import Path

from veriscite.errors import InputError

EXAMPLES: tuple[str, ...] = ("numeric", "author-year")
"""Names of the examples; the first is the one shown by default."""

_FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class ExampleFiles:
    """Where an example's files lie; read them, never write there.

    Attributes:
        name: One of `EXAMPLES`.
        manuscript: The text, in Markdown.
        references: The reference list when it comes apart; None where the manuscript ends in it.
        library: Files with the abstracts of cited works.
        expected: JSON that says for each claim what is right, and which error was planted.
        readme: What was planted, and whose abstracts the library holds.
    """

    name: str
    manuscript: Path
    references: Path | None
    library: tuple[Path, ...]
    expected: Path
    readme: Path


def example(name: str = EXAMPLES[0]) -> ExampleFiles:
    """Return the files of an example.

    Args:
        name: One of `EXAMPLES`.

    Raises:
        InputError: There is no such example.
    """
    if name not in EXAMPLES:
        raise InputError(f"There is no example {name!r}.", advice=f"Choose one of: {', '.join(EXAMPLES)}.")
    folder = _FOLDER / name
    return ExampleFiles(
        name=name,
        manuscript=folder / "paper.md",
        references=None,
        library=(folder / "library.bib",),
        expected=folder / "expected.json",
        readme=folder / "README.md",
    )
