"""Which sentences a claim takes in, against those that people found to belong to the marker.

Each case is a few sentences with one marker in question. The product's answer is every sentence that the
claims of this marker cover, and the sentence before where it takes that along as context. The baseline is
the marker's sentence alone.
"""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.linking.reading import read
from tests.benchmarks.linking.scoring import Count, Item, Names

_FILE = "citation-integrity/citation_contexts_dev.jsonl.gz"
_TAG = re.compile(r"<CITATION_MARKER>(.*?)</CITATION_MARKER>", re.DOTALL)
_NAMED = re.compile(r"([A-Z][\w'’-]+)(?:[^()\[\]]{0,40}?)\b((?:19|20)\d\d)")


def run(data: Path, names: Names) -> Iterator[Item]:
    """Score each case."""
    lines = gzip.decompress((data / _FILE).read_bytes()).decode().splitlines()
    cases = [(f"contexts {n}", json.loads(line)) for n, line in enumerate(lines)]
    for name, case in names(cases, key=lambda c: c[0]):
        if any(case["labels"]):
            yield score(name, case)


def score(name: str, case: dict[str, Any]) -> Item:
    """Compare one case."""
    sentences: list[str] = case["sentences"]
    wanted = {n for n, label in enumerate(case["labels"]) if label}
    own = {n for n, sentence in enumerate(sentences) if _TAG.search(sentence)}
    found = taken_in(sentences)
    counts = {
        "sentences": Count(len(found & wanted), len(found), len(wanted)),
        "baseline": Count(len(own & wanted), len(own), len(wanted)),
    }
    signs = [("+" if n in found else "-") + ("w" if n in wanted else " ") for n in range(len(sentences))]
    misses = [f"{sign} {s}" for sign, s in zip(signs, sentences, strict=True)]
    return Item(name, ("all",), counts, misses if found != wanted else [])


def taken_in(sentences: list[str]) -> set[int]:
    """Return the sentences that the product's claims of the tagged marker cover."""
    spans: list[tuple[int, int]] = []
    text, tag = "", (0, 0)
    for sentence in sentences:
        start = len(text)
        if found := _TAG.search(sentence):
            tag = (start + found.start(), start + found.start() + len(found[1]))
        text += _TAG.sub(r"\1", sentence)
        spans.append((start, len(text)))
        text += " "
    _, pairing = read(text.encode(), "pasted.txt", _list_for(text))
    markers = {m.id for m in pairing.markers if m.span.start < tag[1] and tag[0] < m.span.end}
    taken: set[int] = set()
    citances = {c.id for c in pairing.citances if markers & set(c.marker_ids)}
    for claim in pairing.claims:
        if claim.citance_id in citances:
            covered = {
                n for n, (a, b) in enumerate(spans) if a < claim.span.end - 1 and claim.span.start < b - 1
            }
            taken |= covered
            if claim.context and covered and min(covered) > 0:
                taken.add(min(covered) - 1)
    return taken


def _list_for(text: str) -> str:
    """Make up a list in which every marker of the text has its entry."""
    named = dict.fromkeys(_NAMED.findall(text))
    if named and not re.search(r"\[\d|\(\d{1,3}[,)]", text):
        return "\n".join(f"{family} A. {year}. A study. Journal 1:1-2." for family, year in named)
    numbers = [int(n) for n in re.findall(r"(?<![\d.])\d{1,3}(?![\d.]\d)", text)]
    return "\n".join(
        f"{n}. Author{n} A. Study number {n}. Journal. 2001;{n}:1-2."
        for n in range(1, max(numbers, default=1) + 1)
    )
