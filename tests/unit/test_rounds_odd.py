"""What happens in rounds beside the usual: pairs that go, empty sheets, new versions, endless items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.rounds.disputes import to_rule
from annotation.rounds.leaving import leave, pass_on, skipped
from annotation.rounds.notices import accept, notices
from annotation.rounds.people import invite, revoke
from annotation.rounds.queue import next_step, open_assignments, progress
from annotation.rounds.references import references
from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.records import Annotation, Assignment, Person, Round, Skip, Superseded, Work

NAMES = ("amal", "bashir", "dima")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 12) as made:
        kit.people(made, NAMES)
        yield made


def supersede(corpus: Corpus, pair: str, gone: bool = True) -> None:
    with corpus.store.transaction() as writer:
        if gone:
            writer.put_new([Superseded(id=pair, why="pairing no longer keeps it")])
        else:
            writer.delete(Superseded, [pair])


def test_a_superseded_pair_that_nobody_judged_is_asked_of_nobody(corpus: Corpus) -> None:
    kit.deal_main(corpus)
    pair = sorted(kit.open_pairs(corpus, "amal"))[0]
    supersede(corpus, pair)
    assert all(pair not in kit.open_pairs(corpus, name) for name in NAMES)
    assert progress(corpus.store)["main"].assigned == 22, "and it is missing from nobody's progress"
    supersede(corpus, pair, gone=False)
    assert pair in kit.open_pairs(corpus, "amal"), "it comes back with the pair"


def test_a_superseded_pair_that_somebody_judged_is_finished(corpus: Corpus) -> None:
    kit.deal_main(corpus)
    held = {one.pair_id: one for one in open_assignments(corpus.store, "amal")}
    shared = sorted(held.keys() & kit.open_pairs(corpus, "bashir"))[0]
    kit.judge(corpus, held[shared], "agree")
    supersede(corpus, shared)
    assert shared in kit.open_pairs(corpus, "bashir"), "half a judgement would be lost"
    theirs = next(one for one in open_assignments(corpus.store, "bashir") if one.pair_id == shared)
    kit.judge(corpus, theirs, "discuss")
    assert shared in kit.open_pairs(corpus, "dima"), "the third as well"


def test_an_item_that_everybody_skips_is_the_leads_alone(corpus: Corpus) -> None:
    kit.deal_main(corpus)
    desk = kit.judging(corpus)
    pair = sorted(kit.open_pairs(corpus, "amal") & kit.open_pairs(corpus, "bashir"))[0]
    for _ in range(2):
        for name in NAMES:
            for one in open_assignments(corpus.store, name):
                if one.pair_id == pair:
                    desk.skip(one, "text_broken")
        waiting = [held for _, held in skipped(corpus.store)]
        moved = [pass_on(corpus.store, desk.follower, held.id) for held in waiting]
    assert moved.count(None) == 2, "nobody is left who has not skipped it"
    assert {skip.annotator for skip in corpus.store.all(Skip, pair_id=pair)} == set(NAMES)
    assert all(pair not in kit.open_pairs(corpus, name) for name in NAMES)
    assert pair not in {one.pair for one in to_rule(corpus.store, kit.settings(corpus))}
    assert len(skipped(corpus.store)) == 2, "it waits with its reasons"


def test_time_on_an_item_is_capped_whatever_is_said(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 6, "[corpus]\n[annotate]\nidle_seconds = 90\n") as corpus:
        kit.people(corpus, NAMES)
        kit.deal_main(corpus)
        mine = open_assignments(corpus.store, "amal")
        for one, seconds in zip(mine, (40.0, 7200.0, math.inf, math.nan), strict=True):
            kit.judge(corpus, one, "agree", seconds=seconds)
        assert sorted(one.seconds or 0.0 for one in corpus.store.all(Annotation)) == [0.0, 40.0, 90.0, 90.0]
        assert sum(work.seconds for work in corpus.store.all(Work, person="amal")) == 220.0
        kit.judging(corpus).skip(open_assignments(corpus.store, "bashir")[0], "other", seconds=1e9)
        kit.judging(corpus).rule("pair-0000", "salma", "agree", None, 0, seconds=-5.0)
        assert [work.seconds for work in corpus.store.all(Work, what="skip")] == [90.0]
        assert [work.seconds for work in corpus.store.all(Work, what="ruling")] == [0.0]


@pytest.mark.parametrize(
    "sheet",
    [
        'version = "1"\n[text]\nar = ""\n',
        'version = "1"\n[text]\nar = "  "\nen = "\\n"\n',
        'version = " "\n[text]\nar = "نص"\n',
        'version = "1"\n[text]\nar = 3\n',
        'version = "1"\n',
        'version = 1\n[text]\nar = "نص"\n',
    ],
)
def test_no_sheet_is_no_way_past_the_sheet(tmp_path: Path, sheet: str) -> None:
    with kit.make(tmp_path / "c", 2, '[corpus]\n[annotate]\ninformation = "sheet.toml"\n') as corpus:
        (corpus.path / "sheet.toml").write_text(sheet, "utf-8")
        own = kit.settings(corpus)
        with pytest.raises(InputError, match=r"sheet\.toml"):
            notices(corpus.store, own, own.read_scheme(corpus.path), corpus.path)


def test_a_new_version_is_accepted_before_any_further_item(tmp_path: Path) -> None:
    toml = '[corpus]\n[annotate]\nscheme = "own.toml"\n'
    labels = '[[labels]]\nname = "agree"\n[[labels]]\nname = "discuss"\n[guidelines]\nen = "Read."\n'
    with kit.make(tmp_path / "c", 6, toml) as corpus:
        (corpus.path / "own.toml").write_text(labels, "utf-8")
        kit.people(corpus, NAMES)
        kit.deal_main(corpus)
        steps = []
        for version in ("1", "2"):
            if version == "2":
                text = labels.replace('en = "Read."', 'version = "2"\nen = "Read slowly."')
                (corpus.path / "own.toml").write_text(text, "utf-8")
            own = kit.settings(corpus)
            scheme = own.read_scheme(corpus.path)
            found = notices(corpus.store, own, scheme, corpus.path)
            person = corpus.store.get(Person, "amal")
            assert person is not None
            while (step := next_step(corpus.store, person, own, scheme, found)).what == "accept":
                assert step.notice is not None
                steps.append((step.notice, found.version(step.notice)))
                accept(corpus.store, "amal", step.notice, found.version(step.notice), 30)
            assert step.what == "judge"
        assert steps == [("information", "1"), ("guidelines", "own-1"), ("guidelines", "own-2")]
        assert corpus.store.count(Assignment, annotator="amal") == len(open_assignments(corpus.store, "amal"))


def test_guidelines_that_change_under_the_same_version_are_refused(tmp_path: Path) -> None:
    toml = '[corpus]\n[annotate]\nscheme = "own.toml"\n'
    labels = '[[labels]]\nname = "agree"\n[[labels]]\nname = "discuss"\n[guidelines]\nen = "Read."\n'
    with kit.make(tmp_path / "c", 2, toml) as corpus:
        for text in (labels, labels.replace("Read.", "Read twice.")):
            (corpus.path / "own.toml").write_text(text, "utf-8")
            own = kit.settings(corpus)
            scheme = own.read_scheme(corpus.path)
            if text == labels:
                notices(corpus.store, own, scheme, corpus.path)
                continue
            with pytest.raises(
                UsageError, match="guidelines text has changed but is still called version"
            ) as e:
                notices(corpus.store, own, scheme, corpus.path)
            assert e.value.where == str(corpus.path / "own.toml")


def test_an_information_sheet_that_changes_under_the_same_version_is_named_with_its_folder(
    tmp_path: Path,
) -> None:
    with kit.make(tmp_path / "c", 2, '[corpus]\n[annotate]\ninformation = "sheet.toml"\n') as corpus:
        own = kit.settings(corpus)
        for text in ("اقرأ.", "اقرأ مرتين."):
            sheet = f'version = "1"\n[text]\nar = "{text}"\n'
            (corpus.path / "sheet.toml").write_text(sheet, "utf-8")
            if text == "اقرأ.":
                notices(corpus.store, own, own.read_scheme(corpus.path), corpus.path)
        with pytest.raises(UsageError, match="information text has changed") as e:
            notices(corpus.store, own, own.read_scheme(corpus.path), corpus.path)
        assert e.value.where == str(corpus.path / "sheet.toml")


def test_nothing_is_dealt_into_a_closed_round(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(4))
    known = corpus.store.get(Round, "main")
    assert known is not None
    with corpus.store.transaction() as writer:
        writer.put([known.model_copy(update={"closed": True})])
    with pytest.raises(UsageError, match="round main is closed"):
        dealer.write(dealer.main(4))
    assert corpus.store.count(Assignment) == 8


def test_feedback_tells_the_reasons_of_the_experts_who_were_right(corpus: Corpus) -> None:
    for name in ("e1", "e2", "e3", "e4"):
        invite(corpus.store, name, role="adjudicator", expert=True)
    dealer = kit.dealer(corpus)
    dealer.write(dealer.expert(2))
    notes = {"e1": " ينفي الخبر ", "e2": None, "e3": "قرأته على عجل", "e4": "ينفي الخبر"}
    for name, note in notes.items():
        for one in open_assignments(corpus.store, name):
            kit.judge(corpus, one, "agree" if name == "e3" else "disagree", note=note)
    [first, second] = references(corpus.store, dealer.scheme).free
    assert first.label == second.label == "disagree"
    assert first.votes == {"agree": 1, "disagree": 3}
    assert first.why == "ينفي الخبر", "once, and without the one who was overruled"


def test_a_slip_in_a_language_or_an_exclusion_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    with kit.make(folder, 8) as corpus:
        with pytest.raises(UsageError, match="'arabic' is no code of a language"):
            invite(corpus.store, "amal", languages=["arabic"])
        assert corpus.store.count(Person) == 0
        words = ["invite", "--language", "fr", "--exclude", "site1", "--exclude", "sit1", "amal", str(folder)]
        said = CliRunner().invoke(annotate, words, catch_exceptions=False).output
        assert "no claim is in the language fr (yet)" in said
        assert "no site, outlet or claim is called sit1 (yet)" in said
        assert "called site1" not in said
        words = ["invite", "--language", "", "--exclude", "", "amal", str(folder), "--json"]
        assert CliRunner().invoke(annotate, words, catch_exceptions=False).exit_code == 0
        person = corpus.store.get(Person, "amal")
        assert person is not None
        assert (person.languages, person.excluded) == ((), ()), "all and none again"


def test_hidden_gold_needs_gold(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="hidden needs 1 pair on which most of 3 experts agree, there are 0"):
        kit.dealer(corpus).hidden(None)


def differ(corpus: Corpus, pair: str) -> list[Assignment]:
    """The two of a pair judge it differently."""
    held = sorted(corpus.store.all(Assignment, pair_id=pair, round="main"), key=lambda one: one.annotator)
    for one, label in zip(held, ("agree", "discuss"), strict=True):
        kit.judge(corpus, one, label)
    return held


def test_a_pair_that_was_ruled_on_asks_for_no_third(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        kit.deal_main(corpus)
        first = differ(corpus, "pair-0000")[0]
        kit.judging(corpus).rule("pair-0000", "salma", "agree", None, 0)
        kit.people(corpus, ("dima",))
        kit.judge(corpus, first, "unrelated", based_on=1)
        assert corpus.store.count(Assignment, round="third") == 0
        differ(corpus, "pair-0001")
        assert corpus.store.count(Assignment, round="third") == 1, "others still do"


def test_who_has_no_link_is_asked_third_only_where_there_is_nobody_else(corpus: Corpus) -> None:
    kit.people(corpus, ("emad",))
    kit.deal_main(corpus)
    names = (*NAMES, "emad")
    pair = "pair-0000"
    free = sorted(set(names) - {one.annotator for one in corpus.store.all(Assignment, pair_id=pair)})
    revoke(corpus.store, free[0])
    differ(corpus, pair)
    assert [one.annotator for one in corpus.store.all(Assignment, round="third")] == [free[1]]
    leave(corpus.store, kit.judging(corpus).follower, free[1])
    live = [one for one in corpus.store.all(Assignment, round="third") if one.withdrawn is None]
    assert [one.annotator for one in live] == [free[0]]


def test_nobody_rules_on_what_they_judged_whatever_way_they_come(corpus: Corpus) -> None:
    kit.deal_main(corpus)
    judge = differ(corpus, "pair-0000")[0].annotator
    with pytest.raises(UsageError, match="nobody rules on what they judged"):
        kit.judging(corpus).rule("pair-0000", judge, "agree", None, 0)
    assert kit.judging(corpus).rule("pair-0000", "salma", "agree", None, 0) == "stored"


def test_two_leads_who_give_the_same_third_ratings_give_them_once(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        kit.deal_main(corpus)
        differ(corpus, "pair-0000")
        kit.people(corpus, ("dima", "emad"))
        one, other = kit.dealer(corpus), kit.dealer(corpus)
        dealt = one.third(None)
        invite(corpus.store, "dima", capacity=0)
        invite(corpus.store, "emad", capacity=0)
        kit.people(corpus, ("farah",))
        assert other.write(other.third(None)) == 1
        with pytest.raises(UsageError, match="deal again"):
            one.write(dealt)
        assert corpus.store.count(Assignment, round="third") == 1


@pytest.mark.parametrize("how", ["superseded", "closed"])
def test_who_leaves_leaves_what_is_not_asked_for_at_present_too(corpus: Corpus, how: str) -> None:
    kit.deal_main(corpus)
    pair = sorted(kit.open_pairs(corpus, "amal"))[0]
    known = corpus.store.get(Round, "main")
    assert known is not None
    if how == "superseded":
        supersede(corpus, pair)
    else:
        with corpus.store.transaction() as writer:
            writer.put([known.model_copy(update={"closed": True})])
    leave(corpus.store, kit.judging(corpus).follower, "amal")
    if how == "superseded":
        supersede(corpus, pair, gone=False)
    else:
        with corpus.store.transaction() as writer:
            writer.put([known])
    assert kit.open_pairs(corpus, "amal") == set()
    assert sum(pair in kit.open_pairs(corpus, name) for name in ("bashir", "dima")) == 2
