"""A gate on real pages: every fifth of CheckThat! 2019's, with floors. The whole is in benchmarks/."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from datetime import date
from pathlib import Path

import pytest
from realdata import data_dir
from warcio.archiveiterator import ArchiveIterator

from dalil.parallel import over_processes
from dalil.text.dates import parse_date
from retrieval.extract import Extracted, Page, Refused, extract

SHA256 = "fea8c5f4a13bb0dde1568828633b4cd194f27b88603c1d1b194eab8dfedc96f2"
SNIPPET = re.compile(r"^\s*(\d{1,2} \D{3,40}? \d{4})\s*\.\.\.")


@pytest.fixture(scope="module")
def folder() -> Path:
    return data_dir("checkthat2019")


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Extracted | Refused]:
    path = folder / "pages.warc.gz"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SHA256, "other data: these floors are not for it"
    pages = []
    with path.open("rb") as file:
        for place, record in enumerate(ArchiveIterator(file)):
            if place % 5 == 0:
                url = record.rec_headers.get_header("WARC-Target-URI")
                pages.append(Page(url, record.raw_stream.read(), headers=tuple(record.http_headers.headers)))
    found = {}
    for page, result in over_processes(extract, iter(pages), lambda page: page, 60.0):
        assert isinstance(result, (Extracted, Refused)), (page.url, result)
        found[page.url] = result
    return found


def test_nearly_all_pages_become_articles(results: dict[str, Extracted | Refused]) -> None:
    articles = [item for item in results.values() if isinstance(item, Extracted)]
    assert len(articles) / len(results) >= 0.95
    assert sum(bool(item.title) for item in articles) / len(articles) >= 0.99
    assert all(item.outlet for item in articles)


def test_dates_agree_with_those_that_google_printed(
    folder: Path, results: dict[str, Extracted | Refused]
) -> None:
    days: dict[str, str] = {}
    with gzip.open(folder / "claims_with_results.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            for row in json.loads(line)["results"]:
                match = SNIPPET.match(row["snippet"] or "")
                stated = parse_date(match[1]) if match and row["url"] in results else None
                if stated:
                    days.setdefault(row["url"], stated.iso)
    apart = []
    for url, day in days.items():
        item = results[url]
        if isinstance(item, Extracted) and item.published and len(item.published) == 10:
            apart.append(abs((date.fromisoformat(item.published) - date.fromisoformat(day)).days))
    assert len(apart) / len(days) >= 0.93
    assert sum(number <= 2 for number in apart) / len(apart) >= 0.93
