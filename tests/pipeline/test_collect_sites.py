"""collect over sites of every way, offline: what is asked, what comes of it, what a second walk asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakeweb.client import VARIABLE, FakeWeb, running
from forked import forked_crawls
from killing import KILLED, run_in_child

from dalil.cli import main
from dalil.corpus import Corpus
from dalil.progress import Silent
from dalil.records import ApiPage, Claim, Dropped, Fetch
from dalil.runner import Tally, run
from dalil.state.dump import dump, equal
from spiders import postlinks, walks
from spiders.collect import ReadClaims

STAGES = [
    "spiders.collect:CollectPages", "spiders.api:CollectApi", "spiders.resolve:ResolveLinks",
    "spiders.collect:ReadClaims", "spiders.api:ReadApi",
]  # fmt: skip
SELECTORS = """
page_pattern = "/check/"
[selectors]
links = "h2 a::attr(href)"
next = "a.next::attr(href)"
title = "h1"
verdict = "b.verdict"
date_attribute = "time::attr(datetime)"
body = "div.body p"
posts = "div.body"
"""
SITES = {
    "wp": 'way = "wordpress"\nstart = ["http://wp.example/"]' + SELECTORS,
    "wpfeed": 'way = "wordpress"\nstart = ["http://wpfeed.example/"]' + SELECTORS,
    "wphtml": 'way = "wordpress"\nstart = ["http://wphtml.example/"]' + SELECTORS,
    "listing": 'start = ["http://listing.example/list"]' + SELECTORS,
    "past": SELECTORS + '[archive]\nurl = "past.example"\nservice = "http://captures.example"\n',
    "hijacked": 'start = ["http://hijacked.example/list"]' + SELECTORS,
    "statements": 'way = "api"\nlanguage = "cs"\n[api]\nkind = "demagog_cz"\npage_size = 2\n'
    'url = "http://statements.example/graphql"\n[verdicts]\nPravda = "true"\n',
    "factcheck": 'way = "api"\n[api]\nkind = "google_factcheck"\nask = { query = "جسر" }\n'
    'url = "http://factcheck.example/v1alpha1/claims:search"\n',
}


@pytest.fixture(scope="module")
def web() -> Iterator[FakeWeb]:
    with running() as found, pytest.MonkeyPatch.context() as patch, forked_crawls():
        patch.setenv(VARIABLE, found.address)
        patch.setenv("GOOGLE_API_KEY", "a-secret-key")
        patch.setitem(postlinks.ENDPOINTS, "perma.cc", "http://perma.example/api/v1/public/archives/")
        patch.setitem(postlinks.ENDPOINTS, "t.co", "http://short.example/")
        patch.setattr(ReadClaims, "map", None)  # other processes would not know these addresses
        yield found


def corpus_of(folder: Path, *names: str, settings: str = "") -> Corpus:
    listed = ", ".join(f'"{name}"' for name in names)
    corpus = Corpus.create(folder, f'[corpus]\nname = "c"\n[sites]\nnames = [{listed}]\n{settings}')
    (folder / "sites").mkdir()
    for name in names:
        (folder / "sites" / f"{name}.toml").write_text(SITES[name], "utf-8")
    return corpus


def collect(corpus: Corpus) -> list[Tally]:
    return run(corpus, STAGES, Silent(), doing="collect")


def asked(corpus: Corpus, purpose: str) -> list[str]:
    return sorted(fetch.url for fetch in corpus.store.all(Fetch, purpose=purpose))


def test_wordpress_by_rest(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "wp") as corpus:
        collect(corpus)
        assert corpus.store.count(Claim) == 205
        assert len(asked(corpus, "listing")) == 3
        claim = next(corpus.store.all(Claim))
        assert (claim.veracity, claim.found["raw"], claim.found["verdict"]) == ("false", "title", "selector")


def test_wordpress_by_feed_then_by_pages(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "wpfeed", "wphtml") as corpus:
        collect(corpus)
        sites = [claim.site for claim in corpus.store.all(Claim)]
        assert (sites.count("wpfeed"), sites.count("wphtml")) == (6, 2)


def test_captures_are_read_by_the_same_parser_and_known_by_their_own_address(
    web: FakeWeb, tmp_path: Path
) -> None:
    with corpus_of(tmp_path / "c", "past") as corpus:
        collect(corpus)
        claims = sorted(corpus.store.all(Claim), key=lambda claim: claim.url or "")
        assert [claim.url for claim in claims] == [f"https://past.example/check/{n}" for n in range(1, 5)]
        assert claims[0].snapshot_at == "2019-01-01T00:00:00Z"
        assert (
            claims[0].archived_url
            == "http://captures.example/web/20190101000000id_/http://www.past.example/check/1"
        )


def test_apis_are_asked_page_by_page_and_the_key_is_stored_nowhere(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "statements", "factcheck") as corpus:
        collect(corpus)
        sites = [claim.site for claim in corpus.store.all(Claim)]
        assert (sites.count("statements"), sites.count("factcheck")) == (5, 2)
        assert corpus.store.count(ApiPage) == 3 + 2
        again = collect(corpus)
        assert sum(tally.worked for tally in again) == 0
    assert b"a-secret-key" not in (tmp_path / "c" / "corpus.db").read_bytes()


def test_links_are_resolved_once_and_keep_where_they_were_found(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "listing") as corpus:
        collect(corpus)
        (claim,) = corpus.store.all(Claim, url="https://listing.example/check/1")
        posts = {post["link"]: post for post in claim.posts}
        assert (
            posts["https://perma.cc/AB12-CD34"]["url"] == "https://x.com/somebody/status/1402000000000000001"
        )
        assert posts["https://perma.cc/AB12-CD34"]["provenance"] == "body"
        assert "url" not in posts["https://t.co/Dead99"]
        assert sum(tally.worked for tally in collect(corpus)) == 0


def test_a_later_walk_stops_where_everything_is_known(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "listing", settings="stop_after_known = 7\n") as corpus:
        collect(corpus)
        assert len(asked(corpus, "listing")) == 6
        known = list(corpus.store.all(Fetch, purpose="claim"))
        with corpus.store.transaction() as writer:  # as if the first walk had been long ago
            writer.put(fetch.model_copy(update={"fetched_at": "2020-01-01T00:00:00Z"}) for fetch in known)
        assert walks.begin(corpus.store, "listing") == 2
        first = collect(corpus)[0]
        again = list(corpus.store.all(Fetch, purpose="listing"))
        assert len(again) == 6 + 1, "of the second walk one listing: its five pages are all known"
        assert first.worked == 1


def test_a_first_walk_goes_on_where_the_limit_was_when_the_limit_is_raised(
    web: FakeWeb, tmp_path: Path
) -> None:
    with corpus_of(tmp_path / "c", "listing", settings="max_listings = 2\n") as corpus:
        collect(corpus)
        assert len(asked(corpus, "listing")) == 2
    path = tmp_path / "c" / "corpus.toml"
    path.write_text(path.read_text("utf-8").replace("max_listings = 2", "max_listings = 100"), "utf-8")
    with Corpus.open(tmp_path / "c") as corpus:
        collect(corpus)
        assert len(asked(corpus, "listing")) == 6


def test_a_hijacked_domain_is_refused_with_its_reason(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "hijacked") as corpus:
        collect(corpus)
        assert corpus.store.count(Claim) == 0
        assert asked(corpus, "claim") == [], "nothing on it is followed"
        (drop,) = corpus.store.all(Dropped, stage="claims")
        assert drop.reason == "hijacked_domain"
        assert "casino" in (drop.detail or "")


def test_a_changed_definition_is_read_again_without_asking(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "wphtml") as corpus:
        collect(corpus)
        before = corpus.store.count(Fetch)
    path = tmp_path / "c" / "sites" / "wphtml.toml"
    path.write_text("version = 2\n" + path.read_text("utf-8").replace('"b.verdict"', '"i.none"'), "utf-8")
    with Corpus.open(tmp_path / "c") as corpus:
        tallies = collect(corpus)
        assert tallies[0].worked == 0
        assert corpus.store.count(Fetch) == before
        assert {claim.verdict for claim in corpus.store.all(Claim)} == {None}
        assert {claim.origin for claim in corpus.store.all(Claim)} == {"wphtml v2 only"}


@pytest.mark.parametrize("stage", STAGES)
def test_killed_and_run_again_it_is_the_same(web: FakeWeb, tmp_path: Path, stage: str) -> None:
    names = ("wphtml", "wpfeed", "past", "statements")
    with corpus_of(tmp_path / "whole", *names) as corpus:
        collect(corpus)
        dump(corpus, tmp_path / "after", stable=True)
    with corpus_of(tmp_path / "killed", *names) as corpus:
        run(corpus, STAGES[: STAGES.index(stage)], Silent())

    def one() -> None:
        with Corpus.open(tmp_path / "killed") as again:
            run(again, [stage], Silent())

    ends = [run_in_child(one, point) for point in ("commit:2", "commit:3", "write:2")]
    assert KILLED in ends
    assert set(ends) <= {0, KILLED}
    with Corpus.open(tmp_path / "killed") as corpus:
        collect(corpus)
        dump(corpus, tmp_path / "again", stable=True)
    assert equal(tmp_path / "after", tmp_path / "again") == []


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


def test_collect_new_brings_what_was_published_since(
    web: FakeWeb, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus_of(tmp_path / "c", "wphtml", "statements").close()
    folder = str(tmp_path / "c")
    assert command("collect", "--quiet", "--site", "wphtml", folder) == 0
    with Corpus.open(folder) as corpus:
        assert {claim.site for claim in corpus.store.all(Claim)} == {"wphtml"}, "only the site that was named"
    assert command("collect", "--quiet", "--new", folder) == 0
    with Corpus.open(folder) as corpus:
        assert {claim.site for claim in corpus.store.all(Claim)} == {"wphtml", "statements"}
        assert walks.current(corpus.store, "wphtml") == 2
        assert walks.current(corpus.store, "statements") is None, "its first walk was still to come"
        assert corpus.store.count(Claim) == 2 + 5
    capsys.readouterr()
    assert command("collect", "--site", "nosuch", folder) == 2
    assert "no site 'nosuch'" in capsys.readouterr().err
    assert command("collect", "--new", "--replay", folder) == 2


def test_collect_without_sites_says_so_and_asks_nothing(tmp_path: Path) -> None:
    Corpus.create(tmp_path / "c", '[corpus]\nname = "c"\n').close()
    assert command("collect", "--quiet", str(tmp_path / "c")) == 0
