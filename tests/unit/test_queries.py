"""The five variants: windows, entities set before the claim, merging."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.ids import make_id
from dalil.records import Claim
from retrieval.analyzers.base import Analysis, Entity, Token
from retrieval.queries import (
    PAPER,
    TRUE_CLAIMS,
    centre,
    diagnostics,
    merge,
    plan,
    prepend,
    question,
    variants,
    window,
)

TEXT = "الطبيب يحذر سكان دمشق من السفر إلى مصر، والسلطات تنفي"


def analysed(text=TEXT, verbs=("يحذر", "تنفي"), names=("دمشق", "مصر")):
    """A hand-made analysis: words and commas, tagged by list."""
    tokens, at = [], 0
    for word in text.replace("،", " ،").split():
        start = text.index(word, at)
        at = start + len(word)
        tokens.append(Token(word, start, at, "VERB" if word in verbs else "NOUN"))
    entities = tuple(
        Entity(text.index(name), text.index(name) + len(name), "LOC", name) for name in names if name in text
    )
    return Analysis(text, tuple(tokens), entities, backend="hand", model_hash="0")


def queries(**kwargs):
    given_ = {"claim_id": "c", "date": "2018-07-15", "analysis": analysed(), **kwargs}
    return variants(TEXT, **given_)


def by_variant(plan):
    return {name: query for query in plan.queries for name in query.variants}


class TestVariants:
    def test_a_false_claim_is_asked_for_in_five_ways(self):
        made = by_variant(queries(veracity="false"))
        cut = "الطبيب يحذر سكان دمشق من السفر إلى مصر"
        assert list(made) == list(PAPER)
        assert made["claim"].text == TEXT
        assert made["claim+date"].text == TEXT
        assert made["claim+date+entities"].text == "دمشق مصر " + TEXT
        assert made["vp+date"].text == cut
        assert made["vp+date+entities"].text == "دمشق مصر " + cut
        assert (made["claim"].start, made["claim"].end, made["claim"].centred_on) == (None, None, None)
        for name in PAPER[1:]:
            assert (made[name].start, made[name].end) == ("2018-05-15", "2018-09-15")
            assert made[name].centred_on == "claim_date"

    def test_a_true_claim_takes_the_first_two(self):
        made = queries(veracity="true")
        assert list(by_variant(made)) == list(TRUE_CLAIMS)
        assert {(a.variant, a.reason) for a in made.absent} == {(n, "true_claim") for n in PAPER[2:]}

    @pytest.mark.parametrize("veracity", ["false", "mixed", "unknown"])
    def test_only_true_claims_are_narrowed(self, veracity):
        assert list(by_variant(queries(veracity=veracity))) == list(PAPER)

    def test_an_undated_claim_has_no_dated_query_and_says_so(self):
        made = queries(date=None)
        assert list(by_variant(made)) == ["claim"]
        assert [(a.variant, a.reason) for a in made.absent] == [(n, "undated") for n in PAPER[1:]]

    def test_without_an_analysis_what_needs_one_is_absent(self):
        made = queries(analysis=None)
        assert list(by_variant(made)) == ["claim", "claim+date"]
        assert {a.reason for a in made.absent} == {"no_analysis"}

    def test_an_analysis_of_another_text_is_refused(self):
        with pytest.raises(ValueError, match="another text"):
            variants("نص آخر", claim_id="c", date="2018-07-15", analysis=analysed())

    def test_an_empty_claim_is_refused(self):
        with pytest.raises(ValueError, match="without text"):
            variants(" \n", claim_id="c", date=None)

    def test_a_query_says_what_made_it(self):
        made = by_variant(queries())["vp+date+entities"].analyzer
        assert made["backend"] == "hand"
        assert made["rule"] == "tags"
        assert made["stop"] == "،"
        assert made["entities"] == ("دمشق", "مصر")

    def test_ids_come_from_claim_and_question(self):
        for query in queries().queries:
            assert query.question == question(query.text, query.start, query.end)
            assert query.id == make_id("query", "c", query.question)

    def test_the_same_question_of_two_claims_is_one_question_and_two_queries(self):
        first, second = queries().queries[0], queries(claim_id="d").queries[0]
        assert first.question == second.question
        assert first.id != second.id


class TestMerging:
    def test_a_claim_without_verb_and_names_has_two_queries(self):
        text = "صورة نادرة لبركان في البحر"
        made = variants(text, claim_id="c", date="2018-07-15", analysis=analysed(text))
        assert [query.variants for query in made.queries] == [("claim",), PAPER[1:]]
        assert made.queries[1].analyzer["fallback"] == "no_verb"

    def test_diagnostics_never_bear_the_papers_names(self):
        made = diagnostics(TEXT, claim_id="c", analysis=analysed())
        names = {name for query in made for name in query.variants}
        assert names == {"claim+entities", "vp", "vp+entities"}
        assert all(query.start is None and query.end is None for query in made)

    def test_a_diagnostic_equal_to_the_claim_is_merged_with_it(self):
        text = "صورة نادرة لبركان في البحر"
        paper = variants(text, claim_id="c", date=None, analysis=analysed(text)).queries
        both = merge([*paper, *diagnostics(text, claim_id="c", analysis=analysed(text))])
        assert [query.variants for query in both] == [("claim", "claim+entities", "vp", "vp+entities")]

    @settings(deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from("ab"), st.sampled_from(["س", "ص"]), st.sampled_from([None, "2018-01-31"])
            ),
            max_size=8,
        )
    )
    def test_merging_loses_no_variant_and_keeps_questions_apart(self, drawn):
        made = []
        for number, (claim, text, day) in enumerate(drawn):
            query = variants(text, claim_id=claim, date=day).queries[-1]
            made.append(query.model_copy(update={"variants": (f"v{number}",)}))
        merged = merge(made)
        keys = [(query.claim_id, query.text, query.start, query.end) for query in merged]
        assert len(keys) == len(set(keys))
        assert sorted(name for query in merged for name in query.variants) == sorted(
            f"v{n}" for n in range(len(made))
        )
        assert merge(merged) == merged


class TestWindow:
    @pytest.mark.parametrize(
        ("day", "start", "end"),
        [
            ("2018-07-15", "2018-05-15", "2018-09-15"),
            ("2018-04-30", "2018-02-28", "2018-06-30"),
            ("2016-04-30", "2016-02-29", "2016-06-30"),
            ("2017-12-31", "2017-10-31", "2018-02-28"),
            ("2018-01-01", "2017-11-01", "2018-03-01"),
            ("2018-07", "2018-05-01", "2018-09-30"),
            ("2018-12", "2018-10-01", "2019-02-28"),
            ("2018-07-15T23:59:00Z", "2018-05-15", "2018-09-15"),
        ],
    )
    def test_two_calendar_months_either_side(self, day, start, end):
        assert window(day) == (start, end)

    @pytest.mark.parametrize(
        "day", ["2018", "", "قبل عام", "2018-13", "2018-02-30", "15/07/2018", "0000-01-01"]
    )
    def test_no_window_without_a_month(self, day):
        assert window(day) is None

    @settings(deadline=None)
    @given(st.dates(min_value=date(1, 3, 1), max_value=date(9999, 10, 31)))
    def test_it_holds_the_date_and_is_about_four_months_long(self, day):
        start, end = map(date.fromisoformat, window(day.isoformat()))
        assert 59 <= (day - start).days <= 62
        assert 59 <= (end - day).days <= 62
        assert start.day == day.day or (start.day < day.day and start.day >= 28)

    @settings(deadline=None)
    @given(st.dates(min_value=date(1, 3, 1), max_value=date(9999, 10, 31)), st.integers(0, 3000))
    def test_a_later_date_never_has_an_earlier_window(self, day, later):
        after = date.fromordinal(min(day.toordinal() + later, date(9999, 10, 31).toordinal()))
        first, second = window(day.isoformat()), window(after.isoformat())
        assert first[0] <= second[0]
        assert first[1] <= second[1]

    @settings(deadline=None)
    @given(st.dates(min_value=date(1, 3, 1), max_value=date(9999, 10, 31)))
    def test_a_months_window_holds_that_of_each_of_its_days(self, day):
        start, end = window(day.isoformat())
        wide = window(day.isoformat()[:7])
        assert wide[0] <= start
        assert end <= wide[1]

    @pytest.mark.parametrize("day", ["0001-01-10", "9999-12-31"])
    def test_it_stops_where_dates_do(self, day):
        start, end = window(day)
        assert start <= day <= end


class TestCentre:
    @pytest.mark.parametrize(
        ("claim", "review", "date", "date_from", "reason"),
        [
            ("2018-07-15", "2018-08-01", "2018-07-15", "claim_date", None),
            (None, "2018-08-01", "2018-08-01", "review_date", None),
            ("2018-07", "2018-08-01", "2018-07", "claim_date", None),
            ("2018", "2018-08-01", "2018-08-01", "review_date", None),
            ("2018", "2019-01-02", None, None, "year_only"),
            ("2018", None, None, None, "year_only"),
            (None, "2018", None, None, "year_only"),
            ("أمس", "2018-08-01", "2018-08-01", "review_date", None),
            ("أمس", None, None, None, "unreadable_date"),
            ("2018-00", None, None, None, "unreadable_date"),
            ("2018-00-00", None, None, None, "unreadable_date"),
            (None, "2018-02-00", None, None, "unreadable_date"),
            ("0000-01-01", None, None, None, "unreadable_date"),
            (None, None, None, None, "undated"),
            ("", "", None, None, "undated"),
        ],
    )
    def test_claim_date_else_review_date(self, claim, review, date, date_from, reason):
        middle = centre(claim, review)
        assert (middle.date, middle.date_from, middle.reason) == (date, date_from, reason)

    def test_a_plan_records_what_the_window_is_centred_on(self):
        claim = Claim(id="c", site="s", raw=TEXT, review_date="2018-08-01")
        made = by_variant(plan(claim, TEXT, analysed()))
        assert made["claim+date"].centred_on == "review_date"
        assert (made["claim+date"].start, made["claim+date"].end) == ("2018-06-01", "2018-10-01")

    def test_a_plan_says_why_a_claim_counts_as_undated(self):
        claim = Claim(id="c", site="s", raw=TEXT, claim_date="2018")
        assert {absent.reason for absent in plan(claim, TEXT, analysed()).absent} == {"year_only"}


def named(text, *names):
    return [Entity(text.index(name), text.index(name) + len(name), "PERS", name) for name in names]


class TestPrepending:
    def test_names_come_in_order_of_appearance(self):
        text = "زار محمد صلاح القاهرة ثم لندن"
        assert prepend(text, named(text, "لندن", "القاهرة", "محمد صلاح")) == "محمد صلاح القاهرة لندن " + text

    def test_a_name_at_the_head_is_not_repeated(self):
        text = "محمد صلاح يزور لندن"
        assert prepend(text, named(text, "محمد صلاح", "لندن")) == "لندن " + text

    @pytest.mark.parametrize("text", ["مصر والسودان توقعان", "مصر و السودان توقعان", "«مصر»، السودان توقعان"])
    def test_a_run_of_names_at_the_head_is_at_the_head(self, text):
        assert prepend(text, named(text, "مصر", "السودان")) == text

    def test_a_name_after_a_word_is_not_at_the_head(self):
        text = "رئيس مصر يستقيل"
        assert prepend(text, named(text, "مصر")) == "مصر " + text

    def test_a_name_said_twice_is_set_once_whatever_its_spelling(self):
        text = "وصل أحمد إلى بيت احمد"
        assert prepend(text, named(text, "أحمد", "احمد")) == "أحمد " + text

    def test_a_part_of_a_longer_name_is_not_set_again(self):
        text = "قال ترامب إن دونالد ترامب فاز"
        entities = [Entity(4, 9, "PERS", "ترامب"), *named(text, "دونالد ترامب")]
        assert prepend(text, entities) == "دونالد ترامب " + text

    def test_names_beyond_a_cut_are_set_before_what_is_left(self):
        text = "مصر تحذر سكانها، ولندن تنفي"
        cut = text[: text.index("،")]
        assert prepend(cut, named(text, "مصر", "لندن"), before=len(cut)) == "لندن " + cut

    @settings(deadline=None)
    @given(st.permutations(["دمشق", "مصر", "الأردن", "ليبيا"]), st.integers(0, 4))
    def test_the_claim_stays_whole_and_each_name_is_set_once_at_most(self, names, count):
        text = " ".join(names) + " كلها في خبر واحد"
        out = prepend("خبر عن " + text, named("خبر عن " + text, *names[:count]))
        assert out.endswith("خبر عن " + text)
        assert out[: len(out) - len("خبر عن " + text)].split() == names[:count]
