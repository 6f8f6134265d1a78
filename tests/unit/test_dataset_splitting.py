"""Splits: disjoint in what is asked, whole, seeded, near their targets, and honest about how near."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.dataset.balance import Goal, balance, counts_of
from annotation.dataset.options import asked, parse_shares
from annotation.dataset.rows import DataSet, Row, text_hash
from annotation.dataset.splitting import Ask, mend, split
from annotation.dataset.ties import groups, leaking_rows, leaks, tie_keys
from dalil.errors import UsageError
from dalil.progress import Silent

LABELS = ("agree", "disagree", "discuss", "unrelated")
AGENCY = (
    "أعلنت الوزارة اليوم أن الجسر الجديد فوق النهر سيفتح أمام السيارات صباح الأحد المقبل "
    "بعد أعمال استمرت عامين كاملين"
)


def row(
    claim: str, number: int, *, article: str | None = None, label: str = "agree", **more: str | None
) -> Row:
    text = article or f"نص المقال {number} عن الادعاء {claim}"
    return Row(
        id=f"{claim}/{number}",
        claim_id=claim,
        claim=str(more.pop("words", None) or f"ادعاء {claim}"),
        label=label,
        article=text,
        article_hash=text_hash(text),
        **more,
    )


def data(rows: list[Row]) -> DataSet:
    return DataSet("made", "rows", tuple(rows), LABELS)


def many(claims: int = 60, each: int = 4) -> list[Row]:
    return [
        row(
            f"c{number}",
            place,
            label=LABELS[(number + place) % 4],
            veracity=("true", "false")[number % 3 == 0],
            site=("a", "b")[number % 2],
            country=("EG", "SA", "AE")[number % 3],
            date=f"2018-{1 + number % 12:02}-01",
        )
        for number in range(claims)
        for place in range(each)
    ]


rows_of = st.lists(
    st.tuples(
        st.integers(0, 14),
        st.integers(0, 30),
        st.sampled_from(LABELS),
        st.sampled_from([None, "k1", "k2"]),
        st.sampled_from("ab"),
    ),
    min_size=1,
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(drawn=rows_of, seed=st.integers(0, 5))
def test_nothing_is_discarded_nothing_is_shared_and_the_order_of_rows_decides_nothing(
    drawn: list[tuple[int, int, str, str | None, str]], seed: int
) -> None:
    rows = [
        row(f"c{claim}", place, article=f"مقال {body}", label=label, cluster=cluster, site=site)
        for place, (claim, body, label, cluster, site) in enumerate(drawn)
    ]
    ask = asked(shares={"train": 0.6, "test": 0.4}, apart=("claim", "cluster", "body"), seed=seed)
    whole = groups({kind: tie_keys(rows, kind) for kind in ("claim", "cluster", "body")})
    if whole.max() == 0:
        with pytest.raises(UsageError, match="1 group for 2 splits"):
            split(data(rows), ask)
        return
    outcome = split(data(rows), ask)
    assert len(outcome.splits) == len(rows)
    assert set(outcome.splits) == {"train", "test"}
    for kind in ("claim", "cluster", "body"):
        assert leaks(tie_keys(rows, kind), outcome.splits, kind) == []
    again = split(data(rows[::-1]), ask)
    of = {rows[place].id: name for place, name in enumerate(outcome.splits)}
    assert {rows[::-1][place].id: name for place, name in enumerate(again.splits)} == of


@settings(max_examples=40, deadline=None)
@given(
    sizes=st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=1, max_size=25),
    parts=st.integers(2, 4),
    seed=st.integers(0, 3),
)
def test_no_single_move_or_swap_improves_a_balance(sizes: list[list[int]], parts: int, seed: int) -> None:
    vectors = np.array(sizes, dtype=float)
    totals = vectors.sum(axis=0)
    goal = Goal(np.tile(totals / parts, (parts, 1)), np.ones(3))
    found = balance(vectors, goal, seed=seed, patience=3)
    value = goal.objective(counts_of(vectors, found, parts))
    if len(set(found.tolist())) < parts or (np.bincount(found, minlength=parts) == 1).any():
        return  # a split kept from being empty need not be at a minimum
    for first in range(len(vectors)):
        for target in range(parts):
            moved = found.copy()
            moved[first] = target
            assert goal.objective(counts_of(vectors, moved, parts)) >= value - 1e-6
        for second in range(first):
            swapped = found.copy()
            swapped[[first, second]] = swapped[[second, first]]
            assert goal.objective(counts_of(vectors, swapped, parts)) >= value - 1e-6


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=1, max_size=6),
    shares=st.lists(st.integers(1, 9), min_size=2, max_size=3),
    weight=st.sampled_from([1.0, 10.0]),
    off=st.floats(0.5, 1.5),
)
def test_the_bound_lies_below_every_assignment(
    sizes: list[list[int]], shares: list[int], weight: float, off: float
) -> None:
    """Where it is reached the search ends, so that it must never be above what can be had."""
    vectors = np.array(sizes, dtype=float)
    part = np.array(shares) / sum(shares)
    goal = Goal(off * np.outer(part, vectors.sum(axis=0)), np.array([weight, 1.0]))
    every = product(range(len(shares)), repeat=len(vectors))
    best = min(goal.objective(counts_of(vectors, np.array(one), len(shares))) for one in every)
    assert goal.least(vectors) <= best + 1e-9
    ones = np.ones((int(vectors[:, 0].sum()), 1))
    if 0 < len(ones) <= 9:
        alone = Goal(goal.targets[:, :1], goal.weights[:1])
        dealt = product(range(len(ones) + 1), repeat=len(shares))
        least = min(alone.objective(np.array([n], dtype=float).T) for n in dealt if sum(n) == len(ones))
        assert alone.least(ones) == pytest.approx(least)


def test_what_whole_numbers_allow_is_reached_by_many_groups() -> None:
    draw = np.random.default_rng(3)
    vectors = np.hstack([draw.integers(1, 8, (2000, 1)), draw.integers(0, 3, (2000, 6))]).astype(float)
    for shares in ((0.7, 0.14, 0.16), (0.2,) * 5):
        goal = Goal(np.outer(shares, vectors.sum(axis=0)), np.ones(7))
        found = balance(vectors, goal, seed=0)
        reached = goal.objective(counts_of(vectors, found, len(shares)))
        assert reached <= goal.least(vectors) + 0.01


def test_balancing_tells_how_far_it_is_and_always_gives_the_same() -> None:
    vectors = np.array([[7.0], [5], [5], [5]])
    goal = Goal(np.array([[11.0], [11]]), np.ones(1))
    steps: list[None] = []
    first = balance(vectors, goal, seed=1, step=lambda: steps.append(None))
    assert (first == balance(vectors, goal, seed=1)).all()
    assert len(steps) >= 60, "the bound is not reached, and it is tried again and again"


class Listening(Silent):
    """What a person would be told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def begin(self, stage: str, total: int | None = None) -> None:
        self.heard.append(stage if total is None else f"{stage} of {total}")

    def step(self) -> None:
        self.heard.append("step")


def test_splitting_tells_how_far_it_is() -> None:
    listening = Listening()
    rows = many(10, 2)
    split(data(rows), asked(apart=("claim", "article"), folds_=3), listening)
    assert listening.heard[:21] == ["compare articles of 20", *["step"] * 20]
    assert listening.heard[21] == "balance"


def test_labels_veracity_and_sites_come_out_in_proportion() -> None:
    outcome = split(data(many()), asked(shares={"train": 0.5, "test": 0.5}))
    assert Counter(outcome.splits) == {"train": 120, "test": 120}
    for cell in outcome.cells:
        assert abs(cell.got - cell.wanted) <= 1, cell
    assert outcome.objective < 0.05 < outcome.objective_at_random  # type: ignore[operator]
    plain = outcome.plain()
    assert plain["largest_difference"]["points"] == max((c.points for c in outcome.cells), key=abs).__round__(
        3
    )


def test_seeds_differ_and_repeat() -> None:
    one, same, other = (split(data(many()), asked(seed=seed)).splits for seed in (1, 1, 2))
    assert one == same != other


def test_the_guard_moves_rows_that_share_an_agency_text() -> None:
    rows = many(40, 3)
    copies = [
        row(f"c{n}", 9, article=f"{AGENCY} {tail}") for n, tail in ((0, ""), (11, "وكالات"), (22, "رويترز"))
    ]
    alone = split(data(rows + copies), asked(apart=("claim",), seed=4))
    guarded = split(data(rows + copies), asked(apart=("claim", "article"), threshold=0.7, seed=4))
    keys = tie_keys(rows + copies, "article", 0.7)
    assert len(set(keys[-3:])) == 1
    assert leaking_rows(leaks(keys, alone.splits, "article")) == 3
    assert leaks(keys, guarded.splits, "article") == []
    guard = next(guard for guard in guarded.guards if guard.kind == "article")
    assert (guard.rows_before, guard.rows_after) == (3, 0)
    assert guarded.moved > 0
    assert guarded.largest_group == 12


def test_related_articles_tie_and_unrelated_ones_do_not() -> None:
    rows = [
        row("a", 1, article=AGENCY),
        row("b", 1, article=AGENCY, label="unrelated"),
        row("c", 1, article=AGENCY, label="discuss"),
    ]
    keys = tie_keys(rows, "related")
    assert keys[0] == keys[2] is not None
    assert keys[1] is None


def test_the_same_words_are_the_same_claim_whatever_their_ids_and_spelling() -> None:
    rows = [row("x", 1, words="أُعلن فتحُ الجسرِ"), row("y", 1, words="اعلن فتح الجسر"), row("z", 1)]
    code = groups({"claim": tie_keys(rows, "claim")})
    assert code.tolist() == [0, 0, 1]


@pytest.mark.parametrize("by", ["site", "country"])
def test_sites_and_countries_stay_whole(by: str) -> None:
    rows = many()
    outcome = split(data(rows), asked(shares={"train": 0.6, "test": 0.4}, by=by, apart=("claim",)))
    of: dict[str, set[str]] = {}
    for found, name in zip(rows, outcome.splits, strict=True):
        of.setdefault(str(getattr(found, by)), set()).add(name)
    assert all(len(names) == 1 for names in of.values())


def test_by_time_nothing_that_trains_is_later_than_what_tests() -> None:
    rows = many()
    outcome = split(data(rows), asked(by="time", apart=("claim",)))
    dates = {
        name: sorted(str(r.date) for r, s in zip(rows, outcome.splits, strict=True) if s == name)
        for name in outcome.names
    }
    for earlier, later in pairwise(("train", "dev", "test")):
        assert dates[earlier][-1] <= dates[later][0]
    assert {name: len(found) for name, found in dates.items()} == {"train": 168, "dev": 32, "test": 40}


def test_by_time_asks_where_claims_without_a_date_go() -> None:
    rows = [*many(12, 1), row("late", 1, date=None)]
    with pytest.raises(UsageError, match="1 claim has no date; say which split takes them"):
        split(data(rows), asked(by="time", apart=("claim",)))
    outcome = split(data(rows), asked(by="time", apart=("claim",), undated="train"))
    assert outcome.splits[-1] == "train"


def test_folds_are_equal_and_every_split_gets_something() -> None:
    outcome = split(data(many()), asked(folds_=5))
    assert Counter(outcome.splits) == {f"fold_{number}": 48 for number in range(1, 6)}
    tiny = split(data(many(3, 10)), asked())
    assert set(tiny.splits) == {"train", "dev", "test"}


def test_mending_keeps_the_published_split_and_moves_only_what_leaks() -> None:
    rows = many(9, 2)
    published = [("train", "dev", "test")[n // 6] for n in range(18)]
    rows[13] = row("c6", 1, article=rows[0].article)
    found = mend(data(rows).with_splits(published), Ask())
    assert [place for place, name in enumerate(found.splits) if name != published[place]] == [12, 13]
    assert found.moved == 2
    with pytest.raises(UsageError, match="without a split"):
        mend(data(rows), Ask())


def test_what_cannot_be_done_says_why() -> None:
    tied = [row(f"c{n}", 1, article=AGENCY) for n in range(4)]
    with pytest.raises(
        UsageError, match=r"1 group for 3 splits.*alone: 4 by claim, 4 by cluster, 1 by article"
    ):
        split(data(tied), asked())
    with pytest.raises(UsageError, match="cannot be kept apart by 'outlet'"):
        split(data(tied), asked(apart=("outlet",)))
    with pytest.raises(UsageError, match="cannot be stratified by rank"):
        asked(stratify=("rank",))
    with pytest.raises(UsageError, match="three ways"):
        asked(folds_=3, like="arastance")
    with pytest.raises(UsageError, match="no NAME=NUMBER"):
        parse_shares(["train"])
    assert parse_shares(["train=8", "test=2"]) == {"train": 0.8, "test": 0.2}
    with pytest.raises(UsageError, match="add up to 0.9"):
        Ask(shares={"a": 0.5, "b": 0.4})
