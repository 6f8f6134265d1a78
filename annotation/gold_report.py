"""What `dalil gold` does and says: rules or methods over ratings, written to CSV or into a corpus."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from annotation.aggregate.base import Aggregated
from annotation.aggregate.compare import method_agreement, order_by_agreement
from annotation.aggregate.run import ALL, accuracy, method_names, read_known, run_methods, summary
from annotation.aggregate.scope import Scoped, in_scope
from annotation.agreement.tables import Printer
from annotation.gold import GoldSettings, MakeGold
from annotation.gold_rules import REASONS, GoldTable, gold_table
from annotation.ratings import Ratings, repeated
from annotation.reading import Asked, is_csv, read, settings_of
from dalil.errors import InputError, UsageError
from dalil.plots import check_format
from dalil.wording import counted, fitting


@dataclass(frozen=True)
class Wanted:
    """What `dalil gold` was asked for beside the settings: methods to compare, files to read and write."""

    methods: Sequence[str] = ()
    against: Path | None = None
    out: Path | None = None
    plot: Path | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    """settings given on the command line: they go before those of corpus.toml"""


def run_gold(source: Path, asked: Asked, wanted: Wanted) -> dict[str, Any]:
    """Labels by rule or method; kept by a corpus, written to `--out`. Returns the report.

    Several methods are compared, and a corpus then keeps its gold as it is.
    """
    names = method_names(wanted.methods)
    given = asked.settings() | dict(wanted.given)
    if names and "rule" in given:
        raise UsageError("give --rule or --method, not both")
    if len(names) == 1 and names != [ALL]:
        given["method"] = names[0]
    _check_paths(source, names, wanted)
    known = read_known(wanted.against) if wanted.against else None
    own = settings_of(source, given)
    kept: dict[str, Any] = {}
    if not is_csv(source):
        if asked.labels:
            raise UsageError(
                "--labels is for CSV files", todo="name the corpus's scheme: --scheme NAME or FILE.toml"
            )
        kept = _corpus(source, own, given, compare=bool(names) and "method" not in given)
        names = names or ([own.method] if own.method else [])
    ratings, outside = read(source, asked, own)
    scoped = in_scope(ratings, outside)
    report = _head(ratings, scoped, outside) | kept
    results, tables, heads = _labelled(scoped, names, own, report)
    report["gold"] = [head | _gold(table) for head, table in zip(heads, tables, strict=True)]
    if known is not None:
        for number, found in enumerate(report["gold"]):
            label = results[number].label if results else tables[number].label
            found["against"] = accuracy(ratings.items, label, scoped.ratings.labels, known)
        report["notes"] += known.strange(ratings.labels)
    if wanted.out is not None:
        report["out"] = str(wanted.out)
        report["rows"] = write_labels(wanted.out, tables, results, scoped)
    if wanted.plot is not None:
        report["plot"] = str(draw_methods(report, wanted.plot))
    return report


def _check_paths(source: Path, names: Sequence[str], wanted: Wanted) -> None:
    """Refuse, before anything is done, what could not be written or would write over what is read."""
    if wanted.plot is not None:
        if len(names) < 2 and names != [ALL]:
            raise UsageError("--plot compares methods", todo="give several: --method all")
        check_format(wanted.plot)
    for path, option in ((wanted.out, "--out"), (wanted.plot, "--plot")):
        for read_from in (source, wanted.against):
            if path is not None and read_from is not None and path.resolve() == read_from.resolve():
                raise UsageError(f"{option} would write over what is read", where=path)


def _labelled(
    scoped: Scoped, names: Sequence[str], own: GoldSettings, report: dict[str, Any]
) -> tuple[list[Aggregated], list[GoldTable], list[dict[str, Any]]]:
    """Each method's labels, or the rule's; what the methods say goes into the report."""
    if not names:
        fewest = own.fewest_votes()
        table = gold_table(scoped.ratings, own.rule, fewest=fewest, removed=scoped.removed)
        return [], [table], [{"rule": own.rule, "fewest": fewest}]
    results, notes = run_methods(scoped.ratings, names, own.of_methods())
    report["notes"] += notes
    report |= _methods(results)
    fewest = own.fewest or 1
    tables = [
        gold_table(scoped.ratings, method=each, ties=own.ties, fewest=fewest, removed=scoped.removed)
        for each in results
    ]
    return results, tables, [{"method": each.method, "ties": own.ties, "fewest": fewest} for each in results]


def _corpus(source: Path, own: GoldSettings, given: dict[str, Any], *, compare: bool) -> dict[str, Any]:
    """Run the gold stage of a corpus (unless methods are only compared): what was done."""
    if compare:
        return {"corpus": {"kept": False, "line": "methods compared: the corpus keeps its gold"}}
    from dalil.corpus import Corpus
    from dalil.progress import Silent
    from dalil.runner import run_stage
    from dalil.state.lock import stage_lock

    with Corpus.open(source) as corpus:
        usual = corpus.section("gold", GoldSettings)
        with stage_lock(corpus.path, "gold"):
            tally = run_stage(corpus, MakeGold(corpus, own), Silent())
    line = tally.line()
    if own != usual:
        other = ", ".join(f"{name} = {_toml(value)}" for name, value in given.items())
        line += f"; corpus.toml says otherwise: put {other} under [gold] to keep it so"
    return {"corpus": {"kept": True, "line": line, "worked": tally.worked, "unchanged": tally.unchanged}}


def _toml(value: Any) -> str:
    """A setting as corpus.toml has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}" = {_toml(each)}' for name, each in value.items()) + "}"
    return repr(list(value)) if isinstance(value, tuple) else repr(value)


def write_labels(
    path: Path, tables: Sequence[GoldTable], results: Sequence[Aggregated], scoped: Scoped
) -> int:
    """One row an item (and method): label, how, reason, votes; with methods also tie and distribution.

    Returns the number of rows. InputError where the file cannot be written.
    """
    head = ["task", "label", "how", "reason", "votes"]
    if results:
        head.insert(1, "method")
        head += ["tied", *(f"p_{name}" for name in scoped.ratings.labels)]
    unfinished = path.with_name(path.name + ".part")
    rows = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            for row in _rows(tables, results):
                writer.writerow(row)
                rows += 1
        unfinished.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=path) from error
    return rows


def _rows(tables: Sequence[GoldTable], results: Sequence[Aggregated]) -> Iterator[list[str]]:
    for number, table in enumerate(tables):
        result = results[number] if results else None
        vectors = result.vectors() if result is not None else None
        for place, (item, outcome) in enumerate(table.rows()):
            votes = ";".join(f"{label}:{count}" for label, count in outcome.votes.items())
            row = [item, outcome.label or "", outcome.how or "", outcome.reason or "", votes]
            if result is not None and vectors is not None:
                row.insert(1, result.method)
                row += [str(int(result.tied[place])), *(f"{p:.6g}" for p in vectors[place])]
            yield row


def draw_methods(report: dict[str, Any], path: Path) -> Path:
    """Heat map of cosine agreement between methods, the most agreeing first (SCRum-9, figure 3)."""
    from dalil.plots import heat_map, save

    names = report["method_agreement"]["methods"]
    values = np.array(report["method_agreement"]["cosine"])
    low = min(0.8, float(np.floor(values.min() * 20) / 20))
    shown = [name.upper() if len(name) < 5 else name for name in names]
    made = heat_map(
        values,
        shown,
        shown,
        title="Cosine agreement between aggregation methods",
        low=low,
        high=1.0,
        form="{:.3f}",
    )
    return save(made, path)


def show_gold(report: dict[str, Any], out: Printer) -> None:
    """Print the report of `run_gold`."""
    out.line(
        f"{report['from'] or 'ratings'}: {counted(report['votes'], 'vote')} on "
        f"{counted(report['items'], 'item')}, "
        f"{counted(report['rulings'], 'ruling')}; K = {report['K']} ({', '.join(report['labels'])}), "
        f"from {report['labels_from']}"
    )
    if report["out_of_scope"]["labels"]:
        gone = report["out_of_scope"]
        out.line(
            f"out of scope ({', '.join(gone['labels'])}): {counted(gone['items_removed'], 'item')} removed, "
            f"{counted(gone['stray_votes'], 'single vote')} left out"
        )
    for note in report["notes"]:
        out.line(f"note: {note}")
    rows = []
    for found in report["gold"]:
        name = found.get("method") or f"rule {found['rule']}"
        value = found.get("against", {}).get("accuracy")
        rows.append(
            [
                name,
                *(f"{found['labels'][label]:,}" for label in report["labels"]),
                f"{found['without_label']:,}",
                "" if value is None else f"{value:.4f}",
            ]
        )
    out.heading("Labels")
    out.table(["by", *report["labels"], "no label", "accuracy"], rows)
    _show_ways(report, out)
    for row in report.get("methods", ()):
        words = ", ".join(f"{key} {value}" for key, value in row["settings"].items() if value is not None)
        out.line(f"{row['method']} ({row['kind']}, {counted(row['ties'], 'tie')}): {words}")
    if len(report.get("method_agreement", {}).get("methods", ())) > 1:
        _show_matrix(report["method_agreement"], out)
    for key in ("out", "plot"):
        if key in report:
            out.line(f"written: {report[key]}")
    if "corpus" in report:
        out.line(report["corpus"]["line"])


def _show_ways(report: dict[str, Any], out: Printer) -> None:
    for found in report["gold"]:
        name = found.get("method") or f"rule {found['rule']}"
        ways = ", ".join(
            f"{way.replace('_', ' ')} {count:,}" + (f" ({REASONS[way]})" if way in REASONS else "")
            for way, count in found["tally"].items()
        )
        out.line(f"{name}: {ways}")


def _show_matrix(found: dict[str, Any], out: Printer) -> None:
    out.heading("Cosine agreement between methods")
    out.table(
        ["", *found["methods"]],
        [
            [name, *(f"{value:.3f}" for value in row)]
            for name, row in zip(found["methods"], found["cosine"], strict=True)
        ],
    )


def _head(ratings: Ratings, scoped: Scoped, outside: frozenset[str]) -> dict[str, Any]:
    votes = len(ratings.votes())
    return {
        "from": ratings.origin,
        "items": ratings.n_items,
        "votes": votes,
        "rulings": len(ratings) - votes,
        "K": scoped.ratings.n_labels,
        "labels": list(scoped.ratings.labels),
        "labels_from": ratings.labels_from,
        "out_of_scope": {
            "labels": sorted(outside),
            "items_removed": len(scoped.removed),
            "stray_votes": scoped.stray_votes,
        },
        "notes": [*ratings.notes, *_same_raters(ratings)],
    }


def _same_raters(ratings: Ratings) -> list[str]:
    """Who votes on an item in two rounds has two votes: mostly a third who was one of the first."""
    votes = ratings.votes()
    again = repeated(votes, by_round=False).size - repeated(votes).size
    if not again:
        return []
    return [
        f"{counted(again, 'vote')} {fitting(again, 'is', 'are')} by a rater who had a vote on the item "
        "already, in another round: each counts"
    ]


def _methods(results: Sequence[Aggregated]) -> dict[str, Any]:
    rows = [summary(result) for result in results]
    matrix = method_agreement(results)
    order = order_by_agreement(matrix)
    return {
        "methods": rows,
        "method_agreement": {
            "methods": [results[place].method for place in order],
            "cosine": matrix[np.ix_(order, order)].tolist(),
        },
    }


def _gold(table: GoldTable) -> dict[str, Any]:
    return {
        "labels": table.labels(),
        "without_label": int((table.label < 0).sum()),
        "tally": table.tally(),
    }
