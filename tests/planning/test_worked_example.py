"""Golden test: do transformers need more labelled data than recurrent networks? Two verifiers differ.

The planner is a scripted language model behind the real `LlmPlanner`; the blind verifier and the second
opinion are scripted language models behind the real `BlindChatVerifier`. Tools are called in several orders.
"""

import re
from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat, call, verdict
from tests.planning import parts
from veriscite.chat.prompts import load_prompt
from veriscite.domain import Evidence, Label, NotFound
from veriscite.domain.events import AgentActed, AgentActionStarted, Event
from veriscite.planning.agent import PlannerTools, resolve
from veriscite.planning.llm_planner import LlmPlanner
from veriscite.ports import ChatReply
from veriscite.verification.blind_chat import BlindChatVerifier

GOLDEN = Path(__file__).parent / "golden"

SEARCH = call(
    "search_again", query="label efficiency without pretraining", reason="The abstract is a summary."
)
SEARCH_MORE = call("search_again", query="annotation budget transformers", reason="There may be more.")
SECOND = call("second_opinion", reason="They read the same sentence in two ways.")


def conclude(label: str) -> ChatReply:
    return call("conclude", label=label, justification="By the third sentence.", confidence=0.8)


FULLER_QUOTE = "transformers need three times the labels"
FIRST_QUOTE = "With few labels, recurrent networks are ahead by two points"

# Turns of the planner; what each search finds; what the blind verifier and the second opinion say.
# The transcript stands in golden/, in a file of the same name.
Case = tuple[list[ChatReply], list[Evidence | NotFound], list[ChatReply], list[ChatReply]]
CASES: dict[str, Case] = {
    "search, second opinion, conclude": (
        [SEARCH, SECOND, conclude("SUPPORT")],
        [parts.FULLER],
        [verdict("SUPPORT", FULLER_QUOTE)],
        [verdict("SUPPORT", FULLER_QUOTE)],
    ),
    "second opinion, search, conclude": (
        [SECOND, SEARCH, conclude("NOT_ENOUGH_INFO")],
        [NotFound(reference_id="vega2021")],
        [],
        [verdict("NOT_ENOUGH_INFO")],
    ),
    "conclude at once": (
        [conclude("CONTRADICT")],
        [],
        [],
        [],
    ),
    "three actions, then it must conclude": (
        [SEARCH, SECOND, SEARCH_MORE, conclude("SUPPORT")],
        [NotFound(reference_id="vega2021"), parts.OTHER_WORK],
        [verdict("SUPPORT", "Transformers always need more labels")],
        [verdict("SUPPORT", FIRST_QUOTE)],
    ),
    "three actions, and it will not conclude": (
        [SEARCH, SECOND, SEARCH_MORE, SEARCH, SEARCH],
        [NotFound(reference_id="vega2021"), NotFound(reference_id="vega2021")],
        [],
        [verdict("SUPPORT", FIRST_QUOTE)],
    ),
    "a second opinion that invents its quote counts for nothing": (
        [SECOND, conclude("NOT_ENOUGH_INFO")],
        [],
        [],
        [verdict("SUPPORT", "Transformers need ten times the labels")],
    ),
}  # fmt: skip


def transcript(events: list[Event]) -> list[str]:
    lines: list[str] = []
    for event in events:
        if isinstance(event, AgentActionStarted):
            arguments = "".join(f" {name}={value!r}" for name, value in event.arguments.items())
            line = f"{event.index} {event.action}{arguments} ({event.actions_left} left): {event.thought}"
            lines.append(line.rstrip())
        elif isinstance(event, AgentActed):
            lines.append(f"  {event.step.observation}")
    return lines


@pytest.mark.parametrize("name", CASES)
async def test_the_worked_example(name: str) -> None:
    turns, found, blind, second = CASES[name]
    argued = [
        ChatReply(
            text=reply.text.replace('{"just', '{"case_for": "a", "case_against": "b", "just'), model="m"
        )
        for reply in second
    ]
    chats = [ScriptedChat(*turns), ScriptedChat(*blind), ScriptedChat(*argued)]
    judged = sum(isinstance(answer, Evidence) for answer in found)
    kit = PlannerTools(
        evidence=parts.FakeSource(*found),
        nli=parts.FakeVerifier("nli", *[parts.verdict("nli", Label.SUPPORT, 0.9)] * judged),
        blind=BlindChatVerifier(chats[1], load_prompt("blind_verifier")),
        second_opinion=BlindChatVerifier(chats[2], load_prompt("second_opinion"), role="second_opinion"),
    )
    events: list[Event] = []
    final, _ = await resolve(
        LlmPlanner(chats[0], load_prompt("planner")),
        parts.CLAIM, parts.REFERENCE, parts.FIRST, parts.SPLIT, kit, events.append,
    )  # fmt: skip
    lines = [*transcript(events), f"{final.label} by {final.decided_by}: {final.justification}"]
    wanted = (GOLDEN / f"{re.sub(r'[^a-z]+', '-', name)}.txt").read_text(encoding="utf-8").splitlines()
    assert lines == wanted
    assert [chat.left for chat in chats] == [0, 0, 0]
