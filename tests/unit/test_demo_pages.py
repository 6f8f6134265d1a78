"""The pages of the demo corpus: addresses, encodings, furniture, and what a reader gets out of them."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from urllib.parse import quote, unquote, urljoin

import lxml.html
import pytest
import trafilatura
from trafilatura.settings import Document

from dalil.demo import content
from dalil.demo.content import LISTING
from dalil.demo.pages import hosts, last_page, render, urls


def kind(name: str) -> content.DemoArticle:
    return next(article for article in content.articles() if article.kind == name)


def tree(url: str) -> lxml.html.HtmlElement:
    page = render(url)
    assert page.status == 200
    return lxml.html.fromstring(page.body.decode("utf-8"))


@pytest.mark.parametrize("url", urls())
def test_every_address_renders(url: str) -> None:
    page = render(url)
    assert page.status == 200
    assert page.body
    assert page.headers["Content-Length"] == str(len(page.body))
    assert {"Content-Type", "ETag", "Last-Modified"} <= set(page.headers)


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "from hashlib import sha256; from dalil.demo.pages import render, urls;"
        "print(sha256(repr([render(u) for u in urls()]).encode()).hexdigest())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == sha256(repr([render(url) for url in urls()]).encode()).hexdigest()


@pytest.mark.parametrize(
    "url",
    [
        "http://haqiqa.example/check/9",
        "http://haqiqa.example/list?page=0",
        "http://haqiqa.example/list?page=3",
        "http://haqiqa.example/list?page=²",
        "http://akhbar-alnahr.example/news/1",
        "http://elsewhere.example/",
        "http:///",
    ],
)
def test_what_does_not_exist_is_404(url: str) -> None:
    page = render(url)
    assert page.status == 404
    assert "ETag" not in page.headers


def test_an_address_is_found_however_its_path_is_escaped() -> None:
    article = kind("cp1256")
    assert "%D" in article.url
    plain = unquote(article.url)
    lower = quote(plain, safe=":/").replace("%D", "%d")
    assert render(plain) == render(lower) == render(article.url + "?utm_source=x#top") == render(article.url)


def test_paging_reaches_every_claim_newest_first() -> None:
    found: list[str] = []
    url: str | None = LISTING
    pages = 0
    while url is not None:
        listing = tree(url)
        cards = listing.xpath('//article[@class="check-card"]/h2/a/@href')
        found += [urljoin(url, href) for href in cards]
        following = listing.xpath('//a[@rel="next"]/@href')
        url = urljoin(url, following[0]) if following else None
        pages += 1
    assert pages == last_page() == 2
    assert found == [claim.url for claim in content.claims()]


def test_a_claim_page_says_what_the_file_says() -> None:
    for claim in content.claims():
        page = tree(claim.url)
        assert page.xpath('string(//main//h1[@class="check-title"])') == claim.title
        assert page.xpath('string(//main//strong[@class="rating"])') == claim.verdict
        assert page.xpath('string(//main//*[@class="check-date"])') == claim.printed
        assert page.xpath('string(//main//time[@class="check-date"]/@datetime)') == claim.iso
        assert page.xpath("string(//main//blockquote)") == claim.claim
        assert page.xpath('//div[@class="check-body"]/p/text()') == list(claim.body)
        assert len(page.xpath("//aside//strong")) >= 2  # other checks' verdicts, beside the page's own


def test_claim_review_markup_is_json_in_two_shapes() -> None:
    shapes = set()
    for claim in content.claims():
        scripts = tree(claim.url).xpath('//script[@type="application/ld+json"]/text()')
        assert len(scripts) == bool(claim.ld)
        for script in scripts:
            value = json.loads(script)
            shapes.add(type(value).__name__)
            review = value[0] if isinstance(value, list) else value["@graph"][0]
            assert review["claimReviewed"] == claim.claim
            assert review["reviewRating"]["alternateName"] == claim.verdict
    assert shapes == {"list", "dict"}


def test_articles_give_title_text_and_date_to_an_extractor() -> None:
    undated = []
    for article in content.articles():
        if not article.readable:
            continue
        found = trafilatura.bare_extraction(render(article.url).body, url=article.url, with_metadata=True)
        assert isinstance(found, Document)
        assert found.title == article.title
        text = found.text or ""
        assert all(paragraph in text for paragraph in article.text), article.url
        assert len(text) < 1.4 * len("\n".join(article.text)), article.url  # most furniture stays out
        if found.date != article.published[:10]:
            undated.append(article)
    # Two pages only print a Levantine date, which general tools do not read.
    assert [article.printed for article in undated] == ["21 آب 2018", "20 تموز 2018"]


def test_the_old_page_is_windows_1256_and_only_its_meta_says_so() -> None:
    article = kind("cp1256")
    page = render(article.url)
    assert page.headers["Content-Type"] == "text/html"
    assert b"charset=windows-1256" in page.body
    assert article.text[0] in page.body.decode("windows-1256")
    with pytest.raises(UnicodeDecodeError):
        page.body.decode("utf-8")


def test_twins_have_the_article_and_name_its_address() -> None:
    article = kind("twin")
    bodies = set()
    for url in (article.url, *content.twins(article)):
        page = tree(url)
        assert page.xpath('//link[@rel="canonical"]/@href') == [article.url]
        assert page.xpath('//div[@class="story-content"]/p/text()') == list(article.text)
        bodies.add(render(url).body)
    assert len(bodies) == 3


@pytest.mark.parametrize("name", ["challenge", "soft404", "paywall"])
def test_some_pages_keep_the_text_back_with_status_200(name: str) -> None:
    article = kind(name)
    page = render(article.url)
    assert page.status == 200
    assert article.text[-1] not in page.body.decode("utf-8")


def test_links_between_pages_lead_somewhere() -> None:
    for url in urls():
        if url.endswith((".txt", ".xml")) or url == kind("cp1256").url:
            continue
        for href in tree(url).xpath("//a/@href"):
            if href != "#":
                assert render(urljoin(url, href)).status == 200, (url, href)


def test_robots_and_sitemap_of_every_host() -> None:
    listed = set()
    for host in hosts():
        assert f"Sitemap: http://{host}/sitemap.xml" in render(f"http://{host}/robots.txt").body.decode()
        sitemap = lxml.html.fromstring(render(f"http://{host}/sitemap.xml").body)
        listed |= {loc.strip() for loc in sitemap.xpath("//loc/text()")}
    twins = {url for article in content.articles() for url in content.twins(article)}
    own = {claim.url for claim in content.claims()} | {article.url for article in content.articles()}
    assert listed == own | twins
