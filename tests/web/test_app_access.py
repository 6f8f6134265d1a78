"""Who gets in, and how far: links, sessions, roles, forms from elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import pytest
from fastapi.testclient import TestClient
from pagekit import Page, Walker

from annotation.app.ended import FILE, Ended
from annotation.app.entry import local_path
from annotation.app.security import SESSION, Sessions, Signer, from_elsewhere
from annotation.app.server import create_app, hosts
from annotation.rounds.people import invite, revoke
from annotation.rounds.queue import open_assignments
from annotation.rounds.settings import AnnotateSettings
from dalil.corpus import Corpus
from dalil.errors import StateError
from dalil.records import Annotation, Consent, Person


class Scene:
    """A corpus with its page and people."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.app: Any = create_app(corpus)
        self.secrets = kit.people(corpus, ("amal", "bashir", "dima"))
        self.secrets |= kit.people(corpus, ("salma",), "adjudicator") | kit.people(corpus, ("layla",), "lead")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))

    def walker(self, name: str, language: str | None = None) -> Walker:
        return Walker(self.app, self.secrets[name], language)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with kit.make(tmp_path / "corpus", 6) as corpus:
        yield Scene(corpus)


def test_without_a_link_there_is_nothing(scene: Scene) -> None:
    walker = Walker(scene.app)
    for path in ("/", "/work", "/mine", "/adjudicate", "/lead", "/lead/claims", "/notice/guidelines"):
        page = walker.get(path)
        assert page.status == 401
        assert "افتح رابطك الشخصي" in page.words()
    assert walker.get("/join/nonsense").status == 404
    assert walker.post("/join", {"secret": ""}).status == 404


def test_looking_at_a_link_enters_nobody(scene: Scene) -> None:
    """Programs that look into links in messages must not begin a session."""
    walker = Walker(scene.app)
    page = walker.get(f"/join/{scene.secrets['amal']}")
    assert page.status == 200
    assert "amal" in page.words()
    assert not walker.client.cookies
    walker.post("/join", page.fields("/join"))
    assert walker.get("/").status == 200


def test_the_session_cookie_is_signed_and_closed_to_scripts(scene: Scene) -> None:
    client = TestClient(scene.app)
    answer = client.post("/join", data={"secret": scene.secrets["amal"]}, follow_redirects=False)
    header = answer.headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=lax" in header
    value = client.cookies[scene.app.state.site.cookie]
    assert scene.secrets["amal"] not in value
    for forged in (
        value[:-1] + ("0" if value[-1] != "0" else "1"),
        value.replace(".", "x."),
        "a.b",
        "",
        "é.é",
    ):
        found = TestClient(scene.app).get(
            "/", headers={"cookie": f"{scene.app.state.site.cookie}={forged}".encode()}
        )
        assert found.status_code == 401, forged


def test_a_session_ends_with_the_link_the_person_and_the_time(scene: Scene, tmp_path: Path) -> None:
    walker = scene.walker("amal")
    assert walker.get("/").status == 200
    revoke(scene.corpus.store, "amal")
    assert walker.get("/").status == 401
    bashir = scene.walker("bashir")
    invite(scene.corpus.store, "bashir")
    assert bashir.get("/").status == 401, "a new link ends the sessions of the old one"
    sessions = Sessions(Signer.of(tmp_path), 1)
    person = Person(id="x", invitation="hash")
    claims = sessions.claims(sessions.begin(person))
    assert claims is not None
    assert sessions.holds(claims, person)
    assert not sessions.holds(claims, person.model_copy(update={"left": True}))
    assert not sessions.holds(claims, person.model_copy(update={"invitation": None}))
    late = sessions.signer.sign("session", {**claims, "until": int(time.time()) - 1})
    assert sessions.claims(late) is None
    assert sessions.claims(sessions.signer.sign("form", claims)) is None, "made for another purpose"


def test_the_signing_key_is_the_owners_alone(tmp_path: Path) -> None:
    signer = Signer.of(tmp_path)
    path = tmp_path / "sessions.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert Signer.of(tmp_path).read("x", signer.sign("x", {"a": 1})) == {"a": 1}
    path.write_text("short", "ascii")
    with pytest.raises(StateError, match="too short"):
        Signer.of(tmp_path)


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [
        (
            "amal",
            ["/adjudicate", "/lead", "/lead/people", "/lead/claims/claim-0000", "/lead/preview/pair-0000"],
        ),
        ("salma", ["/lead", "/lead/people", "/lead/agreement", "/lead/claims"]),
    ],
)
def test_roles(scene: Scene, name: str, forbidden: list[str]) -> None:
    walker = scene.walker(name)
    for path in forbidden:
        assert walker.get(path).status == 403, path
    posted = walker.get("/notice/guidelines").fields("/sign-out")
    for path in ("/lead/people", "/lead/rounds", "/lead/skips", "/lead/claims/claim-0000"):
        assert walker.post(path, posted).status == 403, path


def test_nobody_reaches_anothers_items(scene: Scene) -> None:
    amal = scene.walker("amal")
    page = amal.accept_notices()
    theirs = open_assignments(scene.corpus.store, "bashir")[0]
    assert amal.get(f"/work/{theirs.id}").status == 404
    _, fields = page.form_of("answer")
    assert amal.post(f"/work/{theirs.id}", {**fields, "label": "agree"}).status == 404
    assert amal.post(f"/work/{theirs.id}/skip", {**fields, "reason": "other"}).status == 404
    assert scene.corpus.store.count(Annotation) == 0


def test_a_ticket_serves_one_item_and_one_person(scene: Scene) -> None:
    amal, bashir = scene.walker("amal"), scene.walker("bashir")
    page, other = amal.accept_notices(), bashir.accept_notices()
    action, fields = page.form_of("answer")
    second = open_assignments(scene.corpus.store, "amal")[1]
    assert amal.post(f"/work/{second.id}", {**fields, "label": "agree"}).status == 403
    stolen = {**fields, "ticket": other.form_of("answer")[1]["ticket"]}
    assert amal.post(action, {**stolen, "label": "agree"}).status == 403
    assert amal.post(action, {**fields, "ticket": "x.y", "label": "agree"}).status == 403
    assert scene.corpus.store.count(Annotation) == 0


def test_a_form_needs_its_token_and_must_come_from_here(scene: Scene) -> None:
    amal, bashir = scene.walker("amal"), scene.walker("bashir")
    page = amal.accept_notices()
    action, fields = page.form_of("answer")
    answer = {**fields, "label": "agree"}
    theirs = bashir.accept_notices().form_of("answer")[1]["csrf"]
    for bad in ({**answer, "csrf": ""}, {**answer, "csrf": theirs}):
        assert amal.post(action, bad).status == 403
    assert amal.post(action, answer, origin="http://evil.example").status == 403
    assert amal.post(action, answer, **{"sec-fetch-site": "cross-site"}).status == 403
    assert scene.corpus.store.count(Annotation) == 0
    assert amal.post(action, answer, origin="http://testserver").status == 200
    assert scene.corpus.store.count(Annotation) == 1


def test_where_a_form_comes_from() -> None:
    assert not from_elsewhere(None, None, "here:8765")
    assert not from_elsewhere("http://here:8765", "same-origin", "here:8765")
    assert from_elsewhere("http://here:9999", None, "here:8765")
    assert from_elsewhere(None, "same-site", "here:8765")
    assert from_elsewhere("null", None, "here:8765"), "a sandboxed frame"
    behind_a_proxy = ("https://notes.example", "same-origin", "127.0.0.1:8765")
    assert from_elsewhere(*behind_a_proxy)
    assert not from_elsewhere(*behind_a_proxy, "https://notes.example")


def test_nothing_is_shown_before_the_notices(scene: Scene) -> None:
    amal = scene.walker("amal")
    held = open_assignments(scene.corpus.store, "amal")[0]
    for path in (f"/work/{held.id}", f"/work/{held.id}/feedback", "/mine", "/discussion", "/work"):
        page = amal.get(path)
        assert page.url.split("?")[0].endswith("/notice/information"), path
    stale = {**page.fields("/notice/"), "ticket": "forged"}
    assert amal.post("/notice/information", stale).status == 403
    assert scene.corpus.store.count(Consent) == 0


def test_every_answer_has_a_strict_policy(scene: Scene) -> None:
    client = scene.walker("layla").client
    for path in ("/", "/lead", "/static/app.css", "/scheme.css", "/nothing", "/join/nonsense"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        cached = "max-age" in headers["cache-control"]
        assert cached == path.startswith("/static/")


def test_pages_hold_no_inline_script_or_style(scene: Scene) -> None:
    walker = scene.walker("layla")
    amal = scene.walker("amal")
    amal.accept_notices()
    pages = [walker.get(path) for path in ("/lead", "/lead/people", "/lead/preview/pair-0000")] + [
        amal.get("/work")
    ]
    for page in pages:
        assert not page.has("//script[not(@src)] | //style | //*[@style] | //@*[starts-with(name(), 'on')]")
        for address in page.tree.xpath("//script/@src | //link/@href | //img/@src"):
            assert address.startswith("/"), "nothing from another host"


def test_other_names_of_this_host_are_refused(scene: Scene) -> None:
    assert TestClient(scene.app, base_url="http://evil.example").get("/").status_code == 400
    assert "evil.example" not in hosts(AnnotateSettings())
    assert "notes.example" in hosts(AnnotateSettings(host="0.0.0.0", address="https://notes.example"))
    assert hosts(AnnotateSettings(host="0.0.0.0")) == ["*"]
    assert AnnotateSettings().host == "127.0.0.1"


def test_a_form_that_is_too_long_is_not_read(scene: Scene) -> None:
    amal = scene.walker("amal")
    action, fields = amal.accept_notices().form_of("answer")
    answer = amal.client.post(action, data={**fields, "label": "agree", "note": "x" * 600_000})
    assert answer.status_code == 413

    def endless() -> Iterator[bytes]:
        yield b"label=agree"

    assert amal.client.post(action, content=endless()).status_code == 413
    long = amal.post(action, {**fields, "label": "agree", "note": "ن" * 5_001})
    assert long.status == 422
    assert "أطول من المسموح" in long.words()
    assert scene.corpus.store.count(Annotation) == 0


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/mine", "/mine"),
        ("https://evil.example/x", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        ("/a\r\nset-cookie: x=y", "/"),
    ],
)
def test_the_way_back_stays_here(given: str, path: str) -> None:
    assert local_path(given) == path


def test_an_unexpected_error_tells_nothing_of_itself(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    amal = scene.walker("amal")

    def broken(*args: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("annotation.app.annotator.next_step", broken)
    page = amal.get("/work")
    assert page.status == 500
    assert "secret detail" not in page.text
    assert "لم يُحفظ" in page.words()


def test_an_error_leaves_a_way_back(scene: Scene) -> None:
    amal = scene.walker("amal")
    amal.accept_notices()
    for path, status in (("/nothing", 404), ("/work/nothing", 404), ("/lead", 403)):
        page = amal.get(path)
        assert page.status == status
        assert page.has("//main//a[@href='/']"), path
    assert not Walker(scene.app).get("/nothing").has("//main//a[@href='/']")


def test_signing_out_ends_the_session_everywhere(scene: Scene) -> None:
    amal, elsewhere = scene.walker("amal"), scene.walker("amal")
    name = scene.app.state.site.cookie
    copied = {"cookie": f"{name}={amal.client.cookies[name]}"}
    thief = TestClient(scene.app)
    assert thief.get("/", headers=copied).status_code == 200
    form = amal.get("/").fields("/sign-out")
    page = amal.post("/sign-out", form)
    assert "خرجت" in page.words()
    assert amal.get("/").status == 401
    assert thief.get("/", headers=copied).status_code == 401, "a copy of the cookie"
    assert thief.post("/sign-out", data=form, headers=copied).status_code == 401
    assert elsewhere.get("/").status == 200, "other sessions of the same person go on"
    again = TestClient(create_app(scene.corpus))
    assert again.get("/", headers=copied).status_code == 401, "a server that is started again knows it"


def test_ended_sessions_are_hashed_kept_their_time_and_seen_by_all(tmp_path: Path) -> None:
    Signer.of(tmp_path)
    one, other = Ended(tmp_path), Ended(tmp_path)
    assert not one.has("a")
    one.end("a", int(time.time()) + 60)
    assert one.has("a")
    assert other.has("a"), "another process serves the same corpus"
    path = tmp_path / FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert " a\n" not in path.read_text()
    path.write_text(path.read_text() + "99999999999 torn", "ascii")
    other.end("b", int(time.time()) + 60)
    one.end("c", int(time.time()) - 60)
    assert [one.has(name) for name in "abcd"] == [True, True, True, False]
    assert len(path.read_text().splitlines()) == 4
    third = Ended(tmp_path)
    assert [third.has(name) for name in "abcd"] == [True, True, False, False], "what is over is dropped"
    assert one.has("b")
    assert sorted(item.name for item in tmp_path.iterdir()) == [FILE, "sessions.key"]


def test_a_sign_out_that_cannot_be_kept_says_so(scene: Scene) -> None:
    amal = scene.walker("amal")
    form = amal.get("/").fields("/sign-out")
    (scene.corpus.path / FILE).mkdir()
    assert amal.post("/sign-out", form).status == 503
    (scene.corpus.path / FILE).rmdir()
    assert amal.post("/sign-out", form).status == 200
    assert amal.get("/").status == 401


def test_behind_https_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    toml = '[corpus]\n[annotate]\naddress = "https://notes.example"\n'
    with kit.make(tmp_path / "corpus", 2, toml) as corpus:
        secret = kit.people(corpus, ("amal",))["amal"]
        app: Any = create_app(corpus)
        name = app.state.site.cookie
        client = TestClient(app, base_url="https://notes.example")
        answer = client.post("/join", data={"secret": secret}, follow_redirects=False)
        header = answer.headers["set-cookie"]
        assert name.startswith(f"__Host-{SESSION}_")
        assert header.startswith(f"{name}=")
        assert all(part in header for part in ("; Secure", "; Path=/", "; HttpOnly"))
        assert "Domain" not in header
        assert client.get("/").status_code == 200
        planted = TestClient(create_app(corpus), base_url="https://notes.example")
        planted.cookies.set(name.removeprefix("__Host-"), client.cookies[name])
        assert planted.get("/").status_code == 401, "as a neighbouring host could set it"
        token = Page(200, client.get("/").text, "").fields("/sign-out")
        gone = client.post("/sign-out", data=token, headers={"origin": "https://notes.example"})
        assert gone.headers["set-cookie"].startswith(f"{name}=")
        assert "Secure" in gone.headers["set-cookie"]
        assert client.get("/").status_code == 401


def test_two_corpora_on_one_host_do_not_sign_each_other_out(tmp_path: Path) -> None:
    """Cookies know no ports."""
    with kit.make(tmp_path / "a", 2) as one, kit.make(tmp_path / "b", 2) as other:
        both = [(create_app(corpus), kit.people(corpus, ("amal",))["amal"]) for corpus in (one, other)]
        jar = TestClient(both[0][0]).cookies
        for app, secret in both:
            answer = TestClient(app, cookies=jar).post(
                "/join", data={"secret": secret}, follow_redirects=False
            )
            jar.update(answer.cookies)
        assert len(jar) == 2
        for app, _ in both:
            assert TestClient(app, cookies=jar).get("/").status_code == 200
