"""Headings of scientific papers: those of reference lists, of what follows them, and of sections."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

_LIST_WORDS = frozenset(
    """
    references|reference|reference list|references list|list of references|references and notes
    references cited
    notes and references|references and further reading|cited references|literature cited|cited literature
    literature|literature references|works cited|work cited|cited works|bibliography|bibliographic references
    selected references|selected bibliography
    literatur|literaturverzeichnis|literaturangaben|literaturliste|referenzen|quellen|quellenverzeichnis
    quellen und literatur|bibliographie|bibliografie
    références|références bibliographiques|référence|ouvrages cités|liste des références
    referencias|referencias bibliográficas|bibliografía|obras citadas|lista de referencias
    referências|referências bibliográficas|bibliografia|bibliografia citada
    riferimenti|riferimenti bibliografici|opere citate
    literatuur|literatuurlijst|referenties|bronnen|bronnenlijst
    referenser|litteratur|litteraturförteckning|källor|referanser|litteraturliste|referencer|kilder
    lähteet|kirjallisuus|viitteet
    literatura|piśmiennictwo|źródła|przypisy|literatura cytowana
    použitá literatura|seznam literatury|zoznam literatúry|reference a literatura
    irodalom|irodalomjegyzék|hivatkozások|felhasznált irodalom
    kaynaklar|kaynakça
    литература|список литературы|список использованной литературы|библиография|библиографический список
    література|список літератури|список використаних джерел
    βιβλιογραφία|αναφορές
    daftar pustaka|tài liệu tham khảo|เอกสารอ้างอิง
    参考文献|參考文獻|参考资料|引用文献|参考书目|文献|참고문헌|참고 문헌
    المراجع|مراجع|قائمة المراجع|منابع|מקורות|ביבליוגרפיה|संदर्भ
    """.replace("\n", "|").split("|")
)
_LIST_HEADINGS = frozenset(" ".join(word.split()) for word in _LIST_WORDS if word.strip())
_VAGUE_HEADINGS = frozenset(
    {"literature", "literatur", "literatura", "literatuur", "litteratur", "reference", "文献"}
)
_SPACELESS = {heading.replace(" ", "") for heading in _LIST_HEADINGS}
_ASIDE = re.compile(
    r"(?:supplement(?:ary|al)|additional|further|online|appendix|suggested|recommended|extended data|methods)"
    r"[ \t]{1,3}(?:references?|reading|bibliography|literature|readings)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"""(?:
        appendi(?:x|ces)\b(?:\s+[A-Z\d]{1,3}\b[.:)]?)?
      | annex(?:es)?\b | anhang\b | apéndice\b | anexos?\b | appendice\b
      | supplement(?:ary|al)?\b(?!\s+to\b) | supporting\s+information\b
      | additional\s+(?:files?|information|material)\b
      | acknowledge?ments?\b | danksagung\b | remerciements\b | agradecimientos\b
      | authors?[’']?\s+(?:contributions?|information|affiliations?|details|biograph(?:y|ies))\b
      | about\s+the\s+authors?\b | biograph(?:y|ies)\b | fundings?\b | financial\s+(?:support|disclosure)\b
      | (?:competing|conflicts?\s+of|declaration\s+of)\s+interests?\b | (?:data|code)\s+availability\b
      | ethic(?:s|al)\b | (?:neurips\s+|paper\s+|reproducibility\s+|author\s+|submission\s+){0,3}checklist\b
      | (?:figure|table)\s+(?:legends?|captions?)\b | (?:list\s+of\s+)?(?:figures?|tables?)\s*$
      | tables\s+and\s+figures\b | figures\s+and\s+tables\b | online\s+methods\b | extended\s+data\b
      | open\s+access\b | (?:reprints?|correspondence|rights)\s+and\s+permissions?\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_TAIL = re.compile(
    r"(?:cite this article as|how to cite|publish with|submit your|publisher[’']s note|copyright|©)", re.I
)
_CAPTION = re.compile(
    r"(?:figure|fig\.?|table|supplementary (?:figure|table)|scheme|box)[ \t]{1,3}[A-Z]?\d{1,3}[.:|][ \t]",
    re.I,
)
_NUMBER = re.compile(
    r"^(?:(?:\d{1,4}|[ivxIVX]{1,6}|[A-Z])(?:\.\d{1,3}){0,4}[.):]?|§[ \t]?\d{1,3})[ \t\u3000]{1,8}(?=\S)"
)
_MARKUP = re.compile(r"^[ \t]{0,12}(?:>[ \t]?)?(?:#{1,6}[ \t]*)?(?:[*_]{1,3})?[ \t]*")
_CLOSING = re.compile(r"[ \t]*(?:\{[^{}\n]{0,200}\})?[ \t]*(?:[*_]{1,3})?[ \t]*#{0,6}[ \t]*$")
_SPACED = re.compile(r"(?:\w[ \t]){4,30}\w")
_MAX_HEADING = 120
_MAX_LIST_HEADING = 80
_HEADING_WORDS = re.compile(
    r"""(?:abstract|summary|introduction|background|related\ works?|literature\ review|theory
      |methods?|methodology|methods\ and\ materials?
      |(?:materials?|patients?|subjects?|participants?)\ and\ methods?
      |experimental(?:\ (?:section|procedures|setup))?|statistical\ analys[ie]s|data|datasets?|models?
      |results?|findings|results\ and\ discussion|evaluation|experiments?|analys[ie]s
      |discussion|general\ discussion|limitations?|conclusions?|concluding\ remarks
      |discussion\ and\ conclusions?|future\ work|outlook|implications|objectives?|aims?|keywords
      |acknowledge?ments?|funding|zusammenfassung|einleitung|methoden|ergebnisse|diskussion|fazit
      |résumé|résultats|resumen|introducción|métodos|resultados|discusión|conclusiones
      |resumo|introdução|conclusão)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Line:
    """A line of a text, without its line end."""

    start: int
    end: int
    text: str


def split_lines(text: str) -> list[Line]:
    """Split at line feeds, keeping offsets."""
    lines = []
    start = 0
    for part in text.split("\n"):
        lines.append(Line(start, start + len(part), part))
        start += len(part) + 1
    return lines


def lines_between(lines: list[Line], start: int, end: int) -> list[Line]:
    """Return the lines that begin at or after `start` and before `end`."""
    first = bisect_left(lines, start, key=lambda line: line.start)
    last = bisect_left(lines, end, key=lambda line: line.start)
    return lines[first:last]


def heading_level(line: str) -> int:
    """Return the level of a Markdown heading written with `#`, or 0 for any other line."""
    match = re.match(r"[ \t]{0,3}(#{1,6})[ \t]+\S", line)
    return len(match.group(1)) if match else 0


@lru_cache(maxsize=256)
def bare_heading(line: str) -> str:
    """Take marks, numbering and a closing colon off a heading."""
    if len(line) > _MAX_HEADING:
        return line.strip()
    line = _MARKUP.sub("", line, count=1).rstrip()
    if line[-1:] in "}#*_":
        line = _CLOSING.sub("", line)
    bare = line.strip("\ufeff\u200b\u200e\u200f\u00a0 \t*_")
    bare = bare.rstrip(" \t:：.*_").lstrip("\\*_【[").rstrip("】]")
    bare = re.sub(r"[ \t]", "", bare) if _SPACED.fullmatch(bare) else _NUMBER.sub("", bare, count=1)
    return " ".join(bare.split())


def is_list_heading(line: str) -> bool:
    """Whether a line is the heading of a reference list, and nothing else."""
    if len(line) > _MAX_LIST_HEADING or "," in line or "(" in line or not line.strip():
        return False
    bare = bare_heading(line).casefold()
    return bare in _LIST_HEADINGS or bare in _SPACELESS or bool(_ASIDE.fullmatch(bare))


def is_vague_list_heading(line: str) -> bool:
    """Whether a list's heading may as well head a section of prose."""
    return bare_heading(line).casefold() in _VAGUE_HEADINGS


def is_aside_heading(line: str) -> bool:
    """Whether a line heads a second list beside the main one (supplementary, further reading)."""
    return bool(_ASIDE.fullmatch(bare_heading(line)))


def is_tail_heading(line: str, *, blank_before: bool) -> bool:
    """Whether a line begins what may follow a reference list: appendix, acknowledgements, figure legends."""
    if len(line) > 400:
        return False
    stripped = line.strip()
    if re.match(r"#{1,6}[ \t]+\S", stripped) or _SENTENCE_TAIL.match(stripped):
        return True
    if blank_before and _CAPTION.match(stripped.lstrip("*_")):
        return True
    if len(stripped) > 90:
        return False
    bare = bare_heading(line)
    match = _TAIL.match(bare)
    if not match:
        return False
    rest = bare[match.end() :]
    # `Supplement to the Journal, 2001` inside an entry is no heading.
    return len(rest) <= 60 and not re.search(r"\d{3}|[.;]", rest) and (blank_before or len(rest) <= 25)


def is_known_heading(line: str) -> bool:
    """Whether a line is a usual section heading, whatever stands around it."""
    return len(line) <= 80 and bool(_HEADING_WORDS.fullmatch(bare_heading(line)))
