import pytest

from discreet.errors import InputError
from discreet.rules.percent import PercentRule
from discreet.rules.registry import make_rule
from discreet.rules.threshold import ThresholdRule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("p:10", PercentRule(10)),
        ("threshold:3", ThresholdRule(3)),
        ("threshold:3:15", ThresholdRule(3, 15)),
    ],
)
def test_a_rule_is_made_of_its_key_and_its_numbers(text, rule):
    assert make_rule(text) == rule


@pytest.mark.parametrize("text", ["p", "p:", "p:x", "p:-3", "p:1:2", "threshold", "threshold:3:4:5", "p:²"])
def test_numbers_that_are_missing_too_many_or_none_are_refused(text):
    with pytest.raises(InputError, match=r"Expected the rule as (p:PERCENT|threshold:LEAST:PERCENT)"):
        make_rule(text)


def test_numbers_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="above 0"):
        make_rule("p:0")


def test_an_unknown_rule_is_refused_with_the_choices():
    with pytest.raises(InputError, match="Unknown rule 'dominance'"):
        make_rule("dominance:1:75")
