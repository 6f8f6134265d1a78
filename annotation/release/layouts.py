"""The two forms that AraStance is known in: one object a claim, and one row a pair with an integer stance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.dataset.rows import ordered_splits
from annotation.release.files import write_jsonl

ARASTANCE, HUGGING_FACE = "arastance", "huggingface"
BESIDE_CLAIM = ("claim_id", "claim_url", "site", "veracity", "country", "domain", "cluster", "claim_date")
BESIDE_ARTICLE = ("article_title", "article_url", "archive_url", "article_hash")


def arastance_layout(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One object a claim: `claim`, `article` (list), `stance` (list, labels with a capital), and more.

    Rows without texts give no `article`, but `article_url` and the others in the same order.
    """
    made: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = made.setdefault(row["claim_id"], _claim(row))
        known["stance"].append(capital(row["label"]))
        for name in ("article", *BESIDE_ARTICLE):
            if name in row:
                known[name].append(row[name])
    return list(made.values())


def hugging_face_rows(rows: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> list[dict[str, Any]]:
    """One row a pair: `id`, `claim`, `article`, `stance` (place in `labels`)."""
    beside = "article" if rows and "article" in rows[0] else "article_url"
    return [
        {
            "id": str(number),
            "claim": row["claim"],
            beside: row[beside],
            "stance": labels.index(row["label"]),
            "pair_id": row["id"],
        }
        for number, row in enumerate(rows)
    ]


def write_layouts(folder: Path, rows: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> None:
    """Both forms, a file a split."""
    for name in ordered_splits({row["split"] for row in rows}):
        part = [row for row in rows if row["split"] == name]
        write_jsonl(folder / ARASTANCE / f"{name}.jsonl", arastance_layout(part))
        write_jsonl(folder / HUGGING_FACE / f"{name}.jsonl", hugging_face_rows(part, labels))


def capital(label: str) -> str:
    """A label as AraStance writes it."""
    return label[:1].upper() + label[1:]


def _claim(row: Mapping[str, Any]) -> dict[str, Any]:
    lists: dict[str, list[Any]] = {name: [] for name in ("article", *BESIDE_ARTICLE) if name in row}
    return {"claim": row["claim"], **lists, "stance": []} | {
        name: row[name] for name in BESIDE_CLAIM if name in row
    }
