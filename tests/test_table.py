import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literature import crossed, two_way

from discreet.errors import AdditivityError, InputError
from discreet.generate import random_problem
from discreet.structure import Structure
from discreet.table import Table, fill, recompute_totals, with_value
from discreet.units import Unit

seeds = st.integers(0, 2**32 - 1)
PAIR = [[(0, -1), (1, 1), (2, 1)]]


def spoiled(value, cell=-1, by=2):
    value = value.copy()
    value[cell] += by
    return value


def test_a_table_that_adds_up_is_accepted():
    assert len(two_way("dula 3")) == 16


def test_sums_that_do_not_hold_are_named_by_their_codes_with_the_discrepancy():
    table = two_way("dula 3")
    with pytest.raises(AdditivityError) as found:
        with_value(table, spoiled(table.value))
    assert "2 of 8 sums do not hold" in str(found.value)
    assert "the sum over 'd1' to (d0=0.3, d1=Total) is off by 2" in str(found.value)
    assert "recompute the totals or to carry the discrepancy" in str(found.value)


def test_a_discrepancy_is_told_in_the_unit_of_the_table():
    structure = Structure.from_equations(3, PAIR)
    with pytest.raises(AdditivityError, match=r"is off by -0\.05"):
        Table(structure, np.array([9, 1, 3]), unit=Unit.parse("0.01"))


def test_many_broken_sums_are_cut_short():
    with pytest.raises(AdditivityError, match="and 5 more"):
        Table(crossed(3, 3), np.arange(16))


def test_a_declared_discrepancy_is_accepted():
    table = Table(Structure.from_equations(3, PAIR), np.array([9, 1, 3]), constant=np.array([-5]))
    assert table.constant.tolist() == [-5]


def test_another_discrepancy_than_the_declared_one_is_refused():
    with pytest.raises(AdditivityError):
        Table(Structure.from_equations(3, PAIR), np.array([9, 1, 3]), constant=np.array([5]))


@pytest.mark.parametrize("field", ["value", "frequency", "contribution", "contributor"])
def test_a_field_of_another_length_is_refused(field):
    fields = {"value": np.zeros(3, np.int64), field: np.zeros(2, np.int64)}
    with pytest.raises(InputError, match="Expected 3 entries in 'value'|Expected 3 entries in '" + field):
        Table(Structure.from_equations(3, []), **fields)


def test_contributions_without_contributors_are_refused():
    with pytest.raises(InputError, match="contributions together with contributors"):
        Table(Structure.from_equations(1, []), np.array([1]), contribution=np.array([[1]]))


def test_a_sum_beyond_64_bits_is_refused_even_where_it_would_wrap_to_the_total():
    value = np.array([0, 2**62, 2**62, 2**62, 2**62])
    structure = Structure.from_equations(5, [[(0, -1), (1, 1), (2, 1), (3, 1), (4, 1)]])
    with pytest.raises(InputError, match="A sum beyond 2\\^63 - 1 units in equation 0"):
        Table(structure, value)


# filling


def test_a_discrepancy_is_refused_by_default():
    with pytest.raises(AdditivityError):
        fill(Structure.from_equations(3, PAIR), np.array([9, 1, 3]))


def test_a_discrepancy_can_be_carried():
    table = fill(Structure.from_equations(3, PAIR), np.array([9, 1, 3]), "carry")
    assert (table.value.tolist(), table.constant.tolist()) == ([9, 1, 3], [-5])


def test_nothing_is_carried_in_a_table_that_adds_up():
    assert fill(Structure.from_equations(3, PAIR), np.array([4, 1, 3]), "carry").constant is None


def test_totals_can_be_recomputed():
    assert fill(Structure.from_equations(3, PAIR), np.array([9, 1, 3]), "recompute").value.tolist() == [
        4,
        1,
        3,
    ]


def test_an_unknown_way_to_treat_a_discrepancy_is_refused():
    with pytest.raises(InputError, match="Did you mean 'carry'"):
        fill(Structure.from_equations(3, PAIR), np.array([9, 1, 3]), "cary")


@given(seeds, st.sampled_from(["flat", "cube", "tree", "groupings"]))
@settings(max_examples=60, deadline=None)
def test_recomputed_totals_are_those_of_the_finest_cells(seed, kind):
    rng = np.random.default_rng(seed)
    table = random_problem(rng, kind).table
    totals = np.unique(table.structure.total)
    value = table.value.copy()
    value[totals] = rng.integers(-99, 99, len(totals))
    assert (recompute_totals(table.structure, value) == table.value).all()


def test_a_recomputed_total_keeps_what_was_declared():
    structure = Structure.from_equations(3, PAIR)
    assert recompute_totals(structure, np.array([9, 1, 3]), np.array([-5])).tolist() == [9, 1, 3]


def test_recomputing_leaves_the_given_values_alone():
    given_value = np.array([9, 1, 3])
    recompute_totals(Structure.from_equations(3, PAIR), given_value)
    assert given_value.tolist() == [9, 1, 3]


def test_an_equation_without_a_total_cannot_be_recomputed():
    with pytest.raises(InputError, match="There is no total to recompute in equation 0"):
        recompute_totals(Structure.from_equations(2, [[(0, -1), (1, -1)]]), np.array([1, 2]))


def test_totals_that_depend_on_each_other_cannot_be_recomputed():
    circle = [[(0, -1), (1, 1), (2, 1)], [(1, -1), (0, 1), (3, 1)]]
    with pytest.raises(InputError, match="depend on each other in a circle"):
        recompute_totals(Structure.from_equations(4, circle), np.array([1, 2, 3, 4]))


def test_a_recomputed_sum_beyond_64_bits_is_refused():
    with pytest.raises(InputError, match="beyond 2\\^63 - 1"):
        fill(Structure.from_equations(3, PAIR), np.array([5, 2**62, 2**62]), "recompute")
