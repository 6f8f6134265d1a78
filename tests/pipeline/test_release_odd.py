"""Releases of odd corpora: words with markup, labels of any letters, records that are gone, free answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from toyrelease import LABELS, toy

from annotation.dataset.checks import Check
from annotation.dataset.fetch import fetch
from annotation.dataset.reading import read_dataset
from annotation.dataset.release_checks import release_checks
from annotation.release import ReleaseSettings
from annotation.release.write import write_release
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Annotation, Article, Claim, Gold, Record
from dalil.wording import counted

OWN = ReleaseSettings(apart=("claim",))
ODD = "a|b\nc</div><script>x</script> `q` *s* [l](u) \"' \\ \x01 \x85 \u2028 \u202e"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return toy(tmp_path / "toy", 6, 3)


def change(corpus: Corpus, kind: type[Record], **values: object) -> None:
    with corpus.store.transaction() as writer:
        writer.put([found.model_copy(update=values) for found in corpus.store.all(kind)])


def wrong(folder: Path) -> list[Check]:
    return [check for check in release_checks(folder, read_dataset(folder)) if check.status == "differs"]


def test_names_from_the_data_are_names_on_the_card(corpus: Corpus, tmp_path: Path) -> None:
    change(corpus, Claim, site=ODD, country=ODD, domain=ODD)
    own = OWN.model_copy(update={"title": ODD, "title_ar": ODD})
    write_release(corpus, tmp_path / "v1", own)
    card = (tmp_path / "v1" / "README.md").read_text("utf-8").split("---\n", 2)[2]
    assert "<script" not in card
    assert card.count("</div>") == 2
    for line in card.split("\n"):
        if line.startswith("|"):
            assert line.endswith("|"), line
    assert wrong(tmp_path / "v1") == []
    assert {row.site for row in read_dataset(tmp_path / "v1").rows} == {corpus_site(corpus)}


def corpus_site(corpus: Corpus) -> str:
    return next(iter(corpus.store.all(Claim))).site


@pytest.mark.parametrize("label", ["ص عب", 'x "é"/|,', "a\tb", "soft_agree", "-", "A"])
def test_labels_of_any_letters_keep_every_form_valid(label: str, corpus: Corpus, tmp_path: Path) -> None:
    gold = list(corpus.store.all(Gold))
    with corpus.store.transaction() as writer:
        writer.put([one.model_copy(update={"label": label}) for one in gold if one.label == LABELS[0]])
    write_release(corpus, tmp_path / "v1", OWN)
    assert wrong(tmp_path / "v1") == []
    assert label in read_dataset(tmp_path / "v1").labels


@pytest.mark.parametrize("kind", [Claim, Article])
def test_a_judged_pair_whose_records_are_gone_is_dropped_with_a_reason(
    kind: type[Record], corpus: Corpus, tmp_path: Path
) -> None:
    whole = write_release(corpus, tmp_path / "v1", OWN)
    first = min(found.id for found in corpus.store.all(kind))  # type: ignore[attr-defined]
    with corpus.store.transaction() as writer:
        writer.delete(kind, [first])
    part = write_release(corpus, tmp_path / "v2", OWN)
    assert part.pairs < whole.pairs
    lines = (tmp_path / "v2" / "dropped.jsonl").read_text("utf-8").split("\n")
    gone = [json.loads(line) for line in lines if "claim_or_article_gone" in line]
    assert len(gone) == whole.pairs - part.pairs
    assert all(first in one["detail"] for one in gone)
    assert part.dropped_claims == whole.dropped_claims
    assert f"{counted(len(gone), 'pair')} whose claim or article is gone" in part.notes[-1]


@pytest.mark.parametrize("scheme", ["arastance", "not_at_hand"])
def test_what_annotators_wrote_freely_stays_in_the_corpus(
    scheme: str, corpus: Corpus, tmp_path: Path
) -> None:
    free = {"why": "كتب بشير بيده", "confidence": 4, "sentences": [[0, 3]]}
    change(corpus, Annotation, scheme=scheme, answers=free)
    write_release(corpus, tmp_path / "v1", OWN)
    for path in (tmp_path / "v1").rglob("*"):
        assert not path.is_file() or "كتب بشير".encode() not in path.read_bytes(), path.name
    first = json.loads((tmp_path / "v1" / "annotations.jsonl").read_text("utf-8").split("\n")[0])
    assert first["answers"]["confidence"] == 4


@pytest.mark.parametrize("name", [".", "../here", "a/.."])
def test_the_folder_one_stands_in_is_never_replaced(
    name: str, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(UsageError, match="the folder that you are in"):
        write_release(corpus, Path(name), OWN)
    with pytest.raises(UsageError, match="the folder that you are in"):
        fetch("arastance", Path(name))
    assert Path.cwd() == tmp_path / "here"
