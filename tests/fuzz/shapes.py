"""Adversarial input of any size: what makes careless parsers slow, by parser."""

# ruff: noqa: B008, E501, UP031

# ruff: noqa: E501 - data is easier to read unwrapped

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from tests.fuzz.seeds import AUTHOR_YEAR
from tests.fuzz.targets import packed
from tests.linking.helpers import NUMBERED
from tests.reading.docx_builder import complex_field, item, p, part, zotero
from tests.reading.pdf_builder import Text, make_pdf
from tests.reading.test_jats import article, x


@dataclass(frozen=True)
class Shape:
    """One kind of input.

    Attributes:
        target: The parser's name.
        make: Size in bytes -> the input.
    """

    target: str
    make: Callable[[int], bytes]


def _filled(unit: str, before: str = "", after: str = "") -> Callable[[int], bytes]:
    """Repeat a unit between two texts; `{n}` in it counts."""

    def make(size: int) -> bytes:
        if "{n}" not in unit:
            return (before + unit * max(size // len(unit.encode()), 1) + after).encode()
        pieces = [unit.replace("{n}", str(n)) for n in range(max(size // (len(unit.encode()) + 3), 1))]
        return (before + "".join(pieces) + after).encode()

    return make


_LIST = f"\n\nReferences\n\n{NUMBERED}\n"
_NAMES = f"\n\nReferences\n\n{AUTHOR_YEAR}\n"
_TEXT_UNITS = {
    "open brackets": "[", "open parentheses": "(", "[1": "[1", "[1,": "[1,", "[1] markers": "[1] ",
    "[1] sentences": "Moss grows well [1]. ", "[1]-": "[1]-", "ranges": "[1-99999999] ", "(1, ": "(1, ",
    "dashes": "-", "en dashes": "–", "commas": ",", "spaces": " ", "spaces a": "   a", "dots": ".", "line ends": "\n", "one letter": "a",
    "short lines": "a\n", "blank lines": "a\n\n", "numbers": "1 ", "number lines": "1\n", "superscripts": "¹", "¹,": "¹,",
    "words": "moss ", "capitals": "Moss ", "initials": "A. ", "years": "2020 ", "(Moss 2020)": "(Moss, 2020) ",
    "open names": "(Moss, A 2020; ", "names and": "Moss and Fern and ", "et al": "Moss et al. ",
    "quotes": "“", "apostrophes": "'", "at": "@", "keys": "@key ", "urls": "http://a.b/", "url path": "/a", "dois": "10.1000/a ",
    "doi open": "10.1000/", "headings": "\n\nReferences\n\n", "numbered headings": "\n\n1 Results\n\n", "tabs": "a\tb\n", "see": "see ",
    "combining": "a\u0301", "controls": "\x0c", "Chinese": "中", "equations": "Eq. (1) ", "brackets nested": "[(",
    "hyphen lines": "mo-\nss ", "bullets": "- a\n", "page furniture": "Moss J 2020\n\x0c12\n",
}  # fmt: skip
_LIST_UNITS = {
    "[1] ": "[1] ", "entries": "[{n}] Moss A. On walls {n}. J Moss. 2020;3:1-9.\n", "1. ": "1. ", "initials": "A. ",
    "names": "Smith, A. ", "names and": "Smith A and ", "dashes": "———, ", "years": "2001\n", "quotes": "“a ",
    "commas": ", ", "dois": "10.1000/a ", "urls": "https://x.org/a-\n", "de": "de ", "blank": "\n\nA", "indent": "    a\n",
    "in": "In: ", "dots": ".", "parentheses": "(2020) ", "long word": "a", "capital": "A", "spaces": " ",
    "author-year": "Moss, A. ({n}). On walls. J Moss.\n", "one line entries": "1. Moss A. On walls. 2. ",
    "brackets": "[", "numbers": "1\n", "headings": "References\n",
}  # fmt: skip
_MARKDOWN_UNITS = {
    "[": "[", "[@": "[@", "[@key; ": "[@key; ", "cites": "Moss grows [@key, p. 3]. ", "[a](": "[a](", "![": "![", "*": "*a", "_": "_",
    "`": "`", "``a": "``a` ", "> ": "> ", "nested quotes": "> > ", "lists": "- a\n", "nested lists": "  - a\n   ", "<": "<", "<!--": "<!--",
    "comments": "<!-- a -->", "fences": "```\n", "open fences": "```a\n~~~\n", "definitions": "[a]: b\n", "headings": "# a\n",
    "setext": "a\n=\n", "<a": "<a ", "tables": "|a|b|\n|-|-|\n", "notes": "[^{n}]", "notes defined": "[^{n}]: a\n", "&": "&amp;", "\\": "\\",
    "spaces": "    a\n", "1. ": "1. ", "tags": "<b>", "attributes": "a {#b}\n",
}  # fmt: skip
_DOCUMENT = "\\documentclass{a}\\begin{document}Moss.\n"
_LATEX_UNITS = {
    "{": "{", "}": "}", "{}": "{}", "{a}": "{a} ", "\\": "\\ ", "$": "$", "$a$": "$a$ ", "$$": "$$", "\\[": "\\[ ", "begin": "\\begin{a}",
    "begin end": "\\begin{a}b\\end{a}", "equations": "\\begin{equation}a\\end{equation}\n", "open equation": "\\begin{equation}",
    "cite": "Moss \\cite{a}. ", "citep": "\\citep[see][p. 3]{a,b}\n\n", "cite[": "\\cite[", "cites": "\\cites", "cites(": "\\cites(a)(",
    "multi cites": "\\cites{a}", "keys": "\\cite{a}", "commands": "\\emph{a} ", "dense": "\\a\\b\\c\\d ", "accents": "M\\\"oss ",
    "macros": "\\newcommand{\\x}{a}", "macro use": "\\newcommand{\\m}{moss} \\m ", "growing macros": "\\newcommand{\\m{n}}{\\m\\m}",
    "def": "\\def\\x{a}\\x ", "comments": "% a\n", "comment": "%", "verb": "\\verb|a| ", "open verb": "\\verb|a\n",
    "verbatim": "\\begin{verbatim}", "iffalse": "\\iffalse ", "iffalse fi": "\\iffalse a \\fi ", "input": "\\input{a{n}} ", "footnotes": "\\footnote{a}",
    "nested footnotes": "\\footnote{", "captions": "\\begin{figure}\\caption{a}\\end{figure}", "open figures": "\\begin{figure}\\caption{a}",
    "sections": "\\section{a}\n", "paragraphs": "a\\par ", "items": "\\item a\n", "refs": "Fig.~\\ref{a{n}} ", "labels": "\\label{a{n}}", "bibitems": "\\bibitem{a{n}} Moss A. On walls. 2020.\n",
    "open bibitems": "\\bibitem", "bibitem[": "\\bibitem[", "~": "~", "tabs": "a&b\\\\\n", "options": "\\a[", "options closed": "\\a[b]{c}",
    "tables": "\\begin{tabular}{a}a&b\\end{tabular}", "urls": "\\url{http://a}", "frac": "$\\frac{a}{b}$ ", "open frac": "\\frac",
    "scripts": "a_{b}^{c} ", "textbf": "\\textbf{", "quotes": "``a'' ", "blank lines": "a\n\n", "accents open": "\\\"", "long paragraph": "moss grows \\emph{well} here ",
}  # fmt: skip
_XML_UNITS = {
    "elements": "<p>a</p>", "empty": "<p/>", "inline": "<bold>a</bold>", "xrefs": x("b1", "1") + " ", "years": x("b2", "2002") + "; ",
    "comments": "a<!---->", "entities": "&alpha;", "unknown entities": "&x{n};", "ampersands": "& ", "<": "<", "open": "<p>",
    "sections": "<sec><title>a</title><p>b</p></sec>", "notes": "<fn><p>a</p></fn>", "sup": "<sup>1</sup>,", "cdata": "<![CDATA[a]]>",
    "open sections": "<sec>", "tables": "<table-wrap><td>a</td></table-wrap>", "rids": "<xref rid='b1 b2 b3 b4'>1</xref>", "commas": ",",
    "instructions": "<?a b?>", "attributes": "<p a='b'>c</p>",
}  # fmt: skip


def _docx(unit: str) -> Callable[[int], bytes]:
    fill = _filled(unit)
    return lambda size: packed(
        {"word/document.xml": part("document", f"<w:body>{fill(size).decode()}</w:body>").encode()}
    )


def _bomb(size: int) -> bytes:
    """An archive that unpacks to twenty times the size."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", part("document", f"<w:body>{' ' * (20 * size)}</w:body>"))
    return buffer.getvalue()


def _nested_fields(size: int) -> bytes:
    begin, end = (
        '<w:r><w:fldChar w:fldCharType="%s"/><w:t>a</w:t></w:r>' % kind for kind in ("begin", "end")
    )
    count = size // (2 * len(begin))
    return _docx(f"<w:p>{begin * count}<w:r><w:t>moss</w:t></w:r>{end * count}</w:p>")(1)


def _members(size: int) -> bytes:
    return packed({"word/document.xml": b"<a/>", **{f"word/{n}.xml": b"" for n in range(size // 120)}})


def _sources(size: int) -> bytes:
    """Sources whose files take each other in."""
    main = "\\documentclass{a}\\begin{document}" + "\\input{p}" * 100 + "Moss.\\end{document}"
    return packed({"main.tex": main.encode(), "p.tex": b"Moss \\cite{a} grows. " * (size // 21)})


def _pdf(unit: str, lines: int = 60) -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        line = (unit * 90)[:90].replace("(", "[")
        count = max(size // (90 + 40), 1)
        texts = [Text(50, 800 - 12 * (n % lines), line) for n in range(count)]
        return make_pdf([texts[n : n + lines] for n in range(0, count, lines)])

    return make


def _one_page(size: int) -> bytes:
    """All letters on one page, each at a place of its own."""
    return make_pdf([[Text(10 + n % 500, 10 + (n // 500) % 800, "a") for n in range(size // 40)]])


def _json(unit: object) -> Callable[[int], bytes]:
    return lambda size: json.dumps([unit] * max(size // len(json.dumps(unit)), 1)).encode()


_ITEM = item("a", "Moss", 2020, "On walls")
_FIELD = complex_field(zotero(item(1, "Moss", 2019, "Moss")), "(2019)")
_FIXED: dict[str, Shape] = {
    "docx: paragraphs": Shape("DOCX", _docx(p("Moss [1]."))),
    "docx: runs": Shape("DOCX", _docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>")),
    "docx: one paragraph": Shape("DOCX", _docx("<w:r><w:t>a</w:t></w:r>")),
    "docx: fields": Shape("DOCX", _docx(p("Moss ", _FIELD))),
    "docx: fields in one paragraph": Shape("DOCX", _docx(_FIELD)),
    "docx: nested fields": Shape("DOCX", _nested_fields),
    "docx: open fields": Shape("DOCX", _docx('<w:r><w:fldChar w:fldCharType="begin"/></w:r>')),
    "docx: ends of fields": Shape("DOCX", _docx('<w:r><w:fldChar w:fldCharType="end"/></w:r>')),
    "docx: word citations": Shape("DOCX", _docx('<w:fldSimple w:instr=" CITATION A{n} "><w:r><w:t>(A, 2020)</w:t></w:r></w:fldSimple>')),
    "docx: tables": Shape("DOCX", _docx("<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>")),
    "docx: text boxes": Shape("DOCX", _docx("<w:p><w:pict><w:txbxContent><w:p/></w:txbxContent></w:pict></w:p>")),
    "docx: bomb": Shape("DOCX", _bomb),
    "docx: members": Shape("DOCX", _members),
    "tex archive: parts taken in again": Shape("TeX archive", _sources),
    "pdf: prose": Shape("PDF", _pdf("Moss grows on walls [1], as Moss (2020) showed. ")),
    "pdf: brackets": Shape("PDF", _pdf("[")),
    "pdf: dense pages": Shape("PDF", _pdf("a ", lines=2_000)),
    "pdf: one page": Shape("PDF", _one_page),
    "pdf: open dictionaries": Shape("PDF", _filled("<<", before="%PDF-1.4\n1 0 obj\n")),
    "pdf: empty objects": Shape("PDF", _filled("{n} 0 obj\n<<>>\nendobj\n", before="%PDF-1.4\n")),
    "bibtex: entries": Shape("BibTeX", _filled("@article{a{n}, title={On walls}, author={Moss, A.}, year=2020}\n")),
    "bibtex: same key": Shape("BibTeX", _filled("@article{a, title={On walls}}\n")),
    "bibtex: strings": Shape("BibTeX", _filled('@string{a{n} = "b"}\n', after="@article{a, title=a1 # a2}")),
    "bibtex: string bomb": Shape("BibTeX", _filled("@string{s{n} = s # s}\n", before='@string{s = "moss"}\n', after="@article{a, title=s1}")),
    "bibtex: growing strings": Shape("BibTeX", lambda size: ('@string{s0 = "moss"}\n' + "".join(f"@string{{s{n} = s{n - 1} # s{n - 1}}}\n" for n in range(1, max(size // 30, 2))) + "@article{a, title = s9}").encode()),
    "bibtex: concatenation": Shape("BibTeX", _filled(' # "a"', before='@article{a, title = "b"', after="}")),
    "bibtex: braces": Shape("BibTeX", _filled("{", before="@article{a, title = {")),
    "bibtex: nested": Shape("BibTeX", lambda size: b"@article{a, title = {" + b"{" * (size // 2) + b"}" * (size // 2) + b"}}"),
    "bibtex: at": Shape("BibTeX", _filled("@", before="@article{a, title={b}}\n")),
    "bibtex: open entries": Shape("BibTeX", _filled("@article{a{n},\n", before="@article{a, title={b}}\n")),
    "bibtex: open quotes": Shape("BibTeX", _filled('@article{a{n}, title="b,\n')),
    "bibtex: fields": Shape("BibTeX", _filled(" f{n} = {a},", before="@article{a,", after="}")),
    "bibtex: authors": Shape("BibTeX", _filled("Moss, A. and ", before="@article{a, author={", after="Fern}}")),
    "bibtex: commands": Shape("BibTeX", _filled("\\emph{a} ", before="@article{a, title={", after="}}")),
    "bibtex: crossrefs": Shape("BibTeX", _filled("@article{a{n}, title={b}, crossref={a1}}\n")),
    "bibtex: commas": Shape("BibTeX", _filled(",", before="@article{a,", after="}")),
    "bibtex: comments": Shape("BibTeX", _filled("% a\n", before="@article{a, title={b}}\n")),
    "ris: entries": Shape("RIS", _filled("TY  - JOUR\nID  - a{n}\nTI  - On walls\nER  - \n\n")),
    "ris: authors": Shape("RIS", _filled("AU  - Moss, A.\n", before="TY  - JOUR\nTI  - a\n", after="ER  - \n")),
    "ris: no end": Shape("RIS", _filled("TY  - JOUR\n")),
    "ris: continued": Shape("RIS", _filled("  a\n", before="TY  - JOUR\nAB  - a\n", after="ER  - \n")),
    "csl: items": Shape("CSL-JSON", _json(_ITEM)),
    "csl: numbers": Shape("CSL-JSON", _json(1)),
    "csl: nested": Shape("CSL-JSON", _filled("[")),
    "csl: digits": Shape("CSL-JSON", _filled("9", before='[{"id": ', after="}]")),
    "csl: authors": Shape("CSL-JSON", lambda size: json.dumps([{**_ITEM, "author": [{"family": "Moss"}] * (size // 20)}]).encode()),
    "json lines: records": Shape("JSON lines", _filled('{"title": "On walls {n}"}\n')),
    "endnote: records": Shape("EndNote XML", _filled("<record><rec-number>{n}</rec-number><titles><title>a</title></titles></record>", before="<xml><records>", after="</records></xml>")),
    "endnote: authors": Shape("EndNote XML", _filled("<author>Moss, A.</author>", before="<xml><records><record><rec-number>1</rec-number><contributors><authors>", after="</authors></contributors></record></records></xml>")),
    "bbl: entries": Shape("TeX list", _filled("\\entry{a{n}}{article}{}{}\\field{title}{b}\\endentry\n")),
    "bbl: open entries": Shape("TeX list", _filled("\\entry{a{n}}{article}{}{}\n", after="\\endentry")),
    "bbl: bibitems": Shape("TeX list", _filled("\\bibitem{a{n}} Moss A. On walls. 2020.\n")),
    "bbl: fields": Shape("TeX list", _filled("\\field{a}{b}", before="\\entry{a}{article}{}{}", after="\\endentry\n")),
    "bbl: names": Shape("TeX list", _filled("{{hash=1}{family={Moss}}}", before="\\entry{a}{article}{}{}\\name{author}{2}{}{", after="}\\endentry\n")),
    "jats: entity bomb": Shape("JATS", _filled('<!ENTITY l{n} "&l;&l;">', before='<!DOCTYPE article [<!ENTITY l "a">', after=']><article article-type="x"><body><p>&l9;</p></body></article>')),
    "jats: references": Shape("JATS", lambda size: article("<p>Moss.</p>", references=_filled('<ref id="r{n}"><mixed-citation>Moss A. On walls. 2020.</mixed-citation></ref>')(size).decode()).encode()),
    "jats: nested": Shape("JATS", lambda size: article("<p>" + "<bold>" * (size // 13) + "</bold>" * (size // 13) + "</p>").encode()),
    "latex: nested braces": Shape("LaTeX", lambda size: (_DOCUMENT + "{" * (size // 2) + "a" + "}" * (size // 2)).encode()),
    "latex: nested lists": Shape("LaTeX", lambda size: (_DOCUMENT + "\\begin{a}" * (size // 16) + "a" + "\\end{a}" * (size // 16)).encode()),
    "latex: macro bomb": Shape("LaTeX", lambda size: ("\\documentclass{a}" + "".join(f"\\newcommand{{\\{_letters(n)}}}{{\\{_letters(n - 1)}\\{_letters(n - 1)}}}" for n in range(1, max(size // 40, 2))) + f"\\begin{{document}}Moss \\{_letters(300)}.").encode()),
    "latex: one argument": Shape("LaTeX", lambda size: ("\\documentclass{a}\\newcommand{\\x}[1]{#1#1}\\begin{document}Moss \\x{" + "a" * size + "}").encode()),
}  # fmt: skip


def _letters(number: int) -> str:
    letters = ""
    while number >= 0:
        letters = chr(97 + number % 26) + letters
        number = number // 26 - 1
    return f"m{letters}"


SHAPES: dict[str, Shape] = {
    **{f"text: {name}": Shape("plain text", _filled(unit, "Moss [1].\n\n", _LIST)) for name, unit in _TEXT_UNITS.items()},
    **{
        f"text by name: {name}": Shape("plain text", _filled(_TEXT_UNITS[name], "Moss (2020).\n\n", _NAMES))
        for name in ("(Moss 2020)", "open names", "names and", "et al", "capitals", "initials", "years", "open parentheses")
    },
    **{f"list: {name}": Shape("list splitting", _filled(unit)) for name, unit in _LIST_UNITS.items()},
    **{
        f"text with list: {name}": Shape("plain text", _filled(unit, "Moss [1].\n\nReferences\n\n[1] Moss A. On walls. 2020.\n"))
        for name, unit in _LIST_UNITS.items()
    },
    **{
        f"markdown: {name}": Shape("Markdown", _filled(unit, "# Moss\n\nGrows [@a].\n\n"))
        for name, unit in _MARKDOWN_UNITS.items()
    },
    **{f"latex: {name}": Shape("LaTeX", _filled(unit, _DOCUMENT)) for name, unit in _LATEX_UNITS.items()},
    **{
        f"jats: {name}": Shape("JATS", lambda size, fill=_filled(unit): article(f"<p>{fill(size).decode()}</p>").encode())
        for name, unit in _XML_UNITS.items()
    },
    **_FIXED,
}  # fmt: skip
