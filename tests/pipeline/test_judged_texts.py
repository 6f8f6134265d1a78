"""What was judged does not move: the texts that people saw stay, whatever later runs make of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import toycorpus
from click.testing import CliRunner
from killing import KILLED, run_in_child

from annotation.release import ReleaseSettings
from annotation.release.write import write_release
from dalil.corpus import Corpus
from dalil.ids import make_id, value_hash
from dalil.progress import Silent
from dalil.records import (
    Annotation,
    Article,
    Assignment,
    Claim,
    ClaimEdit,
    CleanedClaim,
    Copy,
    Decision,
    Document,
    Gold,
    Hit,
    Kept,
    Pair,
    Query,
    Record,
    SearchPage,
    Superseded,
)
from dalil.runner import Tally, run_stage
from dalil.stages import Reads, Result, Unit
from dalil.state.dump import dump, equal, load
from dalil.state.store import Store
from dalil.status import status
from retrieval.ablation.corpus import from_corpus
from retrieval.claims_commands import claims
from retrieval.clean.stage import Clean
from retrieval.duplicates import FindCopies
from retrieval.pair import MakePairs
from retrieval.pair_commands import why as why_command
from retrieval.search import MakeQueries

SEEN = "الحكومة ترفع أسعار الخبز"
BODY = "قال وزير التموين يوم الثلاثاء إن أسعار الخبز ترتفع في الشهر القادم في كل المحافظات دون استثناء. " * 4
OTHER = "افتتحت بلدية العاصمة أمس خطا جديدا للحافلات يربط المطار بوسط المدينة في نصف ساعة كل يوم. " * 4
OWN = ReleaseSettings(title="t", shares={"train": 0.5, "test": 0.5}, apart=("claim",))


class Claims:
    """As collecting makes claims: one unit a page of a site."""

    NAME, VERSION, READS, WRITES = "collect", "1", Reads(), (Claim,)

    def __init__(self, pages: dict[str, dict[str, Any]]):
        self.pages = pages

    def keys(self, store: Store) -> Iterator[Unit]:
        for key, says in self.pages.items():
            yield Unit(key, (key, says))

    def work(self, inputs: tuple[str, dict[str, Any]]) -> Result:
        key, says = inputs
        return Result(records=(Claim(id=f"claim-{key}", site="s", **says),))


class Texts:
    """As extraction makes articles: one unit a document, an id that holds the hash of the text."""

    NAME, VERSION, READS, WRITES = "extract", "1", Reads(), (Article,)

    def __init__(self, pages: dict[str, dict[str, Any]]):
        self.pages = pages

    def keys(self, store: Store) -> Iterator[Unit]:
        for key, says in self.pages.items():
            yield Unit(key, (key, says))

    def work(self, inputs: tuple[str, dict[str, Any]]) -> Result:
        key, says = inputs
        content = value_hash([None, says["text"]])
        article = Article(
            id=make_id("article", key, content), document_id=key, content_hash=content, language="ar", **says
        )
        return Result(records=(article,))


class World:
    """Two claims, each with a page, run through the stages and judged by two people."""

    def __init__(self, folder: Path):
        self.corpus = toycorpus.make(folder)
        self.claims = {
            "1": {"raw": f"حقيقة {SEEN}", "claim_date": "2020-01-01"},
            "2": {"raw": "حقيقة افتتاح خط حافلات جديد في العاصمة", "claim_date": "2020-01-02"},
        }
        self.pages = {
            "document-1": {"text": BODY, "published": "2020-01-03", "outlet": "a.example"},
            "document-2": {"text": OTHER, "published": "2020-01-04", "outlet": "b.example"},
        }
        with self.corpus.store.transaction() as writer:
            for n in ("1", "2"):
                writer.put(
                    [
                        Document(id=f"document-{n}", url=f"https://a.example/{n}", host="a.example"),
                        Query(
                            id=f"q{n}", claim_id=f"claim-{n}", variants=("claim",), text="x", question=f"q{n}"
                        ),
                        SearchPage(id=f"page-{n}", engine="e", question=f"q{n}", text="x", answer="{}"),
                        Hit(
                            id=f"hit-{n}", page_id=f"page-{n}", question=f"q{n}", engine="e", rank=1,
                            url=f"https://a.example/{n}", document_id=f"document-{n}",
                        ),
                    ]
                )  # fmt: skip
        self.run()

    def run(self) -> list[Tally]:
        corpus = self.corpus
        stages = (
            Claims(self.claims),
            Clean(corpus),
            Texts(self.pages),
            FindCopies(corpus),
            MakePairs(corpus),
        )
        return [run_stage(corpus, stage, Silent()) for stage in stages]

    def judge(self) -> None:
        with self.corpus.store.transaction() as writer:
            for pair in self.corpus.store.all(Pair):
                writer.put_new(
                    [
                        *(
                            Annotation(
                                id=make_id("annotation", pair.id, name), pair_id=pair.id, annotator=name,
                                round="main", scheme="arastance", label="agree", shown_hash="h",
                            )
                            for name in ("amal", "badr")
                        ),
                        Gold(id=pair.id, label="agree", how="unanimous", votes={"agree": 2}),
                    ]
                )  # fmt: skip

    def edit(self, key: str, text: str, number: int = 1) -> None:
        with self.corpus.store.transaction() as writer:
            writer.put_new(
                [
                    ClaimEdit(
                        id=f"edit-{key}-{number}", claim_id=key, before="", after=text, editor="e",
                        number=number,
                    )
                ]
            )  # fmt: skip

    def pair(self, claim: str) -> Pair:
        """The judged pair of a claim."""
        judged = self.corpus.store.ids(Gold)
        (found,) = (pair for pair in self.corpus.store.all(Pair, claim_id=claim) if pair.id in judged)
        return found

    def kept(self) -> set[tuple[str, str]]:
        return {(one.kind, one.why) for one in self.corpus.store.all(Kept)}

    def released(self, out: Path) -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
        """Claim id → row of the release, and what the release says."""
        summary = write_release(self.corpus, out, OWN)
        rows = [json.loads(line) for line in (out / "pairs.jsonl").read_text("utf-8").splitlines()]
        return {row["claim_id"]: row for row in rows}, summary.notes


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path / "corpus")
    made.judge()
    return made


def test_before_anybody_judged_all_moves_as_it_should(tmp_path: Path) -> None:
    world = World(tmp_path / "corpus")
    world.edit("claim-1", "نص آخر تماما للادعاء")
    world.pages["document-1"] = world.pages["document-1"] | {"text": f"{OTHER} {BODY}"}
    del world.claims["2"], world.pages["document-2"]
    world.run()
    assert [one.text for one in world.corpus.store.all(CleanedClaim)] == ["نص آخر تماما للادعاء"]
    assert [one.text for one in world.corpus.store.all(Article)] == [f"{OTHER} {BODY}"]
    assert world.corpus.store.count(Kept) == 0


def test_a_claim_edited_after_it_was_judged_is_released_as_it_was_judged(
    world: World, tmp_path: Path
) -> None:
    world.edit("claim-1", "نص آخر تماما للادعاء")
    clean = world.run()[1]
    assert clean.notes == [
        "judged texts that would change or go, and stay as they were shown: 1 (dalil status)"
    ]
    assert world.corpus.store.get(CleanedClaim, "claim-1").text == SEEN  # type: ignore[union-attr]
    (kept,) = world.corpus.store.all(Kept)
    assert (kept.kind, kept.of, kept.why) == ("cleaned_claims", "claim-1", "changed")
    assert kept.now == {"text": "نص آخر تماما للادعاء"}
    assert status(world.corpus).kept == {"cleaned_claims": {"changed": 1}}
    rows, notes = world.released(tmp_path / "v1")
    assert rows["claim-1"]["claim"] == SEEN
    assert "1 pair has its texts as they were judged" in notes[-1]
    lines = (tmp_path / "v1" / "provenance.jsonl").read_text("utf-8").splitlines()
    assert sorted(str(json.loads(line)["since_judged"]) for line in lines) == ["{'claim': 'changed'}", "{}"]
    assert [tally.worked for tally in world.run()] == [0] * 5, "it is not tried again and again"
    world.edit("claim-1", "", number=2)
    world.run()
    assert world.kept() == set(), "the edit was taken back, and nothing is kept aside any more"


def test_a_claim_dropped_by_hand_after_it_was_judged_is_out_of_new_rounds_alone(
    world: World, tmp_path: Path
) -> None:
    judged = world.pair("claim-1").id
    world.edit("claim-1", "(drop)")
    world.run()
    assert world.kept() == {("cleaned_claims", "gone")}
    assert [gone.id for gone in world.corpus.store.all(Superseded)] == [judged]
    assert world.released(tmp_path / "v1")[0]["claim-1"]["claim"] == SEEN
    world.edit("claim-1", "", number=2)
    world.run()
    assert world.kept() == set()
    assert world.corpus.store.count(Superseded) == 0


def test_a_claim_that_its_site_words_anew_or_takes_down_stays(world: World, tmp_path: Path) -> None:
    world.claims["1"] = {
        "raw": "حقيقة خفض أسعار الخبز في كل المدن",
        "claim_date": "2021-09-09",
        "country": "EG",
    }
    del world.claims["2"]
    collect = world.run()[0]
    assert collect.swept == 1
    one, two = world.corpus.store.all(Claim)
    assert (one.raw, one.claim_date) == (f"حقيقة {SEEN}", "2020-01-01")
    assert one.country == "EG", "what nobody was shown is brought up to date"
    assert two.id == "claim-2"
    assert world.kept() == {("claims", "changed"), ("claims", "gone")}
    assert set(world.released(tmp_path / "v1")[0]) == {"claim-1", "claim-2"}


@pytest.mark.parametrize("how", ["taken down", "dropped by hand"])
def test_a_judged_claim_that_is_given_up_is_not_searched_for_nor_paired_anew(world: World, how: str) -> None:
    search = MakeQueries(world.corpus)
    assert {unit.key for unit in search.keys(world.corpus.store)} == {"claim-1", "claim-2"}
    judged, says = world.pair("claim-2").id, world.claims["2"]
    if how == "taken down":
        del world.claims["2"]
    else:
        world.edit("claim-2", "(drop)")
    world.run()
    assert [unit.key for unit in search.keys(world.corpus.store)] == ["claim-1"]
    assert world.corpus.store.ids(Superseded) == {judged}
    material = from_corpus(world.corpus)
    assert material.claims.keys() == {claim for claim, _ in material.labels} == {"claim-1"}
    assert material.notes[0] == "1 judged claim left out: not searched for any more"
    world.claims["2"] = says
    world.edit("claim-2", "", number=2)
    world.run()
    assert {unit.key for unit in search.keys(world.corpus.store)} == {"claim-1", "claim-2"}
    assert world.corpus.store.count(Superseded) == 0


def test_an_article_extracted_otherwise_after_it_was_judged_is_released_as_it_was_judged(
    world: World, tmp_path: Path
) -> None:
    judged = world.pair("claim-1")
    world.pages["document-1"] = world.pages["document-1"] | {"text": "نص لا يشبه ما سبقه في شيء أبدا. " * 9}
    world.run()
    assert world.kept() == {("articles", "gone")}
    assert world.corpus.store.get(Article, judged.article_id).text == BODY  # type: ignore[union-attr]
    assert {gone.id for gone in world.corpus.store.all(Superseded)} == {judged.id}
    new = [pair for pair in world.corpus.store.all(Pair, claim_id="claim-1") if pair.id != judged.id]
    assert len(new) == 1, "the new text is another article, and makes another pair"
    rows, notes = world.released(tmp_path / "v1")
    assert (rows["claim-1"]["id"], rows["claim-1"]["article"]) == (judged.id, BODY)
    assert "1 pair has its texts as they were judged" in notes[-1]


def test_a_text_that_is_nearly_the_judged_one_is_a_copy_of_it_and_not_judged_again(world: World) -> None:
    judged = world.pair("claim-1")
    world.pages["document-1"] = world.pages["document-1"] | {"text": f"{BODY} تابعونا"}
    world.run()
    (copy,) = world.corpus.store.all(Copy)
    assert copy.of == judged.article_id
    assert [pair.id for pair in world.corpus.store.all(Pair, claim_id="claim-1")] == [judged.id]
    assert world.corpus.store.count(Superseded) == 0


def test_a_page_that_is_lost_leaves_its_judged_text(world: World, tmp_path: Path) -> None:
    judged = world.pair("claim-2")
    del world.pages["document-2"]
    assert world.run()[2].swept == 1
    assert world.corpus.store.get(Article, judged.article_id).text == OTHER  # type: ignore[union-attr]
    assert {gone.id for gone in world.corpus.store.all(Superseded)} == {judged.id}
    assert set(world.released(tmp_path / "v1")[0]) == {"claim-1", "claim-2"}
    world.pages["document-2"] = {"text": OTHER, "published": "2020-01-04", "outlet": "b.example"}
    world.run()
    assert world.kept() == set()
    assert world.corpus.store.count(Superseded) == 0


def test_a_date_read_otherwise_stays_as_it_was_shown(world: World) -> None:
    world.pages["document-1"] = world.pages["document-1"] | {"published": "2022-05-05", "fetch_id": "f2"}
    world.run()
    (kept,) = world.corpus.store.all(Kept)
    assert (kept.kind, kept.now) == ("articles", {"published": "2022-05-05"})
    article = world.corpus.store.get(Article, world.pair("claim-1").article_id)
    assert article is not None
    assert (article.published, article.fetch_id) == ("2020-01-03", None)


@pytest.mark.parametrize(
    "judgement",
    [
        Annotation(id="v", pair_id="PAIR", annotator="a", round="pilot", scheme="s", label="agree"),
        Decision(id="d", pair_id="PAIR", adjudicator="a", label="agree"),
        Gold(id="PAIR", label="agree", how="imported"),
    ],
)
def test_any_judgement_holds_the_texts_of_its_pair_and_of_no_other(tmp_path: Path, judgement: Record) -> None:
    world = World(tmp_path / "corpus")
    (pair,) = world.corpus.store.all(Pair, claim_id="claim-1")
    where = {"id": pair.id} if isinstance(judgement, Gold) else {"pair_id": pair.id}
    with world.corpus.store.transaction() as writer:
        writer.put_new([judgement.model_copy(update=where)])
    for key in ("claim-1", "claim-2"):
        world.edit(key, "نص آخر تماما للادعاء")
    world.pages.clear()
    world.run()
    assert [one.text for one in world.corpus.store.all(CleanedClaim)] == [SEEN, "نص آخر تماما للادعاء"]
    assert [one.text for one in world.corpus.store.all(Article)] == [BODY]


@pytest.mark.parametrize(
    ("judgement", "stays"),
    [
        (Gold(id="PAIR", label="agree", how="imported"), False),
        (Annotation(id="v", pair_id="PAIR", annotator="a", round="main", scheme="s", label="agree"), False),
        (
            Annotation(
                id="v", pair_id="PAIR", annotator="a", round="main", scheme="s", label="agree", shown_hash="h"
            ),
            True,
        ),
        (Decision(id="d", pair_id="PAIR", adjudicator="a", label="agree"), True),
    ],
    ids=["an imported label", "an imported judgement", "a judgement", "a ruling"],
)
def test_a_claim_that_came_with_its_labels_can_be_edited_until_people_see_it(
    tmp_path: Path, judgement: Record, stays: bool
) -> None:
    """Otherwise what cleaning flagged could never be searched for."""
    world = World(tmp_path / "corpus")
    (pair,) = world.corpus.store.all(Pair, claim_id="claim-1")
    where = {"id": pair.id} if isinstance(judgement, Gold) else {"pair_id": pair.id}
    with world.corpus.store.transaction() as writer:
        writer.put([pair.model_copy(update={"ranker": "imported"})])
        writer.put_new([judgement.model_copy(update=where)])
    world.edit("claim-1", "نص آخر تماما للادعاء")
    world.run()
    made = world.corpus.store.get(CleanedClaim, "claim-1")
    assert made is not None
    assert (made.text == SEEN) is stays
    assert world.kept() == ({("cleaned_claims", "changed")} if stays else set())
    world.pages.clear()
    world.run()
    assert world.corpus.store.ids(Article) == {pair.article_id}, "what was labelled stays"


def test_an_assigned_pair_keeps_its_records_and_its_claim_may_still_be_mended(tmp_path: Path) -> None:
    world = World(tmp_path / "corpus")
    with world.corpus.store.transaction() as writer:
        for pair in world.corpus.store.all(Pair):
            writer.put_new([Assignment(id=pair.id, pair_id=pair.id, annotator="amal", round="main")])
    world.edit("claim-1", "نص آخر تماما للادعاء")
    world.run()
    assert world.corpus.store.get(CleanedClaim, "claim-1").text == "نص آخر تماما للادعاء"  # type: ignore[union-attr]
    assert world.kept() == set()
    world.claims.clear()
    world.pages.clear()
    world.run()
    assert world.corpus.store.ids(Claim) == {"claim-1", "claim-2"}
    assert sorted(one.text for one in world.corpus.store.all(Article)) == sorted([BODY, OTHER])
    assert world.kept() == {("claims", "gone"), ("articles", "gone")}


def test_a_judgement_and_a_change_in_one_transaction(tmp_path: Path) -> None:
    world = World(tmp_path / "corpus")
    (pair,) = world.corpus.store.all(Pair, claim_id="claim-1")
    made = world.corpus.store.get(CleanedClaim, "claim-1")
    assert made is not None
    with world.corpus.store.transaction() as writer:
        writer.put([made.model_copy(update={"flags": ("says:x",)})])
        writer.put_new([Gold(id=pair.id, label="agree", how="imported")])
        writer.put([made.model_copy(update={"text": "نص آخر"})])
    assert world.corpus.store.get(CleanedClaim, "claim-1").text == SEEN  # type: ignore[union-attr]


def test_kept_texts_survive_dump_and_load_and_kills(world: World, tmp_path: Path) -> None:
    world.edit("claim-1", "نص آخر تماما للادعاء")
    world.pages["document-2"] = {"text": f"{OTHER} {BODY}"}
    world.corpus.close()

    def go_on(folder: Path) -> None:
        with Corpus.open(folder) as corpus:
            other = World.__new__(World)
            other.corpus, other.claims, other.pages = corpus, world.claims, world.pages
            other.run()

    folders = []
    for number in (0, 3, 6, 9):
        folder = tmp_path / f"killed-{number}"
        with Corpus.open(tmp_path / "corpus") as corpus:
            dump(corpus, tmp_path / f"dump-{number}")
        load(tmp_path / f"dump-{number}", folder)
        wanted = KILLED if number else 0
        assert run_in_child(lambda: go_on(folder), f"commit:{number}") == wanted  # noqa: B023
        go_on(folder)
        with Corpus.open(folder) as corpus:
            assert corpus.store.count(Kept) == 2
            dump(corpus, tmp_path / f"after-{number}", stable=True)
        folders.append(tmp_path / f"after-{number}")
    for folder in folders[1:]:
        assert equal(folders[0], folder) == []


def test_why_and_status_show_what_is_kept(world: World) -> None:
    world.edit("claim-1", "نص آخر تماما للادعاء")
    world.run()
    result = CliRunner().invoke(why_command, [world.pair("claim-1").id, str(world.corpus.path)])
    assert result.exit_code == 0, result.output
    assert "Judged, and kept as it was shown" in result.output
    assert "نص آخر تماما للادعاء" in result.output


def test_importing_an_edit_of_a_judged_claim_says_that_its_text_stays(world: World, tmp_path: Path) -> None:
    file, folder = tmp_path / "edit.csv", str(world.corpus.path)
    run = CliRunner()
    assert run.invoke(claims, ["export", str(file), folder]).exit_code == 0
    with file.open(encoding="utf-8-sig", newline="") as read:
        rows = list(csv.DictReader(read))
    for row in rows:
        row["edit"] = "نص آخر تماما للادعاء" if row["id"] == "claim-1" else row["edit"]
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    result = run.invoke(claims, ["import", "--editor", "e", str(file), folder])
    assert result.exit_code == 0, result.output
    assert "1 of the claims was judged already: its text stays as people saw it" in result.stderr


def test_provenance_says_what_was_asked_though_it_is_asked_no_more(world: World, tmp_path: Path) -> None:
    with world.corpus.store.transaction() as writer:
        writer.delete(Query, ["q1"])
    world.released(tmp_path / "v1")
    lines = (tmp_path / "v1" / "provenance.jsonl").read_text("utf-8").splitlines()
    found = {line["claim"]["id"]: line["found_by"][0] for line in map(json.loads, lines)}
    assert {key: hit["query"] for key, hit in found.items()} == {"claim-1": "x", "claim-2": "x"}
    assert (found["claim-1"]["variants"], found["claim-2"]["variants"]) == ([], ["claim"])
