"""Entries of one list that cite the same work."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from veriscite.domain import Reference
from veriscite.domain.identifiers import normalise_arxiv
from veriscite.evidence.authors import same_authors
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.records import record_of
from veriscite.evidence.titles import TitleFit, bare_title, compare_titles, notice_kind

MIN_WORDS = 3
_MAX_GROUP = 50


def duplicates(references: Sequence[Reference]) -> dict[str, tuple[str, ...]]:
    """Find entries that cite the same work: a shared identifier, or the same title and authors.

    Of two entries that share a DOI but are titled differently one has a wrong DOI: they are no duplicates.
    A preprint and its published version are one work.

    Returns:
        By reference id the ids of the others, in the list's order; entries without any are left out.
    """
    pairs: dict[str, set[str]] = defaultdict(set)
    for group in _groups(references):
        for index, one in enumerate(group):
            for other in group[:index]:
                if other.id not in pairs[one.id] and _same_work(one, other):
                    pairs[one.id].add(other.id)
                    pairs[other.id].add(one.id)
    place = {reference.id: index for index, reference in enumerate(references)}
    return {key: tuple(sorted(others, key=place.__getitem__)) for key, others in pairs.items() if others}


def _groups(references: Sequence[Reference]) -> Iterable[list[Reference]]:
    """Small groups within which entries may be the same, so that a long list takes no quadratic time."""
    groups: dict[str, list[Reference]] = defaultdict(list)
    for reference in references:
        for key in dict.fromkeys(_keys(reference)):
            if len(groups[key]) < _MAX_GROUP:
                groups[key].append(reference)
    return (group for group in groups.values() if len(group) > 1)


def _keys(reference: Reference) -> list[str]:
    keys = [f"{kind}:{value}" for kind, value in _identifiers(reference).items()]
    words = content_words(fold(bare_title(reference.title or "")))
    if words:
        keys += [f"title:{' '.join(words[:4])}", f"title:{''.join(words)[:24]}"]
    return keys


def _identifiers(reference: Reference) -> dict[str, str]:
    found = reference.identifiers.model_dump(exclude_none=True)
    doi = reference.identifiers.doi
    if doi and doi.startswith("10.48550/"):
        found.pop("doi")
        if arxiv := normalise_arxiv(doi):
            found.setdefault("arxiv", arxiv)
    return found


def _same_work(a: Reference, b: Reference) -> bool:
    mine, theirs = _identifiers(a), _identifiers(b)
    shared = any(theirs.get(kind) == value for kind, value in mine.items())
    if not a.title or not b.title:
        return shared and (a.title is None or b.title is None)
    if notice_kind(a.title) != notice_kind(b.title):
        return False
    match = compare_titles(a.title, b.title)
    if shared:
        return match.fit is not TitleFit.DIFFERENT
    if match.fit not in (TitleFit.EXACT, TitleFit.CLOSE) or len(content_words(fold(a.title))) < MIN_WORDS:
        return False
    if _other_part(a, b):
        return False
    if match.fit is TitleFit.CLOSE and (a.year is None or b.year is None or abs(a.year - b.year) > 1):
        return False
    return same_authors(record_of(a, "list").authors, record_of(b, "list").authors)


def _other_part(a: Reference, b: Reference) -> bool:
    """Works that come anew each year under one title (reports, editions) are not the same."""
    both = a.identifiers.doi and b.identifiers.doi
    if a.year is None or b.year is None:
        return False
    apart = abs(a.year - b.year)
    return apart > 5 or bool(both and apart > 3) or (a.year == b.year and _suffixes_differ(a, b))


def _suffixes_differ(a: Reference, b: Reference) -> bool:
    """`2014a` beside `2014b` with different DOIs: the author tells them apart."""
    return bool(
        a.year_suffix
        and b.year_suffix
        and a.year_suffix != b.year_suffix
        and a.identifiers.doi
        and b.identifiers.doi
    )
