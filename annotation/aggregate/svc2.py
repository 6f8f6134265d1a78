"""Soft vote with confidence and second choice (SVC2)."""

from __future__ import annotations

from typing import ClassVar

from annotation.aggregate.mvc2 import SecondChoiceMajorityVote


class SecondChoiceSoftVote(SecondChoiceMajorityVote):
    """SCRum-9 §3.3.2: MVC2's weighted counts, normalised."""

    name: ClassVar[str] = "svc2"
    soft: ClassVar[bool] = True
