"""The analyzer that ships: the issue's examples, any text at all, and its files."""

import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.errors import InputError
from dalil.resources import data
from retrieval import analyzers
from retrieval.analyzers import embedded
from retrieval.analyzers.base import ENTITY_TYPES, Analyzer
from retrieval.analyzers.crf import Crf
from retrieval.analyzers.truncate import truncate
from retrieval.queries import variants


@pytest.fixture(scope="module")
def analyzer():
    return analyzers.load("embedded")


@pytest.mark.parametrize(
    ("claim", "cut"),
    [
        ("طفلة تظهر بنصف جسم بشري، النصف الاخر ثعبان", "طفلة تظهر بنصف جسم بشري"),
        (
            "يتم تنظيف الرئتين عند المدخنين من خلال شم بخار اللبن و الماء لمدة عشرة أيام",
            "يتم تنظيف الرئتين عند المدخنين من خلال شم بخار اللبن",
        ),
    ],
)
def test_published_cuts(analyzer, claim, cut):
    assert truncate(analyzer.analyse(claim)).text == cut


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("تشارك مصر في عملية انقاذ أطفال الكهف فى تايلاند", {"مصر": "LOC", "تايلاند": "LOC"}),
        ("اللحوم والدواجن المستوردة من البرازيل فاسدة", {"البرازيل": "LOC"}),
        ("اشعة الكوزمو القادمة من كوكب المريخ", {"كوكب المريخ": "LOC"}),
        ("ناسا تحذر من عاصفة", {"ناسا": "ORG"}),
        ("وفاة محمد صلاح لاعب ليفربول ومنتخب مصر", {"محمد صلاح": "PERS", "ليفربول": "ORG", "مصر": "LOC"}),
        ("سعر الدولار يرتفع أمام الجنيه المصري بسبب كورونا", {}),
        ("مساعدات عاجلة للسعودية وقطر", {"السعودية": "LOC", "قطر": "LOC"}),
    ],
)
def test_names(analyzer, claim, names):
    assert {entity.text: entity.type for entity in analyzer.analyse(claim).entities} == names


def test_a_claim_becomes_five_queries(analyzer):
    claim = "تشارك مصر في عملية انقاذ أطفال الكهف، وتعلن ذلك تايلاند"
    made = variants(claim, claim_id="c", date="2018-07-05", analysis=analyzer.analyse(claim)).queries
    texts = {name: query.text for query in made for name in query.variants}
    assert texts["vp+date"] == "تشارك مصر في عملية انقاذ أطفال الكهف"
    assert texts["vp+date+entities"] == "مصر تايلاند تشارك مصر في عملية انقاذ أطفال الكهف"
    assert made[-1].analyzer["backend"] == "embedded"


alphabet = st.sampled_from("وفبلكسمناي ،.:؟«»()\u064e\u200f\n12aZ😀ـ٣") | st.characters(codec="utf-8")


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet=alphabet, max_size=60))
def test_any_text_is_analysed_and_offsets_hold(analyzer, text):
    analysis = analyzer.analyse(text)
    for token in analysis.tokens:
        assert text[token.start : token.end] == token.text
    for entity in analysis.entities:
        assert entity.type in ENTITY_TYPES
        assert text[entity.start : entity.end] in (entity.text, entity.text[1:])
    assert text.startswith(truncate(analysis).text)


def test_it_is_an_analyzer_and_auto_finds_it(analyzer):
    assert isinstance(analyzer, Analyzer)
    assert embedded.missing() is None
    assert analyzers.resolve("auto") in analyzers.BACKENDS


def test_the_same_text_is_analysed_alike_alone_and_among_others(analyzer):
    texts = ["زار الرئيس مصر", "", "قالت ناسا إن المريخ بعيد"]
    assert list(analyzer.analyse_all(texts)) == [analyzer.analyse(text) for text in texts]


class TestFiles:
    @pytest.fixture
    def folders(self, tmp_path):
        shutil.copytree(data("analyzers", "embedded"), tmp_path / "weights")
        shutil.copytree(data("names"), tmp_path / "names")
        return tmp_path / "weights", tmp_path / "names"

    def test_an_edited_list_changes_answers_and_hash(self, analyzer, folders):
        weights, lists = folders
        text = "قالت زوبعستان إنها بعيدة"
        assert embedded.Embedded(weights, lists).model_hash == analyzer.model_hash
        with (lists / "space.txt").open("a", encoding="utf-8") as file:
            file.write("زوبعستان\n")
        edited = embedded.Embedded(weights, lists)
        assert edited.model_hash != analyzer.model_hash
        assert "زوبعستان" in [entity.text for entity in edited.analyse(text).entities]

    @pytest.mark.parametrize("name", [embedded.TAGGER, embedded.NER])
    @pytest.mark.parametrize("content", [None, b"", b"\x1f\x8b damaged", b"plain"])
    def test_a_damaged_model_is_named_with_what_to_do(self, folders, name, content):
        path = folders[0] / name
        path.unlink() if content is None else path.write_bytes(content)
        with pytest.raises(InputError, match=r"crfsuite\.gz.*dalil models train embedded"):
            embedded.Embedded(*folders)

    def test_a_compressed_file_that_is_no_model_is_refused(self, tmp_path):
        import gzip

        (tmp_path / "m.gz").write_bytes(gzip.compress(b"no model at all"))
        with pytest.raises(InputError, match="no CRFsuite model"):
            Crf(tmp_path / "m.gz")

    def test_a_damaged_cluster_table_is_named_by_line(self, folders):
        import gzip

        path = folders[0] / "clusters.tsv.gz"
        path.write_bytes(gzip.compress("قال\t1\t2\t3\nكان\t1\n".encode()))
        with pytest.raises(InputError, match="gz:2"):
            embedded.Embedded(*folders)

    def test_weights_are_small_and_bear_cards_with_their_licences(self):
        folder = data("analyzers", "embedded")
        assert sum(file.stat().st_size for file in folder.iterdir()) < 4_000_000
        for card, licence, source in (
            ("tagger.md", "CC BY-SA 3.0", "UD Arabic-PUD"),
            ("ner.md", "CC BY-SA 4.0", "ANERcorp"),
            ("clusters.md", "Apache-2.0", "ANT"),
        ):
            text = (folder / card).read_text(encoding="utf-8")
            assert licence in text
            assert source in text
            assert "dalil models train" in text
