"""What the sections of retrieval name in corpus.toml, for `dalil doctor`: engines, files, rules."""

from __future__ import annotations

import os
from collections.abc import Iterator

from dalil.config import Config
from dalil.errors import DalilError, StateError, UsageError
from dalil.resources import data
from retrieval.analyzers import resolve
from retrieval.clean.rules import load_rules
from retrieval.clean.stage import RULES, CleanSettings
from retrieval.engines import check_engine
from retrieval.engines.collection import CollectionSettings
from retrieval.outlets import read
from retrieval.pair import PairSettings
from retrieval.search import SearchSettings
from retrieval.true_claims import TrueClaimsSettings

KEYS = {"google": "GOOGLE_API_KEY", "brave": "BRAVE_API_KEY", "serpapi": "SERPAPI_KEY"}
"""engine → environment variable that its key is read from"""


def searched(config: Config) -> Iterator[DalilError]:
    """Of [search]: engines and an analyzer that there are none of, a missing key or collection."""
    own = config.section("search", SearchSettings)
    for key, names in (("engines", own.engines), ("retired", own.retired)):
        for name in names:
            try:
                check_engine(name, config.path, key)
            except DalilError as error:
                yield error
    for name in own.engines:
        if name in KEYS and not os.environ.get(KEYS[name], "").strip():
            yield UsageError(
                f"{name} is asked with a key, and {KEYS[name]} is not set",
                where=f"{config.path}: search.engines",
                todo=f"export {KEYS[name]}=…, or take {name} out",
            )
    if "collection" in own.engines:
        path = config.section("engines.collection", CollectionSettings).path
        yield from _collection(config, "engines.collection.path", path)
    try:
        resolve(own.analyzer)
    except UsageError as error:
        yield UsageError(error.what, where=f"{config.path}: search.analyzer", todo=error.todo)


def chosen_from(config: Config) -> Iterator[DalilError]:
    """Of [true_claims]: a collection that is not made."""
    path = config.section("true_claims", TrueClaimsSettings).collection
    if path is not None:
        yield from _collection(config, "true_claims.collection", path)


def _collection(config: Config, key: str, path: str) -> Iterator[DalilError]:
    folder = config.path.parent / path
    if not folder.is_dir():
        yield StateError(
            f"there is no collection {folder} yet",
            where=f"{config.path}: {key}",
            todo=f"make it: dalil index FILE --out {folder}",
        )


def cleaned(config: Config) -> Iterator[DalilError]:
    """Of [clean]: rules that there are none of."""
    try:
        load_rules(data(*RULES.split("/"))).without(config.section("clean", CleanSettings).off)
    except ValueError as error:
        yield UsageError(
            str(error),
            where=f"{config.path}: clean.off",
            todo="the rules are listed in data/cleaning/rules.toml",
        )


def paired(config: Config) -> Iterator[DalilError]:
    """Of [pair]: lists of outlets that cannot be read."""
    for name in config.section("pair", PairSettings).outlets:
        try:
            read(config.path.parent / name)
        except DalilError as error:
            yield error
