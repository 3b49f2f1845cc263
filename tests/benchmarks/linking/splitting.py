"""Splitting reference lists as they come out of PDFs, line by line.

Where entries of a list are labelled (a fifth at least, since a label may head several works), an entry is
what stands from one label to the next: the corpus cuts an entry that names several works
(`[4] A. B., J. 1, 2; C. D., J. 3, 4`) into one each, but a marker cites all of `[4]`. An entry counts when
its text, label aside, is the same but for white space and punctuation.
"""

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as etree

from tests.benchmarks.linking.scoring import Count, Item, Names, local_name, match, parse_xml, plain
from veriscite.linking import PlainListParser

_ARCHIVE = "refstrings/grobid_refseg.tar.gz"
_LETTER_FIRST = re.compile(r"^\s*\(?[a-h]\s?\)\s*")
_DIGITS_FIRST = re.compile(r"^\W*\d+\W*")


def run(data: Path, names: Names) -> Iterator[Item]:
    """Score each list."""
    with tarfile.open(data / _ARCHIVE) as archive:
        members = sorted((m for m in archive if m.isfile()), key=lambda m: m.name)
        for member in names(members, key=lambda m: m.name):
            file = archive.extractfile(member)
            if file is not None:
                root = parse_xml(file.read(), member.name)
                if root is not None:
                    yield score(member.name, *read_list(root))


def read_list(root: etree.Element) -> tuple[str, list[str], bool]:
    """Return a list without its heading, its entries without labels, and whether they are labelled."""
    pieces: list[str] = []
    entries: list[str] = []
    bibls = [b for b in root.iter() if local_name(b) == "bibl"]
    labelled = sum(_label(b) is not None for b in bibls) * 5 > len(bibls)
    for node in root.iter():
        if local_name(node) == "listBibl":
            first = next((n for n, c in enumerate(node) if local_name(c) == "bibl"), 0)
            pieces += [_lines(c) + _flat(c.tail) for c in node[first:]]
    for bibl in bibls:
        label = _label(bibl)
        text = _lines(bibl)
        if label is not None:
            text = _LETTER_FIRST.sub("", text.replace(_lines(label), "", 1))
        if labelled and label is None and entries:
            entries[-1] += text
        else:
            entries.append(text)
    return "".join(pieces), entries, labelled


def _label(bibl: etree.Element) -> etree.Element | None:
    return next((c for c in bibl if local_name(c) == "label"), None)


def _lines(node: etree.Element) -> str:
    """Return the text with a line end for each `<lb/>`; those of the file itself are but white space."""
    if local_name(node) == "lb":
        return "\n"
    pieces = [_flat(node.text)]
    for child in node:
        pieces += [_lines(child), _flat(child.tail)]
    return "".join(pieces)


def _flat(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def score(name: str, text: str, entries: list[str], labelled: bool) -> Item:
    """Split one list with the product and compare."""
    lines = [line.strip() for line in text.split("\n")]
    found = PlainListParser().parse("\n".join(line for line in lines if line), offset=None).references
    without_label = [_without(r.label, r.raw) for r in found]
    missed, excess = match(entries, without_label, lambda a, b: _same(a, b))
    count = Count(len(entries) - len(missed), len(found), len(entries))
    misses = [f"missed {' '.join(m.split())[:150]}" for m in missed]
    misses += [f"wrong  {' '.join(e.split())[:150]}" for e in excess]
    return Item(name, ("all", "labelled" if labelled else "unlabelled"), {"entries": count}, misses)


def _without(label: str | None, raw: str) -> str:
    """Take the label off an entry, brackets and stop included; of `3b` what is printed (`[3] b)`, `b)`)."""
    if label is None:
        return raw
    part = re.fullmatch(r"(\d+)([a-z])", label)
    printed = rf"(?:{part[1]}\W*)?{part[2]}\W*" if part else rf"{re.escape(label)}\W*"
    return re.sub(rf"^\W*{printed}", "", raw)


def _same(a: str, b: str) -> bool:
    """Compare without a number in front, which one of the two may count as label."""
    return plain(a) == plain(b) or plain(_DIGITS_FIRST.sub("", a)) == plain(_DIGITS_FIRST.sub("", b))
