"""The blind verifier and the second opinion, by a language model that sees claim and evidence only.

Its answer is validated, repaired at most once, and checked against the evidence: a verdict that quotes
nothing from it is an abstention. It never guesses on the model's behalf.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from veriscite.domain import (
    Abstention,
    Component,
    Label,
    LabelProbabilities,
    Tokens,
    Verdict,
    VerifierOutcome,
)
from veriscite.errors import ChatError, NoEvidenceError
from veriscite.ports import (
    ChatModel,
    ChatReply,
    ChatRequest,
    ClaimAndEvidence,
    PromptTemplate,
    RenderedPrompt,
)
from veriscite.verification.quotes import QuoteFinder

Role = Literal["blind", "second_opinion"]

_MAX_QUOTES = 8
_MAX_TEXT = 2_000
_MAX_TOKENS = 1_200

_Text = Annotated[str, Field(min_length=1)]


class _Probabilities(BaseModel):
    """The model's own estimate; not calibrated, and never shown as confidence."""

    model_config = ConfigDict(extra="forbid")

    support: float
    contradict: float
    not_enough_info: float


class _Answer(BaseModel):
    """What the model is asked for. The label comes last, after its reasons."""

    model_config = ConfigDict(extra="forbid")

    justification: _Text
    quotes: list[str]
    label: Label
    probabilities: _Probabilities | None


class _ArguedAnswer(_Answer):
    """The second opinion argues both sides before it decides."""

    case_for: _Text
    case_against: _Text


def _schema(model: type[_Answer], order: tuple[str, ...]) -> Mapping[str, object]:
    """The JSON schema, with properties in the order in which the model shall write them."""
    schema = model.model_json_schema()
    schema["properties"] = {name: schema["properties"][name] for name in order}
    return schema


_COMMON = ("justification", "quotes", "label", "probabilities")
_ANSWERS: Mapping[Role, tuple[type[_Answer], Mapping[str, object]]] = {
    "blind": (_Answer, _schema(_Answer, _COMMON)),
    "second_opinion": (_ArguedAnswer, _schema(_ArguedAnswer, ("case_for", "case_against", *_COMMON))),
}


class _UnusableError(Exception):
    """An answer that cannot be used. `final` means that asking again is of no use."""

    def __init__(self, code: str, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.final = final


class BlindChatVerifier:
    """A language model as a verifier. Implements `ports.ClaimVerifier`.

    Args:
        model: The model to ask.
        prompt: The prompt of the role (`blind_verifier`, `second_opinion`), with the variables claim,
            context, evidence_title and sentences.
        role: The role that its verdicts carry.
    """

    def __init__(self, model: ChatModel, prompt: PromptTemplate, *, role: Role = "blind") -> None:
        self._model = model
        self._prompt = prompt
        self._role = role
        self._answer, self._answer_schema = _ANSWERS[role]

    @property
    def name(self) -> str:
        """The role that its verdicts carry."""
        return self._role

    def component(self) -> Component:
        """Tell what this is, for the provenance."""
        return Component(
            role=self._role,
            name=self._model.name,
            detail="A language model that sees claim and evidence only; not calibrated.",
            revision=f"prompt {self._prompt.hash}",
        )

    async def verify(self, question: ClaimAndEvidence) -> VerifierOutcome:
        """Judge; an answer that cannot be used, or no answer, becomes an Abstention.

        Raises:
            NoEvidenceError: There are no sentences to judge against.
            PromptError: The prompt is not the role's.
        """
        if not any(sentence.strip() for sentence in question.sentences):
            raise NoEvidenceError(
                "The blind verifier was asked without evidence.",
                advice="This is a fault of VeriScite; please report it.",
            )
        rendered = self._prompt.render(
            claim=question.claim,
            context=question.context or "",
            evidence_title=question.evidence_title,
            sentences=question.sentences,
        )
        if 0 in rendered.withheld.get("claim", ()):
            return self._abstain(
                "instructions_in_claim", "The claim addresses a language model.", Tokens(), ""
            )
        hidden = rendered.withheld.get("sentences", frozenset())
        if len(hidden) == len(question.sentences):
            return self._abstain(
                "instructions_in_evidence", "The evidence addresses a language model.", Tokens(), ""
            )
        return await self._ask(question, rendered)

    async def _ask(self, question: ClaimAndEvidence, rendered: RenderedPrompt) -> VerifierOutcome:
        spent, problem, revision = Tokens(), _UnusableError("unusable_answer", ""), ""
        user = rendered.user
        for _attempt in range(2):
            try:
                reply = await self._model.ask(
                    ChatRequest(
                        system=rendered.system,
                        user=user,
                        output_schema=self._answer_schema,
                        max_tokens=_MAX_TOKENS,
                    )
                )
            except ChatError as error:
                return self._abstain(error.code, str(error), spent, revision)
            spent = Tokens(input=spent.input + reply.tokens.input, output=spent.output + reply.tokens.output)
            revision = reply.model
            try:
                return self._judge(self._read(reply), question, rendered, spent, revision)
            except _UnusableError as error:
                problem = error
            if problem.final:
                break
            user = f"{rendered.user}\n\n{self._prompt.repair(problem.reason)}"
        return self._abstain(problem.code, problem.reason, spent, revision)

    def _read(self, reply: ChatReply) -> _Answer:
        if reply.stop_reason == "refusal":
            raise _UnusableError("refused", "The model declined to answer.", final=True)
        if reply.stop_reason in ("max_tokens", "length", "model_context_window_exceeded"):
            raise _UnusableError("truncated", "The answer was longer than allowed and broke off.")
        text = _without_fence(reply.text)
        if not text:
            raise _UnusableError("empty_answer", "The answer was empty.")
        try:
            return self._answer.model_validate_json(text)
        except ValidationError as error:
            raise _UnusableError("unusable_answer", _told(error)) from error

    def _judge(
        self,
        answer: _Answer,
        question: ClaimAndEvidence,
        rendered: RenderedPrompt,
        spent: Tokens,
        revision: str,
    ) -> Verdict:
        finder = QuoteFinder(question.sentences, rendered.withheld.get("sentences", ()))
        quotes = [quote for quote in answer.quotes if quote.strip()]
        found = [finder.find(quote) for quote in quotes[:_MAX_QUOTES]]
        kept = [quote for quote in found if quote is not None]
        notes = list(rendered.notes)
        if len(kept) < len(quotes):
            notes.append(f"{len(quotes) - len(kept)} of {len(quotes)} quotes do not stand in the evidence.")
        if answer.label is not Label.NOT_ENOUGH_INFO and not kept:
            raise _UnusableError(
                "unsupported_quote",
                f"The model says {answer.label}, but quotes nothing that stands in the evidence.",
                final=True,
            )
        probabilities, remark = _probabilities(answer)
        notes += [remark] if remark else []
        return Verdict(
            verifier=self._role,
            label=answer.label,
            probabilities=probabilities,
            calibrated=False,
            rationale=tuple(dict.fromkeys(index for quote in kept for index in quote.sentences)),
            quotes=tuple(dict.fromkeys(quote.text for quote in kept)),
            justification=" ".join(answer.justification.split())[:_MAX_TEXT],
            model=self._model.name,
            revision=revision,
            prompt_hash=self._prompt.hash,
            tokens=spent,
            notes=tuple(notes),
        )

    def _abstain(self, code: str, reason: str, spent: Tokens, revision: str) -> Abstention:
        return Abstention(
            verifier=self._role,
            code=code,
            reason=reason,
            model=self._model.name,
            revision=revision,
            prompt_hash=self._prompt.hash,
            tokens=spent,
        )


def _probabilities(answer: _Answer) -> tuple[LabelProbabilities | None, str]:
    """The model's own probabilities where they are some, and a remark where they are not."""
    given = answer.probabilities
    if given is None:
        return None, ""
    values = (given.support, given.contradict, given.not_enough_info)
    if not all(0 <= v <= 1 for v in values) or not math.isclose(sum(values), 1, abs_tol=0.01):
        return None, "The model's probabilities were left out: they are none."
    probabilities = LabelProbabilities(support=values[0], contradict=values[1], not_enough_info=values[2])
    if probabilities.of(answer.label) < max(values):
        return None, "The model's probabilities were left out: they speak for another label than its answer."
    return probabilities, ""


def _without_fence(text: str) -> str:
    """Take a Markdown code fence off: servers without structured output often add one."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```") and "\n" in stripped:
        return stripped[stripped.index("\n") : -3].strip()
    return stripped


def _told(error: ValidationError) -> str:
    """Where the answer is wrong and how, without what stood there, which may be anything."""
    faults = [
        f"{'.'.join(map(str, e['loc']))[:60] or 'the answer'}: {e['msg']}"
        for e in error.errors(include_input=False, include_url=False)[:4]
    ]
    return "The answer does not have the form asked for (" + "; ".join(faults) + ")."
