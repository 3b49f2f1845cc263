"""Small files of each format, written here, that the mutations start from."""

# ruff: noqa: W291 - data is easier to read unwrapped

import json

from tests.linking.helpers import NUMBERED
from tests.reading.docx_builder import (
    complex_field,
    docx,
    endnote,
    item,
    mark,
    mendeley_control,
    p,
    part,
    simple_field,
    source,
    zotero,
)
from tests.reading.pdf_builder import Text, make_pdf, paragraph
from tests.reading.test_endnote import LIST as ENDNOTE  # noqa: F401 - a seed like the others
from tests.reading.test_jats import article, x

AUTHOR_YEAR = """\
Moss, A. B. (2020). Tides and mud. Mud Journal, 3(2), 1-9. https://doi.org/10.1000/mud.1
Fern, C., Olu, T., & Rao, V. (2020a). Silt budgets. Mud J. arXiv:1706.03762
World Health Organization. (n.d.). Guidelines on smoke. Author.
van den Berg, H. (1999). Polders. In: O'Neil D, editor. Water. Springer; 1999. p. 3-8."""
TEXT = f"""\
On Moss and Mud

1 Introduction

Moss grows on walls [1, 3-5], and mud (Moss, 2020; Fern et al., 2020a) settles.¹,² As Moss (2020) showed,
it is 3.5 (95% CI [1.2, 4.5]) in Ref. 2 and [6]–[9]. This effect holds (see van den Berg 1999, p. 3).

2 Results

Silt (WHO, n.d.) came (1) first, Fig. 2a, and ibid. “as cited in” [12].

References

{NUMBERED}
"""

MARKDOWN = """\
---
title: On moss
bibliography: refs.bib
---
# Introduction {#sec:intro}

Moss grows [@moss2020, pp. 33-35; see also -@fern:20a] and @berg1999 [p. 3] `[@code]` [link](http://x.org/(1)).

```python
[@not]
```
<!-- [@hidden] --> ![fig](a.png){#fig:a} [^1] <sup>3</sup> **[4]** [5][6]

[^1]: A note [@moss2020].

## References

1. Moss A. On walls. Moss J. 2020;3:1-9.
2. Fern C. Silt budgets. Mud J. 2020.
"""
LATEX = r"""\documentclass[12pt]{article}
\usepackage{natbib} % a comment \cite{no}
\newcommand{\pc}[2][see]{\citep[#1][]{#2}}
\def\moss{\textit{Bryum}}
\title{On \emph{Moss}}
\begin{document}\maketitle
\section{Intro}\label{sec:a}
\moss{} grows \citep[see][p.~3]{moss, fern} on H$_2$O, \pc{ivy} and \citet*{moss}; see Fig.~\ref{fig:a}.
\begin{equation} x_{i}^{2} = \frac{a}{b} \end{equation}
\begin{figure}\caption[s]{By \cites(see)[4]{moss}[a][7]{fern}.}\end{figure}
\footnote{A \citetalias{moss} note\verb|%|.} \iffalse gone \fi \input{part}
\begin{itemize}\item[a] M\"oss \& \'{e}t \$5\end{itemize}
\begin{thebibliography}{9}
\bibitem[Moss and Fern(2020)Moss, Fern]{moss} Moss, A. and Fern, C. \newblock On walls. 2020.
\bibitem{fern} C. Fern. {\em Silt}. \doi{10.1000/x}
\end{thebibliography}
\end{document}
"""
BBL = r"""\refsection{0}
\datalist[entry]{nty/global//global/global}
\entry{moss}{article}{}{}
\name{author}{2}{}{{{hash=1}{family={M\"oss},given={Ann}}}{{hash=2}{family={Berg},prefix={van den}}}}
\field{title}{Green {Walls}}\field{year}{2001}
\verb{doi}
\verb 10.1234/moss.1
\endverb
\endentry
\enddatalist
"""
JATS = article(
    f"<sec id='s'><title>One</title><p>Moss [{x('b1', '1')}–{x('b3', '3')}] and Fern et al. "
    f"({x('b2', '2002')}) <fig><caption><p>See.<sup>{x('b4', '4')}</sup></p></caption></fig>"
    "<inline-formula>x</inline-formula></p><table-wrap><table><tr><td>1</td></tr></table></table-wrap>"
    "<fn><p>Note &amp; more.</p></fn></sec>"
)
SOURCES = (
    '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography">'
    f"{source('Mos20', 'Moss', 2020, 'On walls')}{source('Fer19', 'Fern', 2019, 'On shade')}</b:Sources>"
)
BODY = (
    p("On moss", style="Titel")
    + p("Introduction", style="Heading1")
    + p("Moss ", complex_field(zotero(item(1, "Moss", 2019, "Moss")), "(2019)"), " and ", mark("begin"))
    + p(complex_field(zotero(item(2, "Fern", 2020, "Ferns")), "[2]"), mark("end"))
    + p("Reeds ", complex_field(f" ADDIN EN.CITE {endnote(3, 'Reed', 2021, 'Reeds')}", "[3]"), ".")
    + p("Algae ", mendeley_control("(Alga, 2018)", item("m1", "Alga", 2018, "Algae")), ".")
    + p("Sedge ", simple_field(" CITATION Mos20 \\l 1033 ", "(Moss, 2020)"), ".")
    + "<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc/></w:tr></w:tbl>"
    + p(
        '<w:del w:id="1"><w:r><w:delText>x</w:delText></w:r></w:del>',
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
    )
)
DOCX_PARTS = {
    "word/document.xml": part("document", f"<w:body>{BODY}</w:body>"),
    "word/footnotes.xml": part("footnotes", f'<w:footnote w:id="2">{p("Note.")}</w:footnote>'),
    "customXml/item1.xml": SOURCES,
}
DOCX = docx(BODY, footnotes=f'<w:footnote w:id="2">{p("Note.")}</w:footnote>')
PDF = make_pdf(
    [
        [
            *paragraph(60, 780, ["On Moss and Mud"], size=16),
            *paragraph(60, 740, ["Moss grows on walls [1, 2], and mud settles fast, as", "was shown [3]."]),
            Text(300, 740, "2", size=6),
            *paragraph(320, 700, ["A second column that says", "more of it (Moss, 2020)."]),
        ],
        [
            *paragraph(60, 780, ["References"], size=12),
            *paragraph(
                60, 760, [f"{n}. Moss A. On wall {n}. J Moss. 20{n + 10};{n}:1-9." for n in range(1, 6)]
            ),
        ],
    ],
    title="On moss",
)
BIBTEX = r"""@string{jm = "J. Moss"}
@comment{no}
@article{moss2020,
  author = {Moss, Ann and {World Moss Org} and van den Berg, Bo},
  title = "On {W}alls and M{\"o}ss", journal = jm # " Letters", year = 2020, month = jan,
  doi = {10.1000/moss.1}, abstract = {Green \& slow.},
}
@book(fern, title = {Ferns}, year = {c. 1999}, crossref = {moss2020})
"""
RIS = """TY  - JOUR
ID  - moss
AU  - Moss, Ann
A2  - Fern, C.
TI  - On walls
PY  - 2020/03/01
JO  - J Moss
SP  - 1
EP  - 9
DO  - 10.1000/moss.1
AB  - Green
  and slow.
ER  - 

TY  - BOOK
AU  - World Health Organization
T1  - Ferns
Y1  - 1999
ER  - 
"""
CSL = json.dumps(
    [
        item("moss", "Moss", 2020, "On walls", DOI="10.1000/m.1", page="1-9"),
        {**item(7, "Fern", 1999, "Ferns"), "author": [{"literal": "WHO"}, {"family": "B", "suffix": "Jr"}]},
        {"id": "x", "issued": {"raw": "May 2001"}, "title": ["a"], "abstract": None},
    ],
    indent=1,
)
STRINGS = [
    "Moss AB, Fern C, et al. On walls: a review. J Moss. 2020;3(2):1-9. doi:10.1000/moss.1",
    "A. B. Moss and C. Fern, “On walls,” in Proc. Moss Conf., vol. 3, pp. 1–9, Mar. 2020.",
    "World Health Organization (2019, May 3). Guidelines on smoke (2nd ed.). Author. https://who.int/a_(b)",
    "van den Berg, H., & O'Neil-Smith, D. J. (in press). Polders. In E. Ed (Ed.), Water (pp. 3-8). Springer.",
    "王伟, 李娜. 苔藓研究. 植物学报, 2018, 3: 1-9.",
]
