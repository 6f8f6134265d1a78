"""What `[annotate]` and `[gold]` of corpus.toml name, for `dalil doctor`: schemes and methods."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.aggregate import METHODS
from annotation.gold import GoldSettings
from annotation.rounds.settings import AnnotateSettings
from annotation.schemes import scheme_of
from dalil.config import Config
from dalil.errors import DalilError, UsageError


def judged(config: Config) -> Iterator[DalilError]:
    """Schemes and aggregation methods that there are none of."""
    gold = config.section("gold", GoldSettings)
    scheme = config.section("annotate", AnnotateSettings).scheme
    for key, name, folder in (
        ("annotate.scheme", scheme, config.path.parent),
        ("gold.scheme", gold.scheme, None),
    ):
        try:
            if name is not None:
                scheme_of(name, folder)
        except UsageError as error:
            what = f"{error.what} ({error.where})" if error.where else error.what
            yield UsageError(what, where=f"{config.path}: {key}", todo=error.todo or "check the path")
        except DalilError as error:
            yield error
    if gold.method is not None and gold.method not in METHODS:
        yield UsageError(
            f"no method is called {gold.method!r}",
            where=f"{config.path}: gold.method",
            todo=f"one of {', '.join(METHODS)}",
        )
