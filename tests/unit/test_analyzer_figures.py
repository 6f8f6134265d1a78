"""Floors of the shipped weights on the real test parts, a little below what was measured.

Figures and how they were got: benchmarks/analyzer_embedded.md.
"""

import pytest
from realdata import data_dir

from retrieval.analyzers import evaluate, load
from retrieval.analyzers.corpora import read_anercorp, read_pud


@pytest.fixture(scope="module")
def model():
    return load("embedded")


def test_verbs_and_cuts_on_pud(model):
    root = data_dir("ud_arabic_pud").parent
    train, test = read_pud(root)
    assert (len(train), len(test)) == (781, 219)
    figures = evaluate.tagger(model, test)
    assert figures.verb.f >= 0.915
    assert figures.cut >= 0.86
    assert figures.cut_near >= figures.cut


def test_names_on_anercorp(model):
    root = data_dir("anercorp").parent
    _, test = read_anercorp(root)
    assert sum(len(sentence.tokens) for sentence in test) == 25_052
    figures = evaluate.names(model, test)
    assert figures.alone["all"].f >= 0.705
    assert figures.settled["all"].f >= 0.69
    assert figures.settled["LOC"].f >= 0.86
