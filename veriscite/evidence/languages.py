"""In which language a text is, told by its commonest words: enough to tell an abstract from a translation."""

import re

MIN_WORDS = 12
_LATIN_SHARE = 0.6
_ENOUGH = 0.12
_CLEARER = 1.5
_DISTINCT = 4
_SHORTEST_TRANSLATION = 25

_COMMON = {
    "English": (
        "the of and to in that is was were are with for by on we this from as be which have has an it at not"
    ),
    "German": (
        "der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es "
        "an werden aus wurde wurden bei nach einer"
    ),
    "French": (
        "le la les des et en du une un dans est que pour par sur avec au ce sont ont été qui aux cette d l à"
    ),
    "Spanish": (
        "el la los las de del y en que se un una por con para su es fue al como más este entre fueron o"
    ),
    "Portuguese": (
        "o a os as de do da dos das e em que um uma no na por com para se foi ao mais como são foram"
    ),
    "Italian": (
        "il la le i gli di del della dei e in che un una per con è da al nel sono alla delle stato più si"
    ),
    "Dutch": (
        "de het een en van in op te dat is voor met zijn door aan werd werden bij naar uit ook niet om deze"
    ),
    "Polish": "i w z na do się jest nie to że oraz przez dla od po jako są było była które",
    "Turkish": "ve bir bu ile için olarak olan da de daha çok gibi sonra arasında edildi",
    "Indonesian": ("yang dan di dengan untuk pada ini dari dalam adalah tidak oleh atau sebagai penelitian"),
}
_WORDS = {name: frozenset(words.split()) for name, words in _COMMON.items()}
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("Chinese or Japanese", re.compile(r"[぀-ヿ㐀-鿿]")),
    ("Korean", re.compile(r"[가-힯]")),
    ("a language in Cyrillic letters", re.compile(r"[Ѐ-ӿ]")),
    ("Arabic or Persian", re.compile(r"[؀-ۿ]")),
    ("Greek", re.compile(r"[Ͱ-Ͽ]")),
    ("Hebrew", re.compile(r"[֐-׿]")),
    ("Thai", re.compile(r"[฀-๿]")),
    ("an Indian language", re.compile(r"[ऀ-෿]")),
)


def language(text: str) -> str | None:
    """Name the language of a text, in words for a reader; None where it cannot be told.

    Args:
        text: Plain text; the first 6,000 characters are read.
    """
    text = text[:6_000]
    letters = sum(map(str.isalpha, text))
    for name, script in _SCRIPTS:
        if letters and len(script.findall(text)) > (1 - _LATIN_SHARE) * letters:
            return name
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) < MIN_WORDS:
        return None
    shares = {name: sum(word in common for word in words) / len(words) for name, common in _WORDS.items()}
    ranked = sorted(shares, key=lambda name: -shares[name])
    best, second = shares[ranked[0]], shares[ranked[1]]
    varied = len(_WORDS[ranked[0]].intersection(words)) >= _DISTINCT
    return ranked[0] if varied and best >= _ENOUGH and best >= _CLEARER * second else None


def is_foreign(text: str) -> bool:
    """Whether a text is clearly in another language than English."""
    return language(text) not in (None, "English")


def english_part(sentences: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Cut the translation off an abstract that stands in two languages.

    Args:
        sentences: All sentences in order.

    Returns:
        The English sentences at the beginning or the end, and the name of the language cut off. All
        sentences and ``""`` where there is only one language, or no clear border.
    """
    if len(sentences) < 2 or not any(map(_may_be_foreign, sentences)):
        return sentences, ""
    # The longest run of clearly foreign sentences; what cannot be told goes with its neighbours.
    told = [_of_sentence(sentence) for sentence in sentences]
    foreign = [place for place, name in enumerate(told) if name and name != "English"]
    english = [place for place, name in enumerate(told) if name == "English"]
    if not foreign or not english:
        return sentences, ""
    if foreign[0] > english[-1]:
        kept, rest = sentences[: foreign[0]], sentences[foreign[0] :]
    elif foreign[-1] < english[0]:
        kept, rest = sentences[foreign[-1] + 1 :], sentences[: foreign[-1] + 1]
    else:
        return sentences, ""
    text = " ".join(rest)
    name = language(text) if len(_WORD.findall(text)) >= _SHORTEST_TRANSLATION else None
    return (kept, name) if name is not None and name != "English" else (sentences, "")


def _may_be_foreign(sentence: str) -> bool:
    return _of_sentence(sentence) not in (None, "English")


def _of_sentence(sentence: str) -> str | None:
    found = language(sentence)
    if found is not None or len(sentence) > 400:
        return found
    words = [word.lower() for word in _WORD.findall(sentence)]
    english = sum(word in _WORDS["English"] for word in words)
    return "English" if len(words) >= 5 and english >= 0.25 * len(words) else None
