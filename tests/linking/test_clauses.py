"""The clause that belongs to each marker."""

import re

import pytest

from tests.linking.clauses_gold import GOLD
from tests.linking.helpers import pair


@pytest.mark.parametrize(("text", "wanted"), GOLD)
def test_each_reference_gets_its_clause(text: str, wanted: dict[int, str]) -> None:
    whole = re.sub(r"\s?\[[\d, ]+\](?:, \[\d\])?(?: and \[\d\])?", "", text)
    pairing = pair(text)
    told = {int(c.reference_id.removeprefix("ref-")): c.text for c in pairing.claims}
    assert told == {number: claim or whole for number, claim in wanted.items()}
    for claim in pairing.claims:
        words = [w for w in re.findall(r"\w+", claim.span.of(text).lower()) if not w.isdigit()]
        said = [w for w in re.findall(r"\w+", claim.text.lower()) if w != "authorb"]
        assert " ".join(words).startswith(" ".join(said))
