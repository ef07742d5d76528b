import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literature import two_way

from discreet.generate import ons_problem, random_problem
from discreet.hierarchy import Dimension, Hierarchy
from discreet.loss import Width, measure
from discreet.problem import Problem
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE

seeds = st.integers(0, 2**32 - 1)
# Dulá et al., Tables 3 and 4; cells row by row with the totals first, cell (3, 3) is the last
PATTERN = [9, 11, 13, 15]


@pytest.fixture
def problem():
    need = np.zeros(16, np.int64)
    need[15] = 5
    return Problem.of(two_way("dula 3"), need_below=need, need_above=need)


@pytest.fixture
def suppressed(problem):
    return Release.suppressed(problem, np.isin(np.arange(16), PATTERN))


def shifted(problem, **change):
    shown = problem.table.value.copy()
    for cell, by in change.items():
        shown[int(cell[1:])] += by
    return Release.adjusted(problem, shown, within=10)


# withheld


def test_withheld_cells_are_primary_or_secondary(problem, suppressed):
    loss = measure(problem, suppressed).overall
    assert (loss.cells, loss.withheld, loss.primary, loss.secondary) == (16, 4, 1, 3)


def test_the_value_withheld_is_the_sum_of_the_withheld_values(problem, suppressed):
    assert measure(problem, suppressed).overall.value == 15 + 35 + 19 + 32


def test_the_weight_withheld_is_the_sum_of_the_weights(problem, suppressed):
    heavier = replace(problem, weight=np.arange(16) * 0.5)
    assert measure(heavier, suppressed).overall.weight == sum(PATTERN) * 0.5


def test_negative_values_are_lost_as_much_as_positive_ones():
    problem = Problem.of(Table(Structure.from_equations(2, []), np.array([-7, 3])))
    assert measure(problem, Release.suppressed(problem, np.array([True, True]))).overall.value == 10


def test_the_value_withheld_is_exact_beyond_64_bits():
    huge = np.array([2**62, 2**62 + 1, -(2**62), 3 + 2**32])
    problem = Problem.of(Table(Structure.from_equations(4, []), huge))
    loss = measure(problem, Release.suppressed(problem, np.ones(4, np.bool_)))
    assert loss.overall.value == 3 * 2**62 + 4 + 2**32


def test_nothing_is_lost_when_everything_is_published(problem):
    loss = measure(problem, Release.raw(problem))
    assert (loss.overall.withheld, loss.overall.value, loss.width.cells) == (0, 0, 0)
    assert (loss.overall.changed, loss.overall.largest_change) == (0, 0)


# levels


def test_withheld_cells_are_counted_by_level_from_the_total_down(problem, suppressed):
    by_level = measure(problem, suppressed).by_level
    assert {name: [s.withheld for s in shares] for name, shares in by_level.items()} == {
        "d0": [0, 4],
        "d1": [0, 4],
    }


def test_a_parent_with_one_child_is_lost_at_the_level_of_the_parent():
    rows = Dimension.of(
        "row", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "a"), ("B", "b"), ("B", "c")])
    )
    problem = Problem.of(Table(Structure.full([rows]), np.array([6, 1, 5, 2, 3])))
    loss = measure(problem, Release.suppressed(problem, np.array([False, True, False, True, True])))
    assert [s.withheld for s in loss.by_level["row"]] == [0, 1, 2]


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_the_levels_of_a_dimension_sum_to_the_whole(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    loss = measure(
        problem, Release.suppressed(problem, problem.withholdable & (rng.random(problem.size) < 0.5))
    )
    for shares in loss.by_level.values():
        for part in ("cells", "withheld", "primary", "value", "changed"):
            assert sum(getattr(s, part) for s in shares) == getattr(loss.overall, part)


def test_tables_without_dimensions_have_no_levels():
    problem = Problem.of(Table(Structure.from_equations(2, [[(0, 1), (1, -1)]]), np.array([1, 1])))
    assert measure(problem, Release.raw(problem)).by_level == {}


# changed


def test_changes_are_measured_over_the_cells_that_change(problem):
    loss = measure(problem, shifted(problem, c5=2, c6=-4)).overall
    assert (loss.changed, loss.mean_change, loss.largest_change) == (2, 3.0, 4)


def test_relative_changes_are_shares_of_the_truth(problem):
    # cells 5 and 6 hold 11 and 21
    loss = measure(problem, shifted(problem, c5=2, c6=-4)).overall
    assert loss.mean_relative == pytest.approx((2 / 11 + 4 / 21) / 2)
    assert loss.largest_relative == pytest.approx(4 / 21)


def test_a_cell_that_was_zero_has_no_relative_change():
    table = Table(Structure.from_equations(2, []), np.array([0, 4]), frequency=np.array([1, 1]))
    problem = Problem.of(table)
    loss = measure(problem, Release.adjusted(problem, np.array([3, 4]), within=3)).overall
    assert (loss.changed, loss.largest_change, loss.mean_relative, loss.largest_relative) == (
        1,
        3,
        None,
        None,
    )


def test_withheld_cells_are_not_changed_cells(problem, suppressed):
    assert measure(problem, suppressed).overall.changed == 0


def test_changes_are_measured_by_level(problem):
    shares = measure(problem, shifted(problem, c0=6, c5=2)).by_level["d0"]
    assert [(s.changed, s.mean_change, s.largest_change) for s in shares] == [(1, 6.0, 6), (1, 2.0, 2)]


def test_a_level_without_changes_has_no_mean_change(problem):
    assert measure(problem, shifted(problem, c5=2)).by_level["d0"][0].mean_change is None


# correlations


def test_correlations_are_those_of_numpy():
    problem = ons_problem((6, 6), 1)
    shown = problem.table.value + np.random.default_rng(0).integers(-9999, 9999, problem.size)
    loss = measure(problem, Release.adjusted(problem, shown, within=9999))
    for found, part in (
        (loss.correlation.every, np.ones(problem.size, np.bool_)),
        (loss.correlation.sensitive, problem.sensitive),
        (loss.correlation.others, ~problem.sensitive),
    ):
        assert found == pytest.approx(np.corrcoef(problem.table.value[part], shown[part])[0, 1])


def test_withheld_cells_take_no_part_in_correlations(problem, suppressed):
    correlation = measure(problem, suppressed).correlation
    assert correlation.sensitive is None
    assert correlation.others == pytest.approx(1.0)


@pytest.mark.parametrize("constant", ["value", "shown"])
def test_what_does_not_vary_has_no_correlation(constant):
    # the mean of so many such numbers is another floating-point number
    same, rising = np.full(12, 85078597232907177), np.arange(12)
    value, shown = (same, rising) if constant == "value" else (rising, same)
    problem = Problem.of(Table(Structure.from_equations(12, []), value))
    assert measure(problem, Release.adjusted(problem, shown)).correlation.every is None


def test_huge_values_have_a_correlation_without_a_warning():
    problem = Problem.of(Table(Structure.from_equations(3, []), np.array([1, 2**62, INFINITE])))
    release = Release.adjusted(problem, np.array([INFINITE, 2**62, 0]))
    assert measure(problem, release).correlation.every == pytest.approx(-1.0)


# told intervals


def test_suppressed_cells_without_an_upper_bound_are_counted_apart(problem, suppressed):
    assert measure(problem, suppressed).width == Width(cells=4, unbounded=4, mean=None)


def test_widths_are_cut_with_what_is_known_beforehand(problem, suppressed):
    value = problem.table.value
    known = replace(problem, lower=value - 3, upper=np.where(np.arange(16) == 15, INFINITE, value + 4))
    assert measure(known, suppressed).width == Width(cells=4, unbounded=1, mean=7.0)


def test_rounded_cells_have_the_width_of_their_base(problem):
    release = Release.rounded(problem, problem.table.value // 5 * 5, 5)
    assert measure(problem, release).width == Width(cells=16, unbounded=0, mean=8.0)


def test_a_told_interval_outside_what_is_known_has_no_width(problem):
    release = Release.rounded(problem, problem.table.value + 100, 5)
    known = replace(problem, upper=problem.table.value + 1)
    assert measure(known, release).width.mean == 0


def test_where_nothing_is_told_there_are_no_widths(problem):
    release = Release.adjusted(problem, problem.table.value + 1)
    assert measure(problem, release).width == Width(cells=0, unbounded=0, mean=None)


# accounts


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_the_account_is_plain_json(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    releases = [
        Release.raw(problem),
        Release.suppressed(problem, problem.sensitive),
        Release.adjusted(problem, problem.table.value + rng.integers(-2, 3, problem.size)),
    ]
    for release in releases:
        account = measure(problem, release).as_dict()
        assert json.loads(json.dumps(account, allow_nan=False)) == account


def test_the_public_account_holds_nothing_but_numbers_of_cells(problem, suppressed):
    account = measure(problem, suppressed).as_public_dict()
    counts = [{"cells": 4, "withheld": 0}, {"cells": 12, "withheld": 4}]
    assert account == {"cells": 16, "withheld": 4, "by_level": {"d0": counts, "d1": counts}}
