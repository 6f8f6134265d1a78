"""A judgement is of what was shown: texts that change meanwhile are shown before anything is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import pytest
from pagekit import Walker

from annotation.answers import Answer, answer_of
from annotation.app.items import item_view
from annotation.app.server import create_app
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Annotation, CleanedClaim, Pair, Work


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "corpus", 6) as made:
        yield made


@pytest.fixture
def amal(corpus: Corpus) -> Walker:
    """In front of the page, with the main round dealt."""
    secrets = kit.people(corpus, ("amal", "bashir", "dima"))
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))
    return Walker(create_app(corpus), secrets["amal"])


def test_what_was_shown_is_hashed_and_the_guidelines_named(corpus: Corpus, amal: Walker) -> None:
    page = amal.accept_notices()
    site = amal.client.app.state.site  # type: ignore[attr-defined]
    view = item_view(site, open_assignments(corpus.store, "amal")[0].pair_id)
    assert view.hash(site, "en") != view.hash(site, "ar")
    amal.judge(page, label="agree")
    [stored] = corpus.store.all(Annotation)
    assert stored.shown_hash == view.hash(site, "ar")
    assert stored.guideline == "arastance-1"


def mend(corpus: Corpus, pair: str) -> None:
    """Somebody edits the claim of a pair that nobody judged, and `dalil clean` runs."""
    found = corpus.store.get(Pair, pair)
    made = corpus.store.get(CleanedClaim, found.claim_id) if found else None
    assert made is not None
    with corpus.store.transaction() as writer:
        writer.put([made.model_copy(update={"text": "ادعاء آخر تمامًا"})])


def test_a_claim_mended_while_somebody_judged_is_shown_before_anything_is_stored(
    corpus: Corpus, amal: Walker
) -> None:
    page = amal.accept_notices()
    site = amal.client.app.state.site  # type: ignore[attr-defined]
    pair = open_assignments(corpus.store, "amal")[0].pair_id
    mend(corpus, pair)
    page = amal.judge(page, label="agree", note="رأيت الخبر نفسه")
    assert page.status == 409
    assert "تغيّرت هذه المادة" in page.words()
    assert "ادعاء آخر تمامًا" in page.words()
    assert page.has("//input[@name='label'][@value='agree'][@checked]"), "nothing has to be chosen again"
    assert page.tree.xpath("string(//form[@id='answer']//textarea[@name='note'])") == "رأيت الخبر نفسه"
    assert corpus.store.count(Annotation) == 0
    assert corpus.store.count(Work, what="item") == 0
    assert amal.judge(page, label="disagree").status == 200
    [stored] = corpus.store.all(Annotation)
    assert (stored.label, stored.shown_hash) == ("disagree", item_view(site, pair).hash(site, "ar"))


def test_a_claim_mended_in_the_very_moment_of_a_submit_is_noticed(
    corpus: Corpus, amal: Walker, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = amal.accept_notices()
    pair = open_assignments(corpus.store, "amal")[0].pair_id

    def slowly(*given: Any) -> Answer:
        mend(corpus, pair)
        return answer_of(*given)

    monkeypatch.setattr("annotation.app.annotator.answer_of", slowly)
    page = amal.judge(page, label="agree")
    assert page.status == 409
    assert "ادعاء آخر تمامًا" in page.words()
    assert corpus.store.count(Annotation) == 0
    assert amal.judge(page, label="agree").status == 200


def test_another_language_of_the_page_is_no_other_item(corpus: Corpus, amal: Walker) -> None:
    page = amal.accept_notices()
    amal.client.cookies.set("dalil_language", "en")  # chosen in another window
    assert amal.judge(page, label="agree").status == 200
    site = amal.client.app.state.site  # type: ignore[attr-defined]
    [stored] = corpus.store.all(Annotation)
    assert stored.shown_hash == item_view(site, stored.pair_id).hash(site, "ar"), "as it was shown"
