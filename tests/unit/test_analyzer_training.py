"""`dalil models`: listing, training from small corpora, the same bytes twice, clear refusals."""

import gzip
import json
import random

import pytest
from click.testing import CliRunner

from dalil.errors import DalilError
from retrieval.analyzers import corpora
from retrieval.analyzers.embedded import WEIGHTS, Embedded
from retrieval.model_commands import models

NOUNS = ["الرجل", "الطبيب", "الكتاب", "البيت", "الخبر", "السوق"]
VERBS = ["باع", "قرأ", "كتب", "نفى", "زار"]
PLACES = ["مصر", "لبنان", "دمشق", "تونس"]


def sentences(count):
    chance = random.Random(0)
    for _ in range(count):
        yield chance.choice(VERBS), chance.choice(NOUNS), chance.choice(PLACES)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Corpora of a kind: verb, noun, في, place and a full stop; news of the same."""
    folder = tmp_path_factory.mktemp("corpora")
    trees, names, news = [], [], []
    for number, (verb, noun, place) in enumerate(sentences(60)):
        rows = [
            (verb, "VERB", 0, "root"),
            (noun, "NOUN", 1, "nsubj"),
            ("في", "ADP", 4, "case"),
            (place, "PROPN", 1, "obl"),
        ]
        lines = [
            f"{i}\t{word}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t_"
            for i, (word, upos, head, relation) in enumerate(rows, 1)
        ]
        text = " ".join(row[0] for row in rows)
        trees.append("\n".join([f"# sent_id = s{number}", f"# text = {text}", *lines]) + "\n")
        names.append(f"{verb} O\n{noun} O\nفي O\n{place} B-LOC\n. O\n")
        news.append(json.dumps({"title": None, "text": f"{text}. رقم {number}"}, ensure_ascii=False))
    for (sub, name), text in {
        corpora.PUD: "\n".join(trees),
        corpora.PUD_TEST: "\n".join(f"s{n}" for n in range(50, 60)),
        corpora.ANERCORP: "".join(names),
    }.items():
        (folder / sub).mkdir(exist_ok=True)
        (folder / sub / name).write_text(text, encoding="utf-8")
    (folder / "ant_multisource").mkdir()
    (folder / "ant_multisource" / "articles.jsonl.gz").write_bytes(gzip.compress("\n".join(news).encode()))
    return folder


def run(*arguments):
    return CliRunner().invoke(models, list(map(str, arguments)), catch_exceptions=False)


@pytest.fixture(scope="module")
def trained(root, tmp_path_factory):
    out = tmp_path_factory.mktemp("weights")
    for name in ("clusters", "embedded"):
        result = run("train", name, "--data", root, "--out", out, "--json")
        assert result.exit_code == 0
    return out, json.loads(result.stdout)


def test_training_gives_weights_cards_and_figures(trained):
    out, report = trained
    assert {path.name for path in out.iterdir()} == {*WEIGHTS, "tagger.md", "ner.md", "clusters.md"}
    assert report["verb F"] == 1.0
    assert report["cut, exact"] == 1.0
    assert report["names LOC, model alone, F"] == 1.0
    assert "| all | 1.000, 1.000, 1.000 |" in (out / "ner.md").read_text(encoding="utf-8")
    from dalil.resources import data

    analysis = Embedded(out, data("names")).analyse("باع الطبيب في تونس")
    assert [token.upos for token in analysis.tokens] == ["VERB", "NOUN", "ADP", "PROPN"]
    assert [entity.text for entity in analysis.entities] == ["تونس"]


def test_training_again_gives_the_same_bytes(trained, root, tmp_path):
    out, _ = trained
    for name in ("clusters", "embedded"):
        run("train", name, "--data", root, "--out", tmp_path, "--quiet")
    for path in out.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonesuch", "--data", "."), "use one of: embedded, clusters"),
        (("embedded", "--data", "no-such-folder"), "no such folder"),
        (("embedded", "--data", "."), "test_ids.txt: is missing"),
        (("clusters", "--data", "."), "articles.jsonl.gz: is missing"),
    ],
)
def test_refusals_say_what_to_do(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DalilError) as error:
        run("train", *arguments, "--out", tmp_path / "out", "--quiet")
    assert message in error.value.line()


def test_news_that_are_no_json_are_named_by_line(root, tmp_path):
    folder = tmp_path / "ant_multisource"
    folder.mkdir()
    (folder / "articles.jsonl.gz").write_bytes(gzip.compress(b'{"text": "a"}\n{\n'))
    with pytest.raises(DalilError, match="gz:2: is no JSON"):
        run("train", "clusters", "--data", tmp_path, "--out", tmp_path / "out", "--quiet")


def test_the_list_says_which_can_run():
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert rows["embedded"]["ready"] is True
    assert rows["embedded"]["why_not"] is None
    assert sum(row["chosen_by_auto"] for row in rows.values()) == 1
    assert "embedded" in run("list").stdout
