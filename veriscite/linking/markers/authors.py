"""Author and year -> entry: how well each entry fits, and when several fit equally."""

from dataclasses import dataclass

from veriscite.domain import Reference, SkipReason
from veriscite.linking.index import Entry, ReferenceIndex
from veriscite.linking.markers.found import Part
from veriscite.linking.markers.names import Form, Name
from veriscite.linking.markers.years import YearRun
from veriscite.linking.text import acronym, name_key

CERTAIN = 2.0
"""From this fit on, the author part names the entry; below, it only does not speak against it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of a marker with how well its authors fit the entry (0 if it is not resolved)."""

    part: Part
    fit: float


class AuthorYearResolver:
    """Ties author and year to the list, and remembers the short forms that the text defines."""

    def __init__(self, index: ReferenceIndex) -> None:
        self._index = index
        self._short: dict[str, set[int]] = {}
        self._known: dict[tuple[object, ...], list[tuple[Entry, float]]] = {}

    def define(self, short: str, reference_ids: tuple[str, ...]) -> None:
        """Remember that `short` (`WHO`) was defined for these works' author."""
        key = name_key(short)
        if not key or key in self._short or not reference_ids:
            return
        named = [e for e in self._index.entries if e.reference.id in reference_ids]
        same_author = self._index.by_author(k for e in named for k in e.first_keys)
        self._short[key] = {e.position for e in same_author}
        self._known.clear()

    def resolve(self, form: Form, run: YearRun, raw: str) -> list[Hit]:
        """Tie a form to its entries, one part for each year of the run."""
        key = (form.names, form.et_al, form.whole, form.short)
        fits = self._known.get(key)
        if fits is None:
            fits = self._known[key] = self._fits(form)
        if run.undated:
            return [self._pick([(e, f) for e, f in fits if e.undated], "", raw, fits)]
        hits = []
        for year, letter in run.years:
            written = raw if len(run.years) == 1 else f"{form.whole} {year}{letter}"
            dated = [(e, f) for e, f in fits if e.reference.year == year]
            if not dated and run.alternative:
                dated = [(e, f) for e, f in fits if e.reference.year == run.alternative]
            if not dated:
                dated = [(e, f) for e, f in fits if f >= CERTAIN and (year, letter) in e.years]
            hits.append(self._pick(dated, letter, written, fits))
        return hits

    def _fits(self, form: Form) -> list[tuple[Entry, float]]:
        entries: dict[int, tuple[Entry, float]] = {}
        if form.names:
            for entry in self._index.by_author(form.names[0].keys()):
                fit = _fit(form, entry)
                if fit > 0:
                    entries[entry.position] = (entry, fit)
        if not form.et_al:
            for entry in self._as_organisation(form):
                entries[entry.position] = (entry, 3.5)
        return [entries[i] for i in sorted(entries)]

    def _as_organisation(self, form: Form) -> list[Entry]:
        """The whole part as one name: an organisation, its initials, or a title where no author is."""
        keys = {name_key(form.whole), name_key(form.short)} - {""}
        positions = {i for key in keys for i in self._short.get(key, ())}
        if initials := acronym(form.whole):
            keys.add(name_key(initials))
        entries = [
            e
            for e in self._index.by_author(keys)
            if e.corporate or not e.author_keys or len(e.author_keys) == 1
        ]
        entries = [
            e for e in entries if e.corporate or not e.author_keys or name_key(form.whole) in e.first_keys
        ]
        entries += [self._index.entries[i] for i in positions]
        if not entries:
            entries = [e for e in self._index.by_title(form.whole) if not e.author_keys]
        return entries

    def _pick(
        self, dated: list[tuple[Entry, float]], letter: str, raw: str, fits: list[tuple[Entry, float]]
    ) -> Hit:
        if not dated:
            return Hit(self._no_entry(raw, fits), 0)
        if letter:
            lettered = [(e, f) for e, f in dated if e.reference.year_suffix == letter]
            dated = lettered or [(e, f) for e, f in dated if not e.reference.year_suffix]
            if not dated:
                return Hit(self._no_entry(raw, fits), 0)
        best = max(f for _, f in dated)
        top = [e for e, f in dated if f == best]
        if len(top) > 1 and letter and not any(e.reference.year_suffix for e in top):
            # The list prints no letters: they follow its order.
            place = ord(letter) - ord("a")
            top = top[place : place + 1] if place < len(top) else top
        if len(top) > 1:
            top = _without_repeats(top)
        if len(top) > 1:
            ids = tuple(e.reference.id for e in top)
            detail = f"{len(ids)} entries of the reference list fit equally well."
            return Hit(Part(raw, reason=SkipReason.AMBIGUOUS_ENTRY, detail=detail, candidates=ids), best)
        return Hit(Part(raw, (top[0].reference.id,)), best)

    def _no_entry(self, raw: str, fits: list[tuple[Entry, float]]) -> Part:
        if len(self._index) == 0:
            return Part(raw, reason=SkipReason.NO_REFERENCE_LIST, detail="There is no reference list.")
        near = tuple(e.reference.id for e, f in fits if f >= CERTAIN)
        if near:
            detail = "The authors are in the reference list, but with another year."
        else:
            detail = "The reference list has no entry of these authors."
        return Part(raw, reason=SkipReason.NO_ENTRY, detail=detail, candidates=near)


def _without_repeats(entries: list[Entry]) -> list[Entry]:
    """Drop entries that the list prints twice: same text."""
    seen: dict[str, Entry] = {}
    for e in entries:
        seen.setdefault(e.raw_key, e)
    return list(seen.values())


def _fit(form: Form, entry: Entry) -> float:
    """Score how well the names fit an entry whose first author they share; 0 if they do not."""
    count = len(entry.author_keys)
    if count == 0 or not form.names[0].keys() & entry.author_keys[0]:
        # Known by its first word only: its authors were not read, or not as the marker writes them.
        others_known = all(name_key(n.family) in entry.raw_key for n in form.names[1:])
        return 2.5 if others_known else 0.0
    first, others = form.names[0], form.names[1:]
    bonus = _initials_fit(first, entry.reference)
    if bonus < 0:
        return 0.0
    if others:
        return _others_fit(form, entry) + bonus
    if form.et_al:
        score = 3.0 if count >= 3 or entry.truncated else 2.5 if count == 2 else 1.0
    else:
        score = 3.0 if count == 1 else 1.5 if count == 2 else 1.0
    return score + bonus


def _others_fit(form: Form, entry: Entry) -> float:
    count = len(entry.author_keys)
    in_place = 0
    for i, name in enumerate(form.names[1:], start=1):
        keys = name.keys()
        if i < count and keys & entry.author_keys[i]:
            in_place += 1
        elif (
            not any(keys & other for other in entry.author_keys)
            and name_key(name.family) not in entry.raw_key
        ):
            return 0.0
    if len(form.names) == count and in_place == count - 1:
        return 4.0
    return 3.0 if form.et_al or entry.truncated else 2.0


def _initials_fit(name: Name, reference: Reference) -> float:
    """Return 0.5 if initials agree, -1 if they differ, 0 if either side gives none."""
    given = reference.authors[0].given if reference.authors else None
    if not name.initials or not given:
        return 0.0
    initials = "".join(
        w[0] for w in given.replace(".", " ").replace("-", " ").split() if w[0].isalpha()
    ).casefold()
    if len(given) <= 3 and given.isupper():
        initials = given.casefold()
    shorter, longer = sorted((initials, name.initials), key=len)
    return 0.5 if longer.startswith(shorter) else -1.0
