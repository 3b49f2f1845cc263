"""Which PDF engine reads better, pypdf or pypdfium2, and what memory a long PDF takes.

    python -m tests.benchmarks.linking.engines

On the real PDFs that come with their JATS, each engine's plain text is compared with the article's:

- words: the share of the article's words found, each as often as in the text where it is rarer, which tells
  of lost spaces, ligatures and hyphens;
- order: the share of the found pairs of neighbouring words that are neighbours in the article too, which
  tells of columns and running heads read into the text;
- pages a second of CPU time, over all PDFs.

`superscripts` is the share of raised numbers, in a page made for it, that an engine's plain text keeps apart
from the word before; the product itself tells them by size and position. The thesis is 300 made pages, read
whole by the product in a process of its own. The last line is JSON.
"""

import json
import random
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pypdf
import pypdfium2

from tests.benchmarks.linking.flatten import flatten, parse_file
from tests.benchmarks.linking.scoring import data_folder
from tests.reading.pdf_builder import Text, make_pdf, paragraph

_WORD = re.compile(r"[^\W_]+")
_HOME = Path(__file__).resolve().parents[3]
_WORDS = [
    *("owls", "hunt", "along", "hedges", "and", "ditches", "at", "night", "for", "voles", "which", "they"),
    *("hear", "in", "the", "grass", "of", "barns", "towers", "while", "light", "harvest", "stubble", "farms"),
    *("winter", "snow", "counted", "nests", "young", "fields", "rings", "weight", "prey", "dusk", "by", "on"),
]
_WIDTHS = {
    **dict.fromkeys("cksvxyz", 500),
    **dict.fromkeys("ijl", 222),
    **dict.fromkeys("ft ", 278),
    "r": 333,
    "m": 833,
    "w": 722,
    "O": 778,
}
"""Of Helvetica's letters, in thousandths of the size; all others are 556 wide."""
THESIS_PAGES = 300


def read_with_pypdf(content: bytes) -> str:
    """Return the plain text that pypdf gives."""
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages)


def read_with_pypdfium2(content: bytes) -> str:
    """Return the plain text that PDFium gives, its line-end hyphens as hyphens."""
    document = pypdfium2.PdfDocument(content)
    try:
        pages = [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()
    return "\n".join(pages).replace("\ufffe", "-").replace("\x02", "-")


def read_with_product(content: bytes) -> str:
    """Return the text that the product puts together."""
    from veriscite.reading.pdf import read_pdf

    return read_pdf(content, "paper.pdf").text


ENGINES: dict[str, Callable[[bytes], str]] = {
    "pypdf": read_with_pypdf,
    "pypdfium2": read_with_pypdfium2,
    "veriscite": read_with_product,
}


def words_of(text: str) -> list[str]:
    """Return a text's words in small letters, those cut at line ends joined."""
    return [w.casefold() for w in _WORD.findall(re.sub(r"(?<=[a-z])-\s*\n\s*(?=[a-z])", "", text))]


def agreement(wanted: list[str], found: list[str]) -> tuple[int, int, int, int]:
    """Count words found and wanted, pairs of neighbours found and wanted."""
    words = (Counter(wanted) & Counter(found)).total()
    pairs = Counter(pairwise(wanted)) & Counter(pairwise(found))
    return words, len(wanted), pairs.total(), max(0, len(wanted) - 1)


def superscript_page() -> tuple[bytes, list[str]]:
    """Make a page of lines that end words with raised numbers; return it and the words they stand behind."""
    words = ["harvest", "stubble", "winter", "hedges", "ditches", "barns", "towers", "voles"]
    texts = []
    for n, word in enumerate(words):
        y = 700 - 14 * n
        line = f"Owls of the night hunt along the {word}"
        end = 60 + sum(_WIDTHS.get(char, 556) for char in line) / 100
        texts += [Text(60, y, line), Text(end + 0.3, y + 4, str(n + 11), 6), Text(end + 10, y, "each year.")]
    return make_pdf([texts]), words


def kept_apart(text: str, words: list[str]) -> float:
    """Return the share of raised numbers that are neither glued to their word nor lost."""
    apart = sum(bool(re.search(rf"{w}\s+{n + 11}\b|{w}\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]", text)) for n, w in enumerate(words))
    return apart / len(words)


def thesis(pages: int = THESIS_PAGES) -> bytes:
    """Make a long PDF: a heading now and then, forty lines of prose a page, running heads and numbers."""
    rng = random.Random(1)
    made = []
    for number in range(1, pages + 1):
        lines = [f"{' '.join(rng.choices(_WORDS, k=11))} [{rng.randint(1, 90)}]." for _ in range(40)]
        page = [Text(60, 800, "A thesis on owls", 8), Text(290, 30, str(number), 8)]
        page += [Text(60, 760, f"{number // 10 + 1} Chapter on owls", 14)] if number % 10 == 1 else []
        made.append([*page, *paragraph(60, 720, [line.capitalize() for line in lines], pitch=16)])
    entries = [
        f"[{n}] A. Owl, {' '.join(rng.choices(_WORDS, k=6))}, J. Owls {n} (20{n % 90 + 10}) 1-9."
        for n in range(1, 91)
    ]
    for first in range(0, len(entries), 45):
        head = [Text(60, 740, "References", 14)] if first == 0 else []
        made.append([*head, *paragraph(60, 720, entries[first : first + 45], pitch=14)])
    return make_pdf(made)


def measure_thesis() -> dict[str, object]:
    """Read the thesis in a fresh process; return its peak memory and the pages a second."""
    code = "from tests.benchmarks.linking import engines; engines.print_thesis()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=_HOME, check=False
    )
    if done.returncode:
        print(f"thesis: not measured: {done.stderr[-500:]}", file=sys.stderr)
        return {}
    figures: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return figures


def print_thesis() -> None:
    """Read the thesis here and print what it took, as JSON."""
    from tests.benchmarks.linking.reading import read

    content = thesis()
    before = time.process_time()
    manuscript, pairing = read(content, "thesis.pdf")
    took = time.process_time() - before
    figures = {
        "thesis_pages": THESIS_PAGES,
        "thesis_peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "thesis_pages_per_s": round(THESIS_PAGES / took, 1),
        "thesis_references": len(manuscript.references),
        "thesis_markers": len(pairing.markers),
    }
    print(json.dumps(figures))


def compare(data: Path) -> dict[str, dict[str, float]]:
    """Measure each engine on the PDFs that come with their JATS."""
    folders = sorted(p for p in (data / "linking" / "pdf-jats").iterdir() if p.is_dir())
    articles = []
    for folder in folders:
        text = flatten(parse_file(next(folder.glob("*.jats"))), folder.name).text
        articles.append((next(folder.glob("*.pdf")).read_bytes(), words_of(text)))
    columns = [p.read_bytes() for p in sorted((data / "linking" / "pdf-twocol").glob("*/*.pdf"))]
    page, raised = superscript_page()
    table = {}
    for name, engine in ENGINES.items():
        totals = [0, 0, 0, 0]
        began = time.process_time()
        texts = [engine(content) for content, _ in articles]
        texts_of_columns = [engine(content) for content in columns]
        took = time.process_time() - began
        for text, (_, wanted) in zip(texts, articles, strict=True):
            totals = [a + b for a, b in zip(totals, agreement(wanted, words_of(text)), strict=True)]
        pages = sum(_pages(content) for content in (*columns, *(c for c, _ in articles)))
        table[name] = {
            "pages_per_s": round(pages / took, 1),
            "words": round(totals[0] / totals[1], 4),
            "order": round(totals[2] / totals[3], 4),
            "superscripts": round(kept_apart(engine(page), raised), 3),
            "pages": pages,
            "characters": sum(map(len, (*texts, *texts_of_columns))),
        }
    return table


def _pages(content: bytes) -> int:
    document = pypdfium2.PdfDocument(content)
    try:
        return len(document)
    finally:
        document.close()


def main() -> int:
    """Run; returns the exit code."""
    data = data_folder()
    figures: dict[str, object] = {}
    if data is None:
        print("No shared data: engines are not compared.", file=sys.stderr)
    else:
        table = compare(data)
        print(f"{'engine':10}" + "".join(f"{key:>14}" for key in next(iter(table.values()))))
        for name, row in table.items():
            print(f"{name:10}" + "".join(f"{value:>14}" for value in row.values()))
        figures = {f"{name}_{key}": value for name, row in table.items() for key, value in row.items()}
    figures |= measure_thesis()
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
