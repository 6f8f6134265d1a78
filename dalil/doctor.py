"""Is this installation whole, and can this corpus be worked on?"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sqlite3
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dalil.config import Config
from dalil.corpus import DATABASE
from dalil.errors import DalilError, StateError
from dalil.net.local import VARIABLE, local_server
from dalil.resources import data, entry_point
from dalil.state.store import Store

LIBRARIES = {
    "scrapy": "scrapy",
    "trafilatura": "trafilatura",
    "scikit-learn": "sklearn",
    "tantivy": "tantivy",
    "warcio": "warcio",
    "stanza": "stanza",
    "camel-tools": "camel_tools",
    "python-crfsuite": "pycrfsuite",
    "torch": "torch",
}
SECRETS = ("GOOGLE_API_KEY", "BRAVE_API_KEY", "SERPAPI_KEY", "X_BEARER_TOKEN")
ENOUGH = 1 << 30


@dataclass(frozen=True)
class Check:
    """One thing looked at: ok, note (worth knowing) or broken."""

    name: str
    state: str
    note: str

    def as_dict(self) -> dict[str, str]:
        """For `--json`."""
        return asdict(self)


def check(corpus: Path | None) -> list[Check]:
    """All checks, without importing the heavy libraries."""
    found = [_python(), _sqlite(), _data(), *_libraries(), *_secrets(), _switch()]
    return found + (_corpus(corpus) if corpus is not None else [])


def _python() -> Check:
    text = ".".join(map(str, sys.version_info[:3]))
    return Check("Python", "ok" if sys.version_info >= (3, 11) else "broken", text)


def _sqlite() -> Check:
    new_enough = sqlite3.sqlite_version_info >= (3, 24)
    return Check("SQLite", "ok" if new_enough else "broken", sqlite3.sqlite_version)


def _data() -> Check:
    try:
        return Check("shipped data", "ok", str(data("templates").parent))
    except DalilError as error:
        return Check("shipped data", "broken", error.line())


def _libraries() -> list[Check]:
    checks = []
    for name, module in LIBRARIES.items():
        if importlib.util.find_spec(module) is None:
            checks.append(Check(name, "broken", "not installed; install dalil again"))
            continue
        try:
            checks.append(Check(name, "ok", version(name)))
        except PackageNotFoundError:
            checks.append(Check(name, "ok", "version unknown"))
    return checks


def _secrets() -> list[Check]:
    """Whether a key is set, never what it is."""
    return [
        Check(name, "ok" if os.environ.get(name) else "note", "set" if os.environ.get(name) else "not set")
        for name in SECRETS
    ]


def _switch() -> Check:
    try:
        server = local_server()
    except DalilError as error:
        return Check(VARIABLE, "broken", error.line())
    return Check(VARIABLE, "note" if server else "ok", f"{server} plays the web" if server else "not set")


def _named(config: Config) -> list[Check]:
    """What corpus.toml names, and whether it is there; the contact that a crawl needs."""
    from dalil.cli.table import NAMED

    found = []
    for entry in NAMED:
        for error in entry_point(entry)(config):
            name = "contact" if "corpus.contact" in error.what else "names in corpus.toml"
            state = "note" if isinstance(error, StateError) else "broken"
            found.append(Check(name, state, error.line()))
    if all(check.name == "contact" for check in found):
        found.append(Check("names in corpus.toml", "ok", "sites, engines, files: all of them are there"))
    if all(check.name != "contact" for check in found):
        contact = config.corpus.contact
        none = "not set: nothing can be crawled until [corpus] of corpus.toml has one"
        found.append(Check("contact", "ok" if contact else "note", contact or none))
    return found


def _corpus(path: Path) -> list[Check]:
    from dalil.cli.table import SECTIONS

    checks = []
    try:
        config = Config.read(path / "corpus.toml")
        config.check_sections(set(SECTIONS))
        for name, model in SECTIONS.items():
            config.section(name, entry_point(model))
        checks += [Check("corpus.toml", "ok", "every section and key is known"), *_named(config)]
    except DalilError as error:
        checks.append(Check("corpus.toml", "broken", error.line()))
    checks.append(_database(path / DATABASE))
    if path.exists():
        free = shutil.disk_usage(path).free
        checks.append(Check("disk", "ok" if free > ENOUGH else "note", f"{free / 1e9:.1f} GB free"))
        writable = os.access(path, os.W_OK)
        checks.append(
            Check(
                "writing",
                "ok" if writable else "note",
                "allowed" if writable else "this folder is read-only for you",
            )
        )
    return checks


def _database(path: Path) -> Check:
    try:
        older = Store.older(path)
        if not older:
            store = Store.open(path, writable=False)
            try:
                store.check_pages()
            finally:
                store.close()
    except DalilError as error:
        return Check("corpus.db", "broken", error.line())
    if older:
        todo = "any stage, or dalil status, brings it up to date"
        return Check("corpus.db", "note", f"made by an older dalil: {todo}")
    return Check("corpus.db", "ok", "opens, and every page of it can be read")
