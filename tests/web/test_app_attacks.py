"""What no browser sends, and a store that cannot be written to: clear answers, and nothing typed is lost."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import pytest
import sqlalchemy as sa
from pagekit import Page, Walker
from starlette.requests import Request

from annotation.app.discussing import letters_of
from annotation.app.entry import local_path
from annotation.app.security import Signer, from_elsewhere
from annotation.app.server import create_app
from annotation.app.site import Visit
from annotation.rounds import writing
from annotation.rounds.queue import open_assignments
from annotation.schemes import scheme_of
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation, Assignment, Consent, Decision, Person

FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 6) as made:
        yield made


class Scene:
    """The page, an annotator in front of an item, and a lead."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        secrets = kit.people(corpus, ("amal", "bashir")) | kit.people(corpus, ("layla",), "lead")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        self.app: Any = create_app(corpus)
        self.amal = Walker(self.app, secrets["amal"])
        self.layla = Walker(self.app, secrets["layla"])
        self.item = self.amal.accept_notices()


@pytest.fixture
def scene(corpus: Corpus) -> Scene:
    return Scene(corpus)


def parts(fields: dict[str, str], charset: str) -> tuple[bytes, dict[str, str]]:
    """A form as multipart, in an encoding of the sender's choice."""
    lines = [f'--x\r\ncontent-disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
    body = "".join([*lines, "--x--\r\n"]).encode()
    return body, {"content-type": f"multipart/form-data; boundary=x; charset={charset}"}


@pytest.mark.parametrize("charset", ["utf-8", "unicode_escape", "punycode", "undefined", "idna", "utf-16"])
def test_a_form_comes_as_pages_send_it_or_not_at_all(scene: Scene, charset: str) -> None:
    action, fields = scene.item.form_of("answer")
    body, headers = parts({**fields, "label": "agree", "note": "x\\ud800\\x00"}, charset)
    assert scene.amal.client.post(action, content=body, headers=headers).status_code == 400
    plain = scene.amal.client.post(action, content=b"{}", headers={"content-type": "application/json"})
    assert plain.status_code == 400
    assert scene.corpus.store.count(Annotation) == 0


def test_fields_that_are_missing_doubled_wrong_or_unfit(scene: Scene) -> None:
    """Never an unexpected error, and never a judgement that the form did not make."""
    action = scene.item.form_of("answer")[0]
    bodies = [
        b"",
        b"=",
        b"&&&",
        b"label",
        b"label=agree",
        b"%",
        b"%ff=%ff&%00=%00",
        b"csrf=%ED%A0%80&ticket=%ED%A0%80",
        b"csrf=" + b"A" * 400_000,
        b"csrf=a.b&ticket=" + b"." * 100_000,
    ]
    for body in bodies:
        assert scene.amal.client.post(action, content=body, headers=FORM).status_code == 403, body[:40]
    for wrong in ("", "x", "agree\0x", "agree\u202e", "AGREE", "\ufdfa" * 1000):
        assert scene.amal.judge(scene.item, label=wrong).status == 422, wrong[:10]
    for active in ("nan", "-inf", "1e999", "٣", "x", "-1", ""):
        assert scene.amal.judge(scene.item, active=active).status == 422, active
    assert scene.corpus.store.count(Annotation) == 0
    doubled = scene.amal.judge(scene.item, label=["disagree", "agree"], note=["a", "س\0\u202e<b>\ufeff"])
    assert doubled.status == 200
    [stored] = scene.corpus.store.all(Annotation)
    assert (stored.label, stored.note) == ("agree", "س\u202e<b>\ufeff"), "the last one counts; NUL is gone"


def test_a_flood_of_fields_is_refused_and_the_most_boxes_are_not(scene: Scene) -> None:
    action, fields = scene.item.form_of("answer")
    boxes = [str(place) for place in range(3_500)]
    answer = {**fields, "label": "agree", "sentence": boxes}
    assert scene.amal.client.post(action, data=answer).status_code == 400
    flood = scene.amal.client.post(action, content=b"a&" * 250_000, headers=FORM)
    assert flood.status_code == 400
    answer["sentence"] = boxes[:2_500]
    assert scene.amal.client.post(action, data=answer).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "//", "x", "http://testserver.evil", "http://a@b"]
)
def test_an_origin_that_is_no_address_is_not_this_one(scene: Scene, origin: str) -> None:
    assert from_elsewhere(origin, None, "testserver")
    assert scene.amal.judge(scene.item, label="agree").status == 200
    assert scene.amal.post("/language", {"language": "en", "back": "/"}, origin=origin).status == 403
    assert not from_elsewhere("http://Notes.Example", None, "notes.example"), "hosts know no case"


@pytest.mark.parametrize("back", ["http://[", "//[", "/\u202e", "//evil", "/\t/evil.example"])
def test_a_way_back_that_is_no_path_leads_to_the_start(scene: Scene, back: str) -> None:
    assert local_path(back) == "/"
    answer = scene.amal.client.post(
        "/language", data={"language": "en", "back": back}, follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_every_page_that_a_form_leads_to_can_change_its_language(scene: Scene) -> None:
    """Some forms have no page of their own address: the way back leads to one that there is."""
    action, fields = scene.item.form_of("answer")
    shown = [
        scene.amal.post(f"{action}/skip", fields),
        scene.amal.judge(scene.item),
        scene.amal.post("/join", {"secret": "x"}),
        scene.layla.post("/lead/people", scene.layla.get("/lead/people").fields("/lead/people")),
        scene.amal.post("/sign-out", scene.amal.get("/").fields("/sign-out")),
    ]
    backs = [page.tree.xpath("//input[@name='back']/@value") for page in shown]
    assert backs == [[action], [action], ["/"], ["/lead/people"], ["/"]]


@pytest.mark.parametrize("digits", ["9" * 30, "9" * 5_000, "1" + "0" * 8])
def test_numbers_without_end_are_refused(scene: Scene, digits: str) -> None:
    people = scene.layla.get("/lead/people").fields("/lead/people")
    invited = {**people, "action": "invite", "name": "nura", "capacity": digits}
    assert scene.layla.post("/lead/people", invited).status == 422
    assert scene.corpus.store.get(Person, "nura") is None
    rounds = scene.layla.get("/lead/rounds").fields("/lead/rounds")
    assert scene.layla.post("/lead/rounds", {**rounds, "round": "main", "number": digits}).status == 422
    assert scene.layla.get(f"/lead/claims?page={digits}").status == 200
    assert scene.layla.get(f"/mine?page={digits}").status == 200


def test_an_unexpected_error_has_the_policy_and_betrays_no_link(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("annotation.app.entry.by_secret", broken)
    with caplog.at_level(logging.DEBUG):
        answer = scene.amal.client.get("/join/the-secret-of-somebody")
    assert answer.status_code == 500
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert "/join/{secret}" in caplog.text
    assert "RuntimeError: broken" in caplog.text
    said = " ".join(one.getMessage() for one in caplog.records if one.name.startswith(("dalil", "uvicorn")))
    assert "the-secret" not in said + caplog.text.replace('/join/the-secret-of-somebody "HTTP', "")


NOTE = 'ملاحظة <طويلة>\nعلى «سطرين» & "غيرهما"'


def sent_again(scene: Scene, page: Page) -> Page:
    """Press the one button of an error page."""
    [form] = page.tree.xpath("//main//form")
    assert not form.xpath(".//input[@type!='hidden']")
    fields = {node.name: node.value or "" for node in form.xpath(".//input")}
    return scene.amal.post(form.action, fields)


def test_while_another_process_writes_a_submit_is_answered_and_kept(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage may hold the database longer than a page waits: what was typed can be sent again."""
    other = sqlite3.connect(scene.corpus.store.path, isolation_level=None)
    patience(scene.corpus, 100, monkeypatch)
    other.execute("BEGIN IMMEDIATE")
    assert scene.amal.get("/work").status == 200, "reading goes on"
    page = scene.amal.judge(scene.item, label="disagree", note=NOTE)
    assert page.status == 503
    assert "يُكتب في البيانات الآن" in page.words()
    assert page.tree.xpath("//main//textarea[@readonly]/text()")[0].strip() == NOTE
    assert sent_again(scene, page).status == 503, "still"
    other.execute("ROLLBACK")
    assert sent_again(scene, page).status == 200
    assert sent_again(scene, page).status == 200, "and once more: nothing is doubled"
    [stored] = scene.corpus.store.all(Annotation)
    assert (stored.label, stored.note) == ("disagree", NOTE)
    other.close()


def test_a_crowd_waits_once_not_one_after_another(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    patience(scene.corpus, 300, monkeypatch)
    other = sqlite3.connect(scene.corpus.store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    seen: list[int] = []
    crowd = [
        threading.Thread(target=lambda: seen.append(scene.amal.judge(scene.item, label="agree").status))
        for _ in range(12)
    ]
    began = time.monotonic()
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    spent = time.monotonic() - began
    other.execute("ROLLBACK")
    other.close()
    assert seen == [503] * 12
    assert spent < 12 * 0.3, "each waits for its own turn or for the database, not for everybody's"
    assert scene.amal.judge(scene.item, label="agree").status == 200


def patience(corpus: Corpus, milliseconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less long than people do."""
    monkeypatch.setattr(writing, "LONGEST_WAIT", milliseconds / 1000)

    @sa.event.listens_for(corpus.store.engine, "checkout")
    def _short(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout={milliseconds}")


@pytest.mark.parametrize("pragma", ["query_only=1", "max_page_count=1"])
def test_a_corpus_that_cannot_be_written_says_so_and_keeps_what_was_typed(scene: Scene, pragma: str) -> None:
    """A folder that became read-only; a full disk."""
    held: list[str] = [pragma]

    @sa.event.listens_for(scene.corpus.store.engine, "checkout")
    def _bad(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA {held[0]}")

    note = NOTE + "ن" * 4_900  # needs a page more of the database
    for _ in range(3):
        page = scene.amal.judge(scene.item, label="agree", note=note)
        if page.status != 200:
            break
    assert page.status == 503
    assert "امتلأ القرص أو لا يُسمح بالكتابة" in page.words()
    before = scene.corpus.store.count(Annotation)
    held[0] = "query_only=0" if pragma.startswith("query") else "max_page_count=1073741823"
    assert sent_again(scene, page).status == 200
    assert scene.corpus.store.count(Annotation) == before + 1


def test_an_unexpected_error_keeps_what_was_typed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("annotation.app.annotator.answer_of", lambda *_: 1 / 0)
        page = scene.amal.judge(scene.item, label="agree", note=NOTE)
    assert page.status == 500
    assert sent_again(scene, page).status == 200
    assert [one.note for one in scene.corpus.store.all(Annotation)] == [NOTE]


def test_guidelines_that_came_meanwhile_are_read_first_and_nothing_typed_is_lost(scene: Scene) -> None:
    with scene.corpus.store.transaction() as writer:
        writer.delete(Consent, [one.id for one in scene.corpus.store.all(Consent, kind="guidelines")])
    page = scene.amal.judge(scene.item, label="agree", note=NOTE)
    assert page.status == 409
    assert page.has("//main//a[@href='/notice/guidelines'][@target='_blank']")
    assert scene.corpus.store.count(Annotation) == 0
    assert sent_again(scene, page).status == 409
    scene.amal.accept_notices()
    assert sent_again(scene, page).status == 200
    assert [one.note for one in scene.corpus.store.all(Annotation)] == [NOTE]


def test_a_session_that_ended_while_somebody_wrote_gives_their_words_back(scene: Scene) -> None:
    kit.people(scene.corpus, ("amal",))  # a new link
    page = scene.amal.judge(scene.item, label="agree", note=NOTE)
    assert page.status == 401
    assert page.tree.xpath("//main//textarea[@readonly]/text()")[0].strip() == NOTE
    assert not page.tree.xpath("//main//form"), "to be copied; not to be sent by whoever is here"
    evil = scene.amal.post("/work/x", {"note": NOTE}, origin="http://evil.example")
    assert "ملاحظة" not in evil.text, "texts of other sites are not shown"


def test_what_another_window_overtook_is_shown_to_be_copied(scene: Scene) -> None:
    late = scene.amal.get("/work")
    scene.amal.judge(scene.item, label="agree", note="الأولى")
    page = scene.amal.judge(late, label="disagree", note=NOTE)
    assert page.status == 409
    assert page.tree.xpath("//main//textarea[@readonly]/text()")[0].strip() == NOTE
    assert page.has("//input[@name='label'][@value='agree'][@checked]")
    again = scene.amal.judge(late, label="disagree", note="الأولى")
    assert not again.has("//main//textarea[@readonly]"), "what the form shows is not shown twice"


def test_a_skip_without_a_reason_or_with_an_endless_note_keeps_the_note(scene: Scene) -> None:
    action, fields = scene.item.form_of("answer")
    page = scene.amal.post(f"{action}/skip", {**fields, "note": NOTE})
    assert page.status == 422
    assert page.tree.xpath("//input[@name='note']/@value") == [NOTE]
    long = scene.amal.post(f"{action}/skip", {**fields, "reason": "other", "note": "x" * 5_001})
    assert long.status == 422
    assert "أطول من المسموح" in long.words()


def test_a_ruling_that_is_refused_keeps_what_was_written(scene: Scene) -> None:
    store = scene.corpus.store
    kit.judge_all(scene.corpus, "amal", "agree")
    kit.judge_all(scene.corpus, "bashir", "disagree")
    pages = {}
    for name in ("salma", "nura"):
        walker = Walker(scene.app, kit.people(scene.corpus, (name,), "adjudicator")[name])
        walker.accept_notices()
        pages[name] = (walker, walker.get("/adjudicate/pair-0000"))
    salma, page = pages["salma"]
    refused = salma.judge(page, note=NOTE)
    assert refused.status == 422
    assert refused.tree.xpath("//textarea[@name='note']/text()")[0].strip() == NOTE
    long = salma.judge(page, label="agree", note="ن" * 5_001)
    assert long.status == 422
    assert long.has("//input[@name='label'][@value='agree'][@checked]")
    assert store.count(Decision) == 0
    assert salma.judge(refused, label="agree", note=NOTE).status == 200
    nura, late = pages["nura"]
    overtaken = nura.judge(late, label="discuss", note="رأي آخر")
    assert overtaken.status == 422
    assert "صدر قرار آخر في هذا الخلاف" in overtaken.words()
    assert overtaken.has("//input[@name='label'][@value='agree'][@checked]"), "what is stored now"
    assert overtaken.tree.xpath("//textarea[@readonly]/text()")[0].strip() == "رأي آخر"
    assert store.count(Decision) == 1


def test_a_third_rater_who_is_not_needed_any_more_is_told_and_keeps_the_note(scene: Scene) -> None:
    """A revision makes the first two agree while the third is reading."""
    kit.people(scene.corpus, ("dima",))
    kit.judge_all(scene.corpus, "amal", "agree")
    kit.judge_all(scene.corpus, "bashir", "disagree")
    dima = Walker(scene.app, kit.people(scene.corpus, ("dima",))["dima"])
    item = dima.accept_notices()
    held = open_assignments(scene.corpus.store, "dima")[0]
    assert held.round == "third"
    [revised] = [
        one
        for one in scene.corpus.store.all(Assignment, annotator="bashir", pair_id=held.pair_id)
        if one.round == "main"
    ]
    assert kit.judge(scene.corpus, revised, "agree", based_on=1) == "stored"
    page = dima.judge(item, label="discuss", note=NOTE)
    assert page.status == 409
    assert "لم تعد هذه المادة مطلوبة" in page.words()
    assert page.tree.xpath("//main//textarea[@readonly]/text()")[0].strip() == NOTE
    assert scene.corpus.store.count(Annotation, round="third") == 0
    assert dima.get("/work").form_of("answer")[0] != item.form_of("answer")[0], "on to the next"


def test_letters_cannot_be_computed_from_names(scene: Scene) -> None:
    """Who knows the names and this code, but not the corpus's key, learns nothing from the letters."""
    site = scene.app.state.site
    names = [f"rater {number}" for number in range(6)]
    visit = Visit(site, Request({"type": "http", "headers": [], "path": "/", "method": "GET"}))
    here = [letters_of(visit, f"pair-{number}", names) for number in range(8)]
    assert here == [letters_of(visit, f"pair-{number}", names) for number in range(8)]
    assert len({tuple(sorted(one.items())) for one in here}) > 4, "other letters on each pair"
    site.signer = Signer(b"another corpus")
    assert here != [letters_of(visit, f"pair-{number}", names) for number in range(8)]


def test_leads_who_look_while_people_submit_see_figures_and_no_error(scene: Scene) -> None:
    """Figures are kept between requests: nobody pulls them away from under somebody else."""
    figures = scene.app.state.figures
    stop = threading.Event()
    failed: list[Exception] = []

    def looks() -> None:
        while not stop.is_set():
            try:
                figures.agreement()
                figures.confusions()
            except Exception as error:
                failed.append(error)
                return

    leads = [threading.Thread(target=looks) for _ in range(3)]
    for one in leads:
        one.start()
    kit.judge_all(scene.corpus, "amal", ("agree", "discuss"))
    kit.judge_all(scene.corpus, "bashir", "agree")
    stop.set()
    for one in leads:
        one.join()
    assert failed == []


def test_a_role_that_changes_counts_from_the_next_request_on(scene: Scene) -> None:
    store = scene.corpus.store
    assert scene.amal.get("/lead").status == 403
    with store.transaction() as writer:
        person = store.get(Person, "amal")
        assert person is not None
        writer.put([person.model_copy(update={"role": "lead"})])
    assert scene.amal.get("/lead").status == 200
    with store.transaction() as writer:
        writer.put([person])
    assert scene.amal.get("/lead").status == 403
    action, fields = scene.item.form_of("answer")
    with store.transaction() as writer:
        writer.put([person.model_copy(update={"left": True})])
    assert scene.amal.post(action, {**fields, "label": "agree"}).status == 401
    assert store.count(Annotation) == 0


def test_a_notice_is_accepted_by_whom_it_was_shown_to(scene: Scene) -> None:
    dima = Walker(scene.app, kit.people(scene.corpus, ("dima",))["dima"])
    theirs = Walker(scene.app, kit.people(scene.corpus, ("nura",))["nura"])
    shown = theirs.get("/notice/information").fields("/notice/")
    own = dima.get("/notice/information").fields("/notice/")
    assert dima.post("/notice/information", {**own, "ticket": shown["ticket"]}).status == 403
    assert dima.post("/notice/guidelines", own).status == 403, "a ticket of another notice"
    assert scene.corpus.store.count(Consent, person="dima") == 0


def test_no_question_of_a_scheme_can_take_a_field_of_the_page(tmp_path: Path) -> None:
    with kit.make(tmp_path / "own", 2, "[corpus]\n[annotate]\nsentences = true\n") as corpus:
        item = Scene(corpus).item
        own = set(item.tree.xpath("//main//*[@name]/@name"))
        assert {"label", "note", "sentence", "active", "reason"} <= own
        for name in own:
            (corpus.path / "own.toml").write_text(
                f'[[labels]]\nname = "x"\n[[questions]]\nname = "{name}"\nkind = "text"\n', "utf-8"
            )
            with pytest.raises(InputError, match="the name is taken"):
                scheme_of("own.toml", corpus.path)


def test_time_on_a_form_that_came_back_is_paid(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """And never more than a browser and the server both saw, nor than is paid for one item."""
    now = [time.time()]
    monkeypatch.setattr("annotation.app.items.time.time", lambda: now[0])
    page = scene.amal.get("/work")
    now[0] += 40
    page = scene.amal.judge(page, active="30")
    assert page.status == 422
    now[0] += 20
    page = scene.amal.judge(page, active="999")
    assert page.status == 422
    now[0] += 5
    assert scene.amal.judge(page, label="agree").status == 200
    [stored] = scene.corpus.store.all(Annotation)
    assert stored.seconds == pytest.approx(30 + 20 + 5, abs=0.5)
    page = scene.amal.get("/work")
    for _ in range(3):
        now[0] += 290
        page = scene.amal.judge(page)
    scene.amal.judge(page, label="agree")
    assert max(one.seconds or 0 for one in scene.corpus.store.all(Annotation)) == 300


def test_who_goes_away_in_the_middle_of_a_form_leaves_no_trace(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    sent: list[Any] = []
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/join",
        "query_string": b"",
        "headers": [(b"host", b"testserver"), (b"content-length", b"400"), *_raw(FORM)],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(scene.app(scope, receive, send))
    assert sent == []
    assert caplog.text == ""


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]
