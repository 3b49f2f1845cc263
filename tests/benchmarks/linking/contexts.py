"""Which sentences a claim takes in, against those that people found to belong to the marker.

Each case is a few sentences with one marker in question. The product's answer is every sentence that the
claims of this marker cover, and the sentence before where it takes that along as context. The baseline is
the marker's sentence alone.

The marker is handed over as one that the file states (as JATS or LaTeX do): a few sentences without their
list say nothing of a document's style, and finding markers is measured elsewhere.
"""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.linking.scoring import Count, Item, Names
from veriscite.domain import Manuscript, MarkerStyle, Reference, Span, StatedMarker
from veriscite.linking import CitationPairer

_FILE = "citation-integrity/citation_contexts_dev.jsonl.gz"
_TAG = re.compile(r"<CITATION_MARKER>(.*?)</CITATION_MARKER>", re.DOTALL)

# The tag holds one number of several.
_MORE = re.compile(r"(?:\s?[,–-]?\s?\d{1,3}(?=[\s.,;)–-]|$)){1,20}")
_LESS = re.compile(r"(?<![\w.])(?:\d{1,3}\s?[,–-]\s?){1,20}$")
_OTHER = re.compile(
    r"\[[\d,;\s–-]{1,60}\]|\([^()]{0,200}?\b(?:19|20)\d\d[a-z]?\)|(?<=%\))\d{1,2}(?=[\s.,])"
    r"|(?<=[^\W\d_]{2}[.,)])\d{1,3}(?:\s?[,–-]\s?\d{1,3})*(?=[\s.,;)]|$)"
    r"|(?<=[a-z]{3})\d{1,3}(?:\s?[,–-]\s?\d{1,3})*(?=[\s.,;)]|$)"
)


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
    manuscript = Manuscript(
        id="context",
        source_name="context",
        format="text",
        text=text,
        body=Span(start=0, end=len(text)),
        references=(
            Reference(id="cited", raw="A. Author. A study. 2001."),
            Reference(id="other", raw="B. Author. Another study. 2002."),
        ),
        stated_markers=_stated(text, tag),
        content_hash="",
    )
    taken: set[int] = set()
    for claim in CitationPairer().pair(manuscript).claims:
        if claim.reference_id != "cited":
            continue
        covered = {n for n, (a, b) in enumerate(spans) if a < claim.span.end - 1 and claim.span.start < b - 1}
        taken |= covered
        if claim.context and covered and min(covered) > 0:
            taken.add(min(covered) - 1)
    return taken


def _stated(text: str, tag: tuple[int, int]) -> tuple[StatedMarker, ...]:
    """The tagged marker, and what else in the text looks like one: a file would state all of them."""
    more, less = _MORE.match(text, tag[1]), _LESS.search(text[max(0, tag[0] - 60) : tag[0]])
    spans = [(tag[0] - len(less[0]) if less else tag[0], more.end() if more else tag[1])]
    for m in _OTHER.finditer(text):
        if m.end() <= spans[0][0] or spans[0][1] <= m.start():
            spans.append(m.span())
        else:
            spans[0] = (min(m.start(), spans[0][0]), max(m.end(), spans[0][1]))
    kept: list[StatedMarker] = []
    for start, end in sorted(spans):
        if kept and start < kept[-1].span.end:
            continue
        key = "cited" if start <= tag[0] < end else "other"
        kept.append(StatedMarker(span=Span(start=start, end=end), keys=(key,), style=MarkerStyle.SUPERSCRIPT))
    return tuple(kept)
