"""Writing a release: all files beside each other, or none."""

from __future__ import annotations

import shutil
from pathlib import Path

from annotation.release import ReleaseSettings
from annotation.release.card import card
from annotation.release.rows import rows
from dalil.corpus import Corpus
from dalil.errors import DalilError, StateError, UsageError
from dalil.ids import canonical_json


def release(corpus: Corpus, out: Path) -> int:
    """Write `pairs.jsonl` and the card into a new folder. Returns how many pairs.

    Raises UsageError when the folder is not empty, DalilError when no pair has gold.
    """
    if out.exists() and any(out.iterdir()):
        raise UsageError("the folder is not empty", where=out, todo="give a new folder")
    found = list(rows(corpus.store))
    if not found:
        raise DalilError(
            "no pair has a gold label yet", where=corpus.path, todo="annotate, then run: dalil gold"
        )
    settings = corpus.section("release", ReleaseSettings)
    beside = out.with_name(out.name + ".part")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        lines = "".join(canonical_json(row) + "\n" for row in found)
        (beside / "pairs.jsonl").write_text(lines, "utf-8", newline="\n")
        (beside / "README.md").write_text(card(corpus, found, settings.licence), "utf-8", newline="\n")
        if out.exists():
            out.rmdir()
        beside.rename(out)
    except OSError as error:
        raise StateError(
            f"the release cannot be written: {error.strerror}", where=out, todo="check disk and path"
        ) from error
    return len(found)
