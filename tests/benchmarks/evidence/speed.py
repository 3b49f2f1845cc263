"""Calls and wall time of the retrieval, beside a naive loop over the `semanticscholar` client.

Semantic Scholar's look-alike answers after 50 ms and allows ten requests a second; beyond, it says 429. The
naive loop asks for one reference after the other and waits a second when it is told to; that is kinder to it
than the client's own habit, which ignores how long it is asked to wait.
"""

import asyncio
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.fakes.faults import Answer, rate_limited, slow
from tests.fakes.scholarly import FakeArxiv, FakeCrossref, FakeEuropePmc, FakeOpenAlex, FakeScholar, Work
from tests.fakes.server import FakeServer, Request
from veriscite.domain import Author, Identifiers, Reference
from veriscite.evidence.cache import AnswerCache, CachedSource
from veriscite.evidence.chain import EvidenceChain
from veriscite.evidence.http import Network
from veriscite.evidence.sources.arxiv import ArXiv
from veriscite.evidence.sources.crossref import Crossref
from veriscite.evidence.sources.europe_pmc import EuropePmc
from veriscite.evidence.sources.openalex import OpenAlex
from veriscite.evidence.sources.semantic_scholar import SemanticScholar
from veriscite.evidence.sources.source import FinderSource
from veriscite.settings import (
    ArxivSettings,
    CrossrefSettings,
    EuropePmcSettings,
    EvidenceSettings,
    OpenAlexSettings,
    SemanticScholarSettings,
)

REFERENCES = 300
NAIVE = 100
"""The naive loop is run on so many, and its seconds are scaled up: each reference costs it the same."""
ANSWER_S = 0.05
PER_SECOND = 10.0
WITHOUT_ABSTRACT = 10
"""One work in so many has no abstract at Semantic Scholar, but one at OpenAlex."""
UNKNOWN = 50
"""One work in so many is known nowhere, in the list without identifiers."""

_FIRST = ["slow", "fast", "cold", "warm", "deep", "thin", "wide", "rare", "loud", "calm"]
_SECOND = [
    "rivers",
    "enzymes",
    "lattices",
    "networks",
    "glaciers",
    "neurons",
    "polymers",
    "forests",
    "magnets",
    "markets",
]
_THIRD = ["respond", "adapt", "collapse", "recover", "oscillate"]


class Limited:
    """A limit of requests a second, kept by a bucket of tokens."""

    def __init__(self) -> None:
        self._tokens, self._at, self._lock = PER_SECOND, time.monotonic(), threading.Lock()

    def allows(self) -> bool:
        """Take a token, if there is one."""
        with self._lock:
            now = time.monotonic()
            self._tokens = min(PER_SECOND, self._tokens + (now - self._at) * PER_SECOND)
            self._at = now
            if self._tokens < 1:
                return False
            self._tokens -= 1
            return True


class LimitedScholar(FakeScholar):
    """Semantic Scholar, slow and with a limit."""

    def __init__(self, works: Sequence[Work]) -> None:
        super().__init__(works)
        self.limit = Limited()

    def respond(self, request: Request) -> Answer | None:
        if not self.limit.allows():
            return rate_limited(1)
        answer = super().respond(request)
        return None if answer is None else slow(answer, ANSWER_S)


def works() -> list[Work]:
    """Works whose titles share words, but are told apart by them."""
    made = []
    for n in range(REFERENCES):
        words = (_FIRST[n % 10], _SECOND[n // 10 % 10], _THIRD[n // 100 % 5])
        title = f"How {words[0]} {words[1]} {words[2]} under load number {n} of the long series"
        abstract = (
            f"We studied how {words[0]} {words[1]} {words[2]} under load. In {n + 20} trials of the series "
            f"they did so within {n + 3} days. The effect was gone after a year."
        )
        author = ("Ann", f"Author{chr(97 + n % 26)}{chr(97 + n // 26)}")
        made.append(Work(title, [author], 1990 + n % 30, abstract, doi=f"10.1000/series.{n}"))
    return made


def reference(number: int, work: Work, *, identified: bool) -> Reference:
    """The work as a list cites it."""
    given, family = work.authors[0]
    return Reference(
        id=f"r{number}",
        raw=f"{family}, {given}. {work.title}. {work.year}.",
        title=work.title,
        authors=(Author(family=family, given=given),),
        year=work.year,
        identifiers=Identifiers(doi=work.doi) if identified else Identifiers(),
    )


def ours(
    servers: Mapping[str, FakeServer], references: Sequence[Reference], folder: Path
) -> tuple[float, dict[str, int], int]:
    """Look all references up in a process of their own accord: seconds, calls by source, how many found."""
    before = {name: len(server.requests) for name, server in servers.items()}

    async def run() -> int:
        evidence = EvidenceSettings(timeout_s=20)
        network, cache = Network(evidence), AnswerCache(folder, evidence)
        fast = {"requests_per_second": 1_000.0}
        finders = (
            SemanticScholar(
                SemanticScholarSettings(
                    api_url=servers["semantic_scholar"].url, requests_per_second=PER_SECOND
                ),
                network,
                cache,
            ),
            OpenAlex(OpenAlexSettings(api_url=servers["openalex"].url, **fast), network, cache),
            Crossref(CrossrefSettings(api_url=servers["crossref"].url, **fast), network, cache),
            EuropePmc(EuropePmcSettings(api_url=servers["europe_pmc"].url, **fast), network, cache),
            ArXiv(ArxivSettings(api_url=servers["arxiv"].url, **fast), network, cache),
        )
        chain = EvidenceChain((), [CachedSource(FinderSource(finder), cache) for finder in finders])
        found = 0
        async for answer in chain.lookup(references):
            found += answer.status == "found"
        await chain.aclose()
        return found

    began = time.monotonic()
    found = asyncio.run(run())
    seconds = time.monotonic() - began
    calls = {name: len(server.requests) - before[name] for name, server in servers.items()}
    return seconds, calls, found


def naive(server: FakeServer, references: Sequence[Reference]) -> tuple[float, int, int]:
    """A loop over the client, one reference after the other: seconds, calls, how many found."""
    from semanticscholar import SemanticScholar as Client

    client = Client(api_url=server.url, retry=False, timeout=20)
    before, found = len(server.requests), 0
    began = time.monotonic()
    for one in references:
        ask: Callable[[], Any] = (
            (lambda doi=one.identifiers.doi: client.get_paper(f"DOI:{doi}"))
            if one.identifiers.doi
            else (lambda title=one.title: client.search_paper(title, match_title=True))
        )
        while True:
            try:
                found += bool(getattr(ask(), "abstract", None))
            except ConnectionRefusedError:
                time.sleep(1.0)  # 429, in the client's words
                continue
            except Exception:  # noqa: BLE001 - not known there, whatever the client calls it
                pass
            break
    return time.monotonic() - began, len(server.requests) - before, found


def run(_argv: Sequence[str] | None = None) -> dict[str, Any]:
    """Measure, print the table, and return the figures.

    The list with identifiers holds known works only; of the one without, some are known nowhere.
    """
    every = works()
    some = [work for n, work in enumerate(every) if n % UNKNOWN]
    figures: dict[str, Any] = {}
    spent = {"ours": 0.0, "naive": 0.0}
    print(
        f"{REFERENCES} references; Semantic Scholar answers in {ANSWER_S * 1000:.0f} ms, "
        f"{PER_SECOND:.0f} a second"
    )
    print(f"{'list':<22}{'run':<8}{'found':>6}{'seconds':>9}  calls")
    for identified in (True, False):
        label = "with identifiers" if identified else "without identifiers"
        key = "with_ids" if identified else "without_ids"
        known = every if identified else some
        at_scholar = [
            replace(work, abstract=None) if n % WITHOUT_ABSTRACT == 0 else work
            for n, work in enumerate(known)
        ]
        references = [reference(n, work, identified=identified) for n, work in enumerate(every)]
        with ExitStack() as stack:
            servers: dict[str, FakeServer] = {
                "semantic_scholar": stack.enter_context(LimitedScholar(at_scholar)),
                "openalex": stack.enter_context(FakeOpenAlex(known)),
                "crossref": stack.enter_context(FakeCrossref(known)),
                "europe_pmc": stack.enter_context(FakeEuropePmc([])),
                "arxiv": stack.enter_context(FakeArxiv([])),
            }
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            for state in ("cold", "warm"):
                seconds, calls, found = ours(servers, references, folder)
                told = ", ".join(f"{name} {count}" for name, count in calls.items() if count) or "none"
                print(f"{label:<22}{state:<8}{found:>6}{seconds:>9.2f}  {told}")
                figures[f"calls_{key}_{state}"] = sum(calls.values())
                figures[f"s2_calls_{key}_{state}"] = calls["semantic_scholar"]
                figures[f"seconds_{key}_{state}"] = round(seconds, 2)
                if state == "cold":
                    spent["ours"] += seconds
                    cold = seconds
            with LimitedScholar(at_scholar) as alone:
                seconds, count, found = naive(alone, references[:NAIVE])
            seconds *= REFERENCES / NAIVE
            print(
                f"{label:<22}{'naive':<8}{found:>6}{seconds:>9.2f}  semantic_scholar {count} "
                f"(for {NAIVE} references; seconds scaled to {REFERENCES})"
            )
            spent["naive"] += seconds
            figures[f"seconds_{key}_naive"] = round(seconds, 2)
            figures[f"speedup_{key}"] = round(seconds / cold, 2)
    figures["speedup_vs_naive"] = round(spent["naive"] / spent["ours"], 2)
    print(f"both lists: {spent['naive']:.1f} s naively, {spent['ours']:.1f} s here")
    return figures
