"""Identifiers of works: finding them in text and writing each in one normal form.

Every stage that reads or compares identifiers uses these functions, so that one work has one spelling.
"""

import html
import re
from urllib.parse import unquote

from veriscite.domain.manuscript import Identifiers

_MAX_LENGTH = 300
"""No identifier in use is longer; the bound keeps every scan linear."""

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_TRAILING = ".,;:'\"*_|\\/\u2019\u201d\u00bb\u3002\uff0c\uff1b\u00b7"

_DOI = re.compile(rf"(?<![\w.])10\.\d{{4,9}}(?:\.\d{{1,9}}){{0,4}}/[^\s\u00b7|\"]{{1,{_MAX_LENGTH}}}")
_DOI_WHOLE = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,4}/\S+")
_DOI_PREFIX = re.compile(
    r"(?:https?://)?(?:www\.|dx\.)?doi\.org/|(?:info:|urn:)?doi\s*[:=]?\s*|https?://\S{1,200}?/doi/(?:abs/|full/|pdf/|epdf/)?",
    re.IGNORECASE,
)
_NEXT_FIELD = re.compile(
    r"[.,;](?:URL|PMID|PMCID|arXiv|doi|https?:)(?=$|\W)|[,;](?:hep|astro|cond|gr|nucl|quant|math)(?=$|\W)"
    r"|\[\s?(?:doi\]|pii\]|hep-|astro-|cond-|gr-qc|nucl-|quant-|math|arxiv|INSPIRE|PubMed|CrossRef|$)",
    re.IGNORECASE,
)
_DOI_BREAK = re.compile(
    rf"(?<![\w.])(10\.\d{{4,9}}(?:/|/[^\s]{{0,{_MAX_LENGTH}}}?[./_\-]))[ \t]*\r?\n[ \t]*(\S{{1,80}})"
)
_ARXIV_NEW = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5})(?:v\d{1,2})?(?![\d])")
_ARXIV_OLD = re.compile(r"(?<![\w/])([a-z]{2,10}(?:-[a-z]{2,6})?)(?:\.[A-Z]{2})?/(\d{7})(?:v\d{1,2})?(?!\d)")
_ARXIV_ALONE = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d{1,2})?[.,;]?")
_ARXIV_OPEN = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
_ARXIV_CONTEXT = re.compile(r"arxiv|\bCoRR\b", re.IGNORECASE)
_PMID = re.compile(
    r"(?:\bPMID\s{0,3}[:=]?\s{0,3}|pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|\bPubMed\s{0,3}ID\s{0,3}[:=]?\s{0,3})"
    r"(\d{1,8})(?!\d)",
    re.IGNORECASE,
)
_PMCID = re.compile(r"(?<![A-Za-z])PMC\s?(\d{3,8})(?!\d)", re.IGNORECASE)
_S2 = re.compile(
    rf"semanticscholar\.org/paper/(?:[^\s/]{{0,{_MAX_LENGTH}}}/)?([0-9a-f]{{40}})(?![0-9a-f])", re.IGNORECASE
)


def normalise_doi(raw: str) -> str | None:
    """Write a DOI without prefix, resolver address and trailing punctuation, in lower case.

    Args:
        raw: A DOI, `doi:...`, or a resolver's address; white space inside is not repaired.

    Returns:
        The DOI (`10.1000/xyz`), or None when `raw` is none.
    """
    text = html.unescape(raw[: 2 * _MAX_LENGTH].translate(_INVISIBLE).translate(_DASHES)).strip()
    prefix = _DOI_PREFIX.match(text)
    if prefix:
        text = text[prefix.end() :]
        if "/" in prefix.group():
            text = re.split(r"[?#]", text, maxsplit=1)[0]
    text = unquote(text.replace("\\_", "_").replace("\\%", "%")) if re.search(r"[\\%]", text) else text
    match = _DOI_WHOLE.match(text)
    if not match:
        return None
    doi = _trim(match.group()[:_MAX_LENGTH]).lower()
    return doi if _DOI_WHOLE.fullmatch(doi) else None


def normalise_arxiv(raw: str) -> str | None:
    """Write an arXiv identifier without prefix, subject class and version.

    Returns:
        `1706.03762` or `hep-th/9901001`, or None when `raw` is none.
    """
    text = raw[: 2 * _MAX_LENGTH].translate(_INVISIBLE).strip()
    text = re.sub(
        r"^(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/|^(?:10\.48550/)?arxiv[:.\s]\s*|^abs/",
        "",
        text,
        flags=re.IGNORECASE,
    )
    match = _ARXIV_NEW.match(text)
    if match and _month(match.group(1)[2:4]):
        return match.group(1)
    match = _ARXIV_OLD.match(text)
    if match:
        return f"{match.group(1)}/{match.group(2)}"
    return None


def arxiv_of_doi(doi: str | None) -> str | None:
    """The arXiv number that a DOI of arXiv's own stands for; None for any other."""
    return normalise_arxiv(doi) if doi and doi.startswith("10.48550/") else None


def normalise_pmid(raw: str) -> str | None:
    """Write a PubMed identifier as its digits, without leading zeros.

    Returns:
        The digits, or None when `raw` is none.
    """
    text = raw[:_MAX_LENGTH].strip()
    match = re.fullmatch(r"0*([1-9]\d{0,7})", text) or _PMID.search(text)
    if not match:
        return None
    return match.group(1).lstrip("0") or None


def normalise_pmcid(raw: str) -> str | None:
    """Write a PubMed Central identifier as `PMC` and its digits.

    Returns:
        `PMC1234567`, or None when `raw` is none.
    """
    text = raw[:_MAX_LENGTH].strip()
    match = re.fullmatch(r"\s*()(\d{3,8})\s*", text)
    if match:
        return f"PMC{match.group(2)}"
    found = _PMCID.search(text)
    return f"PMC{found.group(1)}" if found else None


def find_identifiers(text: str) -> Identifiers:
    """Find the identifiers in one entry of a reference list.

    Pass the entry with its line breaks: a DOI that a line end cuts (after a dot, a slash or a hyphen) is put
    together again only there. The first identifier of each kind wins.

    Args:
        text: One entry, or any short text.

    Returns:
        What was found, normalised; empty when there is nothing.
    """
    doi = _find_doi(text)
    arxiv = _find_arxiv(text)
    if arxiv is None and doi is not None and doi.startswith("10.48550/arxiv."):
        arxiv = normalise_arxiv(doi)
    pmid = _PMID.search(text)
    pmcid = _PMCID.search(text)
    paper = _S2.search(text)
    return Identifiers(
        doi=doi,
        arxiv=arxiv,
        pmid=normalise_pmid(pmid.group(1)) if pmid else None,
        pmcid=f"PMC{pmcid.group(1)}" if pmcid else None,
        semantic_scholar=paper.group(1).lower() if paper else None,
    )


def _find_doi(text: str) -> str | None:
    clean = text.translate(_INVISIBLE).translate(_DASHES)
    if "%2F" in clean or "%2f" in clean:
        clean = re.sub(r"(10\.\d{4,9})%2F", r"\1/", clean, flags=re.IGNORECASE)
    for _ in range(3):
        joined = _DOI_BREAK.sub(_join_break, clean)
        if joined == clean:
            break
        clean = joined
    for match in _DOI.finditer(clean):
        # Where a space was lost, the next field is glued to it: `10.1/x.URL`, `10.1/x[hep-th/1]`.
        doi = normalise_doi(_NEXT_FIELD.split(match.group(), maxsplit=1)[0])
        if doi is not None:
            return doi
    return None


def _join_break(match: re.Match[str]) -> str:
    """Join a DOI cut by a line end, unless what follows reads like something else."""
    head, tail = match.group(1), match.group(2)
    if re.match(r"(?:https?:|doi\b|pmid\b|pmc|\[|\(?\d{1,3}[.)\]]+$)", tail, re.IGNORECASE):
        return match.group()
    if head.endswith("."):
        if _ARXIV_ALONE.fullmatch(tail) and not _ARXIV_OPEN.fullmatch(head):
            # The preprint's number stands by itself after a DOI that is complete.
            return match.group()
        # A full stop may just end the sentence: only a part with digits goes on with the DOI.
        carries_on = bool(re.match(r"[a-z0-9]\S*", tail)) and bool(re.search(r"\d", tail))
        if not carries_on:
            return match.group()
    elif head.endswith("-") and not re.match(r"[a-z0-9(]", tail):
        return match.group()
    return head + tail


def _find_arxiv(text: str) -> str | None:
    if not _ARXIV_CONTEXT.search(text):
        return None
    for context in _ARXIV_CONTEXT.finditer(text):
        window = text[context.end() : context.end() + 60]
        for match in _ARXIV_NEW.finditer(window):
            if _month(match.group(1)[2:4]):
                return match.group(1)
        old = _ARXIV_OLD.search(window)
        if old:
            return f"{old.group(1)}/{old.group(2)}"
    return None


def _month(digits: str) -> bool:
    return 1 <= int(digits) <= 12


def _trim(text: str) -> str:
    """Cut punctuation and unopened brackets that belong to the sentence around."""
    while text:
        last = text[-1]
        closes = _PAIRS.get(last)
        if last in _TRAILING or (closes is not None and text.count(last) > text.count(closes)):
            text = text[:-1]
        else:
            break
    return text
