"""Train the embedded analyzer's two CRFs and write their cards: `dalil models train embedded`.

Deterministic: one thread, no random start, compressed without a time stamp. The same corpora,
cluster table, name lists and library versions give the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dalil.errors import DalilError, InputError
from dalil.resources import data
from retrieval.analyzers import clusters, evaluate, names
from retrieval.analyzers.cards import ner_card, tagger_card
from retrieval.analyzers.corpora import read_anercorp, read_pud
from retrieval.analyzers.crf import Crf
from retrieval.analyzers.crf import train as fit
from retrieval.analyzers.embedded import NER, TAGGER, Embedded
from retrieval.analyzers.features import Lexicon, name_features, tag_features

TAGGER_SETTINGS = {"c1": 0.1, "c2": 0.05, "max_iterations": 80}
NER_SETTINGS = {"c1": 0.1, "c2": 0.01, "max_iterations": 100}
"""Chosen on parts of the training data alone (benchmarks/analyzer_embedded.md)."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training run gives: figures on the test parts, and the files written."""

    tagger: evaluate.TaggerFigures
    ner: dict[str, evaluate.Score]
    files: tuple[Path, ...]


def train(root: Path, out: Path, say: Callable[[str], None]) -> Trained:
    """Train on the corpora below `root` and write weights and cards to `out`.

    The cluster table is the one in `out`, else the shipped one. Raises InputError for a corpus
    that is missing or damaged, DalilError when there is no cluster table.
    """
    trees, test_trees = read_pud(root)
    sentences, test_sentences = read_anercorp(root)
    out.mkdir(parents=True, exist_ok=True)
    table = _cluster_table(out)
    say("places: territories and cities")
    names.write_places(out / names.PLACES, names.places())
    lists = data("names")
    lexicon = Lexicon(clusters.load(table), names.load(lists, out / names.PLACES))

    say(f"tagger: {len(trees)} sentences of UD Arabic-PUD")
    fit(
        [(tag_features([word.text for word in tree.words], lexicon), tree.tags) for tree in trees],
        out / TAGGER,
        TAGGER_SETTINGS,
    )
    tagger = Crf(out / TAGGER)
    say(f"names: {len(sentences)} sentences of ANERcorp (a minute or two)")
    fit(
        [
            (name_features(sent.tokens, tagger.tag(tag_features(sent.tokens, lexicon)), lexicon), sent.tags)
            for sent in sentences
        ],
        out / NER,
        NER_SETTINGS,
    )
    say("measuring on the test parts")
    model = Embedded(out, lists)
    figures = Trained(
        evaluate.tagger(model, test_trees),
        evaluate.ner([sent.tags for sent in test_sentences], evaluate.find_all(model, test_sentences)),
        tuple(out / name for name in (TAGGER, NER, clusters.FILE, names.PLACES)),
    )
    (out / "tagger.md").write_text(tagger_card(figures.tagger, TAGGER_SETTINGS), encoding="utf-8")
    (out / "ner.md").write_text(ner_card(figures.ner, NER_SETTINGS), encoding="utf-8")
    return figures


def _cluster_table(out: Path) -> Path:
    table = out / clusters.FILE
    if not table.is_file():
        try:
            shipped = data("analyzers", "embedded", clusters.FILE)
        except DalilError as error:
            todo = "make it first: dalil models train clusters --data FOLDER --out FOLDER"
            raise InputError("there is no cluster table", where=table, todo=todo) from error
        shutil.copyfile(shipped, table)
    return table
