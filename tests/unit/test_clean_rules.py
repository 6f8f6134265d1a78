"""Every cleaning rule does what its examples say, and the law that nothing is passed on silently."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.errors import InputError
from dalil.records import Claim, CleanedClaim
from dalil.resources import data
from dalil.stages import Drop
from retrieval.clean import clean, load_rules

RULES = load_rules(data("cleaning", "rules.toml"))
CASES = [pytest.param(rule, example, id=rule.name) for rule in RULES for example in rule.examples]


def claim(raw, **fields):
    return Claim(id="claim-x", site="s", raw=raw, **fields)


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_examples(rule, example):
    made = clean(claim(example.raw), RULES)
    if example.drop:
        assert isinstance(made, Drop)
        assert (made.reason, made.detail) == (example.drop, rule.name)
        return
    assert isinstance(made, CleanedClaim)
    assert rule.name in made.rules
    assert made.text == example.text
    assert made.raw == example.raw
    assert set(example.flags) <= set(made.flags)
    if not any(flag.startswith("needs_edit") for flag in example.flags):
        assert not [flag for flag in made.flags if flag.startswith("needs_edit")]
