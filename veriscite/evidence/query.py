"""What to ask a source for a reference: identifiers first, else words.

The words follow the published rule of the project: family name of the first author, year, and the first
words of the title. A reference that could not be parsed is asked for by the words of its raw text.
"""

import html
import re
import unicodedata
from urllib.parse import quote

from veriscite.domain import Reference
from veriscite.domain.identifiers import normalise_arxiv

MAX_TITLE_WORDS = 12
MAX_RAW_WORDS = 24
MAX_CHARACTERS = 300

_ADDRESS = re.compile(r"(?:https?://|www\.|doi:?\s*)\S{1,500}|\b10\.\d{4,9}/\S{1,300}", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:\[[^\]\s]{1,20}\]|\(?\d{1,4}[.)])\s*")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>|\\[a-zA-Z]{1,20}\s?|[{}$\\]")
_APOSTROPHE = re.compile(r"(?<=\w)['’‘ʼ](?=\w)")
# Seen in users' reports: hyphens, colons, curly quotes and a final full stop can empty a search.
_NOT_SEARCHED = re.compile(r"[^\w\s'.]|(?<!\d)\.|\.(?!\d)|(?<!\w)'|'(?!\w)")


def identifier_queries(reference: Reference) -> tuple[str, ...]:
    """Identifiers in the spelling of Semantic Scholar, the surest first.

    Returns:
        For instance `("DOI:10.1000/xyz", "PMID:123")`; empty when the reference names none.
    """
    ids = reference.identifiers
    arxiv = ids.arxiv
    found = []
    if ids.semantic_scholar:
        found.append(ids.semantic_scholar)
    if ids.doi and ids.doi.startswith("10.48550/"):
        # A DOI that only stands for an arXiv number is better known by that number.
        arxiv = arxiv or normalise_arxiv(ids.doi)
    elif ids.doi:
        found.append(f"DOI:{ids.doi}")
    if arxiv:
        found.append(f"ARXIV:{arxiv}")
    if ids.pmid:
        found.append(f"PMID:{ids.pmid}")
    if ids.pmcid:
        found.append(f"PMCID:{ids.pmcid.removeprefix('PMC')}")
    return tuple(found)


def author_year_title_query(reference: Reference) -> str:
    """Family name of the first author, year, first words of the title.

    Returns:
        Plain words, not quoted for a URL. Empty when the reference holds no word at all.
    """
    title = plain_words(reference.title or "").split()[:MAX_TITLE_WORDS]
    if not title:
        return raw_query(reference)
    parts = []
    if reference.authors:
        parts.append(plain_words(reference.authors[0].family))
    if reference.year is not None:
        parts.append(str(reference.year))
    return " ".join([*filter(None, parts), *title])[:MAX_CHARACTERS]


def title_query(reference: Reference) -> str:
    """The whole title in plain words; empty when there is none."""
    return plain_words(reference.title or "")[:MAX_CHARACTERS]


def raw_query(reference: Reference) -> str:
    """The words of a raw entry without its label, addresses and identifiers."""
    text = _ADDRESS.sub(" ", _LABEL.sub("", reference.raw[:4_000]))
    words = [w for w in plain_words(text).split() if len(w) > 1 or w.isdigit()]
    return " ".join(words[:MAX_RAW_WORDS])[:MAX_CHARACTERS]


def plain_words(text: str) -> str:
    """Keep words (accents included), drop mark-up and the punctuation that empties searches."""
    text = _MARKUP.sub("", unicodedata.normalize("NFKC", html.unescape(text[:4_000])))
    text = _APOSTROPHE.sub("'", text)
    return " ".join(_NOT_SEARCHED.sub(" ", text).split())


def quoted(query: str) -> str:
    """Quote a query for a client that puts it into the URL as it is."""
    return quote(query, safe="")
