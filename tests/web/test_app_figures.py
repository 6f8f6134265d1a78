"""What the lead sees measured is what the commands measure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import annotationkit as kit
import pytest
from pagekit import Walker

from annotation.agreement_commands import agreement
from annotation.app.figures import Figures
from annotation.app.server import create_app
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus

SCRUM9 = '[corpus]\n[annotate]\nscheme = "scrum9"\n'


def judged(folder: Path, labels: Sequence[Sequence[str]]) -> Corpus:
    """Two people's judgements, pair by pair, the latter of whom may see a reply as one about a picture."""
    corpus = kit.make(folder, len(labels[0]), SCRUM9)
    kit.people(corpus, ("amal", "bashir"))
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))
    for name, said in zip(("amal", "bashir"), labels, strict=True):
        for held in open_assignments(corpus.store, name):
            kit.judge(corpus, held, said[int(held.pair_id[-4:])], confidence=5)
    return corpus


def test_labels_out_of_scope_are_left_out_as_the_command_leaves_them_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = ["confirming", "rejecting", "comment", "image", "comment", "rejecting", "comment", "confirming"]
    other = ["confirming", "comment", "comment", "image", "image", "rejecting", "comment", "rejecting"]
    with judged(tmp_path / "c", (first, other)) as corpus:
        shown = Figures(corpus.store, kit.settings(corpus).read_scheme(corpus.path), kit.settings(corpus))
        assert shown.ratings().labels == ("confirming", "rejecting", "questioning", "comment")
        now = shown.kappa()
        assert now is not None
        capsys.readouterr()
        agreement.main(["--json", str(corpus.path)], standalone_mode=False)
        told = json.loads(capsys.readouterr().out)
        (measured,) = (one for one in told["first"]["coefficients"] if one["name"] == "fleiss_kappa")
        assert now[1].value == pytest.approx(measured["value"])
        layla = Walker(create_app(corpus), kit.people(corpus, ("layla",), "lead")["layla"])
        page = layla.get("/lead/confusion")
        assert len(page.tree.xpath("//table[1]/thead/tr/th")) == 4
        assert "صورة" not in page.words()


def test_settings_of_gold_hold_on_the_leads_pages_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = ["confirming", "rejecting", "comment", "image", "comment", "rejecting", "comment", "confirming"]
    other = ["confirming", "comment", "comment", "image", "comment", "rejecting", "comment", "rejecting"]
    with judged(tmp_path / "c", (first, other)) as corpus:
        (corpus.path / "corpus.toml").write_text(SCRUM9 + '[gold]\nout_of_scope = ["comment"]\n', "utf-8")
    with Corpus.open(tmp_path / "c") as corpus:
        shown: Figures = create_app(corpus).state.figures
        assert shown.ratings().labels == ("confirming", "rejecting", "questioning")
        now = shown.kappa()
        assert now is not None
        capsys.readouterr()
        agreement.main(["--json", str(corpus.path)], standalone_mode=False)
        told = json.loads(capsys.readouterr().out)
        (measured,) = (one for one in told["first"]["coefficients"] if one["name"] == "fleiss_kappa")
        assert now[1].value == pytest.approx(measured["value"])


def test_answers_that_nobody_can_have_read_are_hasty(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 6) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        for name in ("amal", "bashir"):
            for held in open_assignments(corpus.store, name):
                kit.judge(corpus, held, "agree", seconds=0.2)
        own = kit.settings(corpus)
        for one in Figures(corpus.store, own.read_scheme(corpus.path), own).raters():
            assert one["hasty"] == 1
            assert "fast" in one["marks"], "all of them, so that nobody is faster than the others"


def test_pages_stand_where_nothing_is_in_scope(tmp_path: Path) -> None:
    with judged(tmp_path / "c", (["image"] * 4, ["image"] * 4)) as corpus:
        layla = Walker(create_app(corpus), kit.people(corpus, ("layla",), "lead")["layla"])
        for path in ("/lead", "/lead/agreement", "/lead/raters", "/lead/confusion", "/lead/disputes"):
            assert layla.get(path).status == 200, path
