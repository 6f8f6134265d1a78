"""Majority vote (MV): the most common first choice."""

from __future__ import annotations

from typing import ClassVar

from annotation.aggregate.base import Voting
from annotation.ratings import Floats, Ratings


class MajorityVote(Voting):
    """SCRum-9 §3.3.2. Ties are broken by seed."""

    name: ClassVar[str] = "mv"
    soft: ClassVar[bool] = False

    def totals(self, votes: Ratings) -> Floats:
        """Number of first choices."""
        return votes.counts()
