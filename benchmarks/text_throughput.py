"""Throughput of the search form against what a user would take instead, in one run.

    python benchmarks/text_throughput.py [--articles 5000] [--rounds 5] [--json FILE]

Text: bodies and titles of the ANT articles where `DALIL_DATA` names the folder of real data, else
generated text. Every way folds the same texts, one call a text, in alternating rounds; the fastest
round counts (megabytes of UTF-8 a second). Results: benchmarks/text_throughput.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import re
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from camel_tools.utils.dediac import dediac_ar
from camel_tools.utils.normalize import (
    normalize_alef_ar,
    normalize_alef_maksura_ar,
    normalize_teh_marbuta_ar,
    normalize_unicode,
)

from dalil.records import fit_text
from dalil.text.folding import images
from dalil.text.normal import keep, search_form, search_form_with_offsets
from dalil.text.sentences import sentences

_TASHKEEL = re.compile("[\u064b-\u0652\u0670]")
_TATWEEL = re.compile("\u0640")
_INVISIBLE = re.compile("[\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff\u00ad]")
_ALEF = re.compile("[أإآٱ]")
_HAMZA = re.compile("[ؤئ]")
_DIGITS = {**{0x660 + n: str(n) for n in range(10)}, **{0x6F0 + n: str(n) for n in range(10)}}
_TABLE = dict(images())


def camel_chain(text: str) -> str:
    """The usual camel_tools preprocessing: five calls."""
    text = normalize_unicode(text)
    text = normalize_alef_ar(text)
    text = normalize_alef_maksura_ar(text)
    text = normalize_teh_marbuta_ar(text)
    return str(dediac_ar(text))


def regex_chain(text: str) -> str:
    """The usual chain of regular expressions (strip tashkeel, tatweel, fold letters and digits)."""
    text = unicodedata.normalize("NFKC", text)
    text = _TATWEEL.sub("", _TASHKEEL.sub("", _INVISIBLE.sub("", text)))
    text = _HAMZA.sub(lambda seat: "و" if seat[0] == "ؤ" else "ي", _ALEF.sub("ا", text))
    return text.replace("ى", "ي").replace("ة", "ه").translate(_DIGITS).casefold()


def translate(text: str) -> str:
    """The same table by `str.translate` alone."""
    return text.translate(_TABLE)


WAYS: dict[str, Callable[[str], Any]] = {
    "dalil search_form": search_form,
    "dalil search_form_with_offsets": search_form_with_offsets,
    "camel_tools, five calls": camel_chain,
    "NFKC and regular expressions": regex_chain,
    "str.translate, same table": translate,
    "dalil keep": keep,
    "records.fit_text": fit_text,
    "dalil sentences": sentences,
}


def texts(count: int) -> dict[str, list[str]]:
    """Name of a sample → its texts."""
    root = os.environ.get("DALIL_DATA", "").strip()
    path = Path(root) / "ant_multisource" / "articles.jsonl.gz"
    if root and path.is_file():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line, _ in zip(lines, range(count), strict=False)]
        return {"ANT bodies": [row["text"] for row in rows], "ANT titles": [row["title"] for row in rows]}
    chance = random.Random(1)
    letters = "ااااالللييممووننرتبعةدفسهقأكحج"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 8))) for _ in range(5000)]
    bodies = [" ".join(chance.choices(words, k=220)) + "، 2018." for _ in range(count)]
    return {"generated bodies": bodies, "generated titles": [body[:70] for body in bodies]}


def measure(sample: list[str], rounds: int) -> dict[str, float]:
    """Way → megabytes a second, the fastest of the rounds."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in sample) / 1e6
    best = dict.fromkeys(WAYS, float("inf"))
    for way in WAYS.values():
        way(sample[0] * 2)  # tables are built once
    for _ in range(rounds):
        for name, way in WAYS.items():
            started = time.perf_counter()
            for text in sample:
                way(text)
            best[name] = min(best[name], time.perf_counter() - started)
    return {name: size / seconds for name, seconds in best.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--articles", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    report: dict[str, Any] = {"python": platform.python_version(), "samples": {}}
    for name, sample in texts(asked.articles).items():
        speeds = measure(sample, asked.rounds)
        size = sum(len(text.encode()) for text in sample)
        report["samples"][name] = {"texts": len(sample), "bytes": size, "MB/s": speeds}
        print(f"\n{name}: {len(sample)} texts, {size / 1e6:.1f} MB\n")
        print("| Way | MB/s | search_form is … times as fast |\n|---|---|---|")
        for way, speed in speeds.items():
            print(f"| {way} | {speed:.1f} | {speeds['dalil search_form'] / speed:.2f} |")
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
