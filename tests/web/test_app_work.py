"""The annotator's way through the page, by forms alone: no script is needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import pytest
from pagekit import Walker

from annotation.app.items import item_view
from annotation.app.server import create_app
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from annotation.schemes import scheme_of
from dalil.corpus import Corpus
from dalil.records import (
    Annotation,
    Assignment,
    ClaimEdit,
    Decision,
    Reference,
    Remark,
    Skip,
    Work,
)
from dalil.text.sentences import sentences

SCRUM9 = '[corpus]\n[annotate]\nscheme = "scrum9"\n'


OWN = """
[[labels]]
name = "yes"
[[labels]]
name = "no"
[[questions]]
name = "how"
kind = "choice"
text = { ar = "كيف؟", en = "How?" }
options = [{ value = "denial", ar = "نفي", en = "Denial" }, { value = "silence", ar = "سكوت" }]
[[questions]]
name = "clarity"
kind = "scale"
text = { ar = "ما مدى الوضوح؟", en = "How clear?" }
options = [{ value = 1, ar = "غامض", en = "Vague" }, { value = 2, ar = "واضح", en = "Clear" }]
[[questions]]
name = "why"
kind = "text"
text = { ar = "لماذا؟", en = "Why?" }
"""


def page_of(corpus: Corpus, names: tuple[str, ...] = ("amal", "bashir", "dima")) -> dict[str, Walker]:
    """The page, everybody entered, the main round dealt."""
    secrets = kit.people(corpus, names) | kit.people(corpus, ("salma",), "adjudicator")
    secrets |= kit.people(corpus, ("layla",), "lead")
    app: Any = create_app(corpus)
    return {name: Walker(app, secret) for name, secret in secrets.items()}


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 6) as made:
        yield made


def deal(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))


def test_judging_undo_and_revising(corpus: Corpus) -> None:
    amal = page_of(corpus)["amal"]
    deal(corpus)
    page = amal.accept_notices()
    first = page.form_of("answer")[0]
    page = amal.judge(page, label="discuss", note="ينقل الخبر دون موقف")
    assert "حُفظ الحكم: يناقش" in page.words()
    [undo] = page.tree.xpath("//a[@id='undo']/@href")
    assert undo == first
    page = amal.get(undo)
    assert page.has("//input[@name='label'][@value='discuss'][@checked]")
    assert "ينقل الخبر دون موقف" in page.text
    amal.judge(page, label="agree")
    found = sorted(corpus.store.all(Annotation), key=lambda one: one.number)
    assert [(one.label, one.number) for one in found] == [("discuss", 1), ("agree", 2)]
    assert "عدّل" in amal.get("/mine").words()
    assert corpus.store.count(Work, what="item") == 2


def test_two_windows_never_cover_each_other(corpus: Corpus) -> None:
    amal = page_of(corpus)["amal"]
    deal(corpus)
    one = amal.accept_notices()
    two = amal.get("/work")
    assert one.form_of("answer")[0] == two.form_of("answer")[0]
    amal.judge(one, label="agree")
    again = amal.judge(one, label="agree")
    assert again.status == 200, "a form sent twice is no problem"
    late = amal.judge(two, label="disagree")
    assert late.status == 409
    assert late.has("//input[@name='label'][@value='agree'][@checked]")
    assert "نافذة أخرى" in late.words()
    assert [one.label for one in corpus.store.all(Annotation)] == ["agree"]


def test_an_empty_form_comes_back_with_what_is_missing(corpus: Corpus) -> None:
    amal = page_of(corpus)["amal"]
    deal(corpus)
    page = amal.judge(amal.accept_notices(), note="ملاحظة")
    assert page.status == 422
    assert page.has("//*[@id='problem-label'][@role='alert']")
    assert "ملاحظة" in page.text
    skipping = amal.post(page.form_of("answer")[0] + "/skip", page.form_of("answer")[1])
    assert skipping.status == 422


def test_the_second_choice_is_asked_for_at_three_and_lower(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4, SCRUM9) as corpus:
        amal = page_of(corpus)["amal"]
        deal(corpus)
        page = amal.accept_notices()
        assert page.has("//fieldset[@data-question='second'][@hidden][@disabled]")
        asked = amal.judge(page, label="comment", confidence="3")
        assert asked.status == 422
        assert not asked.has("//fieldset[@data-question='second'][@hidden]"), "without a script, too"
        assert asked.has("//input[@name='second'][@value='comment'][@disabled]")
        assert asked.has("//input[@name='second'][@value='highly_uncertain']")
        assert amal.judge(asked, label="comment", confidence="3", second="comment").status == 422
        assert amal.judge(asked, label="comment", confidence="5", second="rejecting").status == 422
        assert amal.judge(asked, label="comment", confidence="3", second="rejecting").status == 200
        [stored] = corpus.store.all(Annotation)
        assert (stored.label, stored.confidence, stored.second) == ("comment", 3, "rejecting")
        assert "المنشور" in asked.words()
        assert "الرد" in asked.words()


def test_sentences_that_carry_the_stance(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4, "[corpus]\n[annotate]\nsentences = true\n") as corpus:
        amal = page_of(corpus)["amal"]
        deal(corpus)
        page = amal.accept_notices()
        boxes = page.tree.xpath("//input[@name='sentence']/@value")
        held = open_assignments(corpus.store, "amal")[0]
        text = item_view(amal.client.app.state.site, held.pair_id).article.text  # type: ignore[attr-defined]
        spans = sentences(text)
        assert boxes == [str(place) for place in range(len(spans))]
        amal.judge(page, label="agree", sentence=["1", "999", "x"])
        [stored] = corpus.store.all(Annotation)
        assert stored.answers == {"sentences": ((spans[1].start, spans[1].end),)}
        assert amal.judge(page, label="agree", sentence=["1"]).status == 200, "sent twice, stored once"
        again = amal.get(page.form_of("answer")[0])
        assert again.tree.xpath("//input[@name='sentence'][@checked]/@value") == ["1"]


def test_skipping(corpus: Corpus) -> None:
    walkers = page_of(corpus)
    deal(corpus)
    amal = walkers["amal"]
    page = amal.accept_notices()
    action, fields = page.form_of("answer")
    page = amal.post(f"{action}/skip", {**fields, "reason": "text_broken", "note": "مبتور"})
    assert "تُخطّيت المادة" in page.words()
    assert page.form_of("answer")[0] != action
    [skip] = corpus.store.all(Skip)
    assert (skip.reason, skip.note) == ("text_broken", "مبتور")
    lead = walkers["layla"]
    listed = lead.get("/lead/skips")
    assert "مبتور" in listed.words()
    fields = listed.fields("/lead/skips")
    [button] = listed.tree.xpath("//button[@name='assignment']/@value")
    assert "أُعطيت إلى" in lead.post("/lead/skips", {**fields, "assignment": button}).words()


def test_training_gives_feedback_and_the_test_does_not(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 6) as corpus:
        amal = page_of(corpus)["amal"]
        pairs = [f"pair-{n:04d}" for n in range(2)]
        with corpus.store.transaction() as writer:
            for pair, purpose in zip(pairs, ("training", "qualification"), strict=True):
                votes = {"disagree": 3}
                writer.put_new(
                    [Reference(id=pair, purpose=purpose, label="disagree", votes=votes, why="ينفي الخبر")]
                )
                writer.put([Assignment(id=f"a-{purpose}", pair_id=pair, annotator="amal", round=purpose)])
        page = amal.judge(amal.accept_notices(), label="agree")
        assert page.url.endswith("/feedback")
        assert "اختار الخبراء غير ذلك" in page.words()
        assert "ينفي الخبر" in page.words()
        page = amal.get("/work")
        assert amal.get("/work/a-qualification/feedback").status == 404
        page = amal.judge(page, label="agree")
        assert "/feedback" not in page.url
        assert "اختار الخبراء" not in page.words()
        assert amal.get("/work/a-qualification/feedback").status == 404


def test_an_annotator_cannot_tell_hidden_gold_or_a_third_rating(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 3) as corpus:
        amal = page_of(corpus)["amal"]
        with corpus.store.transaction() as writer:
            for place, name in enumerate(("main", "hidden", "third")):
                held = Assignment(
                    id=f"a{place}", pair_id=f"pair-000{place}", annotator="amal", round=name, place=place
                )
                writer.put([held])
        page = amal.accept_notices()
        titles = set()
        for _ in range(3):
            titles.add(page.tree.findtext(".//title"))
            assert not any(word in page.text for word in ("hidden gold", "third", "محكّم ثالث", "مواد ضبط"))
            page = amal.judge(page, label="agree")
        assert len(titles) == 1
        for path in ("/", "/mine"):
            found = amal.get(path).words()
            assert "مخفية" not in found
            assert "ثالث" not in found


def test_the_discussion_shows_remarks_but_nobodys_votes_or_name(corpus: Corpus) -> None:
    walkers = page_of(corpus)
    dealer = kit.dealer(corpus)
    dealer.write(dealer.pilot(2))
    for name, label in (("amal", "agree"), ("bashir", "discuss"), ("dima", "discuss")):
        kit.judge_all(corpus, name, label)
    amal, bashir = walkers["amal"], walkers["bashir"]
    page = amal.get("/discussion")
    while "/notice/" in page.url:
        page = amal.post(page.url, page.fields("/notice/"))
    assert page.url.endswith("/discussion"), "back to where the notices came between"
    bashir.accept_notices()
    page = bashir.get("/discussion")
    action = page.tree.xpath("//form[starts-with(@action, '/discussion/')]/@action")[0]
    fields = {**page.fields("/discussion/"), "text": "المقال لا يتخذ موقفًا <b>"}
    bashir.post(action, fields)
    bashir.post(action, fields)
    assert corpus.store.count(Remark) == 1, "sent twice, said once"
    seen = amal.get("/discussion")
    assert "المقال لا يتخذ موقفًا <b>" in seen.words()
    assert "bashir" not in seen.text
    assert "حكمك: يؤيد" in seen.words()
    assert "يناقش" not in seen.words()
    layla = walkers["layla"]
    read = layla.get("/lead/discussion")
    assert "المقال لا يتخذ موقفًا <b>" in read.words()
    assert "يناقش × 2" in read.words(), "the lead knows the votes anyway"
    layla.post(f"/lead{action}", {**read.fields("/lead/discussion/"), "text": "نضيف هذا إلى الإرشادات"})
    assert "قائد الفريق: نضيف هذا إلى الإرشادات" in amal.get("/discussion").words()
    assert "layla" not in amal.get("/discussion").text
    spent = {one.person: one.round for one in corpus.store.all(Work, what="remark")}
    assert spent == {"bashir": "pilot", "layla": "pilot"}, "discussing is paid time"
    salma = walkers["salma"]
    salma.accept_notices()
    assert "الإجابات المختلفة" not in salma.get("/discussion").words()
    assert salma.post(action, {**salma.get("/adjudicate").fields("/sign-out"), "text": "x"}).status == 404


def test_line_ends_of_browsers_are_plain_line_ends(corpus: Corpus) -> None:
    walkers = page_of(corpus, ("amal", "bashir"))
    deal(corpus)
    for name, label in (("amal", "agree"), ("bashir", "disagree")):
        walker = walkers[name]
        walker.judge(walker.accept_notices(), label=label, note="سطر أول\r\nسطر ثان\rثالث")
    assert {one.note for one in corpus.store.all(Annotation)} == {"سطر أول\nسطر ثان\nثالث"}
    page = walkers["layla"].get("/lead/claims/claim-0000")
    action = next(form.action for form in page.tree.forms if (form.action or "").startswith("/lead/claims"))
    walkers["layla"].post(action, {**page.fields(action), "after": "ادعاء\r\nآخر", "note": ""})
    assert [one.after for one in corpus.store.all(ClaimEdit)] == ["ادعاء\nآخر"]


def test_adjudication_hides_names_and_keeps_every_ruling(corpus: Corpus) -> None:
    walkers = page_of(corpus, ("amal", "bashir"))
    deal(corpus)
    kit.judge_all(corpus, "amal", "agree")
    kit.judge_all(corpus, "bashir", "disagree")
    salma = walkers["salma"]
    assert "/notice/" in salma.get("/adjudicate/pair-0000").url  # no item before the notices
    salma.accept_notices()
    page = salma.get("/adjudicate")
    assert "تنتظر الفصل: 6" in page.words()
    [first] = page.tree.xpath("//a[@id='go']/@href")
    page = salma.get(first)
    assert "amal" not in page.text
    assert "bashir" not in page.text
    assert len(page.tree.xpath("//section[@class='votes']/div")) == 2
    assert salma.judge(page).status == 422
    after = salma.judge(page, label="discuss", note="لا يحسم")
    assert "حُفظ القرار" in after.words()
    salma.judge(page, label="discuss", note="لا يحسم")
    assert corpus.store.count(Decision) == 1
    again = salma.get(first)
    assert "فُصل في هذا الخلاف: يناقش" in again.words()
    salma.judge(again, label="agree")
    assert corpus.store.count(Decision) == 2


@pytest.mark.parametrize(
    ("language", "says"),
    [("ar", "كيف؟ نفي ما مدى الوضوح؟ 2 واضح لماذا؟ قال"), ("en", "How? Denial How clear? 2 Clear")],
)
def test_own_questions_are_told_to_the_adjudicator_in_words(tmp_path: Path, language: str, says: str) -> None:
    with kit.make(tmp_path / "c", 1, '[corpus]\n[annotate]\nscheme = "own.toml"\n') as corpus:
        (corpus.path / "own.toml").write_text(OWN, "utf-8")
        walkers = page_of(corpus, ("amal", "bashir"))
        deal(corpus)
        for name, label in (("amal", "yes"), ("bashir", "no")):
            given = {"how": "denial", "clarity": "2", "why": "قال"}
            walkers[name].judge(walkers[name].accept_notices(), label=label, **given)
        salma = walkers["salma"]
        salma.client.cookies.set("dalil_language", language)
        salma.accept_notices()
        page = salma.get("/adjudicate/pair-0000")
        for vote in page.tree.xpath("//section[@class='votes']/div"):
            assert says in " ".join(" ".join(vote.xpath(".//dl//text()")).split())


def test_nobody_rules_on_what_they_judged(corpus: Corpus) -> None:
    walkers = page_of(corpus, ("amal", "bashir"))
    deal(corpus)
    kit.judge_all(corpus, "amal", "agree")
    kit.judge_all(corpus, "bashir", "disagree")
    invite_again = invite(corpus.store, "bashir", role="adjudicator")[1]
    bashir = Walker(walkers["amal"].client.app, invite_again)
    bashir.accept_notices()
    assert bashir.get("/adjudicate/pair-0000").status == 403


def test_the_hand_edit_appends_and_covers_nobody(corpus: Corpus) -> None:
    layla = page_of(corpus)["layla"]
    other = Walker(layla.client.app, kit.people(corpus, ("nura",), "lead")["nura"])
    page, late = layla.get("/lead/claims/claim-0000"), other.get("/lead/claims/claim-0000")
    assert "لا صحة لما يتم تداوله" in page.words()
    assert page.has("//ins")
    assert page.has("//del")
    path, fields = "/lead/claims/claim-0000", page.fields("/lead/claims/")
    saved = layla.post(path, {**fields, "after": "الحكومة تراقب المكالمات", "note": "أقصر"})
    assert "حُفظ التعديل" in saved.words()
    layla.post(path, {**fields, "after": "الحكومة تراقب المكالمات", "note": "أقصر"})
    refused = other.post(path, {**late.fields("/lead/claims/"), "after": "نص آخر"})
    assert refused.status == 422
    assert "نص آخر" in refused.text, "what was written is not lost"
    [made] = corpus.store.all(ClaimEdit)
    assert (made.after, made.note, made.editor, made.number) == (
        "الحكومة تراقب المكالمات",
        "أقصر",
        "layla",
        1,
    )
    assert made.before == "الحكومة تسجل مكالمات ورسائل المقيمين"
    assert "layla" in layla.get(path).text
    assert layla.get("/lead/claims/none").status == 404


def test_the_lead_invites_deals_closes_and_sees_people_leave(corpus: Corpus) -> None:
    layla = page_of(corpus)["layla"]
    fields = layla.get("/lead/people").fields("/lead/people")
    added = layla.post("/lead/people", {**fields, "action": "invite", "name": "عماد", "languages": "ar، en"})
    [link] = added.tree.xpath("//code/text()")
    walker = Walker(layla.client.app)
    assert walker.get("/join/" + link.rsplit("/", 1)[1]).status == 200
    assert link not in layla.get("/lead/people").text, "a link is shown once"
    bad = layla.post("/lead/people", {**fields, "action": "invite", "name": "a\u202eb"})
    assert bad.status == 422
    assert layla.post("/lead/people", {**fields, "action": "revoke", "name": "layla"}).status == 400
    rounds = layla.get("/lead/rounds").fields("/lead/rounds")
    dealt = layla.post("/lead/rounds", {**rounds, "round": "main", "number": ""})
    assert "أُسندت 12" in dealt.words()
    assert layla.post("/lead/rounds", {"csrf": rounds["csrf"], "round": "main", "number": "-1"}).status == 422
    assert layla.post("/lead/rounds", {"csrf": rounds["csrf"], "round": "nothing"}).status == 400
    layla.post("/lead/rounds", {"csrf": rounds["csrf"], "round": "main", "action": "close"})
    assert open_assignments(corpus.store, "amal") == []
    layla.post("/lead/rounds", {"csrf": rounds["csrf"], "round": "main", "action": "open"})
    asked = layla.post("/lead/people", {**fields, "action": "leave", "name": "amal"})
    left = layla.post("/lead/people", asked.fields("/lead/people"))
    assert "غادر" in left.words()
    assert open_assignments(corpus.store, "amal") == []


LEAD = (
    "", "/people", "/rounds", "/agreement", "/raters", "/confusion", "/disputes", "/skips",
    "/claims?show=all", "/claims/claim-0000", "/preview/pair-0000",
)  # fmt: skip


@pytest.mark.parametrize("language", ["ar", "en"])
def test_every_page_in_both_languages(corpus: Corpus, language: str) -> None:
    walkers = page_of(corpus)
    deal(corpus)
    for empty in (True, False):
        if not empty:
            kit.judge_all(corpus, "amal", ("agree", "discuss"))
            kit.judge_all(corpus, "bashir", "agree")
            kit.judge_all(corpus, "dima", "discuss")
        layla = walkers["layla"]
        layla.client.cookies.set("dalil_language", language)
        for path in LEAD:
            page = layla.get(f"/lead{path}")
            assert page.status == 200, path
            assert page.tree.get("dir") == ("rtl" if language == "ar" else "ltr")
            assert page.tree.get("lang") == language
            for pane in page.tree.xpath(
                "//*[contains(@class, 'claim-text') or contains(@class, 'item-claim')]"
            ):
                towards = pane.get("dir") or pane.getparent().get("dir")
                assert towards == "rtl", "the claim is Arabic whatever the page is"
            assert not page.has("//*[@dir='auto']")
    text = layla.get("/lead/agreement").words()
    assert "AC1" in text
    assert "[" in text, "intervals"
    assert len(scheme_of("arastance").labels) == len(
        layla.get("/lead/confusion").tree.xpath("(//tbody)[1]/tr")
    )


def test_the_language_of_the_page_is_a_choice(corpus: Corpus) -> None:
    amal = page_of(corpus)["amal"]
    page = amal.post("/language", {"language": "en", "back": "/"})
    assert page.tree.get("lang") == "en"
    assert "Begin" in amal.get("/").words() or "nothing for you" in amal.get("/").words()
    amal.post("/language", {"language": "xx", "back": "/"})
    assert amal.get("/").tree.get("lang") == "en"


def test_careless_and_hasty_raters_are_marked(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 24) as corpus:
        layla = page_of(corpus)["layla"]
        with corpus.store.transaction() as writer:
            writer.put_new(
                [Reference(id="pair-0000", purpose="hidden", label="disagree", votes={"disagree": 3})]
            )
            writer.put(
                [
                    Assignment(id=f"h-{n}", pair_id="pair-0000", annotator=n, round="hidden")
                    for n in ("amal", "dima")
                ]
            )
        deal(corpus)
        for name, seconds in (("amal", 30.0), ("bashir", 40.0), ("dima", 2.0)):
            for one in open_assignments(corpus.store, name):
                right = "disagree" if name == "amal" else "agree"
                kit.judge(corpus, one, right if one.round == "hidden" else "agree", seconds=seconds)
        rows = {
            row.xpath("string(th)").strip(): row for row in layla.get("/lead/raters").tree.xpath("//tbody/tr")
        }
        assert "سريع" in rows["dima"].text_content()
        assert "دون حد المواد المخفية" in rows["dima"].text_content()
        assert "1/1" in rows["amal"].text_content()
        assert not rows["amal"].xpath(".//span[contains(@class, 'warn')]")
