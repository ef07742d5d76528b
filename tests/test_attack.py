"""The search for witnesses: outer bounds never lose a table, and points become exact or nothing."""

from fractions import Fraction

import numpy as np
import pytest
import sceptic
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attack.circuits import walk_circuits
from discreet.attack.exact import corner
from discreet.attack.harvest import harvest
from discreet.attack.programs import CheapestMoves, Furthest, PushedMoves
from discreet.attack.propagation import propagate
from discreet.attack.search import Goals, Search
from discreet.attack.view import View
from discreet.engines.status import Status
from discreet.freedom import Freedom
from discreet.generate import ons_problem
from discreet.release import Release
from discreet.structure import Structure
from discreet.units import INFINITE
from discreet.witnesses import check, shifts

seeds = st.integers(0, 2**32 - 1)


def view_of(problem, release):
    return View.of(Freedom.of(problem, release))


def never():
    return False


# the view


@given(seeds)
@settings(max_examples=30)
def test_a_view_holds_the_free_cells_and_what_is_left_of_the_equations(seed):
    rng, problem = sceptic.tiny(seed)
    freedom = Freedom.of(problem, sceptic.random_pattern(rng, problem))
    view = View.of(freedom)
    assert view.cells.tolist() == np.flatnonzero(freedom.free).tolist()
    whole = problem.table.structure.matrix.toarray()[:, view.cells]
    assert np.array_equal(view.equations.toarray(), whole[(whole != 0).any(axis=1)])


def test_cells_around_one_come_in_whole_layers():
    problem = ons_problem((10, 10), seed=0, keep=1)
    view = view_of(problem, Release.suppressed(problem, problem.withholdable))
    part = view.around(5, 12)
    assert 12 <= len(part) < len(view)
    assert set(part.cells) <= set(view.cells)
    assert len(view.around(5, INFINITE)) == len(view)


# propagation


@pytest.mark.small
@given(seeds)
@settings(max_examples=50)
def test_propagation_never_loses_what_is_possible(seed):
    rng, problem = sceptic.tiny(seed)
    problem = sceptic.tight(rng, problem) if seed % 2 else problem
    release = sceptic.random_release(rng, problem)
    if not sceptic.is_truthful(problem, release):
        return
    view = view_of(problem, release)
    low, high = propagate(view)
    public = sceptic.Reader.public(problem, release)
    for place, cell in enumerate(view.cells.tolist()):
        down, up = (sceptic.reach(public, cell, side) for side in (False, True))
        assert (low[place] == -INFINITE) if down is None else low[place] <= -down
        assert (high[place] == INFINITE) if up is None else high[place] >= up


@pytest.mark.small
def test_a_chain_of_single_unknowns_is_unpicked():
    structure = Structure.from_equations(6, [[(0, -1), (1, 1), (2, 1)], [(2, -1), (3, 1), (4, 1)]])
    low, high = np.array([0, 0, -9, -9, 0, 0]), np.array([0, 0, 9, 9, 0, 0])
    view = View.of(Freedom(structure, low, high))
    assert [bound.tolist() for bound in propagate(view)] == [[0, 0], [0, 0]]


@pytest.mark.small
def test_coefficients_round_outwards():
    structure = Structure.from_equations(2, [[(0, -1), (1, 3)]])
    view = View.of(Freedom(structure, np.array([-7, -9]), np.array([8, 9])))
    assert [bound.tolist() for bound in propagate(view)] == [[-7, -3], [8, 3]]


# points


def halves():
    """A cube pattern whose corner is half-integral: an odd cycle through three equations."""
    structure = Structure.from_equations(4, [[(0, 1), (1, 1)], [(1, 1), (2, 1)], [(2, 1), (0, 1), (3, -1)]])
    return View.of(Freedom(structure, np.full(4, -9), np.array([9, 9, 9, 5])))


@pytest.mark.small
def test_a_half_integral_point_becomes_an_exact_fraction():
    view = halves()
    found = harvest(view, np.array([2.5, -2.5, 2.5, 5.0]))
    assert (found.move.tolist(), found.denominator.tolist()) == ([5, -5, 5, 10], [2])


@pytest.mark.small
def test_where_values_are_whole_a_half_is_nothing():
    found = harvest(halves(), np.array([2.5, -2.5, 2.5, 5.0]), whole=True)
    assert not len(found)


@pytest.mark.small
def test_a_point_with_an_awkward_denominator_is_solved_exactly():
    structure = Structure.from_equations(2, [[(0, -1), (1, 997)]])
    view = View.of(Freedom(structure, np.array([-1, -9]), np.array([1, 9])))
    move, over = corner(view, np.array([0, 1]), np.array([1.0, 1 / 997]))
    assert [Fraction(int(m), over) for m in move] == [1, Fraction(1, 997)]


@pytest.mark.small
@pytest.mark.parametrize("off", [0.2, 0.4])
def test_a_point_that_balances_nowhere_proves_nothing(off):
    found = harvest(halves(), np.array([2.5 + off, -2.5, 2.5, 5.0]), faithful=True)
    freedom = Freedom(
        Structure.from_equations(4, [[(0, 1), (1, 1)], [(1, 1), (2, 1)], [(2, 1), (0, 1), (3, -1)]]),
        np.full(4, -9),
        np.array([9, 9, 9, 5]),
    )
    assert check(found, freedom).upright.all()


@given(seeds)
@settings(max_examples=30)
def test_whatever_is_harvested_holds(seed):
    rng, problem = sceptic.tiny(seed)
    freedom = Freedom.of(problem, sceptic.random_pattern(rng, problem))
    view = View.of(freedom)
    if len(view) and view.rows:
        noise = rng.normal(0, 3, len(view))
        assert check(harvest(view, noise), freedom).upright.all()


@pytest.mark.small
def test_a_fraction_with_a_large_denominator_is_not_taken_for_a_whole_number():
    structure = Structure.from_equations(2, [[(0, -10008), (1, 10007)]])
    view = View.of(Freedom(structure, np.array([-1, -1]), np.array([1, 1])))
    move, over = corner(view, np.arange(2), np.array([10007 / 10008, 1.0]))
    assert [Fraction(int(m), over) for m in move] == [Fraction(10007, 10008), 1]


# circuits


def rectangle(room):
    """Nine free cells in rows and columns; only the corners of one rectangle have room."""
    lines = [[(3 * r + c, 1) for c in range(3)] for r in range(3)]
    lines += [[(3 * r + c, 1) for r in range(3)] for c in range(3)]
    bound = np.ones(9, np.int64)
    bound[[0, 1, 3, 4]] = room
    freedom = Freedom(Structure.from_equations(9, lines), -bound, bound)
    return freedom, View.of(freedom)


@pytest.mark.small
def test_walks_find_the_rectangle_that_protects_a_cell():
    freedom, view = rectangle(5)
    wanted = np.array([5, 0, 0, 0, 0, 0, 0, 0, 0])
    found = walk_circuits(view, np.zeros(9, np.int64), wanted, seed=0, tries=50)
    assert len(found) == 1
    assert sorted(zip(found.cell.tolist(), found.move.tolist(), strict=True)) == [
        (0, 5),
        (1, -5),
        (3, -5),
        (4, 5),
    ]
    assert check(found, freedom).upright.all()


@pytest.mark.small
def test_walks_find_nothing_where_there_is_too_little_room():
    _, view = rectangle(4)
    wanted = np.array([5, 0, 0, 0, 0, 0, 0, 0, 0])
    assert not len(walk_circuits(view, wanted, wanted, seed=0, tries=50))


@pytest.mark.small
@given(seeds)
@settings(max_examples=50)
def test_every_circuit_holds_and_shows_something(seed):
    rng, problem = sceptic.tiny(seed)
    freedom = Freedom.of(problem, sceptic.random_pattern(rng, problem))
    view = View.of(freedom)
    below, above = (goal[view.cells] for goal in problem.goals)
    found = walk_circuits(view, below, above, seed=seed % 1000, tries=3)
    sound = check(found, freedom)
    assert sound.upright.all()
    shown = shifts(found, sound, problem.sensitive)
    rows = shown.reaches(*problem.goals)
    assert set(shown.witness[rows].tolist()) == set(range(len(found)))


# programs


def cycle():
    structure = Structure.from_equations(
        4, [[(0, 1), (1, 1)], [(2, 1), (3, 1)], [(0, 1), (2, 1)], [(1, 1), (3, 1)]]
    )
    return View.of(Freedom(structure, np.array([-5, -7, -9, -3]), np.full(4, 20)))


def test_the_cheapest_moves_go_exactly_as_far_as_asked():
    program = CheapestMoves(cycle(), np.ones(4), 1, never)
    assert program.moving(0, 3.0).tolist() == [3, -3, -3, 3]
    assert program.moving(0, 8.0) is None
    assert program.status is Status.INFEASIBLE


def test_a_closed_cell_does_not_move_until_it_is_opened():
    program = CheapestMoves(cycle(), np.ones(4), 1, never)
    program.close(np.array([3]))
    assert program.moving(0, 3.0) is None
    program.open(np.array([3]))
    assert program.moving(0, 3.0) is not None


def test_the_furthest_moves_end_at_the_first_bound():
    program = Furthest(cycle(), False, 1, never)
    assert program.moving(0, True)[0] == 7
    assert program.moving(0, False)[0] == -3


def test_pushed_moves_go_no_further_than_the_goals():
    program = PushedMoves(cycle(), 1, never)
    assert program.moving(np.array([2, 0, 0, 2]), np.ones(4, np.bool_)).tolist() == [2, -2, -2, 2]
    assert program.moving(np.array([0, 3, 0, 0]), np.zeros(4, np.bool_)).tolist() == [3, -3, -3, 3]


# the search


def search(problem, goals=None):
    freedom = Freedom.of(problem, Release.suppressed(problem, problem.withholdable))
    return Search(freedom, Goals(*(goals or problem.goals)))


def test_everything_shown_is_shown_by_witnesses_that_hold():
    problem = ons_problem((8, 8), seed=1, keep=1, known=25)
    found = search(problem)
    found.joint()
    found.singles()
    assert found.goals.left == 0
    assert check(found.witnesses, found.freedom).upright.all()


def test_a_search_that_is_stopped_keeps_what_it_has():
    problem = ons_problem((8, 8), seed=1, keep=1, known=25)
    found = search(problem)
    found.watch = type("Stop", (), {"stopped": lambda _: True, "progress": lambda *_: None})()
    found.joint()
    found.singles()
    assert found.goals.left > 0


def test_what_propagation_rules_out_is_not_searched():
    problem = ons_problem((6, 6), seed=1, keep=1)
    freedom = Freedom.of(problem, Release.suppressed(problem, problem.sensitive))
    found = Search(freedom, Goals(*problem.goals))
    before = found.goals.left
    below, above = found.rule_out()
    assert found.goals.left == before - below.sum() - above.sum() < before


def test_a_cell_without_end_has_no_reach():
    structure = Structure.from_equations(2, [[(0, -1), (1, 1)]])
    endless = Freedom(structure, np.array([0, 0]), np.full(2, INFINITE))
    nothing = np.zeros(2, np.int64)
    assert Search(endless, Goals(nothing, nothing)).reach(0, up=True) is None
