"""Pages that are not the site's own any more."""

from __future__ import annotations

import pytest

from dalil.stages import Drop
from spiders.sitecheck import read
from spiders.sites import Site, load_site

SITE = Site.model_validate(
    {"name": "s", "start": ["http://s.example/"], "selectors": {"title": "h1"}, "ours": "div.our-logo"}
)
OWN = (
    '<html lang="ar"><title>تحقيق</title><div class="our-logo"></div>'
    "<h1>حقيقة اكتشاف بئر</h1><p>نص.</p></html>"
)


def why(
    page: str, site: Site = SITE, seen: str | None = "2020-01-01T00:00:00Z", url: str = "http://s.example/x"
) -> str | None:
    found = read(site, url, page, seen)
    return found.reason if isinstance(found, Drop) else None


def test_its_own_page_is_read() -> None:
    assert why(OWN) is None


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (
            "<title>Slot Gacor Maxwin Terpercaya</title><div class='our-logo'></div><h1>x</h1>",
            "hijacked_domain",
        ),
        (
            OWN.replace("<p>", "<a>casino</a><a>poker</a><a>togel</a><a>judi</a><a>maxwin</a><p>"),
            "hijacked_domain",
        ),
        ("<title>s.example</title><body>This domain is for sale. Buy this domain</body>", "hijacked_domain"),
        (
            "<title>Best essays</title><h1>Essays</h1><p>" + "We write about many things. " * 40,
            "other_language",
        ),
        (OWN.replace("our-logo", "their-logo"), "not_this_site"),
        ("<html><title>تحقيق</title><div class='our-logo'></div></html>", None),
        ("", "not_this_site"),
    ],
)
def test_another_owners_page_is_refused_with_its_reason(page: str, reason: str | None) -> None:
    assert why(page) == reason


def test_a_debunk_that_mentions_gambling_is_no_spam() -> None:
    page = OWN.replace("نص.", "انتشر إعلان عن casino في المدينة، والخبر زائف.")
    assert why(page) is None
    assert why(page.replace("<title>تحقيق", "<title>لا صحة لافتتاح كازينو في المدينة")) is None
    assert why(page.replace("<p>", "<a>خبر كازينو</a><a>مراهنات</a><p>")) is None


REVIEW = (
    '<script type="application/ld+json">{"@type": "ClaimReview", "claimReviewed": "The president '
    'advertises gambling", "reviewRating": {"alternateName": "False"}}</script>'
)


@pytest.mark.parametrize(("inside", "reason"), [("", "hijacked_domain"), (REVIEW, None)])
def test_a_review_whose_headline_is_about_gambling_is_no_spam(inside: str, reason: str | None) -> None:
    page = f"<title>Deepfake promotes online casino and betting app</title>{inside}<h1>Deepfake</h1><p>x</p>"
    site = SITE.model_copy(update={"language": "en", "ours": ()})
    assert why(page, site) == reason
    crowd = "".join(f"<a>{word}</a>" for word in ("casino", "poker", "togel", "judi", "maxwin"))
    assert why(page + crowd, site) == "hijacked_domain"


def test_a_printed_verdict_tells_a_debunk_from_spam_too() -> None:
    page = OWN.replace("<title>تحقيق", "<title>لا صحة لإعلان كازينو و مراهنات")
    layout = SITE.all_layouts[0].model_copy(update={"verdict": ("b.verdict",)})
    site = SITE.model_copy(update={"selectors": layout})
    assert why(page, site) == "hijacked_domain"
    assert why(page.replace("<p>", "<b class=verdict>زائف</b><p>"), site) is None


@pytest.mark.parametrize(
    ("stamp", "reason"), [("20190101120000", None), ("20220301120000", "hijacked_domain")]
)
def test_captures_after_the_domain_changed_hands_are_refused(stamp: str, reason: str | None) -> None:
    page = "<title>ده بجد</title><h1>حقيقة وفاة الممثل</h1><div class='entry'><p>نص</p></div>"
    seen = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T12:00:00Z"
    url = f"http://web.archive.org/web/{stamp}id_/http://dabegad.com/x/"
    assert why(page, load_site("dabegad"), seen, url) == reason
