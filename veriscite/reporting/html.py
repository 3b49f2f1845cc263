"""The report as one HTML page: no script, no request to anywhere, readable on paper and on a phone."""

import base64
import hashlib
from importlib import resources
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from veriscite.domain import Evidence, Found, Identifiers, Report, Scope
from veriscite.reporting.references import reference_section
from veriscite.reporting.templating import html_environment
from veriscite.reporting.text import SYMBOLS
from veriscite.reporting.view import (
    LEVELS,
    attribution_pieces,
    author_names,
    by_urgency,
    context_of,
    pairs,
    place_of,
    standing_counts,
    strongest,
    unresolved_references,
)


def render_html(report: Report) -> str:
    """Return the report as an HTML page that stands alone.

    Its content security policy forbids scripts and every request; the one style sheet is inside, allowed
    by its hash.
    """
    views = pairs(report)
    css = stylesheet()
    return (
        html_environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            css=Markup(css),  # noqa: S704  (our own file)
            css_hash=base64.b64encode(hashlib.sha256(css.encode()).digest()).decode(),
            views=views,
            urgent=by_urgency(views),
            counts=standing_counts(views),
            unresolved=unresolved_references(report),
            symbols=SYMBOLS,
            **reference_section(report),
            levels=LEVELS,
            abstracts_only=abstracts_only(report),
            context_of=context_of,
            place_of=place_of,
            attribution_pieces=attribution_pieces,
            strongest=strongest,
            author_names=author_names,
            links_of=links_of,
        )
    )


def stylesheet() -> str:
    """Return the page's style sheet."""
    return resources.files("veriscite.reporting").joinpath("templates/report.css").read_text(encoding="utf-8")


def abstracts_only(report: Report) -> bool:
    """Say whether no claim was judged against more than an abstract."""
    return not any(
        isinstance(lookup, Found) and lookup.evidence.scope is Scope.FULL_TEXT for lookup in report.lookups
    )


def links_of(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Return labels and addresses under which a record can be looked up; only http and https."""
    links = list(_identifier_links(evidence.identifiers))
    if evidence.url and _is_web_address(evidence.url) and evidence.url not in [href for _, href in links]:
        links.append(("record at the source", evidence.url))
    return tuple(links)


def _identifier_links(identifiers: Identifiers) -> tuple[tuple[str, str], ...]:
    known = (
        ("doi", identifiers.doi, "https://doi.org/"),
        ("PMID", identifiers.pmid, "https://pubmed.ncbi.nlm.nih.gov/"),
        ("PMCID", identifiers.pmcid, "https://pmc.ncbi.nlm.nih.gov/articles/"),
        ("arXiv", identifiers.arxiv, "https://arxiv.org/abs/"),
        ("Semantic Scholar", identifiers.semantic_scholar, "https://www.semanticscholar.org/paper/"),
    )
    return tuple(
        (f"{name} {value}", prefix + quote(value, safe="/")) for name, value, prefix in known if value
    )


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)
