"""Encodings of Arabic pages: declared, late, missing, wrong, doubled."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.extract import Extracted, Page, Refused, extract
from retrieval.extract.body import LIMIT, other_format, undo_codings
from retrieval.extract.charset import decode

TEXT = (
    "أعلنت بلدية مدينة المرجان صباح الاثنين إعادة فتح الجسر القديم أمام السيارات بعد ثلاثة أشهر من الصيانة. "
    "وقال رئيس البلدية إن المهندسين فحصوا الدعامات كلها وأثبتوا أن الجسر يحتمل حركة المرور دون خطر."
)
SCRIPT = "<script>" + "var ad = 'x y z'; " * 2000 + "</script>"


def html(head: str = "", *, before: str = "") -> str:
    return (
        f"<!DOCTYPE html><html><head>{before}{head}<title>فتح الجسر القديم</title></head>"
        f"<body><h1>فتح الجسر القديم</h1><p>{TEXT}</p><p>{TEXT.replace('الجسر', 'النفق')}</p></body></html>"
    )


META = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1256">'
CASES: dict[str, tuple[bytes, str | None, str]] = {
    "header and meta": (html(META).encode("cp1256"), "text/html; charset=windows-1256", "cp1256"),
    "header only": (html().encode("cp1256"), "text/html; charset=cp1256", "cp1256"),
    "meta only": (html(META).encode("cp1256"), "text/html", "cp1256"),
    "meta after 30 kB of script": (html(META, before=SCRIPT).encode("cp1256"), "text/html", "cp1256"),
    "nothing": (html().encode("cp1256"), "text/html", "cp1256"),
    "no header at all": (html().encode("cp1256"), None, "cp1256"),
    "header says utf-8": (html().encode("cp1256"), "text/html; charset=utf-8", "cp1256"),
    "header says latin-1": (html().encode("cp1256"), "text/html; charset=ISO-8859-1", "cp1256"),
    "header says an unknown word": (html().encode("cp1256"), "text/html; charset=arabi", "cp1256"),
    "iso-8859-6 declared": (html().encode("iso8859-6"), "text/html; charset=iso-8859-6", "iso8859-6"),
    "iso-8859-6 undeclared": (html().encode("iso8859-6"), "text/html", "iso8859-6"),
    "iso-8859-6 declared as windows-1256": (html(META).encode("iso8859-6"), "text/html", "iso8859-6"),
    "utf-8": (html('<meta charset="utf-8">').encode(), "text/html", "utf-8"),
    "utf-8 declared as windows-1256": (html(META).encode(), "text/html; charset=windows-1256", "utf-8"),
    "utf-8 cut in a letter": (html().encode()[:-160], "text/html", "utf-8"),
    "utf-8 with a mark": (b"\xef\xbb\xbf" + html(META).encode(), "text/html", "utf-8"),
    "utf-16 with a mark": (html().encode("utf-16"), "text/html", "utf-16-le"),
    "latin read for windows-1256": (html().encode("cp1256").decode("latin-1").encode(), "text/html", "utf-8"),
    "turkish read for windows-1256": (
        html().encode("cp1256").decode("cp1254", "replace").encode(), "text/html", "utf-8"
    ),
    "windows-1256 read for utf-8": (
        html(before=f"<!-- {TEXT} -->").encode().decode("cp1256").encode(), "text/html", "utf-8"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_letters_are_read_as_they_were_meant(name: str) -> None:
    body, content_type, charset = CASES[name]
    headers = (("Content-Type", content_type),) if content_type else ()
    found = extract(Page("http://nahr.example/1", body, headers=headers))
    assert isinstance(found, Extracted), found
    assert found.title == "فتح الجسر القديم"
    assert "رئيس البلدية إن المهندسين فحصوا الدعامات" in found.text
    assert found.charset == charset


def test_french_and_german_pages_are_not_taken_for_arabic() -> None:
    french = (
        "<p>" + "Le président a été reçu à l'hôtel de ville où il a déjà dîné l'été dernier. " * 9 + "</p>"
    )
    german = "<p>" + "Die Straßen über die Brücke müssen für größere Züge geöffnet werden. " * 9 + "</p>"
    for text in (french, german):
        assert text in decode(text.encode("cp1252"), "text/html; charset=iso-8859-1").text
        assert text in decode(text.encode(), None).text


def test_a_meta_inside_a_utf8_page_of_ascii_changes_nothing() -> None:
    assert decode(b"<meta charset=utf-16><p>plain</p>", None).text == "<meta charset=utf-16><p>plain</p>"


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=2000), st.sampled_from([None, "text/html", "text/html; charset=utf-7", "x;charset="])
)
def test_no_bytes_and_no_header_break_decoding(body: bytes, content_type: str | None) -> None:
    assert isinstance(decode(body, content_type).text, str)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TEXT.split()), min_size=30, max_size=60).map(" ".join))
def test_arabic_words_survive_windows_1256_without_any_declaration(text: str) -> None:
    assert text in decode(f"<p>{text}</p>".encode("cp1256"), None).text


def test_content_codings_are_undone_even_when_wrong_torn_or_doubled() -> None:
    page = html().encode()
    bare = zlib.compressobj(wbits=-15)
    deflated = bare.compress(page) + bare.flush()
    assert undo_codings(gzip.compress(page), "gzip") == page
    assert undo_codings(gzip.compress(gzip.compress(page)), "gzip, gzip") == page
    assert undo_codings(zlib.compress(page), "deflate") == page
    assert undo_codings(deflated, "deflate") == page
    assert undo_codings(page, "gzip") == page
    assert undo_codings(gzip.compress(page[:700]) + gzip.compress(page[700:]), "x-gzip") == page
    torn = undo_codings(gzip.compress(page)[:-20], "gzip")
    assert page.startswith(torn)
    assert len(torn) > len(page) // 2


def test_brotli_is_undone() -> None:
    import brotli

    page = html().encode()
    assert undo_codings(brotli.compress(page), "br") == page
    assert undo_codings(page, "br") == page


def test_a_bomb_is_not_unpacked_beyond_the_limit() -> None:
    assert len(undo_codings(gzip.compress(b"0" * (LIMIT + 5_000_000)), "gzip")) == LIMIT


@pytest.mark.parametrize(
    ("body", "content_type", "detail"),
    [
        (b"%PDF-1.7 ...", "application/pdf", "PDF"),
        (b"%PDF-1.7 ...", "text/html", "PDF"),
        (b"\xff\xd8\xff\xe0JFIF", "image/jpeg", "JPEG"),
        (b'<?xml version="1.0"?>\n<!-- f -->\n<rss version="2.0"><channel/></rss>', "text/xml", "rss"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>", "text/html", "feed"),
        (b'{"status": "ok"}', "application/json", "JSON"),
        (b"some bytes", "application/octet-stream", "application/octet-stream"),
    ],
)
def test_other_formats_are_told_by_their_bytes(body: bytes, content_type: str, detail: str) -> None:
    page = Page("http://nahr.example/1", body, headers=(("content-type", content_type),))
    assert extract(page) == Refused("not_html", detail)


def test_html_under_a_wrong_type_is_html() -> None:
    assert other_format(html().encode(), "application/octet-stream") is None
    assert other_format(b"<?xml version='1.0'?><!DOCTYPE html><html></html>", "application/xhtml+xml") is None


@pytest.mark.parametrize(
    ("status", "reason"), [(404, "http_status"), (500, "http_status"), (301, "http_status")]
)
def test_an_error_is_named_by_its_status(status: int, reason: str) -> None:
    for body in (b"", html().encode(), b"%PDF"):
        assert extract(Page("http://nahr.example/1", body, status=status)) == Refused(reason, str(status))
    assert extract(Page("http://nahr.example/1", b" \r\n")) == Refused("empty", "no bytes")
