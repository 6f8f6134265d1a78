"""`dalil dataset`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dalil.cli.common import json_option, print_json
from dalil.wording import counted, fitting

_PATH = click.Path(path_type=Path)
_order = click.option(
    "--label-order",
    metavar="A,B,C",
    default="",
    help="What integers stand for, from 0, in files that number their labels.",
)


@click.group("dataset", short_help="Count, check, split, compare, fetch and refill data sets.")
def dataset() -> None:
    """Count, check, split, compare, fetch and refill data sets: published ones, or releases of one's own.

    Example: dalil dataset stats release/v1
    """


@dataset.command("stats", short_help="Claims, articles and labels, in the papers' tables.")
@_order
@json_option
@click.argument("path", type=_PATH)
def stats(path: Path, label_order: str, as_json: bool) -> None:
    """Claims, articles and labels by source, split, country, domain and language, in the papers' tables.

    Example: dalil dataset stats baly2018
    """
    from annotation.dataset.show import show_stats
    from annotation.dataset.tables import tables_of

    data = _read(path, label_order)
    tables = tables_of(data, _source_names(data))
    if as_json:
        claims = len({row.claim_id for row in data.rows})
        print_json(
            {
                "name": data.name,
                "kind": data.kind,
                "claims": claims,
                "pairs": len(data),
                "labels": list(data.labels),
                "tables": [table.plain() for table in tables],
            }
        )
        return
    show_stats(data, tables, _printer())


@dataset.command("verify", short_help="Check a data set against what its paper, or its release, states.")
@click.option(
    "--as",
    "known",
    type=click.Choice(["auto", "arastance", "baly", "khouja", "none"]),
    default="auto",
    show_default=True,
    help="Whose published figures to check against.",
)
@click.option(
    "--near", is_flag=True, help="Also look for near-duplicate articles in several splits (slower)."
)
@click.option(
    "--threshold",
    default=0.8,
    show_default=True,
    type=click.FloatRange(0.1, 1),
    help="Jaccard similarity for --near.",
)
@click.option("--all", "every", is_flag=True, help="List the checks that passed, too.")
@_order
@json_option
@click.argument("path", type=_PATH)
def verify(
    path: Path, known: str, near: bool, threshold: float, every: bool, label_order: str, as_json: bool
) -> None:
    """Check figures cell by cell; find repeated pairs, contradictions, texts that lie in several splits.

    Status 1 when a stated figure differs. What the files do not say is "not checkable", never passed.

    Example: dalil dataset verify --near baly2018
    """
    from annotation.dataset.checks import Check, facts, figures, sizes_kept
    from annotation.dataset.published import NAMES, published
    from annotation.dataset.recognising import why_not
    from annotation.dataset.show import show_checks
    from dalil.errors import DalilError

    data = _read(path, label_order)
    name = data.kind if known == "auto" else known
    stated = published(name) if name in NAMES else None
    checks = []
    doubt = why_not(data, stated) if stated and known == "auto" else None
    if stated and doubt:
        note = f"in its form, but {doubt}: not taken for it (--as {name} compares all the same)"
        checks.append(Check(f"figures of {stated.name}", "not checkable", note=note))
        stated = None
    checks += figures(data, stated) if stated else []
    if data.kind == "release":
        from annotation.dataset.release_checks import release_checks

        checks += release_checks(path, data)
    if data.kind == "split":
        from annotation.dataset.split_files import split_sizes

        checks += sizes_kept(data, split_sizes(path) or {})
    if data.kind == "rehydrated":
        from annotation.dataset.rehydrated_checks import rehydrated_checks

        checks += rehydrated_checks(path, data)
    checks += facts(data, stated, near=near, threshold=threshold)
    wrong = [check for check in checks if check.status == "differs"]
    if as_json:
        print_json(
            {
                "name": data.name,
                "against": stated.name if stated else None if doubt else data.kind,
                "passed": not wrong,
                "checks": [check.plain() for check in checks],
            }
        )
    else:
        show_checks(checks, _printer(), every=every)
    if wrong:
        raise DalilError(
            f"{counted(len(wrong), 'check')} {fitting(len(wrong), 'differs', 'differ')} from what is stated: "
            + ", ".join(c.name for c in wrong[:5]),
            where=path,
            todo=f"if this is not {stated.name}: --as none" if stated and known == "auto" else "",
        )


@dataset.command("split", short_help="Split a data set so that its parts share nothing that they should not.")
@click.option(
    "--share",
    "shares",
    multiple=True,
    metavar="NAME=SHARE",
    help="A split and its share; repeat.  [default: 70/14/16]",
)
@click.option("--folds", type=click.IntRange(2), help="k equal folds instead.")
@click.option(
    "--like", type=click.Choice(["arastance", "baly"]), help="The published sizes and label counts instead."
)
@click.option(
    "--by",
    type=click.Choice(["rows", "site", "country", "time"]),
    default="rows",
    show_default=True,
    help="Balance rows; or keep sites or countries whole; or cut by time.",
)
@click.option("--undated", metavar="SPLIT", help="--by time: where claims without a date go.")
@click.option(
    "--apart",
    default="claim,cluster,article",
    show_default=True,
    metavar="A,B,C",
    help="What no two splits may share: claim, cluster, body (the same text), article (nearly the same), "
    "related (article, of pairs that are not unrelated), site, country.",
)
@click.option(
    "--threshold",
    default=0.8,
    show_default=True,
    type=click.FloatRange(0.1, 1),
    help="Jaccard similarity from which articles are near-duplicates.",
)
@click.option(
    "--stratify",
    default="label,veracity,site",
    show_default=True,
    metavar="A,B,C",
    help="What is balanced over the splits.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of everything random.")
@click.option(
    "--manifest",
    type=_PATH,
    help="A manifest.csv that says the splits: regenerates a published split exactly.",
)
@click.option("--mend", is_flag=True, help="Keep the splits of the files and move only what leaks.")
@click.option("--out", type=_PATH, help="Write manifest.csv, report.json and a file a split here.")
@_order
@json_option
@click.argument("path", type=_PATH)
def split(
    path: Path,
    manifest: Path | None,
    mend: bool,
    out: Path | None,
    label_order: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Split a data set: disjoint, seeded, balanced. Nothing is discarded; how near it came is reported.

    Example: dalil dataset split --folds 5 --out folds baly2018
    """
    from annotation.dataset.options import asked, parse_shares, words
    from annotation.dataset.show import show_split
    from annotation.dataset.split_files import from_manifest, write_split
    from annotation.dataset.splitting import mend as mended
    from annotation.dataset.splitting import split as make
    from dalil.errors import UsageError
    from dalil.progress import Reporter

    ways = {
        "--manifest": manifest is not None,
        "--mend": mend,
        "--share, --folds, --like or --by": bool(
            given["shares"] or given["folds"] or given["like"] or given["by"] != "rows"
        ),
    }
    if sum(ways.values()) > 1:
        raise UsageError(
            f"{' and '.join(name for name, asked_for in ways.items() if asked_for)} exclude each other",
            todo="give one: a manifest says every split, --mend keeps those of the files",
        )
    data = _read(path, label_order)
    ask = asked(
        shares=parse_shares(given["shares"]),
        folds_=given["folds"],
        like=given["like"],
        by=given["by"],
        undated=given["undated"],
        apart=words(given["apart"]),
        threshold=given["threshold"],
        stratify=words(given["stratify"]),
        seed=given["seed"],
    )
    with Reporter(quiet=as_json) as reporter:
        if manifest is not None:
            outcome = from_manifest(manifest, data, ask)
        else:
            outcome = mended(data, ask, reporter) if mend else make(data, ask, reporter)
    if out is not None:
        write_split(out, data, outcome)
    if as_json:
        print_json(outcome.plain())
        return
    show_split(outcome, _printer())
    if out is not None:
        click.echo(f"wrote {out}")


@dataset.command("diff", short_help="Compare two data sets pair by pair.")
@_order
@json_option
@click.argument("first", type=_PATH)
@click.argument("second", type=_PATH)
def diff(first: Path, second: Path, label_order: str, as_json: bool) -> None:
    """Compare two data sets pair by pair, whatever their forms: added, removed, relabelled, moved.

    Pairs are the same when the words of claim and article are. Ends with status 1 when something differs.

    Example: dalil dataset diff release/v1 release/v2
    """
    from annotation.dataset.diff import diff as compare
    from annotation.dataset.show import show_diff

    found = compare(_read(first, label_order), _read(second, label_order))
    if as_json:
        print_json(found.plain())
    else:
        show_diff(found, _printer())
    if not found.equal:
        raise click.exceptions.Exit(1)


@dataset.command("fetch", short_help="Download a published data set and check it.")
@click.option("--from", "base", metavar="URL", help="Another address that holds the same files.")
@json_option
@click.argument("name", type=click.Choice(["arastance"]))
@click.argument("folder", metavar="DIR", type=_PATH)
def fetch(name: str, folder: Path, base: str | None, as_json: bool) -> None:
    """Download a published data set; sizes and counts are checked, and nothing is kept where they differ.

    Example: dalil dataset fetch arastance arastance
    """
    from annotation.dataset.fetch import fetch as get
    from annotation.dataset.show import show_checks

    checks = get(name, folder, base=base, say=lambda line: click.echo(line, err=True))
    if as_json:
        print_json([check.plain() for check in checks])
        return
    show_checks(checks, _printer(), every=False)
    click.echo(f"wrote {folder}")


@dataset.command("rehydrate", short_help="Fill the texts of a release without texts again.")
@click.option(
    "--texts", "sources", multiple=True, type=_PATH, help="Take texts from this data set first; repeat."
)
@click.option("--offline", is_flag=True, help="Only --texts: fetch nothing.")
@click.option(
    "--archive/--no-archive",
    default=True,
    show_default=True,
    help="Ask the Wayback Machine for what is gone or changed.",
)
@click.option(
    "--contact", help="An address or page that site owners can write to; asked for before pages are fetched."
)
@json_option
@click.argument("release", type=_PATH)
@click.argument("out", type=_PATH)
def rehydrate(
    release: Path,
    out: Path,
    sources: tuple[Path, ...],
    offline: bool,
    archive: bool,
    contact: str | None,
    as_json: bool,
) -> None:
    """Fill a release without texts: from data sets at hand, the web, and the Wayback Machine.

    A text counts as the same when its hash is; a changed page is filled and marked; what could not be had is
    listed with its reason in missing.csv. Stop it at any moment and run it again.

    Example: dalil dataset rehydrate release/v1 v1-full
    """
    from annotation.dataset.rehydrate import rehydrate as fill

    report = fill(release, out, sources=sources, offline=offline, archive=archive, contact=contact)
    if as_json:
        print_json(report)
        return
    for state, number in report["texts"].items():
        click.echo(f"{state}: {number:,}")
    for reason, number in report["missing"].items():
        click.echo(f"  {reason}: {number:,}")
    click.echo(f"wrote {out}")


def _read(path: Path, label_order: str) -> Any:
    from annotation.dataset.options import words
    from annotation.dataset.reading import read_dataset

    return read_dataset(path, words(label_order))


def _source_names(data: Any) -> Any:
    """AraStance's own names of its sources, in the table that is compared with the paper's."""
    from annotation.dataset.published import published

    if data.kind != "arastance":
        return None
    stated = published("arastance")

    def name(row: Any) -> str | None:
        source = stated.source_of(row.site or row.claim_url or "")
        return source.name if source else row.site

    return name


def _printer() -> Any:
    from annotation.agreement.tables import Printer

    return Printer()
