"""What `[annotate]`, `[gold]` and `[release]` of corpus.toml name, for `dalil doctor`."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.aggregate import METHODS
from annotation.gold import GoldSettings
from annotation.ratings_scheme import read_scheme
from annotation.release import ReleaseSettings
from annotation.rounds.settings import AnnotateSettings
from annotation.schemes import scheme_of
from dalil.config import Config
from dalil.errors import DalilError, UsageError


def judged(config: Config) -> Iterator[DalilError]:
    """Schemes and aggregation methods that there are none of."""
    gold = config.section("gold", GoldSettings)
    folder = config.path.parent
    # each as it is read when it is used: a scheme of gold may lie elsewhere than beside the corpus
    for key, name, read in (
        ("annotate.scheme", config.section("annotate", AnnotateSettings).scheme, scheme_of),
        ("gold.scheme", gold.scheme, read_scheme),
    ):
        try:
            if name is not None:
                read(name, folder)
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


def files(config: Config) -> Iterator[DalilError]:
    """Files that [annotate] and [release] name and that are not there."""
    named = {
        "annotate.information": config.section("annotate", AnnotateSettings).information,
        "release.manifest": config.section("release", ReleaseSettings).manifest,
    }
    for key, name in named.items():
        if name is not None and not (config.path.parent / name).is_file():
            yield UsageError(
                f"there is no file {name!r}",
                where=f"{config.path}: {key}",
                todo="check the path: it is relative to the corpus folder",
            )
