"""LaTeX manuscripts: what a reader sees of them."""

from itertools import pairwise

import pytest

from tests.reading.fakes import LineParser
from veriscite.domain import Manuscript
from veriscite.errors import InputError, UnreadableFileError
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader

FRAME = "\\documentclass{article}\n%s\n\\begin{document}\n%s\n\\end{document}\n"


def read(body: str, preamble: str = "") -> Manuscript:
    content = (FRAME % (preamble, body)).encode()
    return DocumentReader(LineParser()).read(ManuscriptInput(content, "main.tex"))


def paragraphs(body: str, preamble: str = "") -> list[str]:
    return read(body, preamble).text.strip().split("\n\n")


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        ("S{\\'a}nchez, M\\\"uller, \\o{}, \\c{c} and \\ss.", "Sánchez, Müller, ø, ç and ß."),
        ("pages 3--5 --- ``so'' it `is'", "pages 3–5 — “so” it ‘is’"),
        ("Dr.~Moss grew 30\\% \\& more.", "Dr. Moss grew 30% & more."),
        (
            "An \\emph{odd} {\\em case} of \\textbf{\\textit{moss}} in \\textsf{C++}.",
            "An odd case of moss in C++.",
        ),
        ("$\\alpha$ and $p < 0.05$ for H$_2$O, m$^2$, $10^{-3}$", "α and p < 0.05 for H2O, m2, 10^-3"),
        ("It is \\SI{5}{\\kilo\\meter} away.", "It is 5 km away."),
        (
            "The law\n\\begin{equation}\nE = m c^2. \\label{e}\n\\end{equation}\nIt holds.",
            "The law [formula]. It holds.",
        ),
        ("We get \\[ a = b \\] and $$c$$ here.", "We get [formula] and [formula] here."),
        (
            "See Figure~\\ref{fig:a} (\\ref{b}), \\cref{tab:c}.",
            "See Figure [number] ([number]), Table [number].",
        ),
        ("At \\url{http://a.org/b_c%20d} and \\href{http://x}{there}.", "At http://a.org/b_c%20d and there."),
        ("Use \\verb|\\cite{a}| so.", "Use \\cite{a} so."),
        ("One % two\nthree affine-%\n  invariant", "One three affine-invariant"),
        ("A \\iffalse B \\iftrue C \\fi \\fi D \\if0 E \\else F \\fi G", "A D F G"),
        ("\\color{red}Red \\textcolor{blue}{blue} \\vspace{3em}\\colorbox{a}{box}", "Red blue box"),
        ("Unbalanced } { braces and $ signs", "Unbalanced braces and signs"),
        ("\\dataset[Name]{Data} of \\unknown{words}", "Data of words"),
    ],
)
def test_what_a_reader_sees(tex: str, text: str) -> None:
    assert paragraphs(tex) == [text]


def test_paragraphs_headings_title_and_abstract() -> None:
    manuscript = read(
        "\\title[Short]{On \\emph{moss}}\\author{A. Key}\\maketitle\n"
        "\\begin{abstract}Moss grows.\\end{abstract}\nAfter it.\n\n"
        "\\section*{Growth}\nIt grows\nfast.\n\nAnd far.\n\\subsection{Rates \\label{x}} Slow.\n"
    )
    assert manuscript.title == "On moss"
    assert manuscript.format == "latex"
    assert manuscript.text == (
        "Abstract\n\nMoss grows.\n\nAfter it.\n\nGrowth\n\nIt grows fast.\n\nAnd far.\n\nRates\n\nSlow.\n\n"
    )
    assert [(s.heading, s.level, s.span.of(manuscript.text).strip()) for s in manuscript.sections] == [
        ("Abstract", 1, "Moss grows."),
        (None, 1, "After it."),
        ("Growth", 1, "It grows fast.\n\nAnd far."),
        ("Rates", 2, "Slow."),
    ]


def test_notes_and_captions_stand_behind_their_paragraph() -> None:
    body = (
        "Moss grows\\footnote{On \\emph{walls}.} fast.\n\\begin{figure}[t]\\includegraphics{a}\n"
        "\\caption[Short]{A moss.}\\end{figure}\nIt is green.\n\nNext."
    )
    assert paragraphs(body) == ["Moss grows fast. It is green.", "On walls.", "A moss.", "Next."]


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize(
    "command",
    [
        "caption",
        "caption*",
        "captionof{figure}",
        "captionof*{figure}",
        "figcaption",
        "subcaption",
        "tablecaption",
    ],
)
@pytest.mark.parametrize("option", ["", "[Short]"])
def test_every_caption_is_read_in_a_float_and_outside_of_one(command: str, option: str, inside: bool) -> None:
    caption = f"\\{command}{option}{{A moss.}}"
    if inside:
        caption = f"\\begin{{figure}}{caption}\\end{{figure}}"
    assert paragraphs(f"Moss grows.{caption}\n\nNext.") == ["Moss grows.", "A moss.", "Next."]


def test_items_are_paragraphs() -> None:
    body = "We show:\n\\begin{itemize}\\item one;\n\\item[b)] two.\\end{itemize}\nDone."
    assert paragraphs(body) == ["We show:", "one;", "b) two.", "Done."]


def test_what_is_no_prose_is_left_out() -> None:
    body = (
        "Moss.\\begin{verbatim}\n% \\cite{a}\n\\end{verbatim}\n\\begin{lstlisting}[language=C]\nint a;\n"
        "\\end{lstlisting}\\begin{comment}old\\end{comment}\n\\begin{tabular}{ll}1 & \\cite{b}\\end{tabular}\nGreen."  # noqa: E501
    )
    manuscript = read(body)
    assert manuscript.text.split() == ["Moss.", "Green."]
    assert manuscript.stated_markers == ()
    assert any("Citations in headings, tables" in note.message for note in manuscript.notes)


def test_own_macros_are_expanded() -> None:
    preamble = (
        "\\newcommand{\\moss}{Bryum\\xspace}\\newcommand{\\many}[2][some]{#1 of #2}\\def\\two#1#2{#2#1}\n"
        "\\let\\green\\moss\\newcommand\\wrap{\\many}\\DeclareMathOperator{\\argmax}{arg\\,max}\n"
        "\\NewDocumentCommand{\\new}{m}{<#1>}\\renewcommand{\\section}[1]{gone}"
    )
    body = "\\moss grows, \\moss, \\many{us}, \\many[all]{\\green}, \\two{a}{b}, \\wrap{x} and \\new{y}.\n\\section{H}\nT."  # noqa: E501
    assert paragraphs(body, preamble) == [
        "Bryum grows, Bryum, some of us, all of Bryum, ba, some of x and <y>.",
        "H",
        "T.",
    ]


@pytest.mark.parametrize(
    "preamble",
    [
        "\\def\\a{\\a\\a}",
        "\\def\\a{x\\b}\\def\\b{y\\a}",
        "\\newcommand{\\a}[1]{\\a{#1#1}}",
        "\\newcommand{\\ma}{x}"
        + "".join(
            f"\\newcommand{{\\m{b}}}{{{(chr(92) + 'm' + a) * 20}}}" for a, b in pairwise("abcdefghijklm")
        )
        + "\\def\\a{\\mm}",
    ],
    ids=["itself", "each other", "growing argument", "doubling"],
)
def test_macros_that_expand_without_end_are_bounded_and_told(preamble: str) -> None:
    manuscript = read("Moss. \\a{z} End.", preamble)
    assert len(manuscript.text) < 5_000_000
    assert "End." in manuscript.text
    assert any("expand without end" in note.message for note in manuscript.notes)


def test_deep_nesting_does_not_overflow() -> None:
    deep = "{" * 50_000 + "moss" + "}" * 50_000
    assert paragraphs(deep + " " + "\\emph{" * 5_000 + "x" + "}" * 5_000)[0].startswith("moss")
    notes = "\\footnote{" * 3_000 + "x" + "}" * 3_000
    assert paragraphs("Moss." + notes)[0] == "Moss."


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["{", "\\cite[", "\\cite{", "\\begin{equation}", "$$", "\\footnote{", "\\verb|", "\\iffalse ", "[{]}"],
)
def test_two_megabytes_of_one_piece_end(piece: str) -> None:
    # No clock: what is quadratic would not end within any patience.
    body = "Moss. " + piece * (2_000_000 // len(piece))
    try:
        manuscript = read(body)
    except InputError:
        return
    assert manuscript.text.startswith("Moss.")


def test_too_many_groups_are_refused() -> None:
    with pytest.raises(InputError, match="groups"):
        read("\\footnote{a}" + "{}" * 1_000_001)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "\\begin{thebibliography}{9}\\bibitem{a} A. Key. One. 2001.\\end{thebibliography}",
            "reference list",
        ),
        ("\\documentclass{article}\\begin{document}\\end{document}", "without any text"),
    ],
)
def test_without_text_it_is_no_manuscript(content: str, said: str) -> None:
    with pytest.raises(UnreadableFileError, match=said) as caught:
        DocumentReader(LineParser()).read(ManuscriptInput(content.encode(), "main.tex"))
    assert caught.value.advice


@pytest.mark.parametrize(
    ("content", "name", "format_"),
    [
        ("Moss \\cite{a} grows.", "part.tex", "latex"),
        ("\\section{Moss} It \\emph{grows} \\citep{a}.", "pasted text", "latex"),
        ("Write \\cite{a} for a citation.", "pasted text", "text"),
        ("# Moss\n\nIt \\emph{grows} \\citep{a} \\label{b} [@c].", "paper.md", "markdown"),
    ],
)
def test_latex_is_told_by_its_content(content: str, name: str, format_: str) -> None:
    assert DocumentReader(LineParser()).read(ManuscriptInput(content.encode(), name)).format == format_


def test_what_has_no_end_is_told_with_its_line() -> None:
    manuscript = read("Moss.\n\\iffalse\nGreen.\n\\begin{verbatim} x")
    assert {(note.line, note.message.split()[0]) for note in manuscript.notes if note.line} == {
        (5, "\\iffalse"),
        (7, "verbatim"),
    }
