"""The stage clean: what it reads, when it works again, and that every claim ends somewhere."""

import pytest
from realdata import data_dir

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.formats.importing import import_rows
from dalil.formats.matsda2sh import Matsda2sh
from dalil.formats.rows import Options
from dalil.progress import Silent
from dalil.records import Claim, CleanedClaim, Dropped
from dalil.runner import run


def clean(folder):
    with Corpus.open(folder) as corpus:
        return run(corpus, ["retrieval.clean:Clean"], Silent())[0]


@pytest.fixture
def folder(tmp_path):
    with Corpus.create(tmp_path / "c", "") as corpus, corpus.store.transaction() as writer:
        writer.put(
            [
                Claim(id="claim-a", site="s", raw="عاجل: الحكومة تلغي الدعم"),
                Claim(id="claim-b", site="s", raw="بالصورة"),
            ]
        )
    return tmp_path / "c"


def texts(folder):
    with Corpus.open(folder) as corpus:
        return {row.id: row.text for row in corpus.store.all(CleanedClaim)}


def test_each_claim_is_cleaned_once(folder):
    assert (clean(folder).worked, clean(folder).worked) == (2, 0)
    assert texts(folder) == {"claim-a": "الحكومة تلغي الدعم"}


def test_a_changed_claim_is_cleaned_again_and_only_it(folder):
    clean(folder)
    with Corpus.open(folder) as corpus, corpus.store.transaction() as writer:
        writer.put([Claim(id="claim-b", site="s", raw="الوزير يستقيل من منصبه")])
    assert clean(folder).worked == 1
    assert texts(folder)["claim-b"] == "الوزير يستقيل من منصبه"
    with Corpus.open(folder) as corpus:
        assert corpus.store.count(Dropped) == 0


def test_settings_count(folder):
    clean(folder)
    (folder / "corpus.toml").write_text('[clean]\noff = ["prefix:breaking"]\n', "utf-8")
    assert clean(folder).worked == 2
    assert texts(folder)["claim-a"] == "عاجل: الحكومة تلغي الدعم"


def test_an_unknown_rule_in_the_settings_is_told(folder):
    (folder / "corpus.toml").write_text('[clean]\noff = ["prefix:none"]\n', "utf-8")
    with pytest.raises(UsageError, match=r"clean\.off: no cleaning rule is called 'prefix:none'"):
        clean(folder)


def test_every_real_claim_is_clean_flagged_or_dropped(tmp_path):
    path = data_dir("matsda2sh") / "claims.jsonl.gz"
    with Corpus.create(tmp_path / "c", "") as corpus:
        import_rows(corpus, path, "claims", Matsda2sh(), options=Options())
        tally = run(corpus, ["retrieval.clean:Clean"], Silent())[0]
        dropped = corpus.store.count(Dropped, stage="clean")
        assert (tally.worked, corpus.store.count(CleanedClaim) + dropped) == (1433, 1433)
        for made in corpus.store.all(CleanedClaim):
            assert made.text in made.raw or made.rules  # no text of its own making without a rule
