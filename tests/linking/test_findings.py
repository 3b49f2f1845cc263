"""Claims that assert nothing about the cited work, against findings in much the same words."""

import pytest

from tests.benchmarks.linking.not_findings import FINDINGS, NOT_FINDINGS
from tests.linking.helpers import pair
from veriscite.domain import NotFindingKind
from veriscite.linking.findings import not_a_finding


@pytest.mark.parametrize("text", FINDINGS)
def test_a_finding_is_never_set_aside(text: str) -> None:
    assert not_a_finding(text) is None


def test_most_others_are_recognised_with_their_kind() -> None:
    told = [(kind, not_a_finding(text)) for kind, texts in NOT_FINDINGS.items() for text in texts]
    recognised = [(kind, one) for kind, one in told if one is not None]
    assert len(recognised) >= 0.9 * len(told)
    assert sum(kind == one.kind for kind, one in recognised) >= 0.85 * len(recognised)
    assert all(one.reason for _, one in recognised)


def test_it_stands_on_the_claim() -> None:
    pairing = pair("RNA was extracted as described previously [1]. Silt settles fast [2].")
    kinds = [claim.not_finding.kind if claim.not_finding else None for claim in pairing.claims]
    assert kinds == [NotFindingKind.METHOD, None]


def test_crafted_text_is_told_at_once() -> None:
    assert not_a_finding("was " * 99 + "used " * 20_000) is None
    not_a_finding("we used a b c d e f g h " * 16)
