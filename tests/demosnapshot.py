"""What each derivation makes of the demo corpus: `python tests/demosnapshot.py` writes it anew."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from dalil.cli.table import STAGES
from dalil.corpus import Corpus
from dalil.demo.walk import walk
from dalil.ids import value_hash
from dalil.progress import Silent
from dalil.records import Dropped
from dalil.resources import entry_point
from dalil.stages import Derivation
from dalil.state.tables import LEDGER, TABLES

FILE = Path(__file__).with_name("demosnapshot.json")


def snapshot(folder: Path) -> dict[str, dict[str, str]]:
    """Stage → its VERSION, and hashes over all inputs (with settings and data files) and all outputs."""
    found = {}
    with Corpus.open(folder) as corpus:
        for name, target in STAGES.items():
            stage = entry_point(target)(corpus)
            if isinstance(stage, Derivation):
                found[name] = {
                    "VERSION": stage.VERSION,
                    "inputs": value_hash(_inputs(corpus, stage.NAME)),
                    "outputs": value_hash(_outputs(corpus, stage)),
                }
    return found


def _inputs(corpus: Corpus, stage: str) -> list[Any]:
    columns = (LEDGER.c.key, LEDGER.c.input_hash, LEDGER.c.version)
    query = sa.select(*columns).where(LEDGER.c.stage == stage).order_by(LEDGER.c.key)
    return [[key, given, version.partition("+")[2]] for key, given, version in corpus.store.rows(query)]


def _outputs(corpus: Corpus, stage: Derivation) -> list[Any]:
    rows: list[Any] = []
    for record in sorted({*stage.WRITES, Dropped}, key=lambda kind: kind.TABLE):
        table = TABLES[record]
        columns = [column for column in table.columns if column.name not in record.volatile()]
        query = sa.select(*columns).where(table.c.owner_stage == stage.NAME).order_by(table.c.id)
        rows += [[record.TABLE, *row] for row in corpus.store.rows(query)]
    return rows


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        walk(Path(place) / "demo", Silent())
        FILE.write_text(json.dumps(snapshot(Path(place) / "demo"), indent=1) + "\n", "utf-8")
    sys.stdout.write(f"wrote {FILE.name}\n")
