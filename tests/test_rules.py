import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.rules.percent import PercentRule
from discreet.rules.threshold import ThresholdRule


def percent(p, *cells):
    """Needs of cells given by their contributions, largest first."""
    listed = np.array([[*c, 0, 0][:2] for c in cells], np.int64)
    value = np.array([sum(c) for c in cells], np.int64)
    return PercentRule(p).needs(value, np.array([len(c) for c in cells]), listed).above.tolist()


def test_a_cell_is_safe_when_the_rest_is_exactly_p_percent_of_the_largest():
    assert percent(10, [100, 50, 10], [100, 50, 9]) == [0, 1]


def test_a_need_is_what_is_missing_rounded_up():
    assert percent(10, [101, 3], [109, 3]) == [11, 11]


def test_a_lone_contributor_needs_p_percent_of_its_contribution():
    assert percent(15, [100]) == [15]


def test_only_the_two_largest_are_left_out_however_many_are_listed():
    needs = PercentRule(10).needs(np.array([112]), np.array([3]), np.array([[100, 3, 9]]))
    assert needs.above.tolist() == [1]


def test_a_cell_without_contributors_needs_nothing():
    assert percent(10, []) == [0]


def test_needs_are_the_same_on_both_sides():
    needs = PercentRule(10).needs(np.array([100]), np.array([1]), np.array([[100, 0]]))
    assert needs.below.tolist() == needs.above.tolist() == [10]


amounts = st.one_of(st.integers(0, 300), st.integers(0, 2**61))


@given(st.lists(st.lists(amounts, min_size=1, max_size=4), min_size=1, max_size=4), st.integers(1, 100))
@example([[2**60]], 10)
@example([[2**61, 0, 2**57]], 99)
def test_needs_are_exact_whatever_the_size_of_the_contributions(cells, p):
    cells = [sorted(c, reverse=True) for c in cells]
    exact = [max(0, -(-(p * c[0] - 100 * sum(c[2:])) // 100)) for c in cells]
    assert percent(p, *cells) == exact


def test_a_percentage_of_zero_is_refused():
    with pytest.raises(InputError, match="Expected a percentage above 0, got 0"):
        PercentRule(0)


def test_cells_with_too_few_contributors_need_a_share_of_their_value():
    needs = ThresholdRule(3, 10).needs(
        np.array([50, 51, 50, 0]), np.array([2, 2, 3, 0]), np.zeros((4, 0), np.int64)
    )
    assert needs.above.tolist() == [5, 6, 0, 0]


def test_too_few_contributors_with_nothing_need_one_unit():
    assert ThresholdRule(3).needs(
        np.array([0]), np.array([1]), np.zeros((1, 0), np.int64)
    ).below.tolist() == [1]


def test_a_threshold_below_one_is_refused():
    with pytest.raises(InputError, match="least frequency of 1 or more, got 0"):
        ThresholdRule(0)
