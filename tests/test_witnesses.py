from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literature import two_way
from sceptic import equations_of

from discreet.freedom import Freedom
from discreet.generate import random_problem
from discreet.problem import Problem
from discreet.structure import Structure
from discreet.units import INFINITE
from discreet.witnesses import SAFE, Shifts, Sound, Witnesses, check, shifts, sound_ones, within

seeds = st.integers(0, 2**32 - 1)

SUM = [[(0, -1), (1, 1), (2, 1)]]
"""Cell 0 is the sum of cells 1 and 2."""


def made(*moves, over=None):
    """A witness for each dictionary from cell to move."""
    cells = [c for move in moves for c in move]
    return Witnesses(
        np.cumsum([0, *map(len, moves)]),
        np.array(cells, np.int32),
        np.array([m for move in moves for m in move.values()], np.int64),
        np.array(over or [1] * len(moves), np.int64),
    )


def free(size, equations=SUM, low=-10, high=10):
    lows, highs = (np.broadcast_to(np.array(x, np.int64), size).copy() for x in (low, high))
    return Freedom(Structure.from_equations(size, equations), lows, highs)


def holds(witnesses, freedom, whole=False):
    sound = check(witnesses, freedom, whole)
    return sound.upright.tolist(), sound.mirrored.tolist()


BOTH, NEITHER = ([True], [True]), ([False], [False])


# sums


@pytest.mark.small
@pytest.mark.parametrize("moves", [{}, {1: 3, 2: -3}, {0: 5, 1: 5}, {0: 5, 1: 7, 2: -2}, {0: 0, 1: 0}])
def test_moves_that_balance_hold(moves):
    assert holds(made(moves), free(3)) == BOTH


@pytest.mark.small
@pytest.mark.parametrize("moves", [{1: 3}, {1: 3, 2: 3}, {0: 5}, {0: 5, 1: -5}, {0: 5, 1: 7, 2: -1}])
def test_moves_that_do_not_balance_never_hold(moves):
    assert holds(made(moves), free(3)) == NEITHER


def test_every_equation_counts():
    equations = [[(0, -1), (1, 1), (2, 1)], [(3, -1), (2, 1), (4, 1)]]
    assert holds(made({1: 1, 2: -1, 4: 1}), free(5, equations)) == BOTH
    assert holds(made({1: 1, 2: -1}), free(5, equations)) == NEITHER


def test_a_cell_that_is_in_no_equation_moves_alone():
    assert holds(made({1: 4}), free(2, [])) == BOTH


def test_an_equation_that_misses_zero_by_a_constant_still_asks_for_moves_that_balance():
    assert holds(made({0: 1, 1: 1}), free(3)) == BOTH


def test_coefficients_count():
    freedom = free(2, [[(0, -1), (1, 3)]])
    assert holds(made({0: 6, 1: 2}), freedom) == BOTH
    assert holds(made({0: 2, 1: 2}), freedom) == NEITHER


def test_each_witness_is_judged_on_its_own():
    witnesses = made({1: 3, 2: -3}, {1: 3}, {}, {2: 3}, {0: 1, 2: 1})
    assert holds(witnesses, free(3))[0] == [True, False, True, False, True]


def test_the_faults_of_two_witnesses_do_not_cancel():
    assert holds(made({1: 3}, {2: -3}), free(3))[0] == [False, False]


def test_a_fault_in_one_equation_is_not_made_up_for_in_another():
    equations = [[(0, 1), (1, 1)], [(2, 1), (3, 1)]]
    assert holds(made({0: 1, 2: -1}), free(4, equations)) == NEITHER


def test_without_equations_and_witnesses_nothing_is_judged():
    assert holds(Witnesses.none(), free(3, [])) == ([], [])


# bounds


@pytest.mark.small
def test_a_move_to_the_bound_holds_and_one_beyond_does_not():
    freedom = free(3, low=[-9, -4, -9], high=[9, 4, 9])
    assert holds(made({1: 4, 2: -4}), freedom) == BOTH
    assert holds(made({1: 5, 2: -5}), freedom) == NEITHER


@pytest.mark.small
def test_what_holds_upright_does_not_hold_mirrored_beyond_a_bound():
    freedom = free(3, low=[-9, -2, -9], high=[9, 4, 9])
    assert holds(made({1: 3, 2: -3}), freedom) == ([True], [False])


@pytest.mark.small
def test_what_holds_mirrored_alone_does_not_hold_upright():
    freedom = free(3, low=[-9, -4, -9], high=[9, 2, 9])
    assert holds(made({1: 3, 2: -3}), freedom) == ([False], [True])


def test_a_known_cell_does_not_move_at_all():
    freedom = free(3, low=[-9, 0, -9], high=[9, 0, 9])
    assert holds(made({1: 1, 2: -1}), freedom) == NEITHER
    assert holds(made({1: 0, 0: 1, 2: 1}), freedom) == BOTH


def test_a_freedom_that_excludes_the_truth_excludes_standing_still_where_it_is_named():
    assert holds(made({1: 0}), free(3, low=[-9, 1, -9])) == NEITHER


def test_a_fraction_of_a_unit_beyond_a_bound_is_beyond_it():
    freedom = free(3, low=-2, high=2)
    assert holds(made({1: 6, 2: -6}, over=[3]), freedom) == BOTH
    assert holds(made({1: 7, 2: -7}, over=[3]), freedom) == NEITHER


def test_without_bounds_any_move_holds():
    freedom = free(3, low=-INFINITE, high=INFINITE)
    assert holds(made({1: SAFE - 1, 2: 1 - SAFE}), freedom) == BOTH


def test_within_looks_at_bounds_alone():
    upright, mirrored = within(made({1: 3}), free(3, low=-2, high=3))
    assert (upright.tolist(), mirrored.tolist()) == ([True], [False])


# whole values


def test_fractions_never_hold_where_readers_know_that_values_are_whole():
    halves = made({1: 1, 2: -1}, over=[2])
    assert holds(halves, free(3)) == BOTH
    assert holds(halves, free(3), whole=True) == NEITHER


def test_whole_moves_over_another_denominator_than_one_do_not_hold_either():
    assert holds(made({1: 2, 2: -2}, over=[2]), free(3), whole=True) == NEITHER


def test_whole_moves_hold_where_values_are_whole():
    assert holds(made({1: 1, 2: -1}), free(3), whole=True) == BOTH


# large numbers


LARGE = SAFE - 1


def test_large_moves_are_added_up_exactly():
    freedom = free(4, [[(0, 1), (1, 1), (2, 1), (3, 1)]], -INFINITE, INFINITE)
    assert holds(made({0: LARGE, 1: LARGE, 2: -LARGE, 3: -LARGE}), freedom) == BOTH
    assert holds(made({0: LARGE, 1: LARGE, 2: -LARGE, 3: 1 - LARGE}), freedom) == NEITHER


def test_sums_that_are_zero_in_64_bits_only_do_not_hold():
    wrapping = dict.fromkeys(range(8), 2**61)
    freedom = free(8, [[(c, 1) for c in range(8)]], -INFINITE, INFINITE)
    assert holds(made(wrapping), freedom) == NEITHER


def test_products_that_are_zero_in_64_bits_only_do_not_hold():
    freedom = free(2, [[(0, 2**30), (1, 2**30)]], -INFINITE, INFINITE)
    assert holds(made({0: 2**60, 1: 2**59}), freedom) == NEITHER
    assert holds(made({0: 2**60, 1: -(2**60)}), freedom) == BOTH


@pytest.mark.parametrize("move", [SAFE, -SAFE, 2**63 - 1, -(2**63)])
def test_moves_beyond_what_can_be_added_up_never_hold(move):
    freedom = free(2, [[(0, 1), (1, -1)]], -INFINITE, INFINITE)
    assert holds(made({0: move, 1: move}), freedom) == NEITHER


def test_a_move_beyond_what_can_be_added_up_spoils_no_bound():
    with np.errstate(all="raise"):
        assert holds(made({1: -(2**63)}), free(3)) == NEITHER


def test_large_denominators_are_compared_exactly():
    freedom = free(3, low=-1, high=1)
    assert holds(made({1: LARGE, 2: -LARGE}, over=[LARGE]), freedom) == BOTH
    assert holds(made({1: LARGE, 2: -LARGE}, over=[LARGE - 1]), freedom) == NEITHER


@given(st.lists(st.tuples(st.integers(-LARGE, LARGE), st.integers(-(2**31) + 1, 2**31 - 1)), min_size=1))
def test_a_sum_of_any_size_is_what_python_says(terms):
    kept = [(move, factor) for move, factor in terms if factor]
    freedom = free(
        len(kept), [[(c, f) for c, (_, f) in enumerate(kept)]] if kept else [], -INFINITE, INFINITE
    )
    balanced = sum(m * f for m, f in kept) == 0
    assert holds(made({c: m for c, (m, _) in enumerate(kept)}), freedom)[0] == [balanced]


# what does not fit together


GOOD = {"start": [0, 2], "cell": [1, 2], "move": [3, -3], "denominator": [1]}
MALFORMED = {
    "a move too few": {"move": [3]},
    "a move too many": {"move": [3, -3, 0]},
    "a cell too few": {"cell": [1]},
    "a cell too many": {"cell": [1, 2, 0]},
    "no start": {"start": []},
    "a start too few": {"start": [0]},
    "a start too many": {"start": [0, 1, 2]},
    "a denominator too many": {"denominator": [1, 1]},
    "no denominator": {"denominator": []},
    "a first start that is not zero": {"start": [1, 2]},
    "a negative start": {"start": [-1, 2]},
    "an end before the end": {"start": [0, 1]},
    "an end beyond the end": {"start": [0, 3]},
    "a decreasing start": {"start": [0, 3, 2], "denominator": [1, 1]},
    "a negative cell": {"cell": [1, -1]},
    "a cell that is not there": {"cell": [1, 3]},
    "a cell twice": {"cell": [1, 1]},
    "a cell twice that balances": {"cell": [1, 1], "move": [0, 0]},
    "a denominator of zero": {"denominator": [0]},
    "a negative denominator": {"denominator": [-1]},
    "fractional moves": {"move": [3.0, -3.0]},
    "moves that are no numbers": {"move": [np.nan, np.nan]},
    "fractional cells": {"cell": [1.0, 2.0]},
    "fractional starts": {"start": [0.0, 2.0]},
    "fractional denominators": {"denominator": [1.0]},
    "unsigned moves": {"move": np.array([3, 2**64 - 3], np.uint64)},
    "moves in eight bits": {"move": np.array([3, -3], np.int8)},
    "moves that are objects": {"move": np.array([3, -3], object)},
    "moves that are texts": {"move": ["3", "-3"]},
    "moves in rows": {"move": [[3], [-3]]},
    "cells in rows": {"cell": [[1], [2]]},
    "denominators in rows": {"denominator": [[1]]},
    "moves in no row": {"move": 3},
    "a start in no row": {"start": 0},
}


def malformed(what):
    return Witnesses(**{name: np.array(held) for name, held in (GOOD | MALFORMED[what]).items()})


def test_what_is_spoilt_below_holds_unspoilt():
    assert holds(Witnesses(**{name: np.array(held) for name, held in GOOD.items()}), free(3)) == BOTH


@pytest.mark.small
@pytest.mark.parametrize("what", MALFORMED)
def test_what_does_not_fit_together_never_holds(what):
    upright, mirrored = holds(malformed(what), free(3))
    assert not any(upright + mirrored)


@pytest.mark.parametrize("what", MALFORMED)
def test_of_what_does_not_fit_together_nothing_is_kept(what):
    kept, sound = sound_ones(malformed(what), free(3))
    assert (len(kept), len(sound.upright), len(sound.mirrored)) == (0, 0, 0)


def test_one_repeated_cell_spoils_all_witnesses_of_a_collection():
    witnesses = made({1: 3, 2: -3}, {0: 1, 1: 1})
    spoilt = Witnesses(witnesses.start, np.array([1, 2, 1, 1]), witnesses.move, witnesses.denominator)
    assert holds(spoilt, free(3)) == ([False] * 2, [False] * 2)


def test_two_witnesses_may_move_the_same_cell():
    assert holds(made({1: 3, 2: -3}, {1: 2, 2: -2}), free(3))[0] == [True, True]


junk = st.lists(st.integers(-3, 6), max_size=6)


@given(junk, junk, junk, junk)
@settings(max_examples=300)
def test_whatever_numbers_there_are_a_witness_holds_only_by_the_words_of_its_definition(
    start, cell, move, over
):
    witnesses = Witnesses(*(np.array(held, np.int64) for held in (start, cell, move, over)))
    upright, _ = holds(witnesses, free(3, low=-2, high=4))
    for w in np.flatnonzero(upright):
        entries = range(start[w], start[w + 1])
        moved = {cell[k]: Fraction(move[k], over[w]) for k in entries}
        assert over[w] > 0
        assert len(moved) == len(entries)
        assert -moved.get(0, 0) + moved.get(1, 0) + moved.get(2, 0) == 0
        assert all(-2 <= m <= 4 for m in moved.values())


# the sound ones


def test_all_sound_witnesses_are_kept_as_they_are():
    witnesses = made({1: 3, 2: -3}, {0: 1, 1: 1})
    assert sound_ones(witnesses, free(3))[0] is witnesses


def test_unsound_witnesses_are_left_out_and_the_others_stay_in_order():
    witnesses = made({1: 3}, {1: 3, 2: -3}, {2: 1}, {0: 9, 1: 9}, over=[1, 3, 1, 2])
    kept, sound = sound_ones(witnesses, free(3))
    assert kept.start.tolist() == [0, 2, 4]
    assert kept.move.tolist() == [3, -3, 9, 9]
    assert kept.denominator.tolist() == [3, 2]
    assert (sound.upright.tolist(), sound.mirrored.tolist()) == ([True, True], [True, True])


def test_a_witness_that_holds_mirrored_alone_is_kept():
    kept, sound = sound_ones(made({1: 3, 2: -3}, {1: 3}), free(3, low=[-9, -4, -9], high=[9, 2, 9]))
    assert (len(kept), sound.upright.tolist(), sound.mirrored.tolist()) == (1, [False], [True])


@given(seeds)
@settings(max_examples=100)
def test_a_witness_holds_mirrored_where_its_mirror_image_holds_upright(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    n = problem.size
    freedom = Freedom(problem.table.structure, -rng.integers(0, 4, n), rng.integers(0, 4, n))
    chosen = [rng.choice(n, int(rng.integers(0, n)), replace=False) for _ in range(5)]
    moves = [dict(zip(c.tolist(), rng.integers(-3, 4, len(c)).tolist(), strict=True)) for c in chosen]
    over = rng.integers(1, 3, 5).tolist()
    witnesses = made(*moves, over=over)
    mirror = made(*({c: -m for c, m in move.items()} for move in moves), over=over)
    assert holds(witnesses, freedom)[1] == holds(mirror, freedom)[0]


@given(seeds)
@settings(max_examples=100)
def test_a_witness_of_a_random_table_holds_where_fractions_say_so(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    n, value = problem.size, problem.table.value
    structure = problem.table.structure
    freedom = Freedom(structure, -rng.integers(0, 9, n), rng.integers(0, 9, n))
    move = {c: int(value[c]) for c in range(n)}
    move[int(rng.integers(n))] += int(rng.integers(0, 2))
    over = int(rng.integers(1, 4))
    balanced = all(sum(a * move[c] for c, a in q.items()) == 0 for q in equations_of(problem))
    inside = all(freedom.low[c] <= Fraction(m, over) <= freedom.high[c] for c, m in move.items())
    assert holds(made(move, over=[over]), freedom)[0] == [balanced and inside]


# collections


def test_joined_witnesses_follow_each_other():
    joined = Witnesses.joined([made({1: 3, 2: -3}), Witnesses.none(), made({}, {0: 1}, over=[2, 5])])
    assert joined.start.tolist() == [0, 2, 2, 3]
    assert joined.cell.tolist() == [1, 2, 0]
    assert joined.move.tolist() == [3, -3, 1]
    assert joined.denominator.tolist() == [1, 2, 5]


def test_nothing_joined_is_no_witness():
    assert len(Witnesses.joined([])) == 0


def test_witnesses_are_taken_in_the_order_that_is_asked_for():
    taken = made({0: 1}, {1: 2, 2: 3}, {}, over=[4, 5, 6]).take(np.array([2, 1, 1]))
    assert taken.start.tolist() == [0, 0, 2, 4]
    assert taken.move.tolist() == [2, 3, 2, 3]
    assert taken.denominator.tolist() == [6, 5, 5]


def test_nothing_can_be_taken():
    assert len(made({0: 1}).take(np.zeros(0, np.int64))) == 0


@given(seeds, st.integers(0, 6))
def test_taking_all_that_was_joined_gives_the_same(seed, count):
    rng = np.random.default_rng(seed)
    parts = [made({c: int(rng.integers(9)) for c in range(int(rng.integers(4)))}) for _ in range(count)]
    joined = Witnesses.joined(parts)
    taken = joined.take(np.arange(len(joined)))
    assert all(
        np.array_equal(getattr(taken, n), getattr(joined, n))
        for n in ("start", "cell", "move", "denominator")
    )


def test_every_entry_knows_its_witness():
    assert made({0: 1}, {}, {1: 2, 2: 3}).owner.tolist() == [0, 2, 2]


# shifts


ALL = np.ones(3, np.bool_)


def rows(found):
    return set(
        zip(
            found.witness.tolist(),
            found.cell.tolist(),
            found.up.tolist(),
            found.mirrored.tolist(),
            found.amount.tolist(),
            found.denominator.tolist(),
            strict=True,
        )
    )


def shown(witnesses, freedom, interesting=ALL):
    return shifts(witnesses, check(witnesses, freedom), interesting)


def test_a_witness_shows_both_ways_where_its_mirror_image_holds():
    found = shown(made({1: 3, 2: -3}, over=[2]), free(3))
    assert rows(found) == {
        (0, 1, True, False, 3, 2),
        (0, 2, False, False, 3, 2),
        (0, 1, False, True, 3, 2),
        (0, 2, True, True, 3, 2),
    }


def test_a_witness_shows_one_way_where_its_mirror_image_is_excluded():
    found = shown(made({1: 3, 2: -3}), free(3, low=[-9, -2, -9]))
    assert rows(found) == {(0, 1, True, False, 3, 1), (0, 2, False, False, 3, 1)}


def test_an_unsound_witness_shows_nothing():
    assert not rows(shown(made({1: 3}), free(3)))


def test_cells_that_do_not_interest_and_do_not_move_are_left_out():
    found = shown(made({0: 0, 1: 3, 2: -3}), free(3), np.array([True, True, False]))
    assert {row[1] for row in rows(found)} == {1}


def by_hand(amount, over, up=True):
    one = np.array([0])
    return Shifts(one, one, np.array([up]), np.array([False]), np.array([amount]), np.array([over]))


@pytest.mark.parametrize(
    ("amount", "over", "reached"), [(6, 2, True), (5, 2, False), (7, 2, True), (3, 1, True)]
)
def test_a_need_is_reached_exactly_or_not_at_all(amount, over, reached):
    assert by_hand(amount, over).reaches(np.array([0]), np.array([3])).tolist() == [reached]


def test_each_side_has_its_own_need():
    assert by_hand(3, 1, up=True).reaches(np.array([1]), np.array([4])).tolist() == [False]
    assert by_hand(3, 1, up=False).reaches(np.array([1]), np.array([4])).tolist() == [True]


def test_where_nothing_is_needed_nothing_is_reached():
    assert by_hand(3, 1).reaches(np.array([5]), np.array([0])).tolist() == [False]


def test_the_furthest_move_is_an_exact_fraction():
    witnesses = made({1: 10, 2: -10}, {1: 7, 2: -7}, over=[3, 2])
    found = shown(witnesses, free(3))
    assert found.furthest(1, True) == Fraction(7, 2)
    assert found.furthest(0, True) == 0


def test_a_printed_table_moves_along_a_cycle():
    problem = Problem.of(two_way("dula 3"))
    freedom = Freedom(problem.table.structure, -problem.table.value, problem.table.value)
    assert holds(made({5: 9, 6: -9, 9: -9, 10: 9}), freedom) == BOTH
    assert holds(made({5: 9, 6: -9, 9: -9, 11: 9}), freedom) == NEITHER


def test_what_holds_cannot_be_changed_afterwards():
    sound = check(made({1: 3, 2: -3}), free(3))
    assert isinstance(sound, Sound)
    assert not sound.upright.flags.writeable
