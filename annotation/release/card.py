"""The data card: where the rows came from, in numbers that are counted, not remembered."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dalil.corpus import Corpus
from dalil.records import Dropped
from dalil.status import status


def card(corpus: Corpus, rows: list[dict[str, Any]], licence: str | None) -> str:
    """The card as Markdown: funnel, drops by reason, labels by veracity."""
    report = status(corpus)
    lines = [f"# {corpus.config.corpus.name}", "", f"{len(rows)} claim–article pairs with gold labels.", ""]
    lines += ["## Funnel", "", "| what | rows |", "|---|---:|"]
    lines += [f"| {word} | {count} |" for word, count in report.rows.items()]
    lines += ["", "## Dropped, and why", "", "| stage | reason | rows |", "|---|---|---:|"]
    for (stage, reason), count in corpus.store.count_by(Dropped, "stage", "reason").items():
        lines.append(f"| {stage} | {reason} | {count} |")
    lines += ["", "## Labels", "", "| veracity | label | pairs |", "|---|---|---:|"]
    for (veracity, label), count in sorted(Counter((row["veracity"], row["label"]) for row in rows).items()):
        lines.append(f"| {veracity} | {label} | {count} |")
    lines += ["", "## How labels came", "", "| how | pairs |", "|---|---:|"]
    lines += [
        f"| {how} | {count} |" for how, count in sorted(Counter(row["label_from"] for row in rows).items())
    ]
    lines += ["", "## Licence", "", licence or "Not stated yet: set `[release] licence` in corpus.toml.", ""]
    return "\n".join(lines)
