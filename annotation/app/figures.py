"""What the lead looks at: agreement as it stands, labels, raters, confusion between two people."""

from __future__ import annotations

import statistics
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.aggregate.scope import in_scope
from annotation.agreement.adjudication import adjudication
from annotation.agreement.alpha import krippendorff_alpha
from annotation.agreement.chance import FLEISS, fleiss_kappa, gwet_ac1, per_category, raw_agreement
from annotation.agreement.cohen import cohen_kappa
from annotation.agreement.figure import Bootstrap, Figure
from annotation.agreement.pairs import rater_pairs
from annotation.gold import GoldSettings, judged
from annotation.ratings import MAIN, PILOT, Ratings
from annotation.ratings_scheme import LabelSet, labels_of
from annotation.ratings_views import FirstRatings, first_two, pilot
from annotation.rounds.kinds import COUNTED, HIDDEN, NAMES, QUALIFICATION
from annotation.rounds.reading import latest
from annotation.rounds.references import score
from annotation.rounds.settings import AnnotateSettings
from annotation.schemes import Scheme
from dalil.errors import DalilError
from dalil.records import Annotation, Decision, Remark
from dalil.state.store import Store

FEWEST_TIMED = 5
"""judgements from which on somebody's pace says something"""
HASTE = 1 / 3
"""a judgement is hasty, and a person fast, below this part of everybody's median time; slow: above 3 times"""
QUICKEST = 2.0
"""seconds in which nobody reads and answers, whatever the others' pace"""
ONE_LABEL = 0.95
FEWEST_LABELS = 20


@dataclass(frozen=True)
class Section:
    """Coefficients over one selection of ratings."""

    name: str
    items: int
    coefficients: tuple[Figure, ...]
    labels: tuple[tuple[str, Figure], ...]


class Figures:
    """Figures of a corpus, computed again only when somebody judged since."""

    def __init__(
        self,
        store: Store,
        scheme: Scheme,
        own: AnnotateSettings,
        gold: GoldSettings | None = None,
        labels: LabelSet | None = None,
    ):
        """`gold` and `labels` are what `dalil agreement` measures by, where it is not the scheme alone."""
        self.store = store
        self.scheme = scheme
        self.own = own
        self.gold = gold or GoldSettings()
        self.labels = labels or labels_of(scheme)
        self._of: tuple[int, ...] | None = None
        self._kept: dict[str, Any] = {}
        self._turn = threading.RLock()

    def ratings(self) -> Ratings:
        """All counted ratings in scope. Raises DalilError where there are none yet."""
        return self._both()[0]

    def blind(self) -> Ratings:
        """The same as they stood before raters could know of each other: what agreement is measured on."""
        return self._both()[1]

    def _both(self) -> tuple[Ratings, Ratings]:
        found: tuple[Ratings, Ratings] = self._keep("ratings", self._scoped)
        return found

    def _scoped(self) -> tuple[Ratings, Ratings]:
        ratings, outside = judged(self.store, self.gold, self.labels)
        return in_scope(ratings, outside).ratings, in_scope(ratings.blind(), outside).ratings

    def agreement(self) -> tuple[list[Section], str | None]:
        """Sections with intervals; or none, and why."""
        try:
            ratings = self.blind()
        except DalilError as error:
            return [], error.what
        found: list[Section] = self._keep("agreement", lambda: list(self._sections(ratings)))
        return found, None if found else "no pilot and no main round"

    def kappa(self) -> tuple[str, Figure] | None:
        """Fleiss' κ of the main round, else of the pilot, and which of the two it is."""
        for section in self.agreement()[0]:
            for one in section.coefficients:
                if one.name == "fleiss_kappa":
                    return ("round_pilot" if section.name == "agreement_pilot" else "round_main"), one
        return None

    def distribution(self) -> dict[str, list[tuple[str, int, float]]]:
        """Round → (label, number, share), over the latest judgements."""
        counts: dict[str, Counter[str]] = {}
        for one in latest(self.store.all(Annotation)).values():
            counts.setdefault(one.round, Counter())[one.label] += 1
        return {
            name: [(label, found[label], found[label] / found.total()) for label in self.scheme.names]
            for name, found in sorted(counts.items(), key=lambda one: place_of(one[0]))
        }

    def raters(self) -> list[dict[str, Any]]:
        """Each person who judged: pace, hidden gold, qualification, how often overruled, and marks."""
        by_person: dict[str, list[Annotation]] = {}
        for one in latest(self.store.all(Annotation)).values():
            by_person.setdefault(one.annotator, []).append(one)
        times = [one.seconds for found in by_person.values() for one in found if one.seconds is not None]
        usual = statistics.median(times) if times else None
        overruled = self._overruled()
        return [
            self._rater(name, found, usual, overruled.get(name)) for name, found in sorted(by_person.items())
        ]

    def confusions(self) -> list[dict[str, Any]]:
        """Each two people with shared items: a table of labels, Cohen's κ and how many items."""
        try:
            ratings = self.blind()
        except DalilError:
            return []
        out = []
        for first in self._selections(ratings):
            for pair in rater_pairs(first):
                table = np.zeros((ratings.n_labels, ratings.n_labels), dtype=np.int64)
                np.add.at(table, (ratings_label(first, pair.place_a), ratings_label(first, pair.place_b)), 1)
                out.append(
                    {
                        "selection": "pilot" if first.selection.startswith("pilot") else "main",
                        "a": first.ratings.workers[pair.a],
                        "b": first.ratings.workers[pair.b],
                        "shared": pair.shared,
                        "labels": ratings.labels,
                        "table": table.tolist(),
                        "kappa": cohen_kappa(first, pair, None),
                    }
                )
        return out

    def _rater(
        self, name: str, found: list[Annotation], usual: float | None, overruled: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        times = [one.seconds for one in found if one.seconds is not None]
        median = statistics.median(times) if times else None
        met, answered = score(self.store, name, HIDDEN)
        counted = Counter(one.label for one in found if one.round in COUNTED)
        label, most = counted.most_common(1)[0] if counted else ("", 0)
        marks = []
        if median is not None and usual and len(times) >= FEWEST_TIMED:
            marks += (
                ["fast"]
                if median < max(HASTE * usual, QUICKEST)
                else ["slow"]
                if median > usual / HASTE
                else []
            )
        if answered and met / answered < self.own.hidden_pass:
            marks.append("careless")
        if counted.total() >= FEWEST_LABELS and most / counted.total() >= ONE_LABEL:
            marks.append("one_label")
        return {
            "name": name,
            "judged": len(found),
            "median": median,
            "hasty": sum(t < max(HASTE * usual, QUICKEST) for t in times) / len(times)
            if times and usual
            else None,
            "hidden": (met, answered),
            "qualification": score(self.store, name, QUALIFICATION),
            "overruled": (overruled["overruled"], overruled["disputed"]) if overruled else (0, 0),
            "most_used": (label, most / counted.total() if counted else 0.0),
            "marks": marks,
        }

    def _overruled(self) -> dict[str, Mapping[str, Any]]:
        try:
            found = adjudication(self.ratings())
        except DalilError:
            return {}
        return {row["rater"]: row for row in found.raters}

    def _selections(self, ratings: Ratings) -> list[FirstRatings]:
        made = []
        if (ratings.round == MAIN).any():
            made.append(first_two(ratings))
        if (ratings.round == PILOT).any():
            made.append(pilot(ratings))
        return made

    def _sections(self, ratings: Ratings) -> list[Section]:
        how = Bootstrap()
        made = []
        for first in self._selections(ratings):
            coefficients = (
                raw_agreement(first, how),
                fleiss_kappa(first, how),
                krippendorff_alpha(first, how),
                gwet_ac1(first, how),
            )
            name = "agreement_pilot" if first.selection.startswith("pilot") else "agreement_first"
            rated = int((first.counts.sum(axis=1) >= 2).sum())
            made.append(Section(name, rated, coefficients, tuple(per_category(first, FLEISS, how).items())))
        return made

    def _keep(self, name: str, make: Any) -> Any:
        # of two leads who look at once one computes, and none sees figures of an older state as this one's
        with self._turn:
            # remarks, too: a judgement counts as it stood before people talked
            state = tuple(self.store.count(kind) for kind in (Annotation, Decision, Remark))
            if state != self._of:
                self._of, self._kept = state, {}
            if name not in self._kept:
                self._kept[name] = make()
            return self._kept[name]


def place_of(name: str) -> tuple[int, str]:
    """Where a round stands among the rounds, to sort by."""
    return (NAMES.index(name) if name in NAMES else len(NAMES), name)


def ratings_label(first: FirstRatings, places: Any) -> Any:
    """Labels at places of the ratings."""
    return first.ratings.label[places]
