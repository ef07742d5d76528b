from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.generate import random_problem
from discreet.problem import Problem, Role, known_bounds, percent_bounds, weights
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE, Unit

seeds = st.integers(0, 2**32 - 1)


def table(*value, **fields):
    return Table(Structure.from_equations(len(value), []), np.array(value), **fields)


def ints(*numbers):
    return np.array(numbers, np.int64)


# roles and needs


def test_a_cell_with_a_need_is_sensitive():
    problem = Problem.of(
        table(5, 5, 5, 5),
        need_below=ints(1, 0, 0, 0),
        need_above=ints(0, 1, 0, 0),
        need_sliding=ints(0, 0, 1, 0),
    )
    assert problem.sensitive.tolist() == [True, True, True, False]


def test_a_zero_is_empty_unless_contributors_are_known_to_be_there():
    assert Problem.of(table(0, 1)).role.tolist() == [Role.EMPTY, Role.OPEN]
    assert Problem.of(table(0, 0, frequency=ints(0, 2))).role.tolist() == [Role.EMPTY, Role.OPEN]


def test_a_sensitive_zero_is_not_empty():
    problem = Problem.of(table(0, 1), need_above=ints(3, 0))
    assert problem.role.tolist() == [Role.SENSITIVE, Role.OPEN]


def test_a_sensitive_cell_without_a_need_gets_one_unit_on_both_sides():
    problem = Problem.of(table(5), role=np.array([Role.SENSITIVE]))
    assert (problem.need_below.tolist(), problem.need_above.tolist()) == ([1], [1])


def test_a_sensitive_zero_without_a_need_gets_one_unit_above():
    problem = Problem.of(table(0), role=np.array([Role.SENSITIVE]))
    assert (problem.need_below.tolist(), problem.need_above.tolist()) == ([0], [1])


def test_cells_that_must_be_published_have_no_needs():
    problem = Problem.of(table(5), role=np.array([Role.PUBLISHED]), need_above=ints(3))
    assert problem.need_above.tolist() == [0]


def test_published_and_empty_cells_may_not_be_withheld():
    problem = Problem.of(
        table(5, 5, 5, 0), role=np.array([Role.OPEN, Role.SENSITIVE, Role.PUBLISHED, Role.OPEN])
    )
    assert problem.withholdable.tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("field", "name"), [("need_below", "lpl"), ("need_above", "upl"), ("need_sliding", "spl")]
)
def test_a_negative_level_is_refused_by_its_name_and_its_cell(field, name):
    problem = Problem.of(table(5, 5))
    with pytest.raises(
        InputError, match=rf"1 cells have a protection level \({name}\) below zero.*\(cell 1\)"
    ):
        replace(problem, **{field: ints(0, -1)})


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_negative_or_no_number_is_refused(weight):
    with pytest.raises(InputError, match="a weight that is negative or no number"):
        Problem.of(table(5), weight=np.array([weight]))


@pytest.mark.parametrize(
    "field", ["role", "need_below", "need_above", "need_sliding", "lower", "upper", "weight"]
)
def test_a_field_of_another_length_is_refused(field):
    problem = Problem.of(table(5, 5))
    with pytest.raises(InputError, match=f"Expected 2 entries in '{field}', got 1"):
        replace(problem, **{field: getattr(problem, field)[:1]})


def test_a_refusal_shows_no_value():
    problem = Problem.of(table(987654321), lower=ints(0), upper=ints(5))
    with pytest.raises(InputError) as found:
        problem.refuse_impossible()
    assert "987654321" not in str(found.value)


# what is known beforehand


def test_values_are_known_to_keep_their_sign():
    problem = Problem.of(table(3, -3))
    assert (problem.lower.tolist(), problem.upper.tolist()) == ([0, -INFINITE], [INFINITE, 0])


def test_how_far_everybody_already_knows_a_cell():
    problem = Problem.of(table(5, 7), lower=ints(2, 0), upper=ints(6, INFINITE))
    assert (problem.known_below.tolist(), problem.known_above.tolist()) == ([3, 7], [1, INFINITE])


def test_bounds_in_percent_are_cut_towards_the_value():
    lower, upper = percent_bounds(ints(99, -99, 7, 0), 15, 10)
    assert (lower.tolist(), upper.tolist()) == ([85, -113, 6, 0], [108, -90, 7, 0])


@given(st.integers(-(2**62), 2**62), st.integers(0, 300), st.integers(0, 300))
@example(-(2**62), 100, 300)
def test_bounds_in_percent_are_exact_or_without_end(value, below, above):
    lower, upper = percent_bounds(ints(value), below, above)
    assert (int(lower[0]), int(upper[0])) == (
        max(value - abs(value) * below // 100, -INFINITE),
        min(value + abs(value) * above // 100, INFINITE),
    )


def test_a_value_outside_its_bounds_is_refused():
    with pytest.raises(
        InputError, match=r"1 cells have a value outside what is known beforehand.*\(cell 1\)"
    ):
        Problem.of(table(5, 5), lower=ints(0, 6), upper=ints(9, 9)).refuse_impossible()


@pytest.mark.parametrize(
    "need", [{"need_below": ints(4)}, {"need_above": ints(2)}, {"need_sliding": ints(5)}]
)
def test_a_need_beyond_what_is_known_is_refused(need):
    problem = Problem.of(table(5), lower=ints(2), upper=ints(6), **need)
    with pytest.raises(InputError, match="Widen the bounds, or ask for needs to be clipped to them"):
        problem.refuse_impossible()


def test_a_need_that_reaches_exactly_what_is_known_is_possible():
    needs = {"need_below": ints(3), "need_above": ints(1), "need_sliding": ints(4)}
    Problem.of(table(5), lower=ints(2), upper=ints(6), **needs).refuse_impossible()


def test_nothing_is_beyond_bounds_that_are_not_there():
    far = Problem.of(
        table(-5, 5),
        need_below=ints(INFINITE, 5),
        need_above=ints(5, INFINITE),
        need_sliding=ints(INFINITE, INFINITE),
    )
    assert not far.beyond_known.any()


def test_clipped_needs_reach_exactly_what_is_known():
    needs = {"need_below": ints(9), "need_above": ints(9), "need_sliding": ints(9)}
    clipped = Problem.of(table(5), lower=ints(2), upper=ints(6), **needs).clipped()
    assert [int(x[0]) for x in (clipped.need_below, clipped.need_above, clipped.need_sliding)] == [3, 1, 4]


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_clipping_leaves_possible_needs_alone(seed):
    problem = random_problem(np.random.default_rng(seed))
    clipped = problem.clipped()
    for name in ("need_below", "need_above", "need_sliding"):
        assert (getattr(clipped, name) == getattr(problem, name)).all()


@given(seeds, st.integers(1, 50))
@settings(max_examples=50, deadline=None)
def test_what_is_clipped_is_possible(seed, more):
    problem = random_problem(np.random.default_rng(seed))
    wider = {f"need_{x}": getattr(problem, f"need_{x}") * more for x in ("below", "above", "sliding")}
    replace(problem, **wider).clipped().refuse_impossible()


def test_signs_decide_what_is_known_by_default():
    lower, upper = known_bounds(ints(-1, 0, 1))
    assert (lower.tolist(), upper.tolist()) == ([-INFINITE, 0, 0], [0, INFINITE, INFINITE])


# weights


def test_weights_are_values_without_signs_by_default():
    assert Problem.of(table(-4, 6)).weight.tolist() == [4.0, 6.0]


def test_every_cell_may_weigh_one():
    assert weights(table(-4, 6), "one").tolist() == [1.0, 1.0]


def test_logarithmic_weights_do_not_depend_on_the_unit():
    coarse, fine = table(7, unit=Unit.parse("1")), table(700, unit=Unit.parse("0.01"))
    assert weights(coarse, "log") == pytest.approx(weights(fine, "log"))


def test_frequencies_may_be_weights():
    assert weights(table(5, frequency=ints(3)), "frequency").tolist() == [3.0]


def test_weights_by_frequency_need_frequencies():
    with pytest.raises(InputError, match="need a table with frequencies"):
        weights(table(5), "frequency")


def test_an_unknown_weight_is_refused():
    with pytest.raises(InputError, match=r"Unknown weight 'valeu'\. Did you mean 'value'"):
        Problem.of(table(5), weight="valeu")
