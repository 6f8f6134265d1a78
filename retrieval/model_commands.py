"""`dalil models`: the analyzers and their weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from dalil.cli.common import console, json_option, print_json, quiet_option, table
from dalil.errors import DalilError, InputError, UsageError
from dalil.resources import entry_point

TRAINERS = {
    "embedded": "retrieval.model_commands:train_embedded",
    "clusters": "retrieval.model_commands:train_clusters",
}
"""name → what trains it: (data folder, output folder, say) → report."""


@dataclass(frozen=True)
class Backend:
    """An analyzer as `dalil models list` shows it."""

    name: str
    ready: bool
    why_not: str | None
    chosen_by_auto: bool


@click.group()
def models() -> None:
    """The analyzers that find names and verb phrases: which can run here, and training them."""


@models.command("list")
@json_option
def list_models(as_json: bool) -> None:
    """Which analyzers there are, and whether they can run here.

    Example: dalil models list
    """
    from importlib import import_module

    from retrieval.analyzers import BACKENDS, resolve

    auto = resolve("auto")
    found = []
    for name, module in BACKENDS.items():
        why_not = import_module(module).missing()
        found.append(Backend(name, why_not is None, why_not, name == auto))
    if as_json:
        print_json([asdict(backend) for backend in found])
        return
    rows = table("Analyzers", "name", "can run", "chosen by auto", "why not")
    for backend in found:
        rows.add_row(
            backend.name,
            "yes" if backend.ready else "no",
            "yes" if backend.chosen_by_auto else "",
            backend.why_not or "",
        )
    console().print(rows)


@models.command("download")
@click.argument("name", metavar="NAME")
def download_model(name: str) -> None:
    """Bring the models of an analyzer that does not ship with dalil: stanza, camel or corenlp.

    Each library's own installer puts them into the library's own folder. This is the only command
    that ever downloads a model.

    Example: dalil models download stanza
    """
    from importlib import import_module

    from retrieval.analyzers import BACKENDS

    backends = {key: import_module(module) for key, module in BACKENDS.items()}
    fetched = {key: module for key, module in backends.items() if hasattr(module, "download")}
    if name not in fetched:
        what = f"{name} ships with dalil" if name in backends else f"no analyzer is called {name!r}"
        raise UsageError(what, where="NAME", todo=f"use one of: {', '.join(fetched)}")
    click.echo(f"{name}: {fetched[name].ABOUT}", err=True)
    fetched[name].download()
    why = fetched[name].missing()
    if why is not None:
        raise DalilError(f"{name} still cannot run: {why}", todo="check the connection and run again")
    click.echo(f'{name} can run: set [search] analyzer = "{name}"')


@models.command("train")
@click.argument("name", metavar="NAME")
@click.option(
    "--data",
    "root",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder with the corpora: ud_arabic_pud/ and anercorp/ (embedded), ant_multisource/ (clusters).",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that gets the weights and their cards; files there of the same name are replaced.",
)
@quiet_option
@json_option
def train_model(name: str, root: Path, out: Path, quiet: bool, as_json: bool) -> None:
    """Train NAME (embedded, clusters) and measure it on the test parts.

    `embedded` and `clusters` take about two minutes each. The weights that ship were made by
    these commands with --out data/analyzers/embedded.

    Example: dalil models train embedded --data corpora --out my-weights
    """
    from dalil.progress import Reporter

    if name not in TRAINERS:
        raise UsageError(
            f"no model that can be trained is called {name!r}",
            where="NAME",
            todo=f"use one of: {', '.join(TRAINERS)}",
        )
    if not root.is_dir():
        raise InputError("there is no such folder", where=root, todo="give --data the folder of the corpora")
    with Reporter(quiet=quiet or as_json) as reporter:
        report: dict[str, Any] = entry_point(TRAINERS[name])(root, out, reporter.say)
    if as_json:
        print_json(report)
        return
    rows = table(f"{name}: {out}", "what", "value")
    for key, value in report.items():
        rows.add_row(key, f"{value:.3f}" if isinstance(value, float) else f"{value:,}")
    console().print(rows)


def train_embedded(root: Path, out: Path, say: Any) -> dict[str, float | int]:
    """Train the two CRFs; figures and sizes as one flat table."""
    from retrieval.analyzers.train_embedded import train

    trained = train(root, out, say)
    report: dict[str, float | int] = {
        "verb F": trained.tagger.verb.f,
        "tag accuracy": trained.tagger.accuracy,
        "cut, exact": trained.tagger.cut,
        "cut, within a token": trained.tagger.cut_near,
        "cut by gold tags": trained.tagger.cut_gold_tags,
    }
    for kind, score in trained.ner.alone.items():
        report[f"names {kind}, model alone, F"] = score.f
        report[f"names {kind}, with lists, F"] = trained.ner.settled[kind].f
    for path in trained.files:
        report[f"{path.name}, bytes"] = path.stat().st_size
    return report


def train_clusters(root: Path, out: Path, say: Any) -> dict[str, float | int]:
    """Make the cluster table; its size."""
    from retrieval.analyzers.cards import clusters_card
    from retrieval.analyzers.clusters import FILE
    from retrieval.analyzers.train_clusters import train

    out.mkdir(parents=True, exist_ok=True)
    found = train(root, out / FILE, say)
    (out / "clusters.md").write_text(clusters_card(len(found)), encoding="utf-8")
    return {"words": len(found), f"{FILE}, bytes": (out / FILE).stat().st_size}
