"""What the ablation counts, on two claims small enough to count by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ablation.figures import ALL, ablate
from retrieval.ablation.material import Brought, ClaimFacts, Material
from retrieval.ablation.measures import per_query
from retrieval.ablation.runs import from_runs
from retrieval.ablation.sheets import NOT_APPLICABLE, notes, sheets


def brought(claim: str, variant: str, *documents: str, engine: str = "google", **pages: float) -> Brought:
    return Brought(claim, variant, engine, documents, len(documents), pages)


MATERIAL = Material(
    claims={"short": ClaimFacts(5, "false"), "long": ClaimFacts(20, "true")},
    variants=("claim", "claim+date", "vp+date"),
    engines=("google",),
    brought=(
        brought("short", "claim", "a", "b", p1=0.005),
        brought("short", "vp+date", "b", "c", p2=0.005),
        brought("long", "claim", "x", p3=0.005),
        brought("long", "vp+date", "y", p3=0.005),
    ),
    labels={
        ("short", "a"): "agree",
        ("short", "b"): "unrelated",
        ("long", "y"): "discuss",
        ("long", "never found"): "disagree",
    },
    marked=frozenset({("short", "a")}),
    absent={"claim+date": {"undated": frozenset({"short", "long"})}},
)


def test_a_variant_row_is_what_was_asked_and_what_came() -> None:
    row = ablate(MATERIAL).row("claim")
    assert (row.claims, row.requests, row.hits, row.documents) == (2, 2, 3, 3)
    assert row.cost == pytest.approx(0.01)
    assert (row.judged, row.judged_share) == (2, pytest.approx(2 / 3))
    assert (row.related, row.related_share, row.labels) == (1, 0.5, {"agree": 1, "unrelated": 1})
    assert (row.new_documents, row.new_related, row.claims_with_related, row.claims_lost) == (2, 1, 1, 1)
    assert (row.known_related, row.recall) == (3, pytest.approx(1 / 3, abs=1e-6))
    assert row.related_per_dollar == pytest.approx(100)


def test_a_request_that_another_variant_needs_too_is_not_saved() -> None:
    report = ablate(MATERIAL)
    assert report.row("claim").requests_without == 1
    assert report.row(ALL).requests == 3


def test_what_cannot_run_is_not_applicable_and_never_zero() -> None:
    report = ablate(MATERIAL)
    row = report.row("claim+date")
    assert row.not_applicable == "undated (2)"
    assert (row.requests, row.related, row.related_share, row.recall) == (None,) * 4
    for sheet in sheets(report):
        for line in sheet.rows:
            if "claim+date" in line[:2]:
                assert NOT_APPLICABLE in line
                assert "0" not in line
    assert "claim+date is not applicable: undated (2)." in notes(report)


def test_a_group_tells_how_many_of_its_own_claims_a_variant_cannot_run_for() -> None:
    groups = ablate(MATERIAL).groups
    told = {group.name: group.rows[1].not_applicable for group in groups}
    assert told["1–7 words"] == told["true"] == "undated (1)"
    assert told["without marked pairs"] == "undated (2)"


def test_unjudged_is_not_unrelated() -> None:
    nothing = replace(MATERIAL, labels={("short", "elsewhere"): "agree"}, marked=frozenset())
    row = ablate(nothing).row("claim")
    assert (row.judged, row.judged_share, row.related_share) == (0, 0.0, None)


def test_a_free_engine_has_no_related_documents_per_dollar() -> None:
    free = replace(MATERIAL, brought=tuple(replace(one, requests={"p": 0.0}) for one in MATERIAL.brought))
    row = ablate(free).row("claim")
    assert (row.cost, row.related_per_dollar) == (0.0, None)


def test_overlap_is_over_claims_that_both_were_asked_for() -> None:
    overlap = ablate(MATERIAL).overlap
    assert overlap["claim"]["claim"] == 1.0
    assert overlap["claim"]["vp+date"] == pytest.approx(1 / 3, abs=1e-6)
    assert overlap["claim"]["claim+date"] is None


def test_groups_are_by_length_veracity_and_without_marked_pairs() -> None:
    groups = {(group.by, group.name): group for group in ablate(MATERIAL).groups}
    assert list(groups) == [
        ("length", "1–7 words"), ("length", "15–24 words"), ("veracity", "false"), ("veracity", "true"),
        ("leakage", "without marked pairs"),
    ]  # fmt: skip
    unmarked = {row.variant: row for row in groups["leakage", "without marked pairs"].rows}
    assert (unmarked["claim"].documents, unmarked["claim"].related) == (2, 0)
    assert groups["length", "15–24 words"].rows[2].claims_lost == 1


def test_differences_are_paired_and_tell_wins_and_losses() -> None:
    found = {each.what: each for each in ablate(MATERIAL).differences}
    reach = found["claims with related"]
    assert (reach.baseline, reach.value, reach.difference, reach.more, reach.less) == (0.5, 0.5, 0.0, 1, 1)
    assert reach.low is not None
    assert reach.low < 0 < reach.high  # type: ignore[operator]


def test_the_notes_say_how_often_it_was_resampled() -> None:
    assert any("1,500 resamples, seed 7" in note for note in notes(ablate(MATERIAL, seed=7, replicates=1500)))


def test_several_engines_have_rows_of_their_own() -> None:
    both = replace(
        MATERIAL,
        engines=("brave", "google"),
        brought=(*MATERIAL.brought, brought("long", "claim", "y", "z", engine="brave", b1=0.003)),
    )
    report = ablate(both)
    assert report.row(ALL, "brave").new_documents == 1
    assert report.row("claim", "brave").related == 1
    assert report.row("claim").documents == 5
    assert report.row("vp+date", "brave").not_applicable == "never asked"
    assert report.row("vp+date").new_related == 0
    assert report.row("claim").measures == {}
    assert report.row("claim", "brave").measures["RR"] == 1.0


def test_runs_and_qrels_make_the_same_report_without_costs() -> None:
    material = from_runs({"q": {"a": 1, "b": 0}}, {"vp@e": {"q": ("a", "b")}, "claim@e": {"q": ("b", "new")}})
    report = ablate(material)
    assert report.baseline == "claim"
    row = report.row("claim")
    assert (row.requests, row.cost, row.related_per_dollar) == (None, None, None)
    assert (row.documents, row.judged, row.related, row.related_share) == (2, 1, 0, 0.0)
    assert report.row("vp").recall == 1.0


def test_measures_leave_out_what_was_not_judged_when_asked_to() -> None:
    qrels, run = {"q": {"right": 1}}, {"q": ["unjudged", "right"]}
    assert per_query(qrels, run, ["RR"])["RR"] == {"q": 0.5}
    assert per_query(qrels, run, ["RR"], condensed=True)["RR"] == {"q": 1.0}
    assert per_query(qrels, {}, ["nDCG@10"])["nDCG@10"] == {"q": 0.0}


def test_a_row_ranks_without_what_was_not_judged() -> None:
    later = (*MATERIAL.brought[:2], brought("long", "claim", "x", "y"))
    assert ablate(replace(MATERIAL, brought=later)).row("claim").measures["RR"] == 1.0


CELLS = st.lists(
    st.tuples(
        st.sampled_from("pq"),
        st.sampled_from(["claim", "vp"]),
        st.lists(st.sampled_from("abcd"), unique=True),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda cell: cell[:2],
)
LABELS = st.dictionaries(
    st.tuples(st.sampled_from("pq"), st.sampled_from("abcd")),
    st.sampled_from(["agree", "unrelated"]),
    min_size=1,
)


@given(CELLS, LABELS)
def test_new_documents_and_what_all_brought_hold_together(
    cells: list[tuple[str, str, list[str]]], labels: dict[tuple[str, str], str]
) -> None:
    material = Material(
        claims={"p": ClaimFacts(3), "q": ClaimFacts(30)},
        variants=("claim", "vp"),
        engines=("google",),
        brought=tuple(brought(claim, variant, *found) for claim, variant, found in cells),
        labels=labels,
    )
    report = ablate(material, replicates=20)
    total, rows = report.row(ALL), [report.row(name) for name in ("claim", "vp")]
    shown = [row for row in rows if row.not_applicable is None]
    everything = {(claim, key) for claim, _, found in cells for key in found}
    assert total.documents == len(everything)
    for row in shown:
        assert (row.new_documents or 0) <= (row.documents or 0) <= len(everything)
        others = {(claim, key) for claim, variant, found in cells if variant != row.variant for key in found}
        assert (row.new_documents or 0) == len(everything - others)
        assert sum(row.labels.values()) == row.judged
        assert (row.claims_lost or 0) <= (row.claims_with_related or 0) <= row.claims
