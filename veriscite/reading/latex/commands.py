r"""What the commands of LaTeX and its usual packages mean to a reader."""

from enum import StrEnum


class Show(StrEnum):
    """How a citation reads."""

    PAREN = "paren"
    """(Smith 2019)"""
    TEXT = "text"
    """Smith (2019), a part of its sentence"""
    EITHER = "either"
    r"""`\cite` is one or the other, by the package: told by its place"""
    BARE = "bare"
    """Smith 2019, inside parentheses or text of the author's own"""
    AUTHOR = "author"
    YEAR = "year"
    YEAR_PAREN = "year_paren"
    TITLE = "title"
    ALIAS = "alias"
    ALIAS_PAREN = "alias_paren"


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _table(pairs: dict[Show, str]) -> dict[str, Show]:
    return {name: show for show, names in pairs.items() for name in names.split()}


CITES = _table(
    {
        Show.PAREN: "citep parencite autocite footcite footcitetext smartcite supercite fullcite footfullcite"
        " citen onlinecite citenum shortcite shortciteA fullciteA cites parencites autocites footcites"
        " footcitetexts smartcites supercites fullcites citealtp textsupercite superscriptcite upcite"
        " citeonline volcite pvolcite fvolcite svolcite avolcite notecite pnotecite fnotecite",
        Show.TEXT: "citet textcite textcites citeA citeasnoun citeN possessivecite tvolcite tvolcites",
        Show.EITHER: "cite Cite shortciteNP",
        Show.BARE: "citealt citealp citeNP citealpt",
        Show.AUTHOR: "citeauthor citeauthors citefullauthor",
        Show.YEAR: "citeyear citedate citeyearNP",
        Show.YEAR_PAREN: "citeyearpar",
        Show.TITLE: "citetitle citetitles",
        Show.ALIAS: "citetalias",
        Show.ALIAS_PAREN: "citepalias",
    }
)
"""Citation commands by name; capitalised and starred forms read as the plain ones."""

VOLUME_CITES = _words("volcite pvolcite fvolcite svolcite avolcite tvolcite ftvolcite")
NO_CITES = _words(
    "nocite citestyle citeindextrue citeindexfalse bibcite citereset citetrackertrue citetrackerfalse "
    "citename citenamefont citetext defcitealias citesetup mancite nocitemeta citationstyle "
    "citeauthoryear"
)

HEADINGS = {
    "part": 0,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
ASIDES = _words("footnote footnotetext endnote sidenote tablenotetext tablecomments")
CAPTIONS = _words("caption tablecaption figcaption captionof subcaption")
BREAKS = _words(
    "par newpage clearpage cleardoublepage bigskip medskip smallskip maketitle hrule pagebreak software "
    "facility facilities"
)
TITLES = _words("title Title")
LISTS_NAMED = _words("bibliography addbibresource addglobalbib addsectionbib nobibliography")

REFERENCES = _words(
    "ref eqref pageref nameref Nameref vref Vref vpageref subref label labelcref vrefrange subeqref"
)
NAMED_REFERENCES = _words("autoref cref Cref fullref autopageref crefrange Crefrange cpageref cpagerefrange")
REFERENCE_WORDS = {
    "fig": "Figure",
    "tab": "Table",
    "sec": "Section",
    "subsec": "Section",
    "sect": "Section",
    "ch": "Chapter",
    "chap": "Chapter",
    "app": "Appendix",
    "eq": "Equation",
    "eqn": "Equation",
    "alg": "Algorithm",
    "thm": "Theorem",
    "lem": "Lemma",
    "def": "Definition",
}

DROPPED = {
    **dict.fromkeys(
        _words(
            "author affiliation affil address email thanks date institute keywords orcid "
            "correspondingauthor altaffiltext altaffilmark altaffiliation collaboration shorttitle "
            "shortauthors titlerunning authorrunning received accepted revised published journal "
            "submitted slugcomment pacs pagestyle thispagestyle pagenumbering vspace hspace vskip color "
            "pagecolor includegraphics plotone epsscale bibliographystyle setstretch linespread "
            "footnotemark tablenotemark index glossary hypersetup graphicspath usetikzlibrary lstset "
            "sisetup captionsetup usepackage RequirePackage documentclass documentstyle lstinputlisting "
            "verbatiminput marginpar marginnote todo stepcounter refstepcounter phantomsection phantom "
            "hphantom vphantom thanksref inst fnref fntext fnmark corref cortext ead tnotetext tnoteref "
            "nocite bibdata balance tag notag enlargethispage newcounter newlength theoremstyle "
            "linenumbers tikzset pgfplotsset definecolors counterwithin counterwithout makeindex "
            "DeclareGraphicsExtensions allowdisplaybreaks excludecomment includecomment onlineid preto "
            "appto preprint volume subjclass"
        ),
        1,
    ),
    **dict.fromkeys(
        _words(
            "setlength addtolength setcounter addtocounter newtheorem plottwo markboth fancyhead "
            "fancyfoot rule settowidth pdfbookmark newcolumntype DeclareFieldFormat numberwithin "
            "setboolean newglossaryentry"
        ),
        2,
    ),
    **dict.fromkeys(_words("definecolor newacronym addcontentsline"), 3),
}
"""Commands without anything to read: name -> how many arguments go with them."""

FIRST_DROPPED = {
    **dict.fromkeys(
        _words(
            "href textcolor colorbox hyperlink hypertarget scalebox raisebox rotatebox parbox "
            "foreignlanguage selectlanguage bibfield bibinfo fontsize adjustbox"
        ),
        1,
    ),
    **dict.fromkeys(_words("resizebox multicolumn multirow fcolorbox"), 2),
}
"""Commands whose last argument is text: name -> how many others go before it."""

MATH = _words(
    "equation align alignat flalign eqnarray gather multline displaymath dmath dgroup IEEEeqnarray math "
    "xalignat xxalignat darray"
)
FLOATS = _words(
    "figure table sidewaystable sidewaysfigure wrapfigure wraptable SCfigure SCtable longtable algorithm "
    "deluxetable marginfigure margintable threeparttable supertabular listing floatingfigure subfigure"
)
UNREAD = _words(
    "tabular tabularx tabulary tabu array tikzpicture pgfpicture algorithmic picture keyword keywords "
    "CCSXML pspicture axis forest tabbing highlights graphicalabstract IEEEkeywords pycode algorithm2e "
    "filecontents overpic"
)
ITEMS = _words("itemize enumerate description compactitem compactenum inparaenum asparaenum")
SECTIONS = {
    "abstract": "Abstract",
    "acknowledgements": "Acknowledgements",
    "acknowledgments": "Acknowledgments",
    "acks": "Acknowledgments",
    "acknowledgement": "Acknowledgements",
    "acknowledgment": "Acknowledgment",
}
SECTION_COMMANDS = _words("acknowledgements acknowledgments")
ENVIRONMENT_ARGUMENTS = {
    "minipage": 1,
    "multicols": 1,
    "adjustwidth": 2,
    "spacing": 1,
    "otherlanguage": 1,
    "CJK": 2,
    "wrapfigure": 2,
    "list": 2,
    "adjustbox": 1,
    "subfigure": 1,
}
DEFINERS = _words(
    "newcommand renewcommand providecommand DeclareRobustCommand def gdef edef xdef let "
    "DeclareMathOperator NewDocumentCommand RenewDocumentCommand DeclareDocumentCommand newenvironment "
    "renewenvironment"
)


def show_of(name: str) -> Show | None:
    """Return how a citation command reads, or None if it is none.

    A command of a package that is not known is a citation when its name says so.
    """
    if name in NO_CITES:
        return None
    known = CITES.get(name) or CITES.get(name[:1].lower() + name[1:])
    if known is not None:
        return known
    lowered = name.lower()
    if "cite" not in lowered or any(word in lowered for word in ("style", "font", "format", "count")):
        return None
    return Show.PAREN


def is_multicite(name: str) -> bool:
    r"""Whether a command takes several groups of keys (`\autocites{a}[3]{b}`); told by its plural."""
    return name.endswith("cites")


def is_volume_cite(name: str) -> bool:
    """Whether a command takes a volume before its keys."""
    return name.removesuffix("s") in VOLUME_CITES


def is_kept(name: str) -> bool:
    """Whether a command keeps its own meaning, whatever a manuscript redefines it to."""
    return (
        name in HEADINGS
        or CITES.get(name) is not None
        or CITES.get(name[:1].lower() + name[1:]) is not None
        or name in NO_CITES
        or name in ASIDES
        or name in CAPTIONS
        or name in REFERENCES
        or name in NAMED_REFERENCES
        or name in DEFINERS
        or name in LISTS_NAMED
        or name in ("begin", "end", "item", "bibitem", "title", "textbf", "emph", "url", "href", "par")
        or name in ("abstract", "author", "maketitle", "textit", "texttt", "input", "include", "entry")
    )
