"""The walk: every stage of the way of the data over the demo corpus, offline."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dalil.cli.table import STAGES, TABLE
from dalil.collection import build
from dalil.corpus import Corpus
from dalil.demo.content import label_rows, search_rows
from dalil.demo.server import DemoServer
from dalil.errors import UsageError
from dalil.ids import make_id
from dalil.net.local import VARIABLE
from dalil.progress import Reporter
from dalil.records import Annotation, Article, Claim, ClaimEdit, CleanedClaim, Pair, utc_now
from dalil.resources import data, entry_point
from dalil.runner import Tally, run
from dalil.text.urls import canonical_url, document_id

NAME = "dalil demo"
BEFORE_EDIT = ("collect", "claims", "clean")


def walk(folder: Path, reporter: Reporter) -> list[Tally]:
    """Make the demo corpus in `folder` (or go on with it), run every stage, write a release.

    Raises UsageError when the folder holds something else.
    """
    first = [STAGES[name] for name in BEFORE_EDIT]
    rest = [STAGES[name] for name in TABLE["run"].stages if name not in ("collect", "claims")]
    with prepared(folder) as corpus, played():
        tallies = run(corpus, first, reporter, doing="demo")
        edit(corpus)
        tallies += run(corpus, rest, reporter, doing="demo")
        judge(corpus)
        tallies += run(corpus, [STAGES["gold"]], reporter, doing="demo")
        out = corpus.release / "demo"
        if not out.exists():
            entry_point("annotation.release.write:release")(corpus, out)
    return tallies


@contextmanager
def prepared(folder: Path) -> Iterator[Corpus]:
    """The corpus folder with its configuration and the collection that plays the search engine."""
    if (folder / "corpus.toml").exists():
        corpus = Corpus.open(folder)
        if corpus.config.corpus.name != NAME:
            corpus.close()
            raise UsageError(
                "this folder holds another corpus", where=folder, todo="give the demo a folder of its own"
            )
    elif folder.exists() and any(folder.iterdir()):
        raise UsageError("this folder is not empty", where=folder, todo="give the demo a folder of its own")
    else:
        corpus = Corpus.create(folder, data("demo", "corpus.toml").read_text("utf-8"))
    with corpus:
        shutil.copyfile(data("demo", "outlets.txt"), folder / "outlets.txt")
        _index(folder)
        yield corpus


@contextmanager
def played() -> Iterator[str]:
    """A server on loopback that plays the demo's web while the block runs."""
    before = os.environ.get(VARIABLE)
    with DemoServer() as server:
        os.environ[VARIABLE] = server.address
        try:
            yield server.address
        finally:
            if before is None:
                os.environ.pop(VARIABLE, None)
            else:
                os.environ[VARIABLE] = before


def edit(corpus: Corpus) -> int:
    """Import the hand edits of claims that the rules flagged. Returns how many are new."""
    claims = {claim.url: claim.id for claim in corpus.store.all(Claim)}
    cleaned = {claim.id: claim.text for claim in corpus.store.all(CleanedClaim)}
    with data("demo", "edits.csv").open(encoding="utf-8", newline="") as file:
        rows = [(claims.get(canonical_url(row["claim_url"])), row) for row in csv.DictReader(file)]
    found = [
        ClaimEdit(
            id=make_id("edit", key, "1"),
            claim_id=key,
            before=cleaned[key],
            after=row["after"],
            note=row["note"],
            editor="lead",
            number=1,
            at=utc_now(),
        )
        for key, row in rows
        if key is not None and key in cleaned
    ]
    with corpus.store.transaction() as writer:
        return writer.put_new(found)


def judge(corpus: Corpus) -> int:
    """Import the three annotators' judgements on the pairs there are. Returns how many are new."""
    claims = {claim.url: claim.id for claim in corpus.store.all(Claim)}
    articles: dict[str, list[str]] = {}
    for article in corpus.store.all(Article):
        articles.setdefault(article.document_id, []).append(article.id)
    pairs = {(pair.claim_id, pair.article_id): pair.id for pair in corpus.store.all(Pair)}
    found = []
    for row in label_rows():
        claim = claims.get(canonical_url(row.claim_url))
        for key in articles.get(document_id(row.article_url), ()):
            pair = pairs.get((claim or "", key))
            if pair is not None:
                found.append(
                    Annotation(
                        id=make_id("annotation", pair, row.worker, row.round, "1"),
                        pair_id=pair,
                        annotator=row.worker,
                        round=row.round,
                        scheme="arastance",
                        label=row.label,
                        origin="data/demo/labels.csv",
                    )
                )
    with corpus.store.transaction() as writer:
        return writer.put_new(found)


def _index(folder: Path) -> None:
    """The outlets' articles as a search service knows them."""
    if (folder / "collection" / "manifest.json").exists():
        return
    rows = folder / "search-index.jsonl"
    lines = (json.dumps({"id": row["url"], **row}, ensure_ascii=False) + "\n" for row in search_rows())
    rows.write_text("".join(lines), "utf-8", newline="\n")
    build([rows], folder / "collection")
