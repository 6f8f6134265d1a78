"""Dates as pages write them, and which of a page's dates is believed."""

import gzip
import json
import re
from datetime import date, datetime, timedelta

import pytest
from hijridate import Gregorian
from hypothesis import given, settings
from hypothesis import strategies as st
from realdata import data_dir

from dalil.text.dates import BestDate, Candidate, best_date, parse_date, url_date
from dalil.text.dates.months import GREGORIAN, HIJRI, _numbers

SEEN = date(2021, 3, 1)


def read(text, **more):
    found = parse_date(text, **more)
    return found and found.iso


@pytest.mark.parametrize(
    ("text", "iso", "time"),
    [
        ("19 فبراير 2021 الساعة 16:24", "2021-02-19", "16:24"),
        ("١٢ سبتمبر ٢٠٢١", "2021-09-12", None),
        ("6 حزيران 2019", "2019-06-06", None),
        ("30 آب 2023", "2023-08-30", None),
        ("كانون الأول/ديسمبر 2024", "2024-12", None),
        ("أكتوبر تشرين الأول 2023", "2023-10", None),
        ("كانون الأولديسمبر2024", "2024-12", None),
        ("28 janvier 2022 à 18:35", "2022-01-28", "18:35"),
        ("23 Junho 2020 às 20:02", "2020-06-23", "20:02"),
        ("13.02.2026 godz.17:03", "2026-02-13", "17:03"),
        ("24 August 2021 um 14:41", "2021-08-24", "14:41"),
        ("تاريخ النشر 19 فبراير 2021 الساعة 16:24", "2021-02-19", "16:24"),
        ("اريخ التحديث 19 فبراير 2021", "2021-02-19", None),
        ("2022-01-28 18:35", "2022-01-28", "18:35"),
        ("19 رمضان 1441 هـ - 12 مايو 2020 م", "2020-05-12", None),
        ("12 مايو 2020 م - 19 رمضان 1441 هـ", "2020-05-12", None),
        ("الثلاثاء 12 مايو 2020م الموافق 19 رمضان 1441هـ", "2020-05-12", None),
    ],
)
def test_dates_of_the_sources(text, iso, time):
    found = parse_date(text)
    assert (found.iso, found.time, found.calendar) == (iso, time, "gregorian")


@pytest.mark.parametrize(
    "text",
    [
        "24 أغسطس, 12:53",
        "تم النشر في: 24 أغسطس, 12:53",
        "اليوم في تمام 10:33 AM",
        "23 فبراير/شباط",
        "11 شباط/ فبراير",
    ],
)
def test_dates_without_a_year_are_unknown(text):
    assert parse_date(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "5 مايو/نيسان 2019",
        "5 مايو (نيسان) 2019",
        "5 مايو/أيار 2150",
        "5 مايو - نيسان",
        "5 مايو 2150",
        "31 شباط/فبراير 2019",
    ],
)
def test_a_date_that_was_refused_is_not_read_again_without_its_year(text):
    assert parse_date(text, reference=SEEN) is None


@pytest.mark.parametrize(
    ("text", "iso", "time"),
    [
        ("24 أغسطس, 12:53", "2020-08-24", "12:53"),  # the last one not after the day it was seen
        ("تم النشر في: 24 أغسطس, 12:53", "2020-08-24", "12:53"),
        ("23 فبراير/شباط", "2021-02-23", None),
        ("11 شباط/ فبراير", "2021-02-11", None),
        ("1 آذار", "2021-03-01", None),
        ("2 آذار", "2020-03-02", None),
        ("29 فبراير", "2020-02-29", None),
        ("August 24", "2020-08-24", None),
        ("اليوم في تمام 10:33 AM", "2021-03-01", "10:33"),
        ("تم النشر: أمس الساعة 3:05 م", "2021-02-28", "15:05"),
        ("أول أمس", "2021-02-27", None),
        ("منذ 3 أيام", "2021-02-26", None),
        ("قبل يومين", "2021-02-27", None),
        ("2 days ago", "2021-02-27", None),
        ("منذ 3 ساعات", None, None),  # a date alone does not say on which day that was
        ("صحيفة اليوم السابع", None, None),
        ("قتل اليوم ثلاثة أشخاص", None, None),
        ("31 فبراير", None, None),
        ("30 آب 1850", None, None),  # a refused year does not make it year-less
        ("لا تاريخ هنا", None, None),
    ],
)
def test_a_reference_dates_them(text, iso, time):
    found = parse_date(text, reference=SEEN)
    assert (found and found.iso, found and found.time) == (iso, time)


def test_hours_ago_need_a_time():
    assert read("منذ 3 ساعات", reference=datetime(2021, 3, 1, 2)) == "2021-02-28"
    assert read("منذ ساعة", reference=datetime(2021, 3, 1, 2)) == "2021-03-01"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("3 صفر 1438", "2016-11-03"),
        ("١٧ محرم ١٤٣٧", "2015-10-30"),
        ("6/12/1437", "2016-09-07"),
        ("1437/12/6", "2016-09-07"),
        ("1437-12-06هـ", "2016-09-07"),
        ("12 ربيع الآخر 1440هـ", "2018-12-19"),
        ("رمضان 1441", "2020"),
        ("جمادى الأولى 1440", "2019"),
        ("ربيع الآخر 1440", None),  # December 2018 to January 2019
        ("1440", None),
        ("31 رمضان 1441", None),
        ("رمضان 2019", None),
        ("12 مايو 1441", None),
        ("1 محرم 1300", None),
    ],
)
def test_hijri(text, iso):
    found = parse_date(text)
    assert (found and found.iso) == iso
    assert found is None or found.calendar == "hijri"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("جويلية 2019", "2019-07"),
        ("5 فيفري 2019", "2019-02-05"),
        ("جانفي 2019", "2019-01"),
        ("3 غشت 2019", "2019-08-03"),
        ("3 يوليوز 2019", "2019-07-03"),
        ("3 شتنبر 2019", "2019-09-03"),
        ("3 دجنبر 2019", "2019-12-03"),
        ("3 نونبر 2019", "2019-11-03"),
        ("3 أوت 2019", "2019-08-03"),
        ("شباط (فبراير) 2019", "2019-02"),
        ("٣ كانون ثاني ٢٠١٩", "2019-01-03"),
        ("۳ آذر ۱۳۹۸", None),
        ("19 من فبراير من عام 2021", "2021-02-19"),
        ("19 فبراير عام 2021", "2021-02-19"),
        ("19/فبراير/2021", "2021-02-19"),
        ("فبراير 19, 2021", "2021-02-19"),
        ("2021 فبراير 19", "2021-02-19"),
        ("2021/2/19", "2021-02-19"),
        ("19/2/2021", "2021-02-19"),
        ("12/25/2019", "2019-12-25"),
        ("6/7/2019", "2019-07-06"),
        ("١٩‏/٢‏/٢٠٢١", "2021-02-19"),
        ("2019-06", "2019-06"),
        ("6/2019", "2019-06"),
        ("2019", "2019"),
        ("20190607", "2019-06-07"),
        ("2019-06-07T12:00:00+04:00", "2019-06-07"),
        ("1er août 2020", "2020-08-01"),
        ("23 de junho de 2020", "2020-06-23"),
        ("3. März 2020", "2020-03-03"),
        ("5 września 2020", "2020-09-05"),
        ("12 října 2020", "2020-10-12"),
        ("Feb. 3rd, 2020", "2020-02-03"),
        ("24th of August 2021", "2021-08-24"),
        ("October, 13th 2015", "2015-10-13"),
        ("2017-16-01", None),
        ("10-12 مايو 2020", "2020-05"),
        ("حصاد ديسمبر 2018 | 3 يناير 2019", "2019-01-03"),  # the most precise wins
        ("31 فبراير 2021", None),
        ("0 مايو 2021", "2021-05"),
        ("شباط/آذار 2019", None),
        ("19 فبراير 21", None),
        ("13/13/2019", None),
        ("2019-13-01", None),
        ("1/2/3/2019", None),
        ("192.168.1.2019", None),
        ("قرار 2254", None),
        ("كأس العالم 2018", None),
        ("12345678", None),
        ("سكان 2019 نسمة", None),
        ("", None),
    ],
)
def test_other_forms(text, iso):
    assert read(text) == iso


def test_everything_found_is_kept():
    found = parse_date("نشر: الأحد ١٨ فبراير ٢٠١٨ 17:21:49 GMT")
    assert (found.iso, found.raw, found.time, found.zone) == ("2018-02-18", "١٨ فبراير ٢٠١٨", "17:21:49", "Z")
    assert found.precision == "day"
    assert parse_date("Sun, 18 Feb 2018 21:35:43 +0400").zone == "+04:00"
    assert parse_date("مايو 2018").precision == "month"
    assert parse_date("2018").precision == "year"


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("3:05 م", "15:05"),
        ("3:05 مساءً", "15:05"),
        ("12:05 ص", "00:05"),
        ("12:05 PM", "12:05"),
        ("12:05 a.m.", "00:05"),
        ("1:30 ظهرا", "13:30"),
        ("18h35", "18:35"),
        ("25:10", None),
        ("10:99", None),
    ],
)
def test_times(written, time):
    assert parse_date(f"19 فبراير 2021 {written}").time == time
    assert parse_date(f"{written} - 19 فبراير 2021").time == time
    assert parse_date(f"19 فبراير 2021{' ' * 90}{written}").time == time


def test_a_time_far_away_belongs_to_something_else():
    words = "انطلقت المباراة في ملعب المدينة بعد حفل الافتتاح عند الساعة"
    assert parse_date(f"19 فبراير 2021 {words} 16:24").time is None
    assert parse_date(f"16:24 {words} 19 فبراير 2021").time is None


def test_no_name_means_two_months():
    seen = {}
    for row in GREGORIAN.values():
        for name, number in _numbers(row).items():
            assert seen.setdefault(name, number) == number, name
    assert not seen.keys() & _numbers(HIJRI).keys()


def days(step=1):
    return (
        date(2010, 1, 1) + timedelta(days=n)
        for n in range(0, (date(2031, 1, 1) - date(2010, 1, 1)).days, step)
    )


ARABIC = ("egypt_gulf", "levant", "algeria_tunisia", "morocco")


@pytest.mark.parametrize("family", sorted(GREGORIAN))
def test_every_day_in_every_family(family):
    rows = [names.replace("_", " ").split("|")[-1] for names in GREGORIAN[family].split()]
    for day in days(step=1 if family in ARABIC else 11):
        assert read(f"{day.day} {rows[day.month - 1]} {day.year}") == day.isoformat()


def test_every_day_in_arabic_digits_dual_and_numbers():
    digits = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    gulf, levant = ([names.replace("_", " ").split("|")[0] for names in GREGORIAN[family].split()]
                    for family in ("egypt_gulf", "levant"))  # fmt: skip
    for day in days():
        iso = day.isoformat()
        month = f"{levant[day.month - 1]}/{gulf[day.month - 1]}"
        assert read(f"{day.day} {month} {day.year}".translate(digits)) == iso
        assert read(f"{day.day}/{day.month}/{day.year}") == iso
        assert read(f"{iso}T10:00:00Z") == iso


def test_every_day_in_hijri():
    names = [names.replace("_", " ").split("|")[-1] for names in HIJRI.split()]
    for day in days():
        hijri = Gregorian.fromdate(day).to_hijri()
        assert read(f"{hijri.day} {names[hijri.month - 1]} {hijri.year} هـ") == day.isoformat()
        assert read(f"{hijri.day}/{hijri.month}/{hijri.year}") == day.isoformat()


WORDS = st.sampled_from(
    [
        *" /-.,:()0123456789٠١٢٣",
        "2019",
        "1440",
        "مايو",
        "كانون الأول",
        "رمضان",
        "هـ",
        "م",
        "T",
        "Z",
        "+0400",
        "16:24",
        "اليوم",
        "منذ",
        "ساعات",
        "de",
        "من عام",
        "\u200f",
        "\ud800",
        "ـ",
    ]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=14).map("".join), st.text(max_size=40))


@settings(deadline=None)
@given(TEXTS, st.one_of(st.none(), st.dates(), st.datetimes()))
def test_never_raises_and_never_invents(text, reference):
    found = parse_date(text, reference=reference)
    if found is None:
        return
    assert re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", found.iso)
    assert found.raw in text
    if reference is None:
        assert re.search(r"\d{4}", found.raw)  # every date has a year that the text states


@pytest.mark.parametrize(
    "hostile",
    [
        "3" + " " * 20_000 + "x",
        "مايو" + " " * 20_000,
        "1/" * 10_000,
        "3 مايو, " * 3_000,
        "كانون " * 5_000,
        "في " * 60,
    ],
)
def test_hostile_texts_are_read_in_linear_time(hostile):
    assert parse_date(hostile) is None  # with unbounded white space this never came back
    found = parse_date(hostile, reference=SEEN)
    assert (found and found.iso) == ("2020-05-03" if "3 مايو" in hostile else None)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=("Nd", "No", "Nl")), max_size=60))
def test_without_digits_nothing_is_found(text):
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("url", "iso"),
    [
        ("https://a.com/2019/06/07/x", "2019-06-07"),
        ("https://a.com/sport/2019/1/10/خبر", "2019-01-10"),
        ("https://www.reuters.com/ar/world/ABCDEFGHIJKLMNOPQRSTUVWXYZ-2023-10-09/", "2023-10-09"),
        ("http://ara.reuters.com/article/topNews/idARAKBN0FE2AL20140709?sp=true", "2014-07-09"),
        ("https://ara.reuters.com/article/topNews/idARAKBN1O40RQ", None),
        ("https://a.com/ar/20180514-title", "2018-05-14"),
        ("https://misbar.com/factcheck/2021/02/19/خبر#abc", "2021-02-19"),
        ("https://a.com/news/2018/05/slug/", "2018-05"),
        ("https://a.com/news/2018/05/12345", "2018-05"),
        ("https://a.com/2018/03/5-نصائح", "2018-03"),  # five pieces of advice
        ("https://a.com/world-cup/2018/x", None),
        ("https://a.com/2019/13/07/x", None),
        ("https://a.com/2019/02/30/x", None),
        ("https://a.com/1437/12/06/x", None),
        ("https://a.com/event-1973-10-06", None),
        ("https://a.com/?date=2019-06-07", None),
        ("https://a.com/12019/06/07", None),
        ("https://web.archive.org/web/20200101000000/https://a.com/x", None),
        ("https://web.archive.org/web/20200101000000/https://a.com/2019/06/07/x", "2019-06-07"),
        ("http://[", None),
        ("", None),
    ],
)
def test_url_date(url, iso):
    found = url_date(url)
    assert (found and found.iso) == iso


@settings(deadline=None)
@given(st.text(max_size=40))
def test_url_date_never_raises(url):
    url_date(url)


def test_the_most_trusted_wins_whatever_the_order():
    candidates = [
        Candidate("text", "5 مايو 2019"),
        Candidate("meta", "2019-05-03T10:00:00Z"),
        Candidate("jsonld", "2019-05-02"),
        Candidate("url", "https://a.com/2019/05/01/x"),
        Candidate("time", "2019-05-04"),
    ]
    while candidates:
        best = best_date(candidates)
        order = ["url", "jsonld", "meta", "time", "text"]
        assert best.source == next(s for s in order if s in {c.source for c in candidates})
        assert best.raw == next(c.raw for c in candidates if c.source == best.source)
        candidates = [c for c in candidates if c.source != best.source]


def test_a_finer_date_that_agrees_refines():
    url = ("url", "https://a.com/2018/05/x")
    best = best_date([url, ("jsonld", "2018-06-01"), ("meta", "2018-05-14")])
    assert (best.found.iso, best.source) == ("2018-05-14", "meta")
    assert best_date([url, ("jsonld", "2018-06-01")]).found.iso == "2018-05"


def test_the_impossible_is_refused_with_a_reason():
    best = best_date(
        [("url", "https://a.com/x"), ("jsonld", "2031-01-05"), ("meta", "1970-01-01"), ("time", "soon"),
         ("text", "2019-05-04")],
        fetched=date(2020, 1, 1),
    )  # fmt: skip
    assert (best.found.iso, best.source) == ("2019-05-04", "text")
    assert [(r.candidate.source, r.reason) for r in best.refused] == [
        ("url", "no date"),
        ("jsonld", "2031-01-05 is after the page was fetched"),
        ("meta", "1970-01-01 is before 1990"),
        ("time", "no date"),
    ]


@pytest.mark.parametrize(
    ("raw", "kept"), [("2020-01-02", True), ("2020-01-03", False), ("2020", True), ("2021", False)]
)
def test_a_day_ahead_is_a_time_zone(raw, kept):
    assert (best_date([("meta", raw)], fetched=datetime(2020, 1, 1, 23)).found is not None) is kept


def test_first_january_of_htmldate_is_a_year():
    assert best_date([("htmldate", "2020-01-01")]).found.iso == "2020"
    assert best_date([("htmldate", "2020-05-12")]).found.iso == "2020-05-12"
    assert best_date([("jsonld", "2020-01-01")]).found.iso == "2020-01-01"  # a site says what it means
    best = best_date([("htmldate", "2020-01-01"), ("text", "19 رمضان 1441 هـ - 12 مايو 2020 م")])
    assert (best.found.iso, best.source) == ("2020-05-12", "text")


def test_no_candidate_is_no_date():
    assert best_date([]) == BestDate(None, None, None)
    assert best_date([("text", "24 أغسطس")]).found is None
    assert best_date([("text", "24 أغسطس")], reference=SEEN).found.iso == "2020-08-24"


def test_unknown_source_is_a_mistake():
    with pytest.raises(ValueError, match="warc"):
        best_date([("warc", "2020-01-01")])


def test_dates_of_a_real_collection():
    with gzip.open(data_dir("ant_multisource") / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        articles = [json.loads(line) for line in lines]
    published = [parse_date(article["published"]) for article in articles]
    assert all(found and found.precision == "day" and found.time and found.zone for found in published)
    both = [(found.iso, in_url.iso) for article, found in zip(articles, published, strict=True)
            if (in_url := url_date(article["url"]))]  # fmt: skip
    near = sum(
        abs(date.fromisoformat(a) - date.fromisoformat(b)) <= timedelta(days=1)
        for a, b in both
        if len(b) == 10
    )
    assert len(both) > 10_000
    assert near / len(both) > 0.97
