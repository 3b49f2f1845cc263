"""PDF pages become text in reading order, without what is no text."""

import contextlib
import io
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from tests.reading.pdf_builder import BOLD, Text, make_pdf, paragraph
from veriscite.errors import (
    InputError,
    NoTextLayerError,
    PasswordRequiredError,
    TooLargeError,
    UnreadableFileError,
)
from veriscite.reading.document import Document
from veriscite.reading.pdf import read_pdf

FILLER = [
    "Owls are birds of the night and hunt along hedges and ditches for",
    "voles, which they hear in the grass. They nest in barns and towers,",
    "where they stay for years unless the barn is pulled down by people.",
]


def _read(pages: list[list[Text]], **given: object) -> Document:
    return read_pdf(make_pdf(pages, **given), "paper.pdf")  # type: ignore[arg-type]


def _folded(document: Document) -> str:
    return " ".join(document.text.split())


def test_columns_are_read_one_after_the_other() -> None:
    """The file writes row by row over the gutter; a sentence goes on in the second column."""
    left = [
        "Owls hunt along hedges when the",
        "grass is short [1]. The birds",
        "leave once harvest starts and",
    ]
    right = ["return only if stubble is left", "until spring [2]. Light has no", "effect on them [3]."]
    rows = []
    for index, (one, two) in enumerate(zip(left, right, strict=True)):
        rows += [Text(60, 700 - 12 * index, one), Text(320, 700 - 12 * index, two)]
    text = _folded(_read([[Text(60, 740, "Owls on farms", 16), *rows]]))
    assert "The birds leave once harvest starts and return only if stubble is left until spring [2]." in text


def test_a_wide_line_parts_the_columns_above_from_those_below() -> None:
    top = paragraph(60, 750, ["Left one is above all", "and it ends up here."], pitch=12)
    top += paragraph(320, 750, ["Right one is beside", "and it ends up too."], pitch=12)
    wide = [
        Text(60, 700, "A wide heading that stands over both of the columns and parts them from each other")
    ]
    low = paragraph(60, 660, ["Left two stands below", "with more of its text", "and still more of it."])
    low += paragraph(320, 660, ["Right two stands below", "with more of its text", "and still more of it."])
    text = _folded(_read([top + wide + low]))
    order = ["Left one", "Right one", "A wide heading", "Left two", "Right two"]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)


def test_words_cut_at_line_ends_are_joined() -> None:
    """Whether a hyphen stays is told by the document's own words, else by the parts."""
    lines = [
        "The fragment is well-known and the dose-response curve is flat; we saw meta-",
        "morphosis and another frag-",
        "ment, a dose-",
        "response curve, a paper by Garcia-",
        "Lopez, the N-",
        "terminal end, an end-",
        "to-end test, and https://example.org/long-",
        "path and it ends here.",
    ]
    text = _folded(_read([paragraph(60, 700, lines)]))
    for joined in (
        "metamorphosis",
        "another fragment,",
        "a dose-response curve",
        "Garcia-Lopez",
        "N-terminal",
        "end-to-end",
        "https://example.org/long-path",
    ):
        assert joined in text


def test_raised_numbers_become_superscripts() -> None:
    line = [
        Text(60, 700, "Owls are shy"),
        Text(119, 704, "12,14", 6),
        Text(134, 700, ". The lake covers 10 m"),
        Text(234, 704, "2", 6),
        Text(240, 700, "and H"),
        Text(266, 698, "2", 6),
        Text(270, 700, "O is water."),
    ]
    text = _folded(_read([[*line, *paragraph(60, 680, FILLER)]]))
    assert "shy¹²,¹⁴. The lake covers 10 m² and H2O is water." in text


def test_running_heads_feet_and_page_numbers_are_left_out() -> None:
    pages = []
    parts = [
        "Newts lay fewer eggs in warm ponds [1] and the eggs",
        "that are laid hatch later [2]. They",
        "die young.",
    ]
    for number, part in enumerate(parts, 1):
        pages.append(
            [
                Text(60, 810, "Ash et al.: Newts in ponds"),
                Text(60, 700, part),
                Text(60, 40, "https://doi.org/10.9999/ponds.2021 [license 4]", 8),
                Text(500, 40, f"Page {number} of 3", 8),
            ]
        )
    document = _read(pages)
    assert _folded(document) == " ".join(parts)
    assert any("running heads" in note.message for note in document.notes)


def test_line_numbers_are_left_out_but_not_the_numbers_of_a_list() -> None:
    lines = [
        "Moss on slate walls",
        "Moss covers slate walls within ten years [1]. The cover is",
        "thicker on the north side, where [2] counted many of the",
        "species per wall.",
        "References",
        "1. Senn U. Moss on slate. J Test Bot. 2001.",
        "2. Tull V. Moss counts on walls. J Test Bot. 2002.",
    ]
    page = []
    for index, line in enumerate(lines):
        page += [Text(40, 700 - 24 * index, str(index + 1), 8), Text(70, 700 - 24 * index, line)]
    document = _read([page])
    assert "walls within ten years [1]. The cover is thicker on the north side, where [2]" in _folded(
        document
    )
    assert "1. Senn U." in document.text
    assert "\n2 " not in document.text
    assert any("7 line numbers" in note.message for note in document.notes)


def test_bare_list_numbers_stay() -> None:
    page = [Text(60, 780, "Owls nest in barns [1,2]."), Text(60, 740, "References")]
    for number in range(1, 7):
        y = 740 - 30 * number
        page += [
            Text(60, y, str(number)),
            Text(80, y, f"Ash, A. (200{number}) Owls and barns and other things of"),
        ]
        page += [Text(80, y - 12, "the night. J Test Orn 1, 1-9.")]
    text = _read([page]).text
    for number in range(1, 7):
        assert f"{number} Ash, A. (200{number})" in text


def test_entries_with_hanging_indents_are_parted_by_empty_lines() -> None:
    page = [Text(60, 780, "Owls nest in barns (Ash, 2001)."), Text(60, 740, "References", 12, BOLD)]
    y = 720
    for name in ("Ash", "Birk", "Cole"):
        page += [
            Text(60, y, f"{name}, A. (2001). Owls and barns and other things of the night and of"),
            Text(84, y - 12, "the day. Journal of Tests, 1, 1-9. A long tail of words."),
        ]
        y -= 24
    text = _read([page]).text
    entries = text.split("References\n\n")[1].split("\n\n")
    assert [entry.split(",")[0] for entry in entries] == ["Ash", "Birk", "Cole"]


def test_a_caption_inside_a_sentence_is_moved_behind_it() -> None:
    first = [*paragraph(60, 200, [*FILLER, "The owls of the north are larger than those of the south and"])]
    second = [
        Text(60, 760, "Figure 1. Owls in a barn.", 8),
        *paragraph(60, 720, ["they weigh more as well [4].", *FILLER]),
    ]
    text = _folded(_read([first, second]))
    assert "those of the south and they weigh more as well [4]." in text
    assert "Figure 1. Owls in a barn." in text


def test_small_print_of_the_first_page_is_left_out_and_noted() -> None:
    first = [
        *paragraph(60, 300, [*FILLER, "The owls of the north are larger than those of the"]),
        Text(60, 120, "* Correspondence: ash@example.org", 7),
        Text(60, 112, "1 Department of Owls, University of Tests", 7),
    ]
    second = paragraph(60, 760, ["south and they weigh more as well [4].", *FILLER])
    document = _read([first, second])
    assert "larger than those of the south and they weigh more" in _folded(document)
    assert "Correspondence" not in document.text
    assert any("ash@example.org" in note.raw for note in document.notes)


def test_headings_make_sections_and_front_matter_is_excluded() -> None:
    page = [
        Text(60, 780, "Owls of the northern farms", 18, BOLD),
        Text(60, 750, "Anna Ash and Bert Birk"),
        Text(60, 720, "Abstract", 12, BOLD),
        *paragraph(60, 700, FILLER),
        Text(60, 640, "2.1 Study area", 12, BOLD),
        *paragraph(60, 620, FILLER),
    ]
    document = _read([page])
    assert document.title == "Owls of the northern farms"
    assert [(section.heading, section.level) for section in document.sections] == [
        ("Abstract", 1),
        ("2.1 Study area", 2),
    ]
    assert "Bert Birk" in document.excluded[0].of(document.text)
    assert "Abstract" not in document.excluded[0].of(document.text)


def test_an_abstract_without_a_heading_is_prose() -> None:
    page = [
        Text(60, 780, "Owls of the northern farms", 18, BOLD),
        Text(60, 750, "Anna Ash and Bert Birk"),
        *paragraph(60, 720, [*FILLER, *FILLER, *FILLER]),
        Text(60, 580, "Introduction", 12, BOLD),
        *paragraph(60, 560, FILLER),
    ]
    document = _read([page])
    excluded = document.excluded[0].of(document.text)
    assert "Bert Birk" in excluded
    assert "birds of the night" not in excluded


def test_the_metadata_title_counts_only_if_the_page_bears_it() -> None:
    page = [Text(60, 780, "Owls of the northern farms"), *paragraph(60, 700, FILLER)]
    assert _read([page], title="Owls of the Northern Farms").title == "Owls of the Northern Farms"
    assert _read([page], title="Microsoft Word - draft.docx").title is None
    assert _read([page], title="Something else entirely").title is None


def test_a_scan_is_refused_as_one() -> None:
    with pytest.raises(NoTextLayerError, match="scan") as caught:
        read_pdf(make_pdf([[], []]), "scan.pdf")
    assert "OCR" in caught.value.advice


def test_pages_without_text_are_noted() -> None:
    document = _read([paragraph(60, 700, FILLER), []])
    assert any("Pages without text" in note.message and "2" in note.message for note in document.notes)


def _encrypted(user_password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(make_pdf([paragraph(60, 700, FILLER)]))))
    writer.encrypt(user_password, owner_password="owner", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_a_password_is_asked_for_only_where_one_is_needed() -> None:
    with pytest.raises(PasswordRequiredError, match="password"):
        read_pdf(_encrypted("secret"), "locked.pdf")
    assert "Owls are birds" in read_pdf(_encrypted(""), "open.pdf").text


def test_a_broken_pdf_is_refused_or_read_with_a_note() -> None:
    whole = make_pdf([paragraph(60, 700, FILLER)])
    with pytest.raises(UnreadableFileError, match="broken"):
        read_pdf(b"%PDF-1.4\n" + b"rubbish " * 50, "paper.pdf")
    outcomes = set()
    for cut in range(100, len(whole), 150):
        try:
            outcomes.add("Owls" in read_pdf(whole[:cut], "paper.pdf").text)
        except InputError:
            outcomes.add(None)
    assert None in outcomes
    assert False not in outcomes


def test_limits_are_kept() -> None:
    content = make_pdf([paragraph(60, 700, FILLER)] * 3)
    with pytest.raises(TooLargeError, match="3 pages"):
        read_pdf(content, "paper.pdf", max_pages=2)
    with pytest.raises(TooLargeError, match="characters"):
        read_pdf(content, "paper.pdf", max_characters=50)


def test_threads_may_read_at_once() -> None:
    contents = [make_pdf([paragraph(60, 700, [*FILLER, f"This is number {n}."])] * 4) for n in range(6)]
    results: dict[int, str] = {}

    def read(number: int) -> None:
        results[number] = read_pdf(contents[number], "paper.pdf").text

    threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert {number: f"number {number}." in text for number, text in results.items()} == dict.fromkeys(
        range(6), True
    )


def test_a_dense_page_takes_far_less_than_a_second() -> None:
    line = "Owls are birds of the night and hunt along hedges and ditches for voles in the long grass"
    content = make_pdf([paragraph(40, 800, [line] * 60, size=9)] * 5)
    start = time.process_time()
    read_pdf(content, "paper.pdf")
    assert time.process_time() - start < 60  # a guard against a blow-up, not a speed


@given(
    st.lists(
        st.builds(
            Text,
            st.integers(-50, 650),
            st.integers(-50, 900),
            st.text(alphabet="Aab 1.[]-()", min_size=1, max_size=12),
            st.sampled_from([6, 8, 10, 18]),
            st.sampled_from(["F1", "F2"]),
        ),
        max_size=25,
    )
)
def test_any_page_gives_text_and_valid_offsets(texts: list[Text]) -> None:
    try:
        document = read_pdf(make_pdf([texts, texts]), "paper.pdf")
    except InputError:
        return
    position = 0
    for section in document.sections:
        assert position <= section.span.start <= section.span.end <= len(document.text)
        position = section.span.end
    for span in document.excluded:
        assert 0 <= span.start < span.end <= len(document.text)


@given(st.data())
def test_any_damage_gives_text_or_an_input_error(data: st.DataObject) -> None:
    content = bytearray(make_pdf([paragraph(60, 700, FILLER)]))
    for _ in range(data.draw(st.integers(1, 12))):
        content[data.draw(st.integers(5, len(content) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(InputError):
        assert read_pdf(bytes(content), "paper.pdf").format == "pdf"
