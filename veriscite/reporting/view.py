"""A report looked at claim by claim: what every rendering is made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veriscite.domain import (
    NOT_A_FINDING,
    Abstention,
    Attribution,
    Author,
    Citance,
    CitationMarker,
    Claim,
    ClaimResult,
    Evidence,
    EvidenceLookup,
    Failure,
    Found,
    Manuscript,
    Reference,
    Report,
    Section,
    SkippedMarker,
    Span,
    UnresolvedClaim,
    Verdict,
    WordScore,
)
from veriscite.reporting.text import Standing

_CONTEXT = 240
"""Characters of the manuscript shown on either side of a citance."""

_NEAR = 60
"""Characters shown on either side of a skipped marker."""


@dataclass(frozen=True)
class PairView:
    """A claim, the reference it cites, and what came of it."""

    claim: Claim
    citance: Citance | None
    markers: tuple[CitationMarker, ...]
    reference: Reference | None
    lookup: EvidenceLookup | None
    result: ClaimResult | None
    unresolved: UnresolvedClaim | None
    failure: Failure | None

    @property
    def standing(self) -> Standing:
        """What came of it; `summarise` counts by the same order of precedence."""
        if self.result is not None:
            final = self.result.final
            return Standing.NO_VERDICT if final is None else Standing(final.label.value)
        if self.failure is not None:
            return Standing.FAILED
        if self.unresolved is not None and self.unresolved.status == NOT_A_FINDING:
            return Standing.NOT_A_FINDING
        return Standing.UNRESOLVED if self.unresolved is not None else Standing.NOT_REACHED

    @property
    def evidence(self) -> Evidence | None:
        """What the claim was judged against, if anything."""
        return self.lookup.evidence if isinstance(self.lookup, Found) else None

    @property
    def reason(self) -> str:
        """Why it stands as it does, in a sentence."""
        if self.result is not None:
            return _result_reason(self.result)
        if self.failure is not None:
            return f"{self.failure.message} {self.failure.advice}".strip()
        if self.unresolved is not None:
            return self.unresolved.reason
        return "The run was cancelled before it came to this claim."

    @property
    def decisive(self) -> int | None:
        """Index (0-based) of the decisive sentence: the one attributed, else the first rationale."""
        if self.result is None or self.evidence is None:
            return None
        if self.result.attribution is not None:
            candidates: tuple[int, ...] = (self.result.attribution.sentence_index,)
        else:
            label = self.result.final.label if self.result.final else None
            candidates = tuple(
                outcome.rationale[0]
                for outcome in self.result.outcomes
                if isinstance(outcome, Verdict) and outcome.rationale and outcome.label in (label, None)
            )
        fitting = [index for index in candidates if 0 <= index < len(self.evidence.sentences)]
        return fitting[0] if fitting else None

    def named_by(self, index: int) -> tuple[str, ...]:
        """Return the verifiers whose rationale holds the evidence's sentence `index`."""
        outcomes = self.result.outcomes if self.result else ()
        return tuple(o.verifier for o in outcomes if isinstance(o, Verdict) and index in o.rationale)

    def outcome(self, verifier: str) -> Verdict | Abstention | None:
        """Return what the verifier of that role answered."""
        outcomes = self.result.outcomes if self.result else ()
        return next((outcome for outcome in outcomes if outcome.verifier == verifier), None)


def pairs(report: Report) -> tuple[PairView, ...]:
    """Return every claim of a report with all that belongs to it, in reading order."""
    pairing = report.pairing
    citances = {citance.id: citance for citance in pairing.citances}
    markers = {marker.id: marker for marker in pairing.markers}
    references = {reference.id: reference for reference in report.manuscript.references}
    lookups = {lookup.reference_id: lookup for lookup in report.lookups}
    results = {result.claim_id: result for result in report.results}
    unresolved = {claim.claim_id: claim for claim in report.unresolved}
    failures = {failure.claim_id: failure for failure in report.failures}
    return tuple(
        PairView(
            claim=claim,
            citance=(citance := citances.get(claim.citance_id)),
            markers=_markers(citance, markers),
            reference=references.get(claim.reference_id),
            lookup=lookups.get(claim.reference_id),
            result=results.get(claim.id),
            unresolved=unresolved.get(claim.id),
            failure=failures.get(claim.id),
        )
        for claim in pairing.claims
    )


def by_urgency(views: Sequence[PairView]) -> tuple[PairView, ...]:
    """Return the claims that need a look, the most urgent first: neither supported, nor no findings."""
    order = list(Standing)
    needing = [view for view in views if view.standing not in (Standing.SUPPORT, Standing.NOT_A_FINDING)]
    return tuple(sorted(needing, key=lambda view: order.index(view.standing)))


@dataclass(frozen=True)
class ReferenceView:
    """A reference that could not be resolved, and the claims that rest on it."""

    reference: Reference | None
    reference_id: str
    lookup: EvidenceLookup | None
    status: str
    reason: str
    claim_ids: tuple[str, ...]


def unresolved_references(report: Report) -> tuple[ReferenceView, ...]:
    """Return the references that gave no evidence, once each, in the order first cited."""
    references = {reference.id: reference for reference in report.manuscript.references}
    lookups = {lookup.reference_id: lookup for lookup in report.lookups}
    claims: dict[str, list[UnresolvedClaim]] = {}
    for claim in report.unresolved:
        if claim.status == NOT_A_FINDING:
            continue
        claims.setdefault(claim.reference_id, []).append(claim)
    return tuple(
        ReferenceView(
            reference=references.get(key),
            reference_id=key,
            lookup=lookups.get(key),
            status=group[0].status,
            reason=group[0].reason,
            claim_ids=tuple(claim.claim_id for claim in group),
        )
        for key, group in claims.items()
    )


@dataclass(frozen=True)
class Piece:
    """A stretch of text; `mark` says what it is (empty for plain text).

    Attributes:
        mark: `marker` or `own-marker` in a citance; a class of intensity in an attribution.
        score: The attribution, where the piece is a word.
    """

    text: str
    mark: str = ""
    score: float | None = None


@dataclass(frozen=True)
class Context:
    """A citance as it stands in the manuscript."""

    before: str
    citance: tuple[Piece, ...]
    after: str


def context_of(view: PairView, report: Report) -> Context:
    """Return the citance with its markers told apart, and the text around it in the same section."""
    text, span = report.manuscript.text, view.claim.span
    within = _section_at(report.manuscript, span)
    section = within.span if within else report.manuscript.body
    low, high = max(section.start, span.start - _CONTEXT), min(section.end, span.end + _CONTEXT)
    before, after = text[low : span.start], text[span.end : max(high, span.end)]
    if low > section.start:
        before = "…" + before.partition(" ")[2]
    if high < section.end:
        after = after.rpartition(" ")[0] + "…"
    pieces: list[Piece] = []
    at = span.start
    for marker in sorted(view.markers, key=lambda marker: marker.span.start):
        if not at <= marker.span.start <= marker.span.end <= span.end:
            continue  # a marker that overlaps another, or stands outside: the text is shown all the same
        own = view.claim.reference_id in marker.reference_ids
        pieces.append(Piece(text[at : marker.span.start]))
        pieces.append(Piece(marker.span.of(text), "own-marker" if own else "marker"))
        at = marker.span.end
    pieces.append(Piece(text[at : span.end]))
    return Context(before, tuple(piece for piece in pieces if piece.text), after)


@dataclass(frozen=True)
class Place:
    """Where a skipped marker stands, with some of the text around it."""

    section: str | None
    before: str
    marker: str
    after: str


def place_of(skipped: SkippedMarker, report: Report) -> Place:
    """Return the place of a skipped marker in the manuscript."""
    text, span = report.manuscript.text, skipped.span
    section = _section_at(report.manuscript, span)
    within = section.span if section else Span(start=0, end=len(text))
    low, high = max(within.start, span.start - _NEAR), min(within.end, span.end + _NEAR)
    return Place(
        section=section.heading if section else None,
        before=("…" if low > within.start else "") + text[low : span.start],
        marker=span.of(text),
        after=text[span.end : high] + ("…" if high < within.end else ""),
    )


LEVELS = 4
"""Steps of intensity in which attributions are drawn."""


def attribution_pieces(attribution: Attribution) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Cut claim and decisive sentence into pieces that can be coloured.

    Returns:
        Pieces of the claim and of the sentence; together they give back each text. A word's `mark` is
        `for-1` to `for-4` or `against-1` to `against-4` by its share of the largest score in either text,
        or empty where that share is under a twentieth.
    """
    claim, sentence = attribution.claim_words, attribution.evidence_words
    top = max((abs(word.score) for word in (*claim, *sentence)), default=0.0)
    return _pieces(attribution.claim_text, claim, top), _pieces(attribution.sentence, sentence, top)


def strongest(attribution: Attribution, limit: int = 5) -> tuple[tuple[str, WordScore], ...]:
    """Return the words with the largest scores, each with the text it stands in (`claim`, `evidence`)."""
    words = [("claim", word) for word in attribution.claim_words]
    words += [("evidence", word) for word in attribution.evidence_words]
    return tuple(sorted(words, key=lambda item: -abs(item[1].score))[:limit])


def author_names(authors: Sequence[Author], limit: int = 4) -> str:
    """Return family names, `et al.` after `limit` of them."""
    names = [author.family for author in authors[:limit]]
    return ", ".join(names) + (" et al." if len(authors) > limit else "")


def standing_counts(views: Sequence[PairView]) -> Mapping[Standing, int]:
    """Count the claims of each standing, zeros included, in the order of `Standing`."""
    return {standing: sum(view.standing is standing for view in views) for standing in Standing}


def _section_at(manuscript: Manuscript, span: Span) -> Section | None:
    """Return the innermost section that holds `span`."""
    holding = (s for s in manuscript.sections if s.span.start <= span.start and span.end <= s.span.end)
    return max(holding, key=lambda section: section.span.start, default=None)


def _markers(citance: Citance | None, markers: Mapping[str, CitationMarker]) -> tuple[CitationMarker, ...]:
    ids = citance.marker_ids if citance else ()
    return tuple(markers[marker_id] for marker_id in ids if marker_id in markers)


def _result_reason(result: ClaimResult) -> str:
    if result.final is None:
        reasons = [outcome.reason for outcome in result.outcomes if isinstance(outcome, Abstention)]
        return " ".join(dict.fromkeys([*reasons, *result.notes])) or "Every verifier abstained."
    if result.final.justification:
        return result.final.justification
    justifications = (o.justification for o in result.outcomes if isinstance(o, Verdict))
    return next((text for text in justifications if text), "")


def _pieces(text: str, words: Sequence[WordScore], top: float) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    at = 0
    for word in words:
        if word.span.start > at:
            pieces.append(Piece(text[at : word.span.start]))
        pieces.append(Piece(word.text, _mark(word.score, top), word.score))
        at = word.span.end
    if at < len(text):
        pieces.append(Piece(text[at:]))
    return tuple(pieces)


def _mark(score: float, top: float) -> str:
    share = abs(score) / top if top else 0.0
    if not share >= 0.05:  # also false for a score that is not a number
        return ""
    return f"{'for' if score > 0 else 'against'}-{min(LEVELS, int(share * LEVELS) + 1)}"
