"""Marker -> reference, and the reference list, read from PDF.

For articles that come with their JATS, the words of the two texts are aligned (longest common runs of
normalised words); a gold marker lies in the PDF's text between the aligned words around it, and a link
counts when the marker that the product found overlaps that region and its entry is the same. Entries are
told apart by DOI, title or their whole text; of two-column PDFs only those deposits count that the PDF
prints (their DOI, their title or nearly, or most of their words close together): a deposit may hold works
that the list does not. Figures, tables and footnotes, which the JATS text leaves out, are in
the PDF: markers found there count as wrong unless the same link was meant nearby.
"""

import bisect
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from xml.etree import ElementTree as etree

import pypdfium2
from rapidfuzz import fuzz

from tests.benchmarks.linking.flatten import Flat, Link, flatten, parse_file
from tests.benchmarks.linking.jats import match_links
from tests.benchmarks.linking.reading import FoundLink, found_links, read
from tests.benchmarks.linking.scoring import Count, Item, Names, plain
from veriscite.domain import Manuscript, Reference
from veriscite.domain.identifiers import normalise_doi
from veriscite.errors import InputError

_WORD = re.compile(r"\w+")
_NEARLY = 80
"""Of 100: a title printed with a slip or another subtitle still counts as printed."""


def run(data: Path, names: Names) -> Iterator[Item]:
    """Score each PDF with JATS."""
    folders = sorted(p for p in (data / "linking" / "pdf-jats").iterdir() if p.is_dir())
    for folder in names(folders, key=lambda p: p.name):
        jats, pdf = next(folder.glob("*.jats")), next(folder.glob("*.pdf"))
        article = parse_file(jats)
        flat = flatten(article, folder.name)
        if flat.links:
            yield score(folder.name, flat, article, pdf)


def score(name: str, flat: Flat, article: etree.Element, pdf: Path) -> Item:
    """Read one PDF with the product and compare."""
    try:
        manuscript, pairing = read(pdf.read_bytes(), pdf.name)
    except InputError as error:
        return Item(name, ("all",), {"links": Count(0, 0, len(flat.links))}, [str(error)])
    gold = [_Work.of_jats(ref) for ref in article.findall(".//ref-list//ref")]
    entry_of = same_works(manuscript, gold)
    found = found_links(manuscript, pairing, entry_of)
    wanted = moved_links(flat, manuscript.text)
    missed, excess = match_links(wanted, found)
    entries = Count(len(set(entry_of.values())), len(manuscript.references), len(gold))
    links = Count(len(wanted) - len(missed), len(found), len(wanted))
    misses = [f"missed {_told(manuscript, link, flat)}" for link in missed]
    misses += [f"wrong  {_told(manuscript, link, flat)}" for link in excess]
    unknown = [r for r in manuscript.references if r.id not in entry_of]
    misses += [f"no such entry: {' '.join(r.raw.split())[:120]}" for r in unknown]
    return Item(name, ("all",), {"links": links, "references": entries}, misses)


def moved_links(flat: Flat, text: str) -> list[Link]:
    """Move links from the flattened text to where they stand in the PDF's text."""
    ours, theirs = list(_WORD.finditer(flat.text)), list(_WORD.finditer(text))
    matcher = SequenceMatcher(
        None, [w[0].casefold() for w in ours], [w[0].casefold() for w in theirs], autojunk=False
    )
    pairs = [
        (block.a + n, block.b + n)
        for block in matcher.get_matching_blocks()
        if block.size > 1
        for n in range(block.size)
    ]
    known = [a for a, _ in pairs]
    starts = [w.start() for w in ours]
    moved = []
    for link in flat.links:
        first = bisect.bisect_right(starts, link.start) - 1  # the word that the marker begins with or in
        last = bisect.bisect_left(starts, link.end) - 1
        before, after = bisect.bisect_left(known, first), bisect.bisect_right(known, last)
        inside = pairs[before:after]
        if inside and inside[0][0] == first:
            start = theirs[inside[0][1]].start()
        else:
            start = theirs[pairs[before - 1][1]].end() if before else 0
        if inside and inside[-1][0] == last:
            end = theirs[inside[-1][1]].end()
        else:
            end = theirs[pairs[after][1]].start() if after < len(pairs) else len(text)
        moved.append(Link(start, max(end, start + 1), link.entry))
    return moved


class _Work:
    """What tells a work from others."""

    def __init__(self, doi: str | None, title: str, text: str) -> None:
        self.doi = doi
        self.title = plain(title)
        self.text = text

    @classmethod
    def of_jats(cls, ref: etree.Element) -> "_Work":
        doi = next((i.text for i in ref.iter("pub-id") if i.get("pub-id-type") == "doi" and i.text), None)
        titles = ("article-title", "chapter-title", "data-title", "source")
        title = next((t for tag in titles for e in ref.iter(tag) if (t := "".join(e.itertext()).strip())), "")
        return cls(normalise_doi(doi) if doi else None, title, " ".join(ref.itertext()))

    @classmethod
    def of_crossref(cls, citation: etree.Element) -> "_Work":
        fields = {c.tag.rpartition("}")[2]: "".join(c.itertext()) for c in citation if isinstance(c.tag, str)}
        title = fields.get("article_title") or fields.get("volume_title") or ""
        doi = fields.get("doi")
        return cls(normalise_doi(doi) if doi else None, title, fields.get("unstructured_citation", ""))

    def is_read_as(self, reference: Reference) -> bool:
        """Whether the reference is this work: its DOI, or its title within what was read."""
        if self.doi and reference.identifiers.doi == self.doi:
            return True
        raw = plain(reference.raw)
        if len(self.title) >= 12 and self.title in raw:
            return True
        if self.title:
            return self.title == plain(reference.title or "")
        # A deposit that is one string has its parts in another order: most of its words stand in both.
        return _most_words(self.words, raw)

    @property
    def words(self) -> set[str]:
        return {plain(w) for w in re.findall(r"[^\W\d_]{4,}", self.text)}

    def can_be_told(self, printed: str) -> bool:
        """Whether the PDF prints the work at all: a deposit may name more than the list does.

        Args:
            printed: The PDF's text without white space, in lower case.
        """
        if self.doi and self.doi in printed:
            return True
        text = plain(printed)
        if self.title:
            return fuzz.partial_ratio(self.title, text) >= _NEARLY
        # A list's entry is hardly ever longer than a window, and windows overlap by half.
        size = max(600, 2 * len(self.text))
        windows = (text[at : at + size] for at in range(0, len(text), size // 2))
        return any(_most_words(self.words, window) for window in windows)


def _most_words(words: set[str], text: str) -> bool:
    return len(words) >= 4 and sum(w in text for w in words) >= 0.7 * len(words)


def same_works(manuscript: Manuscript, works: list[_Work]) -> dict[str, int]:
    """Tell which work each reference is; each work once."""
    found: dict[str, int] = {}
    free = set(range(len(works)))
    for reference in manuscript.references:
        fitting = [n for n in sorted(free) if works[n].is_read_as(reference)]
        # The same title twice (versions of a program): the DOI tells.
        fitting.sort(key=lambda n: works[n].doi != reference.identifiers.doi)
        if fitting:
            found[reference.id] = fitting[0]
            free.discard(fitting[0])
    return found


def run_twocol(data: Path, names: Names) -> Iterator[Item]:
    """Score the reference list of each two-column PDF against what was deposited with Crossref."""
    folders = sorted(p for p in (data / "linking" / "pdf-twocol").iterdir() if p.is_dir())
    for folder in names(folders, key=lambda p: p.name):
        deposit, pdf = next(folder.glob("*crossref.xml")), next(folder.glob("*.pdf"))
        citations = [
            e
            for e in parse_file(deposit).iter()
            if isinstance(e.tag, str) and e.tag.rpartition("}")[2] == "citation"
        ]
        printed = _printed(pdf)
        works = [w for c in citations if (w := _Work.of_crossref(c)).can_be_told(printed)]
        if not works:
            continue
        manuscript, _ = read(pdf.read_bytes(), pdf.name)
        missed = set(range(len(works))) - set(same_works(manuscript, works).values())
        counts = {"references": Count(len(works) - len(missed), 0, len(works))}
        misses = [f"read {len(manuscript.references)} references; deposited {len(works)}"]
        misses += [
            f"missed {works[n].doi} {works[n].title[:60]} {works[n].text[:80]}" for n in sorted(missed)
        ]
        yield Item(folder.name, ("all",), counts, misses)


def _printed(pdf: Path) -> str:
    """Return the PDF's text without white space, in lower case; read without the product."""
    document = pypdfium2.PdfDocument(pdf.read_bytes())
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return re.sub(r"\s+|\ufffe", "", text).lower()


def _told(manuscript: Manuscript, link: Link | FoundLink, flat: Flat) -> str:
    text = manuscript.text
    around = (
        text[max(0, link.start - 50) : link.start]
        + "⟦"
        + text[link.start : link.end]
        + "⟧"
        + text[link.end :][:25]
    )
    entry = flat.entries[link.entry][:60] if link.entry >= 0 else "no such entry"
    return f"{' '.join(around.split())[:250]} -> {link.entry + 1} {entry}"
