"""ir-measures, wrapped: the only file that knows it. Values are per query, so that they can be paired.

Rankings are given as lists; of equals there are none. Measures are of ir-measures' own names: nDCG@10, AP,
RR, Success@10 (hit@10), Judged@10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NAMES = ("nDCG@5", "nDCG@10", "nDCG@20", "AP", "RR", "Success@10")


def per_query(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Sequence[str]],
    names: Sequence[str] = NAMES,
    *,
    condensed: bool = False,
) -> dict[str, dict[str, float]]:
    """Measure → query → value, for every query of `qrels`; a query without an answer has 0.

    `condensed` takes documents without a judgement out of the rankings first (Sakai 2007, *Alternatives
    to Bpref*, SIGIR), so that unjudged is not counted as unrelated.
    """
    import ir_measures

    judged = [
        ir_measures.Qrel(query, document, grade)
        for query, grades in sorted(qrels.items())
        for document, grade in sorted(grades.items())
    ]
    ranked = []
    for query in sorted(qrels):
        order = dict.fromkeys(run.get(query, ()))
        kept = [key for key in order if not condensed or key in qrels[query]]
        ranked += [ir_measures.ScoredDoc(query, key, float(-rank)) for rank, key in enumerate(kept)]
    found: dict[str, dict[str, float]] = {name: dict.fromkeys(qrels, 0.0) for name in names}
    if not ranked:
        return found
    measures = {ir_measures.parse_measure(name): name for name in names}
    for metric in ir_measures.iter_calc(list(measures), judged, ranked):
        found[measures[metric.measure]][metric.query_id] = float(metric.value)
    return found


def mean(values: Mapping[str, float]) -> float | None:
    """The mean over queries; None over none."""
    return sum(values.values()) / len(values) if values else None
