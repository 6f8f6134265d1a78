"""Every cleaning rule does what its examples say; a broken rules file says what is broken."""

import pytest

from dalil.errors import InputError
from dalil.records import Claim, CleanedClaim
from dalil.resources import data
from dalil.stages import Drop
from retrieval.clean import clean, load_rules
from retrieval.clean.rules import folded_pattern

PATH = data("cleaning", "rules.toml")
RULES = load_rules(PATH)
CASES = [pytest.param(rule, example, id=rule.name) for rule in RULES for example in rule.examples]


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_examples(rule, example):
    made = clean(Claim(id="claim-x", site="s", raw=example.raw), RULES)
    if example.drop:
        assert isinstance(made, Drop)
        assert (made.reason, made.detail) == (example.drop, rule.name)
        return
    assert isinstance(made, CleanedClaim)
    assert rule.name in made.rules
    assert made.text == example.text
    assert set(example.flags) <= set(made.flags)
    if not any(flag.startswith("needs_edit") for flag in example.flags):
        assert not [flag for flag in made.flags if flag.startswith("needs_edit")]


@pytest.mark.parametrize(
    "rule_name", sorted(rule.name for rule in RULES if not any(example.drop for example in rule.examples))
)
def test_a_rule_that_is_off_does_nothing(rule_name):
    off = RULES.without((rule_name,))
    for rule in RULES:
        for example in rule.examples:
            made = clean(Claim(id="claim-x", site="s", raw=example.raw), off)
            assert isinstance(made, Drop) or rule_name not in made.rules


def test_unknown_rule_cannot_be_off():
    with pytest.raises(ValueError, match="no cleaning rule is called 'prefix:none'"):
        RULES.without(("prefix:none",))


def test_patterns_are_folded_but_their_escapes_stay():
    pattern = folded_pattern(r"حقيقة\S\sأنّ")
    assert pattern.pattern == r"حقيقه\S\sان"


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("[[noise]]", "[[nose]]", "unknown kind of rule 'nose'"),
        ('id = "update"', 'id = "label-claim"', "two rules have this name"),
        ('keeps = "signature"', 'keeps = "all"', "keeps: Input should be 'speaker' or 'signature'"),
        ("pattern = '✅'", "pattern = '('", "not a regular expression"),
        ("question = ", "questions = ", r"\[shape\] has no question"),
        ("either = ", "eithers = ", r"\[words\] has no either"),
        ("[words]", "[words", "not valid TOML"),
    ],
)
def test_broken_files_are_told(tmp_path, was, becomes, message):
    text = PATH.read_text("utf-8")
    assert was in text
    path = tmp_path / "rules.toml"
    path.write_text(text.replace(was, becomes), "utf-8")
    with pytest.raises(InputError, match=message) as error:
        load_rules(path)
    assert str(path) in error.value.line()


def test_a_rule_needs_an_example(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text("[[noise]]\nid = 'x'\npattern = 'x'\nexamples = []\n", "utf-8")
    with pytest.raises(InputError, match="a rule without an example"):
        load_rules(path)
