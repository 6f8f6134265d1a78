"""Datelines and editors' notes go; nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.text.wire import strip_dateline, strip_wire


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("واشنطن (رويترز) - عرضت الولايات المتحدة مكافأة", "عرضت الولايات المتحدة مكافأة"),
        ("واشنطن (رويترز) – عرضت الولايات المتحدة مكافأة", "عرضت الولايات المتحدة مكافأة"),
        ("القاهرة 5 ديسمبر كانون الأول (رويترز) - قال وزير", "قال وزير"),
        ("بيروت/دمشق (رويترز) - قال وزير", "قال وزير"),
        ("من جون سميث\nباريس (رويترز) - قال وزير", "قال وزير"),
        ("قال وزير كذا.\n(إعداد فلان للنشرة العربية - تحرير علان)", "قال وزير كذا."),
        ("قال وزير كذا. (إعداد فلان للنشرة العربية - تحرير علان)", "قال وزير كذا."),
        ("قال وزير كذا.\nإعداد فلان الفلاني للنشرة العربية", "قال وزير كذا."),
        ("قال وزير كذا.\nتغطية صحفية للنشرة العربية فلان - إعداد علان - تحرير فلانة", "قال وزير كذا."),
        (
            "إعداد موازنة جديدة للدولة يثير جدلا\nقال وزير كذا.",
            "إعداد موازنة جديدة للدولة يثير جدلا\nقال وزير كذا.",
        ),
        ("قالت وكالة (رويترز) إن الوزير استقال", "قالت وكالة (رويترز) إن الوزير استقال"),
        ("قال وزير كذا.\nإعداد الموازنة مستمر.", "قال وزير كذا.\nإعداد الموازنة مستمر."),
    ],
)
def test_what_the_agency_adds_goes(raw: str, text: str) -> None:
    assert strip_wire(raw) == text


def test_a_headline_keeps_its_brackets() -> None:
    assert strip_dateline("وزير (سابق) - يعود إلى الحكومة") == "وزير (سابق) - يعود إلى الحكومة"


@settings(deadline=None)
@given(st.text(alphabet="اب تحرير (رويترز)-\n.إعداد", max_size=80))
def test_twice_is_once(text: str) -> None:
    assert strip_wire(strip_wire(text)) == strip_wire(text)
