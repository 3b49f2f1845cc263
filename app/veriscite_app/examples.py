"""The shipped examples, as the form offers them."""

from dataclasses import replace
from pathlib import Path

from veriscite.examples import EXAMPLES, example
from veriscite_app.submission import Draft

NAMES = EXAMPLES
PASTED = ("pasted text", "pasted references")


def load(name: str, draft: Draft) -> Draft:
    """Return the form with an example in it; what is not the example's stays as it was.

    Raises:
        InputError: There is no such example.
    """
    found = example(name)
    return replace(
        draft,
        mode="paste",
        manuscript=_text(found.manuscript),
        references=_text(found.references),
        example=name,
        library_paths=found.library,
    )


def names(name: str, manuscript: str, references: str) -> tuple[str, str]:
    """Return the names under which pasted texts are handed in.

    An example that was not edited keeps the names of its files, so that its report is the same as the
    command line's.
    """
    if name not in NAMES:
        return PASTED
    found = example(name)
    first = found.manuscript.name if manuscript == _text(found.manuscript) else PASTED[0]
    same_list = found.references is not None and references == _text(found.references)
    return first, found.references.name if found.references and same_list else PASTED[1]


def _text(path: Path | None) -> str:
    return path.read_text(encoding="utf-8") if path else ""
