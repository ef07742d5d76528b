from fractions import Fraction

import numpy as np
import pytest
from holders import (
    Holder,
    by_dominance,
    by_percent,
    by_request,
    by_threshold,
    cell,
    evidence,
    joined,
    total,
)
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.evidence import Evidence
from discreet.rules.dominance import DominanceRule
from discreet.rules.manual import ManualRule
from discreet.rules.percent import PercentRule
from discreet.rules.registry import RULES, make_rule
from discreet.rules.request import RequestRule
from discreet.rules.threshold import ThresholdRule
from discreet.rules.zero import ZeroRule
from discreet.units import INFINITE


def needs(rule, *cells, published=None):
    """Needs of cells given by their contributors, the same on both sides."""
    found = rule.needs(evidence(cells, published))
    assert found.below.tolist() == found.above.tolist()
    return found.above.tolist()


# the p % rule


def test_a_cell_is_safe_when_the_rest_is_exactly_p_percent_of_the_largest():
    assert needs(PercentRule(10), cell(400, 198, 40), cell(400, 198, 39)) == [0, 1]


def test_a_need_is_what_is_missing_rounded_up():
    assert needs(PercentRule(10), cell(101, 3), cell(109, 3)) == [11, 11]


def test_a_lone_contributor_needs_p_percent_of_its_contribution():
    assert needs(PercentRule(15), cell(100)) == [15]


def test_only_the_two_largest_are_left_out_however_many_are_listed():
    assert needs(PercentRule(10), cell(100, 9, 3, 6)) == [1]


def test_a_coalition_of_two_leaves_out_the_three_largest():
    assert needs(PercentRule(10, coalition=2), cell(100, 60, 50, 10), cell(100, 60, 50, 9)) == [0, 1]


def test_prior_knowledge_of_half_makes_the_share_twice_as_large():
    assert needs(PercentRule(10, 50), cell(100, 60, 20), cell(100, 60, 19)) == [0, 1]


def test_a_percentage_may_be_a_fraction():
    assert needs(PercentRule(12.5), cell(80, 40, 10), cell(80, 40, 9)) == [0, 1]


@pytest.mark.parametrize("rule", ["p:10", "dominance:1:75", "threshold:3", "request:0:0:9", "zero:5"])
def test_a_cell_without_contributors_needs_nothing(rule):
    found = make_rule(rule).needs(evidence([[]]))
    assert (found.below.tolist(), found.above.tolist()) == ([0], [0])


# dominance


def test_a_cell_is_safe_when_the_largest_make_up_exactly_k_percent():
    assert needs(DominanceRule(1, 75), cell(75, 25), cell(76, 24)) == [0, 2]


def test_a_dominated_cell_needs_what_would_make_the_share_hold():
    assert needs(DominanceRule(2, 80), cell(50, 38, 12)) == [10]


def test_a_need_beyond_every_number_is_the_largest_there_is():
    assert needs(DominanceRule(1, Fraction(1, 100)), cell(2**61)) == [INFINITE]


# the threshold


def test_too_few_contributors_are_fewer_than_the_threshold():
    assert needs(ThresholdRule(3), cell(20, 30), cell(20, 31), cell(20, 20, 10), []) == [5, 6, 0, 0]


def test_too_few_contributors_with_nothing_need_one_unit():
    assert needs(ThresholdRule(3), cell(0)) == [1]


def test_the_need_of_a_negative_value_is_a_share_of_its_size():
    assert needs(ThresholdRule(3), cell(-45)) == [5]


def test_weights_make_few_contributors_enough():
    assert needs(ThresholdRule(3), [Holder(10, Fraction(3))], [Holder(10, Fraction(29, 10))]) == [0, 3]


def test_a_threshold_may_count_unweighted():
    assert needs(ThresholdRule(3, unweighted=True), [Holder(10, Fraction(5))]) == [5]


# requests


def test_a_largest_contributor_who_asked_is_safe_with_exactly_the_first_share():
    asked, other = Holder(50, request=1), Holder(50)
    assert needs(RequestRule(50, 99, 0), [asked, other], [Holder(51, request=1), Holder(49)]) == [0, 10]


def test_the_second_code_has_a_share_of_its_own():
    cells = [Holder(70, request=2), Holder(30)], [Holder(71, request=2), Holder(29)]
    assert needs(RequestRule(50, 70, 0), *cells) == [0, 10]


def test_one_who_asked_and_is_not_the_largest_is_safe_among_enough():
    assert needs(RequestRule(0, 0, 2), [Holder(90), Holder(10, request=1)]) == [0]


def test_of_several_largest_any_may_have_asked():
    assert needs(RequestRule(10, 10, 0), [Holder(50), Holder(50, request=1)]) == [10]


def test_anybody_who_asked_is_unsafe_among_too_few():
    assert needs(RequestRule(99, 99, 3), [Holder(90), Holder(10, request=2)]) == [10]


def test_a_request_is_safe_among_exactly_enough():
    assert needs(RequestRule(99, 99, 2), [Holder(90), Holder(10, request=2)]) == [0]


def test_without_a_request_too_few_are_safe():
    assert needs(RequestRule(0, 0, 3), cell(90, 10)) == [0]


# zeros and marks


def test_zeros_of_contributors_need_units_above_and_none_below():
    found = ZeroRule(5).needs(evidence([cell(0, 0), cell(1, 0), []]))
    assert (found.below.tolist(), found.above.tolist()) == ([0, 0, 0], [5, 0, 0])


def test_contributions_that_cancel_out_are_not_zeros():
    assert ZeroRule(5).needs(evidence([cell(4, -4)])).above.tolist() == [0]


def test_contributions_that_are_not_listed_and_known_to_cancel_out_are_not_zeros():
    held = Evidence(np.array([0]), np.array([2]), np.zeros((1, 0), np.int64), below_zero=np.array([True]))
    assert ZeroRule(5).needs(held).above.tolist() == [0]


def test_a_mark_needs_a_share_of_the_value():
    assert needs(ManualRule(20), cell(41)) == [9]


# against fractions


amounts = st.one_of(st.integers(0, 12), st.integers(0, 300), st.integers(2**60, 2**61))
weights = st.sampled_from([Fraction(1), Fraction(4), Fraction(5, 2), Fraction(1, 3), Fraction(7, 4)])
plain = st.builds(Holder, amounts, request=st.integers(0, 3), holding=st.integers(0, 2))
weighted = st.builds(Holder, amounts, weights, st.integers(0, 3))
cells = st.one_of(*(st.lists(st.lists(h, max_size=5), min_size=1, max_size=3) for h in (plain, weighted)))
percents = st.sampled_from([Fraction(1, 3), 1, 5, 10, Fraction(25, 2), 50, 75, 100])
values = st.one_of(st.none(), st.integers(-(2**61), 2**61), st.integers(-40, 40))

BY_LISTED = sorted(set(RULES) - {"request"})
"""A request of one who ties with the largest is seen only where he is listed."""


def carried(found, value):
    """The published values of the cells, or none where the total itself is published."""
    return None if value is None else [value] * len(found)


def capped(found):
    return [min(need, INFINITE) for need in found]


@given(cells, percents, percents, st.integers(1, 3), values)
@example([cell(400, 198, 40)], 10, 100, 1, None)
@example([cell(2**61, 0, 2**57)], 100, 100, 1, None)
@example([[Holder(100, Fraction(3, 2)), Holder(10, Fraction(1, 2)), Holder(9)]], 10, 100, 1, None)
def test_percent_needs_are_those_found_with_fractions(cells, p, q, c, value):
    p, q = min(p, q), max(p, q)
    exact = [by_percent(holders, p, q, c, value) for holders in cells]
    assert needs(PercentRule(p, q, c), *cells, published=carried(cells, value)) == capped(exact)


@given(cells, st.integers(1, 4), percents, values)
@example([cell(75, 25)], 1, 75, None)
@example([[Holder(100, Fraction(4)), Holder(10, Fraction(7))]], 2, 75, None)
def test_dominance_needs_are_those_found_with_fractions(cells, n, k, value):
    exact = [by_dominance(holders, n, k, value) for holders in cells]
    assert needs(DominanceRule(n, k), *cells, published=carried(cells, value)) == capped(exact)


@given(cells, st.integers(1, 6), percents, st.booleans(), values)
def test_threshold_needs_are_those_found_with_fractions(cells, n, r, unweighted, value):
    exact = [by_threshold(holders, n, r, unweighted, value) for holders in cells]
    assert needs(ThresholdRule(n, r, unweighted), *cells, published=carried(cells, value)) == capped(exact)


@given(cells, percents, percents, st.integers(0, 6), percents, values)
def test_request_needs_are_those_found_with_fractions(cells, p1, p2, m, r, value):
    exact = [by_request(holders, p1, p2, m, r, value) for holders in cells]
    assert needs(RequestRule(p1, p2, m, r), *cells, published=carried(cells, value)) == capped(exact)


@given(cells)
def test_the_zero_rule_hits_where_contributors_add_up_to_nothing(cells):
    exact = [4 if holders and total(holders) == 0 else 0 for holders in cells]
    assert ZeroRule(4).needs(evidence(cells)).above.tolist() == exact


@given(st.lists(st.lists(plain, max_size=5), min_size=1, max_size=3), percents)
def test_holdings_are_judged_as_one_contributor(cells, p):
    held = [joined(holders) for holders in cells]
    assert needs(PercentRule(p, level="holding"), *held) == [by_percent(h, p) for h in held]


@given(
    st.lists(st.lists(plain, max_size=5), min_size=1, max_size=3),
    st.sampled_from(BY_LISTED),
)
def test_contributors_that_are_not_looked_at_need_not_be_listed(cells, key):
    rule = make_rule(RULES[key].example)
    whole, short = (rule.needs(evidence(cells, keep=keep)) for keep in (None, max(rule.listed, 1)))
    assert whole.above.tolist() == short.above.tolist()


# carrying to another variable


def test_the_need_of_a_shadow_is_carried_in_proportion_and_rounded_up_once():
    assert needs(PercentRule(10), cell(100), published=[33]) == [4]


def test_a_need_that_vanishes_in_proportion_is_one_unit():
    assert needs(PercentRule(10), cell(10**6), published=[1]) == [1]


def test_a_negative_response_is_carried_by_its_size():
    assert needs(PercentRule(10), cell(100), published=[-200]) == [20]


def test_a_share_is_that_of_the_response_where_the_shadow_is_zero():
    assert needs(ThresholdRule(3, 10), cell(0), published=[500]) == [50]


# parameters


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: PercentRule(0), "a percentage above 0 and at most 100 as 'percent', got 0"),
        (lambda: PercentRule(101), "at most 100 as 'percent', got 101"),
        (lambda: PercentRule(10, 0), "'prior', got 0"),
        (lambda: PercentRule(60, 50), "at most the prior, 50 %, as 'percent', got 60"),
        (lambda: PercentRule(10, coalition=0), "a whole number of 1 or more as 'coalition', got 0"),
        (lambda: PercentRule(float("nan")), "'percent', got nan"),
        (lambda: PercentRule("ten"), "'percent', got ten"),
        (lambda: PercentRule(True), "'percent', got True"),
        (lambda: PercentRule(10, level="firm"), "Unknown level 'firm'"),
        (lambda: DominanceRule(0, 75), "a whole number of 1 or more as 'number', got 0"),
        (lambda: DominanceRule(1, 0), "'percent', got 0"),
        (lambda: DominanceRule(1, 100.5), "'percent', got 100.5"),
        (lambda: ThresholdRule(0), "a whole number of 1 or more as 'least', got 0"),
        (lambda: ThresholdRule(2.5), "as 'least', got 2.5"),
        (lambda: ThresholdRule(3, -1), "a percentage of 0 or more as 'percent', got -1"),
        (lambda: ThresholdRule(3, unweighted="yes"), "true or false as 'unweighted', got yes"),
        (lambda: RequestRule(101, 50, 3), "a percentage of 0 or more and at most 100 as 'first', got 101"),
        (lambda: RequestRule(50, -1, 3), "as 'second', got -1"),
        (lambda: RequestRule(50, 50, -1), "a whole number of 0 or more as 'least', got -1"),
        (lambda: ZeroRule(0), "a whole number of 1 or more as 'above', got 0"),
        (lambda: ManualRule(-5), "as 'percent', got -5"),
    ],
)
def test_a_parameter_out_of_range_is_named(make, said):
    with pytest.raises(InputError) as error:
        make()
    assert said in str(error.value)


@pytest.mark.parametrize(("rule", "said"), [(RULES[k].example, k) for k in RULES])
def test_every_rule_says_its_numbers_in_a_sentence(rule, said):
    made = make_rule(rule)
    assert all(number in made.sentence for number in rule.split(":")[1:])


def test_a_sentence_says_a_fraction_in_decimals():
    assert "12.5 %" in PercentRule(12.5).sentence


def test_a_sentence_says_a_third_as_a_fraction():
    assert "100/3 %" in PercentRule(Fraction(100, 3)).sentence


def test_a_sentence_says_the_level():
    assert "2 holdings" in DominanceRule(2, 75, level="holding").sentence
