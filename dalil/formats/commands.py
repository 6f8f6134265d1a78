"""`dalil import`: files of others into a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dalil.cli.common import corpus_argument, json_option, open_corpus, print_json, quiet_option
from dalil.errors import UsageError
from dalil.wording import counted, fitting

if TYPE_CHECKING:
    from dalil.formats import Format
    from dalil.formats.rows import Options

_EXAMPLES = 3


@click.group("import")
def import_() -> None:
    """Bring files into a corpus: CSV, JSONL, and data sets as they were published.

    Formats are recognised by their first record (AraStance, Baly 2018, Khouja 2020, CheckThat! 2019,
    Matsda2sh; else plain CSV or JSONL); --format names one. An import is all or nothing, and importing
    a file again changes nothing.

    Example: dalil import labels train.jsonl mycorpus
    """


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        (
            click.option(
                "--format",
                "fmt",
                metavar="NAME",
                help="arastance, baly, khouja, checkthat, matsda2sh, csv, jsonl.",
            ),
            click.option("--site", help="The site of claims whose row names none."),
            click.option("--skip-bad", is_flag=True, help="Leave bad rows out, and list each of them."),
            click.option(
                "--fill",
                is_flag=True,
                help="Give claims and articles that are there what they lack and the file says.",
            ),
            quiet_option,
            json_option,
            click.argument("file", type=click.Path(path_type=Path)),
            corpus_argument,
        )
    ):
        command = option(command)
    return command


def _undo(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--undo",
        is_flag=True,
        help="Take back what the file brought; what people have judged or edited stays.",
    )(command)


def _label_order(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--label-order",
        metavar="L0,L1,…",
        help="The label of each number from 0, for numbered labels: agree,disagree,discuss,unrelated.",
    )(command)


@import_.command("claims")
@_undo
@_options
def claims(**given: Any) -> None:
    """Claims: of a CSV or JSONL file (raw; id, url, title, body, verdict, veracity, …) or of a data set.

    Example: dalil import claims --site mysite claims.csv mycorpus
    """
    _run("claims", **given)


@import_.command("articles")
@_undo
@_options
def articles(**given: Any) -> None:
    """Articles and their documents: of a CSV or JSONL file (text; id or url, title, date, …) or a data set.

    Example: dalil import articles news.jsonl.gz mycorpus
    """
    _run("articles", **given)


@import_.command("labels")
@_label_order
@_options
def labels(label_order: str | None, **given: Any) -> None:
    """Labelled pairs: claims, articles, pairs and final labels, or judgements where annotators are named.

    A CSV or JSONL row has the texts of both in claim and article, and label; it may have claim_id,
    claim_url, article_id, article_url, article_title, site, verdict, veracity, claim_date, annotator, round,
    confidence, second, note.

    Example: dalil import labels --label-order agree,disagree,discuss,unrelated hf.jsonl mycorpus
    """
    names = tuple(name.strip().lower() for name in label_order.split(",")) if label_order else ()
    if label_order and (not all(names) or len(set(names)) != len(names)):
        raise UsageError(
            f"not a list of different labels: {label_order!r}",
            where="--label-order",
            todo="agree,disagree,discuss,unrelated",
        )
    _run("labels", label_order=names, **given)


@import_.command("results")
@click.option("--engine", required=True, help="The search engine whose results these are.")
@_options
def results(engine: str, **given: Any) -> None:
    """Results of searches (rank, url, title, snippet): stored as answers of the engine, to be replayed.

    Example: dalil import results --engine google claims_with_results.jsonl.gz mycorpus
    """
    if not engine.strip():
        raise UsageError("--engine is empty", todo="name the engine, such as google")
    _run("results", engine=engine.strip(), **given)


def _run(
    kind: str,
    *,
    file: Path,
    corpus: Path,
    fmt: str | None,
    site: str | None,
    skip_bad: bool,
    fill: bool,
    quiet: bool,
    as_json: bool,
    label_order: tuple[str, ...] = (),
    engine: str | None = None,
    undo: bool = False,
) -> None:
    from dalil.errors import InputError
    from dalil.formats import check_kind, detect, make_format
    from dalil.formats.importing import Report, import_rows
    from dalil.formats.rows import Options
    from dalil.progress import Reporter

    if undo and (skip_bad or fill):
        raise UsageError("--undo brings nothing in: leave --skip-bad and --fill away")
    if undo and kind == "claims":
        _take_back(corpus, file, as_json)
        return
    if fmt is None:
        reader = detect(file, kind)
    else:
        reader = make_format(fmt)
        check_kind(reader, kind, file)
        if not file.exists():
            raise InputError("there is no such file", where=file, todo="check the path")
    options = Options(site=site, label_order=label_order)
    if undo:
        _take_back(corpus, file, as_json, reader, options)
        return
    with open_corpus(corpus) as opened, Reporter(quiet=quiet or as_json) as reporter:
        report: Report = import_rows(
            opened, file, kind, reader, options=options, engine=engine, skip_bad=skip_bad, fill=fill,
            reporter=reporter,
        )  # fmt: skip
    if as_json:
        print_json(report.plain())
        return
    _tell(report)


def _take_back(
    path: Path, file: Path, as_json: bool, reader: Format | None = None, options: Options | None = None
) -> None:
    """Undo an import of claims, or of articles where there is a reader."""
    from dalil.formats.undoing import undo_articles, undo_claims

    with open_corpus(path) as opened:
        if reader is None or options is None:
            report = undo_claims(opened, file)
        else:
            report = undo_articles(opened, file, reader, options)
    if as_json:
        print_json(report.plain())
        return
    for table, number in sorted(report.removed.items()):
        click.echo(f"  {table}: {number} taken back")
    if report.held:
        stay = fitting(len(report.held), "stays", "stay")
        shown = ", ".join([*report.held[:_EXAMPLES], *(["…"] if len(report.held) > _EXAMPLES else [])])
        click.echo(
            f"{len(report.held)} of the {report.kind} {stay}: people judged or edited "
            f"{fitting(len(report.held), 'it, or are', 'them, or are')} to judge, or labels or results came "
            f"with {fitting(len(report.held), 'it', 'them')} ({shown})",
            err=True,
        )
    click.echo(f"what was made of them goes with the next: dalil run {path}")


def _same_words(same: dict[str, str]) -> str:
    """New claims that are there already under another id, and what to do."""
    shown = [f"{new} (as {old})" for new, old in list(same.items())[:_EXAMPLES]]
    more = ["…"] if len(same) > _EXAMPLES else []
    has = fitting(len(same), "has", "have")
    return (
        f"{counted(len(same), 'new claim')} {has} the words of one that was there, with another id, url or "
        f"site: {', '.join(shown + more)}; if this is a mended file, take one of the two back (dalil import "
        "claims --undo FILE CORPUS), and let rows keep their id or url: then --fill adds what is lacking"
    )


def _told(records: dict[str, list[str]], what: str) -> str:
    """`2 records are there and say something else than this file: claim-… (veracity), claim-… (title)`."""
    shown = [f"{key} ({', '.join(names)})" for key, names in list(records.items())[:_EXAMPLES]]
    more = ["…"] if len(records) > _EXAMPLES else []
    return f"{counted(len(records), 'record')} {what}: {', '.join(shown + more)}"


def _short(articles: dict[str, tuple[str, str]]) -> str:
    """Articles of a word or two, and what may have gone wrong."""
    shown = [
        f"{where} «{' '.join(text.split())[:40]}»" for where, text in list(articles.values())[:_EXAMPLES]
    ]
    more = ["…"] if len(articles) > _EXAMPLES else []
    has = fitting(len(articles), "has", "have")
    return (
        f"{counted(len(articles), 'article')} {has} only a word or two: {', '.join(shown + more)}; "
        "check that the column holds the texts themselves, not ids or titles"
    )


def _unread(verdicts: Counter[str]) -> str:
    """Printed verdicts that say nothing to dalil, and what to do about them."""
    shown = ", ".join(f"«{verdict[:40]}» ({number})" for verdict, number in verdicts.most_common(_EXAMPLES))
    more = f", … of {len(verdicts)}" if len(verdicts) > _EXAMPLES else ""
    claims = f"{counted(verdicts.total(), 'claim')} {fitting(verdicts.total(), 'has', 'have')}"
    return (
        f"{claims} a verdict that dalil does not know: {shown}{more}; "
        "veracity is unknown there: give it in a column veracity, or say what the verdict means under "
        "[verdicts] in sites/SITE.toml of the corpus, and import again with --fill"
    )


def _tell(report: Any) -> None:
    click.echo(f"{counted(report.rows, report.kind.removesuffix('s'))} read as {report.format}")
    for table in sorted({*report.new, *report.known} - {"dropped"}):
        click.echo(
            f"  {table.replace('_', ' ')}: {report.new[table]} new, {report.known[table]} there already"
        )
    for reason, number in sorted(report.dropped.items()):
        click.echo(f"  {counted(number, 'record')} dropped: {reason}")
    if report.settled:
        was = fitting(report.settled, "was left out before and is", "were left out before and are")
        click.echo(f"  {counted(report.settled, 'row')} that {was} mended or gone now")
    if report.unused:
        columns = [f"{name} (is {near} meant?)" if near else name for name, near in report.unused.items()]
        click.echo(f"columns not used: {', '.join(columns)}", err=True)
    if report.differing:
        says = fitting(len(report.differing), "is there and says", "are there and say")
        told = _told(report.differing, f"{says} something else than this file")
        click.echo(f"{told}; left as {fitting(len(report.differing), 'it is', 'they are')}", err=True)
    if report.lacking and not report.filled:
        lacks = fitting(len(report.lacking), "is there and lacks", "are there and lack")
        told = _told(report.lacking, f"{lacks} what this file says")
        click.echo(f"{told}; --fill gives claims and articles what they lack", err=True)
    elif report.lacking:
        lacked = fitting(len(report.lacking), "was there and lacked", "were there and lacked")
        click.echo(f"  filled: {_told(report.lacking, f'{lacked} what this file says')}")
    if report.held:
        was = fitting(len(report.held), "was judged and lacks", "were judged and lack")
        stays = fitting(len(report.held), "it stays as people saw it", "they stay as people saw them")
        click.echo(f"{_told(report.held, f'{was} what this file says')}; {stays}", err=True)
    for stage, number in sorted(report.stages.items()):
        click.echo(
            f"{counted(number, 'record')} filled {fitting(number, 'is', 'are')} of the stage {stage}, which "
            f"makes {fitting(number, 'it', 'them')} anew when its reader or a definition changes: then "
            "import again with --fill",
            err=True,
        )
    if report.same_words:
        click.echo(_same_words(report.same_words), err=True)
    if report.short:
        click.echo(_short(report.short), err=True)
    if report.unread:
        click.echo(_unread(report.unread), err=True)
    for bad in report.skipped:
        click.echo(f"skipped {bad.where}: {bad.field} {bad.reason}", err=True)
