"""The report as a table: one row for each claim-reference pair, whatever came of it."""

import csv
import io

from veriscite.domain import Attribution, Report, Verdict
from veriscite.reporting.text import one_line
from veriscite.reporting.view import PairView, author_names, pairs, strongest

COLUMNS = (
    "claim_id",
    "section",
    "claim",
    "citance",
    "marker",
    "start",
    "end",
    "reference_id",
    "reference_label",
    "reference",
    "outcome",
    "reason",
    "decided_by",
    "confidence",
    "nli_label",
    "nli_confidence",
    "blind_label",
    "blind_confidence",
    "agent_actions",
    "lookup_status",
    "evidence_source",
    "evidence_title",
    "evidence_authors",
    "evidence_year",
    "evidence_scope",
    "match_score",
    "decisive_sentence",
    "notes",
    "deciding_words",
    "deciding_words_trusted",
    "deciding_words_doubts",
    "attribution_relative_delta",
    "deletion_top_drop",
    "deletion_random_drop",
)

# A spreadsheet takes a cell that begins with one of these for a formula and runs it (CSV injection, see
# the OWASP page of that name); the full-width forms count as the plain ones in some of them.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def render_csv(report: Report) -> str:
    """Return the report as CSV (RFC 4180, rows end in CR LF), a header row first.

    The column `outcome` holds a label, or `NO_VERDICT`, `UNRESOLVED`, `NOT_A_FINDING`, `FAILED`,
    `NOT_REACHED`. Confidence
    is there only where it is calibrated. A cell that a spreadsheet would take for a formula begins with
    an apostrophe.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for view in pairs(report):
        row = _row(view)
        writer.writerow([guarded(row[column]) for column in COLUMNS])
    return out.getvalue()


def guarded(value: str | int | float | None) -> str:
    """Return a cell's text: one line, and never a formula."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = one_line(value)
    return f"'{text}" if text.startswith(_FORMULA) or value.startswith(_FORMULA) else text


def _row(view: PairView) -> dict[str, str | int | float | None]:
    claim, reference, evidence, result = view.claim, view.reference, view.evidence, view.result
    final = result.final if result else None
    decisive = view.decisive
    return {
        "claim_id": claim.id,
        "section": view.citance.section if view.citance else None,
        "claim": claim.text,
        "citance": view.citance.text if view.citance else None,
        "marker": " ".join(
            marker.raw for marker in view.markers if claim.reference_id in marker.reference_ids
        ),
        "start": claim.span.start,
        "end": claim.span.end,
        "reference_id": claim.reference_id,
        "reference_label": reference.label if reference else None,
        "reference": reference.raw if reference else None,
        "outcome": view.standing.value,
        "reason": view.reason,
        "decided_by": final.decided_by.value if final else None,
        "confidence": _rounded(final.confidence if final else None),
        **_verifier(view, "nli"),
        **_verifier(view, "blind"),
        "agent_actions": len(result.steps) if result else None,
        "lookup_status": view.lookup.status if view.lookup else None,
        "evidence_source": evidence.source if evidence else None,
        "evidence_title": evidence.title if evidence else None,
        "evidence_authors": author_names(evidence.authors) if evidence else None,
        "evidence_year": evidence.year if evidence else None,
        "evidence_scope": evidence.scope.value if evidence else None,
        "match_score": _rounded(evidence.match_score if evidence else None),
        "decisive_sentence": evidence.sentences[decisive] if evidence and decisive is not None else None,
        "notes": " ".join(result.notes) if result else None,
        **_attribution(result.attribution if result else None),
    }


def _verifier(view: PairView, name: str) -> dict[str, str | float | None]:
    outcome = view.outcome(name)
    if isinstance(outcome, Verdict):
        return {f"{name}_label": outcome.label.value, f"{name}_confidence": _rounded(outcome.confidence)}
    return {f"{name}_label": "ABSTAINED" if outcome else None, f"{name}_confidence": None}


def _attribution(found: Attribution | None) -> dict[str, str | float | None]:
    words = [f"{word.text} ({word.score:+.2f}, {where})" for where, word in strongest(found)] if found else []
    test = found.deletion if found else None
    return {
        "deciding_words": "; ".join(words),
        "deciding_words_trusted": ("yes" if found.trusted else "no") if found else None,
        "deciding_words_doubts": " ".join(found.doubts) if found else None,
        "attribution_relative_delta": _rounded(found.relative_delta if found else None),
        "deletion_top_drop": _rounded(test.top_drop if test else None),
        "deletion_random_drop": _rounded(test.random_drop if test else None),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
