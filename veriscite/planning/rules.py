"""The rule-based planner: a table of rules, read from the top; the first that holds is followed.

It takes the same three actions as a language model would, and decides by calibrated probabilities where there
are some. It is deterministic, and never takes an action that can bring nothing new.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from veriscite.domain import AgentAction, Component, Label, Verdict
from veriscite.planning.standing import decided, evidence_at_hand, voices
from veriscite.planning.tools import offered, was_searched
from veriscite.ports import PlannerDecision, PlannerView

NAME = "rule-based planner"

#: Evidence of so few sentences is thin: whole abstracts have about eight.
THIN_SENTENCES = 3
#: A calibrated probability below this is not sure enough to leave the evidence as it is.
SURE = 0.6
#: The label needs more than this much of the pooled probability; else there is not enough information.
MAJORITY = 0.5

_TITLE_WORDS = 6
_CLAIM_WORDS = 6


@dataclass(frozen=True)
class Facts:
    """What the rules speak of, read off the planner's view."""

    opposed: bool
    undecided: bool
    nli_silent: bool
    thin: bool
    unsure: bool
    searched: bool
    may_search: bool
    may_ask: bool


@dataclass(frozen=True)
class Rule:
    """A row of the table: when it holds, what is done, and the reason that a reader is given."""

    when: Callable[[Facts], bool]
    then: AgentAction
    because: str


RULES: tuple[Rule, ...] = (
    Rule(
        lambda f: f.opposed and f.may_ask,
        AgentAction.SECOND_OPINION,
        "One verdict is SUPPORT and one CONTRADICT: the evidence speaks to the point, and a third voice "
        "that sees neither can decide.",
    ),
    Rule(
        lambda f: (f.thin or f.unsure) and not f.searched and f.may_search,
        AgentAction.SEARCH_AGAIN,
        "The evidence may be too thin to decide on: the abstract is short, or no verifier is sure.",
    ),
    Rule(
        lambda f: f.undecided and f.nli_silent and not f.searched and f.may_search,
        AgentAction.SEARCH_AGAIN,
        "The NLI verifier finds the evidence silent on the point: another text of the work may speak of it.",
    ),
    Rule(
        lambda f: f.undecided and f.may_ask,
        AgentAction.SECOND_OPINION,
        "The verdicts still differ on the evidence at hand, and a third voice can make a majority.",
    ),
    Rule(lambda f: True, AgentAction.CONCLUDE, "No further action can bring anything new."),
)


class RulesPlanner:
    """The rule-based planner. Implements `ports.Planner`.

    Args:
        second_opinion: Whether a second opinion can be had in this run.
        search: Whether there is a source to search.
    """

    def __init__(self, *, second_opinion: bool = True, search: bool = True) -> None:
        self._second_opinion = second_opinion
        self._search = search

    @property
    def name(self) -> str:
        """What it is."""
        return NAME

    def component(self) -> Component:
        """Tell what this is, for the provenance."""
        return Component(role="planner", name=NAME, detail="A table of rules, not a language model.")

    async def decide(self, view: PlannerView) -> PlannerDecision:
        """Choose the next action by the first rule that holds."""
        query = make_query(view)
        facts = self._facts(view, query)
        rule = next(rule for rule in RULES if rule.when(facts))
        if rule.then is AgentAction.CONCLUDE:
            return conclude(view)
        return PlannerDecision(
            action=rule.then,
            thought=rule.because,
            query=query if rule.then is AgentAction.SEARCH_AGAIN else "",
        )

    def _facts(self, view: PlannerView, query: str) -> Facts:
        verdicts = voices(view)
        labels = {verdict.label for verdict in verdicts}
        actions = offered(view)
        measured = [v.confidence for v in verdicts if v.confidence is not None]
        searches = [s for s in view.steps if s.action is AgentAction.SEARCH_AGAIN]
        return Facts(
            opposed={Label.SUPPORT, Label.CONTRADICT} <= labels,
            undecided=len(labels) > 1,
            nli_silent=any(v.verifier == "nli" and not decided(v) for v in verdicts),
            thin=len(evidence_at_hand(view).sentences) <= THIN_SENTENCES,
            # Without a measured confidence nothing is known of how sure a verifier is.
            unsure=bool(measured) and max(measured) < SURE,
            searched=bool(searches),
            may_search=(
                self._search
                and AgentAction.SEARCH_AGAIN in actions
                and bool(query)
                and not was_searched(query, view)
            ),
            may_ask=self._second_opinion and AgentAction.SECOND_OPINION in actions,
        )


def _measured(verdict: Verdict) -> bool:
    return verdict.confidence is not None


def conclude(view: PlannerView, *, problem: str = "") -> PlannerDecision:
    """Conclude from the verdicts on evidence of the cited work.

    Where all are calibrated, the mean of their probabilities decides (a linear opinion pool: Stone, 1961),
    and a label needs more than half of it. Where one is not, the majority of labels decides. Otherwise there
    is not enough information. The pooled probability is no calibrated confidence, so none is given.

    Args:
        view: What the planner sees.
        problem: Why the rules stand in for another planner, if they do.
    """
    verdicts = voices(view)
    if not verdicts:
        label, why = Label.NOT_ENOUGH_INFO, "No verifier judged evidence of the cited work."
    elif all(_measured(v) for v in verdicts):
        label, why = _by_probability(verdicts)
    else:
        label, why = _by_majority(verdicts)
    return PlannerDecision(
        action=AgentAction.CONCLUDE,
        thought=RULES[-1].because,
        label=label,
        justification=why,
        problem=problem,
    )


def _by_probability(verdicts: tuple[Verdict, ...]) -> tuple[Label, str]:
    pooled = {
        label: sum(v.probabilities.of(label) for v in verdicts if v.probabilities is not None) / len(verdicts)
        for label in Label
    }
    best = max(Label, key=lambda label: pooled[label])
    shares = ", ".join(f"{label} {pooled[label]:.2f}" for label in Label)
    said = f"The mean of the calibrated probabilities of {_names(verdicts)} is {shares}"
    if best is Label.NOT_ENOUGH_INFO or pooled[best] > MAJORITY:
        return best, f"{said}."
    return Label.NOT_ENOUGH_INFO, f"{said}; no label has more than {MAJORITY:g}."


def _by_majority(verdicts: tuple[Verdict, ...]) -> tuple[Label, str]:
    counts = Counter(verdict.label for verdict in verdicts)
    label, most = counts.most_common(1)[0]
    said = "; ".join(f"{verdict.verifier} says {verdict.label}" for verdict in verdicts)
    if most * 2 > len(verdicts):
        return label, f"{most} of {len(verdicts)} verifiers agree ({said})."
    return Label.NOT_ENOUGH_INFO, f"The verifiers differ and none has a majority ({said})."


def _names(verdicts: tuple[Verdict, ...]) -> str:
    return " and ".join(verdict.verifier for verdict in verdicts)


def make_query(view: PlannerView) -> str:
    """Make a query of the reference's title words and the claim's own content words, in their order.

    Without a title, the first author and the year stand in for it.
    """
    reference = view.reference
    title = _content_words(reference.title or "")[:_TITLE_WORDS]
    if not title:
        title = [a.family for a in reference.authors[:1]] + ([str(reference.year)] if reference.year else [])
    seen = {word.casefold() for word in title}
    own = [word for word in _content_words(view.claim.text) if word.casefold() not in seen]
    return " ".join(title + own[:_CLAIM_WORDS])


def _content_words(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text)
    kept = [w for w in words if len(w) > 2 and w.casefold() not in _STOP_WORDS and not w.isdigit()]
    return list({word.casefold(): word for word in reversed(kept)}.values())[::-1]


_STOP_WORDS = frozenset(
    {
        "about", "above", "after", "again", "all", "also", "although", "among", "and", "another", "any",
        "are", "because", "been", "before", "being", "below", "between", "both", "but", "can", "cannot",
        "could", "demonstrate", "demonstrated", "did", "does", "down", "during", "each", "either",
        "even", "find", "finds", "for", "found", "from", "further", "had", "has", "have", "having",
        "here", "how", "however", "into", "its", "itself", "just", "less", "many", "may", "might",
        "more", "most", "much", "must", "nor", "not", "now", "off", "once", "one", "only", "other",
        "our", "out", "over", "own", "previous", "recent", "recently", "report", "reported", "reports",
        "same", "several", "shall", "should", "show", "showed", "shown", "shows", "since", "some",
        "still", "studies", "study", "such", "suggest", "suggested", "suggests", "than", "that", "the",
        "their", "them", "then", "there", "these", "they", "this", "those", "though", "through", "thus",
        "too", "two", "under", "until", "upon", "use", "used", "using", "very", "was", "were", "what",
        "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with",
        "within", "without", "would", "yet", "you", "your",
    }
)  # fmt: skip
