"""Single entries read by rules and the sequence model together."""

import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.linking.helpers import parse
from veriscite.linking import PlainListParser
from veriscite.linking.references import sequence
from veriscite.linking.references.parser import parse_entry, prepare
from veriscite.linking.references.rules import read_by_rules
from veriscite.linking.references.sequence import WEIGHTS, stretches
from veriscite.linking.references.tokens import MAX_TOKENS, features, tokenise


@pytest.mark.parametrize(
    ("entry", "family", "title"),
    [
        ("Shore, Y. (1988). Walking about dunes. Cambridge, MA: Field Press.", "Shore",
         "Walking about dunes"),
        ("Tavro, Felia. Mother of dunes: An inquiry into the “sandy” notions of the plain. Lund: Field "
         "Press, 2007.", "Tavro", "Mother of dunes: An inquiry into the “sandy” notions of the plain"),
        ("J. H. Knot. Walking dunes. Ph.D. thesis, University of Lund, 1994.", "Knot", "Walking dunes"),
        ("Shore B, Lind T. Do dunes walk? A study of sand in motion. J Test Geo 2003;12:1-9.", "Shore",
         "Do dunes walk? A study of sand in motion"),
        ("Lind, T., 2005, Dunes in winter, in Brun, A., ed., Sand and snow: Field Press, p. 1-9.", "Lind",
         "Dunes in winter"),
        ("World Sand Organization. Guidelines on dunes. Geneva: World Sand Organization; 2012.",
         "World Sand Organization", "Guidelines on dunes"),
        ("Danfort DN Jr, Brun A. Sand in the lungs of bees. J Test Med. 1999;3:1-9.", "Danfort",
         "Sand in the lungs of bees"),
        ("Masing P L et al 2014 Sand in the lungs of bees J. Test Phys. 12 345-350", "Masing",
         "Sand in the lungs of bees"),
        ("Lawren A. Cunning, From Random Dunes to Slides: The Story of a Hypothesis, Test Law Review, "
         "Vol. 62, 1994, 546 pp.", "Cunning", "From Random Dunes to Slides: The Story of a Hypothesis"),
        ("李明, 王芳. 沙丘在冬季的运动规律. 测试地理学报. 2019. 39(4): 1-9.", "李明", "沙丘在冬季的运动规律"),
    ],
)  # fmt: skip
def test_kinds_of_entries(entry: str, family: str, title: str) -> None:
    reference = parse(entry)
    assert reference.title == title
    assert reference.authors[0].family == family


@pytest.mark.parametrize(
    ("entry", "venue"),
    [
        ("Aker, P. Dunes that walk. In: Proceedings of the Test Conference on Sand, pp. 1-9, 2001.",
         "Proceedings of the Test Conference on Sand"),
        ("Aker P, Brun Q. Dunes that walk. Journal of Sand Research. 2001;3(2):1-9.",
         "Journal of Sand Research"),
    ],
)  # fmt: skip
def test_containers(entry: str, venue: str) -> None:
    assert parse(entry).venue == venue


@given(st.text(max_size=400))
def test_tokens_hold_every_character_once_and_in_order(text: str) -> None:
    tokens = tokenise(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    if len(tokens) < MAX_TOKENS:
        assert "".join(t.text for t in tokens) == "".join(text.split())
    assert len(features(tokens, ["-"] * len(tokens))) == len(tokens)


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    parse_entry(text)


@given(st.text(alphabet="AaBb.,;:()\"“”'’ 20019-éÖ李", max_size=200))
def test_stretches_are_in_order_and_apart(text: str) -> None:
    prepared = prepare(text)
    found = stretches(prepared, read_by_rules(prepared).hints())
    assert all(s.start < s.end <= len(prepared) and s.field in sequence.FIELDS for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "piece", [".", ".,", "a.", "(a", '"', "'", "’", "“a”", "A. B., ", ", ", "et al ", "1-"]
)
def test_no_entry_takes_long(piece: str) -> None:
    entry = (piece * 5_000)[:5_000]
    begin = time.perf_counter()
    parse_entry(entry)
    assert time.perf_counter() - begin < 2


def test_an_entry_longer_than_the_model_labels_is_read_by_rules() -> None:
    names = ", ".join(f"Aker{chr(97 + n % 26)} B" for n in range(300))
    assert parse(f"{names}. Dunes that walk. J Test Geo. 2001;3:1-9.").title == "Dunes that walk"


@pytest.mark.parametrize("content", [None, b"", b"lCRF", WEIGHTS.read_bytes()[:-100], b"x" * 5_000])
def test_without_sound_weights_the_rules_read_on(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tmp_path / "fields.crfsuite"
    if content is not None:
        weights.write_bytes(content)
    monkeypatch.setattr(sequence, "WEIGHTS", weights)
    sequence._tagger.cache_clear()
    try:
        reference = parse("Aker P, Brun QR. Dunes that walk. J Test Geo. 2001;3(2):1-9.")
    finally:
        sequence._tagger.cache_clear()
    assert (reference.title, reference.year) == ("Dunes that walk", 2001)
    assert [a.family for a in reference.authors] == ["Aker", "Brun"]


@pytest.mark.parametrize("sign", ["®", "+", "™"])
def test_a_container_that_the_model_takes_for_title_words_stays_a_container(sign: str) -> None:
    entry = f"Ross, Y. Folding chairs. Seats and Trends{sign} in Wood–Metal Interaction 2, 2020."
    (reference,) = PlainListParser().parse(entry).references
    assert reference.title == "Folding chairs"
