"""Area E: claims against abstracts, judged by the verifiers that run without a key."""

from typing import Any

from veriscite.domain import Abstention, Claim, Label, Manuscript, Reference, Span, VerifierOutcome
from veriscite.evidence.sentences import split_sentences
from veriscite.linking import CitationPairer
from veriscite.linking.text import fold_space
from veriscite.ports import ClaimAndEvidence, ClaimVerifier, silent
from veriscite.settings import BlindSettings, EvidenceSettings, Settings
from veriscite.wiring import build

Case = dict[str, Any]

# PARTIAL and NOT_A_FINDING have no label of ours yet.
_OURS = {
    "SUPPORT": Label.SUPPORT,
    "CONTRADICT": Label.CONTRADICT,
    "NOT_ENOUGH": Label.NOT_ENOUGH_INFO,
}


async def run(cases: list[Case]) -> list[tuple[str, bool, str]]:
    """Judge each case with the NLI verifier and its offline stand-in.

    Our label is the NLI verifier's (where both agree, it is the same); what the stand-in says is told
    beside it. A case without an abstract passes if it is known that no verdict may be given.

    Returns:
        Id, whether it passed, and what was answered.
    """
    parts = build(Settings(evidence=EvidenceSettings(offline=True), blind=BlindSettings(provider="stand-in")))
    try:
        await parts.prepare(silent)
        return [await judge(case, parts.nli, parts.blind) for case in cases]
    finally:
        for part in parts.closing:
            await part.aclose()


async def judge(case: Case, nli: ClaimVerifier, blind: ClaimVerifier) -> tuple[str, bool, str]:
    """Judge one case; returns its id, whether it passed, and what was answered."""
    acceptable = case["expected"]["acceptable"]
    abstract = case["input"].get("abstract")
    if not abstract:
        return case["id"], "NO_ABSTRACT" in acceptable, "no abstract, no verdict"
    claim = claim_of(case["input"])
    if claim is None:
        return case["id"], False, "no claim was found in the citance"
    question = ClaimAndEvidence(
        claim=claim.text,
        context=claim.context,
        evidence_title=case["input"].get("reference_title", ""),
        sentences=split_sentences(fold_space(abstract)),
    )
    first, second = await nli.verify(question), await blind.verify(question)
    label = first.label if not isinstance(first, Abstention) else None
    accepted = [_OURS[name] for name in acceptable if name in _OURS]
    answers = f"nli {_said(first)}, stand-in {_said(second)}; acceptable: {', '.join(acceptable)}"
    return case["id"], label in accepted, answers


def claim_of(given: Case) -> Claim | None:
    """Read the citance as a manuscript of its own, with the sentence before it if there is one."""
    context = given.get("context_before")
    text = f"{context} {given['citance']}" if context else given["citance"]
    references = tuple(Reference(id=f"ref-{n}", label=str(n), raw=f"Entry {n}.") for n in range(1, 100))
    manuscript = Manuscript(
        id="case",
        source_name="case",
        format="text",
        text=text,
        body=Span(start=0, end=len(text)),
        references=references,
        content_hash="",
    )
    claims = CitationPairer().pair(manuscript).claims
    return claims[-1] if claims else None


def _said(outcome: VerifierOutcome) -> str:
    return "abstained" if isinstance(outcome, Abstention) else outcome.label.value
