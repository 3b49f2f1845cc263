"""The ways in which people cite a work: each takes a reference and spoils it in one typed way.

A way that does not apply to a reference (no subtitle to lose, no Greek letter) returns None.
"""

import html
import random
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from veriscite.domain import Author, Reference
from veriscite.evidence.records import Record
from veriscite.linking import PlainListParser

Way = Callable[[Reference, random.Random], Reference | None]

_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "kappa": "κ", "lambda": "λ", "mu": "μ", "delta": "δ"}
_BRITISH = (
    ("ization", "isation"),
    ("izing", "ising"),
    ("ized", "ised"),
    ("olor", "olour"),
    ("avior", "aviour"),
    ("umor", "umour"),
    ("eling", "elling"),
    ("edic", "aedic"),
    ("fiber", "fibre"),
    ("center", "centre"),
    ("hemo", "haemo"),
)
_TRANSLITERATED = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "ß": "ss",
    "ø": "oe",
    "å": "aa",
    "æ": "ae",
    "ł": "l",
    "ı": "i",
}
_PARTICLES = re.compile(r"^((?:van|von|de|del|da|dos|di|le|la|den|der|ter|el|al)\s)+", re.IGNORECASE)
_LITTLE = re.compile(r"\b(?:the|a|an)\b ", re.IGNORECASE)


def cite(record: Record) -> Reference:
    """Cite a record faithfully, without identifiers."""
    return Reference(
        id="r", raw="", title=record.title, authors=record.authors, year=record.year, venue=record.venue
    )


def written(reference: Reference, style: int) -> Reference:
    """Write the raw entry from the fields, in one of several styles."""
    names = reference.authors
    title, year, venue = reference.title or "", reference.year or "n.d.", reference.venue or "J Test"
    last = ", ".join(f"{a.family} {letters(a)}".strip() for a in names[:6])
    comma = ", ".join(f"{a.family}, {'. '.join(letters(a))}." for a in names[:7])
    first = ", ".join(f"{'. '.join(letters(a))}. {a.family}" for a in names[:5])
    full = " and ".join(f"{a.family}, {a.given or ''}".strip(", ") for a in names)
    raw = (
        f"[3] {last}. {title}. {venue}. {year};12(3):101-9.",
        f"{comma} ({year}). {title}. {venue}, 12(3), 101–109.",
        f"[12] {first}, “{title},” {venue}, vol. 12, no. 3, pp. 101–109, {year}.",
        f"@article{{key{year}, author = {{{full}}}, title = {{{{{title}}}}}, journal = {{{venue}}}, "
        f"year = {{{year}}}}}",
        f"{comma} {title}. {venue} 12, 101 ({year}).",
    )[style % 5]
    return reference.model_copy(update={"raw": raw})


def letters(author: Author) -> str:
    """Initials without full stops."""
    return "".join(word[0].upper() for word in re.split(r"[\s.\-]+", author.given or "") if word)


def _titled(change: Callable[[str, random.Random], str]) -> Way:
    def way(reference: Reference, chance: random.Random) -> Reference | None:
        title = change(reference.title or "", chance)
        if title == reference.title or not title.strip():
            return None
        return reference.model_copy(update={"title": title})

    return way


def _named(change: Callable[[Sequence[Author], random.Random], Sequence[Author]]) -> Way:
    def way(reference: Reference, chance: random.Random) -> Reference | None:
        authors = tuple(change(reference.authors, chance))
        return None if authors == reference.authors else reference.model_copy(update={"authors": authors})

    return way


def _dated(years: int | None) -> Way:
    def way(reference: Reference, chance: random.Random) -> Reference | None:
        year = None if years is None or reference.year is None else reference.year + years
        return reference.model_copy(update={"year": year})

    return way


def _misspelt(text: str, chance: random.Random) -> str:
    """Drop, double, swap or replace a letter within one longer word."""
    words = text.split(" ")
    places = [i for i, word in enumerate(words) if len(word) > 5 and word.isalpha()]
    if not places:
        return text
    at = chance.choice(places)
    word = words[at]
    cut = chance.randrange(1, len(word) - 1)
    words[at] = chance.choice(
        (
            word[:cut] + word[cut + 1 :],
            word[:cut] + word[cut] + word[cut:],
            word[: cut - 1] + word[cut] + word[cut - 1] + word[cut + 1 :],
            word[:cut] + chance.choice("aeionrst") + word[cut + 1 :],
        )
    )
    return " ".join(words)


def _cut(title: str, chance: random.Random) -> str:
    length = int(len(title) * chance.uniform(0.6, 0.9))
    return title[:length] + "..." if len(title) > 60 else title


def _cut_at_word(title: str, chance: random.Random) -> str:
    words = title.split()
    return " ".join(words[: max(6, int(len(words) * 0.7))]) if len(words) > 8 else title


def _without_subtitle(title: str, _: random.Random) -> str:
    head = re.split(r": | [-–—] |\? |\. ", title)[0]
    return head if len(head.split()) >= 3 else title


def _greek(title: str, _: random.Random) -> str:
    swapped = title
    for name, letter in _GREEK.items():
        if letter in title:
            swapped = swapped.replace(letter, name)
        else:
            swapped = re.sub(rf"\b{name}\b", letter, swapped, flags=re.IGNORECASE)
    return swapped


def _entities(title: str, _: random.Random) -> str:
    return html.escape(title).replace("-", "&#8211;").replace(" of ", " <i>of</i> ").replace("é", "&eacute;")


def _latex(title: str, _: random.Random) -> str:
    title = re.sub(r"\b([A-Z]{2,})\b", r"{\1}", title).replace("&", "\\&").replace("%", "\\%")
    title = title.replace("–", "--").replace("é", "{\\'e}").replace("ü", '{\\"u}').replace("α", "$\\alpha$")
    return re.sub(r"^(\w)", r"{\1}", title)


def _hyphens(title: str, chance: random.Random) -> str:
    if re.search(r"\w[-‐]\w", title):
        return re.sub(r"(?<=\w)[-‐](?=\w)", chance.choice(("", " ", "–")), title)
    words = title.split()
    places = [i for i, word in enumerate(words) if len(word) > 8 and word.isalpha()]
    if places:
        at = chance.choice(places)
        middle = len(words[at]) // 2
        words[at] = f"{words[at][:middle]}- {words[at][middle:]}"
    return " ".join(words)


def _british(title: str, _: random.Random) -> str:
    for one, other in _BRITISH:
        if one in title:
            return title.replace(one, other)
    return title


def _little_words(title: str, _: random.Random) -> str:
    return _LITTLE.sub("", title)


def _trailing(title: str, chance: random.Random) -> str:
    return title + chance.choice(
        (" [J]", " (in press)", ". arXiv preprint", " (Paperback)", ", 2nd ed.", ". CoRR abs", " [Online]")
    )


def _capitals(title: str, _: random.Random) -> str:
    return title.upper()


def _quotes(title: str, _: random.Random) -> str:
    return re.sub("[-:]", " – ", f"“{title}.”").replace("'", "’").replace('"', "„")


def _synonym(title: str, chance: random.Random) -> str:
    """People quote from memory: one word of grammar changes."""
    for one, other in (
        (" using ", " with "),
        (" via ", " by "),
        (" for ", " of "),
        (" and ", " & "),
        (" in ", " on "),
    ):
        if one in title:
            return title.replace(one, other, 1)
    return title


def _initials(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [
        a.model_copy(update={"given": ". ".join(letters(a)) + "." if letters(a) else None}) for a in authors
    ]


def _glued(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [a if a.corporate else Author(family=f"{a.family} {letters(a)}".strip()) for a in authors]


def _families(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [a.model_copy(update={"given": None}) for a in authors]


def _turned(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [
        Author(family=a.given, given=a.family) if a.given and len(a.given.split()) == 1 else a
        for a in authors
    ]


def _plain_letters(authors: Sequence[Author], chance: random.Random) -> list[Author]:
    written_out = chance.random() < 0.5

    def spell(name: str) -> str:
        if written_out:
            name = "".join(
                _TRANSLITERATED.get(c, _TRANSLITERATED.get(c.lower(), c).capitalize() if c.isupper() else c)
                for c in unicodedata.normalize("NFC", name)
            )
        return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))

    return [
        a.model_copy(update={"family": spell(a.family), "given": a.given and spell(a.given)}) for a in authors
    ]


def _without_particles(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [a.model_copy(update={"family": _PARTICLES.sub("", a.family) or a.family}) for a in authors]


def _misspelt_family(authors: Sequence[Author], chance: random.Random) -> list[Author]:
    spoilt = _misspelt(authors[0].family, chance)
    return [authors[0].model_copy(update={"family": spoilt}), *authors[1:]]


def _swapped(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [authors[1], authors[0], *authors[2:]] if len(authors) > 1 else list(authors)


def _shuffled(authors: Sequence[Author], chance: random.Random) -> list[Author]:
    return chance.sample(authors, len(authors))


def _first_missing(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return list(authors[1:]) if len(authors) > 2 else list(authors)


def _middle_missing(authors: Sequence[Author], _: random.Random) -> list[Author]:
    return [authors[0], *authors[-1:]] if len(authors) > 2 else list(authors)


def _raw_only(reference: Reference, chance: random.Random) -> Reference:
    entry = written(reference, chance.randrange(5))
    return entry.model_copy(update={"title": None, "authors": (), "year": None, "venue": None})


def _raw_with_year(reference: Reference, chance: random.Random) -> Reference:
    return _raw_only(reference, chance).model_copy(update={"year": reference.year})


def _read_from_list(reference: Reference, chance: random.Random) -> Reference | None:
    styles = (0, 1, 2, 4)
    entry = written(reference, chance.choice(styles))
    found = PlainListParser().parse(entry.raw).references
    return found[0].model_copy(update={"id": "r"}) if len(found) == 1 else None


def _wrong_field(reference: Reference, chance: random.Random) -> Reference:
    entry = written(reference, chance.randrange(5))
    return entry.model_copy(update={"title": reference.venue or "J Test"})


def _glued_fields(reference: Reference, chance: random.Random) -> Reference:
    """The parser takes the venue for the end of the title."""
    entry = written(reference, chance.randrange(5))
    return entry.model_copy(update={"title": f"{reference.title}. {reference.venue or 'Journal of Tests'}"})


def _both(*names: str) -> Way:
    def way(reference: Reference, chance: random.Random) -> Reference | None:
        spoilt: Reference | None = reference
        for name in names:
            spoilt = spoilt and (WAYS[name](spoilt, chance) or spoilt)
        return None if spoilt == reference else spoilt

    return way


def _careless(reference: Reference, chance: random.Random) -> Reference | None:
    """Three faults at once."""
    return _both(
        chance.choice(("misspelt", "British spelling", "little words lost", "hyphens", "capitals")),
        chance.choice(("initials", "first author only", "authors misspelt", "two of the authors", "et al.")),
        chance.choice(("a year later", "a year earlier", "no year", "plain letters")),
    )(reference, chance)


WAYS: Mapping[str, Way] = {
    "as recorded": lambda r, _: r,
    "lower case": _titled(lambda t, _: t.lower()),
    "capitals": _titled(_capitals),
    "dashes and quotes": _titled(_quotes),
    "hyphens": _titled(_hyphens),
    "Greek": _titled(_greek),
    "entities and tags": _titled(_entities),
    "LaTeX": _titled(_latex),
    "misspelt": _titled(_misspelt),
    "misspelt twice": _titled(lambda t, c: _misspelt(_misspelt(t, c), c)),
    "British spelling": _titled(_british),
    "little words lost": _titled(_little_words),
    "little word changed": _titled(_synonym),
    "cut short": _titled(_cut),
    "cut at a word": _titled(_cut_at_word),
    "without subtitle": _titled(_without_subtitle),
    "words behind": _titled(_trailing),
    "initials": _named(_initials),
    "initials glued": _named(_glued),
    "family names only": _named(_families),
    "names turned": _named(_turned),
    "plain letters": _named(_plain_letters),
    "without particles": _named(_without_particles),
    "authors misspelt": _named(_misspelt_family),
    "authors swapped": _named(_swapped),
    "authors shuffled": _named(_shuffled),
    "first author missing": _named(_first_missing),
    "two of the authors": _named(_middle_missing),
    "first author only": _named(lambda a, _: a[:1]),
    "et al.": _named(lambda a, _: (*a[:3], Author(family="et al"))),
    "no authors": _named(lambda _a, _c: ()),
    "no year": _dated(None),
    "a year later": _dated(1),
    "a year earlier": _dated(-1),
    "published two years on": _dated(2),
    "three faults": _careless,
    "subtitle and year": _both("without subtitle", "a year later", "initials"),
    "raw only": _raw_only,
    "raw and year": _raw_with_year,
    "raw, misspelt": lambda r, c: _raw_only(_titled(_misspelt)(r, c) or r, c),
    "raw, without subtitle": lambda r, c: (s := _titled(_without_subtitle)(r, c)) and _raw_with_year(s, c),
    "read from a list": _read_from_list,
    "venue taken for title": _wrong_field,
    "venue behind title": _glued_fields,
}


def spoil(way: str, reference: Reference, chance: random.Random) -> Reference | None:
    """Spoil a reference in one way, and write its raw entry unless the way did."""
    spoilt = WAYS[way](reference, chance)
    return spoilt if spoilt is None or spoilt.raw else written(spoilt, chance.randrange(5))
