"""The material of TREC files: qrels, and one run for each variant (and engine).

A run's tag says what it is: `VARIANT` or `VARIANT@ENGINE`. What was asked and what it cost is not known
from runs, nor are the texts of claims. A query that a run has no row for was not run, not empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dalil.errors import InputError
from dalil.formats.trec import Qrels, read_qrels, read_runs
from retrieval.ablation.corpus import ORDER
from retrieval.ablation.figures import ALL
from retrieval.ablation.material import Brought, ClaimFacts, Material

RELEVANT, NOT = "relevant", "not relevant"


def from_files(qrels: Path, runs: Sequence[Path]) -> Material:
    """Raises InputError for files that are none of the kind, and for two runs of one tag."""
    tagged: dict[str, Mapping[str, Sequence[str]]] = {}
    for path in runs:
        for tag, run in read_runs(path).items():
            if tag in tagged:
                raise InputError(f"two runs have the tag {tag!r}", where=path, todo="give each its own tag")
            tagged[tag] = run
    return from_runs(read_qrels(qrels), tagged)


def from_runs(qrels: Qrels, runs: Mapping[str, Mapping[str, Sequence[str]]]) -> Material:
    """Grades above 0 are related, without finer labels. Raises InputError for odd tags and without rows."""
    if not qrels or not any(runs.values()):
        raise InputError("no judgement" if not qrels else "no run has a row")
    brought = []
    for tag, run in runs.items():
        variant, _, engine = tag.partition("@")
        if not variant or ALL in (variant, engine):
            raise InputError(
                f"a run cannot have the tag {tag!r}", todo=f"name its variant; {ALL} is all of them together"
            )
        brought += [
            Brought(query, variant, engine or "run", tuple(documents), len(documents))
            for query, documents in run.items()
        ]
    used = {one.variant for one in brought}
    first = [name for name in ORDER if name in used]
    return Material(
        claims={key: ClaimFacts() for key in sorted({one.claim for one in brought} | qrels.keys())},
        variants=(*first, *sorted(used - set(first))),
        engines=tuple(sorted({one.engine for one in brought})),
        brought=tuple(brought),
        labels={
            (query, document): RELEVANT if grade > 0 else NOT
            for query, grades in qrels.items()
            for document, grade in grades.items()
        },
        related=frozenset({RELEVANT}),
        counts_requests=False,
    )
