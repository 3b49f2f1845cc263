"""Training the sequence model of references, on strings of our own."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from models.tagged_references import Tagged, examples, read, trainable
from models.train_references import main, train
from tests.benchmarks.linking.scoring import half_of

CORE = """<dataset>{}</dataset>"""
SEQUENCE = (
    "<sequence><author>Aker, P.</author> <date>(200{n}).</date> <title>Dunes that walk {word}.</title> "
    "<journal>Journal of Sand,</journal> <volume>{n}</volume> <pages>1-9.</pages></sequence>"
)
GROBID = (
    "<TEI><bibl><author>B. Brun</author>. <title level='a'>Sleep in the hive</title>. In <title level='m'>"
    "Bees at night</title>, <biblScope unit='page'>1-9</biblScope>, <date>2003</date>.</bibl></TEI>"
)


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    sequences = "".join(SEQUENCE.format(n=n, word="abcdefghij"[n] * 5) for n in range(9))
    for file in ("anystyle_core.xml.gz", "anystyle_good.xml.gz"):
        (tmp_path / file).write_bytes(gzip.compress(CORE.format(sequences).encode()))
    with tarfile.open(tmp_path / "grobid_citation_corpus.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("bees.xml")
        member.size = len(GROBID)
        archive.addfile(member, io.BytesIO(GROBID.encode()))
    return tmp_path


def test_strings_are_read_with_their_tags(corpora: Path) -> None:
    strings = list(read(corpora))
    assert len(strings) == 19
    bees = strings[-1]
    assert bees.text == "B. Brun. Sleep in the hive. In Bees at night, 1-9, 2003."
    rows, labels = examples(bees)
    assert labels == [
        "B-author", "I-author", "B-title", "I-title", "I-title", "I-title", "B-note", "B-container",
        "I-container", "I-container", "B-locator", "B-date",
    ]  # fmt: skip
    assert len(rows) == len(labels)


def test_nothing_that_is_held_out_is_trained_on(corpora: Path) -> None:
    strings = list(read(corpora))
    held = {s.text for s in strings if half_of(s.name) == "held"}
    kept = trainable(strings)
    assert kept
    assert not held & {s.text for s in kept}
    assert len({s.text for s in kept}) == len(kept)


def test_identifiers_are_taken_out_of_the_labels_too() -> None:
    text = "Aker P. Dunes. doi:10.9999/x.1 Journal of Sand, 2001."
    fields = ["author"] * 6 + ["title"] * 6 + ["note"] * 15 + ["container"] * 14 + ["date"] * 5
    _, labels = examples(Tagged("a", "b", text, tuple(fields)))
    assert [label[2:] for label in labels] == ["author", "author", "title", *["container"] * 3, "date"]


def test_training_twice_gives_the_same_weights(corpora: Path, tmp_path: Path) -> None:
    strings = [s for s in read(corpora) if s.corpus != "GROBID citations"]
    files = [tmp_path / "a.crfsuite", tmp_path / "b.crfsuite"]
    for file in files:
        train(strings, file, iterations=5)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_command_writes_weights(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new" / "fields.crfsuite"
    assert main([str(corpora), "--output", str(target), "--iterations", "3"]) == 0
    assert target.is_file()
    assert str(target) in capsys.readouterr().out
