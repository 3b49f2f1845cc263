"""Fields of single reference strings: title, first author, year and DOI, exactly right or not.

Right means the same but for case, accents, punctuation and white space. A field counts only where the
corpus tags it. Corpora tag the authors of a string as one stretch: the first author's family name is
worked out here from the stretch's own shape (see `families`); where full names leave it open which word
is the family name, either reading is right. Both corpora stop words differently at commas: only
punctuation is forgiven for that.
"""

import gzip
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as etree

from tests.benchmarks.linking.scoring import Count, Item, Names, fold, local_name, parse_xml, plain
from veriscite.domain import Reference
from veriscite.domain.identifiers import normalise_doi
from veriscite.linking import PlainListParser

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_SPACE = re.compile(r"\s+")
_INITIALS = re.compile(
    r"(?:[^\W\d_]\.[\s-]*)+|[A-ZÀ-Þ]{1,3}(?:-[A-Z])?|(?:[A-Z]-)+[A-Z]\.?|Jr\.?|Sr\.?|I{2,3}"
)
_LEADING = re.compile(r"^(?:[^\W\d_]\.[\s-]*)+")
_ET_AL = re.compile(r"[\s,;]*\b(?:et\.?\s*al|and others|u\. ?a)\b.*", re.IGNORECASE | re.DOTALL)
_AND = re.compile(r"\s*(?:;|\s&|\sand\s|\set\s|\sund\s|\sy\s|,\s*&|,\s*and\s)\s*")


@dataclass(frozen=True)
class Gold:
    """A reference string and what is tagged in it; empty where nothing is."""

    text: str
    title: str = ""
    authors: str = ""
    dates: tuple[str, ...] = ()
    doi: str = ""


def run(data: Path, names: Names) -> Iterator[Item]:
    """Score each string; a GROBID file falls to one half whole."""
    strings = [
        (f"anystyle {n}", g) for n, g in enumerate(read_anystyle(data / "refstrings/anystyle_core.xml.gz"))
    ]
    for name, gold in names(strings, key=lambda s: s[0]):
        yield score(name, "anystyle core", gold)
    with tarfile.open(data / "refstrings/grobid_citation_corpus.tar.gz") as archive:
        members = sorted((m for m in archive if m.isfile()), key=lambda m: m.name)
        for member in names(members, key=lambda m: m.name):
            file = archive.extractfile(member)
            for gold in read_grobid(file.read(), member.name) if file is not None else ():
                yield score(member.name, "GROBID citations", gold)


def read_anystyle(path: Path) -> Iterator[Gold]:
    """Yield the strings of an anystyle file: the tagged pieces with spaces between them."""
    for sequence in etree.fromstring(gzip.decompress(path.read_bytes())).iter("sequence"):
        pieces = [(piece.tag, fold("".join(piece.itertext()))) for piece in sequence]
        title = [text for tag, text in pieces if tag == "title"]
        yield Gold(
            fold(" ".join(text for tag, text in pieces if tag != "citation-number")),
            title[0] if len(title) == 1 else "",
            next((text for tag, text in pieces if tag == "author"), ""),
            tuple(text for tag, text in pieces if tag == "date"),
            next((text for tag, text in pieces if tag == "doi"), ""),
        )


def read_grobid(content: bytes, name: str) -> Iterator[Gold]:
    """Yield the strings of a GROBID file; those without a title or an author say too little to be one."""
    root = parse_xml(content, name)
    for bibl in root.iter() if root is not None else ():
        if local_name(bibl) != "bibl":
            continue
        found: dict[str, list[str]] = {}
        for node in bibl.iter():
            kind = node.get("level") or (node.get("type") or "").lower()
            found.setdefault(f"{local_name(node)} {kind}".strip(), []).append(fold(_broken(node)))
        titles = found.get("title a") or found.get("title m") or []
        if not titles and "author" not in found:
            continue
        yield Gold(
            fold(_broken(bibl)),
            titles[0] if len(titles) == 1 else "",
            found.get("author", [""])[0],
            tuple(found.get("date", ())),
            found.get("idno doi", [""])[0],
        )


def _broken(node: etree.Element) -> str:
    """Return the text with its line ends as spaces."""
    pieces = [" " if local_name(node) == "lb" else "", node.text or ""]
    for child in node:
        pieces += [_broken(child), child.tail or ""]
    return "".join(pieces)


def score(name: str, corpus: str, gold: Gold) -> Item:
    """Parse one string with the product and compare."""
    references = PlainListParser().parse(gold.text, offset=None).references
    reference = references[0] if references else Reference(id="none", raw="")
    counts: dict[str, Count] = {}
    misses: list[str] = []

    def field(measure: str, wanted: object, got: object, right: bool) -> None:
        counts[measure] = Count(right=int(right), found=0, wanted=1)
        if not right:
            misses.append(f"{measure}: {got!r}, not {wanted!r} <- {gold.text[:260]}")

    if plain(gold.title):
        field("title", gold.title, reference.title, same_title(gold.title, reference.title))
    if wanted := families(gold.authors):
        family = reference.authors[0].family if reference.authors else ""
        field("first_author", sorted(wanted), family, plain(family) in wanted)
    if years := {int(y) for date in gold.dates for y in _YEAR.findall(date)}:
        field("year", sorted(years), reference.year, reference.year in years)
    if gold.doi and (doi := normalise_doi(gold.doi)):
        field("doi", doi, reference.identifiers.doi, reference.identifiers.doi == doi)
    return Item(name, ("all", corpus), counts, misses)


def same_title(wanted: str, got: str | None) -> bool:
    """Compare titles; a number of a chapter or section in front is no part of either."""
    number = re.compile(r"^(?:chapter\s+)?\d+\s*[.:]\s*", re.IGNORECASE)
    return plain(number.sub("", wanted)) == plain(number.sub("", got or ""))


def families(authors: str) -> set[str]:
    """Return the readings of the first author's family name that the stretch of authors allows.

    `Romero, C., ...` and `Pérez JJ, ...` give the name before comma or initials; `C. Romero` and
    `Carla M. Romero` what follows the initials; a person with full names the last word, alone or with
    particles, or all before a comma; an organisation its whole name.
    """
    text = _ET_AL.sub("", fold(authors)).strip(" ,;:.")
    first = _AND.split(text)[0].strip(" ,;:")
    before, _, after = (part.strip() for part in first.partition(","))
    if not before:
        return set()
    words = _LEADING.sub("", before).split()
    if not words:
        return set()
    if len(words) < len(before.split()) or before != " ".join(words):
        # Initials lead: a middle name or the first half of a double name may follow.
        return {plain(" ".join(words[n:])) for n in range(len(words))}
    initials = [n for n, w in enumerate(words) if _INITIALS.fullmatch(w)]
    if initials and initials[-1] < len(words) - 1:
        return {plain(" ".join(words[initials[-1] + 1 :]))}  # a middle initial
    if initials:
        return {plain(" ".join(w for w in words if not _INITIALS.fullmatch(w)) or before)}
    if after and _INITIALS.fullmatch(after.split(",")[0].split(" ")[0]):
        return {plain(before)}
    readings = {plain(before), plain(words[0])}
    return readings | {plain(" ".join(words[n:])) for n in range(1, len(words))}
