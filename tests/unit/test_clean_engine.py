"""Cleaning a claim: what the papers and sites show, and the laws that hold for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.records import Claim
from dalil.resources import data
from dalil.stages import Drop
from retrieval.clean import clean, load_rules
from retrieval.clean.quotes import quotes

RULES = load_rules(data("cleaning", "rules.toml"))
PHRASES = [example.raw for rule in RULES for example in rule.examples]


def made(raw, **fields):
    return clean(Claim(id="claim-x", site="s", raw=raw, **fields), RULES)


# --- the two pairs that AraStance publishes: stripping alone leaves a noun phrase, so a person is asked


def test_first_published_pair_needs_a_person():
    found = made("لا صحة لما يتم تداوله حول تسجيل مكالمات ورسائل المقيمين")
    assert found.text == "تسجيل مكالمات ورسائل المقيمين"
    assert found.rules == ("prefix:no-truth-in-circulating",)
    assert "needs_edit:nominal" in found.flags


def test_second_published_pair_needs_a_person():
    found = made("اشعة الكوزمو القادمة من كوكب المريخ اشاعة كاذبة من2008")
    assert found.text == "اشعة الكوزمو القادمة من كوكب المريخ"
    assert "needs_edit:nominal" in found.flags


# --- what must not happen silently


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("حقيقة إلغاء بنزين 80", "nominal"),
        ("هل قررت الحكومة إلغاء الدعم؟", "interrogative"),
        ("ما حقيقة هل يشفي الليمون من السكري؟", "interrogative"),
        ("خبر كاذب: لا يوجد دواء للسكري", "inverted"),
        ("إشاعة: الوزارة تنفي إلغاء الدعم", None),
        ("حقيقة نفي الوزارة إلغاء الدعم", "inverted"),
        ("إشاعة: الموت", "too_short"),
        ("نعم حقيقة! الحكومة تلغي الدعم …خبر كاذب", "contradicts_verdict"),
    ],
)
def test_reasons(raw, reason):
    found = made(raw)
    flags = [flag for flag in found.flags if flag.startswith("needs_edit:")]
    assert (f"needs_edit:{reason}" in flags) if reason else not flags


def test_questions_are_flagged_and_not_stripped():
    raw = "هل قررت الحكومة إلغاء الدعم؟"
    assert made(raw).text == raw
    assert made(raw).rules == ()


def test_harakat_and_tatweel_hide_no_prefix():
    assert made("حَقِيقـــةُ أنَّ الحكومة تسجّل المكالمات").text == "الحكومة تسجّل المكالمات"


def test_a_site_verdict_opposite_to_the_phrase_is_flagged():
    raw = "خبر صحيح: البعثة تكتشف مقبرة أثرية"
    assert "needs_edit:contradicts_verdict" in made(raw, veracity="false").flags
    assert made(raw, veracity="true").flags == ("says:true",)
    assert made(raw, veracity="unknown").flags == ("says:true",)


def test_a_headline_that_states_the_truth_gives_way_to_the_quoted_claim_in_the_body():
    raw = "هذه الصورة لعمل فني وليست لطائرة"
    body = "صورة منتشرة مع تعليق: «عادت الطائرة بسلام من غابات الأمازون». إلا أن هذه الصورة لعمل فني."
    found = made(raw, title=raw, body=body)
    assert found.text == "عادت الطائرة بسلام من غابات الأمازون"
    assert found.raw == raw
    assert found.rules == ("never:this-picture-is", "body:cut:but-this-claim", "body:intro:caption")


def test_the_claim_box_comes_before_the_body():
    raw = "هذه الصورة لعمل فني وليست لطائرة"
    found = made(
        raw, title=raw, body="مع تعليق: «غيره تماما هنا»", found={"claim_text": "الطائرة عادت من الأمازون"}
    )
    assert found.text == "الطائرة عادت من الأمازون"
    assert found.rules == ("never:this-picture-is", "box:claim_text")


def test_what_a_site_prints_as_the_claim_may_deny():
    found = made("لا يوجد في مصر ثلث آثار العالم", title="حقيقة عدد الآثار في مصر")
    assert found.text == "لا يوجد في مصر ثلث آثار العالم"
    assert found.flags == ()


def test_a_claim_that_needs_nothing_is_left_alone():
    found = made("وزارة التربية تلغي امتحانات نهاية العام")
    assert (found.text, found.rules, found.flags) == ("وزارة التربية تلغي امتحانات نهاية العام", (), ())


@pytest.mark.parametrize("raw", ["", " \n ", "❌❌", "https://a.example/x", "…"])
def test_no_text_is_dropped(raw):
    assert made(raw).reason == "no_text"


def test_several_quotations_are_flagged():
    found = made(
        "صورة منتشرة مع تعليق: «الحكومة تلغي بنزين 80 غدا»، ومكتوب عليها: «الوزير يعلن القرار اليوم»"
    )
    assert found.text == "الحكومة تلغي بنزين 80 غدا"
    assert "needs_edit:several" in found.flags


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('قال: "قناة "الزمالك" سجلت" أمس', ['"قناة "الزمالك" سجلت"']),
        ("قال: ”مفبرك“ أمس", ["”مفبرك“"]),
        ("قال: «كلام “داخلي” آخر»", ["«كلام “داخلي” آخر»"]),
        ('بيقول"رواندا تطلق قمرا".', ['"رواندا تطلق قمرا"']),
        ("لا شيء", []),
        ('شاشة 5" كبيرة', []),
        ('قال: "لم تغلق', ['"لم تغلق']),
    ],
)
def test_quotations(text, found):
    assert [text[quote.start : quote.end] for quote in quotes(text)] == found


@pytest.mark.parametrize(
    "raw",
    [
        "شاهد: توفي الفنان سليم الحلو في حادث سير",
        "فيديو يظهر وفاة الفنان سليم الحلو",
        "بالصور.. الرئيس يقبل يد الوزير",
        "صورة: الوزير يستقيل من منصبه",
        "بالفيديو | شاب ينتحر من فوق مبنى عال",
    ],
)
def test_a_picture_beside_a_statement_is_flagged_and_not_dropped(raw):
    assert "needs_edit:multimedia" in made(raw).flags


@pytest.mark.parametrize(
    "raw",
    [
        "صورة لرجل يجلس بجانب الرئيس",
        "صورة لطفل مصاب يحمل حقيبة",
        "صورة منتشرة للرئيس وهو يحمل كأس العالم",
        "صورة للفنان يظهر فيها باللحية البيضاء",
        "شاهد لحظة انفجار المرفأ",
        "فيديو وفاة الفنان",
    ],
)
def test_a_picture_and_what_is_to_be_seen_in_it_is_dropped(raw):
    found = clean(Claim(id="claim-x", site="s", raw=raw), RULES)
    assert isinstance(found, Drop)
    assert found.reason == "multimedia"


@pytest.mark.parametrize(
    "piece", [" ", "-", "\n", ". ", '"', "«", "قال : ", "❌", "بوست قال ", 'قال: "كلام كثير هنا" ']
)
def test_what_a_page_repeats_costs_no_time(piece):
    """A pattern that is quadratic in a run would not end within minutes."""
    assert made(f"ادعاء {piece * 20_000} آخر").raw.startswith("ادعاء")


@pytest.mark.parametrize("phrase", ["عاجل: ", "حقيقة ", "لا صحة لما يتم تداوله حول ", "خبر كاذب\n", "إشاعة "])
def test_phrases_without_end_are_not_taken_off_without_end(phrase):
    """Each costs a look at the whole text: thousands of them cost minutes. What may be left is flagged."""
    found = made(phrase * 1000)
    assert len(found.text) > 1000
    assert {"needs_edit:framed", "needs_edit:too_long"} <= set(found.flags)


# --- laws

PIECES = st.lists(
    st.sampled_from([*PHRASES, "الحكومة تسجل المكالمات", "«", '"', "؟", ":", "\n", " ", "❌"]), max_size=4
)
TEXTS = st.one_of(st.text(max_size=80), PIECES.map("".join), PIECES.map(" ".join))


@settings(deadline=None)
@given(TEXTS)
def test_any_text_is_cleaned_or_dropped_with_a_reason(raw):
    claim = Claim(id="claim-x", site="s", raw=raw)
    found = clean(claim, RULES)
    if isinstance(found, Drop):
        assert found.reason in ("no_text", "multimedia")
        return
    assert found.raw == claim.raw
    assert any(character.isalpha() for character in found.text)
    assert found.text == " ".join(found.text.split())
    if not found.rules:  # then nothing has gone but white space, and punctuation at the ends
        assert found.text in " ".join(claim.raw.split())
        assert [c for c in found.text if c.isalnum()] == [c for c in claim.raw if c.isalnum()]


@settings(deadline=None)
@given(TEXTS)
def test_cleaning_is_a_function_of_the_claim(raw):
    claim = Claim(id="claim-x", site="s", raw=raw)
    assert clean(claim, RULES) == clean(claim, RULES)


DEBUNKS = (
    "حقيقة",
    "ما حقيقة",
    "ما صحّة",
    "شائعة",
    "لا صحة لما يتم تداوله حول",
    "خبر كاذب:",
    "خرافة –",
    "(إشاعة):",
)
EVENTS = (
    "إلغاء بنزين 80",
    "تسجيل مكالمات المقيمين",
    "وفاة الفنان عزت أبو عوف",
    "تراجع سعر صرف الدينار اليوم",
)
DENIALS = ("لا يوجد دواء للسكري", "لم تقرر الحكومة شيئا", "ليست هناك زيادة", "نفي الوزارة للخبر")


@settings(deadline=None)
@given(st.sampled_from(DEBUNKS), st.sampled_from(EVENTS), st.sampled_from(["", ".", " ❌", "، ما صحة ذلك؟"]))
def test_an_event_left_by_a_debunk_phrase_is_nominal(phrase, event, end):
    found = made(f"{phrase} {event}{end}")
    assert found.text == event
    assert "needs_edit:nominal" in found.flags


@settings(deadline=None)
@given(st.sampled_from(DEBUNKS), st.sampled_from(DENIALS), st.sampled_from(["", ".", " ❌"]))
def test_a_denial_left_by_a_debunk_phrase_is_inverted(phrase, denial, end):
    assert "needs_edit:inverted" in made(f"{phrase} {denial}{end}").flags


def test_a_cut_point_inside_a_quotation_is_not_the_fact_checkers():
    found = made("بوست منتشر بيقول: «الحكومة تلغي الدعم لكن الحقيقة أنها تخفيه». الكلام ده غير صحيح")
    assert found.text == "الحكومة تلغي الدعم لكن الحقيقة أنها تخفيه"
    assert found.rules == ("cut:not-true-dialect", "intro:post-says")


def test_a_pronoun_without_what_it_stood_for_is_flagged():
    found = made("نشرت صفحات مقطعا ادعى ناشروه أنه يصور تحرير المعتقلين من السجن")
    assert "needs_edit:points" in found.flags
