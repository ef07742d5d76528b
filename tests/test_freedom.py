import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.freedom import Freedom
from discreet.generate import random_problem
from discreet.problem import Problem, Role
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE

seeds = st.integers(0, 2**32 - 1)


def loose(*value, **fields):
    return Problem.of(Table(Structure.from_equations(len(value), []), np.array(value)), **fields)


def reach(freedom):
    return list(zip(freedom.low.tolist(), freedom.high.tolist(), strict=True))


def withholding(problem, *cells):
    return Freedom.of(problem, Release.suppressed(problem, np.isin(np.arange(problem.size), cells)))


def test_published_cells_cannot_move():
    freedom = withholding(loose(5, 7), 0)
    assert reach(freedom) == [(-5, INFINITE), (0, 0)]
    assert freedom.free.tolist() == [True, False]


def test_withheld_cells_move_as_far_as_what_is_known_beforehand():
    freedom = withholding(loose(5, 7, lower=np.array([2, 0]), upper=np.array([9, 9])), 0)
    assert reach(freedom)[0] == (-3, 4)


def test_negative_cells_move_down_without_end():
    assert reach(withholding(loose(-5), 0)) == [(-INFINITE, 5)]


def test_empty_cells_never_move():
    problem = loose(0, 7)
    assert reach(Freedom.of(problem, Release.rounded(problem, np.array([0, 5]), 5)))[0] == (0, 0)


def test_a_told_interval_is_measured_from_the_truth():
    problem = loose(13)
    assert reach(Freedom.of(problem, Release.rounded(problem, np.array([15]), 5))) == [(-2, 6)]


def test_a_told_interval_is_cut_with_what_is_known_beforehand():
    problem = loose(3, upper=np.array([4]))
    assert reach(Freedom.of(problem, Release.rounded(problem, np.array([0]), 5))) == [(-3, 1)]


def test_a_release_that_excludes_the_truth_is_not_truthful():
    problem = loose(13)
    assert Freedom.of(problem, Release.rounded(problem, np.array([15]), 5)).is_truthful
    assert not Freedom.of(problem, Release.rounded(problem, np.array([20]), 5)).is_truthful


def test_bounds_that_exclude_the_truth_are_not_truthful():
    assert not withholding(loose(5, lower=np.array([6])), 0).is_truthful


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_suppression_is_always_truthful(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    withheld = problem.withholdable & (rng.random(problem.size) < 0.5)
    freedom = Freedom.of(problem, Release.suppressed(problem, withheld))
    assert freedom.is_truthful
    assert not freedom.free[~withheld].any()
    assert not freedom.free[problem.role == Role.EMPTY].any()


def test_who_knows_more_has_less_freedom():
    freedom = withholding(loose(5, 7), 0, 1).tightened(np.array([1]), np.array([-2]), np.array([3]))
    assert reach(freedom) == [(-5, INFINITE), (-2, 3)]


def test_knowing_less_than_everybody_changes_nothing():
    freedom = withholding(loose(5, 7), 0, 1)
    assert reach(freedom.tightened(np.array([1]), np.array([-99]), np.array([INFINITE]))) == reach(freedom)


def test_several_things_known_of_one_cell_are_all_used():
    cells, low, high = np.array([0, 0, 0]), np.array([-1, -3, -4]), np.array([9, 2, 8])
    assert reach(withholding(loose(5), 0).tightened(cells, low, high)) == [(-1, 2)]


def test_the_freedom_of_others_is_left_alone():
    freedom = withholding(loose(5), 0)
    freedom.tightened(np.array([0]), np.array([0]), np.array([0]))
    assert reach(freedom) == [(-5, INFINITE)]
