"""The rules of the form, on the server: above all SCRum-9's second choice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.answers import Unanswered, answer_of
from annotation.schemes import HIGHLY_UNCERTAIN, Scheme, scheme_of

SCRUM9 = scheme_of("scrum9")
CHOICES = st.sampled_from(["", *SCRUM9.names, HIGHLY_UNCERTAIN, "agree"])


def problems(scheme: Scheme, **answers: str) -> dict[str, str]:
    with pytest.raises(Unanswered) as error:
        answer_of(scheme, answers)
    return error.value.problems


@given(label=CHOICES, confidence=st.sampled_from(["", *"0123456"]), second=CHOICES)
def test_what_is_stored_obeys_the_papers_rules(label: str, confidence: str, second: str) -> None:
    try:
        answer = answer_of(SCRUM9, {"label": label, "confidence": confidence, "second": second})
    except Unanswered:
        allowed = (
            label in SCRUM9.names
            and confidence in "12345"
            and confidence != ""
            and (
                (confidence in "123" and second in {*SCRUM9.names, HIGHLY_UNCERTAIN} - {label})
                or (confidence in "45" and second == "")
            )
        )
        assert not allowed, "a form that keeps the rules is taken"
        return
    assert answer.label in SCRUM9.names
    assert answer.confidence in range(1, 6)
    assert answer.second != answer.label
    assert (answer.second is not None) == (answer.confidence <= 3)


def test_every_problem_is_named() -> None:
    assert problems(SCRUM9) == {"label": "choose_one", "confidence": "choose_one"}
    assert problems(SCRUM9, label="agree", confidence="5") == {"label": "unknown_answer"}
    assert problems(SCRUM9, label="comment", confidence="3") == {"second": "choose_one"}
    assert problems(SCRUM9, label="comment", confidence="3", second="comment") == {"second": "same_as_first"}
    assert problems(SCRUM9, label="comment", confidence="4", second="rejecting") == {"second": "not_asked"}
    assert problems(SCRUM9, label="comment", confidence="4", note="x" * 5001) == {"note": "too_long"}


def test_highly_uncertain_is_a_second_choice_and_never_a_first() -> None:
    answer = answer_of(SCRUM9, {"label": "comment", "confidence": "1", "second": HIGHLY_UNCERTAIN})
    assert answer.second == HIGHLY_UNCERTAIN
    assert "label" in problems(SCRUM9, label=HIGHLY_UNCERTAIN, confidence="5")


def test_own_questions_hang_on_answers_before_them(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        """
[[labels]]
name = "yes"
[[labels]]
name = "no"
[[questions]]
name = "kind"
kind = "choice"
required = true
when = { label = "no" }
options = [{ value = "denial" }, { value = "silence" }]
[[questions]]
name = "why"
kind = "text"
when = { label = "no", kind = "denial" }
[[questions]]
name = "clarity"
kind = "scale"
options = [{ value = 1 }, { value = 2 }]
""",
        "utf-8",
    )
    scheme = scheme_of(str(path))
    assert answer_of(scheme, {"label": "yes", "clarity": "2"}).answers == {"clarity": 2}
    assert answer_of(scheme, {"label": "no", "kind": "denial", "why": " ينفي "}).answers == {
        "kind": "denial",
        "why": "ينفي",
    }
    assert problems(scheme, label="no") == {"kind": "choose_one"}
    assert problems(scheme, label="no", kind="silence", why="x") == {"why": "not_asked"}
    assert problems(scheme, label="yes", clarity="3") == {"clarity": "unknown_answer"}


def test_sentences_are_kept_only_where_the_scheme_asks_for_them() -> None:
    plain = scheme_of("arastance")
    assert "sentences" not in answer_of(plain, {"label": "agree"}, [(0, 5)]).answers
    marking = plain.model_copy(update={"sentences": True})
    assert answer_of(marking, {"label": "agree"}, [(0, 5)]).answers == {"sentences": ((0, 5),)}
