"""Small corpora: a release that can be made is made, and advice that is given is advice that works."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toyrelease import text, toy

from annotation.dataset.options import asked, parse_shares, words
from annotation.dataset.reading import read_dataset
from annotation.dataset.rows import DataSet, Row, text_hash
from annotation.dataset.splitting import split
from annotation.dataset.too_few import TooFewGroups
from annotation.release import ReleaseSettings
from annotation.release.write import write_release
from dalil.cli import main
from dalil.corpus import Corpus
from dalil.errors import UsageError

PLAIN = '[corpus]\nname = "small"\n'


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eleven claims of four documents each, one of which, unrelated, is the same for all."""

    def shared(number: int) -> str:
        return text(3 if number % 10 == (3 - number // 10) % 4 else number)

    monkeypatch.setattr("toyrelease.text", shared)
    toy(tmp_path / "small", 12, toml=PLAIN).close()
    return tmp_path / "small"


def run(*given: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in given])
    return int(stop.value.code or 0)


def test_eleven_claims_that_share_a_document_go_out_in_one_part(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "v1"
    assert run("release", out, small) == 0
    said = capsys.readouterr().out
    assert "43 pairs of 11 claims" in said
    assert "all 43" in said
    assert "without splits: what is kept apart (claim, cluster, article) ties the pairs into 1 group" in said
    assert 'write under [release] of corpus.toml: apart = ["claim", "cluster", "related"]' in said
    assert run("dataset", "verify", out) == 0
    assert "0 differs" in capsys.readouterr().out
    assert sorted(path.name for path in (out / "huggingface").iterdir()) == ["all.jsonl"]
    assert {row.split for row in read_dataset(out).rows} == {"all"}
    card = (out / "README.md").read_text("utf-8")
    assert "None: all pairs are one part. There are too few groups" in card
    assert "بلا أقسام: كل الأزواج جزء واحد." in card
    assert json.loads((out / "release.json").read_text("utf-8"))["split"]["sizes"] == {"all": 43}


def test_the_hub_reads_one_part_as_train(small: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    with Corpus.open(small) as corpus:
        write_release(corpus, tmp_path / "v1")
    found = datasets.load_dataset(str(tmp_path / "v1"), cache_dir=str(tmp_path / "cache"))
    assert {name: len(part) for name, part in found.items()} == {"train": 43}


def test_what_the_note_says_makes_splits(small: Path, tmp_path: Path) -> None:
    with Corpus.open(small) as corpus:
        note = write_release(corpus, tmp_path / "v1").notes[0]
    line = note.partition("corpus.toml: ")[2]
    (small / "corpus.toml").write_text(f"{PLAIN}\n[release]\n{line}\n", "utf-8")
    with Corpus.open(small) as corpus:
        made = write_release(corpus, tmp_path / "v2")
    assert list(made.sizes) == ["train", "dev", "test"]
    assert all(made.sizes.values())


@pytest.mark.parametrize(
    "lines",
    [
        'apart = ["claim", "cluster", "article"]',
        "folds = 5",
        "shares = { train = 0.5, test = 0.5 }",
        'by = "site"',
        'by = "country"',
        "near_duplicate = 0.9",
    ],
)
def test_a_split_that_is_stated_is_never_left_out_and_every_line_of_the_advice_works(
    lines: str, small: Path, tmp_path: Path
) -> None:
    (small / "corpus.toml").write_text(f"{PLAIN}\n[release]\n{lines}\n", "utf-8")
    with Corpus.open(small) as corpus, pytest.raises(UsageError, match="1 group for . splits") as raised:
        write_release(corpus, tmp_path / "v0")
    advice = str(raised.value.todo).partition("corpus.toml: ")[2]
    ways = [way.partition(" (")[0] for way in advice.split(", or ")]
    assert ways[-1] == "shares = { all = 1 }"
    assert len(ways) > 1
    for number, way in enumerate(ways, 1):
        said = "\n".join(way.split(" and "))
        keys = tomllib.loads(said).keys() | ({"folds"} if "shares" in way else set())
        kept = "" if lines.split()[0] in keys else lines
        (small / "corpus.toml").write_text("\n".join([PLAIN, "[release]", kept, said]), "utf-8")
        with Corpus.open(small) as corpus:
            assert write_release(corpus, tmp_path / f"v{number}").pairs == 43


def test_one_part_can_be_asked_for(small: Path, tmp_path: Path) -> None:
    (small / "corpus.toml").write_text(f"{PLAIN}\n[release]\nshares = {{ whole = 1 }}\n", "utf-8")
    with Corpus.open(small) as corpus:
        made = write_release(corpus, tmp_path / "v1")
        assert (dict(made.sizes), made.notes) == ({"whole": 43}, ())
        again = ReleaseSettings(manifest=str(tmp_path / "v1" / "manifest.csv"))
        assert dict(write_release(corpus, tmp_path / "v2", again).sizes) == {"whole": 43}
        for shares, what in (({"all": 0.7}, "a share of 0.7"), ({"a/b": 1.0}, "name of a file")):
            with pytest.raises(UsageError, match=what):
                write_release(corpus, tmp_path / "v3", ReleaseSettings(shares=shares))


def test_a_single_claim_is_released(tmp_path: Path) -> None:
    with toy(tmp_path / "two", 2, toml=PLAIN) as corpus:
        made = write_release(corpus, tmp_path / "v1")
    assert (made.claims, dict(made.sizes)) == (1, {"all": 3})
    assert "to have splits" not in made.notes[0]


BODIES = st.integers(0, 9)


@st.composite
def sets(draw: st.DrawFn) -> DataSet:
    found = draw(
        st.lists(
            st.tuples(st.integers(0, 6), BODIES, st.sampled_from(["agree", "unrelated"])),
            min_size=1,
            max_size=25,
        )
    )
    rows = [
        Row(f"p{n}", f"c{claim}", f"ادعاء {claim}", label, text_hash(str(body)), site=f"s{claim % 2}")
        for n, (claim, body, label) in enumerate(found)
    ]
    return DataSet("drawn", "rows", tuple(rows), ("agree", "unrelated"))


def options(way: str) -> dict[str, Any]:
    """What a line of options of `dalil dataset split` asks for."""
    found: dict[str, Any] = {"by": "rows"} if "without --by" in way else {}
    way = way.replace("without --by", "").replace(" and ", "").removeprefix("with ")
    named = [part.strip().split(maxsplit=1) for part in way.split("--") if part.strip()]
    for name, value in named:
        value = value.strip()
        if name == "apart":
            found["apart"] = words(value)
        elif name == "folds":
            found["folds_"] = int(value)
        else:
            found.setdefault("given", []).append(value)
    if "given" in found:
        found["shares"] = parse_shares(found.pop("given"))
    return found


@settings(max_examples=60, deadline=None)
@given(
    drawn=sets(),
    folds=st.none() | st.integers(2, 5),
    apart=st.sampled_from(
        [("claim", "cluster", "article"), ("claim", "body"), ("claim", "cluster", "related")]
    ),
    by=st.sampled_from(["rows", "site"]),
)
def test_options_that_are_named_for_a_split_are_options_that_work(
    drawn: DataSet, folds: int | None, apart: tuple[str, ...], by: str
) -> None:
    wanted: dict[str, Any] = {"folds_": folds, "apart": apart, "by": by}
    try:
        outcome = split(drawn, asked(**wanted))
    except TooFewGroups as few:
        todo = str(few.todo)
        for way in todo.removeprefix("ask ").split(", or ") if todo.startswith("ask ") else ():
            asked_for = wanted | options(way)
            if "shares" in asked_for:
                asked_for["folds_"] = None
            assert len(split(drawn, asked(**asked_for)).splits) == len(drawn)
        return
    for note in outcome.notes:  # what is said to be more is more, as printed
        if note.startswith("the largest group has"):
            numbers = [
                int("".join(filter(str.isdigit, word)))
                for word in note.split()
                if any(map(str.isdigit, word))
            ]
            assert numbers[0] > numbers[1], note


def test_a_group_as_large_as_the_smallest_split_limits_nothing() -> None:
    """64 pairs, of which the smallest split is to have 9: a group of 9 fits it, one of 10 does not."""
    for largest, noted in ((9, False), (10, True)):
        sizes = [largest, *([2] * ((64 - largest) // 2)), *([1] * ((64 - largest) % 2))]
        rows = tuple(
            Row(f"p{claim}-{n}", f"c{claim}", f"ادعاء {claim}", "agree", text_hash(f"{claim} {n}"))
            for claim, size in enumerate(sizes)
            for n in range(size)
        )
        notes = split(DataSet("n", "rows", rows, ("agree",)), asked(apart=("claim",))).notes
        assert any("largest group" in note for note in notes) is noted, (largest, notes)
