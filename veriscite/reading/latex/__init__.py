r"""LaTeX manuscripts: the text as a reader sees it, with each `\cite` in its place.

In this order: `clean` takes out what is never printed, `assemble` takes in the parts, `macros` expands the
manuscript's own commands, `blocks` finds its structure, `plain` turns TeX into text, `compose` puts the text
together.
"""

from veriscite.reading.latex.read import Limits, OpenedLatex, read_latex_list

__all__ = ["Limits", "OpenedLatex", "read_latex_list"]
