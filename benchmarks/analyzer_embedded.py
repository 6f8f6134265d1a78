"""How good and how fast the embedded analyzer is, beside what one would do without it.

    python benchmarks/analyzer_embedded.py DATA            figures on the test parts, speed
    python benchmarks/analyzer_embedded.py DATA --folds    three folds of PUD's training part, with and
                                                           without clusters (what settings were chosen by)

DATA holds ud_arabic_pud/, anercorp/ and baly2018/. Results: analyzer_embedded.md. Nothing here is
used for tuning but `--folds`, which never sees a test sentence.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

from retrieval.analyzers import evaluate, load
from retrieval.analyzers.base import Analysis, Token
from retrieval.analyzers.clusters import Clusters
from retrieval.analyzers.corpora import Tree, read_anercorp, read_pud
from retrieval.analyzers.crf import Crf, train
from retrieval.analyzers.embedded import Embedded
from retrieval.analyzers.entities import settle
from retrieval.analyzers.evaluate import Score
from retrieval.analyzers.features import Lexicon, name_features, tag_features
from retrieval.analyzers.names import bare
from retrieval.analyzers.train_embedded import TAGGER_SETTINGS
from retrieval.analyzers.truncate import LEFT_OUT, LEFT_OUT_OF_V, truncate
from retrieval.analyzers.words import split, words

PREFIX = re.compile(r"[وف]?س?[يتن]\w{3,}")


def by_prefix(text: str) -> Analysis:
    """A verb is a word of five letters or more that begins with ي, ت or ن."""
    return Analysis(
        text,
        tuple(
            Token(w.text, w.start, w.end, "VERB" if PREFIX.fullmatch(w.text) else "NOUN") for w in words(text)
        ),
    )


def prefix_baseline(trees: list[Tree]) -> tuple[Score, float]:
    """Verb score and cut of the prefix rule."""
    right = found = there = cut = 0
    for tree in trees:
        analysis = by_prefix(tree.analysis.text)
        for token, gold in zip(analysis.tokens, tree.tags, strict=True):
            right += token.upos == "VERB" and "VERB" in gold
            found += token.upos == "VERB"
            there += "VERB" in gold
        cut += truncate(analysis).end == truncate(tree.analysis).end
    return Score.of(right, found, there), cut / len(trees)


def first_gap_end(tree: Tree) -> int:
    """The gold cut read strictly: before the first piece (a coordinator aside) that is left out.

    The rule as built lets a piece in the middle of the verb phrase stay (the cut is a prefix); this
    reading ends the cut there.
    """
    tokens = tree.analysis.tokens
    whole = truncate(tree.analysis)
    if whole.verb is None:
        return whole.end
    inside, pending = {whole.verb}, [whole.verb]
    ends = [whole.end]
    while pending:
        parent = pending.pop()
        for number, token in enumerate(tokens):
            if token.head != parent or number in inside:
                continue
            relation = (token.deprel or "").split(":")[0]
            verbal = relation == "conj" and token.upos == "VERB"
            if (parent == whole.verb and relation in LEFT_OUT_OF_V) or relation in LEFT_OUT or verbal:
                first = min(_subtree(tokens, number))
                if relation != "cc" and first > whole.verb:
                    ends.append(tokens[first - 1].end)
                continue
            inside.add(number)
            pending.append(number)
    return min(ends)


def _subtree(tokens: tuple[Token, ...], root: int) -> set[int]:
    found, pending = {root}, [root]
    while pending:
        parent = pending.pop()
        new = [number for number, token in enumerate(tokens) if token.head == parent and number not in found]
        found.update(new)
        pending += new
    return found


def figures(model: Embedded, data: Path) -> None:
    """The table of figures on the test parts."""
    _, trees = read_pud(data)
    _, sentences = read_anercorp(data)
    tagger = evaluate.tagger(model, trees)
    names = evaluate.names(model, sentences)
    prefix, prefix_cut = prefix_baseline(trees)
    strict = sum(truncate(model.analyse(tree.analysis.text)).end == first_gap_end(tree) for tree in trees)
    lookup = [settle([], [bare(w) for w in s.tokens], model.lexicon.names) for s in sentences]
    by_list = evaluate.ner([s.tags for s in sentences], lookup)
    print(f"PUD test: {tagger.sentences} sentences")
    print(f"  verb F {tagger.verb.f:.3f} (P {tagger.verb.precision:.3f} R {tagger.verb.recall:.3f})")
    print(
        f"  cut {tagger.cut:.3f}, within a token {tagger.cut_near:.3f}, gold tags {tagger.cut_gold_tags:.3f}"
    )
    print(f"  cut against the strict reading of the gold rule {strict / len(trees):.3f}")
    print(f"  prefix rule: verb F {prefix.f:.3f}, cut {prefix_cut:.3f}")
    print(f"ANERcorp test: {sum(len(s.tokens) for s in sentences)} tokens (P R F)")
    for name, scores in (("alone", names.alone), ("with lists", names.settled), ("lists alone", by_list)):
        cells = [f"{k} {v.precision:.3f} {v.recall:.3f} {v.f:.3f}" for k, v in scores.items()]
        print(f"  {name}: " + "; ".join(cells))


def speed(model: Embedded, data: Path) -> None:
    """Processor time a sentence, and against bare CRFsuite on features that are ready."""
    _, trees = read_pud(data)
    texts = [tree.analysis.text for tree in trees]
    started = time.process_time()
    list(model.analyse_all(texts))
    whole = time.process_time() - started
    ready = []
    for text in texts:
        spelled = [word.text for word in words(text)]
        features = tag_features(spelled, model.lexicon)
        ready.append((features, name_features(spelled, model.tag(spelled), model.lexicon)))
    started = time.process_time()
    for first, second in ready:
        model._tagger.tag(first)
        model._ner.tag(second)
    bare_time = time.process_time() - started
    each = 1000 / len(texts)
    print(f"speed: {whole * each:.2f} ms a sentence; bare CRFsuite, features ready {bare_time * each:.2f} ms")
    print(f"  ratio {whole / bare_time:.2f}")
    started = time.process_time()
    load("embedded")
    print(f"loading: {time.process_time() - started:.2f} s")


def folds(model: Embedded, data: Path, count: int = 3) -> None:
    """The tagger by cross-validation on the training part, with and without clusters."""
    trees, _ = read_pud(data)
    tables: dict[str, Clusters] = {"with clusters": model.lexicon.clusters, "without": {}}
    for name, table in tables.items():
        lexicon = Lexicon(table, model.lexicon.names)
        right = found = there = cut = 0
        for fold in range(count):
            kept = [tree for number, tree in enumerate(trees) if number % count != fold]
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "m.gz"
                rows = [(tag_features([w.text for w in tree.words], lexicon), tree.tags) for tree in kept]
                train(rows, path, TAGGER_SETTINGS)
                crf = Crf(path)
            for tree in trees[fold::count]:
                tags = crf.tag(tag_features([w.text for w in tree.words], lexicon))
                for gold, tag in zip(tree.tags, tags, strict=True):
                    right += "VERB" in gold and "VERB" in tag
                    found += "VERB" in tag
                    there += "VERB" in gold
                pieces = (
                    token for word, tag in zip(tree.words, tags, strict=True) for token in split(word, tag)
                )
                flat = Analysis(tree.analysis.text, tuple(pieces))
                cut += truncate(flat).end == truncate(tree.analysis).end
        verb = Score.of(right, found, there)
        print(f"{count} folds, {name}: verb F {verb.f:.3f}, cut {cut / len(trees):.3f}", flush=True)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", action="store_true")
    asked = parser.parse_args()
    model = load("embedded")
    if not isinstance(model, Embedded):
        sys.exit("the embedded analyzer is not the one that was loaded")
    if asked.folds:
        folds(model, asked.data)
    else:
        figures(model, asked.data)
        speed(model, asked.data)


if __name__ == "__main__":
    main()
