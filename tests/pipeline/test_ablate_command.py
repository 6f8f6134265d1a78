"""`dalil ablate` as its user types it: over a corpus with gold, and over TREC files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dalil.corpus import Corpus
from dalil.errors import InputError, StateError, UsageError
from dalil.formats.trec import read_qrels, read_runs
from dalil.ids import value_hash
from dalil.records import (
    Article,
    Claim,
    CleanedClaim,
    Copy,
    Dropped,
    Gold,
    Hit,
    Pair,
    Query,
    Record,
    SearchPage,
)
from retrieval.ablate_commands import ablate

CLAIMS = {"claim-1": "البلدية تعيد فتح الجسر القديم", "claim-2": "ارتفاع أسعار الخضروات"}
NAME = "تجربة صغيرة"


def article(key: str) -> Article:
    return Article(id=f"article-{key}", document_id=f"document-{key}", text=f"نص {key}", content_hash=key)


def pair(claim: str, key: str, label: str | None, *marks: str) -> list[Record]:
    made: list[Record] = [
        Pair(
            id=f"pair-{claim}-{key}",
            claim_id=claim,
            article_id=f"article-{key}",
            rank=1,
            score=0.5,
            marks=marks,
        )
    ]
    return [*made, Gold(id=f"pair-{claim}-{key}", label=label, how="majority")] if label else made


def answer(
    claim: str, variants: tuple[str, ...], text: str, *found: str, cost: float = 0.005
) -> list[Record]:
    """A query, its page, its hits."""
    question = value_hash([text])
    page = SearchPage(
        id=f"page-{question}", engine="google", question=question, text=text, status=200, cost=cost
    )
    hits = [
        Hit(id=f"hit-{question}-{rank}", page_id=page.id, question=question, engine="google", rank=rank,
            url=f"https://n.example/{key}", document_id=f"document-{key}")
        for rank, key in enumerate(found, 1)
    ]  # fmt: skip
    query = Query(
        id=f"query-{claim}-{question}", claim_id=claim, variants=variants, text=text, question=question
    )
    return [query, page, *hits]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two claims without dates: `claim` and `vp` equal for one of them, a copy, a page never fetched."""
    toml = f'[corpus]\nname = "{NAME}"\n[search]\nengines = []\nvariants = ["claim", "claim+date", "vp"]\n'
    with Corpus.create(tmp_path / "corpus", toml) as corpus, corpus.store.transaction() as writer:
        for key, text in CLAIMS.items():
            writer.put([Claim(id=key, site="t", raw=text), CleanedClaim(id=key, raw=text, text=text)])
            drop = {"stage": "query", "reason": "no_query:undated", "detail": "claim+date"}
            writer.put([Dropped(id=f"d-{key}", key=f"{key} claim+date", **drop)])
        writer.put([article(key) for key in ("a", "a-again", "b", "c")])
        writer.put([Copy(id="article-a-again", of="article-a", why="content")])
        writer.put(answer("claim-1", ("claim", "vp"), CLAIMS["claim-1"], "a-again", "b", "never-fetched"))
        writer.put(answer("claim-2", ("claim",), CLAIMS["claim-2"], "b"))
        writer.put(answer("claim-2", ("vp",), "ارتفاع", "c"))
        writer.put(pair("claim-1", "a", "agree"))
        writer.put(pair("claim-1", "b", "unrelated"))
        writer.put(pair("claim-2", "c", "discuss", "after_review"))
        writer.put(pair("claim-2", "b", None, "outside_window"))
    return tmp_path / "corpus"


def told(*words: str) -> str:
    result = CliRunner().invoke(ablate, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


def test_the_report_counts_what_lies_in_the_corpus(folder: Path) -> None:
    report = json.loads(told("--json", str(folder)))
    rows = {row["variant"]: row for row in report["rows"]}
    assert list(rows) == ["claim", "claim+date", "vp", "all"]
    assert rows["claim+date"]["not_applicable"] == "undated (2)"
    claim = rows["claim"]
    assert (claim["requests"], claim["requests_without"], claim["cost"]) == (2, 1, 0.01)
    assert (claim["documents"], claim["judged"], claim["related"]) == (4, 2, 1), "a copy is its article"
    assert rows["vp"]["new_related"] == rows["vp"]["claims_lost"] == 1
    assert [group["name"] for group in report["groups"]] == ["1–7 words", "without marked pairs"]


def test_a_claim_asked_twice_as_one_variant_is_one_ranking(folder: Path, tmp_path: Path) -> None:
    """As it was imported, and as it was cleaned: the report and the TREC run hold the answers of both."""
    with Corpus.open(folder) as corpus, corpus.store.transaction() as writer:
        writer.put(answer("claim-2", ("claim",), "كما وردت", "c", "b"))
    out = tmp_path / "out"
    rows = {row["variant"]: row for row in json.loads(told("--json", "--out", str(out), str(folder)))["rows"]}
    run = read_runs(out / "claim@google.run")["claim@google"]
    assert set(run["claim-2"]) == {"article-b", "article-c"}
    assert rows["claim"]["documents"] == sum(map(len, run.values()))
    assert (rows["claim"]["requests"], rows["claim"]["hits"]) == (3, 6)
    assert rows["claim"]["measures"]["Success@10"] == 1.0


def test_the_tables_say_not_applicable_and_how_much_is_judged(folder: Path) -> None:
    text = told(str(folder))
    assert "not applicable" in text
    assert "claim+date is not applicable: undated (2)." in text
    assert "% of the documents brought are judged; the rest is unjudged, not unrelated." in " ".join(
        text.split()
    )
    assert "…" not in text, "a column was cut"


def test_the_files_can_be_read_back(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told("--out", str(out), str(folder))
    names = {path.name for path in out.iterdir()}
    plots = {"ablation.png", "ablation.svg"}
    assert names == {"ablation.json", "ablation.md", "claim@google.run", "vp@google.run", "qrels.txt"} | plots
    assert (out / "ablation.png").read_bytes().startswith(b"\x89PNG")
    assert read_qrels(out / "qrels.txt")["claim-1"] == {"article-a": 1, "article-b": 0}
    run = read_runs(out / "claim@google.run")["claim@google"]
    assert run["claim-1"] == ("article-a", "article-b", "document-never-fetched")
    card = (out / "ablation.md").read_text("utf-8")
    assert card.startswith("## What each query variant brings\n")
    assert "| claim+date | not applicable |" in card
    again = told("--json", "--qrels", str(out / "qrels.txt"), "--run", str(out / "claim@google.run"),
                 "--run", str(out / "vp@google.run"))  # fmt: skip
    by_files = {row["variant"]: row for row in json.loads(again)["rows"]}
    by_corpus = {row["variant"]: row for row in json.loads(told("--json", str(folder)))["rows"]}
    for name in ("claim", "vp"):
        for figure in ("documents", "new_documents", "judged", "related", "recall", "measures"):
            assert by_files[name][figure] == by_corpus[name][figure]
        assert by_files[name]["cost"] is None


def test_an_arabic_name_is_drawn_as_it_is_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dalil import plots

    seen: list[str] = []
    shaped = plots.shaped
    monkeypatch.setattr(plots, "shaped", lambda text, *more: seen.append(text) or shaped(text, *more))
    told("--out", str(tmp_path / "out"), str(folder))
    assert NAME in seen, "the title went past the function that shapes Arabic"


def test_an_empty_corpus_says_what_to_do_first(tmp_path: Path) -> None:
    Corpus.create(tmp_path / "empty", '[corpus]\nname = "t"\n').close()
    with pytest.raises(StateError, match="no pair of this corpus has a final label"):
        told(str(tmp_path / "empty"))


def test_labels_of_another_scheme_must_be_told_apart(folder: Path) -> None:
    with Corpus.open(folder) as corpus, corpus.store.transaction() as writer:
        writer.put([Gold(id="pair-claim-2-b", label="confirming", how="majority")])
    with pytest.raises(UsageError, match="confirming"):
        told(str(folder))
    report = json.loads(told("--json", "--related", "confirming,agree", str(folder)))
    assert report["related_labels"] == ["agree", "confirming"]
    report = json.loads(told("--json", "--related", "agree,disagree,discuss", str(folder)))
    assert report["related_labels"] == ["agree", "disagree", "discuss"], "named, the usual ones will do"


@pytest.mark.parametrize(
    ("labels", "said"), [("agre", "'agre'.*the labels are agree, discuss"), (",", "no label")]
)
def test_a_related_label_that_nothing_has_is_refused(folder: Path, labels: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        told("--related", labels, str(folder))


@pytest.mark.parametrize("tag", ["all", "all@google", "vp@all", "@google"])
def test_a_run_cannot_take_the_name_of_all_together(tmp_path: Path, tag: str) -> None:
    (tmp_path / "q").write_text("q 0 d 1\n", "utf-8")
    (tmp_path / "r").write_text(f"q Q0 d 1 1.0 {tag}\n", "utf-8")
    with pytest.raises(InputError, match=f"cannot have the tag '{tag}'"):
        told("--qrels", str(tmp_path / "q"), "--run", str(tmp_path / "r"))


def test_labels_are_not_for_qrels(tmp_path: Path) -> None:
    done = CliRunner().invoke(ablate, ["--qrels", "q", "--run", "r", "--related", "agree"])
    assert done.exit_code == 2
    assert "grades above 0" in done.output


@pytest.mark.parametrize("tag", ["../../out", "/vp@g", "a/b@../c"])
def test_no_tag_leads_out_of_the_folder(tmp_path: Path, tag: str) -> None:
    (tmp_path / "q").write_text("q 0 d 1\n", "utf-8")
    (tmp_path / "r").write_text(f"q Q0 d 1 1.0 {tag}\n", "utf-8")
    told("--qrels", str(tmp_path / "q"), "--run", str(tmp_path / "r"), "--out", str(tmp_path / "a" / "b"))
    [written] = tmp_path.rglob("*.run")
    assert written.parent == tmp_path / "a" / "b"
    [found] = read_runs(written)
    assert found.startswith(tag)


def test_runs_need_qrels_and_a_bad_line_is_named(tmp_path: Path) -> None:
    assert CliRunner().invoke(ablate, ["--run", "x"]).exit_code == 2
    (tmp_path / "q").write_text("q 0 d\n", "utf-8")
    (tmp_path / "r").write_text("q Q0 d 1 1.0 claim\n", "utf-8")
    with pytest.raises(InputError, match="q:1: has 3 fields"):
        told("--qrels", str(tmp_path / "q"), "--run", str(tmp_path / "r"))
