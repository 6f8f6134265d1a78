"""Hidden gold: said where it waits, mixed in when there is room for it, and never lost to other uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import annotationkit as kit
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.rounds.dealing import Dealer
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Assignment, Claim, Pair, Reference

SCHEME = (
    '[[labels]]\nname = "agree"\n[[labels]]\nname = "discuss"\n[training]\nitems = 2\n'
    "[qualification]\nitems = 3\npass = 0.6\n"
)
TOML = '[corpus]\n[annotate]\nscheme = "own.toml"\n'


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Three experts agree on six pairs; eighteen others wait."""
    with kit.make(tmp_path / "c", 24, TOML) as opened:
        (opened.path / "own.toml").write_text(SCHEME, "utf-8")
        kit.people(opened, ("amal", "bashir", "dima"))
        for name in ("e1", "e2", "e3"):
            invite(opened.store, name, role="adjudicator", expert=True)
        dealer = kit.dealer(opened)
        dealer.write(dealer.expert(6))
        for name in ("e1", "e2", "e3"):
            kit.judge_all(opened, name, ["agree", "discuss"])
        yield opened


def dealer(corpus: Corpus, every: int = 0) -> Dealer:
    made = kit.dealer(corpus)
    made.own = made.own.model_copy(update={"hidden_every": every})
    return made


def run(corpus: Corpus, *words: str) -> str:
    done = CliRunner().invoke(annotate, ["assign", *words, str(corpus.path)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stderr


def test_a_deal_says_that_hidden_gold_waits_while_none_is_mixed_in(corpus: Corpus) -> None:
    assert "hidden gold" not in run(corpus, "--pairs", "6")
    assert "6 pairs of hidden gold wait: none is mixed in while hidden_every is 0" in run(
        corpus, "--round", "hidden"
    )
    assert "6 pairs of hidden gold wait" in run(corpus, "--pairs", "6")
    assert corpus.store.count(Assignment, round="hidden") == 0


def test_gold_that_is_set_aside_is_named_where_more_is_wanted(corpus: Corpus) -> None:
    first = dealer(corpus)
    first.write(first.hidden(None))
    with pytest.raises(UsageError, match="there are 0 .set aside already: 6 for hidden.") as error:
        first.hidden(None)
    assert "set hidden_every under" in error.value.line()
    with pytest.raises(UsageError, match="there are 0 .set aside already: 6 for hidden.") as error:
        dealer(corpus, every=3).hidden(None)
    assert "deal the main round" in error.value.line()
    with pytest.raises(
        UsageError, match="training needs 2 pairs .* there are 0 .set aside already: 6 for"
    ) as e:
        first.training(None)
    assert "--from-hidden" in e.value.line()


def test_hidden_gold_that_nobody_was_given_may_train_and_test(corpus: Corpus) -> None:
    first = dealer(corpus)
    first.write(first.hidden(None))
    run(corpus, "--round", "training", "--from-hidden")
    purposes = Counter(one.purpose for one in corpus.store.all(Reference))
    assert purposes == {"training": 2, "hidden": 4}
    mixing = dealer(corpus, every=6)
    mixing.write(mixing.main(None))
    given = {one.pair_id for one in corpus.store.all(Assignment, round="hidden")}
    assert given
    with pytest.raises(UsageError, match="qualification needs 3 pairs"):
        mixing.qualification(None, from_hidden=True)
    assert given <= {one.id for one in corpus.store.all(Reference, purpose="hidden")}


def test_gold_that_was_given_meanwhile_stays_hidden(corpus: Corpus) -> None:
    first = dealer(corpus, every=3)
    first.write(first.hidden(None))
    late = first.training(None, from_hidden=True)
    first.write(first.main(None))
    with pytest.raises(UsageError, match="dealt meanwhile"):
        first.write(late)
    assert {one.purpose for one in corpus.store.all(Reference)} == {"hidden"}


def test_hidden_gold_is_mixed_into_what_is_open_of_a_main_round_dealt_before(corpus: Corpus) -> None:
    early = dealer(corpus)
    early.write(early.main(None))
    kit.judge(corpus, open_assignments(corpus.store, "amal")[0], "agree")
    early.write(early.hidden(None))
    later = dealer(corpus, every=3)
    dealt = later.hidden(None)
    assert later.write(dealt) == len(dealt.assignments) > 0
    gold = corpus.store.ids(Reference)
    for name in ("amal", "bashir", "dima"):
        queue = open_assignments(corpus.store, name)
        rounds = [one.round for one in queue]
        assert rounds.count("hidden") == rounds.count("main") // 3
        assert {one.pair_id for one in queue if one.round == "hidden"} <= gold
        spread = [place for place, found in enumerate(rounds) if found == "hidden"]
        assert all(b - a >= 2 for a, b in pairwise(spread)), "not one upon the other"
    with pytest.raises(UsageError, match="hidden needs 1 pair"):
        later.hidden(None)


def test_nobody_is_given_hidden_gold_that_they_may_not_judge(corpus: Corpus) -> None:
    invite(corpus.store, "amal", excluded=["site0"])
    both = dealer(corpus, every=1)
    both.write(both.hidden(None))
    both.write(both.main(None))
    site = {claim.id: claim.site for claim in corpus.store.all(Claim)}
    claim = {pair.id: pair.claim_id for pair in corpus.store.all(Pair)}
    given = [one.pair_id for one in corpus.store.all(Assignment, annotator="amal", round="hidden")]
    assert given
    assert {site[claim[pair]] for pair in given} == {"site1"}


@pytest.mark.parametrize("name", ["main", "pilot", "hidden", "expert", "third"])
def test_from_hidden_is_for_training_and_tests_alone(corpus: Corpus, name: str) -> None:
    done = CliRunner().invoke(annotate, ["assign", "--round", name, "--from-hidden", str(corpus.path)])
    assert isinstance(done.exception, UsageError)
    assert "--from-hidden belongs to" in done.exception.line()
