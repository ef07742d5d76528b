from fractions import Fraction

import numpy as np
import pytest
from holders import Holder, cell, evidence

from discreet.errors import InputError
from discreet.evidence import Evidence, exact_ceiling, exact_product, exact_sum


def test_contributions_in_another_order_are_refused():
    with pytest.raises(InputError, match="the largest first"):
        Evidence(np.array([3]), np.array([2]), np.array([[1, 2]]))


def test_a_contribution_of_weight_four_stands_for_four():
    held = evidence([[Holder(100, Fraction(4)), Holder(10, Fraction(7))]])
    assert held.largest(2).tolist() == [200]


def test_a_fractional_copy_counts_by_its_fraction():
    held = evidence([[Holder(100, Fraction(3, 2)), Holder(10, Fraction(3))]])
    assert (held.copies, held.largest(2).tolist()) == (2, [310])


def test_a_sum_of_contributions_beyond_64_bits_stays_exact():
    assert evidence([cell(2**62, 2**62)]).largest(2).tolist() == [2**63]


def test_a_cell_lacks_contributions_where_more_stand_behind_it_than_are_listed():
    assert evidence([cell(5, 4, 3), cell(5, 4), cell(5)], keep=2).lacks(3).tolist() == [True, False, False]


def test_as_many_listed_as_are_looked_at_are_enough():
    assert evidence([cell(5, 4, 3)], keep=2).lacks(2).tolist() == [False]


def test_zeros_at_the_end_of_a_row_list_nobody():
    held = Evidence(np.array([100]), np.array([5]), np.array([[50, 0]]))
    assert held.lacks(2).tolist() == [True]


def test_contributors_of_nothing_need_not_be_listed():
    assert evidence([cell(5, 0, 0)], keep=1).lacks(3).tolist() == [False]


def test_listed_weights_below_one_may_be_too_few():
    holders = [Holder(5, Fraction(1, 2)), Holder(4, Fraction(1, 2)), Holder(3)]
    assert evidence([holders], keep=2).lacks(2).tolist() == [True]


def test_unlisted_contributors_are_known_by_their_number():
    assert evidence([cell(5, 0, 0), cell(5)], keep=1).unlisted.tolist() == [True, False]


def test_a_total_below_what_is_listed_shows_that_something_is_negative():
    assert evidence([cell(5, -1), cell(5, 1)], keep=1).negative.tolist() == [True, False]


def test_absolute_values_are_ordered_again_with_their_weights_and_requests():
    holders = [Holder(5, Fraction(2), 1), Holder(-9, Fraction(3), 2)]
    held = evidence([holders]).absolute()
    assert (held.total.tolist(), held.contribution.tolist()) == ([37], [[9, 5]])
    assert (held.times.tolist(), held.request.tolist()) == ([[3, 2]], [[2, 1]])


def test_absolute_values_leave_cells_without_negatives_as_they_are():
    assert evidence([cell(5, -9), cell(8, 7, 6)], keep=2).absolute().total.tolist() == [14, 21]


@pytest.mark.parametrize("factor", [2**70, np.array([2**70], object)])
def test_products_of_zeros_with_huge_factors_stay_exact(factor):
    assert exact_product(np.array([0]), factor).tolist() == [0]


def test_sums_beyond_64_bits_stay_exact():
    assert exact_sum(np.array([2**62]), np.array([2**62])).tolist() == [2**63]


def test_quotients_of_huge_divisors_are_rounded_up():
    assert exact_ceiling(np.array([1, 0]), 2**70).tolist() == [1, 0]
