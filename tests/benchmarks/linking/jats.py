"""Marker -> reference in articles pasted as plain text, against the links of their JATS."""

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.linking.flatten import Flat, Link, flatten, parse_file
from tests.benchmarks.linking.reading import FoundLink, found_links, printed_entries, read
from tests.benchmarks.linking.scoring import Count, Item, Names, match

FOLDERS = ("jats", "jats-elife")


def run(data: Path, names: Names) -> Iterator[Item]:
    """Score each article with links."""
    for folder in FOLDERS:
        for path in names(sorted((data / "linking" / folder).glob("*.gz")), key=article_name):
            flat = flatten(parse_file(path), article_name(path))
            if flat.links:
                yield score(article_name(path), folder, flat)


def article_name(path: Path) -> str:
    """Return the file's name without its endings."""
    return path.name.split(".")[0]


def score(name: str, folder: str, flat: Flat) -> Item:
    """Link one flattened article with the product and compare."""
    manuscript, pairing = read(flat.text.encode(), "pasted.txt", flat.references)
    entry_of = printed_entries(manuscript, flat.entries)
    found = found_links(manuscript, pairing, entry_of)
    missed, excess = match_links(list(flat.links), found)
    kind = "author_year" if flat.style == "author-year" else "numeric"
    rows = (kind, f"{kind} / {folder}", f"{kind} / {flat.style} {flat.variant}".rstrip())
    exact = sum(entry_of.get(r.id) == n for n, r in enumerate(manuscript.references))
    split = f"{len(manuscript.references)} references of {len(flat.entries)}, {exact} in their place"
    misses = [split] + [f"missed {_told(flat, link)}" for link in missed]
    misses += [f"wrong  {_told(flat, link)}" for link in excess]
    count = Count(len(flat.links) - len(missed), len(found), len(flat.links))
    return Item(name, rows, {"links": count}, misses)


def match_links(wanted: list[Link], found: list[FoundLink]) -> tuple[list[Link], list[FoundLink]]:
    """Pair links one to one: same entry, overlapping markers. Return those missed and those in excess."""

    def same(a: Link | FoundLink, b: Link | FoundLink) -> bool:
        return a.entry == b.entry and a.start < b.end and b.start < a.end

    # The narrowest first, so that a wide marker does not take what a narrow one needs.
    missed, excess = match(sorted(wanted, key=lambda w: w.end - w.start), found, same)  # type: ignore[type-var]
    return missed, excess  # type: ignore[return-value]


def _told(flat: Flat, link: Link | FoundLink) -> str:
    around = flat.text[max(0, link.start - 50) : link.start] + "⟦" + flat.text[link.start : link.end] + "⟧"
    around += flat.text[link.end : link.end + 25]
    entry = flat.entries[link.entry][:70] if link.entry >= 0 else "no printed entry"
    return f"{' '.join(around.split())} -> {link.entry + 1} {entry}"
