"""Majority vote with confidence (MVC): first choices weighted by normalised confidence."""

from __future__ import annotations

from typing import Any, ClassVar

from annotation.aggregate.base import Voting, summed, vote_settings
from annotation.ratings import Floats, Ratings
from annotation.ratings_vectors import first_weighted


class ConfidenceMajorityVote(Voting):
    """SCRum-9 §3.3.2. The label of the greatest confidence-weighted count."""

    name: ClassVar[str] = "mvc"
    soft: ClassVar[bool] = False

    def totals(self, votes: Ratings) -> Floats:
        """Confidence-weighted first choices."""
        return summed(votes, first_weighted(votes, self.settings.votes))

    def used(self) -> dict[str, Any]:
        """Normalisation of confidence."""
        return vote_settings(self.settings.votes, "normalisation", "missing_confidence")
