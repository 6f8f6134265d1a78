"""Every shipped site: its fixtures are there, and each gives the records that are expected of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil.errors import UsageError
from spiders.sitecheck import API, LISTING, differences, fixtures, missing, read
from spiders.sites import known_sites, load_site, read_site

PAGES = Path(__file__).with_name("pages")
ALL = [fixture for name in known_sites() for fixture in fixtures(load_site(name), PAGES / name)]
REQUIRED = (
    "norumors",
    "dabegad",
    "araanews",
    "verify_sy",
    "fatabyyano",
    "misbar",
    "matsda2sh",
    "afp_arabic",
    "afp_factcheck",
    "afp_factual",
    "afp_factuel",
    "afp_checamos",
    "afp_sprawdzam",
    "afp_napravoumiru",
    "demagog_cz",
    "demagog_pl",
    "dbkf",
    "reuters_ar",
)


@pytest.mark.parametrize("name", known_sites())
def test_a_site_has_a_fixture_for_each_layout(name: str) -> None:
    assert missing(load_site(name), PAGES / name) == []


@pytest.mark.parametrize("fixture", ALL, ids=lambda fixture: f"{fixture.site.name}-{fixture.name}")
def test_a_page_gives_what_is_expected(fixture) -> None:  # type: ignore[no-untyped-def]
    assert {"records", "links"} & fixture.meta().keys(), "nothing is expected of it"
    assert differences(fixture) == []


def test_the_sites_that_were_promised_are_there() -> None:
    assert set(REQUIRED) <= set(known_sites())


def test_no_fixture_is_of_a_site_that_is_not_there() -> None:
    assert {folder.name for folder in PAGES.iterdir()} <= set(known_sites())


@pytest.mark.parametrize(
    "fixture",
    [each for each in ALL if each.name not in (LISTING, API)],
    ids=lambda each: f"{each.site.name}-{each.name}",
)
def test_every_field_says_how_it_was_found(fixture) -> None:  # type: ignore[no-untyped-def]
    meta = fixture.meta()
    found = read(fixture.site, meta["url"], fixture.page.read_text("utf-8"), meta.get("snapshot_at"))
    for record in found:
        if record.TABLE == "claims":
            given = {
                name
                for name in ("raw", "title", "body", "verdict", "review_date", "claim_date", "domain")
                if getattr(record, name)
            }
            assert given <= record.found.keys()
            layout = next(one for one in fixture.site.all_layouts if one.name == record.found["layout"])
            doubtful = not fixture.site.verified or layout.unverified is not None
            assert bool(record.found.get("unverified")) is doubtful


def test_what_no_page_of_a_site_confirms_is_unverified_and_says_why() -> None:
    """Verified, as a whole or in part: what rests on stored pages, a documented API, or the demo."""
    sites = [load_site(name) for name in known_sites()]
    assert {site.name for site in sites if site.verified} == {
        "afp_factcheck", "afp_factual", "afp_factuel", "afp_checamos", "fatabyyano", "reuters_ar",
        "google_factcheck", "haqiqa",
    }  # fmt: skip
    assert [site.name for site in sites if not site.verified and not site.doubts] == []
    in_part = {site.name: site.doubts for site in sites if site.verified and site.doubts}
    assert [each.partition(":")[0] for each in in_part["reuters_ar"]] == ["layout current", "layout legacy"]
    assert "google_factcheck" not in in_part


def test_a_site_cannot_be_verified_and_unverified_at_once(tmp_path: Path) -> None:
    path = tmp_path / "midan.toml"
    path.write_text('unverified = "guessed"\nstart = ["https://midan.example/"]\n[selectors]\n', "utf-8")
    with pytest.raises(UsageError, match="needs verified = false"):
        read_site(path)
