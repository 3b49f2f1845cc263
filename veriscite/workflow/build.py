"""The wiring of the workflow, as a table of contents."""

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from veriscite.workflow.claim_nodes import ClaimNodes, Progress, after_act, after_compare, named
from veriscite.workflow.parts import Parts, RunOptions
from veriscite.workflow.run_nodes import RunNodes
from veriscite.workflow.state import ClaimInput, ClaimOutput, ClaimState, RunState, VerifierInput

Graph = CompiledStateGraph[Any, Any, Any, Any]


def build_claim_graph(nodes: ClaimNodes) -> Graph:
    """Steps 3 to 5 for one claim: verify in parallel, compare, resolve, attribute."""
    graph = StateGraph(ClaimState, input_schema=ClaimInput, output_schema=ClaimOutput)
    graph.add_node("open_claim", named("open_claim", nodes.open_claim))
    graph.add_node("verify_nli", named("verify_nli", nodes.nli), input_schema=VerifierInput)
    graph.add_node("verify_blind", named("verify_blind", nodes.blind), input_schema=VerifierInput)
    graph.add_node("compare", named("compare", nodes.compare))
    graph.add_node("plan", named("plan", nodes.plan))
    graph.add_node("act", named("act", nodes.act))
    graph.add_node("settle", named("settle", nodes.settle))
    graph.add_node("attribute", named("attribute", nodes.attribute))
    graph.add_node("close_claim", named("close_claim", nodes.close_claim))

    graph.add_edge(START, "open_claim")
    graph.add_edge("open_claim", "verify_nli")
    graph.add_edge("open_claim", "verify_blind")
    graph.add_edge(["verify_nli", "verify_blind"], "compare")
    graph.add_conditional_edges("compare", after_compare, ["plan", "settle"])
    graph.add_edge("plan", "act")
    graph.add_conditional_edges("act", after_act, ["plan", "settle"])
    graph.add_edge("settle", "attribute")
    graph.add_edge("attribute", "close_claim")
    graph.add_edge("close_claim", END)
    return graph.compile()


def build_run_graph(parts: Parts, options: RunOptions) -> Graph:
    """The whole run: pair, retrieve, one branch a claim beside one for the references, summarise."""
    progress = Progress()
    run = RunNodes(parts, options, progress)
    claims = ClaimNodes(parts, options, run.evidence, progress)
    graph = StateGraph(RunState)
    graph.add_node("pair", run.pair)
    graph.add_node("retrieve", run.retrieve)
    graph.add_node(
        "check_claim",
        build_claim_graph(claims),
        error_handler=run.claim_failed,
        timeout=options.claim_timeout_s,
    )
    graph.add_node("check_references", run.check_references)
    graph.add_node("summarise", run.summarise)

    graph.add_edge(START, "pair")
    graph.add_edge("pair", "retrieve")
    graph.add_conditional_edges("retrieve", run.fan_out, ["check_references", "check_claim", "summarise"])
    graph.add_edge("check_references", "summarise")
    graph.add_edge("check_claim", "summarise")
    graph.add_edge("summarise", END)
    return graph.compile()
