"""Characters, white space and names: what every part of linking compares by."""

import re
import unicodedata
from functools import lru_cache

_CASED = (range(0x41, 0x250), range(0x370, 0x530), range(0x1E00, 0x2000))
_UPPER = "".join(chr(c) for block in _CASED for c in block if chr(c).isupper())
# Scripts without case: every letter may open a name.
_CASELESS = "\u0590-\u06ff\u0900-\u0dff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"

UPPER = f"[{re.escape(_UPPER)}{_CASELESS}]"
"""A letter that may open a name, as a regular expression."""

LETTER = r"[^\W\d_]"
"""Any letter, as a regular expression."""

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d~\u301c"
"""Characters that write a range or a hyphen."""

APOSTROPHES = "'\u2019\u02bc\u2018\u00b4`"


def word_set(words: str) -> frozenset[str]:
    """Return the words of a string, parted by white space."""
    return frozenset(words.split())


PARTICLES = word_set(
    "van von der den de del della dello di da dos das do du des la le les el al ten ter te tot zu zum zur "
    "bin ibn ben af av y e st d l 't vander vande"
)
"""Words in lower case that belong to a family name."""

_SPACES = re.compile(r"\s+")
_SPECIAL = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ß": "ss",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
        "ı": "i",
        "ð": "d",
        "þ": "th",
    }
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def fold_space(text: str) -> str:
    """Return `text` with each run of white space as one blank, and none at its ends."""
    return _SPACES.sub(" ", text).strip()


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """Return what a name is compared by: letters and digits only, no accents, lower case."""
    decomposed = unicodedata.normalize("NFKD", name.translate(_SPECIAL))
    return "".join(c for c in decomposed if c.isalnum()).casefold()


def name_keys(name: str) -> frozenset[str]:
    """Return every spelling that a name may be cited under: without particles, umlauts as two letters.

    Args:
        name: A family name (`de la Torre`, `Müller`) or the name of an organisation.
    """
    words = name.split()
    bare = [w for w in words if w.lower().rstrip(".'’") not in PARTICLES]
    spellings = {name, " ".join(bare)}
    if any(c in name for c in "äöüÄÖÜ"):
        spellings |= {s.translate(_UMLAUTS) for s in tuple(spellings)}
    return frozenset(k for k in map(name_key, spellings) if k)


_SMALL_WORDS = word_set("of the and for on in to at a an de la del des du der die und et y e &")


def acronym(name: str) -> str:
    """Return the initials of an organisation's name without its small words, or "" for a single word."""
    words = [w for w in re.split(r"[\s\-/]+", name) if w and w.lower() not in _SMALL_WORDS]
    initials = "".join(w[0] for w in words if w[0].isalnum())
    return initials.upper() if len(initials) > 1 else ""
