"""What an export says it wrote is what its file holds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import exchangekit as exchange
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.exchange import FORMATS
from annotation.exchange.votes import ANNOTATION, DECISION, SKIP, Vote

KINDS = {"judgements": ANNOTATION, "skips": SKIP, "rulings": DECISION}


@pytest.mark.parametrize("name", FORMATS)
def test_an_export_counts_what_stands_in_its_file(tmp_path: Path, name: str) -> None:
    with exchange.judged(tmp_path / "c") as corpus:
        again = [
            Vote("pair-0000", "amal", "again", "agree", 5),
            Vote("pair-0001", "huda", "expert", "agree", 5),
        ]
        exchange.take(corpus, again)
        words = ["export", "--names", "--format", name]
        file = tmp_path / f"out{FORMATS[name].suffix}"
        told = CliRunner().invoke(
            annotate, [*words, "--json", str(file), str(corpus.path)], catch_exceptions=False
        )
        shown = CliRunner().invoke(annotate, [*words, str(file), str(corpus.path)], catch_exceptions=False)
        read = list(FORMATS[name].read(file, exchange.scheme(corpus)))
        every = len(exchange.export(corpus).votes)
    found = json.loads(told.output)
    kinds = Counter(DECISION if vote.round == "adjudication" else vote.kind for vote in read)
    assert {what: found[what] for what in KINDS} == {what: kinds[kind] for what, kind in KINDS.items()}
    assert found["left_out"] == every - len(read)
    assert shown.output.startswith(f"{found['judgements']} judgement")
    assert ("--format jsonl writes everything" in shown.stderr) == (name != "jsonl")
