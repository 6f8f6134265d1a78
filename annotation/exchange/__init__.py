"""Judgements in the formats of other tools, and back. One format a file."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.exchange import csv_rows, effiara, jsonl, labelstudio, teamware
from annotation.exchange.votes import Export, Format

FORMATS: Mapping[str, Format] = {
    "jsonl": Format(
        jsonl.write, jsonl.holds, jsonl.read, ".jsonl", "one line a judgement, skip or ruling: everything"
    ),
    "csv": Format(
        csv_rows.write,
        csv_rows.holds,
        csv_rows.read,
        ".csv",
        "one row a judgement, as `dalil agreement` reads it",
    ),
    "labelstudio": Format(
        labelstudio.write,
        Export.judged_or_skipped,
        labelstudio.read,
        ".json",
        "Label Studio tasks with annotations",
    ),
    "teamware": Format(
        teamware.write,
        Export.judged_or_skipped,
        teamware.read,
        ".json",
        "GATE Teamware documents with annotation sets",
    ),
    "effiara": Format(
        effiara.write, effiara.holds, effiara.read, ".csv", "EffiARA's columns: one row a pair"
    ),
}
