"""What an import refuses it refuses with the answers that there are, and the one that may be meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import exchangekit as exchange
import pytest

from dalil.corpus import Corpus
from dalil.errors import InputError

GOOD = {"pair": "pair-0000", "annotator": "amal", "label": "agree", "confidence": 5}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with exchange.empty(tmp_path_factory.mktemp("refused") / "c") as opened:
        yield opened


def told(corpus: Corpus, path: Path, name: str) -> InputError:
    with pytest.raises(InputError) as error:
        exchange.come_in(corpus, path, name)
    assert exchange.rows(corpus) == []
    return error.value


@pytest.mark.parametrize(
    ("row", "what", "todo"),
    [
        (
            {"label": "agrees"},
            "label 'agrees' is none of the scheme's answers",
            "is 'agree' meant? the answers are: agree, disagree, discuss",
        ),
        (
            {"label": "يعارض"},
            "label 'يعارض' is none of the scheme's answers",
            "is 'disagree' meant? the answers",
        ),
        ({"label": "Disagree"}, "label 'Disagree' is none", "is 'disagree' meant?"),
        (
            {"label": "0"},
            "label '0' is none of the scheme's answers",
            "the answers are: agree, disagree, discuss",
        ),
        ({"confidence": None}, "has no confidence", "the answers are: 5, 4, 3, 2, 1"),
        (
            {"confidence": 9},
            "confidence '9' is none of the scheme's answers",
            "the answers are: 5, 4, 3, 2, 1",
        ),
        ({"confidence": 2}, "has no second", "the answers are: agree, disagree, discuss, highly_uncertain"),
        (
            {"second": "discuss"},
            "second 'discuss' is not asked with the answers before it",
            "it is asked with confidence 1 or 2 or 3 alone: leave it out",
        ),
        (
            {"confidence": 2, "second": "agree"},
            "second 'agree' equals the first choice",
            "leave one of the two out",
        ),
        (
            {"confidence": 2, "second": "highly uncertain"},
            "second 'highly uncertain' is none",
            "is 'highly_uncertain' meant?",
        ),
        ({"answers": {"remark": "x" * 5001}}, "remark has 5,001 characters, more than 5,000", "shorten it"),
        (
            {"answers": {"reason": "x"}},
            "reason is no question of the scheme",
            "its questions are: confidence",
        ),
        (
            {"pair": "pair-9999"},
            "no pair has the id 'pair-9999'",
            "ids of pairs are those of dalil annotate export",
        ),
        ({"kind": "decision", "label": "agre"}, "label 'agre' is none", "is 'agree' meant?"),
        ({"kind": "decision", "label": None}, "has no label", "the answers are: agree"),
    ],
)
def test_a_wrong_answer_is_told_with_the_right_ones(
    corpus: Corpus, tmp_path: Path, row: dict[str, Any], what: str, todo: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({**GOOD, **row}, ensure_ascii=False) + "\n", "utf-8")
    error = told(corpus, path, "jsonl")
    assert error.where == f"{path}:1"
    assert error.what.startswith(what)
    assert todo in str(error.todo)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "csv",
            "pair,annotator,label\npair-0000,amal,agree\n",
            ("columns task, worker", "the columns are: pair, annotator, label", "add columns task, worker"),
        ),
        ("csv", "tasks,worker,label\npair-0000,amal,agree\n", ("rename the column 'tasks' to task",)),
        (
            "effiara",
            "id,amal_label\npair-0000,agree\n",
            ("the columns are: id, amal_label", "name the column"),
        ),
        (
            "effiara",
            "pair_id,amal\npair-0000,agree\n",
            ("the columns are: pair_id, amal", "another --format"),
        ),
    ],
)
def test_a_lacking_column_is_told_with_those_that_there_are(
    corpus: Corpus, tmp_path: Path, name: str, text: str, says: tuple[str, ...]
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, "utf-8")
    error = told(corpus, path, name)
    assert error.where == f"{path}:1"
    assert all(part in error.line() for part in says), error.line()
