"""Every page in both languages, on a wide and a narrow screen: nothing cut off, nothing too small to hit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import gallery
import pytest
from browserkit import WIDE
from gallery import Scene, views

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SMALL = """() => [...document.querySelectorAll(
  'a, button, select, summary, .choice:not([hidden]),' +
  'input:not([type=hidden]):not([type=radio]):not([type=checkbox])'
)].filter(node => {
  const box = node.getBoundingClientRect();
  return box.width && box.left > -1000 && (box.height < 24 || box.width < 24);
}).map(node => node.outerHTML.slice(0, 80))"""
CUT = """() => [...document.querySelectorAll(
  'main h1, main h2, main button, main a, main th, main td, main dd'
)].filter(
  node => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== 'visible'
).map(node => node.outerHTML.slice(0, 80))"""
UNNAMED = """() => [...document.querySelectorAll(
  'main input:not([type=hidden]), main select, main textarea, main button'
)].filter(node => !(node.labels && node.labels.length) && !node.ariaLabel && !node.textContent.trim())
.map(node => node.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("scene", gallery.SCENES, ids=lambda scene: scene.__name__)
def test_a_page_is_whole_and_reads_from_its_side(chromium: Browser, tmp_path: Path, scene: Scene) -> None:
    seen = set()
    for name, page in views(chromium, scene, tmp_path / "c"):
        seen.add(name.rsplit("-", 2)[0])
        assert page.evaluate(WIDE) == [], name
        assert page.evaluate(SMALL) == [], name
        assert page.evaluate(CUT) == [], name
        assert page.evaluate(UNNAMED) == [], f"{name}: a field that a screen reader cannot name"
        direction = page.evaluate("getComputedStyle(document.documentElement).direction")
        assert direction == ("rtl" if "-ar-" in name else "ltr"), name
    assert seen, "the scene shows something"


def test_arabic_is_read_in_the_face_that_travels_along(chromium: Browser, tmp_path: Path) -> None:
    for name, page in views(chromium, gallery.marking, tmp_path / "c", ["sentences"]):
        page.evaluate("document.fonts.ready.then(() => true)")
        loaded = page.evaluate(
            "[...document.fonts].filter(face => face.status === 'loaded').map(face => face.weight).sort()"
        )
        assert loaded == ["400", "700"], name


def test_a_long_list_is_turned_over_and_not_cut_off(chromium: Browser, tmp_path: Path) -> None:
    for name, page in views(chromium, gallery.long_lists, tmp_path / "c", ["mine"]):
        assert len(met_on_all_sheets(page)) == 60, name


def met_on_all_sheets(page: Page) -> set[str]:
    """Every item of a list, met by turning its sheets over."""
    found: set[str] = set()
    while True:
        links = page.locator(".items a.button").evaluate_all("nodes => nodes.map(n => n.href)")
        assert not found & set(links)
        found |= set(links)
        following = page.locator("a[rel=next]")
        if not following.count():
            return found
        following.click()
