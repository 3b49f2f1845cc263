"""PDFs named by key, DOI or arXiv number: read only when cited, and only under their own title."""

from pathlib import Path

import pytest

from tests.evidence.helpers import gather, ref, statuses
from veriscite.domain import Found, NoAbstract
from veriscite.errors import UnreadableFileError
from veriscite.evidence import pdf_folder
from veriscite.evidence.pdf_folder import PdfFolder, abstract_in

TITLE = "Sleep loss and plaque growth in mice"
ABSTRACT = (
    "We followed 120 mice with impaired sleep for two years. Sleep loss was asso-\nciated with plaque "
    "growth in the hippocampus.\nNo effect on memory was seen."
)
PAGES = (
    f"Journal of Tests 4\n{TITLE}\nWei Zhang, C. Roe\nAbstract\n{ABSTRACT}\n\n"
    "Keywords: mice\n1 Introduction\nMice sleep."
)


class Reader:
    """Reads the bytes as text, and counts."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, content: bytes, name: str) -> str:
        self.names.append(name)
        if content == b"broken":
            raise UnreadableFileError("The PDF is broken.")
        return content.decode()


@pytest.mark.parametrize(
    ("name", "cited"),
    [
        ("zhang2018.pdf", {"id": "zhang2018"}),
        ("Zhang2018.PDF", {"id": "zhang2018"}),
        ("10.1000_mice.4.pdf", {"doi": "10.1000/mice.4"}),
        ("10.1000%2Fmice.4.pdf", {"doi": "10.1000/mice.4"}),
        ("doi_10.1000-mice.4.pdf", {"doi": "10.1000/mice-4"}),
        ("1801.00002v3.pdf", {"arxiv": "1801.00002"}),
        ("PMC123456.pdf", {"pmcid": "PMC123456"}),
    ],
)
async def test_files_are_found_by_name(tmp_path: Path, name: str, cited: dict[str, str]) -> None:
    (tmp_path / name).write_text(PAGES)
    reference = ref(TITLE, "Zhang W", 2018, **{"id": "r", **cited})
    found = (await gather(PdfFolder(tmp_path, Reader()).lookup([reference])))[reference.id]
    if name.startswith("doi_"):
        assert found.status == "not_found", "a dot is not a hyphen"
        return
    assert isinstance(found, Found)
    assert found.evidence.sentences[1] == "Sleep loss was associated with plaque growth in the hippocampus."
    assert found.evidence.sentences[-1] == "No effect on memory was seen."


async def test_only_cited_files_are_opened(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf", "c.txt"):
        (tmp_path / name).write_text(PAGES)
    reader = Reader()
    found = await gather(PdfFolder(tmp_path, reader).lookup([ref(TITLE, id="a"), ref(TITLE, id="c")]))
    assert statuses(found, ["a", "c"]) == ["found", "not_found"]
    assert reader.names == ["a.pdf"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("broken", "broken"),
        (PAGES.replace("Abstract\n", ""), "no abstract"),
        (PAGES.replace(TITLE, "Growth of wheat in dry fields"), "title does not stand"),
    ],
)
async def test_what_cannot_be_used_is_said(tmp_path: Path, content: str, reason: str) -> None:
    (tmp_path / "a.pdf").write_text(content)
    found = (await gather(PdfFolder(tmp_path, Reader()).lookup([ref(TITLE, id="a")])))["a"]
    assert isinstance(found, NoAbstract)
    assert found.detail.startswith("a.pdf: ")
    assert reason in found.detail


async def test_number_and_size_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.pdf").write_text(PAGES + ("x" * 5_000 if name == "a" else ""))
    monkeypatch.setattr(pdf_folder, "MAX_BYTES", 2_000)
    monkeypatch.setattr(pdf_folder, "MAX_OPENED", 1)
    monkeypatch.setattr(pdf_folder, "MAX_FILES", 3)
    folder = PdfFolder(tmp_path, Reader())
    found = await gather(folder.lookup([ref(TITLE, id=name) for name in "abcd"]))
    assert statuses(found, list("abcd")) == ["no_abstract", "found", "no_abstract", "not_found"]
    assert "1 more left out" in folder.component().detail
    assert await gather(PdfFolder(tmp_path / "none", Reader()).lookup([ref(TITLE)]))


def test_where_an_abstract_ends() -> None:
    text = "x " * 100
    assert abstract_in(f"ABSTRACT: {text}\nKey words: a") == text.strip()
    assert abstract_in(f"Summary\n{text}\nI. Introduction\nmore") == text.strip()
    assert abstract_in(f"Abstract\n{text * 3}\n\nNext paragraph") == (text * 3).strip()
    assert abstract_in(
        f"Abstract\n{text}\nIntroduction to mining is a book. {text}\n\nIntroduction\nmore"
    ) == (f"{text}Introduction to mining is a book. {text}".strip())
    assert abstract_in("No such heading here") is None
    assert abstract_in("Abstract" + "\n" * 50_000) in (None, "")
