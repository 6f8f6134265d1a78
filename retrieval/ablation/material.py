"""What an ablation is made of, wherever it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

RELATED = frozenset({"agree", "disagree", "discuss"})
"""labels of documents about the claim's event (AraStance); what has no label is unjudged, not unrelated"""


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """What claims are grouped by. `words` is None where the text is not known."""

    words: int | None = None
    veracity: str = "unknown"


@dataclass(frozen=True, slots=True)
class Brought:
    """What one variant on one engine brought for one claim: distinct documents, best first.

    `requests` → cost in dollars, by the id of the stored answer: merged queries share answers.
    """

    claim: str
    variant: str
    engine: str
    documents: tuple[str, ...]
    hits: int
    requests: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Material:
    """Claims, answers, labels."""

    claims: Mapping[str, ClaimFacts]
    variants: tuple[str, ...]
    """in the order in which they are shown; the first is what the others are compared with"""
    engines: tuple[str, ...]
    brought: tuple[Brought, ...]
    labels: Mapping[tuple[str, str], str]
    """(claim, document) → final label"""
    related: frozenset[str] = RELATED
    marked: frozenset[tuple[str, str]] = frozenset()
    """(claim, document) with a leakage mark"""
    absent: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    """variant → reason → claims that it cannot run for"""
    counts_requests: bool = True
    """whether requests and costs are known"""
    notes: tuple[str, ...] = ()

    def only(self, wanted: Callable[[str], bool]) -> Material:
        """The same of the claims that are wanted."""
        return replace(
            self,
            claims={key: facts for key, facts in self.claims.items() if wanted(key)},
            brought=tuple(one for one in self.brought if wanted(one.claim)),
            labels={key: label for key, label in self.labels.items() if wanted(key[0])},
            absent={
                variant: {reason: frozenset(filter(wanted, keys)) for reason, keys in reasons.items()}
                for variant, reasons in self.absent.items()
            },
        )

    def without_marked(self) -> Material:
        """The same without pairs that have a leakage mark: neither brought nor known."""
        kept = tuple(
            replace(one, documents=tuple(key for key in one.documents if (one.claim, key) not in self.marked))
            for one in self.brought
        )
        labels = {key: label for key, label in self.labels.items() if key not in self.marked}
        return replace(self, brought=kept, labels=labels, marked=frozenset())
