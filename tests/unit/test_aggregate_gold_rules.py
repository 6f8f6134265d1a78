"""From votes to gold: unanimous, majority, adjudicated, a method; ties go to adjudication."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.aggregate import method
from annotation.aggregate.base import Settings
from annotation.gold_rules import REASONS, RULES, gold_of, gold_table
from annotation.ratings import ratings_of

LABELS = ["agree", "disagree", "discuss", "unrelated"]


@pytest.mark.parametrize(
    ("votes", "ruling", "label", "how", "reason"),
    [
        ("aa", None, "a", "unanimous", None),
        ("aab", None, "a", "majority", None),
        ("aabc", None, "a", "majority", None),
        ("ab", None, None, None, "needs_adjudication"),
        ("abc", None, None, None, "needs_adjudication"),
        ("aabb", None, None, None, "needs_adjudication"),
        ("a", None, None, None, "too_few_votes"),
        ("", None, None, None, "no_votes"),
        ("ab", "b", "b", "adjudicated", None),
        ("aa", "b", "b", "adjudicated", None),
        ("", "b", "b", "adjudicated", None),
    ],
)
def test_majority_rule(votes, ruling, label, how, reason) -> None:
    found = gold_of(list(votes), ruling=ruling)
    assert (found.label, found.how, found.reason) == (label, how, reason)
    assert sum(found.votes.values()) == len(votes)


def test_unanimous_rule_and_single_votes() -> None:
    assert gold_of("aab", "unanimous").reason == "not_unanimous"
    assert gold_of("aaa", "unanimous").how == "unanimous"
    assert gold_of("a", fewest=1).how == "unanimous"
    assert gold_of({"agree": 2, "discuss": 1, "unrelated": 0}).votes == {"agree": 2, "discuss": 1}


@given(
    st.lists(st.lists(st.sampled_from(LABELS), max_size=5), min_size=1, max_size=8),
    st.lists(st.sampled_from([None, *LABELS]), min_size=8, max_size=8),
    st.sampled_from(RULES),
    st.integers(1, 3),
)
def test_the_table_says_of_each_item_what_the_rule_says(votes, rulings, rule, fewest) -> None:
    rows = [(f"i{i}", f"w{w}", label) for i, item in enumerate(votes) for w, label in enumerate(item)]
    rounds = ["main"] * len(rows)
    for i in range(len(votes)):
        if rulings[i] is not None:
            rows.append((f"i{i}", "judge", rulings[i]))
            rounds.append("adjudication")
    if not rows:
        return
    table = gold_table(ratings_of(rows, LABELS, rounds=rounds), rule, fewest=fewest)
    for item, outcome in table.rows():
        i = int(item[1:])
        assert outcome == gold_of(votes[i], rule, ruling=rulings[i], fewest=fewest)
    assert sum(table.tally().values()) == table.ratings.n_items
    assert sum(table.labels().values()) == int((table.label >= 0).sum())


def test_a_method_s_ties_go_to_adjudication_unless_the_seed_may_decide() -> None:
    rows = [("tie", "a", "agree"), ("tie", "b", "discuss"), ("sure", "a", "agree"), ("sure", "b", "agree")]
    ratings = ratings_of(rows, LABELS)
    result = method("sv", Settings(seed=1)).predict(ratings)
    left = dict(gold_table(ratings, method=result).rows())
    assert left["tie"].reason == "needs_adjudication"
    assert (left["sure"].label, left["sure"].how) == ("agree", "sv")
    decided = dict(gold_table(ratings, method=result, ties="seed").rows())
    assert decided["tie"].label in ("agree", "discuss")
    assert decided["tie"].how == "sv"


def test_a_ruling_goes_before_a_method() -> None:
    rows = [("i", "a", "agree"), ("i", "b", "agree"), ("i", "judge", "discuss")]
    ratings = ratings_of(rows, LABELS, rounds=["main", "main", "adjudication"])
    result = method("dawid-skene").fit(ratings).predict(ratings)
    (outcome,) = [outcome for _, outcome in gold_table(ratings, method=result).rows()]
    assert (outcome.label, outcome.how, outcome.votes) == ("discuss", "adjudicated", {"agree": 2})


def test_items_out_of_scope_have_their_own_reason() -> None:
    ratings = ratings_of([("i", "a", "agree"), ("i", "b", "agree"), ("j", "a", "agree")], LABELS)
    table = gold_table(ratings, removed=np.array([0], dtype=np.int32))
    assert table.tally() == {"out_of_scope": 1, "too_few_votes": 1}
    assert set(table.tally()) <= set(REASONS)
