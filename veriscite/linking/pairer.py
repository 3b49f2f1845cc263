"""Step 1: manuscript -> markers, citances and claims, each tied to a reference."""

from veriscite.domain import (
    Citance,
    CitationMarker,
    Claim,
    Manuscript,
    Pairing,
    Reference,
    SkippedMarker,
    SkipReason,
    Span,
)
from veriscite.linking.citances import Sentence, find_citances, needs_context
from veriscite.linking.claims import ClaimText, as_sentence, has_content
from veriscite.linking.clauses import clauses_of
from veriscite.linking.findings import not_a_finding
from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import Layout
from veriscite.linking.markers.find import MAX_MARKERS, find_markers
from veriscite.linking.markers.found import STYLE_OF, Found, Part
from veriscite.linking.markers.stated import resolve_stated
from veriscite.linking.text import fold_space

MAX_CLAIMS = 100_000
"""A bound against crafted input, far above any real manuscript; further claims are reported as skipped."""

_NOTHING_SAID = "Beside its markers the sentence says nothing."


class CitationPairer:
    """Pairs every citation marker with its entry; a `Pairer`.

    The style of the document (numeric, superscript, author-year, keys) is decided from all of its
    markers and from its list, then used to read the doubtful ones. What cannot be tied to one entry
    is reported with its reason, never guessed.
    """

    def pair(self, manuscript: Manuscript) -> Pairing:
        """Tie each claim to the reference that it cites.

        Args:
            manuscript: As a reader gives it.

        Returns:
            Markers (`m1`...), citances (`s1`...) and claims (`c1`...) in reading order. A citance gives one
            claim for each reference that it cites, however often it does.
        """
        index = ReferenceIndex(manuscript.references)
        layout = Layout(manuscript)
        cut = False
        if manuscript.stated_markers:
            found = list(resolve_stated(manuscript.stated_markers, layout, index))
        else:
            found, cut = find_markers(layout, index, markdown=manuscript.format == "markdown")
        ids = {f.start: f"m{n}" for n, f in enumerate(found, start=1)}
        build = _Builder(manuscript, layout, ids)
        for sentence in find_citances(layout, found):
            build.add(sentence)
        if cut and found:
            build.skipped.append(_cut_off(found[-1], ids))
        return Pairing(
            markers=tuple(_marker(manuscript.text, f, ids[f.start]) for f in found),
            citances=tuple(build.citances),
            claims=tuple(build.claims),
            skipped=tuple(sorted(build.skipped + _unresolved(found, ids), key=lambda s: s.span.start)),
        )


def _cut_off(last: Found, ids: dict[int, str]) -> SkippedMarker:
    return SkippedMarker(
        marker_id=ids[last.start],
        span=Span(start=last.start, end=last.end),
        part="all further markers",
        reason=SkipReason.LIMIT,
        detail=f"The text holds more than {MAX_MARKERS:,} markers of one kind; the others were not read.",
    )


def _marker(text: str, found: Found, marker_id: str) -> CitationMarker:
    return CitationMarker(
        id=marker_id,
        span=Span(start=found.start, end=found.end),
        raw=text[found.start : found.end],
        style=STYLE_OF[found.family],
        reference_ids=found.reference_ids,
    )


def _unresolved(found: list[Found], ids: dict[int, str]) -> list[SkippedMarker]:
    return [
        SkippedMarker(
            marker_id=ids[f.start],
            span=Span(start=f.start, end=f.end),
            part=fold_space(part.raw),
            reason=part.reason,
            detail=part.detail,
            candidates=part.candidates,
        )
        for f in found
        for part in f.parts
        if part.reason is not None
    ]


def _span_of_each(sentence: Sentence, clauses: list[tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Give each reference its clause; one that several clauses cite gets the whole sentence."""
    spans: dict[str, tuple[int, int]] = {}
    for marker, clause in zip(sentence.markers, clauses, strict=True):
        for reference_id in marker.reference_ids:
            known = spans.setdefault(reference_id, clause)
            if known != clause:
                spans[reference_id] = sentence.span
    return spans


class _Builder:
    """Numbers citances and claims as they come."""

    def __init__(self, manuscript: Manuscript, layout: Layout, ids: dict[int, str]) -> None:
        self.citances: list[Citance] = []
        self.claims: list[Claim] = []
        self.skipped: list[SkippedMarker] = []
        self._text = manuscript.text
        self._markdown = manuscript.format == "markdown"
        self._layout = layout
        self._ids = ids
        self._references = {r.id: r for r in manuscript.references}

    def add(self, sentence: Sentence) -> None:
        """Add a citance and its claims."""
        citance = Citance(
            id=f"s{len(self.citances) + 1}",
            span=Span(start=sentence.span[0], end=sentence.span[1]),
            text=self._folded(sentence.span),
            marker_ids=tuple(self._ids[m.start] for m in sentence.markers),
            section=self._layout.paragraphs[sentence.paragraph].section,
        )
        self.citances.append(citance)
        cited: dict[str, tuple[Found, Part]] = {}
        for marker in sentence.markers:
            for part in marker.parts:
                for reference_id in part.reference_ids:
                    cited.setdefault(reference_id, (marker, part))
        spans = _span_of_each(sentence, clauses_of(self._text, sentence.span, sentence.markers))
        texts = {span: self._claim_text(span, sentence.markers) for span in set(spans.values())}
        for reference_id, place in cited.items():
            span = spans[reference_id]
            text = texts[span].about(self._references[reference_id])
            if span != sentence.span:
                text = as_sentence(text)
            if not has_content(text):
                self._skip(*place, reference_id, SkipReason.NO_CLAIM_TEXT, _NOTHING_SAID)
            elif len(self.claims) >= MAX_CLAIMS:
                self._skip(*place, reference_id, SkipReason.LIMIT, f"More than {MAX_CLAIMS:,} claims.")
                return
            else:
                self._add_claim(citance, sentence, reference_id, text, span)

    def _add_claim(
        self, citance: Citance, sentence: Sentence, reference_id: str, text: str, span: tuple[int, int]
    ) -> None:
        context = None
        opens = span[0] == sentence.span[0]
        if (
            opens
            and sentence.before is not None
            and needs_context(text, cited_before=bool(sentence.before_markers))
        ):
            context = self._claim_text(sentence.before, sentence.before_markers).about(None) or None
        self.claims.append(
            Claim(
                id=f"c{len(self.claims) + 1}",
                citance_id=citance.id,
                reference_id=reference_id,
                text=text,
                span=Span(start=span[0], end=span[1]),
                context=context,
                not_finding=not_a_finding(text),
            )
        )

    def _skip(self, marker: Found, part: Part, reference_id: str, reason: SkipReason, detail: str) -> None:
        self.skipped.append(
            SkippedMarker(
                marker_id=self._ids[marker.start],
                span=Span(start=marker.start, end=marker.end),
                part=fold_space(part.raw),
                reason=reason,
                detail=detail,
                candidates=(reference_id,),
            )
        )

    def _claim_text(self, span: tuple[int, int], markers: tuple[Found, ...]) -> ClaimText:
        return ClaimText(
            self._text,
            span,
            markers,
            works=self._works(markers),
            left_out=self._layout.left_out_between(*span),
            markdown=self._markdown,
        )

    def _works(self, markers: tuple[Found, ...]) -> dict[int, Reference]:
        """The work that each marker cites, of those that cite one alone."""
        cited = {m.start: [r for part in m.parts for r in part.reference_ids] for m in markers}
        return {start: self._references[ids[0]] for start, ids in cited.items() if len(ids) == 1}

    def _folded(self, span: tuple[int, int]) -> str:
        pieces: list[str] = []
        at = span[0]
        for a, b in self._layout.left_out_between(*span):
            pieces += (self._text[at : max(a, at)], " ")
            at = max(at, min(b, span[1]))
        pieces.append(self._text[at : span[1]])
        return fold_space("".join(pieces))
