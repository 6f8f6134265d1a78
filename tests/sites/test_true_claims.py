"""True claims for false ones: within three months, on the topic, at most ten a seed, no claim twice."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.collection.building import build
from dalil.collection.jsonl import JsonlSource
from dalil.corpus import Corpus
from dalil.progress import Silent
from dalil.records import Claim, Dropped, Headline
from dalil.runner import run
from dalil.text.normal import search_form
from retrieval.leakage import own_documents
from retrieval.true_claims_choose import Candidate, Limits, Seed, choose, window

STAGE = ["retrieval.true_claims:TrueClaims"]
SEED = Seed("seed", "الحكومة تفرض ضريبة جديدة على السيارات", "2018-06-15")


def headline(number: int, day: str, title: str = "الحكومة تناقش ضريبة السيارات في البرلمان") -> Candidate:
    return Candidate(f"h{number:03d}", title, day)


@pytest.mark.parametrize(
    ("day", "start", "end"),
    [
        ("2018-06-15", "2018-03-15", "2018-09-15"),
        ("2018-05-31", "2018-02-28", "2018-08-31"),
        ("2018-01-15", "2017-10-15", "2018-04-15"),
    ],
)
def test_three_months_either_side(day: str, start: str, end: str) -> None:
    assert window(day, 3) == (start, end)


@pytest.mark.parametrize(
    ("day", "inside"),
    [("2018-03-15", True), ("2018-03-14", False), ("2018-09-15", True), ("2018-09-16", False)],
)
def test_a_day_outside_is_not_taken(day: str, inside: bool) -> None:
    choice = choose([SEED], [headline(1, day), headline(2, "2010-01-01", "خبر بعيد عن كل شيء")])
    assert bool(choice.chosen) is inside
    assert choice.without == ({} if inside else {"seed": "out_of_window"})


def test_at_most_ten_a_seed_most_similar_first() -> None:
    words = ("ضريبة", "السيارات", "الحكومة", "تفرض", "جديدة")
    many = [
        headline(n, "2018-06-01", f"{words[n % 5]} {words[(n + 1) % 5]} مدينة{n} شارع{n}") for n in range(40)
    ]
    chosen = choose([SEED], many).chosen
    assert [one.rank for one in chosen] == list(range(1, 11))
    assert [one.similarity for one in chosen] == sorted((one.similarity for one in chosen), reverse=True)


def test_headlines_that_say_the_same_count_once() -> None:
    twice = [
        headline(1, "2018-06-01"),
        headline(2, "2018-06-02"),
        headline(3, "2018-06-03", "سباق هجن في الصحراء"),
    ]
    assert len(choose([SEED], twice).chosen) == 1


def test_a_headline_goes_to_the_seed_that_it_is_most_similar_to() -> None:
    other = Seed("other", "ضريبة على القهوة", "2018-06-15")
    choice = choose(
        [SEED, other], [headline(1, "2018-06-01"), headline(2, "2018-06-01", "مهرجان سينمائي في تونس")]
    )
    assert [(one.seed, one.candidate) for one in choice.chosen] == [("seed", "h001")]
    assert choice.without == {"other": "taken"}


def test_another_topic_and_what_is_a_claim_already_are_left() -> None:
    seed = Seed("seed", SEED.text, SEED.day, "economics")
    sport = Candidate("h1", "الحكومة تناقش ضريبة السيارات في البرلمان", "2018-06-01", "sports")
    filler = headline(2, "2011-06-01", "شيء آخر تماما")
    assert choose([seed], [sport, filler]).without == {"seed": "other_topic"}
    assert choose([seed], [sport, filler], Limits(same_domain=False)).chosen
    assert choose([SEED], [headline(1, "2018-06-01"), filler], taken=[headline(1, "x").title]).without == {
        "seed": "taken"
    }


DAYS = st.dates(min_value=date(2017, 1, 1), max_value=date(2019, 1, 1))
WORDS = st.lists(
    st.sampled_from(("ضريبة", "سيارات", "حكومة", "برلمان", "مدينة", "جسر", "بئر", "ماء")),
    min_size=2,
    max_size=6,
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(DAYS, WORDS), max_size=25), st.lists(st.tuples(DAYS, WORDS), max_size=5), st.randoms()
)
def test_laws(
    candidates: list[tuple[object, list[str]]], seeds: list[tuple[object, list[str]]], chance: object
) -> None:
    held = [Candidate(f"c{n}", " ".join(words), str(day)) for n, (day, words) in enumerate(candidates)]
    asked = [Seed(f"s{n}", " ".join(words), str(day)) for n, (day, words) in enumerate(seeds)]
    choice = choose(asked, held, Limits(per_seed=3))
    assert choose(asked[::-1], held[::-1], Limits(per_seed=3)) == choice, "order makes no difference"
    ids = [one.candidate for one in choice.chosen]
    assert len(ids) == len(set(ids)), "no claim twice"
    titles = {one.id: search_form(one.title) for one in held}
    assert len({titles[name] for name in ids}) == len(ids), "nor its words"
    assert {one.seed for one in choice.chosen}.isdisjoint(choice.without)
    assert {one.seed for one in choice.chosen} | choice.without.keys() == {seed.id for seed in asked}
    for seed in asked:
        mine = [one for one in choice.chosen if one.seed == seed.id]
        assert [one.rank for one in mine] == list(range(1, len(mine) + 1))
        assert len(mine) <= 3


def false_claim(key: str, raw: str, **more: object) -> Claim:
    return Claim.model_validate(
        {
            "id": key,
            "site": "s",
            "raw": raw,
            "veracity": "false",
            "review_date": "2018-06-15",
            "review_date_from": "x",
        }
        | more
    )


CLAIMS = (
    false_claim("claim-a", "لا صحة لخبر فرض ضريبة جديدة على السيارات المستوردة"),
    false_claim("claim-b", "اكتشاف بئر ماء تحت ميدان المدينة", cluster="rumour-7"),
    false_claim("claim-c", "إغلاق المطار الدولي لمدة شهر", review_date=None, review_date_from=None),
    false_claim("claim-d", "افتتاح جسر جديد", veracity="true"),
)
WIRE = (
    "القاهرة (رويترز) - قال وزير المالية إن الحكومة تدرس الضريبة.\n(إعداد فلان للنشرة العربية - تحرير علان)"
)
ROWS = [
    {
        "id": key,
        "url": f"http://agency.example/{key}",
        "title": title,
        "published": day,
        "source": "agency.example",
        "text": text,
    }
    for key, day, title, text in (
        ("1", "2018-06-01", "القاهرة (رويترز) - الحكومة تدرس ضريبة جديدة على السيارات", WIRE),
        ("2", "2018-07-01", "حفر بئر ماء جديدة قرب المدينة", "بدأت البلدية حفر بئر."),
        ("3", "2015-07-01", "ضريبة السيارات ترتفع في بلد آخر", "قديم."),
    )
]


def corpus_of(folder: Path) -> Corpus:
    corpus = Corpus.create(folder, '[corpus]\nname = "t"\n[true_claims]\ncollection = "agency"\n')
    (folder / "rows.jsonl").write_text(
        "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), "utf-8"
    )
    build([JsonlSource(folder / "rows.jsonl")], folder / "agency", name="agency", reporter=Silent())
    with corpus.store.transaction() as writer:
        writer.put(CLAIMS)
    return corpus


def test_a_local_collection_stands_in_for_reuters(tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c") as corpus:
        run(corpus, STAGE, Silent())
        true = {claim.raw: claim for claim in corpus.store.all(Claim) if "seed" in claim.found}
        assert set(true) == {"الحكومة تدرس ضريبة جديدة على السيارات", "حفر بئر ماء جديدة قرب المدينة"}
        tax, well = true["الحكومة تدرس ضريبة جديدة على السيارات"], true["حفر بئر ماء جديدة قرب المدينة"]
        assert (tax.veracity, tax.claim_date, tax.cluster, tax.site) == (
            "true",
            "2018-06-01",
            "claim-a",
            "agency.example",
        )
        assert well.cluster == "rumour-7"
        assert tax.body == "قال وزير المالية إن الحكومة تدرس الضريبة."
        assert own_documents(tax), "its own page is known"
        assert tax.own_pages == ("https://agency.example/1",)
        reasons = {(drop.key, drop.reason) for drop in corpus.store.all(Dropped, stage="true_claims")}
        assert reasons == {("claim-c", "no_seed:no_date")}
        assert run(corpus, STAGE, Silent())[0].worked == 0


def test_headlines_of_a_site_are_candidates_too(tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "c", '[corpus]\nname = "t"\n') as corpus:
        with corpus.store.transaction() as writer:
            writer.put(CLAIMS)
            writer.put(
                Headline(
                    id=f"headline-{row['id']}",
                    site="reuters_ar",
                    document_id=row["id"],
                    url=row["url"],
                    title=row["title"],
                    published=row["published"],
                    published_from="meta",
                )
                for row in ROWS
            )
        run(corpus, STAGE, Silent())
        assert {claim.site for claim in corpus.store.all(Claim) if "seed" in claim.found} == {"reuters_ar"}
        assert sum("seed" in claim.found for claim in corpus.store.all(Claim)) == 2


def test_nothing_to_choose_from_is_nothing_to_do(tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "c", '[corpus]\nname = "t"\n') as corpus:
        with corpus.store.transaction() as writer:
            writer.put(CLAIMS)
        assert run(corpus, STAGE, Silent())[0].worked == 0


def test_a_seed_and_its_true_claims_are_kept_in_one_split() -> None:
    from annotation.dataset.rows import Row
    from annotation.dataset.ties import tie_keys

    given = (("claim-a", None), ("t1", "claim-a"), ("z", None))
    rows = [
        Row(id=name, claim_id=name, claim=name, label="agree", article_hash=name, cluster=cluster)
        for name, cluster in given
    ]
    assert tie_keys(rows, "cluster") == ["claim-a", "claim-a", None]
