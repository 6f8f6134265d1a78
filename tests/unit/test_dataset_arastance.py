"""AraStance-form files: every published cell is checked, and every change to a file is named."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from standin import StandInClaim, stand_in, words, write, write_numbered

from annotation.dataset.checks import Check, figures
from annotation.dataset.options import asked
from annotation.dataset.published import published
from annotation.dataset.reading import read_dataset
from annotation.dataset.rows import DataSet, label_counts
from annotation.dataset.splitting import split
from annotation.dataset.tables import source_table, split_table
from dalil.cli import main
from dalil.errors import InputError

STATED = published("arastance")
CLAIMS = stand_in()


@pytest.fixture
def claims() -> list[StandInClaim]:
    return copy.deepcopy(CLAIMS)


def differing(folder: Path, order: tuple[str, ...] = ()) -> dict[str, Check]:
    return {
        check.name: check
        for check in figures(read_dataset(folder, order), STATED)
        if check.status == "differs"
    }


def read(claims: list[StandInClaim], folder: Path) -> DataSet:
    return read_dataset(write(claims, folder))


def test_the_published_margins_pass_cell_by_cell(claims: list[StandInClaim], tmp_path: Path) -> None:
    data = read(claims, tmp_path / "a")
    checks = figures(data, STATED)
    assert {check.status for check in checks} == {"ok"}
    names = {check.name for check in checks}
    assert {"claims", "pairs", "test, discuss", "source Norumers, disagree", "claims that are false"} <= names
    assert len(checks) == 2 + 2 + 4 + 3 * 5 + 4 * 6
    table = source_table(data.rows, data.labels, lambda row: STATED.source_of(row.site or "").name)  # type: ignore[union-attr]
    assert table.rows[1] == ("Dabegaed", "false", 278, 1413, 225, 249, 143, 796)
    assert table.rows[-1] == ("Total", "–", 910, 4063, 1022, 449, 387, 2205)
    assert split_table(data.rows, data.labels, data.splits).rows == (
        ("agree", 739, 129, 154),
        ("disagree", 309, 76, 64),
        ("discuss", 247, 70, 70),
        ("unrelated", 1553, 294, 358),
        ("Total", 2848, 569, 646),
    )


def test_a_changed_cell_is_named_in_both_tables(claims: list[StandInClaim], tmp_path: Path) -> None:
    one = next(c for c in claims if c.split == "dev" and c.source == "Reuters" and "Agree" in c.stance)
    one.stance[one.stance.index("Agree")] = "Discuss"
    found = differing(write(claims, tmp_path / "a"))
    assert set(found) == {
        "label agree",
        "label discuss",
        "dev, agree",
        "dev, discuss",
        "source Reuters, agree",
        "source Reuters, discuss",
    }
    assert (found["dev, agree"].stated, found["dev, agree"].found) == (129, 128)
    assert found["dev, agree"].line() == "differs        dev, agree: found 128, stated 129 (-1)"


def test_a_missing_row_and_a_missing_claim_are_named(claims: list[StandInClaim], tmp_path: Path) -> None:
    one = next(c for c in claims if c.split == "test" and c.source == "Aranews" and len(c.stance) > 1)
    del one.article[0]
    label = one.stance.pop(0).lower()
    found = differing(write(claims, tmp_path / "a"))
    assert {"pairs", f"label {label}", f"test, {label}", "test, total", "source Aranews, articles"} <= set(
        found
    )
    assert "claims" not in found
    claims.remove(one)
    found = differing(write(claims, tmp_path / "b"))
    assert {"claims", "claims that are false", "source Aranews, claims"} <= set(found)


def test_an_added_row_is_named(claims: list[StandInClaim], tmp_path: Path) -> None:
    claims[0].article.append("مقال زائد")
    claims[0].stance.append("Unrelated")
    found = differing(write(claims, tmp_path / "a"))
    assert found["pairs"].found == 4064
    assert "label unrelated" in found


def test_a_claim_in_another_split_or_of_another_source_is_named(
    claims: list[StandInClaim], tmp_path: Path
) -> None:
    moved = next(c for c in claims if c.split == "train")
    moved.split = "test"
    found = differing(write(claims, tmp_path / "a"))
    assert {"train, total", "test, total"} <= set(found)
    assert not any(name.startswith("source") for name in found)
    moved.split = "train"
    moved.url = "https://norumors.net/x" if moved.source != "Norumers" else "https://dabegad.com/x"
    found = differing(write(claims, tmp_path / "b"))
    assert found
    assert all(name.startswith("source") for name in found)


@pytest.mark.parametrize(
    "order", [("discuss", "disagree", "unrelated", "agree"), ("disagree", "agree", "discuss", "unrelated")]
)
def test_labels_mapped_in_another_order_are_named(
    order: tuple[str, ...], claims: list[StandInClaim], tmp_path: Path
) -> None:
    folder = write_numbered(claims, tmp_path / "a", order)
    with pytest.raises(InputError, match="bare number"):
        read_dataset(folder)
    assert not differing(folder, order)
    wrong = differing(folder, STATED.labels)
    assert "label order" in wrong
    seen = dict(zip(STATED.labels, order, strict=True))
    for label, meant in seen.items():
        if label != meant:
            assert f"{label} is {meant}" in wrong["label order"].note


def test_without_addresses_table_3_is_not_checkable_and_never_passed(
    claims: list[StandInClaim], tmp_path: Path
) -> None:
    checks = figures(read_dataset(write(claims, tmp_path / "a", urls=False)), STATED)
    by_source = [check for check in checks if check.name.startswith("source")]
    assert [check.status for check in by_source] == ["not checkable"] * 4
    assert next(c for c in checks if c.name == "claims by veracity").status == "not checkable"
    assert {check.status for check in checks} == {"ok", "not checkable"}


def test_a_label_that_is_none_and_lists_of_unequal_length_stop_the_reading(
    claims: list[StandInClaim], tmp_path: Path
) -> None:
    claims[3].stance[0] = "Agrees"
    with pytest.raises(InputError, match=r"train\.jsonl:4.*must be one of"):
        read(claims, tmp_path / "a")
    claims[3].stance.pop()
    with pytest.raises(InputError, match=r"nothing is left out"):
        read(claims, tmp_path / "b")


def test_verify_ends_with_status_1_and_says_where(
    claims: list[StandInClaim], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write(claims, tmp_path / "good")
    with pytest.raises(SystemExit) as stop:
        main(["dataset", "verify", str(good)])
    assert stop.value.code == 0
    assert "0 differs, 1 found, 0 not checkable" in capsys.readouterr().out
    claims[0].stance[0] = "Discuss" if claims[0].stance[0] != "Discuss" else "Agree"
    bad = write(claims, tmp_path / "bad")
    with pytest.raises(SystemExit) as stop:
        main(["dataset", "verify", "--json", str(bad)])
    assert stop.value.code == 1
    out = capsys.readouterr()
    report = json.loads(out.out)
    assert report["passed"] is False
    assert "differ from what is stated" in out.err


def test_like_arastance_gives_the_published_sizes_and_says_how_labels_differ(
    claims: list[StandInClaim], tmp_path: Path
) -> None:
    data = read(claims, tmp_path / "a")
    outcome = split(data, asked(like="arastance", apart=("claim", "body"), seed=3))
    sizes = {name: outcome.splits.count(name) for name in outcome.names}
    assert sizes == {"train": 2848, "dev": 569, "test": 646}
    made = data.with_splits(outcome.splits)
    cells = {(c.stratum, c.split): c for c in outcome.cells}
    for name, labels in STATED.splits.items():
        found = label_counts((row for row in made.rows if row.split == name), made.labels)
        for label, number in labels.items():
            assert cells[f"label {label}", name].wanted == pytest.approx(number)
            assert cells[f"label {label}", name].got == found[label]
            assert abs(found[label] - number) <= 1
    other = sum(new.split != old.split for new, old in zip(made.rows, data.rows, strict=True))
    assert other > 1000
    assert outcome.notes == (f"{other:,} of 4,063 pairs lie in another split than the files give them",)


def test_like_arastance_on_files_of_another_size_keeps_the_proportions(
    claims: list[StandInClaim], tmp_path: Path
) -> None:
    import random

    claims.append(StandInClaim("Reuters", "train", "https://ara.reuters.com/more", "ادعاء آخر"))
    claims[-1].article = [words(random.Random(1), 30) for _ in range(7)]
    claims[-1].stance = ["Agree"] * 7
    outcome = split(read(claims, tmp_path / "a"), asked(like="arastance", apart=("claim", "body")))
    assert sum(outcome.splits.count(name) for name in outcome.names) == 4070
    cells = {(c.stratum, c.split): c for c in outcome.cells}
    assert cells["size", "train"].wanted == pytest.approx(2848 / 4063 * 4070)
