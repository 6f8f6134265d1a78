"""docs/how-to-add-a-scheme.md, by doing it."""

from __future__ import annotations

import re
from pathlib import Path

import annotationkit as kit
import pytest
from pagekit import Walker

from annotation.app.server import create_app
from annotation.ratings_scheme import read_scheme
from annotation.rounds.queue import open_assignments
from annotation.schemes import Question, scheme_of
from dalil.errors import InputError
from dalil.records import Annotation

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to-add-a-scheme.md").read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SETTING, SMALLEST, WHOLE = BLOCKS


def test_the_smallest_scheme_is_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALLEST, "utf-8")
    assert read_scheme(str(path)).names == ("supports", "refutes")


def test_the_whole_file_is_judged_with(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 2, "[corpus]\n" + SETTING) as corpus:
        (corpus.path / "mine.toml").write_text(WHOLE, "utf-8")
        scheme = scheme_of("mine.toml", corpus.path)
        assert read_scheme(str(corpus.path / "mine.toml")).out_of_scope == {"picture"}
        assert {question.kind for question in scheme.questions} < set(
            Question.model_fields["kind"].annotation.__args__
        )
        secrets = kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        amal = Walker(create_app(corpus), secrets["amal"])
        page = amal.accept_notices()
        assert "ماذا يفعل المقال بالادعاء؟" in page.words()
        amal.judge(
            page, label="refutes", confidence="2", second="highly_uncertain", how="denial", sentence="0"
        )
        [stored] = corpus.store.all(Annotation)
        assert (stored.label, stored.confidence, stored.second) == ("refutes", 2, "highly_uncertain")
        assert stored.answers["how"] == "denial"
        assert len(stored.answers["sentences"]) == 1
        assert len(open_assignments(corpus.store, "amal")) == 1


def test_every_key_of_a_scheme_is_on_the_page() -> None:
    from annotation.schemes import Guidelines, Label, Qualification, Scheme, Training

    for model in (Scheme, Label, Question, Qualification, Training, Guidelines):
        for key, field in model.model_fields.items():
            assert re.search(rf"\b{field.alias or key}\b", WHOLE), f"{model.__name__}.{key}"


def test_a_mistake_is_the_line_that_the_page_shows(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[labels]]\nname = "supports"\ncolor = "#123456"\n', "utf-8")
    with pytest.raises(InputError) as error:
        scheme_of(str(path))
    shown = re.search(r"mine\.toml: (.*)", PAGE)
    assert shown is not None
    assert str(error.value).endswith(shown[1])
