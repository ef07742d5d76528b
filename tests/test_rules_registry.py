from decimal import Decimal
from fractions import Fraction

import pytest

from discreet.errors import InputError
from discreet.rules.dominance import DominanceRule
from discreet.rules.manual import ManualRule
from discreet.rules.percent import PercentRule
from discreet.rules.registry import RULES, form, key_of, make_rule, rule_from
from discreet.rules.request import RequestRule
from discreet.rules.threshold import ThresholdRule
from discreet.rules.zero import ZeroRule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("p:10", PercentRule(10)),
        ("p:12.5", PercentRule(Fraction(25, 2))),
        ("p:10:50", PercentRule(10, 50)),
        ("p:10:100:2", PercentRule(10, 100, 2)),
        ("p:10@holding", PercentRule(10, level="holding")),
        ("p:10@record", PercentRule(10)),
        ("dominance:2:75", DominanceRule(2, 75)),
        ("threshold:3", ThresholdRule(3)),
        ("threshold:3:15", ThresholdRule(3, 15)),
        ("threshold:3@unweighted@holding", ThresholdRule(3, unweighted=True, level="holding")),
        ("request:50:70:3:15", RequestRule(50, 70, 3, 15)),
        ("zero:5", ZeroRule(5)),
        ("manual:20", ManualRule(20)),
        ("manual", ManualRule(10)),
    ],
)
def test_a_rule_is_made_of_its_key_and_its_numbers(text, rule):
    assert make_rule(text) == rule


@pytest.mark.parametrize(
    "text", ["p", "p:", "p:x", "p:-3", "p:1:2:3:4", "p:²", "p:1/3", "p:1e1", "p: 1", "p:١"]
)
def test_numbers_that_are_missing_too_many_or_none_are_refused_with_the_form(text):
    with pytest.raises(InputError) as error:
        make_rule(text)
    assert f"Expected the rule as {form('p')} with numbers, got '{text}'." == str(error.value)


def test_the_form_says_what_may_be_left_out():
    assert form("p") == "p:PERCENT[:PRIOR[:COALITION]][@holding]"


def test_the_form_says_every_word():
    assert form("threshold") == "threshold:LEAST[:PERCENT][@unweighted][@holding]"


def test_numbers_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="above 0"):
        make_rule("p:0")


def test_an_unknown_rule_is_refused_with_what_may_be_meant():
    with pytest.raises(InputError, match=r"Unknown rule 'dominence'. Did you mean 'dominance'\?"):
        make_rule("dominence:1:75")


def test_an_unknown_level_is_refused_with_what_may_be_meant():
    with pytest.raises(InputError, match=r"knows no '@holdings'. Did you mean 'holding'\?"):
        make_rule("p:10@holdings")


def test_a_rule_without_levels_knows_none():
    with pytest.raises(InputError, match=r"'manual' knows no '@holding'\. Expected it as manual"):
        make_rule("manual:10@holding")


@pytest.mark.parametrize(
    "percent", [12.5, "12.5", Decimal("12.5"), Fraction(25, 2)], ids=["float", "text", "decimal", "fraction"]
)
def test_a_rule_is_made_of_a_mapping(percent):
    rule = rule_from({"rule": "p", "percent": percent, "level": "holding"})
    assert rule == PercentRule(Fraction(25, 2), level="holding")


def test_a_rule_made_of_a_mapping_may_be_unweighted():
    assert rule_from({"rule": "threshold", "least": 3, "unweighted": True}) == ThresholdRule(
        3, unweighted=True
    )


def test_a_rule_that_is_one_already_stays():
    assert rule_from(PercentRule(10)) == PercentRule(10)


def test_rules_of_equal_numbers_look_the_same_in_a_certificate():
    assert repr(PercentRule(10.0)) == repr(PercentRule(Fraction(10)))


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({"rule": "pp"}, "Unknown rule 'pp'. Did you mean 'p'?"),
        ({"percent": 10}, "Expected a rule with its name as 'rule', got none. Choices: dominance, manual"),
        ({"rule": "p", "pecent": 10}, "The rule 'p' has no parameter 'pecent'. Did you mean 'percent'?"),
        ({"rule": "p"}, "Expected the rule as p:PERCENT"),
        (
            {"rule": "p", "percent": [10]},
            "Expected a percentage above 0 and at most 100 as 'percent', got [10].",
        ),
        ({"rule": "p", "percent": 10, "level": 3}, "Unknown level '3' of a rule."),
    ],
)
def test_a_mapping_that_makes_no_rule_is_refused(mapping, said):
    with pytest.raises(InputError) as error:
        rule_from(mapping)
    assert said in str(error.value)


@pytest.mark.parametrize("key", RULES)
def test_every_rule_is_found_by_the_key_of_its_example(key):
    assert key_of(make_rule(RULES[key].example)) == key
