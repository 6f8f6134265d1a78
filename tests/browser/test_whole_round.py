"""A whole round in a browser, in Arabic, by keyboard alone: three annotators and an adjudicator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import annotationkit as kit
import pytest
from browserkit import WIDE, running

from annotation.app.server import create_app
from annotation.gold import MakeGold
from annotation.rounds.disputes import to_rule
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Annotation, Article, Assignment, Decision, Skip

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KEYS = {"agree": "1", "disagree": "2", "discuss": "3", "unrelated": "4"}


@contextmanager
def desk(chromium: Browser, base: str, secret: str, width: int = 1280) -> Iterator[Page]:
    """Somebody's browser, entered by their link; what the page complains of fails the test."""
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{base}/join/{secret}")
    press(page, "Enter")
    yield page
    assert complaints == []
    context.close()


def press(page: Page, key: str) -> None:
    """A key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


def read_notices(page: Page) -> None:
    """Tab to the button below the text, and press it."""
    if "/notice/" not in page.url:
        press(page, "Enter")
    while "/notice/" in page.url:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "accept":
                break
        press(page, "Enter")


def works(page: Page, corpus: Corpus, name: str, label: str) -> int:
    """Judge all that is there: one digit and Enter an item."""
    done = 0
    while page.locator("#answer").count():
        before = corpus.store.count(Annotation, annotator=name)
        page.keyboard.press(KEYS[label])
        press(page, "Enter")
        assert corpus.store.count(Annotation, annotator=name) == before + 1
        done += 1
    return done


def test_three_annotators_and_an_adjudicator(chromium: Browser, tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 3) as corpus:
        secrets = kit.people(corpus, ("أمل", "بشير", "ديمة")) | kit.people(corpus, ("سلمى",), "adjudicator")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        with running(create_app(corpus)) as base:
            for name, label in (("أمل", "agree"), ("بشير", "disagree"), ("ديمة", "disagree")):
                with desk(chromium, base, secrets[name]) as page:
                    assert page.evaluate("getComputedStyle(document.documentElement).direction") == "rtl"
                    read_notices(page)
                    works(page, corpus, name, label)
            for name in ("أمل", "بشير", "ديمة"):
                with desk(chromium, base, secrets[name]) as page:
                    if open_assignments(corpus.store, name):
                        press(page, "Enter")
                        works(page, corpus, name, "discuss")
                    assert "انتهيت من كل ما كُلّفت به" in page.inner_text("main")
            waiting = [one.pair for one in to_rule(corpus.store, kit.settings(corpus))]
            assert waiting, "the three chose three labels"
            with desk(chromium, base, secrets["سلمى"]) as page:
                read_notices(page)
                press(page, "Enter")
                for _ in waiting:
                    assert page.locator(".vote").count() == 3
                    assert not any(name in page.inner_text(".votes") for name in ("أمل", "بشير", "ديمة"))
                    page.keyboard.press("2")
                    press(page, "Enter")
                assert "لا خلاف ينتظر الفصل" in page.inner_text("main")
        assert {one.label for one in corpus.store.all(Decision)} == {"disagree"}
        assert Counter(one.round for one in corpus.store.all(Annotation)) == {"main": 6, "third": 2}
        gold = list(MakeGold(corpus).keys(corpus.store))
        assert len(gold) == 3, "every pair has votes enough for a gold label"


@pytest.fixture
def item(chromium: Browser, tmp_path: Path) -> Iterator[tuple[Corpus, Page]]:
    """An annotator of a thread scheme in front of the first item."""
    with kit.make(tmp_path / "c", 3, '[corpus]\n[annotate]\nscheme = "scrum9"\n') as corpus:
        secrets = kit.people(corpus, ("أمل", "بشير"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        with running(create_app(corpus)) as base, desk(chromium, base, secrets["أمل"]) as page:
            read_notices(page)
            yield corpus, page


def test_confidence_decides_about_the_second_choice(item: tuple[Corpus, Page]) -> None:
    corpus, page = item
    second = page.locator("fieldset[data-question=second]")
    assert second.is_hidden()
    page.keyboard.press("1")
    page.keyboard.press("4")
    assert second.is_hidden(), "never offered above three"
    page.keyboard.press("Backspace")
    page.keyboard.press("1")
    page.keyboard.press("3")
    assert second.is_visible()
    offered = second.locator(".choice:visible input").evaluate_all("nodes => nodes.map(n => n.value)")
    others = ["rejecting", "questioning", "comment", "image", "highly_uncertain"]
    assert offered == others, "never the first again"
    page.keyboard.press("Enter")
    assert corpus.store.count(Annotation) == 0, "it is required"
    page.keyboard.press("6")
    press(page, "Enter")
    [stored] = corpus.store.all(Annotation)
    assert (stored.label, stored.confidence, stored.second) == ("confirming", 3, "highly_uncertain")
    assert stored.seconds is not None
    press(page, "z")
    assert second.is_visible(), "undo brings the answers back"
    page.locator("input[name=confidence][value='5']").check(force=True)
    assert second.is_hidden()
    press(page, "Enter")
    last = max(corpus.store.all(Annotation), key=lambda one: one.number)
    assert (last.number, last.confidence, last.second) == (2, 5, None)


def test_the_first_key_on_a_judgement_made_changes_its_label(item: tuple[Corpus, Page]) -> None:
    corpus, page = item
    for key in ("1", "3", "4"):  # confirming, pretty sure, else a comment
        page.keyboard.press(key)
    press(page, "Enter")
    press(page, "z")
    page.keyboard.press("2")
    page.keyboard.press("5")
    press(page, "Enter")
    first, last = sorted(corpus.store.all(Annotation), key=lambda one: one.number)
    assert (first.label, first.confidence, first.second) == ("confirming", 3, "comment")
    assert (last.label, last.confidence, last.second) == ("rejecting", 5, None)


@pytest.mark.parametrize("typed", ["2", "٢", "۲"])
def test_a_keyboard_on_the_screen_serves_as_well(item: tuple[Corpus, Page], typed: str) -> None:
    _, page = item
    press_there = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))"
    page.evaluate(press_there, typed)
    assert page.locator("input[name=label]:checked").get_attribute("value") == "rejecting"
    page.evaluate(press_there, "N")
    assert page.evaluate("document.activeElement.name") == "note"


def test_note_and_skip_by_keyboard(item: tuple[Corpus, Page]) -> None:
    corpus, page = item
    page.keyboard.press("n")
    page.keyboard.type("1 ملاحظة")
    assert page.locator("input[name=label]:checked").count() == 0, "digits in a note choose nothing"
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    page.keyboard.press("5")
    press(page, "Enter")
    [stored] = corpus.store.all(Annotation)
    assert (stored.label, stored.note) == ("comment", "1 ملاحظة")
    page.keyboard.press("k")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    press(page, "Enter")
    assert corpus.store.count(Skip) == 1


def test_shading_is_a_choice_that_stays(chromium: Browser, tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        secrets = kit.people(corpus, ("أمل", "بشير"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        with running(create_app(corpus)) as base, desk(chromium, base, secrets["أمل"]) as page:
            read_notices(page)
            background = "getComputedStyle(document.querySelector('mark.like')).backgroundColor"
            lit = page.evaluate(background)
            page.keyboard.press("h")
            assert page.evaluate(background) != lit
            page.reload()
            assert page.evaluate(background) != lit


def test_hostile_text_runs_nothing_and_stays_in_its_pane(chromium: Browser, tmp_path: Path) -> None:
    evil = (
        "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>\n"
        "الوزارة \u202eتنفي\u202c \u2066الخبر " + "ا" + "\u0301" * 400 + "\n" + "طويل" * 5_000
    )
    with kit.make(tmp_path / "c", 1) as corpus:
        [article] = corpus.store.all(Article)
        with corpus.store.transaction() as writer:
            writer.put([article.model_copy(update={"text": evil, "title": evil[:200]})])
            writer.put([Assignment(id="a1", pair_id="pair-0000", annotator="أمل", round="main")])
        secrets = kit.people(corpus, ("أمل",))
        with running(create_app(corpus)) as base, desk(chromium, base, secrets["أمل"], width=390) as page:
            read_notices(page)
            assert page.locator("#answer").count() == 1
            assert page.title() != "taken"
            assert page.evaluate(WIDE) == []
            painted = page.locator(".article .text").evaluate("node => getComputedStyle(node).contain")
            assert "paint" in painted
