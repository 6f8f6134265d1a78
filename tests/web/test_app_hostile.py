"""Articles, claims, names and notes of people who mean harm are shown as text."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pagekit import Page, Walker

from annotation.app.display import difference, like_claim, markdown, paragraphs, shown
from annotation.app.server import create_app
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Annotation, Article, Claim, CleanedClaim

SCRIPTS = (
    "<script>alert(1)</script>",
    "</textarea></form><script src=//evil.example/x.js></script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "javascript:alert(1)",
    "<style>*{display:none}</style>",
    "<!-- ",
    "&lt;script&gt;",
)
OVERRIDES = "الوزارة \u202eتنفي\u202c الخبر \u2066abc\u2069 \u202dxyz"
TEXTS = st.text(
    st.characters(codec="utf-8") | st.sampled_from("<>&\"'\u202e\u2066\nابتabc @#.-١2"), max_size=200
)


def text_of(html: str) -> str:
    return str(lxml.html.fromstring(f"<div>{html}</div>").text_content()) if html else ""


def plain(text: str) -> str:
    """What a browser shows of it: controls by their code points."""
    from annotation.app.display import _CONTROLS

    return _CONTROLS.sub(lambda match: f"U+{ord(match[0]):04X}", text)


@given(text=TEXTS, direction=st.sampled_from(["rtl", "ltr"]))
def test_every_text_is_shown_whole_and_makes_no_element(text: str, direction: str) -> None:
    html = str(shown(text, direction))
    tree = lxml.html.fromstring(f"<div>{html}</div>")
    assert {node.tag for node in tree.iterdescendants()} <= {"bdi", "span"}
    assert {name for node in tree.iterdescendants() for name in node.attrib} <= {"class", "title"}
    assert "".join(text_of(html).split()) == "".join(plain(text).split())


@given(text=TEXTS, boxes=st.none() | st.sets(st.integers(0, 5)), marked=st.sets(st.integers(0, 5)))
def test_paragraphs_keep_every_word(text: str, boxes: set[int] | None, marked: set[int]) -> None:
    html = str(paragraphs(text, "rtl", marked, boxes))
    assert "".join(text_of(html).split()) == "".join(plain(text).split())
    tree = lxml.html.fromstring(f"<div>{html}</div>")
    assert {node.tag for node in tree.iterdescendants()} <= {"p", "bdi", "span", "mark", "label", "input"}


@given(before=TEXTS, after=TEXTS)
def test_a_difference_makes_no_element_of_theirs(before: str, after: str) -> None:
    tree = lxml.html.fromstring(f"<div>{difference(before, after, 'rtl')}</div>")
    assert {node.tag for node in tree.iterdescendants()} <= {"ins", "del", "bdi", "span"}


def test_latin_runs_stand_apart_in_arabic_and_arabic_in_latin() -> None:
    assert (
        str(shown("تعمل منصة WhatsApp Web 2.0 كالمعتاد", "rtl"))
        == "تعمل منصة <bdi>WhatsApp Web 2.0</bdi> كالمعتاد"
    )
    assert str(shown("@USER لا صحة #fake-news، COVID-19.", "rtl")) == (
        "<bdi>@USER</bdi> لا صحة <bdi>#fake-news</bdi>، <bdi>COVID-19</bdi>."
    )
    assert str(shown("الساعة 12.30-3.30", "rtl")) == "الساعة 12.30-3.30", "numbers need no help"
    assert str(shown("he said لا صحة له today", "ltr")) == "he said <bdi>لا صحة له</bdi> today"


def test_direction_overrides_are_seen_and_do_nothing() -> None:
    html = str(shown(OVERRIDES, "rtl"))
    assert not set("\u202e\u202c\u2066\u2069\u202d") & set(html)
    assert 'title="U+202E"' in html
    assert "\u200f" in str(shown("أ\u200fب", "rtl")), "ordinary marks stay"


def test_guidelines_are_markdown_without_html() -> None:
    html = str(
        markdown(
            "# ع\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](http://evil.example/z)", "rtl"
        )
    )
    tree = lxml.html.fromstring(html)
    assert not tree.xpath("//script | //img | //a[starts-with(@href, 'javascript')]")


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        ("https://ok.example/a?b:c", True),
        ("HTTP://ok.example", True),
        ("mailto:team@ok.example", True),
        ("/notice/information", True),
        ("#part", True),
        ("page.html?q=a:b", True),
        ("JaVaScRiPt:alert(1)", False),
        ("&#106;avascript:alert(1)", False),
        ("java\tscript:alert(1)", False),
        ("vbscript:x", False),
        ("data:image/png;base64,AA", False),
        ("data:text/html,x", False),
        ("file:///etc/passwd", False),
        ("//evil.example", False),
        ("blob:x", False),
    ],
)
def test_links_of_guidelines_lead_to_pages(address: str, leads: bool) -> None:
    assert ("href" in str(markdown(f"[t](<{address}>)", "rtl"))) == leads


class Hostile:
    """A corpus full of it."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        text = "\n".join([*SCRIPTS, OVERRIDES])
        with corpus.store.transaction() as writer:
            for claim in list(corpus.store.all(Claim)):
                evil: dict[str, Any] = {"raw": text, "title": text, "body": text, "verdict": text}
                evil |= {"url": SCRIPTS[5], "claim_date": OVERRIDES, "site": OVERRIDES, "domain": OVERRIDES}
                writer.put([claim.model_copy(update=evil | {"language": 'ar" onload="x'})])
                made = CleanedClaim(
                    id=claim.id, raw=text, text=text, rules=(SCRIPTS[0], OVERRIDES), flags=(SCRIPTS[1],)
                )
                writer.put([made])
            for article in list(corpus.store.all(Article)):
                evil = {"title": text, "text": text, "outlet": SCRIPTS[3] + OVERRIDES, "url": SCRIPTS[5]}
                evil |= {"published": SCRIPTS[2] + OVERRIDES, "authors": (text,), "language": 'en"><x'}
                writer.put([article.model_copy(update=evil)])
        self.name = "<img src=x onerror=alert(1)> أمل"
        secrets = kit.people(corpus, (self.name, "bashir", "dima"))
        secrets |= kit.people(corpus, ("layla",), "lead") | kit.people(corpus, ("salma",), "adjudicator")
        app: Any = create_app(corpus)
        self.walkers = {name: Walker(app, secret) for name, secret in secrets.items()}
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Hostile]:
    with kit.make(tmp_path / "c", 3) as corpus:
        yield Hostile(corpus)


def harmless(page: Page) -> None:
    """Nothing on the page came from the texts: no script, handler, frame, image or address but its own."""
    assert page.status == 200
    own = {"/static/app.js"}
    assert set(page.tree.xpath("//script/@src")) == own
    assert not page.has("//script[not(@src)] | //img | //svg | //iframe | //object | //style | //base")
    assert not page.has("//@*[starts-with(name(), 'on')]")
    assert not page.has("//a[starts-with(@href, 'javascript')]")
    assert "{{ 7 * 7 }}" in page.text or "7 * 7" not in page.text, "templates in texts are not evaluated"
    for box in page.tree.xpath("//textarea"):
        box.text = ""  # where the lead edits, the text is as it is
    assert "\u202e" not in lxml.html.tostring(page.tree, encoding="unicode")


def test_no_page_runs_what_texts_hold(hostile: Hostile) -> None:
    amal = hostile.walkers[hostile.name]
    page = amal.accept_notices()
    harmless(page)
    assert "<script>alert(1)</script>" in page.words(), "it is shown as text"
    page = amal.judge(page, label="agree", note=SCRIPTS[1])
    harmless(page)
    kit.judge_all(hostile.corpus, hostile.name, "agree")
    kit.judge_all(hostile.corpus, "bashir", "disagree")
    kit.judge_all(hostile.corpus, "dima", "discuss")
    for path in ("/", "/mine", "/discussion"):
        harmless(amal.get(path))
    layla = hostile.walkers["layla"]
    for path in ("", "/people", "/rounds", "/agreement", "/raters", "/confusion", "/disputes", "/skips",
                 "/claims?show=all", "/claims/claim-0000", "/preview/pair-0000"):  # fmt: skip
        harmless(layla.get(f"/lead{path}"))
    salma = hostile.walkers["salma"]
    salma.accept_notices()
    harmless(salma.get("/adjudicate"))
    for link in salma.get("/adjudicate").tree.xpath("//a[starts-with(@href, '/adjudicate/')]/@href"):
        harmless(salma.get(link))


def test_a_line_of_a_megabyte_is_shown_whole_and_soon(tmp_path: Path) -> None:
    """Time grows with the text, not with its square: ten times the text, far less than a hundredfold."""
    for unit in ("كلمة ", "a@b.", "<b>", "\u202e", "!", "كلمةabc", "قال. "):
        spent = []
        for size in (50_000, 500_000):
            text = unit * (size // len(unit))
            began = time.process_time()
            like_claim("كلمة قال", text, 3)
            html = str(paragraphs(text, "rtl", (0, 1), {0}))
            spent.append(time.process_time() - began)
            assert html.count("كلمة") == text.count("كلمة")
        assert spent[1] < 40 * max(spent[0], 0.02), (unit, spent)
    with kit.make(tmp_path / "c", 1) as corpus:
        article = next(corpus.store.all(Article))
        with corpus.store.transaction() as writer:
            writer.put([article.model_copy(update={"text": "كلمة " * 200_000})])
        secrets = kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        amal = Walker(create_app(corpus), secrets["amal"])
        page = amal.accept_notices()
        assert page.status == 200
        assert page.text.count("كلمة") >= 200_000
        amal.judge(page, label="unrelated")
        assert corpus.store.count(Annotation) == 1
        assert open_assignments(corpus.store, "amal") == []


def test_a_difference_of_long_texts_is_made_soon() -> None:
    """Where words repeat, word by word takes the cube of their number."""
    began = time.process_time()
    long = str(difference("كلمة " * 20_000, "أخرى " + "كلمة " * 20_000, "rtl"))
    assert time.process_time() - began < 5
    assert long.count("كلمة") == 40_000
    assert (
        str(difference("لا صحة لخبر المنع", "خبر المنع", "rtl"))
        == "<del>لا صحة لخبر</del> <ins>خبر</ins> المنع"
    )
    assert str(difference("أ ب", "أ ب ج", "rtl")) == "أ ب <ins>ج</ins>"
    assert str(difference("", "", "rtl")) == ""


def test_lists_show_the_beginning_of_endless_texts(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        endless = "كلمةx " * 150_000
        with corpus.store.transaction() as writer:
            for claim in list(corpus.store.all(Claim)):
                writer.put([claim.model_copy(update={"raw": endless})])
                writer.put([CleanedClaim(id=claim.id, raw=endless, text=endless)])
            for article in list(corpus.store.all(Article)):
                writer.put([article.model_copy(update={"title": endless, "outlet": endless})])
        secrets = kit.people(corpus, ("amal", "bashir")) | kit.people(corpus, ("layla",), "lead")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(None))
        kit.judge_all(corpus, "amal", "agree")
        kit.judge_all(corpus, "bashir", "discuss")
        app: Any = create_app(corpus)
        amal, layla = Walker(app, secrets["amal"]), Walker(app, secrets["layla"])
        amal.accept_notices()
        lists = [amal.get("/mine"), layla.get("/lead/disputes"), layla.get("/lead/claims?show=all")]
        for page in [*lists, layla.get("/adjudicate"), layla.get("/lead/skips")]:
            assert page.status == 200
            assert len(page.text) < 100_000, page.url


EVIL = r"""\"><script>alert(1)</script><img src=x onerror=alert(1)>' onclick=x </style>"""
"""as it stands in a TOML file"""
SCHEME = """
question = {{ ar = "{0}" }}
sentences = true
[[labels]]
name = "{0}"
ar = "{0}"
definition = {{ ar = "{0}" }}
[[labels]]
name = "no"
[[questions]]
name = "how"
kind = "choice"
text = {{ ar = "{0}" }}
options = [{{ value = "{0}", ar = "{0}" }}, {{ value = "silence" }}]
when = {{ label = ["{0}"] }}
[guidelines]
version = "1<b>"
ar = "{0}"
"""


def test_labels_and_questions_of_a_scheme_are_text(tmp_path: Path) -> None:
    toml = f'[corpus]\nname = "{EVIL}"\n[annotate]\nscheme = "own.toml"\n'
    with kit.make(tmp_path / "c", 4, toml) as corpus:
        (corpus.path / "own.toml").write_text(SCHEME.format(EVIL), "utf-8")
        secrets = kit.people(corpus, ("amal", "bashir")) | kit.people(corpus, ("layla",), "lead")
        app: Any = create_app(corpus)
        name = app.state.site.scheme.names[0]
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        amal, layla = Walker(app, secrets["amal"]), Walker(app, secrets["layla"])
        item = amal.accept_notices()
        harmless(amal.get("/notice/guidelines"))
        harmless(item)
        assert item.tree.xpath("//input[@name='label']/@value") == [name, "no"]
        [condition] = item.tree.xpath("//fieldset[@data-question='how']/@data-when")
        assert json.loads(condition) == {"label": [name]}
        harmless(amal.judge(item, label=name, how=name, sentence=["0"]))
        kit.judge_all(corpus, "amal", name)
        kit.judge_all(corpus, "bashir", "no")
        for path in ("/mine", "/"):
            harmless(amal.get(path))
        for path in ("/lead", "/lead/agreement", "/lead/confusion", "/lead/raters", "/lead/disputes",
                     "/adjudicate", "/adjudicate/pair-0000", "/lead/preview/pair-0000"):  # fmt: skip
            harmless(layla.get(path))
        assert "<" not in layla.client.get("/scheme.css").text
