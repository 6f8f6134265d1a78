"""Filling a release without texts again: from data sets at hand, from the web, from the Wayback Machine.

The web part is an ordinary corpus in OUT/pages (live) and OUT/archive: the stages that fetch and extract
articles do the work, with their politeness, WARC and ledger, so a stopped run goes on where it was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.dataset.reading import read_dataset
from annotation.dataset.released import REHYDRATED as REPORT
from annotation.dataset.released import read_release, read_said, release_records
from annotation.dataset.rows import text_hash
from dalil.cli.table import STAGES, TABLE
from dalil.corpus import Corpus
from dalil.errors import InputError, StateError, UsageError
from dalil.ids import canonical_json, make_id
from dalil.net.local import plays
from dalil.net.wayback import replay_url
from dalil.progress import Reporter
from dalil.records import Article, Document, Dropped, Fetch, Hit
from dalil.runner import run
from dalil.text.urls import document_id, host, wayback

SAME, CHANGED, MISSING = "same", "changed", "missing"
PAGES, ARCHIVE = "pages", "archive"


@dataclass(frozen=True)
class Found:
    """A text that was had: the text, its title, whether it is the released one, and where from."""

    text: str
    title: str | None
    state: str
    source: str


def rehydrate(
    release: Path,
    out: Path,
    *,
    sources: Sequence[Path] = (),
    offline: bool = False,
    archive: bool = True,
    contact: str | None = None,
    reporter: Reporter | None = None,
) -> dict[str, Any]:
    """Write the release's rows with their texts into OUT. Returns how many are same, changed, missing, and
    what the release states.

    Raises InputError where RELEASE is none, UsageError where OUT holds something else or pages would be
    fetched from strangers without a contact.
    """
    data = read_release(release)
    rows = [dict(record) for _, record in release_records(release)]
    if not rows:
        raise InputError("a release without pairs", where=release, todo="get the release again")
    _prepare(out)
    wanted = {str(row["article_hash"]): row for row in rows if not _whole(row)}
    had: dict[str, Found] = {}
    for source in sources:
        had |= _from_data_set(source, wanted.keys() - had.keys())
    reasons: dict[str, str] = {}
    if not offline:
        with reporter or Reporter() as told:
            for name, column in ((PAGES, "article_url"), (ARCHIVE, "archive_url")):
                left = [row for key, row in wanted.items() if had.get(key, _NOTHING).state != SAME]
                if left and (name == PAGES or archive):
                    _from_web(out / name, left, column, contact, told, had, reasons)
    filled = [_filled(row, had) for row in rows]
    report = _report(filled, had, reasons) | {"release": read_said(release).model_dump()}
    _write(out, filled, data.labels, report, reasons)
    return report


_NOTHING = Found("", None, MISSING, "")


def _whole(row: Mapping[str, Any]) -> bool:
    """Whether a row has its text already: a text with another hash is not what was released."""
    return row.get("article") is not None and text_hash(row["article"]) == row["article_hash"]


def _prepare(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise UsageError("is a file", where=out, todo="give a folder")
    others = [] if not out.exists() else [item.name for item in out.iterdir()]
    if others and not ({PAGES, ARCHIVE, REPORT} & set(others)):
        raise UsageError(
            "the folder is not empty", where=out, todo="give a new folder, or one that rehydrate began"
        )
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StateError(f"cannot be written: {error.strerror}", where=out, todo="check the path") from error


def _from_data_set(path: Path, wanted: Iterable[str]) -> dict[str, Found]:
    """By the hash of the text itself: what a file says of its texts is not relied on."""
    keys = set(wanted)
    found = {}
    for row in read_dataset(path).rows:
        if row.article is not None and (key := text_hash(row.article)) in keys:
            found[key] = Found(row.article, row.title, SAME, path.name)
    return found


def _from_web(
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    column: str,
    contact: str | None,
    reporter: Reporter,
    had: dict[str, Found],
    reasons: dict[str, str],
) -> None:
    """Fetch and extract; a text with another hash is kept as changed unless the same was had."""
    addresses = {str(row["article_hash"]): _address(row.get(column)) for row in rows}
    for key, url in addresses.items():
        if url is None:
            reasons.setdefault(key, "no_address")
    asked = {key: url for key, url in addresses.items() if url is not None}
    if not asked:
        return
    if contact is None and not all(plays(url) for url in asked.values()):
        raise UsageError(
            "pages are fetched from strangers' servers only with a contact",
            todo="give --contact ADDRESS, or --offline with --texts",
        )
    languages = sorted({str(row.get("language") or "ar") for row in rows})
    with _scratch(folder, contact, languages) as corpus:
        with corpus.store.transaction() as writer:
            writer.put_new(record for url in asked.values() for record in _hits(url))
        run(corpus, [STAGES[name] for name in TABLE["fetch"].stages], reporter, doing="rehydrate")
        articles = {article.document_id: article for article in corpus.store.all(Article)}
        why = _reasons(corpus)
    for key, url in asked.items():
        article = articles.get(document_id(url))
        if article is None:
            reasons[key] = why.get(document_id(url), "not_fetched")
        elif text_hash(article.text) == key:
            had[key] = Found(article.text, article.title, SAME, folder.name)
        else:
            had.setdefault(key, Found(article.text, article.title, CHANGED, folder.name))


def _address(url: Any) -> str | None:
    """The address to fetch; a link into the archive in the form that gives the page's own bytes."""
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        return None
    capture = wayback(url)
    return replay_url(*capture) if capture else url


def _scratch(folder: Path, contact: str | None, languages: Sequence[str]) -> Corpus:
    if (folder / "corpus.toml").is_file():
        return Corpus.open(folder)
    lines = ["[corpus]", 'name = "rehydrate"', f"languages = {canonical_json(list(languages))}"]
    if contact:
        lines.append(f"contact = {json.dumps(contact, ensure_ascii=False)}")
    return Corpus.create(folder, "\n".join(lines) + "\n")


def _hits(url: str) -> tuple[Document, Hit]:
    key = document_id(url)
    document = Document(id=key, url=url, host=host(url))
    hit = Hit(
        id=make_id("hit", "rehydrate", url),
        page_id="rehydrate",
        question="rehydrate",
        engine="release",
        rank=1,
        url=url,
        document_id=key,
    )
    return document, hit


def _reasons(corpus: Corpus) -> dict[str, str]:
    """Document → why there is no article: the server's refusal, else what extraction says."""
    found = {drop.key: drop.reason for drop in corpus.store.all(Dropped)}
    for fetch in corpus.store.all(Fetch):
        if fetch.status is None:
            found.setdefault(fetch.document_id, "not_reached")
        elif fetch.status >= 400:
            found[fetch.document_id] = f"http_{fetch.status}"
    return found


def _filled(row: Mapping[str, Any], had: Mapping[str, Found]) -> dict[str, Any]:
    if _whole(row):
        return dict(row) | {"text_state": SAME}
    found = had.get(str(row["article_hash"]), _NOTHING)
    text = found.text if found.state != MISSING else None
    return dict(row) | {"article_title": found.title, "article": text, "text_state": found.state}


def _report(
    rows: Sequence[Mapping[str, Any]], had: Mapping[str, Found], reasons: Mapping[str, str]
) -> dict[str, Any]:
    states = Counter(str(row["text_state"]) for row in rows)
    missing = {str(row["article_hash"]) for row in rows if row["text_state"] == MISSING}
    return {
        "pairs": len(rows),
        "texts": {state: states[state] for state in (SAME, CHANGED, MISSING)},
        "sources": dict(sorted(Counter(found.source for found in had.values()).items())),
        "missing": dict(sorted(Counter(reasons.get(key, "in_no_data_set") for key in missing).items())),
    }


def _write(
    out: Path,
    rows: Sequence[dict[str, Any]],
    labels: Sequence[str],
    report: dict[str, Any],
    reasons: Mapping[str, str],
) -> None:
    from annotation.release.files import flat_rows, write_csv, write_json, write_jsonl, write_parquet
    from annotation.release.layouts import write_layouts

    try:
        write_jsonl(out / "pairs.jsonl", rows)
        flat = flat_rows(rows, labels)
        write_csv(out / "pairs.csv", flat)
        write_parquet(out / "pairs.parquet", flat)
        whole = [row for row in rows if row["article"] is not None]
        if whole:
            write_layouts(out, whole, labels)
        lost = [
            {
                "id": row["id"],
                "article_url": row.get("article_url"),
                "archive_url": row.get("archive_url"),
                "reason": reasons.get(str(row["article_hash"]), "in_no_data_set"),
            }
            for row in rows
            if row["text_state"] == MISSING
        ]
        write_csv(out / "missing.csv", lost, ("id", "article_url", "archive_url", "reason"))
        write_json(out / REPORT, report)
    except OSError as error:
        raise StateError(
            f"cannot be written: {error.strerror}", where=out, todo="check disk and path"
        ) from error
