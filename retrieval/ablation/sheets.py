"""The report as tables of text, for the terminal and for Markdown alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dalil.wording import counted
from retrieval.ablation.differences import Difference
from retrieval.ablation.figures import ALL, MEASURES, Ablation, Row

NOT_APPLICABLE = "not applicable"
NONE = "–"
REACH = "claims with related"


@dataclass(frozen=True)
class Sheet:
    """A table: the first column names its rows, `left` columns are words, all else numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[str, ...] = ()


def sheets(report: Ablation) -> Iterator[Sheet]:
    """All of them, without those that would be empty."""
    head = ("variant", "engine") if any(row.engine != ALL for row in report.rows) else ("variant",)
    made = [
        _brought(report, head),
        _judged(report, head),
        _without(report, head),
        _rankings(report, head),
        _overlap(report),
        _differences(f"Against {report.baseline}, paired by claim", report.differences),
        *_groups(report),
    ]
    yield from (sheet for sheet in made if sheet.rows)


def notes(report: Ablation) -> list[str]:
    """What has to be said beside the numbers."""
    total = report.row(ALL)
    said = []
    if total.judged_share is not None:
        said.append(
            f"{_percent(total.judged_share)} of the documents brought are judged; "
            "the rest is unjudged, not unrelated."
        )
    said.append(f"Related are the labels {', '.join(report.related_labels)}.")
    for row in report.rows:
        if row.not_applicable is not None and row.engine == ALL:
            said.append(f"{row.variant} is not applicable: {row.not_applicable}.")
    for variant, reasons in report.absent.items():
        if any(row.variant == variant and row.claims for row in report.rows):
            told = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
            said.append(f"{variant} has no query for some claims: {told}.")
    said.append(
        f"Intervals: 95%, paired bootstrap over claims, {counted(report.resamples, 'resample')}, seed "
        f"{report.seed}, "
        "not corrected for the number of comparisons."
    )
    if report.groups:
        said.append(
            f"In the groups, the difference from {report.baseline} is in the share of claims with a related "
            "document (`with`: their number). More, less: claims in which the variant has more, or less."
        )
    return [*said, *(f"{note[0].upper()}{note[1:]}." for note in report.notes)]


def _named(row: Row, head: Sequence[str]) -> tuple[str, ...]:
    return (row.variant, row.engine)[: len(head)]


def _cells(row: Row, head: Sequence[str], *values: str) -> tuple[str, ...]:
    if row.not_applicable is not None:
        return (*_named(row, head), NOT_APPLICABLE, *[NONE] * (len(values) - 1))
    return (*_named(row, head), *values)


def _brought(report: Ablation, head: tuple[str, ...]) -> Sheet:
    rows = tuple(
        _cells(
            row, head, _count(row.claims), _count(row.requests), _dollars(row.cost), _count(row.hits),
            _count(row.documents), _count(row.new_documents), _count(row.judged), _percent(row.judged_share),
        )
        for row in report.rows
    )  # fmt: skip
    columns = (*head, "claims", "requests", "cost", "hits", "documents", "new", "judged", "judged share")
    return Sheet("What was asked, and what came", columns, rows, head)


def _judged(report: Ablation, head: tuple[str, ...]) -> Sheet:
    labels = sorted({label for row in report.rows for label in row.labels})
    rows = tuple(
        _cells(
            row, head, _count(row.related), _percent(row.related_share),
            *(_count(row.labels.get(label, 0)) for label in labels),
            _count(row.claims_with_related), _percent(row.recall), _per_dollar(row),
        )
        for row in report.rows
    )  # fmt: skip
    columns = (*head, "related", "of judged", *labels, "claims with", "recall", "related per $")
    return Sheet("What the judged are", columns, rows, head)


def _without(report: Ablation, head: tuple[str, ...]) -> Sheet:
    rows = tuple(
        _cells(row, head, _count(row.requests_without), _count(row.new_documents), _count(row.new_related),
               _count(row.claims_lost))
        for row in report.rows
        if (row.variant, row.engine) != (ALL, ALL)
    )  # fmt: skip
    columns = (*head, "requests saved", "documents lost", "related lost", "claims left without related")
    return Sheet("Left out, one at a time", columns, rows, head)


def _rankings(report: Ablation, head: tuple[str, ...]) -> Sheet:
    rows = tuple(
        _cells(row, head, *(_decimal(row.measures.get(name)) for name in MEASURES))
        for row in report.rows
        if row.measures
    )
    names = ("hit@10" if name == "Success@10" else name for name in MEASURES)
    return Sheet("Rankings, documents without a judgement left out", (*head, *names), rows, head)


def _overlap(report: Ablation) -> Sheet:
    names = [name for name, found in report.overlap.items() if any(v is not None for v in found.values())]
    rows = tuple((name, *(_percent(report.overlap[name][other]) for other in names)) for name in names)
    return Sheet("Share of a row's documents that the column brought too", ("variant", *names), rows)


def _differences(title: str, found: Sequence[Difference]) -> Sheet:
    rows = tuple(
        (
            each.variant, each.what, _count(each.claims), _decimal(each.baseline), _decimal(each.value),
            _interval(each), _count(each.more), _count(each.less),
        )
        for each in found
    )  # fmt: skip
    columns = (
        "variant", "what", "claims", "baseline", "value", "difference [95%]", "more", "less",
    )  # fmt: skip
    return Sheet(title, columns, rows, ("what",))


def _groups(report: Ablation) -> Iterator[Sheet]:
    for by in dict.fromkeys(group.by for group in report.groups):
        rows: list[tuple[str, ...]] = []
        for group in (each for each in report.groups if each.by == by):
            reach = {each.variant: each for each in group.differences if each.what == REACH}
            rows += [_in_group(group.name, row, reach.get(row.variant)) for row in group.rows]
        title = "Without leakage-marked pairs" if by == "leakage" else f"By {by}"
        columns = (
            by, "variant", "claims", "judged", "related", "with", f"− {report.baseline} [95%]", "more",
            "less",
        )  # fmt: skip
        yield Sheet(title, columns, tuple(rows), ("variant",))


def _in_group(name: str, row: Row, reach: Difference | None) -> tuple[str, ...]:
    """The difference is in the share of claims with a related document."""
    if row.not_applicable is not None:
        return (name, row.variant, NOT_APPLICABLE, *[NONE] * 6)
    against = (_interval(reach), _count(reach.more), _count(reach.less)) if reach else (NONE, NONE, NONE)
    return (
        name, row.variant, _count(row.claims), _percent(row.judged_share), _count(row.related),
        _count(row.claims_with_related), *against,
    )  # fmt: skip


def _count(value: int | None) -> str:
    return NONE if value is None else f"{value:,}"


def _percent(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f}%"


def _decimal(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def _dollars(value: float | None) -> str:
    return NONE if value is None else "free" if value == 0 else f"${value:,.2f}"


def _per_dollar(row: Row) -> str:
    return "free" if row.cost == 0 else _decimal(row.related_per_dollar)


def _interval(each: Difference) -> str:
    if each.difference is None:
        return NONE
    known = each.low is not None and each.high is not None
    numbers = [each.difference, each.low, each.high] if known else [each.difference]
    first, *limits = (f"{number:+.3f}".replace("0.", ".", 1) for number in numbers if number is not None)
    return f"{first} [{', '.join(limits)}]" if limits else first
