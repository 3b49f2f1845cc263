"""Texts that stand where an abstract should: told apart by kind, each with its reason."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.evidence.abstracts import (
    LONGEST_ABSTRACT,
    Abstract,
    Refusal,
    Refused,
    clean_abstract,
    read_abstract,
)
from veriscite.evidence.languages import english_part, is_foreign, language
from veriscite.evidence.prose import is_bibliography, is_contents

TITLE = "Slow light in cold glass fibres"
BODY = "Glass fibres were cooled to four kelvin. The light slowed down by a factor of three in all of them."
GERMAN = (
    "Die Fasern aus Glas wurden auf vier Kelvin gekühlt, und das Licht wurde in allen um den Faktor drei "
    "langsamer. Es zeigt sich, dass die Kälte für das Licht nicht ohne Folgen ist und mit der Zeit wächst."
)
SPANISH = (
    "Las fibras de vidrio se enfriaron a cuatro grados y la luz fue más lenta en todas ellas por un factor "
    "de tres. Los resultados muestran que el frío no es una causa menor de la lentitud que se ha observado."
)


@pytest.mark.parametrize(
    ("raw", "reason", "told"),
    [
        (GERMAN, Refusal.FOREIGN, "German"),
        (SPANISH, Refusal.FOREIGN, "Spanish"),
        (
            "Les fibres de verre ont été refroidies et la lumière est plus lente dans les fibres "
            "que dans l'air, "
            "ce qui est une conséquence du froid.",
            Refusal.FOREIGN,
            "French",
        ),
        ("玻璃纤维被冷却到四开尔文。所有纤维中的光都慢了三倍。" * 3, Refusal.FOREIGN, "Chinese"),
        (
            "Стеклянные волокна охладили, и свет во всех волокнах стал втрое медленнее. " * 2,
            Refusal.FOREIGN,
            "Cyrillic",
        ),
        (
            "References [1] Iqbal S, Roe C. Slow light. J Opt 2019;3:1-9. [2] Moe J. Fast light. J "
            "Opt 2018;2:11-19.",
            Refusal.BIBLIOGRAPHY,
            "references",
        ),
        (
            "1. Iqbal, S., Roe, C.: Slow light in fibres. J. Opt. 3(2), 1-9 (2019). doi:10.9999/a "
            "2. Moe, J., Sun, R.: "
            "Fast light. J. Opt. 2(1), 11-19 (2018) 3. Ash, B. et al.: Cold glass. Proc. Ice 4, 5-7 (2017)",
            Refusal.BIBLIOGRAPHY,
            "references",
        ),
        (
            "Chapter 1 Slow light. Chapter 2 Cold glass. Chapter 3 Fibres of ice. Chapter 4 Rods "
            "and tubes. Index.",
            Refusal.CONTENTS,
            "contents",
        ),
        (
            "Preface ..... 1 Slow light in glass ..... 12 Cold fibres ...... 57 Index of names .... 99",
            Refusal.CONTENTS,
            "contents",
        ),
        (
            "Contents: 1. Slow light 2. Cold glass 3. Fibres 4. Rods of ice 5. Tubes 6. Conclusions "
            "and outlook",
            Refusal.CONTENTS,
            "contents",
        ),
        (
            "Glass fibres were cooled to four kelvin and then the light in the cold ...",
            Refusal.TRUNCATED,
            "first words",
        ),
    ],
)
def test_no_abstract_of_this_work(raw: str, reason: Refusal, told: str) -> None:
    refused = read_abstract(raw, TITLE)
    assert isinstance(refused, Refused), refused
    assert refused.reason is reason
    assert told in refused.detail


@pytest.mark.parametrize(
    "raw", [f"{BODY} {SPANISH}", f"{SPANISH} {BODY}", f"Abstract {BODY} Resumen: {SPANISH}"]
)
def test_a_translation_beside_the_english_abstract_is_left_out(raw: str) -> None:
    abstract = read_abstract(raw, TITLE)
    assert isinstance(abstract, Abstract)
    assert " ".join(abstract.sentences) == BODY
    assert "Spanish" in abstract.note


@pytest.mark.parametrize(
    "raw",
    [
        f"{BODY} Registered as DRKS00004841 and ISRCTN12345678 at http://www.example.org/a/b.",
        f"{BODY} We thank El Niño, La Paz, and the Universidad de los Andes.",
        f"In 2019 (1.2%), 2020 (2.3%) and 2021 (3.4%) vs 2018 (4%), p < 0.01. {BODY}",
        f"{BODY} See Iqbal et al., 2019, and Roe et al., 2020, for methods of cooling that were used here.",
        f"1) Cold is slow. 2) Heat is fast. 3) Glass is neither. {BODY}",
        "The first chapter is of slow light. " + BODY,
    ],
)
def test_prose_is_not_refused(raw: str) -> None:
    abstract = read_abstract(raw, TITLE)
    assert isinstance(abstract, Abstract), abstract
    assert not abstract.note


def test_what_was_cut_off_by_the_source_loses_its_broken_sentence() -> None:
    abstract = read_abstract(f"{BODY} In rods of ice, however, the li...", TITLE)
    assert isinstance(abstract, Abstract)
    assert " ".join(abstract.sentences) == BODY
    assert "only the beginning" in abstract.note


def test_of_an_article_only_what_stands_before_the_introduction_is_used() -> None:
    front = " ".join([BODY] * 5)
    article = (
        f"{front} 1. Introduction Light has been slow before. " + "Others found that it was fast. " * 400
    )
    abstract = read_abstract(article, TITLE)
    assert isinstance(abstract, Abstract)
    assert " ".join(abstract.sentences) == front
    assert "too long" in abstract.note


def test_of_a_long_text_only_the_front_is_used() -> None:
    abstract = read_abstract(" ".join([BODY] * 150), TITLE)
    assert isinstance(abstract, Abstract)
    assert sum(map(len, abstract.sentences)) <= LONGEST_ABSTRACT
    assert "too long" in abstract.note


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (
            "<jats:p>Light of "
            "<jats:inline-formula><jats:alternatives><jats:tex-math>\\documentclass[12pt]{minimal} "
            "\\usepackage{amsmath} "
            "\\begin{document}$$c/3$$\\end{document}</jats:tex-math></jats:alternatives>"
            "</jats:inline-formula> was seen.</jats:p>",
            "Light of c/3 was seen.",
        ),
        (
            "At <mml:math "
            'xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:msub><mml:mi>T</mml:mi><mml:mn>2'
            "</mml:mn></mml:msub></mml:math> it froze.",
            "At T2 it froze.",
        ),
        ("At <math><msub><mi>T</mi><mn>2</mn></msub></math> it froze.", "At T2 it froze."),
        (f"{BODY} Keywords: slow light; cold glass", BODY),
        (f"{BODY} Index Terms—slow light, cold glass", BODY),
        (f"{BODY} Key words were not used. They are old.", f"{BODY} Key words were not used. They are old."),
        ("&lt;p&gt;Light &amp;amp; glass at 5 &deg;C&lt;/p&gt;", "Light & glass at 5 °C"),
    ],
)
def test_formulas_and_key_words(raw: str, clean: str) -> None:
    assert clean_abstract(raw) == clean


@pytest.mark.parametrize(
    ("text", "name"),
    [(BODY, "English"), (GERMAN, "German"), (SPANISH, "Spanish"), ("Slow light", None), ("", None)],
)
def test_languages(text: str, name: str | None) -> None:
    assert language(text) == name


@given(st.lists(st.sampled_from([BODY, GERMAN, SPANISH, "Short.", ""]), max_size=6))
def test_the_english_part_is_a_part(parts: list[str]) -> None:
    kept, other = english_part(tuple(parts))
    assert other or kept == tuple(parts)
    assert "\n".join(kept) in "\n".join(parts)


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    assert is_foreign(text) in (True, False)
    assert is_bibliography(text) in (True, False)
    assert is_contents(text) in (True, False)


@pytest.mark.parametrize(
    "text",
    [
        ". " * 500_000,
        "\\documentclass" * 70_000,
        "\\documentclass\\begin{document}" * 30_000,
        "Keywords " * 100_000,
        "1. A " * 200_000,
        "... " * 250_000,
        "<mml:math " * 100_000,
        "der die das und " * 60_000,
        "Introduction " * 70_000,
    ],
)
def test_a_megabyte_takes_little_time(text: str) -> None:
    began = time.process_time()
    read_abstract(text, TITLE)
    assert time.process_time() - began < 5
