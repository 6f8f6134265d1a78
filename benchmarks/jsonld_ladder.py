"""How many real JSON-LD scripts can be read: `json`, extruct, and the repair ladder.

    DALIL_DATA=… python benchmarks/jsonld_ladder.py

Every `ld+json` script of the 1,078 pages of CheckThat! 2019, each by itself (as a page with that script
alone), so that extruct, which gives up a whole page at the first bad script, is not charged for that.
Reported besides: pages on which extruct raises for the whole page, and the time of both in one run.
Results: jsonld_ladder.json.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

import lxml.html
from extruct.jsonld import JsonLdExtractor
from warcio.archiveiterator import ArchiveIterator

from spiders.claimreview.repair import parse


def scripts(path: Path) -> list[list[str]]:
    """The scripts of each page that has any."""
    found = []
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            body = record.content_stream().read() if record.rec_type == "response" else b""
            if b"ld+json" not in body:
                continue
            tree = lxml.html.document_fromstring(
                body.decode("utf-8", "replace").replace("\0", "").encode(),
                parser=lxml.html.HTMLParser(encoding="utf-8"),
            )
            texts = [
                one.text_content()
                for one in tree.iter("script")
                if "ld+json" in (one.get("type") or "").lower()
            ]
            if texts:
                found.append(texts)
    return found


def by_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def by_extruct(*texts: str) -> bool:
    page = "".join(f'<script type="application/ld+json">{text}</script>' for text in texts)
    try:
        return bool(JsonLdExtractor().extract(f"<html><head>{page}</head></html>"))
    except Exception:
        return False


def main() -> None:
    pages = scripts(Path(os.environ["DALIL_DATA"]) / "checkthat2019" / "pages.warc.gz")
    every = [text for page in pages for text in page if text.strip()]
    began = time.perf_counter()
    extruct = [by_extruct(text) for text in every]
    middle = time.perf_counter()
    ours = [parse(text) for text in every]
    ended = time.perf_counter()
    report = {
        "pages_with_scripts": len(pages),
        "scripts": len(every),
        "read_by_json": sum(map(by_json, every)),
        "read_by_extruct": sum(extruct),
        "read_whole_by_the_ladder": sum(one.complete and bool(one.values) for one in ours),
        "read_in_part_by_the_ladder": sum(not one.complete and bool(one.values) for one in ours),
        "rungs": dict(Counter(one.rung for one in ours).most_common()),
        "extruct_reads_and_the_ladder_does_not": sum(
            good and not one.complete for good, one in zip(extruct, ours, strict=True)
        ),
        "pages_that_extruct_gives_up": sum(
            not by_extruct(*page) for page in pages if any(text.strip() for text in page)
        ),
        "time_of_extruct_over_ours": round((middle - began) / (ended - middle), 2),
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
