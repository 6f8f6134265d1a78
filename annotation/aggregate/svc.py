"""Soft vote with confidence (SVC)."""

from __future__ import annotations

from typing import ClassVar

from annotation.aggregate.mvc import ConfidenceMajorityVote


class ConfidenceSoftVote(ConfidenceMajorityVote):
    """SCRum-9 §3.3.2: MVC's weighted counts, normalised."""

    name: ClassVar[str] = "svc"
    soft: ClassVar[bool] = True
