"""What the workflow asks of its parts. Adapters implement these; `wiring.py` alone knows which."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from veriscite.domain import (
    AgentAction,
    AgentStep,
    Attribution,
    Claim,
    Component,
    Evidence,
    EvidenceLookup,
    FinalVerdict,
    Frozen,
    Label,
    Manuscript,
    Pairing,
    ReadingNote,
    Reference,
    ReferenceCheck,
    Tokens,
    VerifierOutcome,
)
from veriscite.domain.events import Event

Emit = Callable[[Event], None]
"""Sends an event to whoever watches; never blocks and never raises."""


def silent(_event: Event) -> None:
    """Drop the event: for callers that do not watch."""


@dataclass(frozen=True)
class ManuscriptInput:
    """What a user hands in.

    Attributes:
        content: The manuscript's bytes.
        name: File name without its folder, or `pasted text`.
        references: The reference list when it comes apart: its bytes.
        references_name: That file's name, without its folder.
        root: The folder that further files may be read from; None forbids it.
    """

    content: bytes
    name: str = "pasted text"
    references: bytes | None = None
    references_name: str = "references"
    root: Path | None = None


class ManuscriptReader(Protocol):
    """A file or pasted text -> Manuscript."""

    def read(self, source: ManuscriptInput) -> Manuscript:
        """Read a manuscript and its reference list.

        Raises:
            InputError: The input cannot be read; its subclass says why.
        """
        ...


@dataclass(frozen=True)
class ParsedList:
    """A reference list, split and parsed; `notes` tell what is no entry, with its place."""

    references: tuple[Reference, ...]
    notes: tuple[ReadingNote, ...] = ()


class ReferenceListParser(Protocol):
    """Plain text of a reference list -> entries."""

    def parse(self, text: str, *, offset: int | None = 0) -> ParsedList:
        """Split a list into entries and parse each.

        Args:
            text: The list, without its heading.
            offset: Where `text` begins in `Manuscript.text`, so that spans can be given; None when the
                list came apart from the manuscript.
        """
        ...


class Pairer(Protocol):
    """Step 1: Manuscript -> markers, citances and claims."""

    def pair(self, manuscript: Manuscript) -> Pairing:
        """Tie each claim to the reference that it cites."""
        ...


@dataclass(frozen=True)
class SearchRequest:
    """The planner's own search: other words for the same reference.

    Attributes:
        reference: The cited work. What is found must match it, or is marked as another work's.
        query: Words to search for.
    """

    reference: Reference
    query: str


class EvidenceSource(Protocol):
    """Step 2: where abstracts come from."""

    @property
    def name(self) -> str:
        """Stable name (`library`, `semantic_scholar`)."""
        ...

    def component(self) -> Component:
        """Tell what this is, for the provenance."""
        ...

    def lookup(self, references: Sequence[Reference], emit: Emit = silent) -> AsyncIterator[EvidenceLookup]:
        """Yield one answer for each reference, in any order, as each is known.

        An outage becomes `LookupFailed` for the references concerned; it never raises for one.
        """
        ...

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Search with the planner's words; the same matching decides whether it is the cited work.

        `Found` with `evidence.of_cited_work=False` is an abstract of another work on the matter.
        """
        ...


class ReferenceChecker(Protocol):
    """Step 2, beside the evidence: is the reference itself right?"""

    def component(self) -> Component:
        """Tell what this is, for the provenance."""
        ...

    def check(self, references: Sequence[Reference], emit: Emit = silent) -> AsyncIterator[ReferenceCheck]:
        """Yield the state of each reference, in any order; an outage never raises and never blames one."""
        ...


class ClaimAndEvidence(Frozen):
    """All that a verifier gets to see. Blindness is this schema: nothing else can be passed.

    Attributes:
        claim: The claim's text.
        context: The sentence before, where the claim needs it.
        evidence_title: Title of the work.
        sentences: Sentences of the evidence; never empty.
    """

    claim: str
    context: str | None = None
    evidence_title: str = ""
    sentences: tuple[str, ...]


def claim_and_evidence(claim: Claim, evidence: Evidence) -> ClaimAndEvidence:
    """Reduce a claim and its evidence to what a verifier may see."""
    return ClaimAndEvidence(
        claim=claim.text,
        context=claim.context,
        evidence_title=evidence.title,
        sentences=evidence.sentences,
    )


class ClaimVerifier(Protocol):
    """Step 3: judges one claim against one piece of evidence."""

    @property
    def name(self) -> str:
        """The role that its verdicts carry (`nli`, `blind`, `second_opinion`)."""
        ...

    def component(self) -> Component:
        """Tell what this is, for the provenance, without loading a model."""
        ...

    async def verify(self, question: ClaimAndEvidence) -> VerifierOutcome:
        """Judge; an answer that cannot be used becomes an Abstention.

        Raises:
            NoEvidenceError: There are no sentences to judge against.
        """
        ...


@dataclass(frozen=True)
class PlannerView:
    """What the planner sees before it chooses.

    Attributes:
        claim: The claim in question.
        reference: The work it cites.
        evidence: What both verifiers judged.
        outcomes: Their verdicts, newest last, those brought about by actions included.
        steps: Actions so far.
        actions_left: How many tools may still be called; 0 means that it must conclude now.
    """

    claim: Claim
    reference: Reference
    evidence: Evidence
    outcomes: tuple[VerifierOutcome, ...]
    steps: tuple[AgentStep, ...] = ()
    actions_left: int = 3


@dataclass(frozen=True)
class PlannerDecision:
    """The action that the planner chose.

    Attributes:
        query: For SEARCH_AGAIN.
        label: For CONCLUDE.
        confidence: For CONCLUDE, calibrated; None otherwise.
        justification: For CONCLUDE, what a reader is told.
        arguments: Further arguments as the planner gave them (a language model's own estimate of its
            confidence, which is not calibrated).
        problem: Why the planner's own answer could not be used, when this is a fallback for it.
    """

    action: AgentAction
    thought: str = ""
    query: str = ""
    label: Label | None = None
    confidence: float | None = None
    justification: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    tokens: Tokens | None = None
    problem: str = ""


class Planner(Protocol):
    """Step 4: chooses its own next action."""

    @property
    def name(self) -> str:
        """What it is (`rule-based planner`, a model's name)."""
        ...

    def component(self) -> Component:
        """Tell what this is, for the provenance."""
        ...

    async def decide(self, view: PlannerView) -> PlannerDecision:
        """Choose the next action. With `actions_left == 0` only CONCLUDE is a valid answer.

        Raises:
            ChatError: The model behind it cannot be asked.
        """
        ...


class Gate(Protocol):
    """Decides whether a verdict is shown."""

    def withheld(self, final: FinalVerdict) -> str:
        """Why the verdict is not shown, in words; empty if it is."""
        ...


class Attributor(Protocol):
    """Step 5: which words decided."""

    async def attribute(self, claim: str, sentence: str, sentence_index: int, target: Label) -> Attribution:
        """Attribute the NLI model's output for `target` to the words of claim and sentence.

        Raises:
            ModelError: The model cannot be explained this way.
        """
        ...


@dataclass(frozen=True)
class ToolSpec:
    """A tool that a chat model may call; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A chat model's call of a tool; `arguments` are not yet validated."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class ChatRequest:
    """One question to a chat model.

    Attributes:
        system: The fixed part; may be cached by the provider.
        user: The data part.
        output_schema: JSON schema that the answer must follow, or None.
        tools: Tools of which exactly one must be called, when there are any.
        max_tokens: Upper bound of the answer.
    """

    system: str
    user: str
    output_schema: Mapping[str, Any] | None = None
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int = 1024


@dataclass(frozen=True)
class ChatReply:
    """A chat model's answer: text or one tool call, checked for neither truth nor schema."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop_reason: str = ""
    tokens: Tokens = field(default_factory=Tokens)
    model: str = ""


class ChatModel(Protocol):
    """A language model behind an API."""

    @property
    def name(self) -> str:
        """Model id as the provider names it."""
        ...

    async def ask(self, request: ChatRequest) -> ChatReply:
        """Ask once; retries on 429, time-outs and 5xx happen inside.

        Raises:
            ChatUnavailableError: No answer after the retries.
            ChatAnswerError: The API refused the request, or its answer is not of the protocol.
        """
        ...


@dataclass(frozen=True)
class RenderedPrompt:
    """A prompt with its data filled in.

    Attributes:
        system: The fixed part; holds no data.
        user: The data part; untrusted text stands in marked blocks.
        withheld: For each variable, the indices (0-based) of items that were not shown, since they address
            a language model instead of saying something.
        notes: What was withheld or cut, for the reader.
    """

    system: str
    user: str
    withheld: Mapping[str, frozenset[int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class PromptTemplate(Protocol):
    """A prompt file, read and checked."""

    @property
    def hash(self) -> str:
        """First 12 hex digits of the file's SHA-256."""
        ...

    def render(self, **values: str | Sequence[str]) -> RenderedPrompt:
        """Fill in the data.

        Raises:
            PromptError: A variable is missing, or is not one of the prompt's.
        """
        ...

    def repair(self, problem: str) -> str:
        """Tell the model why its answer could not be used; goes after the user part.

        Raises:
            PromptError: The prompt has no such part.
        """
        ...


class Closeable(Protocol):
    """A part that holds connections or threads."""

    async def aclose(self) -> None:
        """Let go of them."""
        ...


__all__ = [
    "Attributor",
    "ChatModel",
    "ChatReply",
    "ChatRequest",
    "ClaimAndEvidence",
    "ClaimVerifier",
    "Closeable",
    "Emit",
    "EvidenceSource",
    "ManuscriptInput",
    "ManuscriptReader",
    "Pairer",
    "ParsedList",
    "Planner",
    "PlannerDecision",
    "PlannerView",
    "PromptTemplate",
    "ReferenceChecker",
    "ReferenceListParser",
    "RenderedPrompt",
    "SearchRequest",
    "ToolCall",
    "ToolSpec",
    "claim_and_evidence",
    "silent",
]
