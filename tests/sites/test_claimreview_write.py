"""ClaimReview that dalil writes: valid, and read back as it was."""

from __future__ import annotations

import pytest

from dalil.errors import InputError
from dalil.records import Claim
from spiders.claimreview import claim_review, data_feed, read_reviews, script_tag

CLAIM = Claim(
    id="claim-1",
    site="haqiqa",
    url="https://haqiqa.example/check/7",
    raw="بئر ماء </script> تحت الميدان",
    verdict="زائف",
    veracity="false",
    claim_date="2021-06-01",
    review_date="2021-06-23",
    language="ar",
    posts=(
        {"url": "https://x.com/a/status/1", "provenance": "appearance"},
        {"url": "https://x.com/b/status/2", "provenance": "embed"},
    ),
)


def test_what_is_written_is_read_back() -> None:
    found = read_reviews(
        f"<html><head>{script_tag(claim_review(CLAIM, author='حقيقة', author_url='https://haqiqa.example'))}</head></html>"
    )
    (review,) = found.reviews
    assert found.problems == ()
    assert review.verdict == "زائف"
    assert review.rating == "false"
    assert review.url == CLAIM.url
    assert (review.date, review.claim_date) == ("2021-06-23", "2021-06-01")
    assert review.appearances == ("https://x.com/a/status/1",)


def test_required_properties_are_always_there_and_unknown_ones_never() -> None:
    written = claim_review(
        CLAIM.model_copy(
            update={"claim_date": None, "review_date": None, "posts": (), "veracity": "unknown"}
        ),
        author="حقيقة",
    )
    assert {"url", "claimReviewed", "reviewRating", "author", "@type", "@context"} <= written.keys()
    assert written["reviewRating"] == {"@type": "Rating", "alternateName": "زائف"}
    assert "datePublished" not in written
    assert None not in written.values()


def test_a_known_veracity_stands_in_for_a_verdict() -> None:
    written = claim_review(CLAIM.model_copy(update={"verdict": None, "veracity": "mixed"}), author="حقيقة")
    assert written["reviewRating"] == {
        "@type": "Rating",
        "alternateName": "مضلل",
        "ratingValue": 3,
        "bestRating": 5,
        "worstRating": 1,
    }


@pytest.mark.parametrize("change", [{"url": None}, {"verdict": None, "veracity": "unknown"}])
def test_what_cannot_be_a_claimreview_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InputError):
        claim_review(CLAIM.model_copy(update=change), author="حقيقة")


def test_a_feed_has_one_item_a_claim() -> None:
    feed = data_feed([claim_review(CLAIM, author="حقيقة")] * 2)
    assert feed["@type"] == "DataFeed"
    assert [len(element["item"]) for element in feed["dataFeedElement"]] == [1, 1]
