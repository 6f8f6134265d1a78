"""Who is asked: nobody twice about a pair, whatever they skipped, ruled on, brought from a file, or left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import exchangekit as exchange
import pytest

from annotation.exchange.votes import Vote
from annotation.rounds.leaving import leave
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Assignment, Pair

NAMES = ("amal", "bashir", "dima")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 12) as made:
        kit.people(made, NAMES)
        yield made


def test_who_skipped_a_third_rating_is_not_asked_for_it_again(tmp_path: Path) -> None:
    with kit.make(tmp_path / "corpus", 1) as corpus:
        kit.people(corpus, (*NAMES, "ehab"))
        kit.deal_main(corpus)
        first, second = corpus.store.all(Assignment, round="main")
        kit.judge(corpus, first, "agree")
        kit.judge(corpus, second, "disagree")
        [third] = corpus.store.all(Assignment, round="third")
        assert kit.judging(corpus).skip(third, "upsetting") == "stored"
        kit.judge(corpus, second, "agree", 1)
        kit.judge(corpus, second, "disagree", 2)
        [other] = {*NAMES, "ehab"} - {first.annotator, second.annotator, third.annotator}
        assert live_of(corpus, "third") == [other]


def live_of(corpus: Corpus, name: str) -> list[str]:
    """Who is asked in a round."""
    return [one.annotator for one in corpus.store.all(Assignment, round=name) if not one.withdrawn]


def test_a_file_has_nobody_judge_what_they_are_still_asked_for_in_another_round(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "corpus", 1) as corpus:
        kit.people(corpus, NAMES)
        kit.deal_main(corpus)
        for one, label in zip(corpus.store.all(Assignment, round="main"), ("agree", "disagree"), strict=True):
            exchange.say(corpus, one, label, 5)
        [third] = live_of(corpus, "third")
        with pytest.raises(InputError, match=f"{third} is still to judge this pair in round third"):
            exchange.take(corpus, [Vote("pair-0000", third, "main", "agree", 5)])
        done = exchange.take(corpus, [Vote("pair-0000", third, "", "agree", 5)])
        assert done.judgements == 1, "a file without rounds means the one that is asked for"
        again = exchange.take(corpus, [Vote("pair-0000", third, "again", "discuss", 5)])
        assert again.judgements == 1, "once more says how steady they are, and counts nowhere"


def test_who_joins_late_is_not_given_what_they_judged_elsewhere(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "corpus", 2) as corpus:
        kit.people(corpus, NAMES[:2])
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(2))
        exchange.take(corpus, [Vote("pair-0000", "dima", "main", "agree", 5)])
        kit.people(corpus, ("dima",))
        assert [one.pair_id for one in dealer.pilot(None).assignments] == ["pair-0001"]


def test_who_ruled_on_a_pair_is_not_asked_to_judge_it(corpus: Corpus) -> None:
    kit.deal_main(corpus)
    held = corpus.store.all(Assignment, round="main", pair_id="pair-0000")
    first, second = held
    kit.people(corpus, ("salma",), "adjudicator")
    assert kit.judging(corpus).rule("pair-0000", "salma", "agree", None, 0) == "stored"
    invite(corpus.store, "salma", role="annotator")
    [other] = set(NAMES) - {first.annotator, second.annotator}
    leave(corpus.store, kit.judging(corpus).follower, second.annotator)
    now = corpus.store.all(Assignment, round="main", pair_id="pair-0000")
    assert {one.annotator for one in now if not one.withdrawn} == {first.annotator, other}
    leave(corpus.store, kit.judging(corpus).follower, other)
    now = corpus.store.all(Assignment, round="main", pair_id="pair-0000")
    assert {one.annotator for one in now if not one.withdrawn} == {first.annotator}


def test_who_comes_back_goes_on_with_what_everybody_is_given(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.pilot(6))
    dealer.write(dealer.main(None))
    first, *others = open_assignments(corpus.store, "amal")
    pilot = {one.pair_id for one in others if one.round == "pilot"}
    kit.judge(corpus, first, "agree")
    leave(corpus.store, kit.judging(corpus).follower, "amal")
    assert kit.open_pairs(corpus, "amal") == set()
    claims = {one.id: one.claim_id for one in corpus.store.all(Pair)}
    barred = claims[min(pilot)]
    invite(corpus.store, "amal", excluded=(barred,))
    assert kit.open_pairs(corpus, "amal") == {pair for pair in pilot if claims[pair] != barred}
    leave(corpus.store, kit.judging(corpus).follower, "amal")
    invite(corpus.store, "amal", excluded=())
    assert kit.open_pairs(corpus, "amal") == pilot, "and not the main round's, which went to others"
    assert {one.round for one in open_assignments(corpus.store, "amal")} == {"pilot"}


def test_more_first_judgements_of_a_file_ask_for_another_only_where_none_leads(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "corpus", 3) as corpus:
        kit.people(corpus, NAMES)
        said = {
            "pair-0000": ("agree", "agree", "discuss"),
            "pair-0001": ("agree", "agree", "discuss", "discuss"),
            "pair-0002": ("agree", "disagree", "discuss"),
        }
        votes = [
            Vote(pair, f"w{place}", "main", label, 5)
            for pair, labels in said.items()
            for place, label in enumerate(labels)
        ]
        exchange.take(corpus, votes)
        asked = {one.pair_id for one in corpus.store.all(Assignment, round="third") if not one.withdrawn}
        assert asked == {"pair-0001", "pair-0002"}
        exchange.take(corpus, [Vote("pair-0001", "w4", "main", "agree", 5)])
        asked = {one.pair_id for one in corpus.store.all(Assignment, round="third") if not one.withdrawn}
        assert asked == {"pair-0002"}, "now one leads"
