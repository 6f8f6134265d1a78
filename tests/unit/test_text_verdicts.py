"""Verdicts as printed, and what they say."""

from __future__ import annotations

import pytest

from dalil.text.verdicts import understood, veracity_of


@pytest.mark.parametrize(
    ("verdict", "veracity"),
    [
        ("زائف", "false"),
        ("زائِف", "false"),
        ("إشاعة", "false"),
        ("اشاعه", "false"),
        ("زائف جزئيًا", "mixed"),
        ("مُضلّل", "mixed"),
        ("صحيح", "true"),
        ("غير صحيح", "false"),
        ("هذا الادعاء زائف، والصورة من مدينة أخرى.", "false"),
        ("هذا الخبر ليس صحيحا", "unknown"),
        ("ليس زائفا", "unknown"),
        ("صحيح وزائف", "unknown"),
        ("غير مؤكد", "unknown"),
        ("Mostly false", "mixed"),
        ("MISLEADING.", "mixed"),
        ("Not true", "false"),
        ("Partly false: missing context", "mixed"),
        ("Fałsz", "false"),
        ("Nepravda", "false"),
        ("Manque de contexte", "mixed"),
        ("", "unknown"),
        (None, "unknown"),
        ("صورة قديمة", "unknown"),
    ],
)
def test_a_verdict_becomes_a_veracity(verdict: str | None, veracity: str) -> None:
    assert veracity_of(verdict) == veracity


def test_the_sites_own_table_counts_first() -> None:
    assert veracity_of("صحيح", {"صحيح": "mixed"}) == "mixed"
    assert veracity_of("مضروب", {"مضروب": "false"}) == "false"


def test_an_unknown_verdict_is_told_from_one_that_says_unknown() -> None:
    assert understood("غير مؤكد") == "unknown"
    assert understood("صورة قديمة") is None
    assert understood("صحيح وزائف") is None
