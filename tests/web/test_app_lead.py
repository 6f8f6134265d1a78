"""The lead's hand: what ends something is asked first, nothing is done twice, mistakes are told in Arabic."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import annotationkit as kit
import exchangekit as exchange
import pytest
from pagekit import Page, Walker

from annotation.app.server import create_app
from annotation.exchange import checking
from annotation.exchange.votes import Vote
from annotation.rounds.leaving import leave
from annotation.rounds.people import known_person
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Annotation, Assignment, Person, Round

ROUNDS = Path(__file__).resolve().parents[2] / "annotation" / "rounds"


class Scene:
    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.app: Any = create_app(corpus)
        self.secrets = kit.people(corpus, ("amal", "bashir", "dima")) | kit.people(corpus, ("layla",), "lead")
        self.layla = Walker(self.app, self.secrets["layla"])

    def people(self, **fields: str) -> Page:
        token = self.layla.get("/lead/people").fields("/lead/people")["csrf"]
        return self.layla.post("/lead/people", {"csrf": token, **fields})

    def person(self, name: str) -> Person:
        found = self.corpus.store.get(Person, name)
        assert found is not None
        return found

    def dealing(self) -> dict[str, str]:
        """The fields of the form that deals."""
        forms = self.layla.get("/lead/rounds").tree.forms
        [form] = [one for one in forms if one.xpath(".//select[@name='round']")]
        return {node.name: node.value for node in form.xpath(".//input[@type='hidden']")}


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with kit.make(tmp_path / "corpus", 12) as corpus:
        yield Scene(corpus)


@pytest.mark.parametrize("changed", ["corpus.toml", "mine.toml"])
def test_nothing_is_dealt_by_settings_that_have_changed(tmp_path: Path, changed: str) -> None:
    toml = '[corpus]\n[annotate]\nscheme = "mine.toml"\n'
    with kit.make(tmp_path / "corpus", 4, toml) as corpus:
        scheme = tmp_path / "corpus" / "mine.toml"
        scheme.write_text('[[labels]]\nname = "yes"\n[[labels]]\nname = "no"\n', "utf-8")
        scene = Scene(corpus)
        assert "Ctrl-C" not in scene.layla.get("/lead").words()
        fields = scene.dealing()
        with (tmp_path / "corpus" / changed).open("a") as file:
            file.write("# hidden gold, mixed in\n")
        assert changed in scene.layla.get("/lead/rounds").words()
        page = scene.layla.post("/lead/rounds", {**fields, "round": "main", "number": ""})
        assert page.status == 422
        assert corpus.store.count(Assignment) == 0


@pytest.mark.parametrize("action", ["leave", "revoke", "link"])
def test_what_ends_a_link_is_asked_first(scene: Scene, action: str) -> None:
    dealer = kit.dealer(scene.corpus)
    dealer.write(dealer.main(None))
    amal = Walker(scene.app, scene.secrets["amal"])
    before, held = scene.person("amal"), len(open_assignments(scene.corpus.store, "amal"))
    asked = scene.people(action=action, name="amal")
    assert asked.status == 200
    assert "amal" in asked.words()
    assert str(held) in asked.words()
    assert asked.has("//main//a[@href='/lead/people']"), "a way back"
    assert scene.person("amal") == before, "nothing has happened"
    assert amal.get("/").status == 200
    done = scene.layla.post("/lead/people", asked.fields("/lead/people"))
    assert done.status == 200
    assert scene.person("amal").invitation != before.invitation
    assert scene.person("amal").left == (action == "leave")
    assert amal.get("/").status == 401
    assert bool(open_assignments(scene.corpus.store, "amal")) == (action != "leave")


def test_somebody_whose_leaving_was_cut_short_can_leave_again(scene: Scene) -> None:
    dealer = kit.dealer(scene.corpus)
    dealer.write(dealer.main(None))
    with scene.corpus.store.transaction() as writer:
        writer.put([scene.person("amal").model_copy(update={"left": True, "invitation": None})])
    leaving = "//tr[contains(@class, 'gone')]//button[@value='leave']"
    assert scene.layla.get("/lead/people").has(leaving)
    assert scene.people(action="leave", name="amal", sure="1").status == 200
    assert open_assignments(scene.corpus.store, "amal") == []
    assert not scene.layla.get("/lead/people").has(leaving)


def test_a_first_link_needs_no_asking(scene: Scene) -> None:
    revoked = scene.people(action="revoke", name="amal", sure="1")
    assert revoked.status == 200
    assert scene.people(action="link", name="amal").has("//code")


def test_nobody_ends_or_demotes_themselves(scene: Scene) -> None:
    for action in ("leave", "revoke"):
        assert scene.people(action=action, name="layla", sure="1").status == 400
    taken = scene.people(action="invite", name=" layla ", role="annotator", sure="1")
    assert taken.status == 422
    assert "هذا اسمك أنت" in taken.words()
    assert scene.person("layla").role == "lead"
    assert scene.layla.get("/lead").status == 200


def test_adding_a_name_that_is_there_asks_before_it_changes_anything(scene: Scene) -> None:
    before = scene.person("bashir")
    asked = scene.people(action="invite", name="bashir", role="adjudicator", capacity="3")
    assert scene.person("bashir") == before
    assert "موجود في الفريق" in asked.words()
    made = scene.layla.post("/lead/people", asked.fields("/lead/people"))
    assert made.has("//code")
    assert (scene.person("bashir").role, scene.person("bashir").capacity) == ("adjudicator", 3)


def test_new_exclusions_of_somebody_known_hold_for_open_pairs(scene: Scene) -> None:
    dealer = kit.dealer(scene.corpus)
    dealer.write(dealer.main(None))
    held = len(open_assignments(scene.corpus.store, "amal"))
    fields = {"action": "invite", "name": "amal", "role": "annotator", "sure": "1"}
    limited = scene.people(**fields, capacity="50", excluded="site0، outlet1.example")
    assert limited.has("//code"), "the link"
    left = len(open_assignments(scene.corpus.store, "amal"))
    assert left < held
    assert f"{held - left} من الأزواج الباقية" in limited.words()
    assert scene.person("amal").excluded == ("site0", "outlet1.example")
    again = scene.people(**fields)
    assert again.has("//code")
    assert (scene.person("amal").capacity, scene.person("amal").excluded) == (None, ())


def test_letting_work_does_not_undo_what_came_meanwhile(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(store: Any, name: str) -> Person:
        found = known_person(store, name)
        leave(store, kit.judging(scene.corpus).follower, name)
        return found

    monkeypatch.setattr("annotation.app.lead.known_person", slow)
    scene.people(action="clear", name="amal")
    assert scene.person("amal").cleared
    assert scene.person("amal").left
    assert scene.person("amal").invitation is None


def test_a_deal_that_is_clicked_twice_is_dealt_once(scene: Scene) -> None:
    fields = {**scene.dealing(), "round": "main", "number": "2"}
    with ThreadPoolExecutor(3) as clicks:
        pages = list(clicks.map(lambda _: scene.layla.post("/lead/rounds", fields), range(3)))
    assert len({one.pair_id for one in scene.corpus.store.all(Assignment)}) == 2
    known = scene.corpus.store.get(Round, "main")
    assert known is not None
    assert len(known.design["deals"]) == 1
    assert sorted(page.status for page in pages) == [200, 422, 422]
    late = scene.layla.post("/lead/rounds", fields)
    assert late.status == 422
    assert "منذ فتحت هذه الصفحة" in late.words()
    assert scene.layla.post("/lead/rounds", {**scene.dealing(), "round": "main", "number": "2"}).status == 200
    assert len({one.pair_id for one in scene.corpus.store.all(Assignment)}) == 4


def told() -> list[tuple[str, set[str]]]:
    """Key and values of every mistake that rounds tell."""
    found = []
    for path in ROUNDS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Told":
                assert isinstance(node.args[0], ast.Constant)
                given = {word.arg for word in node.keywords if word.arg} - {"todo"}
                found.append((str(node.args[0].value), given))
    return found


def test_every_mistake_has_a_text_and_fills_it() -> None:
    texts = tomllib.loads((ROUNDS.parent / "app" / "words.toml").read_text("utf-8"))
    assert len(told()) > 10, "the sources are read"
    for key, given in told():
        for text in texts[key]:
            assert set(re.findall(r"{(\w+)}", text)) <= given, key
        assert set(re.findall(r"{(\w+)}", texts[key][0])) == given, key


@pytest.mark.parametrize(
    ("action", "fields", "says"),
    [
        ("people", {"action": "invite", "name": ""}, "الاسم من حرف إلى 80 حرفًا"),
        ("people", {"action": "invite", "name": "x" * 81}, "الاسم من حرف إلى 80 حرفًا"),
        ("people", {"action": "invite", "name": "a\u202eb"}, "حروف خفية"),
        ("people", {"action": "invite", "name": "n", "capacity": "many"}, "عددًا صحيحًا"),
        ("people", {"action": "revoke", "name": "سعاد <b>"}, "لا أحد في الفريق باسم سعاد <b>"),
        ("rounds", {"round": "expert"}, "لا بد من 3 من الخبراء على الأقل، وفي الفريق 0"),
        ("rounds", {"round": "qualification"}, "والموجود 0"),
        ("rounds", {"round": "main", "number": "x"}, "عددًا صحيحًا"),
        ("skips", {"assignment": "none"}, "لا توجد هذه المهمة"),
    ],
)
def test_mistakes_are_told_in_the_language_of_the_page(
    scene: Scene, action: str, fields: dict[str, str], says: str
) -> None:
    page = scene.layla.post(f"/lead/{action}", {**scene.dealing(), **fields})
    assert page.status == 422
    [said] = page.tree.xpath("//main//p[contains(@class, 'notice')]")
    assert says in " ".join(said.text_content().split())
    assert not re.search("[a-z]{3} [a-z]{2}", said.text_content()), "no English in it"
    assert "\u202e" not in page.text.replace('value="a\u202eb"', "")
    scene.layla.client.cookies.set("dalil_language", "en")
    english = scene.layla.post(f"/lead/{action}", {**scene.dealing(), **fields})
    [said] = english.tree.xpath("//main//p[contains(@class, 'notice')]")
    assert not re.search("[\u0620-\u064a]", said.text_content().replace("سعاد", ""))


def test_a_form_that_comes_back_holds_what_was_written(scene: Scene) -> None:
    written = {"languages": "ar، en", "capacity": "many", "excluded": 'site0، "x"'}
    page = scene.people(action="invite", name="سعاد", role="adjudicator", expert="1", **written)
    for field, value in {"name": "سعاد", **written}.items():
        assert page.tree.xpath(f"//input[@name='{field}'][@type!='hidden' or not(@type)]/@value") == [value]
    assert page.tree.xpath("//select[@name='role']/option[@selected]/@value") == ["adjudicator"]
    assert page.has("//input[@name='expert'][@checked]")
    page = scene.layla.post("/lead/rounds", {**scene.dealing(), "round": "pilot", "number": "x7"})
    assert page.tree.xpath("//select[@name='round']/option[@selected]/@value") == ["pilot"]
    assert page.tree.xpath("//input[@name='number']/@value") == ["x7"]


def test_a_mistake_without_a_text_is_set_apart_in_english(scene: Scene) -> None:
    page = scene.people(action="invite", name="nura", role="king")
    assert page.status == 422
    [detail] = page.tree.xpath("//main//p[@role='alert']/bdi[@dir='ltr'][@lang='en']/text()")
    assert detail.startswith("no role 'king'")
    assert scene.corpus.store.get(Person, "nura") is None


def test_pages_stand_with_rounds_that_only_files_have(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "c", 2) as corpus:
        rounds = [name for name in checking.ROUNDS if name not in ("main", "third")]
        votes = [Vote("pair-0000", f"p{n}", name, "agree", 5) for n, name in enumerate(rounds)]
        votes += [
            Vote("pair-0000", "zed", "main", "agree", 5),
            Vote("pair-0000", "zed", "again", "discuss", 5),
        ]
        exchange.take(corpus, votes)
        [one] = corpus.store.all(Annotation, annotator="p0")
        with corpus.store.transaction() as writer:  # as a dump of somebody's own making may have it
            writer.put([one.model_copy(update={"id": "x", "round": "warm-up"})])
        layla = Walker(create_app(corpus), kit.people(corpus, ("layla",), "lead")["layla"])
        links = layla.get("/lead").tree.xpath("//nav//a[starts-with(@href, '/lead')]/@href")
        assert len(links) >= 9
        for path in links:
            assert layla.get(path).status == 200, path
        words = layla.get("/lead").words()
        assert "حكم معاد" in words
        assert "warm-up" in words
