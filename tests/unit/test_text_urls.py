"""One spelling for one document: canonical urls, hosts, outlets, replay urls."""

import socket

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dalil.errors import InputError
from dalil.text.urls import canonical_url, document_id, host, outlet, wayback

ARTICLE = "https://site.example.com/news/1"


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        # percent-encoding: small, capital, none
        ("https://a.com/%d8%ae%d8%a8%d8%b1", "https://a.com/%D8%AE%D8%A8%D8%B1"),
        ("https://a.com/خبر", "https://a.com/%D8%AE%D8%A8%D8%B1"),
        ("https://a.com/a%2fb", "https://a.com/a%2Fb"),
        # IDN
        ("http://موقع.وزارة-الاتصالات.مصر/", "https://xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c/"),
        ("http://xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c", "https://xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c/"),
        ("https://Bücher.DE/", "https://xn--bcher-kva.de/"),
        # scheme, port, user, fragment, trailing slash
        ("http://a.com:80/x", "https://a.com/x"),
        ("https://a.com:443/x/", "https://a.com/x"),
        ("http://127.0.0.1:8080/x", "https://127.0.0.1:8080/x"),
        ("http://[::1]:8080/x", "https://[::1]:8080/x"),
        ("http://localhost:8080/x", "https://localhost:8080/x"),
        ("https://user:secret@a.com/x#part", "https://a.com/x"),
        ("//a.com/x", "https://a.com/x"),
        ("HTTPS://A.COM./x/../Y", "https://a.com/Y"),
        (" \u200fhttps://a.com/x\u202c\n", "https://a.com/x"),
        # tracking
        ("https://a.com/?utm_source=x&UTM_Medium=y&fbclid=1&gclid=2&ref_src=twsrc%5Etfw&igshid=3", "https://a.com/"),
        ("https://a.com/x?b=2&utm_campaign=z&a=1&a=0&c=", "https://a.com/x?a=0&a=1&b=2&c="),
        ("https://a.com/x?p=1&amp;utm_source=rss", "https://a.com/x?p=1"),
        ("https://a.com/x?ref=1&source=2&from=3", "https://a.com/x?from=3&ref=1&source=2"),
        # mobile and AMP
        ("http://www.a.com/x", "https://a.com/x"),
        ("http://m.aawsat.com/home/1", "https://aawsat.com/home/1"),
        ("https://mobile.a.com/x", "https://a.com/x"),
        ("https://amp.a.com/x", "https://a.com/x"),
        ("https://www.m.a.com/x", "https://a.com/x"),
        ("https://a.com/x/amp", "https://a.com/x"),
        ("https://a.com/x/amp/", "https://a.com/x"),
        ("https://a.com/amp/x", "https://a.com/x"),
        ("https://a.com/x?amp=1", "https://a.com/x"),
        ("https://a.com/x?amp", "https://a.com/x"),
        ("https://a.com/x?outputType=amp", "https://a.com/x"),
        ("https://a.com/x.amp.html", "https://a.com/x.html"),
        ("https://www.google.com/amp/s/www.a.com/x/amp/", "https://a.com/x"),
        ("https://www-a-com.cdn.ampproject.org/c/s/www.a.com/x?p=1&amp_js_v=0.1", "https://a.com/x?p=1"),
        # what only looks like a variant
        ("https://a.com/amplifier/ampere", "https://a.com/amplifier/ampere"),
        ("https://a.com/x-amp", "https://a.com/x-amp"),
        ("https://a.com/a/amp/b", "https://a.com/a/amp/b"),
        ("https://a.com/x?amp=300", "https://a.com/x?amp=300"),
        ("https://mobilesgate.com/x", "https://mobilesgate.com/x"),
        ("https://amp.dev/x", "https://amp.dev/x"),
        ("https://m.co.uk/x", "https://m.co.uk/x"),
        ("https://www.gov.eg/x", "https://www.gov.eg/x"),
        ("https://m.com/x", "https://m.com/x"),
        ("https://ar.m.a.com/x", "https://ar.m.a.com/x"),
        # Reuters, legacy
        ("http://ara.reuters.com/article/topNews/idARAKBN0FE2AL20140709?sp=true",
         "https://ara.reuters.com/article/topNews/idARAKBN0FE2AL20140709"),
        ("https://a.com/x?sp=true", "https://a.com/x?sp=true"),
        # a replay url is never an identity
        ("https://web.archive.org/web/20190607120000/http://www.a.com/Path?q=1#top", "https://a.com/Path?q=1"),
        ("http://web.archive.org/web/20190607120000id_/https://a.com:443/x", "https://a.com/x"),
        ("https://web.archive.org/web/2019/http%3A%2F%2Fa.com%2Fx%3Fp%3D1", "https://a.com/x?p=1"),
        ("https://web.archive.org/web/2019if_/a.com/x", "https://a.com/x"),
        ("https://web.archive.org/web/2019/https:/a.com/x", "https://a.com/x"),
        ("https://web.archive.org/web/2019/https://web.archive.org/web/2018/https://m.a.com/x", "https://a.com/x"),
        ("https://web.archive.org/details/x", "https://web.archive.org/details/x"),
        # encoded twice: stays as it is
        ("https://factual.afp.com/http%253A%252F%252Fdoc.afp.com%252F9LK8NN-1",
         "https://factual.afp.com/http%253A%252F%252Fdoc.afp.com%252F9LK8NN-1"),
        ("https://web.archive.org/web/2022id_/https://factual.afp.com/http%253A%252F%252Fdoc.afp.com%252F9LK8NN-1",
         "https://factual.afp.com/http%253A%252F%252Fdoc.afp.com%252F9LK8NN-1"),
    ],
)  # fmt: skip
def test_canonical_url(url, canonical):
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    "junk",
    [
        "",
        " ",
        "1",
        "glem-post.html",
        "a.com/x",
        "http://",
        "https:///x",
        "mailto:a@b.com",
        "javascript:alert(1)",
        "http://a b.com/",
        "http://a..com/",
        "https://www.reuters.comundefined/x",
        "http://[::1",
        "http://a.com:99999/",
        "http://a.com:x/",
        "https://a.com/1 https://b.com/2",
        "https://a.com/1 and https://b.com/2",
        "http://-/",
        "http%253A%252F%252Fdoc.afp.com%252F9LK8NN-1",
        "http://\ud800.com/",
        "http://foo/x",
    ],
)
def test_junk_is_refused_with_what_and_todo(junk):
    with pytest.raises(InputError) as error:
        canonical_url(junk)
    assert error.value.todo
    assert "\n" not in str(error.value)


def test_not_even_text_is_refused():
    with pytest.raises(InputError):
        canonical_url(None)


def test_variants_share_a_document():
    variants = [
        "http://www.site.example.com/news/1?utm_source=twitter",
        "https://m.site.example.com/news/1/",
        "https://site.example.com/news/1/amp/",
        "https://web.archive.org/web/20200101000000/https://site.example.com/news/1#c",
    ]
    assert {document_id(url) for url in variants} == {document_id(ARTICLE)}
    assert document_id(ARTICLE).startswith("document-")
    assert document_id("https://site.example.com/News/1") != document_id(ARTICLE)  # path case is kept


def test_host_is_whom_to_ask_and_outlet_is_who_published():
    replay = "https://web.archive.org/web/2019id_/http://www.aawsat.com/x"
    assert host("http://WWW.aawsat.com:80/x") == "www.aawsat.com"
    assert outlet("http://m.aawsat.com/x") == "aawsat.com"
    assert outlet("https://ara.reuters.com/x") == "ara.reuters.com"
    assert host(replay) == "web.archive.org"
    assert outlet(replay) == "aawsat.com"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "https://web.archive.org/web/20190607120000id_/http://a.com/x?y#z",
            ("20190607120000", "http://a.com/x?y#z"),
        ),
        ("http://archive.org/web/2019/a.com/x", ("2019", "http://a.com/x")),
        ("https://web.archive.org/web/*/http://a.com", None),
        ("https://a.com/web/2019/http://b.com", None),
        ("", None),
    ],
)
def test_wayback(url, expected):
    assert wayback(url) == expected


def test_no_network_is_used(monkeypatch):
    def refuse(*_):
        raise AssertionError("network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert canonical_url("https://www.network.bbc.co.uk/x") == "https://network.bbc.co.uk/x"


PIECES = st.sampled_from(
    [
        "http://", "https://", "//", "www.", "m.", "amp.", "a.com", "co.uk", "خبر.com",
        "web.archive.org/web/2019id_/", "/", "amp", ".amp", ".html", "?", "&", "=", "utm_source=1",
        "amp=1", "%d8", "%D8", "%", "%25", "%2F", "%3A", "#", ":80", ";", "..", "@", "+", " ", "é",
        "خبر", "\u200f", "\ud800", "\x00", "[", "]", "cdn.ampproject.org/c/s/", "google.com/amp/s/"
    ]
)  # fmt: skip
URLS = st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=9).map("".join)


@settings(deadline=None)
@given(
    st.one_of(
        URLS, URLS.map("https://a.com/".__add__), URLS.map("https://a.com/?".__add__), st.text(max_size=30)
    )
)
@example("https://a.com/amp/amp/amp//amp")
@example("https://a.com//..//x.amp/")
@example("https://a.com/;/")
@example("https://a.com/\ud800")
@example("https://web.archive.org/web/2019/http%3A%2F%2Fa.com%2F%C7%C8")
@example("https://a.com/?utm%5Fsource=1&%61mp=1")
def test_canonical_urls_are_their_own(url):
    try:
        canonical = canonical_url(url)
    except InputError:
        return
    assert canonical_url(canonical) == canonical
    assert canonical.isascii()
    assert canonical.startswith("https://")
    assert "#" not in canonical
    assert not wayback(canonical)
    assert document_id(url) == document_id(canonical)
    assert outlet(url) == outlet(canonical)
    assert host(canonical) == outlet(canonical)
