"""Cross-references of LaTeX: the numbers that print shows, and nothing that looks like a citation."""

# ruff: noqa: E501

import pytest

from veriscite.domain import Manuscript
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader
from veriscite.reading.latex.numbers import label_numbers

LIST = b"@article{moss, author={Moss, Ann}, title={Green}, year=2001}\n@article{fern, title={Tall}}"


def read(tex: str, document_class: str = "article", preamble: str = "") -> Manuscript:
    frame = f"\\documentclass{{{document_class}}}{preamble}\n\\begin{{document}}\n{tex}\n\\end{{document}}"
    source = ManuscriptInput(frame.encode(), "main.tex", LIST, "refs.bib")
    return DocumentReader(PlainListParser()).read(source)


FLOATS = "\\begin{figure}\\caption{A}\\label{f:a}\\end{figure}\\begin{figure*}\\caption{B}\\label{f:b}\\end{figure*}\\begin{table}\\label{t:0}\\caption{C}\\label{t:a}\\end{table}"
MATH = "\\begin{equation}\\label{e1}a\\end{equation}\\begin{align}a \\nonumber\\\\ b \\label{e2} \\\\ \\begin{cases}x\\\\y\\end{cases} \\label{e3}\\end{align}\\begin{equation*}c\\end{equation*}\\begin{equation}\\label{e4}\\tag{Q}d\\end{equation}\\begin{equation}\\label{e5}\\end{equation}"
HEADS = "\\section{One}\\label{s1}\\subsection{In}\\label{s11}\\section*{No}\\section{Two}\\label{s2}\\subsection{In}\\label{s21}\\appendix\\section{Last}\\label{a}\\subsection{In}\\label{a1}"


@pytest.mark.parametrize(
    ("before", "tex", "shown"),
    [
        (FLOATS, "See Fig.~\\ref{f:b} and Table \\ref*{t:a}.", "See Fig. 2 and Table 1."),
        (FLOATS, "See \\autoref{f:a}, \\Cref{t:a} and \\cref{f:a,f:b}.", "See Figure 1, Table 1 and Figures 1 and 2."),
        (FLOATS, "See \\crefrange{f:a}{f:b}.", "See Figures 1–2."),
        (MATH, "By \\eqref{e1}, Eq.~\\ref{e2}, \\cref{e3}.", "By 1, Eq. 2, Equation 3."),
        (MATH, "By \\ref{e4} and \\ref{e5}.", "By Q and 4."),
        (HEADS, "In \\S\\ref{s11} and Section~\\ref{s2}.", "In §1.1 and Section 2."),
        (HEADS, "In \\autoref{s21}, \\autoref{a1}, \\nameref{s2}.", "In Section 2.1, Appendix A.1, Two."),
        ("", "In Fig.~\\ref{gone} on page~\\pageref{gone}.", "In Fig. [number] on page [number]."),
        ("", "In \\autoref{fig:gone}.", "In Figure [number]."),
        ("\\begin{enumerate}\\item a\\item\\label{i} b\\end{enumerate}", "Item~\\ref{i}.", "Item 2."),
        ("\\begin{lemma}\\label{l}a\\end{lemma}", "By \\cref{l}.", "By Lemma 1."),
    ],
)  # fmt: skip
def test_what_a_reader_sees(before: str, tex: str, shown: str) -> None:
    manuscript = read(
        f"Moss \\cite{{moss}}.\n\n{tex}\n\n{before}", preamble="\\newtheorem{lemma}[thm]{Lemma}"
    )
    assert manuscript.text.split("\n\n")[1] == shown


def test_chapters_count_anew() -> None:
    tex = (
        "\\chapter{One}\\begin{figure}\\caption{A}\\label{a}\\end{figure}\\chapter{Two}\\section{S}\\label{s}"
        "\\begin{figure}\\caption{B}\\label{b}\\end{figure}\\begin{equation}\\label{e}\\end{equation} "
        "Moss \\cite{moss}: \\ref{a}, \\ref{b}, \\ref{s}, \\ref{e}."
    )
    assert "Moss (Moss 2001): 1.1, 2.1, 2.1, 2.1." in read(tex, "scrbook").text


def test_where_numbers_may_be_citations_none_is_written() -> None:
    # The list is cited by numbers typed by hand: `(1)` would be one of them.
    manuscript = read(f"Moss grows [1] by (\\ref{{e1}}), [\\ref{{e2}}] and \\eqref{{e1}}. Ferns (2). {MATH}")
    assert manuscript.text.startswith("Moss grows [1] by ([number]), [[number]] and [number]. Ferns (2).")


def test_none_is_taken_for_a_citation() -> None:
    manuscript = read(f"Moss \\cite{{moss}} (\\ref{{e1}}), [\\ref{{e2}}], $^{{\\ref{{e2}}}}$ grows. {MATH}")
    assert [marker.reference_ids for marker in CitationPairer().pair(manuscript).markers] == [("moss",)]


@pytest.mark.parametrize("tex", ["\\label", "\\label{", "\\end{align}\\label{a}", "\\begin{align}\\\\\\nonumber\\end{x}",
                                 "\\tag{1}\\label{b}", "\\newtheorem{a}", "\\section\\label{x}", "\\item\\label{i}"])  # fmt: skip
def test_odd_sources_are_counted_too(tex: str) -> None:
    label_numbers(f"\\label{{first}} {tex} \\label{{last}}")
