"""gold: a pair's final label, by majority of first choices; a ruling of an adjudicator decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.records import Annotation, Decision, Gold, Pair
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store


class GoldSettings(Settings):
    """`[gold]` of corpus.toml."""


class MakeGold:
    """One unit a pair."""

    NAME = "gold"
    VERSION = "1"
    READS = Reads(config=("gold",))
    WRITES = (Gold,)

    def __init__(self, corpus: Corpus):
        corpus.section("gold", GoldSettings)

    def keys(self, store: Store) -> Iterator[Unit]:
        """Pairs that were judged, with their votes."""
        votes: dict[str, list[Annotation]] = {}
        for vote in last_of_each(store.all(Annotation)):
            votes.setdefault(vote.pair_id, []).append(vote)
        rulings = {ruling.pair_id: ruling for ruling in sorted(store.all(Decision), key=lambda item: item.number)}
        for pair in store.all(Pair):
            if pair.id in votes or pair.id in rulings:
                labels = sorted((vote.annotator, vote.label) for vote in votes.get(pair.id, []))
                ruling = rulings.get(pair.id)
                yield Unit(pair.id, (pair.id, labels, ruling.label if ruling else None))

    def work(self, inputs: tuple[str, list[tuple[str, str]], str | None]) -> Result:
        """Votes to a label; a tie goes to adjudication."""
        pair, votes, ruling = inputs
        counts = Counter(label for _, label in votes)
        tally = {label: counts[label] for label in sorted(counts)}
        if ruling is not None:
            return Result(records=(Gold(id=pair, label=ruling, how="adjudicated", votes=tally),))
        (best, most), *rest = counts.most_common()
        if not rest:
            return Result(records=(Gold(id=pair, label=best, how="unanimous", votes=tally),))
        if rest[0][1] == most:
            return Result(drops=(Drop("needs_adjudication", f"votes {tally}"),))
        return Result(records=(Gold(id=pair, label=best, how="majority", votes=tally),))


def last_of_each(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Revisions are new rows: keep the last of each annotator for each pair."""
    newest: dict[tuple[str, str], Annotation] = {}
    for item in annotations:
        key = (item.pair_id, item.annotator)
        if key not in newest or item.number > newest[key].number:
            newest[key] = item
    return list(newest.values())
