"""SIGKILL at any commit, write or send of any stage: run again, and it is as if nothing had happened.

The demo corpus is walked stage by stage. Before each stage a copy of the corpus is kept; from that
copy the stage is killed at its first, a middle and its last passing of each failpoint, run again,
and its stable dump compared with that of the undisturbed run. A new stage joins by standing in the
command table.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from forked import forked_crawls
from killing import KILLED, run_in_child

from dalil.cli.table import STAGES, TABLE
from dalil.corpus import Corpus
from dalil.demo.walk import judge, played, prepared
from dalil.progress import Silent
from dalil.runner import run
from dalil.state import failpoints, journal
from dalil.state.dump import dump, equal
from dalil.status import status

ORDER = (*TABLE["run"].stages, "gold")


CRAWLS = ("collect", "fetch")
IN_FLIGHT = 16
"""requests that a crawl has under way at most: one a domain"""


@dataclass(frozen=True)
class Scene:
    """One stage of the undisturbed walk: the corpus before it, the stable dump after it, its failpoints."""

    before: Path
    after: Path
    passed: dict[str, int]


def run_one(corpus_path: Path, stage: str) -> None:
    with Corpus.open(corpus_path) as corpus:
        run(corpus, [STAGES[stage]], Silent(), doing=stage)


def counting(corpus_path: Path, stage: str, report: Path) -> None:
    run_one(corpus_path, stage)
    report.write_text(json.dumps(failpoints.counts()), "utf-8")


def stable(corpus_path: Path, out: Path) -> Path:
    with Corpus.open(corpus_path, writable=False) as corpus:
        dump(corpus, out, stable=True)
    return out


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with played() as address, forked_crawls():
        yield address


@pytest.fixture(scope="module")
def scenes(web: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    """The undisturbed walk, stage by stage."""
    root = tmp_path_factory.mktemp("walk")
    corpus_path = root / "corpus"
    with prepared(corpus_path):
        pass
    found = {}
    for stage in ORDER:
        if stage == "gold":
            with Corpus.open(corpus_path) as corpus:
                assert judge(corpus) > 0
        before = root / f"before-{stage}"
        shutil.copytree(corpus_path, before)
        report = root / f"{stage}.json"
        # a failpoint that is never reached makes the child count those it passes
        assert run_in_child(lambda: counting(corpus_path, stage, report), "commit:0") == 0  # noqa: B023
        found[stage] = Scene(
            before, stable(corpus_path, root / f"after-{stage}"), json.loads(report.read_text("utf-8"))
        )
    return found


@pytest.mark.parametrize("stage", ORDER)
def test_a_killed_stage_goes_on_as_if_nothing_had_happened(
    scenes: dict[str, Scene], stage: str, tmp_path: Path
) -> None:
    scene = scenes[stage]
    assert scene.passed["commit"] >= 2, "a stage begins and ends by a commit"
    for point, count in scene.passed.items():
        # a crawl commits in batches that are never twice the same: its last commit may not come again
        last = min(count, 16) if point == "commit" and stage in CRAWLS else count
        for number in sorted({1, (last + 1) // 2, last}):
            corpus_path = tmp_path / f"{point}-{number}"
            shutil.copytree(scene.before, corpus_path)
            assert run_in_child(lambda: run_one(corpus_path, stage), f"{point}:{number}") == KILLED  # noqa: B023
            assert run_in_child(lambda: run_one(corpus_path, stage)) == 0  # noqa: B023
            again = stable(corpus_path, tmp_path / f"{point}-{number}-dump")
            assert equal(scene.after, again) == [], f"{stage} killed at {point}:{number}"
            with Corpus.open(corpus_path, writable=False) as corpus:
                assert journal.repeated(corpus.store) <= IN_FLIGHT
                report = status(corpus)
                assert report.in_flight_at_kill == report.repeated or point == "commit"


def test_the_failpoints_are_passed_where_they_should_be(scenes: dict[str, Scene]) -> None:
    """Otherwise the test above would kill nobody."""
    for stage in ("collect", "search", "fetch"):
        assert scenes[stage].passed["send"] > 0
        assert scenes[stage].passed["sent"] > 0
    for stage in ("collect", "fetch"):
        assert scenes[stage].passed["write"] > 0
