"""The whole path with the real clients: a fake Semantic Scholar, a fake Anthropic API, a tiny encoder."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes import anthropic_server as claude
from tests.fakes.faults import Answer, unavailable
from tests.fakes.semantic_scholar import FakeSemanticScholar, paper
from tests.fakes.server import Request
from tests.verification.tiny import save_checkpoint, tiny_deberta
from veriscite import Settings, check
from veriscite.domain import AgentAction, DecidedBy, Label, Report, Verdict
from veriscite.domain.events import Event
from veriscite.settings import (
    AnthropicSettings,
    ArxivSettings,
    BlindSettings,
    CrossrefSettings,
    EuropePmcSettings,
    EvidenceSettings,
    NliSettings,
    OpenAlexSettings,
    SemanticScholarSettings,
    StorageSettings,
)

MANUSCRIPT = """# A short paper

Aspirin reduced mortality in patients [1]. Sugar raises the risk of cancer in mice [2].
Old patients found no effect of placebo in the trial [3].

## References

1. Ames B. Aspirin and mortality in old patients. J Test. 2001;1:1-9.
2. Bell C. Sugar and cancer risk in mice. J Test. 2002;2:1-9.
3. Cole D. A placebo trial that nobody indexed. J Test. 2003;3:1-9.
"""
ABSTRACTS = {
    "p1": "Aspirin reduced mortality in old patients of the trial. The risk of cancer was not reduced.",
    "p2": "Sugar raises the risk of cancer in mice of the study. No effect of placebo was found in the mice.",
}
PAPERS = [
    paper("p1", "Aspirin and mortality in old patients", ["B Ames"], 2001, ABSTRACTS["p1"]),
    paper("p2", "Sugar and cancer risk in mice", ["C Bell"], 2002, ABSTRACTS["p2"]),
    paper("p9", "Weather in old cities", ["X Other"], 2010, "The weather of old cities was studied."),
]


class Claude(claude.AnthropicServer):
    """Answers by the kind of question: a label as a verifier, a tool as a planner."""

    def __init__(self, label: Label, actions: list[tuple[str, dict[str, str]]]) -> None:
        super().__init__()
        self.label = label
        self.actions = actions
        self.asked: list[str] = []

    def respond(self, request: Request) -> Answer | None:
        body = request.json()
        if body.get("tools"):
            offered = {tool["name"] for tool in body["tools"]}
            name, arguments = next(a for a in self.actions if a[0] in offered)
            if len(self.actions) > 1:
                self.actions.remove((name, arguments))
            self.asked.append(f"planner:{name}")
            self.reply(claude.calls(name, arguments))
        else:
            user = str(body["messages"])
            quote = next((text for text in ABSTRACTS.values() if text.split(".")[0] in user), "")
            self.asked.append("verifier")
            answer: dict[str, Any] = {
                "label": self.label,
                "quotes": [quote.split(".")[0]] if self.label is not Label.NOT_ENOUGH_INFO else [],
                "justification": "As quoted.",
                "probabilities": None,
            }
            if "argue" in str(body["system"]).lower() or "case_for" in str(body):
                answer |= _argued(body)
            self.reply(claude.says(answer))
        return super().respond(request)


def _argued(body: dict[str, Any]) -> dict[str, str]:
    """Whatever further text fields the second opinion's schema asks for."""
    schema = body["output_config"]["format"]["schema"]
    known = {"label", "quotes", "justification", "probabilities"}
    return {name: "An argument." for name in schema["properties"] if name not in known}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_checkpoint(tiny_deberta(seed=3), tmp_path_factory.mktemp("tiny"))


def settings(tmp_path: Path, s2: FakeSemanticScholar, checkpoint: Path, **changes: Any) -> Settings:
    values: dict[str, Any] = {
        "storage": StorageSettings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data"),
        "semantic_scholar": SemanticScholarSettings(api_url=s2.url, requests_per_second=1000),
        "openalex": OpenAlexSettings(enabled=False),
        "crossref": CrossrefSettings(enabled=False),
        "europe_pmc": EuropePmcSettings(enabled=False),
        "arxiv": ArxivSettings(enabled=False),
        "evidence": EvidenceSettings(timeout_s=5, attempts=2, max_wait_s=1),
        "nli": NliSettings(model=str(checkpoint)),
        "blind": BlindSettings(stand_in_model=str(checkpoint)),
    }
    return Settings(**(values | changes))


def nli_labels(report: Report) -> dict[str, Label]:
    return {
        r.claim_id: next(o.label for o in r.outcomes if isinstance(o, Verdict) and o.verifier == "nli")
        for r in report.results
    }


def test_without_a_key_the_stand_in_judges_and_what_nobody_knows_is_unresolved(
    tmp_path: Path, checkpoint: Path
) -> None:
    with FakeSemanticScholar(PAPERS) as s2:
        report = check(MANUSCRIPT, settings=settings(tmp_path, s2, checkpoint))
    assert [r.claim_id for r in report.results] == ["c1", "c2"]
    assert {r.agreed for r in report.results} == {True}  # both roles run the same tiny encoder here
    assert [(u.claim_id, u.status) for u in report.unresolved] == [("c3", "not_found")]
    assert not report.failures
    names = {c.role: c.name for c in report.provenance.components}
    assert "stand-in" in names["blind"]


def test_a_second_run_asks_nobody_again(tmp_path: Path, checkpoint: Path) -> None:
    with FakeSemanticScholar(PAPERS) as s2:
        given = settings(tmp_path, s2, checkpoint)
        check(MANUSCRIPT, settings=given)
        asked = len(s2.requests)
        check(MANUSCRIPT, settings=given)
        assert asked > 0
        assert len(s2.requests) == asked


def test_offline_asks_no_network_and_gives_no_verdict_without_evidence(
    tmp_path: Path, checkpoint: Path
) -> None:
    with FakeSemanticScholar(PAPERS) as s2:
        given = settings(tmp_path, s2, checkpoint, evidence=EvidenceSettings(offline=True))
        report = check(MANUSCRIPT, settings=given)
        assert s2.requests == []
    assert report.summary.judged == 0
    assert report.summary.unresolved_by_status == {"not_found": 3}


@pytest.mark.parametrize("opposite", [Label.SUPPORT, Label.CONTRADICT])
def test_with_a_key_claude_judges_blind_and_plans(tmp_path: Path, checkpoint: Path, opposite: Label) -> None:
    actions = [
        ("search_again", {"query": "weather of old cities", "reason": "thin"}),
        ("second_opinion", {"reason": "split"}),
        ("conclude", {"label": opposite, "justification": "The quote says so.", "confidence": None}),
    ]
    with FakeSemanticScholar(PAPERS) as s2, Claude(opposite, actions) as server:
        anthropic = AnthropicSettings(api_key=claude.KEY, base_url=server.url, max_retries=0)
        given = settings(tmp_path, s2, checkpoint, anthropic=anthropic)
        report = check(MANUSCRIPT, settings=given)
        sent = [str(body) for body in server.bodies]
    assert not report.failures
    for result in report.results:
        blind = next(o for o in result.outcomes if o.verifier == "blind")
        assert isinstance(blind, Verdict)
        assert (blind.label, blind.quotes != ()) == (opposite, True)
        nli = nli_labels(report)[result.claim_id]
        assert result.agreed == (nli is opposite)
        assert result.final is not None
        if not result.agreed:
            assert result.final.decided_by is DecidedBy.AGENT
            assert len(result.steps) <= 4
            assert result.steps[-1].action is AgentAction.CONCLUDE
            found = [s.evidence for s in result.steps if s.evidence is not None]
            assert all(not e.of_cited_work for e in found)
    # Blindness on the wire: whoever judges never reads what another judge said.
    judged = [body for body in sent if "'tools'" not in body]
    assert judged
    assert not any("nli" in body.lower().replace("online", "") for body in judged)


def test_an_outage_of_the_source_is_not_said_to_be_a_missing_paper(tmp_path: Path, checkpoint: Path) -> None:
    with FakeSemanticScholar(PAPERS) as s2:
        s2.script(unavailable(), forever=True)
        report = check(MANUSCRIPT, settings=settings(tmp_path, s2, checkpoint))
    assert report.summary.unresolved_by_status == {"lookup_failed": 3}
    assert report.summary.judged == 0


def test_an_outage_of_claude_leaves_the_nli_verdict_and_says_so(tmp_path: Path, checkpoint: Path) -> None:
    with FakeSemanticScholar(PAPERS) as s2, claude.AnthropicServer() as server:
        server.script(claude.overloaded(), forever=True)
        anthropic = AnthropicSettings(api_key=claude.KEY, base_url=server.url, max_retries=0)
        report = check(MANUSCRIPT, settings=settings(tmp_path, s2, checkpoint, anthropic=anthropic))
    assert report.summary.single_verifier == 2
    for result in report.results:
        assert result.final is not None
        assert "abstained" in result.final.justification


def test_the_key_is_nowhere_in_report_or_events(tmp_path: Path, checkpoint: Path) -> None:
    from veriscite import stream

    with FakeSemanticScholar(PAPERS) as s2, claude.AnthropicServer() as server:
        server.script(claude.api_error(401, "authentication_error", "invalid x-api-key"), forever=True)
        anthropic = AnthropicSettings(api_key=claude.KEY, base_url=server.url, max_retries=0)
        run = stream(MANUSCRIPT, settings=settings(tmp_path, s2, checkpoint, anthropic=anthropic))
        events: list[Event] = list(run)
    assert run.report is not None
    told = run.report.model_dump_json() + "".join(e.model_dump_json() for e in events)
    assert claude.KEY not in told
