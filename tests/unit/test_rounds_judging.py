"""Rounds that run themselves: pilot, main, the third annotator, rulings; each judgement exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import pytest

from annotation.gold import GoldSettings, corpus_labels, judged
from annotation.ratings import MAIN
from annotation.rounds.disputes import disputes, to_discuss, to_rule
from annotation.rounds.leaving import leave, pass_on, skipped
from annotation.rounds.people import by_secret, clean_name, invite, revoke
from annotation.rounds.queue import next_step, open_assignments, progress, progress_of_all
from annotation.rounds.references import score
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import (
    Annotation,
    Assignment,
    Consent,
    Decision,
    Notice,
    Pair,
    Person,
    Reference,
    Round,
    Skip,
    Superseded,
    Work,
)

NAMES = ("amal", "bashir", "dima")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 12) as made:
        kit.people(made, NAMES)
        yield made


def deal_main(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))


def raters(corpus: Corpus, pair: str, name: str = "main") -> set[str]:
    return {
        one.annotator for one in corpus.store.all(Assignment, pair_id=pair, round=name) if not one.withdrawn
    }


def assignment(corpus: Corpus, pair: str, annotator: str, name: str = "main") -> Assignment:
    return next(corpus.store.all(Assignment, pair_id=pair, annotator=annotator, round=name))


def test_everybody_judges_the_pilot_and_two_each_pair_of_the_rest(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    assert dealer.write(dealer.pilot(4)) == 12
    deal_main(corpus)
    piloted = {one.pair_id for one in corpus.store.all(Assignment, round="pilot")}
    main = Counter(one.pair_id for one in corpus.store.all(Assignment, round="main"))
    assert len(piloted) == 4
    assert set(main.values()) == {2}
    assert not piloted & set(main)
    assert len(piloted) + len(main) == 12
    assert open_assignments(corpus.store, "amal")[0].round == "pilot", "the pilot comes first"


def test_dealing_again_deals_only_what_is_new(corpus: Corpus) -> None:
    deal_main(corpus)
    before = corpus.store.ids(Assignment)
    with pytest.raises(UsageError, match="no pair is left"):
        kit.dealer(corpus).main(None)
    kit.fill(corpus, 6, start=12)
    with corpus.store.transaction() as writer:
        writer.put_new([Superseded(id="pair-0012", why="left")])
    deal_main(corpus)
    new = [one for one in corpus.store.all(Assignment) if one.id not in before]
    assert len(new) == 10, "a superseded pair is not given to anybody"
    assert min(one.place for one in new) > max(
        one.place for one in corpus.store.all(Assignment, id=list(before))
    )
    found = corpus.store.get(Round, "main")
    assert found is not None
    assert len(found.design["deals"]) == 2


def test_a_third_is_asked_where_first_choices_differ_and_nowhere_else(corpus: Corpus) -> None:
    deal_main(corpus)
    for name, label in (("amal", "agree"), ("bashir", "agree"), ("dima", "discuss")):
        kit.judge_all(corpus, name, label)
    for pair in corpus.store.ids(Pair):
        first, third = raters(corpus, pair), raters(corpus, pair, "third")
        assert len(third) == (1 if "dima" in first else 0)
        assert not first & third, "never a previous rater"
    loads = Counter(one.annotator for one in corpus.store.all(Assignment, round="third"))
    assert loads == {"amal": 4, "bashir": 4}


def test_a_confidence_or_second_choice_that_differs_asks_nobody(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 3, '[corpus]\n[annotate]\nscheme = "scrum9"\n') as corpus:
        kit.people(corpus, NAMES)
        deal_main(corpus)
        for pair in sorted(corpus.store.ids(Pair)):
            a, b = sorted(raters(corpus, pair))
            assert kit.judge(corpus, assignment(corpus, pair, a), "comment", confidence=5) == "stored"
            kit.judge(corpus, assignment(corpus, pair, b), "comment", confidence=1, second="highly_uncertain")
        assert corpus.store.count(Assignment, round="third") == 0


def test_a_revision_calls_the_third_or_takes_the_question_back(corpus: Corpus) -> None:
    deal_main(corpus)
    pair = "pair-0000"
    a, b = sorted(raters(corpus, pair))
    mine, theirs = assignment(corpus, pair, a), assignment(corpus, pair, b)
    kit.judge(corpus, mine, "agree")
    kit.judge(corpus, theirs, "discuss")
    assert len(raters(corpus, pair, "third")) == 1
    assert kit.judge(corpus, theirs, "agree", based_on=1) == "stored"
    assert raters(corpus, pair, "third") == set()
    assert kit.judge(corpus, theirs, "unrelated", based_on=2) == "stored"
    third = raters(corpus, pair, "third")
    assert len(third) == 1
    kit.judge(corpus, assignment(corpus, pair, third.pop(), "third"), "agree")
    assert kit.judge(corpus, theirs, "agree", based_on=3) == "stored"
    assert len(raters(corpus, pair, "third")) == 1, "a judgement that was given stays"
    numbers = [one.number for one in corpus.store.all(Annotation, pair_id=pair, annotator=b)]
    assert sorted(numbers) == [1, 2, 3, 4], "append-only"


def test_nobody_left_to_ask_goes_to_adjudication(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 2) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        deal_main(corpus)
        kit.judge_all(corpus, "amal", "agree")
        kit.judge_all(corpus, "bashir", "disagree")
        assert [one.pair for one in to_rule(corpus.store, kit.settings(corpus))] == ["pair-0000", "pair-0001"]


def test_three_ways_wait_for_a_ruling_and_two_to_one_do_not(corpus: Corpus) -> None:
    deal_main(corpus)
    kit.judge_all(corpus, "amal", "agree")
    kit.judge_all(corpus, "bashir", "disagree")
    kit.judge_all(corpus, "dima", "disagree")
    open_third = [
        one for name in NAMES for one in open_assignments(corpus.store, name) if one.round == "third"
    ]
    assert to_rule(corpus.store, kit.settings(corpus)) == [], "while somebody is being asked, nothing waits"
    for place, one in enumerate(open_third):
        kit.judge(corpus, one, "discuss" if place % 2 else "agree")
    own = kit.settings(corpus)
    waiting = to_rule(corpus.store, own)
    assert 0 < len(waiting) < len(disputes(corpus.store))
    assert all(one.tied for one in waiting)
    everything = own.model_copy(update={"adjudicate": "all"})
    assert len(to_rule(corpus.store, everything)) == len(disputes(corpus.store))
    desk = kit.judging(corpus)
    pair = waiting[0].pair
    assert desk.rule(pair, "salma", "agree", None, 0) == "stored"
    assert desk.rule(pair, "salma", "agree", None, 0) == "same"
    assert desk.rule(pair, "layla", "discuss", None, 0) == "changed_elsewhere"
    assert desk.rule(pair, "layla", "discuss", "حجة", 1) == "stored"
    assert corpus.store.count(Decision, pair_id=pair) == 2
    assert pair not in {one.pair for one in to_rule(corpus.store, own)}


def test_an_answer_is_stored_once_whatever_is_clicked(corpus: Corpus) -> None:
    deal_main(corpus)
    one = open_assignments(corpus.store, "amal")[0]
    assert kit.judge(corpus, one, "agree", seconds=7) == "stored"
    assert kit.judge(corpus, one, "agree") == "same"
    assert kit.judge(corpus, one, "discuss") == "changed_elsewhere"
    assert kit.judge(corpus, one, "discuss", based_on=1) == "stored"
    assert corpus.store.count(Annotation, annotator="amal") == 2
    assert sorted(work.seconds for work in corpus.store.all(Work, person="amal")) == [7, 10]
    missing = one.model_copy(update={"id": "assignment-of-nobody"})
    assert kit.judge(corpus, missing, "agree", based_on=2) == "closed"


def test_a_closed_round_takes_nothing(corpus: Corpus) -> None:
    deal_main(corpus)
    one = open_assignments(corpus.store, "amal")[0]
    found = corpus.store.get(Round, "main")
    assert found is not None
    with corpus.store.transaction() as writer:
        writer.put([found.model_copy(update={"closed": True})])
    assert kit.judge(corpus, one, "agree") == "closed"
    assert open_assignments(corpus.store, "amal") == []


def test_pairs_dealt_one_by_one_fall_to_everybody(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    for _ in range(12):
        dealer.write(dealer.main(1))
    loads = [corpus.store.count(Assignment, annotator=name) for name in NAMES]
    assert sum(loads) == 24
    assert max(loads) - min(loads) <= 1


def test_what_is_passed_on_never_goes_to_who_judged_it(corpus: Corpus) -> None:
    deal_main(corpus)
    one = open_assignments(corpus.store, "amal")[0]
    others = set(NAMES) - raters(corpus, one.pair_id)
    assert others
    with corpus.store.transaction() as writer:
        writer.put_new(
            Annotation(
                id=f"file-{name}",
                pair_id=one.pair_id,
                annotator=name,
                round="main",
                scheme="arastance",
                label="agree",
            )
            for name in others
        )
    kit.judging(corpus).skip(one, "other")
    assert pass_on(corpus.store, kit.judging(corpus).follower, one.id) is None


def test_skipping_keeps_the_reason_and_somebody_else_can_be_asked(corpus: Corpus) -> None:
    deal_main(corpus)
    one = open_assignments(corpus.store, "amal")[0]
    desk = kit.judging(corpus)
    assert desk.skip(one, "text_broken", " النص مبتور ") == "stored"
    assert desk.skip(one, "text_broken", "النص مبتور") == "same"
    with pytest.raises(UsageError, match="no reason"):
        desk.skip(one, "bored")
    assert [skip.note for skip in corpus.store.all(Skip)] == ["النص مبتور"]
    assert one.id not in {found.id for found in open_assignments(corpus.store, "amal")}
    assert progress(corpus.store, "amal")["main"].skipped == 1
    [(skip, held)] = skipped(corpus.store)
    before = raters(corpus, one.pair_id)
    who = pass_on(corpus.store, desk.follower, held.id)
    assert who not in before
    assert raters(corpus, one.pair_id) == before - {"amal"} | {who}
    assert skipped(corpus.store) == []
    assert kit.judge(corpus, one, "agree") == "closed", "it is somebody else's now"
    assert skip.reason == "text_broken"


def test_what_was_skipped_can_still_be_judged(corpus: Corpus) -> None:
    deal_main(corpus)
    one = open_assignments(corpus.store, "amal")[0]
    kit.judging(corpus).skip(one, "cannot_decide")
    assert kit.judge(corpus, one, "agree") == "stored"
    assert skipped(corpus.store) == []
    assert kit.judging(corpus).skip(one, "other") == "changed_elsewhere"


def test_when_somebody_leaves_the_open_pairs_go_to_others(corpus: Corpus) -> None:
    deal_main(corpus)
    invite(corpus.store, "emad")
    done = open_assignments(corpus.store, "dima")[:3]
    for one in done:
        kit.judge(corpus, one, "agree")
    moved = leave(corpus.store, kit.judging(corpus).follower, "dima")
    assert moved.withdrawn == 5
    assert sum(moved.reassigned.values()) == 5
    assert moved.nobody == ()
    for pair in corpus.store.ids(Pair):
        assert len(raters(corpus, pair)) == 2
    assert corpus.store.count(Annotation, annotator="dima") == 3, "what was judged stays"
    person = corpus.store.get(Person, "dima")
    assert person is not None
    assert person.left
    assert person.invitation is None
    with pytest.raises(UsageError, match="nobody called"):
        leave(corpus.store, kit.judging(corpus).follower, "nobody")


def test_a_full_annotator_is_not_asked_third(corpus: Corpus) -> None:
    invite(corpus.store, "dima", capacity=8)
    deal_main(corpus)
    pair = next(pair for pair in sorted(corpus.store.ids(Pair)) if "dima" not in raters(corpus, pair))
    a, b = sorted(raters(corpus, pair))
    kit.judge(corpus, assignment(corpus, pair, a), "agree")
    kit.judge(corpus, assignment(corpus, pair, b), "discuss")
    assert raters(corpus, pair, "third") == set()
    assert [one.pair for one in to_rule(corpus.store, kit.settings(corpus))] == [pair]


def test_agreement_sees_first_ratings_alone(corpus: Corpus) -> None:
    deal_main(corpus)
    for name, label in (("amal", "agree"), ("bashir", "disagree"), ("dima", ("agree", "discuss"))):
        kit.judge_all(corpus, name, label)
    for name in NAMES:
        kit.judge_all(corpus, name, "agree")
    own = GoldSettings()
    ratings, _ = judged(corpus.store, own, corpus_labels(corpus, own))
    assert len(ratings.of_rounds(MAIN)) == 24
    assert len(ratings) > 24
    assert ratings.n_labels == 4


def test_a_personal_link_is_stored_hashed_and_can_be_revoked(corpus: Corpus) -> None:
    person, secret = invite(corpus.store, "salma", role="adjudicator", languages=["ar"])
    assert secret not in corpus.path.joinpath("corpus.db").read_bytes().decode("latin-1")
    assert by_secret(corpus.store, secret) == person
    _, other = invite(corpus.store, "salma")
    assert by_secret(corpus.store, secret) is None, "a new link ends the old one"
    again = by_secret(corpus.store, other)
    assert again is not None
    assert (again.role, again.languages) == ("adjudicator", ("ar",)), "what is not given stays"
    revoke(corpus.store, "salma")
    assert by_secret(corpus.store, other) is None
    with pytest.raises(UsageError, match="no role"):
        invite(corpus.store, "x", role="king")


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "amal\u202egnp.exe", "a\u200bb", "a\x07"])
def test_names_that_deceive_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        clean_name(name)


def test_expert_gold_trains_and_tests_and_never_counts(tmp_path: Path) -> None:
    toml = '[corpus]\n[annotate]\nhidden_every = 2\nscheme = "own.toml"\n'
    with kit.make(tmp_path / "c", 24, toml) as corpus:
        (corpus.path / "own.toml").write_text(
            '[[labels]]\nname = "agree"\n[[labels]]\nname = "discuss"\n'
            "[training]\nitems = 2\n[qualification]\nitems = 3\npass = 0.6\n",
            "utf-8",
        )
        kit.people(corpus, NAMES)
        dealer = kit.dealer(corpus)
        with pytest.raises(UsageError, match="needs 3 experts"):
            dealer.expert(9)
        for name in ("e1", "e2", "e3"):
            invite(corpus.store, name, role="adjudicator", expert=True)
        dealer.write(dealer.expert(9))
        with pytest.raises(UsageError, match="there are 0"):
            dealer.qualification(None)
        for name, labels in (("e1", "agree"), ("e2", ("agree", "discuss")), ("e3", ("agree", "discuss"))):
            kit.judge_all(corpus, name, labels)
        for deal in (dealer.training, dealer.qualification, dealer.hidden):
            dealer.write(deal(None))
        purposes = Counter(one.purpose for one in corpus.store.all(Reference))
        assert purposes == {"training": 2, "qualification": 3, "hidden": 4}
        assert {one.label for one in corpus.store.all(Reference, purpose="qualification")} == {
            "agree",
            "discuss",
        }
        deal_main(corpus)
        gold = corpus.store.ids(Reference)
        assert not gold & {one.pair_id for one in corpus.store.all(Assignment, round="main")}
        rounds = [one.round for one in open_assignments(corpus.store, "amal")]
        assert rounds[:5] == ["training"] * 2 + ["qualification"] * 3
        assert rounds[5:11] == ["main", "main", "hidden"] * 2, "hidden gold is mixed in"
        answers = {one.id: one.label for one in corpus.store.all(Reference)}
        assert may_go_on(corpus, "amal") == "judge"
        for one in open_assignments(corpus.store, "amal")[:5]:
            kit.judge(corpus, one, answers[one.pair_id])
        for one in open_assignments(corpus.store, "bashir")[:5]:
            kit.judge(corpus, one, "agree" if answers[one.pair_id] == "discuss" else "discuss")
        assert score(corpus.store, "amal", "qualification") == (3, 3)
        assert score(corpus.store, "bashir", "qualification") == (0, 3)
        assert may_go_on(corpus, "amal") == "judge"
        assert may_go_on(corpus, "bashir") == "failed"
        bashir = corpus.store.get(Person, "bashir")
        assert bashir is not None
        with corpus.store.transaction() as writer:
            writer.put([bashir.model_copy(update={"cleared": True})])
        assert may_go_on(corpus, "bashir") == "judge"
        tested = next(corpus.store.all(Annotation, annotator="bashir", round="qualification"))
        held = assignment(corpus, tested.pair_id, "bashir", "qualification")
        kit.judge(corpus, held, answers[tested.pair_id], based_on=1)
        assert score(corpus.store, "bashir", "qualification") == (0, 3), "only the first answer is the test's"


def may_go_on(corpus: Corpus, name: str) -> str:
    from annotation.rounds.notices import accept, notices

    own = kit.settings(corpus)
    scheme = own.read_scheme(corpus.path)
    found = notices(corpus.store, own, scheme, corpus.path)
    for kind in found.kinds:
        accept(corpus.store, name, kind, found.version(kind))
    person = corpus.store.get(Person, name)
    assert person is not None
    return next_step(corpus.store, person, own, scheme, found).what


def test_no_item_before_the_notices_and_none_after_the_quota(tmp_path: Path) -> None:
    from annotation.rounds.notices import accept, notices

    with kit.make(tmp_path / "c", 6, "[corpus]\n[annotate]\nper_day = 2\n") as corpus:
        kit.people(corpus, NAMES)
        deal_main(corpus)
        own = kit.settings(corpus)
        scheme = own.read_scheme(corpus.path)
        found = notices(corpus.store, own, scheme, corpus.path)
        person = corpus.store.get(Person, "amal")
        assert person is not None
        seen = []
        while (step := next_step(corpus.store, person, own, scheme, found)).what == "accept":
            assert step.notice is not None
            seen.append(step.notice)
            accept(corpus.store, "amal", step.notice, found.version(step.notice), 60)
            accept(corpus.store, "amal", step.notice, found.version(step.notice), 60)
        assert seen == ["information", "guidelines"]
        assert corpus.store.count(Consent) == 2
        assert sum(work.seconds for work in corpus.store.all(Work, person="amal")) == 120, "reading is paid"
        for one in open_assignments(corpus.store, "amal")[:2]:
            kit.judge(corpus, one, "agree")
        assert next_step(corpus.store, person, own, scheme, found).what == "enough"


def test_a_text_that_changes_needs_a_new_version(tmp_path: Path) -> None:
    from annotation.rounds.notices import notices

    with kit.make(tmp_path / "c", 2, '[corpus]\n[annotate]\ninformation = "sheet.toml"\n') as corpus:
        own = kit.settings(corpus)
        scheme = own.read_scheme(corpus.path)
        sheet = corpus.path / "sheet.toml"
        with pytest.raises(UsageError, match="no such information sheet"):
            notices(corpus.store, own, scheme, corpus.path)
        sheet.write_text('version = "1"\n[text]\nar = "نص"\n', "utf-8")
        notices(corpus.store, own, scheme, corpus.path)
        sheet.write_text('version = "1"\n[text]\nar = "نص آخر"\n', "utf-8")
        with pytest.raises(UsageError, match="still called version 1"):
            notices(corpus.store, own, scheme, corpus.path)
        sheet.write_text('version = "2"\n[text]\nar = "نص آخر"\n', "utf-8")
        assert notices(corpus.store, own, scheme, corpus.path).version("information") == "2"
        kept = {one.version: one.texts["ar"] for one in corpus.store.all(Notice, kind="information")}
        assert kept == {"1": "نص", "2": "نص آخر"}


def test_the_pilots_disagreements_are_discussed_by_those_who_judged(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.pilot(3))
    kit.judge_all(corpus, "amal", "agree")
    kit.judge_all(corpus, "bashir", ("agree", "discuss"))
    assert to_discuss(corpus.store) == [], "not before everybody judged"
    kit.judge_all(corpus, "dima", "agree")
    assert len(to_discuss(corpus.store, "amal")) == 1
    assert to_discuss(corpus.store, "salma") == []


def test_disagreements_of_a_closed_pilot_wait_for_nobody(corpus: Corpus) -> None:
    """Somebody never finished it, and the lead closed it: the others' disagreements are not lost for it."""
    dealer = kit.dealer(corpus)
    dealer.write(dealer.pilot(3))
    kit.judge_all(corpus, "amal", "agree")
    kit.judge_all(corpus, "bashir", ("agree", "discuss"))
    own = kit.settings(corpus)
    assert to_rule(corpus.store, own) == []
    [held] = corpus.store.all(Round, id="pilot")
    with corpus.store.transaction() as writer:
        writer.put([held.model_copy(update={"closed": True})])
    assert len(to_discuss(corpus.store, "amal")) == 1
    assert to_discuss(corpus.store, "dima") == [], "who has not judged it sees nothing of it"
    assert [one.pair for one in to_rule(corpus.store, own)] == [to_discuss(corpus.store)[0].pair]


def test_progress_counts_what_was_given_and_done(corpus: Corpus) -> None:
    deal_main(corpus)
    kit.judge(corpus, open_assignments(corpus.store, "amal")[0], "agree")
    found = progress_of_all(corpus.store)
    assert (found["amal", "main"].assigned, found["amal", "main"].judged) == (8, 1)
    assert found["amal", "main"].open == 7
    assert sum(one.assigned for one in found.values()) == 24
