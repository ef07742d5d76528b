"""The solver behind its interface: statuses of ours, scaling that changes nothing, stops that stop."""

import time

import numpy as np
import pytest
from scipy.sparse import csc_matrix, random_array

from discreet.engines import linear
from discreet.engines.linear import LinearProgram
from discreet.engines.status import Status
from discreet.errors import EngineError

SUM = csc_matrix(np.array([[1.0, 1.0, -1.0]]))


def never():
    return False


def program(lower=(0, 0, 0), upper=(4, 5, 9), cost=(-1, -1, 0), matrix=SUM, **choices):
    lower, upper, cost = (np.array(x, np.float64) for x in (lower, upper, cost))
    return LinearProgram(matrix, lower, upper, cost, **choices)


def test_an_optimum_is_found():
    point = program().solve(never)
    assert (point.status, point.objective, point.value.tolist()) == (Status.OPTIMAL, -9.0, [4.0, 5.0, 9.0])


@pytest.mark.parametrize("power", [0, 20, 40, 50])
def test_the_size_of_the_numbers_changes_nothing(power):
    size = 2.0**power
    point = program(upper=(4 * size, 5 * size, 9 * size)).solve(never)
    assert (point.objective, point.value.tolist()) == (-9.0 * size, [4.0 * size, 5.0 * size, 9.0 * size])


def test_bounds_without_solution_are_infeasible():
    assert program(lower=(3, 3, 0), upper=(4, 4, 5)).solve(never).status is Status.INFEASIBLE


def test_an_endless_optimum_is_unbounded():
    assert program(upper=(np.inf,) * 3).solve(never).status is Status.UNBOUNDED


def test_new_bounds_and_prices_count():
    made = program()
    made.solve(never)
    made.bound(np.array([0], np.int32), np.zeros(1), np.ones(1))
    assert made.solve(never).objective == -6.0
    made.price(np.array([1], np.int32), np.zeros(1))
    assert made.solve(never).objective == -1.0


def test_a_kept_corner_is_a_place_to_start_from():
    made = program()
    made.solve(never)
    corner = made.corner
    made.restart(corner)
    assert made.solve(never).objective == -9.0


def test_whole_columns_take_whole_values():
    half = csc_matrix(np.array([[2.0, -1.0]]))
    made = program((0, 3), (9, 3), (1, 0), half, whole=True)
    assert made.solve(never).status is Status.INFEASIBLE


def test_the_number_of_threads_may_change_from_program_to_program():
    for threads in (1, 2, 1, 3):
        assert program(whole=True, threads=threads).solve(never).status is Status.OPTIMAL
        assert program(threads=threads).solve(never).status is Status.OPTIMAL


def large(whole=False):
    rng = np.random.default_rng(0)
    matrix = csc_matrix(random_array((300, 900), density=0.05, rng=rng))
    right = matrix @ rng.random(900)
    return LinearProgram(
        matrix, np.zeros(900), np.full(900, 5.0), rng.random(900) - 0.5, right=right, whole=whole
    )


def test_who_says_stop_is_heard_during_a_run():
    began = time.monotonic()
    point = large(whole=True).solve(lambda: time.monotonic() - began > 0.2)
    assert point.status in (Status.STOPPED, Status.INFEASIBLE)
    assert time.monotonic() - began < 10


def test_an_error_of_the_caller_comes_out_as_it_is():
    def broken():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        large().solve(broken)


def test_a_long_way_ends_at_a_corner_that_is_as_good(monkeypatch):
    best = large().solve(never).objective
    monkeypatch.setattr(linear, "LONG_WAY", 0)
    monkeypatch.setattr(linear, "LONG_WAY_AT_LEAST", 3)
    point = large().solve_patiently(never)
    assert (point.status, point.objective) == (Status.OPTIMAL, pytest.approx(best))


def test_a_model_that_makes_no_sense_is_refused():
    wrong = csc_matrix(np.array([[np.nan, 1.0]]))
    with pytest.raises(EngineError):
        program((0, 0), (1, 1), (1, 1), wrong)
