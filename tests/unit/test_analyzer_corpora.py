"""Reading the two corpora: parts, joined tags, and files that are not what they should be."""

import pytest

from dalil.errors import InputError
from retrieval.analyzers import corpora

PUD = """\
# sent_id = a1
# text = وقال الرجل: نعم.
1\tو\tو\tCCONJ\t_\t_\t2\tcc\t_\tSpaceAfter=No
2\tقال\tقال\tVERB\t_\t_\t0\troot\t_\t_
3\tالرجل\tرجل\tNOUN\t_\t_\t2\tnsubj\t_\tSpaceAfter=No
4\t:\t:\tPUNCT\t_\t_\t2\tpunct\t_\t_
5\tنعم\tنعم\tINTJ\t_\t_\t2\tccomp\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = a2
# text = للقدس
1-2\tللقدس\t_\t_\t_\t_\t_\t_\t_\t_
1\tل\tل\tADP\t_\t_\t2\tcase\t_\t_
2\tلقدس\tقدس\tPROPN\t_\t_\t0\troot\t_\t_
"""
NER = "زار O\nمحمد B-PERS\nعلي I-PERS\nمصر B-LOC\n. O\nثم O\nعاد O\n. O\nونايفة\n\nنعم O\nلا O\nربما B-ORG\n"


@pytest.fixture
def root(tmp_path):
    files = {corpora.PUD: PUD, corpora.PUD_TEST: "a2\n", corpora.ANERCORP: NER}
    for (folder, name), text in files.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_trees_are_parted_by_the_list_and_words_bear_joined_tags(root):
    train, test = corpora.read_pud(root)
    assert [tree.id for tree in train] == ["a1"]
    assert [tree.id for tree in test] == ["a2"]
    assert [word.text for word in train[0].words] == ["وقال", "الرجل", ":", "نعم", "."]
    assert train[0].tags == ("CCONJ+VERB", "NOUN", "PUNCT", "INTJ", "PUNCT")
    assert test[0].tags == ("ADP+PROPN",)
    assert train[0].analysis.has_tree
    assert train[0].analysis.tokens[1].head == -1


def test_the_last_sixth_of_the_tokens_is_the_test_part(root):
    train, test = corpora.read_anercorp(root)
    assert sum(len(sentence.tokens) for sentence in train) == 10
    assert [sentence.tokens for sentence in test] == [("لا", "ربما")]
    assert train[0].tags == ("O", "B-PERS", "I-PERS", "B-LOC", "O")
    assert train[2].tokens == ("ونايفة", "نعم")
    assert train[2].tags == ("O", "O")


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        (corpora.PUD, None, "is missing; point --data"),
        (corpora.ANERCORP, None, "is missing"),
        (corpora.PUD, "# text = نعم\n1\tنعم\n", r"conllu:2: is no line of CoNLL-U"),
        (corpora.PUD, PUD.replace("# text = للقدس", "# text = مصر"), "is not in the sentence's text"),
        (corpora.PUD_TEST, "a2\na9\n", "does not have"),
        (corpora.ANERCORP, b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_a_damaged_corpus_is_named(root, part, text, message):
    path = root.joinpath(*part)
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=message):
        corpora.read_pud(root)
        corpora.read_anercorp(root)
