"""`dalil demo`: the whole job, offline, and from a wheel as well as from a clone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dalil.cli import main
from dalil.corpus import Corpus
from dalil.demo.walk import walk
from dalil.progress import Silent
from dalil.records import Claim, Dropped, Gold, Pair
from dalil.state.dump import dump, equal, load
from dalil.status import status

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished demo corpus."""
    folder = tmp_path_factory.mktemp("demo") / "corpus"
    walk(folder, Silent())
    return folder


def test_every_pair_is_labelled_or_waits_for_a_ruling(demo: Path) -> None:
    with Corpus.open(demo, writable=False) as corpus:
        pairs = corpus.store.ids(Pair)
        gold = corpus.store.ids(Gold)
        waiting = {drop.key for drop in corpus.store.all(Dropped, stage="gold")}
        assert len(pairs) > 100
        assert gold | waiting == pairs
        assert {label.label for label in corpus.store.all(Gold)} == {
            "agree",
            "disagree",
            "discuss",
            "unrelated",
        }


def test_no_claim_has_more_than_ten(demo: Path) -> None:
    with Corpus.open(demo, writable=False) as corpus:
        counts = corpus.store.count_by(Pair, "claim_id")
        assert max(counts.values()) == 10
        assert {drop.reason for drop in corpus.store.all(Dropped, stage="pair")} >= {"beyond_ten"}


def test_what_is_dropped_has_its_reason(demo: Path) -> None:
    with Corpus.open(demo, writable=False) as corpus:
        reasons = {(drop.stage, drop.reason) for drop in corpus.store.all(Dropped)}
        assert {("extract", "challenge_page"), ("extract", "soft_404"), ("extract", "not_arabic")} <= reasons
        cleaned = sum(drop.stage == "clean" for drop in corpus.store.all(Dropped))
        assert corpus.store.count(Claim) == 15
        assert cleaned == 1


def test_every_row_of_the_release_can_be_traced(demo: Path) -> None:
    rows = [
        json.loads(line)
        for line in (demo / "release" / "demo" / "pairs.jsonl").read_text("utf-8").split("\n")
        if line
    ]
    with Corpus.open(demo, writable=False) as corpus:
        assert {row["id"] for row in rows} <= corpus.store.ids(Pair)
    for row in rows:
        assert row["found_by"]
        assert row["article_url"].startswith("http")


def test_a_second_run_does_nothing_and_changes_nothing(demo: Path, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    with Corpus.open(demo, writable=False) as corpus:
        dump(corpus, before, stable=True)
    assert sum(tally.worked + tally.swept for tally in walk(demo, Silent())) == 0
    with Corpus.open(demo, writable=False) as corpus:
        dump(corpus, after, stable=True)
    assert equal(before, after) == []


def test_two_demos_are_the_same_corpus(demo: Path, tmp_path: Path) -> None:
    walk(tmp_path / "again", Silent())
    for folder, name in ((demo, "first"), (tmp_path / "again", "second")):
        with Corpus.open(folder, writable=False) as corpus:
            dump(corpus, tmp_path / name, stable=True)
    assert equal(tmp_path / "first", tmp_path / "second") == []


def test_dump_load_dump_of_the_demo_is_the_identity(demo: Path, tmp_path: Path) -> None:
    with Corpus.open(demo, writable=False) as corpus:
        dump(corpus, tmp_path / "first")
    load(tmp_path / "first", tmp_path / "again")
    with Corpus.open(tmp_path / "again", writable=False) as corpus:
        dump(corpus, tmp_path / "second")
    assert equal(tmp_path / "first", tmp_path / "second") == []


def test_the_demo_refuses_a_folder_of_somebody_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("mine", "utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["demo", str(tmp_path)])
    assert stop.value.code == 2
    assert "not empty" in capsys.readouterr().err


def test_why_tells_everything_that_led_to_a_pair(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Corpus.open(demo, writable=False) as corpus:
        pair = next(corpus.store.all(Pair, rank=2))
    with pytest.raises(SystemExit) as stop:
        main(["why", "--json", pair.id, str(demo)])
    assert not stop.value.code
    report = json.loads(capsys.readouterr().out)
    assert report["claim"]["id"] == pair.claim_id
    assert report["found_by"][0]["engine"] == "collection"
    assert report["article"]["warc"].startswith("dalil-00001.warc.gz:")
    assert {item["rank"] for item in report["beside"]} >= {1}
    with pytest.raises(SystemExit):
        main(["why", pair.id, str(demo)])
    assert pair.id in capsys.readouterr().out


def test_the_demo_runs_from_an_unpacked_wheel_in_an_empty_folder(tmp_path: Path) -> None:
    built, unpacked, empty = tmp_path / "built", tmp_path / "unpacked", tmp_path / "empty"
    build = ["pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", *build, "-w", str(built), str(ROOT)], check=True, capture_output=True
    )
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(unpacked)
    empty.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    program = "import dalil, sys; print(dalil.__file__); from dalil.cli import main; main(['demo', 'here'])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(unpacked))
    assert "Gold labels by veracity" in done.stdout
    assert (empty / "here" / "release" / "demo" / "pairs.jsonl").is_file()
    shutil.rmtree(unpacked)


def test_sigterm_ends_a_run_as_ctrl_c_does(tmp_path: Path) -> None:
    program = "from dalil.cli import main; main(['demo', 'here'])"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr is not None
        first = child.stderr.readline()
        child.send_signal(signal.SIGTERM)
        rest = child.stderr.read()
        assert child.wait(timeout=60) == 1
    assert first.startswith("collect:")
    assert rest.endswith("dalil: stopped; run the command again to go on\n")
    with Corpus.open(tmp_path / "here", writable=False) as corpus:
        # a signal may meet the very end of a run; never more than that one is left open
        assert sum(run["outcome"] is None for run in status(corpus).runs) <= 1
