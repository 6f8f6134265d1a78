"""A small judged corpus for release tests: written records, no stage is run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import (
    Annotation,
    Article,
    Claim,
    CleanedClaim,
    Decision,
    Document,
    Dropped,
    Fetch,
    Gold,
    Hit,
    Pair,
    Query,
    SearchPage,
)
from dalil.text.urls import document_id, host

TOML = """[corpus]
name = "toy"

[release]
title = "مدونة صغيرة: \\"toy\\" & more"
title_ar = "مدونة صغيرة"
authors = ["Haddad, Amal", "Research Group"]
licence = "CC-BY-4.0"
apart = ["claim", "cluster", "related"]
"""
PEOPLE = ("amal.haddad@example.org", "Bashir", "ديمة")
SECRET_NOTE = "هاتفي ٥٥٥١٢٣٤"
LABELS = ("agree", "disagree", "discuss", "unrelated")
WORDS = ("سماء", "أرض", "بحر", "جبل", "نهر", "مدينة", "قرية", "شارع", "سوق", "مطار", "ميناء", "قطار", "طائرة")


def text(number: int) -> str:
    """Some paragraphs that no other number has, with what files break on."""
    words = [
        f"{WORDS[(number * 7 + place * (number + 3)) % len(WORDS)]}{number * place}" for place in range(1, 60)
    ]
    return f"فقرة {number}: " + " ".join(words) + '\nسطر ثان، "مقتبس"; =1+1\u2028ثالث'


def toy(
    folder: Path, claims: int = 12, each: int = 4, *, toml: str = TOML, urls: Sequence[str] = ()
) -> Corpus:
    """A corpus of claims with documents; the last claim's are all unrelated, one pair waits for a ruling."""
    corpus = Corpus.create(folder, toml)
    records: list[object] = []
    for number in range(claims):
        records += _claim(number, each, urls, last=number == claims - 1)
    records.append(Dropped(id="d1", stage="clean", key="claim-x", reason="multimedia"))
    with corpus.store.transaction() as writer:
        writer.put(records)  # type: ignore[arg-type]
    return corpus


def _claim(number: int, each: int, urls: Sequence[str], *, last: bool) -> list[object]:
    key = f"claim-{number:02}"
    words = f"ادعاء رقم {number} عن {WORDS[number % len(WORDS)]}"
    found: list[object] = [
        Claim(
            id=key,
            site=("haqiqa", "taakkad")[number % 2],
            url=f"https://haqiqa.example/check/{number}",
            raw=f"حقيقة {words}؟",
            veracity=("false", "false", "true")[number % 3],
            claim_date=f"2018-{number % 12 + 1:02}-03",
            country="JO",
            domain=("health", "politics")[number % 2],
            cluster="rumour" if number in (1, 2) else None,
        ),
        CleanedClaim(id=key, raw=f"حقيقة {words}؟", text=words, rules=("prefix",)),
        Query(
            id=f"query-{number}",
            claim_id=key,
            variants=("claim", "claim+date"),
            text=words,
            question=f"q{number}",
        ),
        SearchPage(
            id=f"page-{number}",
            engine="collection",
            question=f"q{number}",
            text=words,
            asked_at="2024-05-06T07:08:09Z",
        ),
    ]
    for place in range(each):
        found += _pair(number, place, key, urls, "unrelated" if last else LABELS[(number + place) % 4])
    return found


def _pair(number: int, place: int, claim: str, urls: Sequence[str], label: str) -> list[object]:
    at = number * 10 + place
    url = urls[at % len(urls)] if urls else f"https://nahr.example/2018/{at}"
    document, article, pair = document_id(url), f"article-{at:03}", f"pair-{at:03}"
    found: list[object] = [
        Document(id=document, url=url, host=host(url)),
        Fetch(
            id=f"fetch-{at}",
            fingerprint=f"f{at}",
            document_id=document,
            url=url,
            purpose="article",
            status=200,
            content_hash=f"sha256:{at}",
            fetched_at="2024-05-06T08:00:00Z",
        ),
        Article(
            id=article,
            document_id=document,
            url=url,
            fetch_id=f"fetch-{at}",
            title=f"عنوان {at}",
            text=text(at),
            outlet="nahr.example",
            published="2018-03-04",
            published_from="url",
            content_hash=f"h{at}",
        ),
        Hit(
            id=f"hit-{at}",
            page_id=f"page-{number}",
            question=f"q{number}",
            engine="collection",
            rank=place + 1,
            url=url,
            document_id=document,
        ),
        Pair(
            id=pair,
            claim_id=claim,
            article_id=article,
            rank=place + 1,
            score=0.5,
            hits=(f"hit-{at}",),
            marks=("after_review",),
        ),
    ]
    waits = at == 1
    for person, worker in enumerate(PEOPLE[:2]):
        said = "discuss" if waits and person else label
        found.append(
            Annotation(
                id=make_id("annotation", pair, worker),
                pair_id=pair,
                annotator=worker,
                round="main",
                scheme="arastance",
                label=said,
                note=SECRET_NOTE,
                at="2024-06-01T10:00:00Z",
                seconds=12.5,
            )
        )
    how = "unanimous"
    if place == 3 and number == 0:
        how = "adjudicated"
        found.append(
            Decision(id=f"decision-{at}", pair_id=pair, adjudicator=PEOPLE[2], label=label, note=SECRET_NOTE)
        )
    if not waits:
        found.append(Gold(id=pair, label=label, how=how, votes={label: 2}))
    return found
