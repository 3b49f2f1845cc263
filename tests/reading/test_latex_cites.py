"""LaTeX manuscripts: every family of citation commands, and lists in TeX."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.fakes import LineParser
from veriscite.domain import Manuscript
from veriscite.errors import InputError
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader, read_references

SHARED = Path(os.environ.get("VERISCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
BIB = b"""@article{moss, author={Moss, Ann}, title={Green}, year=2001}
@article{fern, author={Fern, Bo and Ivy, Cy}, title={Tall}, year=2002}
@book{ivy:3, author={Ivy, A. and Oak, B. and Elm, C.}, title={Deep}, year={2003}}
"""


def read(tex: str, references: bytes | None = BIB) -> Manuscript:
    source = ManuscriptInput(tex.encode(), "main.tex", references, "refs.bib")
    return DocumentReader(PlainListParser()).read(source)


def marks(manuscript: Manuscript) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(m.span.of(manuscript.text), m.keys, m.narrative) for m in manuscript.stated_markers]


@pytest.mark.parametrize(
    ("tex", "shown", "keys", "narrative"),
    [
        ("\\citep{moss}", "(Moss 2001)", "moss", False),
        ("\\citep[see][p.~3]{moss, fern}", "(see Moss 2001; Fern and Ivy 2002, p. 3)", "moss fern", False),
        ("\\citep[3--5]{moss}", "(Moss 2001, pp. 3–5)", "moss", False),
        ("\\citep[see,\n for example,][]{moss,\n  fern}", "(see, for example, Moss 2001; Fern and Ivy 2002)", "moss fern", False),  # noqa: E501
        ("\\citet{ivy:3}", "Ivy et al. (2003)", "ivy:3", True),
        ("\\Citet*[see][4]{moss}", "Moss (see 2001, p. 4)", "moss", True),
        ("\\citealt{moss}", "Moss 2001", "moss", False),
        ("\\citealp*{moss}", "Moss 2001", "moss", False),
        ("\\citeauthor{fern}", "Fern and Ivy", "fern", True),
        ("\\citeyear{fern}", "2002", "fern", False),
        ("\\citeyearpar{fern}", "(2002)", "fern", False),
        ("\\citeauthor{fern} (\\citeyear{fern})", "Fern and Ivy (2002)", "fern", True),
        ("\\citeauthor{fern}~\\citeyearpar{fern}", "Fern and Ivy (2002)", "fern", True),
        ("\\parencite{moss}", "(Moss 2001)", "moss", False),
        ("\\Textcite{moss}", "Moss (2001)", "moss", True),
        ("\\autocite[12]{moss}", "(Moss 2001, p. 12)", "moss", False),
        ("\\footcite{moss}", "(Moss 2001)", "moss", False),
        ("\\supercite{moss}", "(Moss 2001)", "moss", False),
        ("\\smartcite{moss}", "(Moss 2001)", "moss", False),
        ("\\fullcite{moss}", "(Moss 2001)", "moss", False),
        ("\\cites(see)()[4]{moss}[a][7]{fern}", "(see Moss 2001, p. 4; a Fern and Ivy 2002, p. 7)", "moss fern", False),  # noqa: E501
        ("\\textcites{moss}{fern}", "Moss (2001), Fern and Ivy (2002)", "moss fern", True),
        ("\\autocites(see)(and more)[cf.][2]{moss}[3]{fern}", "(see cf. Moss 2001, p. 2; Fern and Ivy 2002, p. 3, and more)", "moss fern", False),  # noqa: E501
        ("\\Parencites{moss}{fern}", "(Moss 2001; Fern and Ivy 2002)", "moss fern", False),
        ("\\footfullcites{moss}{fern}", "(Moss 2001; Fern and Ivy 2002)", "moss fern", False),
        ("\\volcites{2}[3]{moss}{4}{fern}", "(Moss 2001, vol. 2, 3; Fern and Ivy 2002, vol. 4)", "moss fern", False),  # noqa: E501
        ("\\cites\n {moss}\n {fern}", "(Moss 2001; Fern and Ivy 2002)", "moss fern", False),
        ("\\citetitle{moss}", "Green", "moss", True),
        ("\\cite{gone}", "[gone]", "gone", False),
        ("\\citet{gone}", "gone", "gone", True),
        ("\\citep{moss, gone}", "(Moss 2001; gone)", "moss gone", False),
        ("\\citefresh{moss}", "(Moss 2001)", "moss", False),
        ("\\citeA{moss}", "Moss (2001)", "moss", True),
        ("\\cite<see>[3]{moss}", "(see Moss 2001, p. 3)", "moss", False),
        ("\\citet[hereafter \\citealias{fern}]{moss}", "Moss (2001, hereafter (Fern and Ivy 2002))", "moss fern", True),  # noqa: E501
    ],
)  # fmt: skip
def test_each_command(tex: str, shown: str, keys: str, narrative: bool) -> None:
    manuscript = read(f"Plants grow {tex} well.")
    assert marks(manuscript) == [(shown, tuple(keys.split()), narrative)]
    assert manuscript.text.strip() == f"Plants grow {shown} well."


def test_what_is_no_citation() -> None:
    tex = (
        "\\defcitealias{moss}{M1}\n\\nocite{*}\\nocite{fern} Plants \\emph{grow} \\citestyle{apa}. % \\citep{fern}\n"  # noqa: E501
        "It \\cite{} is \\citetalias{moss} and \\citepalias[by][]{moss}."
    )
    manuscript = read(tex)
    assert marks(manuscript) == [("M1", ("moss",), True), ("(by M1)", ("moss",), False)]
    assert [note.raw for note in manuscript.notes] == ["\\cite{}"]


@pytest.mark.parametrize(
    ("tex", "shown", "narrative"),
    [
        ("\\cite{moss} saw it.", "Moss (2001)", True),
        ("As shown in \\cite{moss}.", "Moss (2001)", True),
        ("It grows \\cite{moss}.", "(Moss 2001)", False),
        ("It grows (\\cite{moss}).", "Moss 2001", False),
    ],
)
def test_cite_reads_by_its_place(tex: str, shown: str, narrative: bool) -> None:
    assert marks(read(tex)) == [(shown, ("moss",), narrative)]


def test_a_mark_glued_to_a_word_is_parted_from_it() -> None:
    assert read("It grows\\cite{moss}. Fast\\supercite{fern}and far.").text == (
        "It grows (Moss 2001). Fast (Fern and Ivy 2002) and far.\n\n"
    )


def test_own_commands_cite() -> None:
    tex = "\\newcommand{\\pc}[2][]{\\citep[#1]{#2}}\\let\\old\\citet It grows \\pc[p.~2]{moss}; \\old{fern} saw it."  # noqa: E501
    assert marks(read(tex)) == [
        ("(Moss 2001, p. 2)", ("moss",), False),
        ("Fern and Ivy (2002)", ("fern",), True),
    ]


def test_markers_in_notes_and_captions() -> None:
    tex = "It\\footnote{See \\citet{moss}.} grows \\citep{fern}. \\begin{table}\\caption{By \\citet{ivy:3}.}\\end{table}"  # noqa: E501
    assert [keys for _, keys, _ in marks(read(tex))] == [("fern",), ("moss",), ("ivy:3",)]


def test_citations_that_are_left_out_are_counted() -> None:
    tex = "\\section{By \\citet{moss}} It grows. \\begin{theorem}[\\cite{fern}] So.\\end{theorem}"
    manuscript = read(tex)
    assert manuscript.text == "By\n\nIt grows.\n\nSo.\n\n"
    assert [note.message for note in manuscript.notes] == [
        "Citations in headings, tables and other parts that are not read as prose: 2."
    ]


def test_claims_keep_their_own_authors() -> None:
    pairing = CitationPairer().pair(
        read("Unlike \\citet{moss}, \\citet{fern} grew ferns. It rained \\citep{ivy:3}.")
    )
    assert [(claim.reference_id, claim.text) for claim in pairing.claims] == [
        ("moss", "Unlike Moss, Fern and Ivy grew ferns."),
        ("fern", "Unlike Moss, Fern and Ivy grew ferns."),
        ("ivy:3", "It rained."),
    ]


BIBITEMS = r"""\begin{thebibliography}{9}
\newcommand{\jr}{J. Moss}
\bibitem[Odd\ \etal(2007))]{odd07} Odd, A., Even, B. 2007, Slow growth, \jr, 5, 3
% \bibitem{old} Old
\bibitem[{Good}, {Weir}, \& {Gil}(2010{\natexlab{b}})]{good:10}
Good, J., Weir, T. \& Gil, W. 2010, Better growth, \href{https://doi.org/10.1234/ab.5}{link}
\bibitem[\protect\citeauthoryear{Hou}{Hou}{2012}]{hou} Hou, F. 2012, Affine growth
\bibitem{odd07} Again
\bibitem{plain} K. L. Plain. \newblock Walls of moss. \newblock {\em Walls}, 1999.
\bibitem[Lab99]{lab} M. Lab. Labels. 1999.
\bibitem no key
\end{thebibliography}
"""


def test_a_list_in_the_manuscript() -> None:
    manuscript = read(f"It grows \\citep{{odd07,good:10,hou,plain}}.\n{BIBITEMS}", None)
    found = {reference.id: reference for reference in manuscript.references}
    assert list(found) == ["odd07", "good:10", "hou", "plain", "lab"]
    assert manuscript.text == "It grows (Odd et al. 2007; Good, Weir, & Gil 2010b; Hou 2012; Plain 1999).\n\n"
    assert found["good:10"].identifiers.doi == "10.1234/ab.5"
    assert (found["good:10"].year, found["good:10"].year_suffix) == (2010, "b")
    assert [found[key].label for key in ("odd07", "plain", "lab")] == [None, "4", "Lab99"]
    assert found["plain"].title == "Walls of moss"
    assert found["plain"].raw.startswith("\\bibitem{plain} K. L. Plain.")
    messages = [note.message for note in manuscript.notes]
    assert any("'odd07' occurs again" in message for message in messages)
    assert any("without a key" in message for message in messages)
    pairing = CitationPairer().pair(manuscript)
    assert pairing.markers[0].reference_ids == ("odd07", "good:10", "hou", "plain")


BIBLATEX = r"""\refsection{0}
\datalist[entry]{nty/global//global/global}
  \entry{moss}{article}{}{}
    \name{author}{2}{}{%
      {{hash=1}{%
         family={M\"oss},
         familyi={M\bibinitperiod},
         given={Ann},
         giveni={A\bibinitperiod}}}%
      {{hash=2}{family={Berg}, prefix={van den}, given={Bo}}}%
    }
    \list{publisher}{1}{{Press}}
    \field{title}{Green {Walls}}
    \field{journaltitle}{Moss Letters}
    \field{year}{2001}
    \verb{doi}
    \verb 10.1234/moss.1
    \endverb
  \endentry
\enddatalist
"""


def test_a_list_of_biblatex() -> None:
    parsed = read_references(BIBLATEX.encode(), "main.bbl", LineParser())
    (reference,) = parsed.references
    assert (reference.id, reference.title, reference.year) == ("moss", "Green Walls", 2001)
    assert [author.family for author in reference.authors] == ["Möss", "van den Berg"]
    assert (reference.venue, reference.identifiers.doi) == ("Moss Letters", "10.1234/moss.1")


def test_a_list_apart_is_used_instead() -> None:
    manuscript = read(f"It grows \\citep{{moss}}.\n{BIBITEMS}")
    assert [reference.id for reference in manuscript.references] == ["moss", "fern", "ivy:3"]
    apart = read_references(BIBITEMS.encode(), "refs.tex", PlainListParser())
    assert len(apart.references) == 5


def test_latex_without_a_list_is_no_list() -> None:
    with pytest.raises(InputError, match="without a reference list"):
        read_references(b"\\documentclass{a}\\begin{document}Moss.\\end{document}", "m.tex", LineParser())


_PIECES = (
    r"\cite{a} \citep[ \citet{a,b} \citeauthor{a} (\citeyear{a}) \cites(x){a}{b} { } [ ] $ $$ % \% ~ -- ` ' \\ \ "  # noqa: E501
    r"\begin{ \end{ equation} figure} \caption{ \footnote{ \section{ \def\a{ \newcommand{\b}[1]{#1 \a \b{ \item["  # noqa: E501
    r" \verb| \iffalse \fi \input{x} \bibitem[a]{a} \begin{thebibliography} \begin{document} \emph \frac \'"
    " \ue1000\ue101 a B. 2001 é \\title{ \\defcitealias{a}{"
)
PIECES = st.sampled_from(_PIECES.split())


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40), st.sampled_from(["", " ", "\n", "\n\n"]))
def test_any_text_is_read_or_refused(pieces: list[str], gap: str) -> None:
    tex = "\\documentclass{a} Moss. " + gap.join(pieces)
    try:
        manuscript = read(tex)
    except InputError:
        return
    end = 0
    for marker in manuscript.stated_markers:
        assert end <= marker.span.start < marker.span.end <= len(manuscript.text)
        assert "\ue100" not in marker.span.of(manuscript.text)
        end = marker.span.end
    for section in manuscript.sections:
        assert 0 <= section.span.start <= section.span.end <= len(manuscript.text)
    CitationPairer().pair(manuscript)


@pytest.mark.skipif(
    not (SHARED / "data" / "papers").is_dir(), reason="needs the shared data (set VERISCITE_SHARED)"
)
@pytest.mark.parametrize("name", ["celerite_ms.tex", "emcee_ms_thebibliography.tex"])
def test_real_manuscripts(name: str) -> None:
    folder = SHARED / "data" / "papers"
    expected = json.loads((folder / "EXPECTED.json").read_text(encoding="utf-8"))[name]
    source = ManuscriptInput((folder / name).read_bytes(), name, root=folder)
    manuscript = DocumentReader(PlainListParser()).read(source)
    cited = [key for marker in manuscript.stated_markers for key in marker.keys]
    assert len(manuscript.stated_markers) == expected["cite_commands"]
    assert len(set(cited)) == expected["distinct_keys"]
    if "key_links" in expected:
        assert len(cited) == expected["key_links"]
    if "bibitems" in expected:
        ids = {reference.id for reference in manuscript.references}
        assert len(manuscript.references) == expected["bibitems"]
        assert set(cited) == ids
        assert CitationPairer().pair(manuscript).skipped == ()
