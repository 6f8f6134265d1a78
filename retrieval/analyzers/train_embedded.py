"""Train the embedded analyzer's two CRFs and write their cards: `dalil models train embedded`.

Deterministic: one thread, no random start, compressed without a time stamp. The same corpora,
cluster table, name lists and library versions give the same bytes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dalil.errors import DalilError, InputError
from dalil.resources import data
from retrieval.analyzers import clusters, evaluate, names
from retrieval.analyzers.cards import ner_card, tagger_card
from retrieval.analyzers.corpora import Named, Tree, read_anercorp, read_pud
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
    ner: evaluate.NerFigures
    files: tuple[Path, ...]


def train(root: Path, out: Path, say: Callable[[str], None]) -> Trained:
    """Train on the corpora below `root` and write weights and cards to `out`.

    The cluster table is the one in `out`, else the shipped one. Raises InputError for a corpus
    that is missing or damaged, DalilError when there is no cluster table.
    """
    corpora = (*read_pud(root), *read_anercorp(root))
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out, prefix=".training-") as folder:
        work = Path(folder)
        shutil.copyfile(_cluster_table(out), work / clusters.FILE)
        figures = _train(*corpora, work, say)
        for file in sorted(work.iterdir()):  # all or nothing but for a kill between two of these
            os.replace(file, out / file.name)
    return Trained(*figures, tuple(out / name for name in (TAGGER, NER, clusters.FILE, names.PLACES)))


def _train(
    trees: list[Tree],
    test_trees: list[Tree],
    sentences: list[Named],
    test_sentences: list[Named],
    work: Path,
    say: Callable[[str], None],
) -> tuple[evaluate.TaggerFigures, evaluate.NerFigures]:
    """Fit both CRFs and measure them; weights and cards go to `work`, which has the cluster table."""
    say("places: territories and cities")
    names.write_places(work / names.PLACES, names.places())
    lists = data("names")
    lexicon = Lexicon(clusters.load(work / clusters.FILE), names.load(lists, work / names.PLACES))

    say(f"tagger: {len(trees)} sentences of UD Arabic-PUD")
    fit(
        [(tag_features([word.text for word in tree.words], lexicon), tree.tags) for tree in trees],
        work / TAGGER,
        TAGGER_SETTINGS,
    )
    tagger = Crf(work / TAGGER)
    say(f"names: {len(sentences)} sentences of ANERcorp (a minute or two)")
    fit(
        [
            (name_features(sent.tokens, tagger.tag(tag_features(sent.tokens, lexicon)), lexicon), sent.tags)
            for sent in sentences
        ],
        work / NER,
        NER_SETTINGS,
    )
    say("measuring on the test parts")
    model = Embedded(work, lists)
    of_tags, of_names = evaluate.tagger(model, test_trees), evaluate.names(model, test_sentences)
    (work / "tagger.md").write_text(tagger_card(of_tags, TAGGER_SETTINGS), encoding="utf-8")
    (work / "ner.md").write_text(ner_card(of_names, NER_SETTINGS), encoding="utf-8")
    return of_tags, of_names


def _cluster_table(out: Path) -> Path:
    table = out / clusters.FILE
    if table.is_file():
        return table
    try:
        return data("analyzers", "embedded", clusters.FILE)
    except DalilError as error:
        todo = "make it first: dalil models train clusters --data FOLDER --out FOLDER"
        raise InputError("there is no cluster table", where=table, todo=todo) from error
