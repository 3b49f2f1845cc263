"""The shipped examples, as the form offers them."""

from dataclasses import replace

from veriscite.examples import EXAMPLES, example
from veriscite_app.submission import Draft

NAMES = EXAMPLES


def load(name: str, draft: Draft) -> Draft:
    """Return the form with an example in it; what is not the example's stays as it was.

    Raises:
        InputError: There is no such example.
    """
    found = example(name)
    references = found.references
    return replace(
        draft,
        mode="paste",
        manuscript=found.manuscript.read_text(encoding="utf-8"),
        references=references.read_text(encoding="utf-8") if references else "",
        manuscript_name=found.manuscript.name,
        references_name=references.name if references else "references",
        example=name,
        library_paths=found.library,
    )
