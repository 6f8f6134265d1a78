"""Majority vote with confidence and second choice (MVC2)."""

from __future__ import annotations

from typing import Any, ClassVar

from annotation.aggregate.base import Voting, summed, vote_settings
from annotation.ratings import Floats, Ratings
from annotation.ratings_vectors import first_and_second


class SecondChoiceMajorityVote(Voting):
    """SCRum-9 §3.3.2: as MVC, with the discounted second choice added; Highly Uncertain is spread."""

    name: ClassVar[str] = "mvc2"
    soft: ClassVar[bool] = False

    def totals(self, votes: Ratings) -> Floats:
        """Confidence-weighted first choices, discounted second choices."""
        return summed(votes, first_and_second(votes, self.settings.votes))

    def used(self) -> dict[str, Any]:
        """Normalisation of confidence, weight of the second choice."""
        return vote_settings(self.settings.votes, "normalisation", "second", "missing_confidence")
