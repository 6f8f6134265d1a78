"""A release: complete, readable by others, without names, the same bytes each time, damage named."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import toyrelease
from toyrelease import PEOPLE, SECRET_NOTE, TOML, toy

from annotation.dataset.checks import Check
from annotation.dataset.reading import read_dataset
from annotation.dataset.release_checks import release_checks
from annotation.release import ReleaseSettings
from annotation.release.write import release, write_release
from dalil.cli import main
from dalil.corpus import Corpus
from dalil.errors import DalilError, StateError, UsageError
from dalil.records import Dropped, Gold
from dalil.status import status


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora") / "toy"
    toy(folder).close()
    return folder


@pytest.fixture(scope="module")
def released(corpus: Path) -> Path:
    with Corpus.open(corpus) as opened:
        assert release(opened, corpus / "release" / "v1") == 43
    return corpus / "release" / "v1"


def rows(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "pairs.jsonl").read_text("utf-8").split("\n") if line]


def wrong(folder: Path) -> list[Check]:
    return [check for check in release_checks(folder, read_dataset(folder)) if check.status == "differs"]


def test_every_file_that_the_card_names_is_there(released: Path) -> None:
    found = {path.relative_to(released).as_posix() for path in released.rglob("*") if path.is_file()}
    splits = ("train", "dev", "test")
    assert found == {
        "README.md",
        "pairs.jsonl",
        "pairs.csv",
        "pairs.parquet",
        "annotations.jsonl",
        "annotations.csv",
        "provenance.jsonl",
        "dropped.jsonl",
        "manifest.csv",
        "release.json",
        "croissant.json",
        "CITATION.cff",
        "references.bib",
        "SHA256SUMS",
        "figures/labels.png",
        *(f"arastance/{name}.jsonl" for name in splits),
        *(f"huggingface/{name}.jsonl" for name in splits),
    }
    assert wrong(released) == []


def test_claims_with_unrelated_documents_only_are_dropped_with_a_reason(corpus: Path, released: Path) -> None:
    assert {row["claim_id"] for row in rows(released)} == {f"claim-{number:02}" for number in range(11)}
    dropped = [
        json.loads(line) for line in (released / "dropped.jsonl").read_text("utf-8").split("\n") if line
    ]
    assert dropped == [
        {
            "stage": "release",
            "key": "claim-11",
            "reason": "all_unrelated",
            "detail": "4 documents, all unrelated",
        }
    ]
    with Corpus.open(corpus, writable=False) as opened:
        assert status(opened).dropped["release"] == {"all_unrelated": 1}
        assert opened.store.count(Dropped, stage="release") == 1
    assert "| release: all_unrelated | 1 |" in (released / "README.md").read_text("utf-8")


def test_no_name_no_note_no_key_and_no_place_leaves_the_corpus(corpus: Path, released: Path) -> None:
    key = (corpus / "annotators.key").read_text("ascii").strip()
    assert (corpus / "annotators.key").stat().st_mode & 0o077 == 0
    for path in released.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for private in (*PEOPLE, SECRET_NOTE, key, str(corpus)):
                assert private.encode() not in content, (path.name, private)
    lines = [
        json.loads(line) for line in (released / "annotations.jsonl").read_text("utf-8").split("\n") if line
    ]
    assert len({line["annotator"] for line in lines}) == 3
    assert all("seconds" not in line and "note" not in line for line in lines)
    assert {line["round"] for line in lines} == {"main", "adjudication"}
    assert sum(not line["released"] for line in lines) == 2 * 5


def test_the_same_corpus_gives_the_same_bytes(corpus: Path, released: Path, tmp_path: Path) -> None:
    with Corpus.open(corpus) as opened:
        release(opened, tmp_path / "again")
    for path in sorted(released.rglob("*")):
        if path.is_file():
            again = tmp_path / "again" / path.relative_to(released)
            assert again.read_bytes() == path.read_bytes(), path.name


def test_jsonl_csv_and_parquet_hold_the_same_table_for_pandas(released: Path) -> None:
    import pandas

    lines = pandas.read_json(released / "pairs.jsonl", lines=True, dtype=False)
    table = pandas.read_csv(released / "pairs.csv", encoding="utf-8-sig")
    parquet = pandas.read_parquet(released / "pairs.parquet")
    assert len(lines) == len(table) == len(parquet) == 43
    assert list(table.columns) == list(parquet.columns)
    for column in ("id", "claim", "label", "split", "article", "article_url", "pair_hash", "veracity"):
        assert list(lines[column]) == list(parquet[column])
    # a CSV cell keeps the text but for the line ends that pandas reads as they stand
    assert list(table["article"]) == list(parquet["article"])
    assert list(parquet["soft_agree"]) == [soft["agree"] for soft in lines["soft"]]
    assert (released / "pairs.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert (released / "pairs.jsonl").read_text("utf-8").count("\n") == 43


def test_hugging_face_datasets_loads_it_offline(released: Path, tmp_path: Path) -> None:
    program = (
        "import sys, json\nfrom datasets import load_dataset\n"
        "found = load_dataset(sys.argv[1])\n"
        "print(json.dumps({name: part.num_rows for name, part in found.items()}))\n"
        "print(json.dumps(found['train'].features['stance'].names))\n"
        "print(json.dumps(found['train'][0], ensure_ascii=False))\n"
    )
    import os

    env = os.environ | {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(tmp_path),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-c", program, str(released)],
        capture_output=True,
        text=True,
        env=env,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Ignoring" not in done.stderr
    sizes, names, first = (json.loads(line) for line in done.stdout.strip().split("\n"))
    said = json.loads((released / "release.json").read_text("utf-8"))["split"]["sizes"]
    assert sizes == {"train": said["train"], "validation": said["dev"], "test": said["test"]}
    assert names == ["Agree", "Disagree", "Discuss", "Unrelated"]
    row = next(row for row in rows(released) if row["id"] == first["pair_id"])
    assert (row["claim"], row["article"], row["label"]) == (
        first["claim"],
        first["article"],
        names[first["stance"]].lower(),
    )


def test_arastances_layout_reads_back_as_the_same_pairs(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["dataset", "diff", str(released / "arastance"), str(released)])
    assert capsys.readouterr().out == "equal: 43 pairs\n"
    assert stop.value.code == 0
    first = json.loads((released / "arastance" / "train.jsonl").read_text("utf-8").split("\n")[0])
    assert len(first["article"]) == len(first["stance"]) == len(first["article_url"])
    assert set(first["stance"]) <= {"Agree", "Disagree", "Discuss", "Unrelated"}


def test_agreement_of_the_released_judgements_is_that_of_the_corpus(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["agreement", "--json", str(released / "annotations.csv")])
    assert stop.value.code == 0
    report = json.loads(capsys.readouterr().out)
    said = json.loads((released / "release.json").read_text("utf-8"))["agreement"]
    mine = {figure["name"]: figure["value"] for figure in report["first"]["coefficients"]}
    for figure in said["first"]:
        assert figure["interval"]["low"] <= figure["value"] <= figure["interval"]["high"]
        if figure["name"] == "raw_agreement":
            assert mine["raw_agreement"] == pytest.approx(figure["value"])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # mlcroissant's use of rdflib
def test_croissant_validates_and_gives_the_rows(released: Path) -> None:
    import mlcroissant

    found = mlcroissant.Dataset(jsonld=released / "croissant.json")
    assert not found.metadata.issues.errors
    first = next(iter(found.records("pairs")))
    assert first["pairs/id"].decode() == rows(released)[0]["id"]
    assert first["pairs/rank"] == rows(released)[0]["rank"]
    for file in json.loads((released / "croissant.json").read_text("utf-8"))["distribution"]:
        assert hashlib.sha256((released / file["contentUrl"]).read_bytes()).hexdigest() == file["sha256"]


def test_yaml_of_card_and_citation_is_yaml_and_says_what_it_should(released: Path) -> None:
    import yaml

    head = yaml.safe_load((released / "README.md").read_text("utf-8").split("---\n")[1])
    assert head["pretty_name"] == 'مدونة صغيرة: "toy" & more'
    assert head["license"] == "cc-by-4.0"
    assert [part["split"] for part in head["configs"][0]["data_files"]] == ["train", "validation", "test"]
    cite = yaml.safe_load((released / "CITATION.cff").read_text("utf-8"))
    assert cite["cff-version"] == "1.2.0"
    assert cite["authors"] == [
        {"family-names": "Haddad", "given-names": "Amal"},
        {"name": "Research Group"},
    ]
    assert cite["date-released"] == "2024-06-01"
    bib = (released / "references.bib").read_text("utf-8")
    assert r"\& more" in bib
    assert bib.count("{") == bib.count("}")


def test_the_card_speaks_both_languages_with_the_same_numbers(released: Path) -> None:
    card = (released / "README.md").read_text("utf-8")
    english, arabic = card.split('<div dir="rtl" lang="ar">')
    for words in (
        "## Funnel",
        "## Agreement",
        "## Annotators",
        "## Licence",
        "## Terms of the sites",
        "## Ethics",
    ):
        assert words in english
    for words in (
        "## من الادعاءات إلى ما نُشر",
        "## المحكّمون",
        "## الترخيص",
        "## شروط المواقع",
        "## الأخلاقيات",
    ):
        assert words in arabic
    table = "| {} | 43 |"
    assert table.format("released pairs") in english
    assert table.format("الأزواج المنشورة") in arabic
    assert "Fleiss κ" in english
    assert "95%" in english


def test_a_row_is_traced_to_query_day_rule_and_judgement(released: Path) -> None:
    found = [
        json.loads(line) for line in (released / "provenance.jsonl").read_text("utf-8").split("\n") if line
    ]
    assert [one["id"] for one in found] == [row["id"] for row in rows(released)]
    one = found[0]
    assert one["found_by"][0] == {
        "engine": "collection",
        "rank": 1,
        "variants": ["claim", "claim+date"],
        "query": "ادعاء رقم 0 عن سماء",
        "start": None,
        "end": None,
        "url": "https://nahr.example/2018/0",
        "day": "2024-05-06",
        "marks": [],
    }
    assert (
        one["document"]["archive_url"]
        == "https://web.archive.org/web/20240506080000/https://nahr.example/2018/0"
    )
    assert one["claim"]["rules"] == ["prefix"]
    assert {said["day"] for said in one["label"]["judgements"]} == {"2024-06-01"}


@pytest.mark.parametrize(
    ("name", "damage", "told"),
    [
        (
            "pairs.jsonl",
            lambda text: text.replace('"label": "agree"', '"label": "discuss"', 1),
            "file pairs.jsonl",
        ),
        ("pairs.csv", lambda text: text.replace("claim-00", "claim-0x", 1), "file pairs.csv"),
        ("pairs.jsonl", lambda text: text.replace("فقرة 2:", "فقرة ٢:", 1), "article hashes"),
        ("manifest.csv", lambda text: text.replace(",train", ",test", 1), "manifest"),
        ("SHA256SUMS", lambda text: text + "0" * 64 + "  more.txt\n", "file more.txt"),
        ("croissant.json", lambda text: text.replace('"cr:RecordSet"', '"cr:Nothing"'), "Croissant metadata"),
    ],
)
def test_verify_names_what_was_changed(
    name: str, damage: object, told: str, released: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(released, copy)
    before = (copy / name).read_bytes().decode("utf-8")
    after = damage(before)  # type: ignore[operator]
    assert after != before
    (copy / name).write_bytes(after.encode("utf-8"))
    assert told in {check.name for check in wrong(copy)}


def test_verify_sees_a_promise_that_is_not_kept(released: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(released, copy)
    lines = (copy / "pairs.jsonl").read_text("utf-8").split("\n")
    place = next(n for n, line in enumerate(lines) if '"split": "train"' in line)
    lines[place] = lines[place].replace('"split": "train"', '"split": "test"')
    (copy / "pairs.jsonl").write_text("\n".join(lines), "utf-8", newline="\n")
    names = {check.name for check in wrong(copy)}
    assert {
        "file pairs.jsonl",
        "no claim in two splits",
        "manifest",
        "pairs.csv agrees with pairs.jsonl",
    } <= names


def test_without_texts_no_text_is_in_any_file_and_rehydrate_fills_them(
    corpus: Path, released: Path, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["release", "--no-text", str(tmp_path / "bare"), str(corpus)])
    assert stop.value.code == 0
    for path in (tmp_path / "bare").rglob("*"):
        if path.is_file():
            assert "سطر ثان".encode() not in path.read_bytes(), path.name
            assert "عنوان 1".encode() not in path.read_bytes(), path.name
    assert wrong(tmp_path / "bare") == []
    kept = rows(tmp_path / "bare")[0]
    assert kept["article_hash"] == rows(released)[0]["article_hash"]
    assert str(kept["archive_url"]).startswith("https://web.archive.org/web/2024")
    with pytest.raises(SystemExit) as stop:
        main(
            [
                "dataset",
                "rehydrate",
                "--offline",
                "--texts",
                str(released),
                str(tmp_path / "bare"),
                str(tmp_path / "full"),
            ]
        )
    assert stop.value.code == 0
    assert [row["article"] for row in rows(tmp_path / "full")] == [row["article"] for row in rows(released)]
    assert {row["text_state"] for row in rows(tmp_path / "full")} == {"same"}


def test_what_rehydrate_cannot_have_is_listed_with_its_reason(
    corpus: Path, released: Path, tmp_path: Path
) -> None:
    with Corpus.open(corpus) as opened:
        write_release(opened, tmp_path / "bare", ReleaseSettings(texts=False, apart=("claim",)))
    part = tmp_path / "part"
    part.mkdir()
    shutil.copy(released / "arastance" / "train.jsonl", part / "train.jsonl")
    words = [
        "dataset",
        "rehydrate",
        "--offline",
        "--json",
        "--texts",
        str(part),
        str(tmp_path / "bare"),
        str(tmp_path / "full"),
    ]
    with pytest.raises(SystemExit):
        main(words)
    with (tmp_path / "full" / "missing.csv").open(encoding="utf-8-sig", newline="") as file:
        missing = list(csv.DictReader(file))
    trained = json.loads((released / "release.json").read_text("utf-8"))["split"]["sizes"]["train"]
    assert len(missing) == 43 - trained
    assert {row["reason"] for row in missing} == {"in_no_data_set"}
    assert {row["id"] for row in missing} == {
        row["id"] for row in rows(tmp_path / "full") if row["article"] is None
    }


def test_a_manifest_keeps_an_earlier_releases_split(corpus: Path, released: Path, tmp_path: Path) -> None:
    words = [
        "release",
        "--seed",
        "9",
        "--manifest",
        str(released / "manifest.csv"),
        str(tmp_path / "v2"),
        str(corpus),
    ]
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 0
    assert [row["split"] for row in rows(tmp_path / "v2")] == [row["split"] for row in rows(released)]
    assert wrong(tmp_path / "v2") == []


def test_a_failure_half_way_leaves_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("annotation.release.files.write_sums", full)
    with Corpus.open(corpus) as opened, pytest.raises(StateError, match="No space left"):
        release(opened, tmp_path / "v1")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_release_left_is_no_hindrance(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "v1.part" / "arastance").mkdir(parents=True)
    (tmp_path / "v1.part" / "arastance" / "stale.jsonl").write_text("{}", "utf-8")
    with Corpus.open(corpus) as opened:
        release(opened, tmp_path / "v1")
    assert [path.name for path in tmp_path.iterdir()] == ["v1"]
    assert not (tmp_path / "v1" / "arastance" / "stale.jsonl").exists()
    assert wrong(tmp_path / "v1") == []


def test_what_cannot_be_released_says_why(corpus: Path, released: Path, tmp_path: Path) -> None:
    with Corpus.open(corpus) as opened, pytest.raises(UsageError, match="not empty"):
        release(opened, released)
    with toy(tmp_path / "none", 2) as opened:
        with opened.store.transaction() as writer:
            writer.delete(Gold, opened.store.ids(Gold))
        with pytest.raises(DalilError, match="no pair has a gold label yet"):
            release(opened, tmp_path / "out")
    with toy(tmp_path / "one", 1) as opened, pytest.raises(DalilError, match="unrelated documents only"):
        release(opened, tmp_path / "out")
    with toy(tmp_path / "few", 3) as opened, pytest.raises(UsageError, match=r"groups? for 3 splits"):
        release(opened, tmp_path / "out")


def test_a_corpus_that_cannot_be_written_is_released_all_the_same(
    corpus: Path, released: Path, tmp_path: Path
) -> None:
    with Corpus.open(corpus, writable=False) as opened:
        assert release(opened, tmp_path / "v1") == 43


def test_gold_without_judgements_is_released_and_says_so(tmp_path: Path) -> None:
    from dalil.records import Annotation, Decision

    with toy(tmp_path / "imported", 8) as opened:
        with opened.store.transaction() as writer:
            for kind in (Annotation, Decision):
                writer.delete(kind, opened.store.ids(kind))
        release(opened, tmp_path / "v1")
    card = (tmp_path / "v1" / "README.md").read_text("utf-8")
    assert "no judgements of its own" in card
    for name in ("annotations.jsonl", "annotations.csv", "skips.jsonl"):
        assert not (tmp_path / "v1" / name).exists()
        assert name not in card
    assert rows(tmp_path / "v1")[0]["soft"] is None
    assert wrong(tmp_path / "v1") == []


def test_folds_and_splits_by_time_are_released_too(tmp_path: Path) -> None:
    with toy(tmp_path / "folds", 12, toml=TOML + "folds = 3\n") as opened:
        assert list(write_release(opened, tmp_path / "v1").sizes) == ["fold_1", "fold_2", "fold_3"]
    with toy(tmp_path / "time", 12, toml=TOML + 'by = "time"\n') as opened:
        write_release(opened, tmp_path / "v2")
    assert wrong(tmp_path / "v1") == wrong(tmp_path / "v2") == []
    assert toyrelease.TOML in TOML
