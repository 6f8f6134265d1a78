"""Pictures of every page that people see: `python tests/gallery.py DIR [WORD…]`.

Writes a PNG a page, language (ar, en) and width (1280, 360), of corpora in the middle of their work: pilot,
main, third, adjudication, training, hidden gold, skips, a post and its reply, marked sentences, error pages.
With words, only pages whose name holds one of them. Needs Chromium (make system).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import annotationkit as kit
from browserkit import browser, running

from annotation.answers import Answer
from annotation.app.server import create_app
from annotation.rounds.judging import Shown
from annotation.rounds.notices import accept, notices
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import (
    Annotation,
    Assignment,
    ClaimEdit,
    CleanedClaim,
    Consent,
    Pair,
    Person,
    Remark,
    utc_now,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS, LANGUAGES = (1280, 360), ("ar", "en")
TEAM = ("أمل", "بشير", "ديمة", "Omar Haddad")
THREAD = '[corpus]\nname = "ردود"\n[annotate]\nscheme = "scrum9"\n'
MARKING = '[corpus]\nname = "جمل"\n[annotate]\nsentences = true\n'
ARTICLES = '[corpus]\nname = "أدلة"\n[annotate]\nhidden_every = 4\n'

Shot = tuple[str, str, str]
"""name of the picture, who looks, path"""
Scene = Callable[[Path], AbstractContextManager[tuple[Corpus, dict[str, str], list[Shot]]]]
"""a corpus, the secrets of people's links, and what there is to see"""


def take(folder: Path, words: list[str]) -> list[Path]:
    """All pictures whose names hold one of the words (or all). Returns their files."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with tempfile.TemporaryDirectory() as scratch, browser() as chromium:
        for scene in SCENES:
            for name, page in views(chromium, scene, Path(scratch) / scene.__name__, words):
                made.append(folder / f"{name}.png")
                page.screenshot(path=made[-1], full_page=True)
    return made


def views(
    chromium: Browser, scene: Scene, folder: Path, words: Sequence[str] = ()
) -> Iterator[tuple[str, Page]]:
    """Every page of a scene as somebody sees it, in each language and width: (name-language-width, page)."""
    with scene(folder) as (corpus, secrets, shots):
        wanted = [one for one in shots if not words or any(word in one[0] for word in words)]
        if wanted:
            with running(create_app(corpus)) as base:
                yield from _visits(chromium, base, corpus, secrets, wanted)


def _visits(
    chromium: Browser, base: str, corpus: Corpus, secrets: dict[str, str], shots: list[Shot]
) -> Iterator[tuple[str, Page]]:
    for width in WIDTHS:
        for language in LANGUAGES:
            for who in dict.fromkeys(shot[1] for shot in shots):
                context = chromium.new_context(viewport={"width": width, "height": 800})
                context.add_cookies([{"name": "dalil_language", "value": language, "url": base}])
                page = context.new_page()
                if who:
                    page.goto(f"{base}/join/{secrets[who]}")
                    page.locator("main button").click()
                for name, _, path in (shot for shot in shots if shot[1] == who):
                    page.goto(base + path.format(**secrets))
                    _prepare(page, name, corpus)
                    yield f"{name}-{language}-{width}", page
                context.close()


def _prepare(page: Page, name: str, corpus: Corpus) -> None:
    """What somebody has done on the page when the picture is taken."""
    if "chosen" in name:
        page.keyboard.press("1")
    if "unsure" in name:
        page.keyboard.press("1")
        page.keyboard.press("2")
    if "thread-refused" in name:
        page.evaluate("document.getElementById('answer').noValidate = true")
        page.keyboard.press("1")
        page.locator("#submit").click()
    if "skipping" in name:
        page.keyboard.press("k")
    if "invited" in name:
        somebody_new = f"سلوى بنت عبد الرحمن {corpus.store.count(Person)}"
        page.locator("input[name=name]:not([type=hidden])").fill(somebody_new)
        page.locator("main form.grid button").click()
    if "refused-name" in name:
        page.locator("input[name=name]:not([type=hidden])").fill("أمل\u200f")
        page.locator("main form.grid button").click()
    if "overtaken" in name:
        _write_note(page)
        other = page.context.new_page()
        other.goto(page.url)
        other.locator("label.choice").nth(corpus.store.count(Annotation) % 4).click()
        other.locator("#submit").click()
        other.close()
        page.locator("#submit").click()
    if "out-of-date" in name:
        _write_note(page)
        page.evaluate("document.querySelector('#answer [name=csrf]').value = 'of another session'")
        page.locator("#submit").click()
    if "new-notice" in name:
        _write_note(page)
        with corpus.store.transaction() as writer:
            writer.delete(Consent, corpus.store.ids(Consent))
        page.locator("#submit").click()
        _agree_to_all(corpus)
    if "leaving" in name:
        page.locator("main button.danger").first.click()
    if "known-name" in name:
        page.locator("input[name=name]:not([type=hidden])").fill("أمل")
        page.locator("main form.grid button").click()
    if "dealt" in name:
        page.locator("main form.grid button").click()


def _write_note(page: Page) -> None:
    page.keyboard.press("1")
    page.keyboard.press("n")
    page.keyboard.type("العنوان ينفي الخبر، والمتن لا يذكره")


def _judge(corpus: Corpus, name: str, labels: list[str], **more: object) -> None:
    for place, held in enumerate(open_assignments(corpus.store, name)):
        answer = Answer(label=labels[place % len(labels)], **more)  # type: ignore[arg-type]
        kit.judging(corpus).judge(held, answer, Shown(0, "hash", "1", 20.0 + 7 * (place % 5)))


def _judge_mostly_right(corpus: Corpus, name: str, note: str | None = None) -> None:
    """Each article of the kit has a stance; people see it three times in four."""
    labels = ("disagree", "agree", "discuss", "unrelated")
    for held in open_assignments(corpus.store, name):
        number = int(held.pair_id.split("-")[1])
        draw = int(make_id("draw", held.pair_id, name)[-4:], 36)
        place = number if draw % 4 else number + 1 + draw % 3
        answer = Answer(label=labels[place % 4], note=note)
        kit.judging(corpus).judge(held, answer, Shown(0, "hash", "1", 20.0 + draw % 40))


def _judge_third(corpus: Corpus, name: str) -> None:
    """Third ratings: a label that nobody gave, so that none leads."""
    labels = ("disagree", "agree", "discuss", "unrelated")
    for held in open_assignments(corpus.store, name):
        given = [one.label for one in corpus.store.all(Annotation, pair_id=held.pair_id)]
        label = next(one for one in labels if one not in given)
        kit.judging(corpus).judge(held, Answer(label=label), Shown(0, "hash", "1", 31.0))


def _agree_to_all(corpus: Corpus) -> None:
    own = kit.settings(corpus)
    found = notices(corpus.store, own, own.read_scheme(corpus.path), corpus.path)
    for person in corpus.store.all(Person):
        for kind in found.kinds:
            accept(corpus.store, person.id, kind, found.version(kind), 120.0)


@contextmanager
def articles(folder: Path) -> Iterator[tuple[Corpus, dict[str, str], list[Shot]]]:
    """Claims and articles: a pilot judged and discussed, a main round half done, disagreements."""
    with kit.make(folder, 40, ARTICLES) as corpus:
        secrets = kit.people(corpus, TEAM)
        secrets |= kit.people(corpus, ("سلمى",), "adjudicator") | kit.people(corpus, ("ليلى",), "lead")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(6))
        for name in TEAM:
            _judge_mostly_right(corpus, name, "العنوان ينفي والمتن لا يقول شيئًا" if name == "بشير" else None)
        _talk(corpus)
        dealer.write(dealer.main(24))
        for name in TEAM[:3]:
            _judge_mostly_right(corpus, name)
        for held in open_assignments(corpus.store, "Omar Haddad")[:3]:
            kit.judging(corpus).skip(held, "text_broken", "ينتهي النص في وسط الجملة", 12.0)
        for name in TEAM[:3]:
            _judge_third(corpus, name)
        dealer.write(dealer.main(None))
        _edits(corpus)
        _agree_to_all(corpus)
        mine = list(corpus.store.all(Assignment, annotator="أمل", round="main"))
        judged = {one.pair_id for one in corpus.store.all(Annotation, annotator="أمل", round="main")}
        done = next(one.id for one in mine if one.pair_id in judged)
        disputed = _disputed(corpus)
        lead = [
            ("lead-overview", "/lead"),
            ("lead-people", "/lead/people"),
            ("lead-people-invited", "/lead/people"),
            ("lead-people-refused-name", "/lead/people"),
            ("lead-people-known-name", "/lead/people"),
            ("lead-people-leaving", "/lead/people"),
            ("lead-rounds", "/lead/rounds"),
            ("lead-agreement", "/lead/agreement"),
            ("lead-raters", "/lead/raters"),
            ("lead-confusion", "/lead/confusion"),
            ("lead-disputes", "/lead/disputes"),
            ("lead-discussion", "/lead/discussion"),
            ("lead-skips", "/lead/skips"),
            ("lead-claims", "/lead/claims?show=all"),
            ("lead-claim", "/lead/claims/claim-0000"),
            ("lead-preview", "/lead/preview/pair-0001"),
            ("lead-rounds-dealt", "/lead/rounds"),
        ]
        yield (
            corpus,
            secrets,
            [
                ("no-session", "", "/"),
                ("join", "", "/join/{أمل}"),
                ("not-found", "أمل", "/nowhere"),
                ("desk", "أمل", "/"),
                ("item", "أمل", "/work"),
                ("item-chosen", "أمل", "/work"),
                ("item-skipping", "أمل", "/work"),
                ("item-saved", "أمل", f"/work?saved={done}"),
                ("item-revising", "أمل", f"/work/{done}"),
                ("item-overtaken", "أمل", f"/work/{done}"),
                ("item-out-of-date", "أمل", f"/work/{done}"),
                ("item-new-notice", "أمل", f"/work/{done}"),
                ("mine", "أمل", "/mine"),
                ("discussion", "أمل", "/discussion"),
                ("notice-information", "أمل", "/notice/information"),
                ("notice-guidelines", "أمل", "/notice/guidelines"),
                ("adjudicate", "سلمى", "/adjudicate"),
                ("dispute", "سلمى", f"/adjudicate/{disputed}"),
                *((name, "ليلى", path) for name, path in lead),
            ],
        )


def _talk(corpus: Corpus) -> None:
    from annotation.rounds.disputes import to_discuss

    talked = to_discuss(corpus.store, "أمل")[0].pair
    with corpus.store.transaction() as writer:
        for number, (who, text) in enumerate(
            (
                ("أمل", "المقال ينقل النفي عن الوزارة، فهو يخالف الادعاء."),
                ("بشير", "لكنه لا يذكر الادعاء نفسه، بل شائعة أخرى تشبهه في WhatsApp."),
            ),
            start=1,
        ):
            writer.put(
                [Remark(id=f"r{number}", pair_id=talked, person=who, text=text, number=number, at=utc_now())]
            )


def _edits(corpus: Corpus) -> None:
    before = corpus.store.get(CleanedClaim, "claim-0000")
    assert before is not None
    with corpus.store.transaction() as writer:
        writer.put(
            [
                before.model_copy(update={"flags": ("needs_edit:nominal",)}),
                ClaimEdit(
                    id="e1",
                    claim_id="claim-0000",
                    before=before.text,
                    after="الحكومة تسجل مكالمات المقيمين ورسائلهم",
                    note="ترتيب أوضح",
                    editor="ليلى",
                    number=1,
                    at=utc_now(),
                ),
            ]
        )


def _disputed(corpus: Corpus) -> str:
    from annotation.rounds.disputes import to_rule

    waiting = [one.pair for one in to_rule(corpus.store, kit.settings(corpus))]
    return min(waiting, key=lambda pair: int(pair.split("-")[1]) % 4)


@contextmanager
def thread(folder: Path) -> Iterator[tuple[Corpus, dict[str, str], list[Shot]]]:
    """Posts and replies with confidence and second choice."""
    with kit.make(folder, 8, THREAD) as corpus:
        secrets = kit.people(corpus, ("أمل", "بشير")) | kit.people(corpus, ("سلمى",), "adjudicator")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        for held in open_assignments(corpus.store, "بشير"):
            answer = Answer(label="rejecting", confidence=2, second="questioning", note="قد تكون سخرية")
            kit.judging(corpus).judge(held, answer, Shown(0, "hash", "1", 9.0))
        for held in open_assignments(corpus.store, "أمل")[:2]:
            answer = Answer(label="comment", confidence=3, second="highly_uncertain")
            kit.judging(corpus).judge(held, answer, Shown(0, "hash", "1", 9.0))
        _agree_to_all(corpus)
        yield (
            corpus,
            secrets,
            [
                ("thread", "أمل", "/work"),
                ("thread-unsure", "أمل", "/work"),
                ("thread-refused", "أمل", "/work"),
                ("thread-mine", "أمل", "/mine"),
                ("thread-adjudicate", "سلمى", "/adjudicate"),
                ("thread-dispute", "سلمى", f"/adjudicate/{_disputed(corpus)}"),
            ],
        )


@contextmanager
def marking(folder: Path) -> Iterator[tuple[Corpus, dict[str, str], list[Shot]]]:
    """Sentences that carry the stance are marked."""
    with kit.make(folder, 4, MARKING) as corpus:
        secrets = kit.people(corpus, ("أمل", "بشير"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        _agree_to_all(corpus)
        yield corpus, secrets, [("sentences", "أمل", "/work")]


@contextmanager
def training(folder: Path) -> Iterator[tuple[Corpus, dict[str, str], list[Shot]]]:
    """Feedback on a training item; a test that was failed."""
    with kit.make(folder, 12) as corpus:
        experts = ("خبيرة أولى", "خبير ثان", "خبيرة ثالثة")
        from annotation.rounds.people import invite

        for name in experts:
            invite(corpus.store, name, expert=True)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.expert(8))
        for name in experts:
            _judge(corpus, name, ["disagree"], note="النفي صريح في الفقرة الأولى")
        secrets = kit.people(corpus, ("أمل", "بشير"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.training(2))
        dealer.write(dealer.qualification(2))
        _agree_to_all(corpus)
        held = open_assignments(corpus.store, "أمل")
        kit.judge(corpus, held[0], "agree")
        kit.judge(corpus, held[1], "disagree")
        _judge(corpus, "بشير", ["agree"])
        yield (
            corpus,
            secrets,
            [
                ("training-feedback-wrong", "أمل", f"/work/{held[0].id}/feedback"),
                ("training-feedback-right", "أمل", f"/work/{held[1].id}/feedback"),
                ("training-desk", "أمل", "/"),
                ("failed-desk", "بشير", "/"),
                ("failed-work", "بشير", "/work"),
            ],
        )


@contextmanager
def empty(folder: Path) -> Iterator[tuple[Corpus, dict[str, str], list[Shot]]]:
    """Nothing has happened yet."""
    with kit.make(folder, 4) as corpus:
        secrets = kit.people(corpus, ("أمل",)) | kit.people(corpus, ("سلمى",), "adjudicator")
        _agree_to_all(corpus)
        secrets |= kit.people(corpus, ("بشير",)) | kit.people(corpus, ("ليلى",), "lead")
        lead = ("", "/rounds", "/agreement", "/raters", "/confusion", "/disputes", "/skips", "/claims")
        assert corpus.store.count(Pair) == 4
        yield (
            corpus,
            secrets,
            [
                ("empty-notice", "بشير", "/work"),
                ("empty-work", "أمل", "/work"),
                ("empty-mine", "أمل", "/mine"),
                ("empty-discussion", "أمل", "/discussion"),
                ("empty-adjudicate", "سلمى", "/adjudicate"),
                *((f"empty-lead{one.replace('/', '-')}", "ليلى", f"/lead{one}") for one in lead),
            ],
        )


@contextmanager
def long_lists(folder: Path) -> Iterator[tuple[Corpus, dict[str, str], list[Shot]]]:
    """More judgements than fit on one sheet of a list."""
    with kit.make(folder, 60) as corpus:
        secrets = kit.people(corpus, ("أمل", "بشير"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        _judge(corpus, "أمل", ["agree", "discuss"])
        _agree_to_all(corpus)
        yield corpus, secrets, [("long-mine", "أمل", "/mine")]


SCENES: tuple[Scene, ...] = (articles, thread, marking, training, empty, long_lists)

if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    for made in take(Path(sys.argv[1]), sys.argv[2:]):
        print(made)
