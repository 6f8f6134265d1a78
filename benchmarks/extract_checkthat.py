"""Extraction on 1,078 real pages, against trafilatura and htmldate used bare.

    DALIL_DATA=… python benchmarks/extract_checkthat.py

Reads checkthat2019 (CheckThat! 2019, task 2). Writes extract_checkthat.json and
extract_disagreements.csv beside itself: page ids, figures and verdicts, no text of a page.

Yield: articles over pages. Dates: Google begins many snippets with one (SNIPPET below); it is a
reference and never an input, and neither is the date in the WARC, which is made up (so nothing
here knows when the pages were fetched: the harder case). A date counts as found when it has a day.
Speed: wall clock (a busy machine, see load_average, makes it longer) and processor time a page.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from dalil.parallel import over_processes
from dalil.text.dates import parse_date
from retrieval.extract import Extracted, Page, Refused, extract

HERE = Path(__file__).parent
SNIPPET = re.compile(r"^\s*(\d{1,2} \D{3,40}? \d{4})\s*\.\.\.")
"""`13 أيار (مايو) 2017 ... `: day, month (mostly in its two Arabic names), year, three dots"""


def pages(folder: Path) -> list[Page]:
    """Every response of the WARC; `seen_at` stays unknown."""
    found = []
    with (folder / "pages.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            url = record.rec_headers.get_header("WARC-Target-URI")
            headers = tuple((name, value) for name, value in record.http_headers.headers)
            status = int(record.http_headers.get_statuscode())
            found.append(Page(url, record.raw_stream.read(), status, headers))
    return found


def references(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """url → day that Google printed; url → id of its first page."""
    days: dict[str, str] = {}
    ids: dict[str, str] = {}
    with gzip.open(folder / "claims_with_results.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            for result in json.loads(line)["results"]:
                ids.setdefault(result["url"], result["pageID"])
                match = SNIPPET.match(result["snippet"] or "")
                stated = parse_date(match[1]) if match else None
                if stated is not None:
                    days.setdefault(result["url"], stated.iso)
    return days, ids


def bare_trafilatura(page: Page) -> str | None:
    """What a user would take instead: text and metadata by trafilatura's defaults."""
    import logging

    import trafilatura

    logging.disable(logging.CRITICAL)
    found: Any = trafilatura.bare_extraction(page.body, url=page.url, with_metadata=True)
    return found.text if found is not None else None


def bare_htmldate(page: Page) -> str | None:
    """What a user would take instead for dates."""
    import logging

    from htmldate import find_date

    logging.disable(logging.CRITICAL)
    found: str | None = find_date(page.body.decode("utf-8", "replace"), url=page.url, original_date=True)
    return found


@dataclass(frozen=True)
class Clocked:
    """Work that says how much processor time it took."""

    work: Callable[[Page], Any]

    def __call__(self, page: Page) -> tuple[Any, float]:
        """The result, and seconds of the process."""
        began = time.process_time()
        return self.work(page), time.process_time() - began


def timed(work: Callable[[Page], Any], items: list[Page], processes: int) -> tuple[list[Any], dict[str, Any]]:
    """Results in order (None for a page that failed), and how long they took."""
    wall = time.monotonic()
    outcomes = [each for _, each in over_processes(Clocked(work), iter(items), _same, 120.0, processes)]
    seconds = time.monotonic() - wall
    done = [each for each in outcomes if isinstance(each, tuple)]
    figures = {
        "pages": len(items),
        "failed": len(items) - len(done),
        "processes": processes,
        "wall_seconds": round(seconds, 1),
        "pages_per_second": round(len(items) / seconds, 1),
        "cpu_ms_per_page": round(1000 * sum(spent for _, spent in done) / len(done), 1),
        "load_average": round(os.getloadavg()[0], 1),
    }
    print(work.__name__, figures, file=sys.stderr, flush=True)
    return [each[0] if isinstance(each, tuple) else None for each in outcomes], figures


def _same(page: Page) -> Page:
    return page


def agreement(found: dict[str, str | None], days: dict[str, str]) -> dict[str, Any]:
    """Coverage of the dated urls, and of those found the share within 2 days."""
    dated = {url: day for url, day in found.items() if url in days and day is not None and len(day) == 10}
    near = sum(abs(_apart(day, days[url])) <= 2 for url, day in dated.items())
    return {
        "dated_urls": len(days),
        "coverage": round(len(dated) / len(days), 4),
        "within_2_days": round(near / len(dated), 4),
    }


def _apart(day: str, reference: str) -> int:
    return (date.fromisoformat(day) - date.fromisoformat(reference)).days


def main() -> None:
    """Measure, print, write."""
    folder = Path(os.environ["DALIL_DATA"]) / "checkthat2019"
    all_pages = pages(folder)
    days, ids = references(folder)
    days = {url: day for url, day in days.items() if url in {page.url for page in all_pages}}
    results, two = timed(extract, all_pages, 2)
    _, one = timed(extract, all_pages, 1)
    texts, theirs = timed(bare_trafilatura, all_pages, 1)
    once = list({page.url: page for page in reversed(all_pages) if page.url in days}.values())
    guesses, guessing = timed(bare_htmldate, once, 1)
    articles = {p.url: r for p, r in zip(all_pages, results, strict=True) if isinstance(r, Extracted)}
    reasons = Counter(r.reason for r in results if isinstance(r, Refused))
    sources: dict[str, list[bool]] = {}
    for url, item in articles.items():
        if url in days and item.published and len(item.published) == 10:
            near = abs(_apart(item.published, days[url])) <= 2
            sources.setdefault(str(item.published_from), []).append(near)
    guessed = {p.url: g if isinstance(g, str) else None for p, g in zip(once, guesses, strict=True)}
    report = {
        "pages": len(all_pages),
        "articles": sum(isinstance(r, Extracted) for r in results),
        "yield": round(sum(isinstance(r, Extracted) for r in results) / len(all_pages), 4),
        "yield_trafilatura_any_text": round(sum(bool(t) for t in texts) / len(all_pages), 4),
        "drops": dict(reasons.most_common()),
        "dates": agreement({url: item.published for url, item in articles.items()}, days),
        "dates_by_source": {
            name: {"pages": len(each), "within_2_days": round(sum(each) / len(each), 3)}
            for name, each in sorted(sources.items())
        },
        "dates_htmldate_alone": agreement(guessed, days),
        "speed": {"dalil_2": two, "dalil_1": one, "trafilatura_1": theirs, "htmldate_1": guessing},
    }
    (HERE / "extract_checkthat.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    _disagreements(articles, days, ids)
    json.dump(report, sys.stdout, indent=1)


def _disagreements(articles: dict[str, Extracted], days: dict[str, str], ids: dict[str, str]) -> None:
    """Pages on which the two dates differ, the furthest apart first.

    A verdict given by eye is kept while the page's date and its source stay what was judged.
    """
    path = HERE / "extract_disagreements.csv"
    known: dict[tuple[str, str, str], str] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            known = {_judged(row): row["verdict"] for row in csv.DictReader(file)}
    rows = []
    for url, item in articles.items():
        if url in days and item.published and len(item.published) == 10 and item.published != days[url]:
            apart = _apart(item.published, days[url])
            rows.append((-abs(apart), ids[url], item.published_from, apart))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["page_id", "source", "days_apart", "verdict"])
        for _, page_id, source, apart in sorted(rows)[:60]:
            row = {"page_id": page_id, "source": str(source), "days_apart": str(apart)}
            writer.writerow([*row.values(), known.get(_judged(row), "")])


def _judged(row: dict[str, str]) -> tuple[str, str, str]:
    """What a verdict is about."""
    return row["page_id"], row["source"], row["days_apart"]


if __name__ == "__main__":
    main()
