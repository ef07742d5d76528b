"""What the papers say of their own small tables, and what follows from it by hand."""

from fractions import Fraction

import numpy as np
import pytest
from exact import rank
from literature import DULA_6_SENSITIVE, PRINTED, RELEASED, at, one_hierarchical, released, two_way

from discreet.attack.search import Goals, Search
from discreet.auditor import audit
from discreet.freedom import Freedom
from discreet.io.jj import read_jj
from discreet.loss import measure
from discreet.problem import Problem
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE


def needing(table, below, above):
    """A problem in which some cells have needs, by cell."""
    needs = np.zeros((2, len(table)), np.int64)
    for side, asked in enumerate((below, above)):
        needs[side, list(asked)] = list(asked.values())
    return Problem.of(table, need_below=needs[0], need_above=needs[1])


def withholding(problem, cells):
    return Release.suppressed(problem, np.isin(np.arange(problem.size), cells))


# sizes


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_table_has_a_sum_for_every_line_and_one_that_follows_from_the_others(name):
    structure = two_way(name).structure
    _, rows, columns, _ = PRINTED[name]
    assert structure.size == (len(rows) + 1) * (len(columns) + 1)
    assert structure.equations == len(rows) + len(columns) + 2
    assert int(structure.redundant.sum()) == 1


def test_the_hierarchical_table_of_gonzalez_and_castro_has_a_redundant_sum_for_each_of_its_subtables():
    structure = one_hierarchical()
    assert (structure.size, structure.equations, int(structure.redundant.sum())) == (36, 21, 3)
    assert rank(structure.matrix.toarray()) == 18


@pytest.mark.parametrize(
    ("name", "cells", "sensitive", "relations", "entries"),
    [
        ("hier133a", 2197, 108, 3549, 11661),
        ("hier133d", 2197, 108, 3549, 11661),
        ("ninenew", 6546, 858, 7340, 32920),
    ],
)
def test_sample_files_are_as_large_as_gonzalez_and_castro_say(
    shared_data, name, cells, sensitive, relations, entries
):
    problem = read_jj(shared_data / "csplib" / f"{name}.jj")
    structure = problem.table.structure
    assert (structure.size, structure.equations, len(structure.cell)) == (cells, relations, entries)
    assert int(problem.sensitive.sum()) == sensitive


# Dulá, Fagan and Massell (2004): the audit of Table 4

TABLE_5 = {(2, 1): (0, 34), (2, 3): (16, 50), (3, 1): (0, 34), (3, 3): (17, 51)}
"""Least and largest possible value of the four withheld cells."""
TABLE_4 = [at("dula 3", *place) for place in TABLE_5]


def table_3(level):
    """Table 3, its cell (3, 3) sensitive."""
    cell = at("dula 3", 3, 3)
    return needing(two_way("dula 3"), {cell: level}, {cell: level})


def test_the_withheld_cells_of_table_4_reach_the_intervals_of_table_5():
    problem = table_3(5)
    found = audit(problem, withholding(problem, TABLE_4), reach="withheld").reach
    value = problem.table.value
    assert {r.cell: (value[r.cell] - r.below, value[r.cell] + r.above) for r in found} == {
        at("dula 3", *place): interval for place, interval in TABLE_5.items()
    }


@pytest.mark.parametrize(
    ("flow", "ways"),
    [
        (15, {(2, 3): True, (3, 3): False, (3, 1): True, (2, 1): False}),
        (19, {(2, 3): False, (3, 3): True, (3, 1): False, (2, 1): True}),
    ],
)
def test_the_flow_around_the_cycle_of_table_4_can_change_by_15_one_way_and_by_19_the_other(flow, ways):
    problem = table_3(5)
    nothing = np.zeros(problem.size, np.int64)
    search = Search(Freedom.of(problem, withholding(problem, TABLE_4)), Goals(nothing, nothing))
    assert {search.reach(at("dula 3", *place), up) for place, up in ways.items()} == {Fraction(flow)}


def test_table_4_passes_the_audit_at_15_percent():
    problem = table_3(-(-15 * 32 // 100))
    assert audit(problem, withholding(problem, TABLE_4)).grade == "exact"


@pytest.mark.parametrize(("level", "exposed"), [(15, []), (16, [at("dula 3", 3, 3)])])
def test_table_4_protects_its_cell_by_15_but_not_by_16(level, exposed):
    problem = table_3(level)
    assert audit(problem, withholding(problem, TABLE_4)).exposed.tolist() == exposed


@pytest.mark.parametrize("place", TABLE_5)
def test_table_4_gives_its_cell_away_without_any_one_of_its_suppressions(place):
    problem = table_3(1)
    pattern = [c for c in TABLE_4 if c != at("dula 3", *place)]
    assert audit(problem, withholding(problem, pattern)).exposed.tolist() == [at("dula 3", 3, 3)]


# adjusted and rounded tables


@pytest.mark.parametrize("name", [name for name in RELEASED if name.startswith("dula")])
def test_the_adjusted_tables_of_dula_are_additive_and_move_each_sensitive_cell_by_a_tenth(name):
    table = two_way("dula 6")
    tenth = {c: int(table.value[c]) // 10 for c in (at("dula 6", *place) for place in DULA_6_SENSITIVE)}
    for more, grade in ((0, "distance"), (1, "exposed")):
        needs = {c: level + more for c, level in tenth.items()}
        problem = needing(table, needs, needs)
        found = audit(problem, Release.adjusted(problem, released(name)))
        assert found.is_additive
        assert found.grade == grade


def test_table_7_of_dula_changes_23_cells_by_198_in_all():
    problem = Problem.of(two_way("dula 6"))
    overall = measure(problem, Release.adjusted(problem, released("dula 7"))).overall
    assert overall.changed == 23
    assert overall.mean_change * overall.changed == pytest.approx(198)


def test_the_adjusted_table_of_glover_and_others_protects_as_far_as_it_says():
    cells = [at("glover 1", *place) for place in ((3, 1), (1, 2), (3, 2))]
    below, above = dict(zip(cells, (1, 17, 9), strict=True)), dict.fromkeys(cells, 20)
    problem = needing(two_way("glover 1"), below, above)
    found = audit(problem, Release.adjusted(problem, released("glover 2")))
    assert found.is_additive
    assert found.grade == "distance"


def test_the_rounded_table_of_fischetti_and_salazar_is_additive_and_truthful():
    problem = Problem.of(two_way("fischetti 1"))
    found = audit(problem, Release.rounded(problem, released("fischetti 1 (b)"), base=5))
    assert found.is_additive
    assert found.is_truthful


def test_rounding_each_cell_to_the_nearest_multiple_is_not_additive_as_fischetti_and_salazar_say():
    problem = Problem.of(two_way("fischetti 1"))
    nearest = (problem.table.value + 2) // 5 * 5
    assert not audit(problem, Release.rounded(problem, nearest, base=5)).is_additive


# single equations


def line(total, *parts):
    """A sum as a table: the total, then its parts."""
    entries = [(0, -1), *((c + 1, 1) for c in range(len(parts)))]
    return Table(Structure.from_equations(len(parts) + 1, [entries]), np.array([total, *parts]))


@pytest.mark.parametrize(("withheld", "exposed"), [([1, 2], [1]), ([0, 1, 2], [])])
def test_a_total_below_its_largest_part_and_need_must_be_withheld(withheld, exposed):
    """Serpell et al. (2011), equation 20: 10 < 7 + 4."""
    problem = needing(line(10, 7, 3), {}, {1: 4})
    assert audit(problem, withholding(problem, withheld)).exposed.tolist() == exposed


def test_the_need_below_alone_does_not_ask_for_a_withheld_total():
    """The lower clause of Serpell et al., equation 20, is no cut: 10 < 7 + 4 here, too."""
    problem = needing(line(10, 7, 3), {1: 4}, {})
    assert audit(problem, withholding(problem, [1, 2])).is_safe


@pytest.mark.parametrize(("known", "left"), [(0, 5), (2, 3)])
def test_two_cells_that_cannot_both_rise_in_the_equation_of_gonzalez_and_castro(known, left):
    """Section 3.1: 1 + 3 + 4 + 12 = 20; once the second rises by its level 2, the last cannot by its 4."""
    problem = needing(line(20, 1, 3, 4, 12), {}, {2: 2, 4: 4})
    freedom = Freedom.of(problem, withholding(problem, [1, 2, 3, 4]))
    raised = freedom.tightened(np.array([2]), np.array([known]), np.array([INFINITE]))
    nothing = np.zeros(problem.size, np.int64)
    assert Search(raised, Goals(nothing, nothing)).reach(4, up=True) == left
