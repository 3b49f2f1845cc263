"""A claim's card: everything found out about it, made ready for the template that draws it."""

from collections.abc import Mapping
from urllib.parse import quote

from veriscite.domain import (
    Abstention,
    Ambiguous,
    Attribution,
    Candidate,
    ClaimResult,
    DecidedBy,
    Evidence,
    EvidenceLookup,
    Found,
    Label,
    LookupFailed,
    NoAbstract,
    NotFound,
    Reference,
    Report,
    Verdict,
    VerifierOutcome,
)
from veriscite.reporting.text import SYMBOLS, Standing, deletion_words, percent, shorten
from veriscite.reporting.view import PairView, attribution_pieces, author_names, context_of
from veriscite_app.log import TONE_OF_LABEL
from veriscite_app.texts import duration, name_of, t

View = Mapping[str, object]
"""What a template is given."""

TONES = {Standing(label.value): tone for label, tone in TONE_OF_LABEL.items()}
"""How a standing is drawn; all others in grey."""


def tone_of(standing: Standing) -> str:
    """Return how a standing is drawn."""
    return TONES.get(standing, "grey")


def needed_agent(pair: PairView) -> bool:
    """Whether the claim went to the planner."""
    result = pair.result
    if result is None:
        return False
    return bool(result.steps) or (result.final is not None and result.final.decided_by is DecidedBy.AGENT)


def by_attention(pair: PairView) -> tuple[int, float]:
    """Sort key: what most needs a look first; within a standing the least confident first."""
    final = pair.result.final if pair.result else None
    confidence = final.confidence if final else None
    return list(Standing).index(pair.standing), 2.0 if confidence is None else confidence


def card(pair: PairView, report: Report) -> View:
    """Return the view of one claim."""
    result = pair.result
    claim = pair.claim
    attribution = result.attribution if result else None
    return {
        "claim_id": claim.id,
        "claim": claim.text,
        "tone": tone_of(pair.standing),
        "symbol": SYMBOLS[pair.standing],
        "standing": name_of("standing", pair.standing),
        "needed_agent": needed_agent(pair),
        "reference_short": _short(claim.reference_id, pair.reference),
        "reference_raw": pair.reference.raw if pair.reference else claim.reference_id,
        "decided": _decided(result),
        "reason": pair.reason,
        "context": context_of(pair, report),
        "outcomes": [outcome_view(outcome) for outcome in result.outcomes] if result else [],
        "steps": _steps(result) if result else [],
        "attribution": attribution_view(attribution) if attribution else None,
        "notes": result.notes if result else (),
        "evidence": _evidence(pair, pair.evidence) if pair.evidence else None,
        "lookup": _lookup(pair.lookup) if pair.lookup else None,
    }


def outcome_view(outcome: VerifierOutcome) -> View:
    """Return the view of a verifier's answer; probabilities only where they are calibrated."""
    common = {
        "verifier": name_of("verifier", outcome.verifier),
        "model": f"{outcome.model} {outcome.revision[:24]}".strip(),
    }
    if isinstance(outcome, Abstention):
        return common | {
            "label": t("card.abstained"),
            "tone": "grey",
            "justification": outcome.reason,
            "quotes": (),
            "bars": [],
            "confidence": "",
            "notes": (),
        }
    return common | {
        "label": name_of("standing", outcome.label),
        "tone": TONE_OF_LABEL[outcome.label],
        "justification": outcome.justification,
        "quotes": outcome.quotes,
        "bars": _bars(outcome),
        "confidence": _confidence(outcome.confidence),
        "notes": outcome.notes,
    }


def attribution_view(attribution: Attribution) -> View:
    """Return the view of an attribution: both texts in coloured pieces, and how far to trust them."""
    claim, sentence = attribution_pieces(attribution)
    tested = [
        t(
            "card.delta",
            delta=f"{attribution.convergence_delta:.3g}",
            change=f"{attribution.output_difference:.3g}",
        )
    ]
    if attribution.deletion:
        tested.append(deletion_words(attribution.deletion))
    return {
        "label": name_of("standing", attribution.target),
        "claim": claim,
        "sentence": sentence,
        "tested": tested,
        "caution": "" if attribution.trusted else t("card.not_trusted", why=" ".join(attribution.doubts)),
        "model": attribution.model,
    }


def _bars(verdict: Verdict) -> list[View]:
    if verdict.probabilities is None or not verdict.calibrated:
        return []
    return [
        {
            "name": name_of("standing", label),
            "tone": TONE_OF_LABEL[label],
            "width": round(verdict.probabilities.of(label) * 100),
            "share": percent(verdict.probabilities.of(label)),
        }
        for label in Label
    ]


def _confidence(confidence: float | None) -> str:
    if confidence is None:
        return t("card.no_confidence")
    return t("card.confidence", share=percent(confidence))


def _decided(result: ClaimResult | None) -> str:
    final = result.final if result else None
    if final is None:
        return ""
    decided = t("card.decided", by=name_of("by", final.decided_by))
    return f"{name_of('standing', final.label)}. {decided}; {_confidence(final.confidence)}."


def _short(reference_id: str, reference: Reference | None) -> str:
    if reference is None:
        return reference_id
    label = f"[{reference.label}] " if reference.label else ""
    return label + shorten(reference.title or reference.raw, 160)


def _steps(result: ClaimResult) -> list[View]:
    return [
        {
            "action": name_of("action", step.action),
            "took": duration(step.duration_s),
            "thought": step.thought,
            "arguments": [
                (name.replace("_", " "), name_of("standing", value))
                for name, value in step.arguments.items()
                if value
            ],
            "observation": shorten(step.observation, 1_000),
            "outcomes": [outcome_view(outcome) for outcome in step.outcomes],
        }
        for step in result.steps
    ]


def _evidence(pair: PairView, evidence: Evidence) -> View:
    how = [t("card.from", source=evidence.source.replace("_", " "))]
    if evidence.matched_by:
        how.append(t("card.matched", how=evidence.matched_by))
    if evidence.match_score is not None:
        how.append(t("card.score", score=f"{evidence.match_score:.2f}"))
    doi = evidence.identifiers.doi
    byline = (author_names(evidence.authors), evidence.venue, evidence.year)
    return {
        "title": evidence.title,
        "byline": ", ".join(str(part) for part in byline if part),
        "how": " · ".join(how),
        "doi": doi,
        "doi_url": f"https://doi.org/{quote(doi, safe='/')}" if doi else "",
        "sentences": [
            {
                "text": text,
                "decisive": at == pair.decisive,
                "named": ", ".join(name_of("verifier", who) for who in dict.fromkeys(pair.named_by(at))),
            }
            for at, text in enumerate(evidence.sentences)
        ],
    }


def _lookup(lookup: EvidenceLookup) -> View:
    nearest: tuple[Candidate, ...] = ()
    match lookup:
        case Found():
            detail = ""
        case LookupFailed():
            detail = f"{lookup.source}: {lookup.message}"
        case NoAbstract():
            detail, nearest = lookup.detail, (lookup.record,)
        case Ambiguous():
            detail, nearest = lookup.detail, lookup.candidates
        case NotFound():
            detail, nearest = lookup.detail, lookup.nearest
    return {
        "name": name_of("lookup", lookup.status),
        "detail": detail,
        "nearest": [_candidate(record) for record in nearest[:5]],
        "queries": lookup.queries,
    }


def _candidate(record: Candidate) -> str:
    parts = [", ".join(record.authors[:3]), str(record.year or ""), record.title]
    return " · ".join(part for part in parts if part)
