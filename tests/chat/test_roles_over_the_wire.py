"""The roles over the real client and real sockets: their schemas and tools are what the API accepts."""

from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from tests.fakes import anthropic_server as api
from tests.planning import parts
from veriscite.chat.anthropic_chat import AnthropicChat
from veriscite.chat.prompts import load_prompt
from veriscite.domain import Abstention, AgentAction, Label, Verdict
from veriscite.planning.llm_planner import LlmPlanner
from veriscite.ports import ClaimAndEvidence
from veriscite.verification.blind_chat import BlindChatVerifier, Role

QUESTION = ClaimAndEvidence(
    claim="Copper paint stops barnacles.",
    sentences=("Copper paint was tested for 12 months.", "All panels carried barnacles after 7 months."),
)
ANSWER = {
    "case_for": "It was tested.",
    "case_against": "They grew.",
    "justification": "They grew.",
    "quotes": ["All panels carried barnacles"],
    "label": "CONTRADICT",
    "probabilities": {"support": 0.1, "contradict": 0.8, "not_enough_info": 0.1},
}


@pytest.fixture
async def server() -> AsyncIterator[api.AnthropicServer]:
    with api.AnthropicServer() as running:
        yield running


@pytest.fixture(params=["claude-haiku-5-5", "claude-sonnet-5-5", "claude-sonnet-4-6"])
async def chat(request: pytest.FixtureRequest, server: api.AnthropicServer) -> AsyncIterator[AnthropicChat]:
    model = AnthropicChat(request.param, SecretStr(api.KEY), base_url=server.url, max_retries=0)
    yield model
    await model.aclose()


@pytest.mark.parametrize("role", ["blind", "second_opinion"])
async def test_a_verdict_over_the_wire(chat: AnthropicChat, server: api.AnthropicServer, role: Role) -> None:
    answer = ANSWER if role == "second_opinion" else {k: v for k, v in ANSWER.items() if "case" not in k}
    server.reply(api.message(api.thinking(), api.text(api.json.dumps(answer))))
    prompt = load_prompt("blind_verifier" if role == "blind" else role)
    outcome = await BlindChatVerifier(chat, prompt, role=role).verify(QUESTION)
    assert isinstance(outcome, Verdict)
    assert (outcome.label, outcome.rationale, outcome.revision) == (Label.CONTRADICT, (1,), chat.name)
    schema = server.bodies[0]["output_config"]["format"]["schema"]
    assert list(schema["properties"]) == list(answer)
    assert set(schema["required"]) == set(answer)


async def test_a_repair_over_the_wire(chat: AnthropicChat, server: api.AnthropicServer) -> None:
    server.reply(api.truncated(), api.refusal())
    outcome = await BlindChatVerifier(chat, load_prompt("blind_verifier")).verify(QUESTION)
    assert isinstance(outcome, Abstention)
    assert outcome.code == "refused"
    first, second = server.bodies
    assert (
        second["system"] == first["system"]
    )  # the fixed part stays the same, so that it is read from the cache
    assert second["messages"][0]["content"].startswith(first["messages"][0]["content"])


async def test_an_outage_is_an_abstention(chat: AnthropicChat, server: api.AnthropicServer) -> None:
    server.script(api.overloaded())
    outcome = await BlindChatVerifier(chat, load_prompt("blind_verifier")).verify(QUESTION)
    assert isinstance(outcome, Abstention)
    assert outcome.code == "chat_unavailable"
    assert "overloaded" in outcome.reason


async def test_the_planner_over_the_wire(chat: AnthropicChat, server: api.AnthropicServer) -> None:
    planner = LlmPlanner(chat, load_prompt("planner"))
    server.reply(
        api.calls("search_again", {"query": "label efficiency", "reason": "More."}),
        api.calls("conclude", {"label": "SUPPORT", "justification": "It says so.", "confidence": None}),
        api.says("I would rather talk."),
        api.calls("conclude", {"label": "NOT_ENOUGH_INFO", "justification": "Open."}),
    )
    decision = await planner.decide(parts.view())
    assert (decision.action, decision.query) == (AgentAction.SEARCH_AGAIN, "label efficiency")
    decision = await planner.decide(parts.view(left=0))
    assert (decision.action, decision.label) == (AgentAction.CONCLUDE, Label.SUPPORT)
    decision = await planner.decide(parts.view())
    assert (decision.label, decision.problem) == (Label.NOT_ENOUGH_INFO, "")
    assert [len(body["tools"]) for body in server.bodies] == [3, 1, 3, 3]
