"""A measured figure: a value with its uncertainty, or the reason why it is undefined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.ratings_views import FirstRatings
from dalil.stats import Floats, Interval, IntervalMethod, bootstrap, sum_by_cluster


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made."""

    replicates: int = 2000
    seed: int = 0
    level: float = 0.95
    method: IntervalMethod = "percentile"


@dataclass(frozen=True)
class Figure:
    """`value`, or None with a `reason`. `se` is the formula's standard error where there is one;
    `interval` the bootstrap's."""

    name: str
    value: float | None
    reason: str | None = None
    se: float | None = None
    interval: Interval | None = None
    items: int = 0
    """items with at least two raters"""
    detail: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"{self.name}: a figure has either a value or a reason")

    def plain(self) -> dict[str, Any]:
        """For JSON: plain types, nothing undefined without its reason."""
        return {key: value for key, value in asdict(self).items() if value not in (None, {})} | {
            "value": self.value
        }


def undefined(name: str, reason: str, *, items: int = 0, **detail: Any) -> Figure:
    """A figure that cannot be computed, and why."""
    return Figure(name, None, reason, items=items, detail=detail)


def interval_of(
    first: FirstRatings, rows: Floats, statistic: Callable[[Floats], Floats], how: Bootstrap | None
) -> Interval | None:
    """Interval of a statistic of totals over items (`rows`: n × f), resampling the items' clusters."""
    if how is None:
        return None
    code, clusters, _ = first.cluster
    seen = first.counts.sum(axis=1) > 0
    sums = sum_by_cluster(rows[seen], code[seen], clusters)
    return bootstrap(
        sums, statistic, seed=how.seed, replicates=how.replicates, level=how.level, method=how.method
    )
