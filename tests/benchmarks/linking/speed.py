"""How fast the product reads and links, and what memory it takes; measured in a process of its own.

Text: flattened articles joined to one of 1 to 2 MB, with a list in the same text, after a short one, whose
seconds are given apart: they go into loading what is loaded once. PDF: pages a second of
CPU time, the median over the files.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console

_TEXT_BYTES = 1_500_000
_HOME = Path(__file__).resolve().parents[3]


def run(data: Path, console: Console) -> dict[str, object]:
    """Measure in a fresh process, so that its peak memory is the reading's own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.linking.speed", str(data)],
        capture_output=True,
        text=True,
        cwd=_HOME,
        check=False,
    )
    if done.returncode:
        console.print(f"speed: not measured: {done.stderr[-500:]}", markup=False)
        return {}
    figures: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    console.print("speed", figures)
    return figures


def _measure_text(data: Path) -> dict[str, object]:
    from tests.benchmarks.linking.flatten import flatten, parse_file
    from tests.benchmarks.linking.reading import read

    texts: list[str] = []
    lists: list[str] = []
    size = 0
    for path in sorted((data / "linking" / "jats").glob("*.gz")):
        flat = flatten(parse_file(path), path.name)
        texts.append(flat.text)
        lists.append(flat.references)
        size += len(flat.text.encode()) + len(flat.references.encode())
        if size > _TEXT_BYTES:
            break
    if not texts:
        return {}
    content = ("\n\n".join(texts) + "\n\nReferences\n\n" + "\n".join(lists)).encode()
    # Once in a process the sentence splitter and the model of references are loaded.
    began = time.process_time()
    read("\n\n".join((texts[0], "References", lists[0])).encode(), "pasted.txt")
    loading = time.process_time() - began
    began = time.process_time()
    read(content, "pasted.txt")
    took = time.process_time() - began
    return {
        "text_first_s": round(loading, 2),
        "text_mb": round(len(content) / 1e6, 2),
        "text_mb_per_s": round(len(content) / 1e6 / took, 3),
        "text_peak_mb": round(_peak_mb()),
    }


def _measure_pdf(data: Path) -> dict[str, object]:
    import pypdfium2

    from tests.benchmarks.linking.reading import read

    rates = []
    pages = 0
    for path in sorted([*(data / "linking").glob("pdf-*/*/*.pdf"), *(data / "papers").glob("*.pdf")]):
        content = path.read_bytes()
        document = pypdfium2.PdfDocument(content)
        count = len(document)
        document.close()
        began = time.process_time()
        read(content, path.name)
        rates.append(count / (time.process_time() - began))
        pages += count
    if not rates:
        return {}
    return {
        "pdf_pages_per_s": round(statistics.median(rates), 1),
        "pdf_files": len(rates),
        "pdf_pages": pages,
        "peak_mb": round(_peak_mb()),
    }


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(json.dumps(_measure_text(folder) | _measure_pdf(folder)))
