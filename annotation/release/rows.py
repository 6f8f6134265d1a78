"""The rows of a release: one a pair with gold, every one traceable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.release.material import Released

WITHOUT_TEXTS = ("article", "article_title", "claim_raw")
"""columns that a release without texts leaves out"""


def release_rows(
    released: Iterable[Released],
    splits: Sequence[str],
    soft: Mapping[str, dict[str, float]],
    found_by: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    texts: bool,
) -> list[dict[str, Any]]:
    """One row a pair, in order of ids; the same columns in every row."""
    made = []
    for one, split in zip(released, splits, strict=True):
        row = _row(one, split, soft.get(one.pair.id), found_by.get(one.pair.id, ()))
        made.append(
            row if texts else {name: value for name, value in row.items() if name not in WITHOUT_TEXTS}
        )
    return made


def _row(
    one: Released, split: str, soft: dict[str, float] | None, found_by: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    claim, article, pair = one.claim, one.article, one.pair
    plain = one.row(split)
    return {
        "id": pair.id,
        "pair_hash": plain.pair_hash,
        "split": split,
        "claim_id": claim.id,
        "claim": one.text,
        "claim_raw": claim.raw,
        "claim_url": claim.url,
        "site": claim.site,
        "veracity": claim.veracity,
        "domain": claim.domain,
        "country": claim.country,
        "cluster": claim.cluster,
        "language": claim.language,
        "claim_date": claim.claim_date,
        "review_date": claim.review_date,
        "article_id": article.id,
        "article_hash": one.article_hash,
        "article_chars": len(article.text),
        "article_title": article.title,
        "article": article.text,
        "article_url": one.url,
        "archive_url": one.archive_url,
        "outlet": article.outlet,
        "published": article.published,
        "published_from": article.published_from,
        "label": one.gold.label,
        "label_from": one.gold.how,
        "votes": one.gold.votes,
        "soft": soft,
        "rank": pair.rank,
        "score": pair.score,
        "marks": list(pair.marks),
        "found_by": [dict(found) for found in found_by],
    }
