"""dalil import: files of others into a corpus, whole or not at all, once."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from realdata import data_dir

from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.formats.answers import hits, is_imported, question
from dalil.formats.commands import import_
from dalil.ids import make_id
from dalil.progress import Silent
from dalil.records import (
    RECORDS,
    Annotation,
    Article,
    Claim,
    CleanedClaim,
    Document,
    Dropped,
    Gold,
    Hit,
    Pair,
    Query,
    SearchPage,
)  # fmt: skip
from dalil.runner import run
from dalil.state.lock import stage_lock

OBJECT = {
    "claim": "الحكومة تسجل المكالمات",
    "article": ["نفت الوزارة", "قالت الوزارة"],
    "stance": ["Disagree", "Discuss"],
    "claim_url": "http://norumors.net/?p=12",
    "article_url": ["https://www.a.example/1?utm_source=x", ""],
}
RESULTS = {
    "claimID": "CT-1",
    "text": "الحكومة تسجل المكالمات",
    "results": [
        {"rank": 2, "title": "ع", "snippet": "م", "url": "https://www.a.example/2"},
        {"rank": 1, "title": "ع", "snippet": "م", "url": "https://a.example/1"},
    ],
}


@pytest.fixture
def corpus(tmp_path):
    with Corpus.create(tmp_path / "c", "") as made:
        yield made


def write(tmp_path, *rows, name="train.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def call(*arguments):
    result = CliRunner().invoke(import_, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def contents(corpus):
    return {record.TABLE: list(corpus.store.all(record)) for record in RECORDS}


def test_labels_bring_claims_articles_pairs_and_gold(corpus, tmp_path):
    output = call("labels", write(tmp_path, OBJECT), corpus.path).output
    assert "2 labels read as arastance" in output
    (claim,) = corpus.store.all(Claim)
    assert (claim.site, claim.veracity, claim.origin) == ("norumors", "false", f"{tmp_path}/train.jsonl:1")
    pairs = list(corpus.store.all(Pair))
    articles = {article.id: article for article in corpus.store.all(Article)}
    found = {articles[pair.article_id].text: corpus.store.get(Gold, pair.id) for pair in pairs}
    assert {text: (gold.label, gold.how) for text, gold in found.items()} == {
        "نفت الوزارة": ("disagree", "imported"),
        "قالت الوزارة": ("discuss", "imported"),
    }
    assert {pair.ranker for pair in pairs} == {"imported"}
    addresses = {document.url for document in corpus.store.all(Document)}
    assert "https://a.example/1" in addresses
    (other,) = addresses - {"https://a.example/1"}
    assert other.startswith("collection:arastance/")


def test_importing_again_changes_nothing(corpus, tmp_path):
    for kind, path, *more in (
        ("labels", write(tmp_path, OBJECT)),
        ("results", write(tmp_path, RESULTS, name="r.jsonl"), "--engine", "google"),
    ):
        call(kind, path, corpus.path, *more)
        before = contents(corpus)
        report = json.loads(call(kind, "--json", path, corpus.path, *more).output)
        assert set(report["new"].values()) == {0}
        assert report["differing"] == []
        assert contents(corpus) == before


def test_what_is_there_is_never_altered_and_the_difference_is_told(corpus, tmp_path):
    call("labels", write(tmp_path, OBJECT), corpus.path)
    before = contents(corpus)
    result = call("labels", write(tmp_path, {**OBJECT, "stance": ["Agree", "Discuss"]}), corpus.path)
    (gold,) = (one for one in corpus.store.all(Gold) if one.label == "disagree")
    assert (
        f"1 record is there and says something else than this file: {gold.id} (label); left as it is"
        in result.stderr
    )
    assert contents(corpus) == before


def test_all_or_nothing(corpus, tmp_path):
    path = write(tmp_path, OBJECT, {**OBJECT, "stance": ["Agree"]})
    with pytest.raises(InputError) as error:
        call("labels", path, corpus.path)
    assert error.value.line() == (
        f"{path}:2: stance has 1 label for 2 articles; nothing was imported: mend it, "
        "or add --skip-bad to leave such rows out"
    )
    assert not any(contents(corpus).values())


def test_skipped_rows_are_listed_and_dropped_with_a_reason(corpus, tmp_path):
    path = write(
        tmp_path, OBJECT, {**OBJECT, "stance": ["Agree"]}, {**OBJECT, "article_url": ["ftp://x", ""]}
    )
    result = call("labels", "--skip-bad", path, corpus.path)
    assert f"skipped {path}:2: stance has 1 label for 2 articles" in result.output
    assert f"skipped {path}:3: url not a url" in result.output
    assert corpus.store.count(Gold) == 3  # the second row of line 3 has no url, and is good
    assert {(drop.key, drop.stage, drop.reason) for drop in corpus.store.all(Dropped)} == {
        ("train.jsonl:2", "import", "bad_row"),
        ("train.jsonl:3", "import", "bad_row"),
    }


def test_bare_numbers_need_their_order(corpus, tmp_path):
    path = write(tmp_path, {"id": "0", "claim": "ج", "article": "أ", "stance": 1})
    with pytest.raises(InputError, match="the bare number 1"):
        call("labels", path, corpus.path)
    call("labels", "--label-order", "agree,disagree,discuss,unrelated", path, corpus.path)
    assert [gold.label for gold in corpus.store.all(Gold)] == ["disagree"]
    with pytest.raises(UsageError, match="not a list of different labels"):
        call("labels", "--label-order", "agree,agree", path, corpus.path)


@pytest.mark.parametrize("annotator", ["", "هند"])
def test_an_imported_label_keeps_its_pair_whatever_pairing_does(corpus, tmp_path, annotator):
    path = tmp_path / "labels.csv"
    path.write_text(f"claim,article,label,annotator\nج,أ,agree,{annotator}\n", "utf-8")
    call("labels", path, corpus.path)
    (known,) = corpus.store.all(Pair)
    with corpus.store.transaction() as writer:
        writer.put([known.model_copy(update={"ranker": "tfidf", "score": 0.5})], stage="pair", key="corpus")
        writer.clear("pair", "corpus", [Pair])
    assert list(corpus.store.all(Pair)) == [known]


def test_judgements_of_named_annotators(corpus, tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text("claim,article,label,annotator\nج,أ,agree,هند\nج,أ,discuss,سعد\n", "utf-8")
    call("labels", path, corpus.path)
    (pair,) = corpus.store.all(Pair)
    assert {(a.annotator, a.label, a.pair_id) for a in corpus.store.all(Annotation)} == {
        ("هند", "agree", pair.id),
        ("سعد", "discuss", pair.id),
    }
    assert corpus.store.count(Gold) == 0


@pytest.mark.parametrize(
    ("kind", "rows", "field"),
    [
        ("claims", "id,raw\n1,ادعاء\n1,ادعاء آخر\n", "raw"),
        ("claims", "id,raw,veracity\n1,ادعاء,true\n1,ادعاء,false\n", "veracity"),
        ("articles", "url,text,date\nhttp://a.test,نص,2018-02-18\nhttp://a.test,نص,2019\n", "published"),
        ("labels", "claim,article,label,annotator\nج,أ,agree,هند\nج,أ,discuss,هند\n", "label"),
        ("labels", "claim,claim_id,article,label\nج,1,أ,agree\nد,1,ب,discuss\n", "raw"),
    ],
)  # fmt: skip
def test_a_row_that_contradicts_an_earlier_one_does_not_vanish(corpus, tmp_path, kind, rows, field):
    path = tmp_path / "rows.csv"
    path.write_text(rows, "utf-8")
    with pytest.raises(InputError, match=f"{field} differs from that of the same .*rows.csv:2"):
        call(kind, path, corpus.path)
    assert not any(contents(corpus).values())
    report = json.loads(call(kind, "--skip-bad", "--json", path, corpus.path).stdout)
    assert (report["rows"], [bad["field"] for bad in report["skipped"]]) == (1, [field])


def test_two_searches_for_one_text_must_have_found_the_same(corpus, tmp_path):
    other = RESULTS | {"claimID": "CT-2", "results": RESULTS["results"][:1]}
    with pytest.raises(InputError, match=r"answer differs from that of the same searchpage at .*:1"):
        call("results", "--engine", "google", write(tmp_path, RESULTS, other), corpus.path)
    call("results", "--engine", "google", write(tmp_path, RESULTS, RESULTS), corpus.path)
    assert corpus.store.count(SearchPage) == 1


def test_rows_that_say_the_same_again_are_no_contradiction(corpus, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "claim,article,article_url,label\nج,أ,http://www.a.example/1,agree\nج,أ,https://a.example/1?utm_source=x,agree\n",
        "utf-8",
    )
    call("labels", path, corpus.path)
    assert (corpus.store.count(Claim), corpus.store.count(Article), corpus.store.count(Pair)) == (1, 1, 2)


@pytest.mark.parametrize("rank", ["9" * 30, "2147483648", "0", "-1", "1.5", "x"])
def test_a_rank_that_cannot_be_one_is_refused(corpus, tmp_path, rank):
    path = tmp_path / "found.csv"
    path.write_text(f"query,rank,url\nسؤال,{rank},http://a.example/1\n", "utf-8")
    with pytest.raises(InputError, match=r"found.csv:2: rank must be"):
        call("results", "--engine", "google", path, corpus.path)


def test_results_are_a_stored_answer_from_which_hits_are_read(corpus, tmp_path):
    call("results", "--engine", "google", write(tmp_path, RESULTS), corpus.path)
    (page,) = corpus.store.all(SearchPage)
    assert (page.engine, page.text) == ("google", RESULTS["text"])
    assert is_imported(page)
    assert [(hit.rank, hit.url, hit.engine) for hit in hits(page)] == [
        (1, "https://a.example/1", "google"),
        (2, "https://www.a.example/2", "google"),
    ]
    (query,) = corpus.store.all(Query)
    assert query.question == page.question
    assert query.claim_id == next(corpus.store.all(Claim)).id
    stages = ["retrieval.clean:Clean", "retrieval.search:MakeQueries", "retrieval.search:ReadHits"]
    run(corpus, stages, Silent())
    assert [query.question for query in corpus.store.all(Query)] == [page.question]
    assert [(hit.rank, hit.question) for hit in corpus.store.all(Hit, rank=1)] == [(1, page.question)]
    assert corpus.store.count(Document) == 2


def test_imported_results_are_replayed_though_the_engine_to_ask_is_not_here(tmp_path):
    toml = '[search]\nengines = ["collection"]\nallow_unedited = true\n'  # whose collection was never built
    with Corpus.create(tmp_path / "c", toml) as corpus:
        call("results", "--engine", "google", write(tmp_path, RESULTS), corpus.path)
        stages = ["retrieval.clean:Clean", "retrieval.search:MakeQueries", "retrieval.search:Search"]
        tallies = run(corpus, [*stages, "retrieval.search:ReadHits"], Silent(), replay=True)
        assert "there is no such collection" in tallies[2].notes[0]
        assert corpus.store.count(Hit) == 2


def test_the_question_is_the_one_that_queries_have():
    from retrieval.queries import question as asked

    assert question("نص", "2019-01-01", None) == asked("نص", "2019-01-01", None)


def test_claims_of_a_site(corpus, tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text("raw,url\nحقيقة إلغاء بنزين 80,https://www.s.example/1/\n", "utf-8-sig")
    call("claims", "--site", "s", path, corpus.path)
    (claim,) = corpus.store.all(Claim)
    assert (claim.site, claim.url, claim.own_pages) == ("s", "https://s.example/1", ("https://s.example/1",))
    run(corpus, ["retrieval.clean:Clean"], Silent())
    assert corpus.store.get(CleanedClaim, claim.id).text == "إلغاء بنزين 80"


def test_an_empty_file_is_told(corpus, tmp_path):
    with pytest.raises(InputError, match="no claims in this file"):
        call("claims", "--format", "jsonl", write(tmp_path), corpus.path)


def test_a_corpus_at_work_is_left_alone(corpus, tmp_path):
    path = write(tmp_path, OBJECT)
    with stage_lock(corpus.path, "run"), pytest.raises(Exception, match="this corpus is at work"):
        call("labels", path, corpus.path)
    assert not any(contents(corpus).values())


def test_every_command_has_an_example():
    for command in import_.commands.values():
        assert "Example: dalil import" in command.help


# --- the releases themselves


def rows_new(corpus, kind, path, *more):
    return json.loads(call(kind, "--json", path, corpus.path, *more).output)["new"]


def test_baly_real(corpus):
    new = rows_new(corpus, "labels", data_dir("baly2018"))
    assert (new["claims"], new["pairs"], new["gold"]) == (422, 3042, 3042)
    assert Counter(gold.label for gold in corpus.store.all(Gold)) == {
        "unrelated": 2072, "agree": 474, "discuss": 409, "disagree": 87,
    }  # fmt: skip


@pytest.mark.parametrize(("split", "pairs"), [("train", 2652), ("dev", 755), ("test", 379)])
def test_khouja_real(corpus, split, pairs):
    new = rows_new(corpus, "labels", data_dir("ans_khouja2020") / "data" / "stance" / f"{split}.csv")
    assert (new["pairs"], new["gold"]) == (pairs, pairs)


@pytest.mark.parametrize(("split", "claims"), [("train", 3185), ("dev", 906), ("test", 456)])
def test_khouja_claims_real(corpus, split, claims):
    path = Path(data_dir("ans_khouja2020")) / "data" / "claim" / f"{split}.csv"
    assert rows_new(corpus, "claims", path) == {"claims": claims}


def test_checkthat_real(corpus):
    path = data_dir("checkthat2019") / "claims_with_results.jsonl.gz"
    new = rows_new(corpus, "results", path, "--engine", "google")
    assert (new["claims"], new["search_pages"]) == (30, 30)
    assert sum(len(hits(page)) for page in corpus.store.all(SearchPage)) == 1315


def test_matsda2sh_real(corpus):
    new = rows_new(corpus, "claims", data_dir("matsda2sh") / "claims.jsonl.gz")
    assert new == {"claims": 1433, "dropped": 64}


VERDICTS = """id,claim,verdict,veracity
1,ادعاء,زائف,
2,آخر,مُضلّل,
3,ثالث,ربما,
4,رابع,ربما,true
5,خامس,ربما,
6,سادس,,
"""


def test_a_printed_verdict_sets_the_veracity_and_unknown_ones_are_counted(corpus, tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(VERDICTS, "utf-8")
    result = call("claims", path, corpus.path)
    found = {claim.raw: claim for claim in corpus.store.all(Claim)}
    assert {raw: claim.veracity for raw, claim in found.items()} == {
        "ادعاء": "false", "آخر": "mixed", "ثالث": "unknown",
        "رابع": "true", "خامس": "unknown", "سادس": "unknown",
    }  # fmt: skip
    assert found["ادعاء"].verdict == "زائف"  # kept as printed
    assert found["ادعاء"].found == {"veracity": "verdict"}
    assert found["رابع"].found == {}
    assert "2 claims have a verdict that dalil does not know: «ربما» (2); " in result.stderr
    assert json.loads(call("claims", "--json", path, corpus.path).stdout)["unknown_verdicts"] == {"ربما": 2}


@pytest.mark.parametrize("kind", ["claims", "labels"])
def test_a_sites_own_verdicts_count_first(corpus, tmp_path, kind):
    (corpus.path / "sites").mkdir()
    (corpus.path / "sites" / "mine.toml").write_text(
        '[verdicts]\n"ربما" = "mixed"\n"صحيح" = "false"\n', "utf-8"
    )
    path = tmp_path / "x.csv"
    rows = "mine,أ,ربما,نص,agree\nmine,ب,صحيح,نص,agree\nother,ج,صحيح,نص,agree\n,د,ربما,نص,agree\n"
    path.write_text(f"site,claim,verdict,article,label\n{rows}", "utf-8")
    call(kind, "--site", "mine", path, corpus.path)
    found = {claim.raw: claim.veracity for claim in corpus.store.all(Claim)}
    assert found == {"أ": "mixed", "ب": "false", "ج": "true", "د": "mixed"}


@pytest.mark.parametrize("site", ["س" * 200, "../x", "a/b", "..", ".hidden", "common", 'like = "x"'])
def test_a_site_that_can_have_no_definition_is_a_site_all_the_same(corpus, tmp_path, site):
    row = {"claim": "ادعاء", "site": site, "verdict": "زائف"}
    call("claims", write(tmp_path, row, name="claims.jsonl"), corpus.path)
    (claim,) = corpus.store.all(Claim)
    assert (claim.site, claim.veracity) == (site, "false")


RICH = {
    "id": "1",
    "claim": "ادعاء",
    "verdict": "زائف",
    "claim_date": "2019-04-07",
    "domain": "health",
    "title": "ع",
}


def claims_file(tmp_path, *rows):
    return write(tmp_path, *rows, name="claims.jsonl")


@pytest.mark.parametrize(
    "left_out", [{"verdict"}, {"claim_date", "domain"}, {"verdict", "claim_date", "domain", "title"}]
)
def test_a_file_that_says_less_contradicts_nothing(corpus, tmp_path, left_out):
    call("claims", claims_file(tmp_path, RICH), corpus.path)
    before = contents(corpus)
    less = {name: value for name, value in RICH.items() if name not in left_out}
    result = call("claims", claims_file(tmp_path, less), corpus.path)
    assert result.stderr == ""
    year = call("claims", "--json", claims_file(tmp_path, RICH | {"claim_date": "2019"}), corpus.path)
    assert json.loads(year.stdout)["differing"] == json.loads(year.stdout)["lacking"] == []
    assert contents(corpus) == before


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"verdict": "صحيح"}, ["verdict", "veracity"]),
        ({"claim_date": "2019-05-07", "domain": "sports"}, ["claim_date", "domain"]),
        ({"claim": "ادعاء آخر"}, ["raw"]),
    ],
)
def test_a_contradiction_is_told_with_its_fields(corpus, tmp_path, change, fields):
    call("claims", claims_file(tmp_path, RICH), corpus.path)
    before = contents(corpus)
    result = call("claims", "--fill", claims_file(tmp_path, RICH | change), corpus.path)
    (claim,) = corpus.store.all(Claim)
    assert result.stderr == (
        f"1 record is there and says something else than this file: {claim.id} ({', '.join(fields)}); "
        "left as it is\n"
    )
    assert contents(corpus) == before


def test_what_a_record_lacks_is_told_and_added_only_when_asked(corpus, tmp_path):
    call("claims", claims_file(tmp_path, {"id": "1", "claim": "ادعاء", "title": "ع"}), corpus.path)
    before = contents(corpus)
    result = call("claims", claims_file(tmp_path, RICH), corpus.path)
    (claim,) = corpus.store.all(Claim)
    lacking = f"{claim.id} (verdict, veracity, claim_date, domain)"
    assert f"1 record is there and lacks what this file says: {lacking}; --fill gives" in result.stderr
    assert contents(corpus) == before
    result = call("claims", "--fill", claims_file(tmp_path, RICH | {"title": "آخر"}), corpus.path)
    (claim,) = corpus.store.all(Claim)
    assert (claim.veracity, claim.claim_date, claim.claim_date_from, claim.title) == (
        "false", "2019-04-07", "import", "ع",
    )  # fmt: skip
    assert claim.found == dict.fromkeys(("verdict", "veracity", "claim_date", "domain"), "import")
    again = call("claims", claims_file(tmp_path, RICH), corpus.path)
    assert again.stderr == ""


ARTICLE = {"id": "7", "text": "نفت الوزارة الخبر أمس", "url": "https://a.example/7"}


@pytest.mark.parametrize("judgement", ["annotation", "gold"])
def test_what_people_saw_when_they_judged_is_not_filled(corpus, tmp_path, judgement):
    """An imported final label is no such judgement: nobody saw its claim in dalil."""
    call("claims", claims_file(tmp_path, {"id": "1", "claim": "ادعاء"}), corpus.path)
    call("articles", write(tmp_path, ARTICLE, name="articles.jsonl"), corpus.path)
    (claim,), (article,) = corpus.store.all(Claim), corpus.store.all(Article)
    pair = Pair(id="p", claim_id=claim.id, article_id=article.id, rank=1, score=0.0, ranker="tfidf")
    judged = {
        "annotation": Annotation(
            id="v", pair_id="p", annotator="x", round="main", scheme="arastance", label="agree"
        ),
        "gold": Gold(id="p", label="agree", how="imported"),
    }[judgement]
    with corpus.store.transaction() as writer:
        writer.put([pair, judged])
    seen = judgement == "annotation"
    result = call("claims", "--fill", claims_file(tmp_path, RICH), corpus.path)
    (claim,) = corpus.store.all(Claim)
    assert (claim.claim_date, claim.domain) == (None if seen else "2019-04-07", "health")
    assert (f"{claim.id} (claim_date); it stays as people saw it" in result.stderr) == seen
    rich = ARTICLE | {"title": "عنوان", "outlet": "جريدة", "date": "2019-04-08", "language": "ar"}
    path = write(tmp_path, ARTICLE | {key: rich[key] for key in ("date", "language")}, name="articles.jsonl")
    report = json.loads(call("articles", "--json", "--fill", path, corpus.path).stdout)
    (article,) = corpus.store.all(Article)
    assert (article.published, article.language) == ((None, None) if seen else ("2019-04-08", "ar"))
    held = [{"id": article.id, "fields": ["language", "published"]}]
    assert (report["held"], report["lacking"]) == ((held, []) if seen else ([], held))


def test_filling_what_a_stage_made_says_that_it_may_be_made_anew(corpus, tmp_path):
    path = claims_file(
        tmp_path, {"claim": "ادعاء", "url": "https://s.example/1", "site": "s"} | {"domain": "x"}
    )
    call("claims", path, corpus.path)
    (claim,) = corpus.store.all(Claim)
    lacks = claim.model_copy(update={"domain": None, "domain_from": None})
    with corpus.store.transaction() as writer:
        writer.put([lacks], stage="claims", key="document-1")
    assert call("claims", path, corpus.path).stderr.count("of the stage") == 0
    result = call("claims", "--fill", path, corpus.path)
    assert "1 record filled is of the stage claims, which makes it anew" in result.stderr
    assert next(corpus.store.all(Claim)).domain == "x"


def test_what_pairing_and_gold_decided_is_not_for_a_file_to_contradict(corpus, tmp_path):
    path = write(tmp_path, OBJECT)
    call("labels", path, corpus.path)
    with corpus.store.transaction() as writer:
        writer.put(
            gold.model_copy(update={"how": "majority", "votes": {gold.label: 2}})
            for gold in corpus.store.all(Gold)
        )
        writer.put(
            claim.model_copy(update={"domain": "health", "domain_from": "hand"})
            for claim in corpus.store.all(Claim)
        )
    assert "something else" not in call("labels", path, corpus.path).stderr


def test_a_claim_may_be_told_in_full_once_and_in_short_after(corpus, tmp_path):
    row = {"claim": "ادعاء", "article": "نص المقال هنا", "label": "agree", "claim_id": "7"}
    path = write(
        tmp_path, row | {"claim_date": "2019-04-07"}, row | {"article": "نص آخر هنا"}, name="l.jsonl"
    )
    call("labels", path, corpus.path)
    assert [claim.claim_date for claim in corpus.store.all(Claim)] == ["2019-04-07"]
    path = write(
        tmp_path, row | {"claim_id": "8"}, row | {"claim_id": "8", "claim_date": "2019"}, name="m.jsonl"
    )
    with pytest.raises(InputError, match="claim_date differs from that of the same claim"):
        call("labels", path, corpus.path)


def dropped(corpus):
    return {(drop.key, drop.detail) for drop in corpus.store.all(Dropped)}


def test_mended_rows_lose_their_drops_and_bad_ones_keep_theirs(corpus, tmp_path):
    path = tmp_path / "news.csv"
    path.write_text("id,text,url\n1,,\n2,نص المقال هنا,ftp://x\n3,,\n4,,\n", "utf-8")
    call("articles", "--skip-bad", path, corpus.path)
    assert {key for key, _ in dropped(corpus)} == {"news.csv:2", "news.csv:3", "news.csv:4", "news.csv:5"}
    path.write_text("id,text,url\n1,نص المقال هنا,\n2,,\n3,,\n", "utf-8")
    result = call("articles", "--skip-bad", path, corpus.path)
    assert dropped(corpus) == {("news.csv:3", "text: is empty"), ("news.csv:4", "text: is empty")}
    assert "2 rows that were left out before and are mended or gone now" in result.stdout
    path.write_text("id,text,url\n1,نص المقال هنا,\n2,خبر آخر هنا,\n3,خبر ثالث هنا,\n", "utf-8")
    call("articles", path, corpus.path)
    assert dropped(corpus) == set()
    assert json.loads(call("articles", "--json", path, corpus.path).stdout)["settled"] == 0


def test_from_where_an_import_is_called_makes_no_difference(corpus, tmp_path, monkeypatch):
    path = tmp_path / "news.csv"
    path.write_text("id,text\n1,\n", "utf-8")
    call("articles", "--skip-bad", path, corpus.path)
    path.write_text("id,text\n1,نص المقال هنا\n", "utf-8")
    monkeypatch.chdir(corpus.path)
    call("articles", "../news.csv", ".")
    assert dropped(corpus) == set()


def test_an_import_that_is_refused_settles_nothing(corpus, tmp_path):
    path = tmp_path / "news.csv"
    path.write_text("id,text\n1,\n2,\n", "utf-8")
    call("articles", "--skip-bad", path, corpus.path)
    before = dropped(corpus)
    path.write_text("id,text\n1,نص المقال هنا\n2,\n", "utf-8")
    with pytest.raises(InputError):
        call("articles", path, corpus.path)
    assert dropped(corpus) == before


def test_files_of_one_name_and_imports_of_other_kinds_do_not_settle_each_other(corpus, tmp_path):
    paths = [tmp_path / "a" / "train.jsonl", tmp_path / "b" / "train.jsonl"]
    row = {"claim": "ادعاء", "article": "نص المقال هنا", "label": "agree"}
    for path, label in zip(paths, ("", "agree"), strict=True):
        path.parent.mkdir()
        path.write_text(json.dumps(row | {"label": label}) + "\n", "utf-8")
    call("labels", "--skip-bad", paths[0], corpus.path)
    assert dropped(corpus) == {("train.jsonl:1", "label: is empty")}
    call("labels", paths[1], corpus.path)
    call("claims", paths[0], corpus.path)
    assert dropped(corpus) == {("train.jsonl:1", "label: is empty")}


@pytest.mark.parametrize(("rows", "said"), [(1, "1 claim read as jsonl"), (2, "2 claims read as jsonl")])
def test_a_number_of_rows_agrees_with_their_kind(corpus, tmp_path, rows, said):
    path = claims_file(tmp_path, *({"claim": f"ادعاء {number}"} for number in range(rows)))
    assert said in call("claims", path, corpus.path).stdout


def test_what_an_older_dalil_dropped_is_not_counted_twice(corpus, tmp_path):
    """Its ids were made of name, line and reason alone, and say not of which file of that name they are."""
    path = tmp_path / "news.csv"
    path.write_text("id,text\n1,\n2,نص المقال هنا\n", "utf-8")
    former = [
        Dropped(id=make_id("drop", "import", key, "bad_row"), stage="import", key=key, reason="bad_row")
        for key in ("news.csv:2", "news.csv:9", "other.csv:2")
    ]
    with corpus.store.transaction() as writer:
        writer.put(former)
    call("articles", "--skip-bad", path, corpus.path)
    assert sorted(drop.key for drop in corpus.store.all(Dropped)) == [
        "news.csv:2",
        "news.csv:9",
        "other.csv:2",
    ]
    assert ("news.csv:2", "text: is empty") in dropped(corpus)


def test_a_folder_settles_its_files(corpus, tmp_path):
    folder = tmp_path / "baly"
    (folder / "dataset").mkdir(parents=True)
    claim = {"id": "1-1", "claim": "ادعاء", "fact": "true", "article": [], "url": [], "stance": []}
    for name, fact in (("1-1", "true"), ("1-2", "?"), ("1-3", "?")):
        (folder / "dataset" / f"{name}.json").write_text(
            json.dumps(claim | {"id": name, "fact": fact}), "utf-8"
        )
    call("claims", "--skip-bad", folder, corpus.path)
    assert {key for key, _ in dropped(corpus)} == {"1-2.json:1", "1-3.json:1"}
    (folder / "dataset" / "1-2.json").write_text(json.dumps(claim | {"id": "1-2"}), "utf-8")
    call("claims", "--skip-bad", folder, corpus.path)
    assert {key for key, _ in dropped(corpus)} == {"1-3.json:1"}


@pytest.mark.parametrize(
    ("kind", "header", "rows"),
    [
        ("articles", "id,text", "1,نعم\n2,a-17 b\n3,خبر من ثلاث\n4,نعم\n"),
        ("labels", "claim,article,label", "ج,نعم,agree\nج,a-17 b,agree\nج,خبر من ثلاث,agree\nد,نعم,agree\n"),
    ],
)
def test_articles_of_a_word_or_two_are_warned_of(corpus, tmp_path, kind, header, rows):
    path = tmp_path / "x.csv"
    path.write_text(f"{header}\n{rows}", "utf-8")
    result = call(kind, path, corpus.path)
    several = 3 if kind == "articles" else 2  # an article of two labels is one
    said = f"{several} articles have only a word or two: {path}:2 «نعم», {path}:3 «a-17 b»"
    assert said in result.stderr
    assert "check that the column holds the texts themselves" in result.stderr
    report = json.loads(call(kind, "--json", path, corpus.path).stdout)
    assert report["short_articles"][:2] == [f"{path}:2", f"{path}:3"]


def test_what_a_verdict_means_can_be_said_after_the_import(corpus, tmp_path):
    path = claims_file(tmp_path, {"id": "1", "claim": "ادعاء", "verdict": "ربما", "site": "mine"})
    assert "under [verdicts] in sites/SITE.toml of the corpus" in call("claims", path, corpus.path).stderr
    (corpus.path / "sites").mkdir()
    (corpus.path / "sites" / "mine.toml").write_text('[verdicts]\n"ربما" = "mixed"\n', "utf-8")
    assert "--fill gives" in call("claims", path, corpus.path).stderr
    assert call("claims", "--fill", path, corpus.path).stderr == ""
    assert [claim.veracity for claim in corpus.store.all(Claim)] == ["mixed"]


def test_a_file_of_the_hand_edit_makes_no_claims(corpus, tmp_path):
    path = tmp_path / "edit.csv"
    path.write_text("id,site,raw,cleaned,flags,edit,note\nclaim-a,s,خام,منظف,,,\n", "utf-8")
    with pytest.raises(InputError, match="a file of the hand edit, whose claims are there already; bring"):
        call("claims", path, corpus.path)
