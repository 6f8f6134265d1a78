"""The data card: labels as their scheme calls them, and Arabic that is Arabic."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from toyrelease import LABELS, TOML, toy

from annotation.dataset.splitting import STRATA
from annotation.dataset.ties import KINDS
from annotation.release import ReleaseSettings
from annotation.release.words import words
from annotation.release.write import write_release
from dalil.records import Annotation, Decision, Gold

SCHEME = """name = "mine"
[[labels]]
name = "agree"
ar = "يصدّق"
en = "Backs it"
definition = { ar = "يقول إن | الادعاء صحيح.", en = "Says that\\nit is true." }
[[labels]]
name = "disagree"
ar = "يردّ"
en = "agree"
[[labels]]
name = "discuss"
ar = "يردّ"
[[labels]]
name = "unrelated"
en = "<b>Elsewhere</b>"
[[labels]]
name = "video"
ar = "عن مقطع"
out_of_scope = true
"""


def halves(folder: Path, toml: str = TOML, scheme: str | None = None) -> tuple[str, str]:
    """English and Arabic half of a toy release's card, below the titles."""
    with toy(folder / "toy", 8, toml=toml) as corpus:
        if scheme:
            (corpus.path / "mine.toml").write_text(scheme, "utf-8")
        write_release(corpus, folder / "v1")
    english, _, arabic = (
        (folder / "v1" / "README.md").read_text("utf-8").partition('<div dir="rtl" lang="ar">')
    )
    return english, arabic


def test_labels_are_called_as_the_annotators_page_calls_them(tmp_path: Path) -> None:
    english, arabic = halves(tmp_path)
    assert "| يؤيد | يعارض | يناقش | لا صلة له |" in arabic
    assert "| Agree | Disagree | Discuss | Unrelated |" in english
    assert "موقف المقال من الادعاء: يؤيد، يعارض، يناقش، لا صلة له." in arabic
    assert "| unrelated | 3 | لا صلة له | يتناول المقال حدثًا آخر" in arabic
    assert "| agree | 0 | Agree | The article clearly and explicitly agrees" in english


def test_a_scheme_of_ones_own_names_its_labels_and_no_two_alike(tmp_path: Path) -> None:
    toml = TOML + '\n[annotate]\nscheme = "mine.toml"\n'
    english, arabic = halves(tmp_path, toml, SCHEME)
    assert "| يصدّق | يردّ (disagree) | يردّ (discuss) | لا صلة له |" in arabic
    assert (
        "| Backs it | agree | discuss | &lt;b&gt;Elsewhere&lt;/b&gt; |".replace("&lt;", "&#60;").replace(
            "&gt;", "&#62;"
        )
        in english
    )
    assert "| agree | 0 | يصدّق | يقول إن \\| الادعاء صحيح. |" in arabic
    assert "| agree | 0 | Backs it | Says that it is true. |" in english
    assert "<b>" not in english + arabic


def test_a_scheme_that_has_other_labels_or_cannot_be_read_names_nothing(tmp_path: Path) -> None:
    toml = TOML + '\n[annotate]\nscheme = "mine.toml"\n'
    with toy(tmp_path / "toy", 8, toml=toml) as corpus:
        with corpus.store.transaction() as writer:  # imported labels: no judgement names a scheme
            for kind in (Annotation, Decision):
                writer.delete(kind, corpus.store.ids(kind))
            writer.put(
                one.model_copy(
                    update={"label": {"discuss": "other", "unrelated": "agree"}.get(one.label, one.label)}
                )
                for one in corpus.store.all(Gold)
            )
        write_release(corpus, tmp_path / "v1")
    english, _, arabic = (
        (tmp_path / "v1" / "README.md").read_text("utf-8").partition('<div dir="rtl" lang="ar">')
    )
    assert "| agree | disagree | other |" in english
    assert "| يؤيد | يعارض | غير ذلك |" in arabic


def test_the_arabic_half_has_arabic_words_and_commas(tmp_path: Path) -> None:
    _, arabic = halves(tmp_path)
    prose = re.sub(r"`[^`]*`", "", arabic)
    assert not re.search(r"[\u0600-\u06ff]\s*[,;?]", prose)
    assert "الأردن" in prose
    assert "القمع" not in prose
    signed = re.findall(r"[^A-Za-z]?(?<![A-Za-z])[+-]\d+\.\d+.?", prose)
    assert signed
    assert all(found[0] == "\u2066" and found[-1] == "\u2069" for found in signed)


def test_every_word_that_the_card_takes_from_the_code_is_translated(tmp_path: Path) -> None:
    say = words("ar")
    with toy(tmp_path / "toy", 3) as corpus:
        from dalil.status import status

        steps = set(status(corpus).rows)
    known = {
        *steps,
        *KINDS,
        *STRATA,
        *LABELS,
        "size",
        "all",
        "train",
        "dev",
        "test",
        "true",
        "false",
        "mixed",
    }
    known |= {"unknown", "unanimous", "majority", "adjudicated", "imported", "released pairs"}
    known |= {"clean", "extract", "pair", "gold", "release", "search", "fetch", "collect"}
    assert {word for word in known if say.term(word) == word} == set()


def test_one_of_a_thing_is_one(tmp_path: Path) -> None:
    with toy(tmp_path / "toy", 2, 1) as corpus:
        write_release(corpus, tmp_path / "v1", ReleaseSettings(shares={"all": 1.0}))
    english = (tmp_path / "v1" / "README.md").read_text("utf-8").partition("<div")[0]
    assert "1 pair of a claim and an article (1 claim, 1 different article)" in english
    assert not re.search(r"\b1 (pairs|claims|articles|raters|groups)\b", english)


@pytest.mark.parametrize(
    ("how", "stated", "said"),
    [
        ("unanimous", (), None),
        ("imported", (), ["found"]),
        ("unanimous", ("crowdsourced", "expert-generated"), ["crowdsourced", "expert-generated"]),
    ],
)
def test_who_annotated_is_stated_or_left_out(
    how: str, stated: tuple[str, ...], said: list[str] | None, tmp_path: Path
) -> None:
    with toy(tmp_path / "toy", 8) as corpus:
        with corpus.store.transaction() as writer:
            writer.put(one.model_copy(update={"how": how}) for one in corpus.store.all(Gold))
        own = ReleaseSettings.model_validate({"annotations_creators": stated, "apart": ["claim"]})
        write_release(corpus, tmp_path / "v1", own)
    head = yaml.safe_load((tmp_path / "v1" / "README.md").read_text("utf-8").split("---\n")[1])
    assert head.get("annotations_creators") == said
