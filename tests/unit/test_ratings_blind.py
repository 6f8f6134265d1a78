"""Agreement takes judgements as they stood before raters could know of each other; gold takes the last."""

from __future__ import annotations

from pathlib import Path

import annotationkit as kit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.aggregate.scope import in_scope
from annotation.agreement.adjudication import adjudication
from annotation.agreement.chance import fleiss_kappa, raw_agreement
from annotation.agreement.report import ReportOptions, scoped_report
from annotation.gold_rules import gold_table
from annotation.ratings import Ratings
from annotation.ratings_records import from_records, from_store
from annotation.ratings_scheme import LabelSet
from annotation.ratings_views import first_two, pilot
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Annotation, Decision

LABELS = LabelSet(("agree", "disagree", "discuss", "unrelated", "picture"), "given", frozenset({"picture"}))


def said(
    who: str, label: str, minute: int | None, number: int = 1, name: str = "main", pair: str = "p"
) -> Annotation:
    """A judgement at a minute of the day."""
    at = None if minute is None else f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00Z"
    return Annotation(
        id=f"{pair}-{who}-{name}-{number}",
        pair_id=pair,
        annotator=who,
        round=name,
        scheme="s",
        label=label,
        number=number,
        at=at,
    )


def ratings(*found: Annotation, spoken: dict[str, str] | None = None, ruling: str | None = None) -> Ratings:
    pairs = {one.pair_id: "c" for one in found}
    rulings = [Decision(id="d", pair_id="p", adjudicator="judge", label=ruling)] if ruling else []
    return from_records(found, pairs, labels=LABELS, decisions=rulings, spoken=spoken)


def blind(found: Ratings, name: str = "main") -> dict[str, str]:
    """Worker → label that agreement sees."""
    view = (first_two if name == "main" else pilot)(found).ratings
    return {
        view.workers[worker]: view.labels[label]
        for worker, label in zip(view.worker, view.label, strict=True)
    }


def last(found: Ratings) -> dict[str, str]:
    """Worker → label that gold sees."""
    return {
        found.workers[worker]: found.labels[label]
        for worker, label in zip(found.worker, found.label, strict=True)
    }


def test_a_revision_after_both_have_judged_is_for_gold_alone() -> None:
    found = ratings(said("a", "agree", 0), said("b", "discuss", 10), said("a", "discuss", 20, 2))
    assert blind(found) == {"a": "agree", "b": "discuss"}
    assert last(found) == {"a": "discuss", "b": "discuss"}
    assert found.revised == (1, 1)
    assert raw_agreement(first_two(found), None).value == 0.0
    assert [outcome.how for _, outcome in gold_table(found).rows()] == ["unanimous"]
    [note] = found.notes
    assert note.startswith("1 first judgement was revised, 1 of them when all first raters")


def test_a_revision_before_the_other_has_judged_is_blind() -> None:
    found = ratings(said("a", "agree", 0), said("a", "discuss", 5, 2), said("b", "discuss", 10))
    assert blind(found) == last(found) == {"a": "discuss", "b": "discuss"}
    assert found.revised == (1, 0)


def test_of_several_revisions_the_last_blind_one_counts() -> None:
    found = ratings(
        said("a", "agree", 0),
        said("a", "unrelated", 5, 2),
        said("b", "discuss", 10),
        said("a", "discuss", 20, 3),
        said("a", "disagree", 30, 4),
    )
    assert blind(found) == {"a": "unrelated", "b": "discuss"}
    assert last(found)["a"] == "disagree"


def test_agreement_that_breaks_later_is_cut_as_disagreement_that_heals() -> None:
    """A rule that looked at whether raters agree would tilt the figure one way."""
    heals = ratings(said("a", "agree", 0), said("b", "discuss", 1), said("b", "agree", 9, 2))
    breaks = ratings(said("a", "agree", 0), said("b", "agree", 1), said("b", "discuss", 9, 2))
    assert blind(heals) == {"a": "agree", "b": "discuss"}
    assert blind(breaks) == {"a": "agree", "b": "agree"}


def test_a_pilots_discussion_changes_no_agreement() -> None:
    talk = [said(who, "agree", 30 + n, 2, "pilot") for n, who in enumerate("abc")]
    found = ratings(
        said("a", "agree", 0, name="pilot"),
        said("b", "discuss", 1, name="pilot"),
        said("c", "unrelated", 2, name="pilot"),
        *talk,
    )
    assert blind(found, "pilot") == {"a": "agree", "b": "discuss", "c": "unrelated"}
    assert set(last(found).values()) == {"agree"}


def test_who_joins_a_discussed_pair_late_was_blind_and_the_others_were_not() -> None:
    found = ratings(
        said("a", "agree", 0, name="pilot"),
        said("b", "discuss", 1, name="pilot"),
        said("a", "discuss", 20, 2, "pilot"),
        said("late", "unrelated", 60, name="pilot"),
        spoken={"p": "2026-01-01T00:10:00Z"},
    )
    assert blind(found, "pilot") == {"a": "agree", "b": "discuss", "late": "unrelated"}


@pytest.mark.parametrize("other", [said("c", "discuss", 15, name="third"), None])
def test_a_third_rating_or_a_ruling_ends_the_blind_time_too(other: Annotation | None) -> None:
    rows = [said("a", "agree", 0), said("a", "discuss", 20, 2), said("b", "discuss", 30)]
    found = ratings(*rows, *([other] if other else []))
    assert blind(found)["a"] == ("agree" if other else "discuss")


@pytest.mark.parametrize("times", [(None, None, None), (0, 10, None), (0, 10, 10)])
def test_without_a_time_or_in_the_same_second_a_revision_counts_as_later(
    times: tuple[int | None, ...],
) -> None:
    a, b, again = times
    found = ratings(said("a", "agree", a), said("b", "discuss", b), said("a", "discuss", again, 2))
    assert blind(found) == {"a": "agree", "b": "discuss"}


def test_times_of_other_tools_are_read_as_times() -> None:
    rows = [said("a", "agree", 0), said("b", "discuss", 60)]
    later = said("a", "discuss", 0, 2).model_copy(update={"at": "2026-01-01T03:30:00+03:00"})
    strange = said("a", "discuss", 0, 2).model_copy(update={"at": "yesterday"})
    assert blind(ratings(*rows, later))["a"] == "discuss", "half past midnight in UTC: before the other"
    assert blind(ratings(*rows, strange))["a"] == "agree"


def test_a_disagreement_settled_by_revising_is_counted_as_one() -> None:
    found = adjudication(
        ratings(said("a", "agree", 0), said("b", "discuss", 10), said("a", "discuss", 20, 2))
    )
    assert (found.pairs, found.disagreed, found.by_revision, found.open) == (1, 1, 1, 0)
    ruled = adjudication(
        ratings(said("a", "agree", 0), said("b", "discuss", 1), said("a", "discuss", 2, 2), ruling="agree")
    )
    assert (ruled.by_revision, ruled.by_ruling) == (0, 1)


def test_a_blind_choice_out_of_scope_is_no_choice_among_the_others() -> None:
    rows = [said("a", "picture", 0), said("b", "agree", 10), said("a", "agree", 20, 2)]
    more = [said("a", "agree", 0, pair="q"), said("b", "agree", 0, pair="q")]
    scoped = in_scope(ratings(*rows, *more), LABELS.out_of_scope)
    assert scoped.removed.size == 0
    first = first_two(scoped.ratings)
    assert first.counts.sum(axis=1).tolist() == [1, 2]
    assert scoped.ratings.n_labels == 4


LABEL = st.sampled_from(LABELS.names)


@given(st.lists(st.tuples(LABEL, LABEL, LABEL, LABEL), min_size=2, max_size=6))
def test_what_is_revised_later_moves_no_coefficient_in_scope_or_out(
    pairs: list[tuple[str, str, str, str]],
) -> None:
    """Two judge each pair, then both revise, into scope or out of it."""
    first, later = [], []
    for place, (a, b, a_later, b_later) in enumerate(pairs):
        first += [said("a", a, 0, pair=str(place)), said("b", b, 1, pair=str(place))]
        later += [said("a", a_later, 2, 2, pair=str(place)), said("b", b_later, 3, 2, pair=str(place))]
    assert measured(ratings(*first)) == measured(ratings(*first, *later))


def measured(found: Ratings) -> object:
    """What is said of the first raters and of what is in scope; or why there is nothing."""
    try:
        report = scoped_report(found, LABELS.out_of_scope, ReportOptions(bootstrap=None))
    except UsageError as error:
        return error.what
    return repr([report["first"], report["out_of_scope"]["agreement"]])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("p", "q")),
            st.sampled_from("abc"),
            st.sampled_from(LABELS.names[:4]),
            st.integers(0, 90),
        ),
        min_size=1,
        max_size=24,
    )
)
def test_the_order_of_rows_decides_nothing_and_nothing_is_made_up(
    rows: list[tuple[str, str, str, int]],
) -> None:
    made: list[Annotation] = []
    for pair, who, label, minute in sorted(rows, key=lambda row: row[3]):
        number = 1 + sum((one.pair_id, one.annotator) == (pair, who) for one in made)
        made.append(said(who, label, minute, number, pair=pair))
    found = ratings(*made).blind()
    said_by = {(one.pair_id, one.annotator, one.label) for one in made}
    view = {
        (found.items[item], found.workers[worker]): found.labels[label]
        for item, worker, label in zip(found.item, found.worker, found.label, strict=True)
    }
    assert {(*key, label) for key, label in view.items()} <= said_by
    assert set(view) == {(one.pair_id, one.annotator) for one in made}
    back = ratings(*reversed(made)).blind()
    assert view == {
        (back.items[item], back.workers[worker]): back.labels[label]
        for item, worker, label in zip(back.item, back.worker, back.label, strict=True)
    }
    without = [one for one in made if one.number == 1]
    if len(without) == len(made):
        assert ratings(*made).revised == (0, 0)


def test_a_whole_pilot_that_confers_keeps_its_blind_kappa(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody judges, they talk, everybody comes round: κ stays, gold follows."""
    clock = iter(range(100_000))

    def now() -> str:
        second = next(clock)
        return f"2026-01-01T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"

    monkeypatch.setattr("annotation.rounds.judging.utc_now", now)
    with kit.make(tmp_path / "c", 12) as corpus:
        kit.people(corpus, ("amal", "bashir", "dima"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(12))
        held = {name: open_assignments(corpus.store, name) for name in ("amal", "bashir", "dima")}
        kit.judge_all(corpus, "amal", ("agree", "disagree", "discuss"))
        kit.judge_all(corpus, "bashir", ("agree", "discuss", "discuss"))
        kit.judge_all(corpus, "dima", ("agree", "disagree", "unrelated"))
        before = _kappa(corpus)
        assert before is not None
        for name in held:
            for one in held[name]:
                kit.judge(corpus, one, "agree", based_on=1)
        assert _kappa(corpus) == before
        found = from_store(corpus.store, labels=LABELS)
        assert found.revised == (36, sum(one.label != "agree" for one in corpus.store.all(Annotation)))
        assert gold_table(found).labels()["agree"] == 12


def _kappa(corpus: Corpus) -> float | None:
    return fleiss_kappa(pilot(from_store(corpus.store, labels=LABELS)), None).value


def test_where_everything_is_out_of_scope_nothing_is_measured() -> None:
    found = ratings(said("a", "picture", 0), said("b", "picture", 1))
    with pytest.raises(UsageError, match=r"every first judgement is out of scope \(picture\)"):
        scoped_report(found, LABELS.out_of_scope)


def test_guidelines_that_were_revised_within_a_round_are_told() -> None:
    rows = [
        said(who, "agree", 0, pair=pair, name=name).model_copy(update={"guideline": f"s-{version}"})
        for name, pair, version in (("pilot", "p", 1), ("pilot", "q", 2), ("main", "r", 2))
        for who in "ab"
    ]
    assert ratings(*rows).notes == (
        "pilot: judged under several versions of the guidelines (s-1: 2, s-2: 2)",
    )
