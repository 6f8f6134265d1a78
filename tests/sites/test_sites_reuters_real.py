"""The six real pages of Reuters Arabic (2017–19) in the CheckThat! pages are read right."""

from __future__ import annotations

from functools import cache

import pytest
from realdata import data_dir

from dalil.records import Headline
from dalil.text.wire import strip_wire
from spiders.sitecheck import read
from spiders.sites import load_site

EXPECTED = {
    "topNews/idARAKBN1CG02Y": (
        "2017-10-11",
        "أمريكا تصعد الضغط على حزب الله وتعرض مكافأة للقبض على مسؤولين",
        15,
    ),
    "topNews/idARAKBN1D821B": (
        "2017-11-08",
        "أربع دول كبرى تدعو مجلس الأمن لتمديد التحقيق في استخدام أسلحة كيماوية بسوريا",
        10,
    ),
    "worldNews/idARAKBN1O40RQ": (
        "2018-12-05",
        "حكومة ماكرون تبحث تعديل ضريبة الثروة مع استمرار غضب المحتجين",
        None,
    ),
    "entertainmentNews/idARAKBN1OA0C2": (
        "2018-12-11",
        "ميجان ماركل تسلم جائزة الأزياء لمصممة فستان زفافها",
        6,
    ),
    "topNews/idARAKCN1LD12T": ("2018-08-28", "محكمة مصرية تعاقب 6 بالإعدام لإدانتهم بقتل شرطي في هجوم", 9),
    "topNews/idARAKCN1Q1083": ("2019-02-12", "لاعب كرة القدم البحريني اللاجئ حكيم العريبي يصل أستراليا", 14),
}
"""address → date, headline, paragraphs of the article"""


@cache
def pages() -> dict[str, str]:
    from warcio.archiveiterator import ArchiveIterator

    found = {}
    with (data_dir("checkthat2019") / "pages.warc.gz").open("rb") as stream:
        for record in ArchiveIterator(stream):
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            if "//ara.reuters.com/" in url:
                found[url] = record.content_stream().read().decode("utf-8")
    return found


def test_there_are_six() -> None:
    assert {url.partition("/article/")[2] for url in pages()} == set(EXPECTED)


@pytest.mark.parametrize("place", EXPECTED)
def test_a_real_page_is_read_right(place: str) -> None:
    date, title, paragraphs = EXPECTED[place]
    url = f"https://ara.reuters.com/article/{place}"
    found = read(load_site("reuters_ar"), url, pages()[url], None)
    assert isinstance(found, list)
    (headline,) = found
    assert isinstance(headline, Headline)
    assert (headline.published, headline.published_from) == (date, "jsonld")
    assert headline.title == title
    assert headline.url == url
    assert headline.found["layout"] == "2017-19"
    lines = headline.text.split("\n")
    if paragraphs is not None:
        assert len(lines) == paragraphs
    assert "رويترز) -" not in headline.text
    assert "للنشرة العربية" not in headline.text
    assert "دقائق للقراءة" not in headline.text
    assert strip_wire(headline.text) == headline.text
