"""Scores from counts, and entities counted as CoNLL 2003 counts them."""

import pytest

from retrieval.analyzers.entities import Span
from retrieval.analyzers.evaluate import Score, ner


def test_score_from_counts():
    score = Score.of(right=2, found=4, there=8)
    assert (score.precision, score.recall) == (0.5, 0.25)
    assert score.f == pytest.approx(1 / 3)
    assert Score.of(0, 0, 0) == Score(0.0, 0.0, 0.0)


def test_an_entity_counts_when_span_and_type_are_right():
    gold = [["B-LOC", "O", "B-PERS", "I-PERS"], ["B-ORG", "B-LOC"]]
    found = [[Span(0, 1, "LOC"), Span(2, 3, "PERS")], [Span(0, 1, "LOC"), Span(1, 2, "LOC")]]
    scores = ner(gold, found)
    assert scores["all"] == Score.of(2, 4, 4)
    assert scores["LOC"] == Score.of(2, 3, 2)
    assert scores["PERS"].f == 0.0
    assert scores["ORG"].recall == 0.0
