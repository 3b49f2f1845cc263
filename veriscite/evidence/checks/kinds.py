"""What kind of work an entry cites: whether a source would have to know it, and whether it is a preprint."""

import re
from enum import StrEnum

from veriscite.domain import Reference
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.records import Record

MAX_RAW = 4_000


class EntryKind(StrEnum):
    """What an entry cites, as far as it can be told from the entry.

    `PAPER`: a journal or conference paper; `PREPRINT`: a manuscript on a server; `OTHER`: whatever sources
    of papers need not know (books, theses, reports, standards, data, software, web pages, letters).
    """

    PAPER = "paper"
    PREPRINT = "preprint"
    OTHER = "other"


class EntryForm(StrEnum):
    """How an entry is written: as data, whose parts are named, or as prose, whose parts were guessed."""

    BIBTEX = "bibtex"
    RIS = "ris"
    JSON = "json"
    PROSE = "prose"


_BIBTEX = re.compile(r"\s{0,50}@\s{0,5}(\w{1,30})\s{0,5}[{(]")
_RIS = re.compile(r"^\s{0,5}TY  ?- ?(\w{1,10})", re.MULTILINE)
_JSON_TYPE = re.compile(r'"(?:type|entry_type|ENTRYTYPE)"\s{0,3}:\s{0,3}"([\w\- ]{1,40})"')

_PAPER_TYPES = frozenset(
    "article inproceedings conference jour jfull conf cpaper ejour article-journal paper-conference "  # noqa: SIM905
    "journal-article proceedings-article journalarticle conferencepaper".split()
)

_PREPRINT_VENUE = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv|edarxiv|engrxiv|eartharxiv|techrxiv|corr|ssrn|"
    r"preprints?|e-?prints?|research ?square|authorea|osf|vixra|hal)\b|arxiv",
    re.IGNORECASE,
)
_PREPRINT_DOI = re.compile(
    r"10\.(?:48550|1101|21203|31234|31219|31222|31223|31235|20944|26434|2139|36227|22541|32942|33774|51094|"
    r"31729|64898)/"
)
# 10.1101 is also Cold Spring Harbor's own: its journals have letters where the servers have a number.
_JOURNAL_OF_SERVER = re.compile(r"10\.1101/(?:gad|gr|lm|cshperspect|pdb|sqb|rna|mcs|87969)")

_UNFINISHED = re.compile(
    r"\b(?:in press|to appear|forthcoming|in preparation|under (?:review|revision)|submitted|unpublished|"
    r"accepted (?:for publication|by|in|at)|advance online|ahead of print|personal communications?|"
    r"pers\.? comm|private communications?|manuscript in)\b",
    re.IGNORECASE,
)
_NO_PAPER = re.compile(
    r"\b(?:thesis|dissertation|diss|habilitation|tech(?:nical)?\.? rep(?:ort)?s?|white ?paper|"
    r"working papers?|discussion papers?|policy brief|press release|newspaper|blog|web ?(?:page|site)|"
    r"homepage|retrieved|accessed|last visited|available (?:at|from|online)|online:|patent|dataset|data ?set|"
    r"data repository|software|github|gitlab|zenodo|figshare|dryad|kaggle|hugging ?face|version \d|"
    r"manual|user guide|handbook|"
    r"encyclop(?:a|ae|æ)dia|standards?|iso|iec|rfc|astm|din en|report no|reports? of the|isbn|edition|\ded|"
    r"(?:2nd|3rd|[4-9]th) ed|press|publish(?:ers?|ing)|verlag|springer|elsevier|wiley|sage|routledge|"
    r"o'?reilly|packt|hall|eds?\b\.?\)|hrsg|ministry|government|world health organi[sz]ation|who|cdc|nist|"
    r"unicef|oecd|agency|department of|bureau|lecture notes?|course notes|slides|poster|talk|keynote|podcast|"
    r"video|youtube|twitter|wikipedia|interview|law|act of|court|treaty|system card|model card)\b",
    re.IGNORECASE,
)
_SERIES = re.compile(r"lecture notes in|press of the|proceedings of the .{0,60}\bdepartment", re.IGNORECASE)
_OF_PAPERS = re.compile(
    r"\b(?:journal|j|proc|proceedings|conference|conf|transactions|trans|letters|lett|review|reviews|rev|annals|"
    r"ann|archives|arch|acta|bulletin|bull|symposium|symp|workshop|advances in|annual meeting|quarterly|"
    r"magazine|nature|science|cell|lancet|plos|bmj|pnas|ieee|acm|neurips|nips|icml|iclr|cvpr|iccv|eccv|acl|"
    r"emnlp|naacl|aaai|ijcai|kdd|sigir|chi)\b",
    re.IGNORECASE,
)
_VOLUME_AND_PAGES = re.compile(
    r"\b\d{1,4}\s?(?:\(\s?[\w\-–. /]{1,12}\s?\))?\s?[:,;]\s?(?:pp?\.? ?)?[A-Za-z]?\d{1,7}|"
    r"\bvol(?:\.|ume)|\bpp?\. ?\d"
)
_FOREIGN = frozenset(
    "der die das und von zur zum des den im eine ein für über mit bei la le les et du une dans pour sur chez "  # noqa: SIM905
    "el los las y del en una con por para il lo gli di della nel nella per uno e o os na no dos das em uma "
    "het een van voor och av om til og".split()
)
_ENGLISH = frozenset(
    "the of and in for on with to by from an at as is are using via between towards toward can how what why "  # noqa: SIM905
    "without under through into during among its their not we".split()
)


def form_of(reference: Reference) -> EntryForm:
    """Tell how an entry is written."""
    head = reference.raw[:MAX_RAW]
    if _BIBTEX.match(head):
        return EntryForm.BIBTEX
    if _RIS.search(head):
        return EntryForm.RIS
    if head.lstrip().startswith("{") and '":' in head:
        return EntryForm.JSON
    return EntryForm.PROSE


def kind_of(reference: Reference) -> EntryKind:
    """Tell what an entry cites; in doubt `OTHER`."""
    if cites_preprint(reference):
        return EntryKind.PREPRINT
    around = _around_title(reference)
    if _UNFINISHED.search(around):
        return EntryKind.OTHER
    named = _named_type(reference)
    venue = _SERIES.sub(" ", reference.venue or "")
    if named is not None:
        is_paper = named in _PAPER_TYPES and bool(venue.strip()) and not _NO_PAPER.search(venue)
        return EntryKind.PAPER if is_paper or _is_series_paper(named, reference) else EntryKind.OTHER
    if _NO_PAPER.search(_SERIES.sub(" ", around)):
        return EntryKind.OTHER
    if _OF_PAPERS.search(venue) or (venue and _VOLUME_AND_PAGES.search(around)):
        return EntryKind.PAPER
    return EntryKind.OTHER


def cites_preprint(reference: Reference) -> bool:
    """Whether an entry cites a manuscript on a server rather than what was published of it."""
    ids, venue = reference.identifiers, reference.venue or ""
    if ids.doi is not None and not is_preprint_doi(ids.doi):
        return False
    if venue:
        return is_preprint_venue(venue)
    if ids.doi is not None or ids.arxiv is not None:
        return ids.doi is not None or not _OF_PAPERS.search(_around_title(reference))
    return False


def is_preprint_doi(doi: str) -> bool:
    """Whether a DOI is one that servers of preprints give."""
    return bool(_PREPRINT_DOI.match(doi)) and not _JOURNAL_OF_SERVER.match(doi)


def is_preprint_venue(venue: str) -> bool:
    """Whether a venue is a server of preprints."""
    return bool(_PREPRINT_VENUE.search(venue[:300]))


def is_other_version(reference: Reference, record: Record) -> bool:
    """Whether entry or record is a preprint, or a book: works of which there are several versions."""
    ids = record.identifiers
    kinds = " ".join(record.kinds).lower()
    return (
        cites_preprint(reference)
        or reference.identifiers.arxiv is not None
        or ids.arxiv is not None
        or (ids.doi is not None and is_preprint_doi(ids.doi))
        or is_preprint_venue(record.venue or "")
        or any(kind in kinds for kind in ("preprint", "posted", "book", "monograph", "reference", "edited"))
    )


def is_english(title: str) -> bool:
    """Whether a title reads as English; others are often kept translated, or not at all."""
    letters = [char for char in title if char.isalpha()]
    if not letters or sum(char.isascii() for char in letters) < 0.9 * len(letters):
        return False
    words = title.lower().split()
    english, foreign = sum(w in _ENGLISH for w in words), sum(w in _FOREIGN for w in words)
    return english > foreign or (foreign == 0 and title.isascii())


def title_words(reference: Reference) -> int:
    """How many words of an entry's title say what it is about."""
    return len(content_words(fold(reference.title or "")))


def _named_type(reference: Reference) -> str | None:
    """The type that an entry written as data names, if it is one that says something."""
    head = reference.raw[:MAX_RAW]
    match = _BIBTEX.match(head) or _RIS.search(head)
    if match is None and form_of(reference) is EntryForm.JSON:
        match = _JSON_TYPE.search(head)
    return match.group(1).lower() if match else None


def _is_series_paper(named: str, reference: Reference) -> bool:
    """A conference paper is one whatever its publisher is called."""
    return named in _PAPER_TYPES and bool(_OF_PAPERS.search(reference.venue or ""))


def _around_title(reference: Reference) -> str:
    """The entry without its title, whose words (`standard`, `report`) say nothing of its kind."""
    raw = " ".join(reference.raw[:MAX_RAW].split())
    if reference.title and reference.title in raw:
        return raw.replace(reference.title, " ", 1)
    if form_of(reference) is EntryForm.PROSE:
        return raw
    # In data the title may be written in another way (TeX); the parts that tell are these.
    return f"{reference.venue or ''} {' '.join(_noted(raw))}"


def _noted(raw: str) -> list[str]:
    return re.findall(
        r"(?:\bnote|\bhowpublished|\bpubstate|\baddendum)\s{0,5}=\s{0,5}[{\"]([^{}\"]{0,300})",
        raw,
        re.IGNORECASE,
    ) + re.findall(r'"(?:note|status)"\s{0,3}:\s{0,3}"([^"]{0,300})', raw)
