"""`dalil sites`: definitions of sites that claims come from."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click

from dalil.cli.common import console, corpus_argument, json_option, open_corpus, print_json, table
from dalil.errors import UsageError
from dalil.wording import counted

_PAGE = click.Path(path_type=Path, dir_okay=False, exists=True)
_STEPS = "docs/how-to-add-a-site.md"


@click.group("sites")
def sites() -> None:
    """Write and check definitions of sites that claims come from (docs/how-to-add-a-site.md).

    Example: dalil sites new mysite mycorpus; dalil sites check mysite mycorpus
    """


@sites.command("list")
@json_option
@corpus_argument
def list_sites(corpus: Path, as_json: bool) -> None:
    """The sites that dalil ships, and a corpus's own: way, language, country, what is known of their state.

    In a corpus, `named` says which of them its corpus.toml names.

    Example: dalil sites list mycorpus
    """
    from spiders.sitelist import listed

    if str(corpus) != "." and not (corpus / "corpus.toml").is_file():
        raise UsageError(
            "there is no corpus here",
            where=corpus,
            todo="name a corpus folder (dalil init makes one), or none",
        )
    rows = listed(corpus)
    if as_json:
        print_json([row.as_dict() for row in rows])
        return
    columns = ("way", "language", "country", "verified", "from", "named", "note")
    shown = table("Sites", "name", *columns, left=columns)
    for row in rows:
        shown.add_row(
            row.name,
            row.way or "–",
            row.language or "–",
            row.country or "–",
            {True: "in part" if row.unverified else "yes", False: "no", None: "–"}[row.verified],
            "corpus" if row.own else "dalil",
            "yes" if row.named else "",
            "; ".join(
                (*((row.note,) if row.note else ()), *(f"unverified: {why}" for why in row.unverified))
            ),
        )
    console().print(shown)


@sites.command("new")
@click.option(
    "--start", metavar="URL", default="https://NAME.example/list", help="The listing to begin with."
)
@click.option(
    "--way",
    type=click.Choice(("template", "wordpress")),
    default="template",
    show_default=True,
    help="How the site is walked.",
)
@click.argument("name")
@corpus_argument
def new(name: str, start: str, way: str, corpus: Path) -> None:
    """Write the skeleton of the site NAME: a definition, a page and a test that fails.

    In a corpus folder it goes to sites/; in a clone of dalil to data/sites/ and tests/sites/pages/.

    Example: dalil sites new mysite mycorpus
    """
    from spiders.skeleton import write_skeleton

    for path in write_skeleton(name, _home(corpus), start=start, way=way):
        click.echo(f"wrote {path}")
    place = f" {shlex.quote(str(corpus))}" if str(corpus) != "." else ""
    click.echo(
        f"next: put a page into the fixture and fill the selectors ({_STEPS}); "
        f"then: dalil sites check {name}{place}"
    )


@sites.command("check")
@click.option("--url", metavar="URL", help="Get this page and say what is found on it.")
@click.option("--archived", is_flag=True, help="With --url: its latest capture in the Wayback Machine.")
@click.option("--page", type=_PAGE, help="With --url: a saved copy of the page, so that nothing is asked.")
@click.option("--write", is_flag=True, help="Without --url: take what is found now as what is expected.")
@json_option
@click.argument("name")
@corpus_argument
def check(
    name: str, url: str | None, archived: bool, page: Path | None, write: bool, as_json: bool, corpus: Path
) -> None:
    """Check the site NAME against its fixtures, or against a living, archived or saved page.

    Says field by field what was found and how. Exit status 1 where a fixture differs or a page gives no
    record.

    Example: dalil sites check mysite --url https://mysite.example/check/7 mycorpus
    """
    from spiders.sites import load_site, read_site

    home = _home(corpus, must_be=False)
    own = home[0] / f"{name}.toml" if home is not None else None
    site = read_site(own) if own is not None and own.is_file() else load_site(name)
    if url is None:
        if page is not None or archived:
            raise UsageError(
                "--page and --archived go with --url",
                where="dalil sites check",
                todo="name the page's address",
            )
        folder = home[1] / name if home is not None else None
        if folder is None or not folder.is_dir():
            raise UsageError(
                f"no fixtures of {name!r} here",
                where=folder or corpus,
                todo="dalil sites new NAME CORPUS, or check a page by --url",
            )
        _check_fixtures(site, folder, write, as_json)
        return
    _check_page(site, url, archived, page, corpus, as_json)


@sites.command("claimreview")
@click.option("--author", required=True, help="Who reviews: the name that the ClaimReviews carry.")
@click.option("--author-url", help="Their address.")
@click.option("--site", "only", help="Only the claims of this site.")
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@corpus_argument
def claimreview(author: str, author_url: str | None, only: str | None, out: Path, corpus: Path) -> None:
    """Write a corpus's claims as ClaimReview: one schema.org DataFeed in the file OUT.

    The cleaned claim stands in it where there is one. Claims without an address or a verdict are left
    out and counted.

    Example: dalil sites claimreview --author "My newsroom" feed.json mycorpus
    """
    from dalil.errors import InputError
    from dalil.records import Claim, CleanedClaim
    from spiders.claimreview import claim_review, data_feed

    reviews, left = [], 0
    with open_corpus(corpus, writable=False) as opened:
        cleaned = {one.id: one.text for one in opened.store.all(CleanedClaim)}
        for claim in sorted(opened.store.all(Claim), key=lambda one: one.id):
            if only and claim.site != only:
                continue
            try:
                reviews.append(
                    claim_review(claim, author=author, author_url=author_url, text=cleaned.get(claim.id))
                )
            except InputError:
                left += 1
    out.write_text(json.dumps(data_feed(reviews), ensure_ascii=False, indent=1) + "\n", "utf-8")
    click.echo(
        f"{out}: {counted(len(reviews), 'review')}; {counted(left, 'claim')} without address or verdict "
        "left out"
    )


def _home(corpus: Path, *, must_be: bool = True) -> Any:
    """(folder of definitions, folder of fixtures): of a corpus, or of a clone of dalil; None for neither."""
    if (corpus / "corpus.toml").is_file():
        return corpus / "sites", corpus / "sites"
    if (corpus / "data" / "sites").is_dir() and (corpus / "tests" / "sites" / "pages").is_dir():
        return corpus / "data" / "sites", corpus / "tests" / "sites" / "pages"
    if must_be:
        raise UsageError(
            "neither a corpus nor a clone of dalil",
            where=corpus,
            todo="name a corpus folder (dalil init makes one)",
        )
    return None


def _check_fixtures(site: Any, folder: Path, write: bool, as_json: bool) -> None:
    from spiders.sitecheck import differences, fixtures, missing, observed

    report: dict[str, list[str]] = {name: ["no such fixture"] for name in missing(site, folder)}
    for fixture in fixtures(site, folder):
        if write:
            kept = {key: value for key, value in fixture.meta().items() if key in ("url", "snapshot_at")}
            text = json.dumps(kept | observed(fixture), ensure_ascii=False, indent=1)
            fixture.expected.write_text(text + "\n", "utf-8")
        empty = not {"records", "links"} & fixture.meta().keys()
        report[fixture.name] = ["nothing is expected of it yet"] if empty else differences(fixture)
    if as_json:
        print_json(report)
    for name, problems in ({} if as_json else report).items():
        click.echo(f"{name}: {'as expected' if not problems else ''}".rstrip())
        for problem in problems:
            click.echo(f"  {problem}")
    if any(report.values()) or not report:
        raise SystemExit(1)


def _check_page(site: Any, url: str, archived: bool, page: Path | None, corpus: Path, as_json: bool) -> None:
    from spiders.onepage import get
    from spiders.reading import decoded
    from spiders.sitecheck import read, records

    seen_at = None
    if page is not None:
        body, kind = page.read_bytes(), None
    else:
        service = site.archive.service if site.archive is not None else "http://web.archive.org"
        got = get(url, _contact(corpus), archive=service if archived else None)
        body, kind, seen_at = got.body, got.fetch.content_type, got.fetch.snapshot_at or got.fetch.fetched_at
    found = records(read(site, url, decoded(body, kind), seen_at))
    if as_json:
        print_json(found)
    elif isinstance(found, dict):
        click.echo(f"no record: {found['dropped']} ({found['detail']})")
    for record in () if as_json or isinstance(found, dict) else found:
        shown = table(f"{site.name}: {url}", "field", "value", "found by", left=("value", "found by"))
        how = record.get("found", {})
        for key, value in record.items():
            if key != "found":
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                shown.add_row(key, text if len(text) <= 160 else f"{text[:159]}…", str(how.get(key, "")))
        for key in ("raw", "title", "body", "verdict", "claim_date", "review_date", "domain"):
            if key not in record:
                shown.add_row(key, "–", "nothing found")
        console().print(shown)
    if isinstance(found, dict):
        raise SystemExit(1)


def _contact(corpus: Path) -> str | None:
    if not (corpus / "corpus.toml").is_file():
        return None
    with open_corpus(corpus, writable=False) as opened:
        return opened.config.corpus.contact
