"""Two at once: the lead and annotators, two leads, the same click twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import pytest

from annotation.rounds import leaving
from annotation.rounds.following import Follower
from annotation.rounds.leaving import leave, pass_on
from annotation.rounds.people import change, clear, invite, revoke
from annotation.rounds.queue import open_assignments
from annotation.rounds.writing import writing
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Annotation, Assignment, Person, Round
from dalil.state.store import Writer


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 40) as made:
        kit.people(made, ("amal", "bashir", "dima", "farid"))
        yield made


def follower(corpus: Corpus) -> Follower:
    own = kit.settings(corpus)
    return Follower(corpus.store, own, own.read_scheme(corpus.path))


def seats(corpus: Corpus) -> dict[str, set[str]]:
    """Pair → who has judged it or is still to, in the main round."""
    out: dict[str, set[str]] = {}
    judged = {(one.pair_id, one.annotator) for one in corpus.store.all(Annotation, round="main")}
    for one in corpus.store.all(Assignment, round="main"):
        if one.withdrawn is None or (one.pair_id, one.annotator) in judged:
            out.setdefault(one.pair_id, set()).add(one.annotator)
    return out


@pytest.mark.parametrize("turn", range(3))
def test_leaving_while_judging_gives_no_pair_to_three(corpus: Corpus, turn: int) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))
    held = open_assignments(corpus.store, "amal")
    start = threading.Barrier(2)
    judging = kit.judging(corpus)

    def judges() -> None:
        start.wait()
        for one in reversed(held):
            kit.judge(corpus, one, "agree")

    thread = threading.Thread(target=judges)
    thread.start()
    start.wait()
    moved = leave(corpus.store, judging.follower, "amal")
    thread.join()
    judged = corpus.store.count(Annotation, annotator="amal")
    assert moved.withdrawn + judged == len(held), "each item is judged or given away, never both"
    assert {len(found) for found in seats(corpus).values()} == {2}


def test_a_leaving_that_was_cut_short_goes_on(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))
    held = len(open_assignments(corpus.store, "amal"))
    assert held < leaving.AT_ONCE * 2
    replace, calls = Follower.replace, [0]

    def dies(self: Follower, writer: Writer, lost: Assignment) -> Assignment | None:
        calls[0] += 1
        if calls[0] > 7:
            raise KeyboardInterrupt
        return replace(self, writer, lost)

    monkeypatch.setattr(leaving, "AT_ONCE", 5)
    with monkeypatch.context() as patched:
        patched.setattr(Follower, "replace", dies)
        with pytest.raises(KeyboardInterrupt):
            leave(corpus.store, follower(corpus), "amal")
    assert len(open_assignments(corpus.store, "amal")) == held - 5, "all or nothing of each few"
    assert leave(corpus.store, follower(corpus), "amal").withdrawn == held - 5
    assert {len(found) for found in seats(corpus).values()} == {2}
    assert leave(corpus.store, follower(corpus), "amal").withdrawn == 0


def test_what_two_leads_change_of_one_person_both_stays(corpus: Corpus) -> None:
    """Whoever changes somebody reads them anew: letting them work does not bring them back."""
    with writing(corpus.store) as writer:
        change(writer, "amal", left=True, invitation=None)
    cleared = clear(corpus.store, "amal")
    assert (cleared.cleared, cleared.left, cleared.invitation) == (True, True, None)
    invite(corpus.store, "bashir", capacity=3)
    assert revoke(corpus.store, "bashir").capacity == 3
    for act in (clear, revoke):
        with pytest.raises(UsageError, match="nobody called"):
            act(corpus.store, "nobody")


def test_an_item_is_passed_on_once(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.pilot(2))
    dealer.write(dealer.main(None))
    held = next(corpus.store.all(Assignment, round="main", annotator="amal"))
    assert pass_on(corpus.store, follower(corpus), held.id)
    with pytest.raises(UsageError, match="already"):
        pass_on(corpus.store, follower(corpus), held.id)
    assert len(seats(corpus)[held.pair_id]) == 2
    pilot = next(corpus.store.all(Assignment, round="pilot", annotator="amal"))
    with pytest.raises(UsageError, match="main and third"):
        pass_on(corpus.store, follower(corpus), pilot.id)


def test_a_deal_made_before_another_is_not_stored_over_it(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    pilot, other, main = dealer.pilot(5), dealer.pilot(8), dealer.main(None)
    assert dealer.write(pilot) == 20
    assert dealer.write(pilot) == 0, "the same once more"
    for late in (other, main):
        with pytest.raises(UsageError, match="5 pairs of this deal were given out"):
            dealer.write(late)
    assert {one.round for one in corpus.store.all(Assignment)} == {"pilot"}
    known = corpus.store.get(Round, "pilot")
    assert known is not None
    assert len(known.design["deals"]) == 1


def test_who_left_meanwhile_is_given_nothing(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealt = dealer.main(None)
    leave(corpus.store, follower(corpus), "dima")
    with pytest.raises(UsageError, match="1 of its people left"):
        dealer.write(dealt)
    assert corpus.store.count(Assignment) == 0
    dealer.write(dealer.main(None))
    gone = corpus.store.get(Person, "dima")
    assert gone is not None
    assert gone.left
    assert open_assignments(corpus.store, "dima") == []
