"""Soft vote (SV): the distribution of first choices."""

from __future__ import annotations

from typing import ClassVar

from annotation.aggregate.mv import MajorityVote


class SoftVote(MajorityVote):
    """SCRum-9 §3.3.2: MV's counts, normalised."""

    name: ClassVar[str] = "sv"
    soft: ClassVar[bool] = True
