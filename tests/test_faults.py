"""One fault of each kind, planted in a release or in its proof, and found."""

from dataclasses import replace

import numpy as np
import pytest
import sceptic

from discreet.auditor import audit
from discreet.freedom import Freedom
from discreet.generate import ons_problem
from discreet.insiders import Insiders
from discreet.judgement import judge
from discreet.pipeline import protect
from discreet.problem import Problem, Role
from discreet.release import Release
from discreet.rules.dominance import DominanceRule
from discreet.rules.manual import ManualRule
from discreet.rules.percent import PercentRule
from discreet.rules.request import RequestRule
from discreet.structure import Structure
from discreet.table import Table
from discreet.witnesses import Witnesses

pytestmark = pytest.mark.small


def tight(seed=1, **choices):
    return ons_problem((8, 8), seed=seed, known=20, keep=1, **choices)


def square(level=2, **fields):
    """A two by two table with totals; cell 4 is sensitive, and 4, 5, 7, 8 make a cycle.

    0  1  2
    3  4  5
    6  7  8
    """
    value = np.array([40, 19, 21, 20, 9, 11, 20, 10, 10])
    rows = [[(3 * r, -1), (3 * r + 1, 1), (3 * r + 2, 1)] for r in range(3)]
    columns = [[(c, -1), (c + 3, 1), (c + 6, 1)] for c in range(3)]
    need = np.zeros(9, np.int64)
    need[4] = level
    given = {"need_below": need, "need_above": need} | fields
    return Problem.of(Table(Structure.from_equations(9, rows + columns), value), **given)


CYCLE = [4, 5, 7, 8]
MOVES = [1, -1, -1, 1]


def hiding(problem, cells=CYCLE):
    return sceptic.withholding(problem, cells)


def witness(*moves, over=1):
    return Witnesses(np.array([0, 4]), np.array(CYCLE, np.int32), np.array(moves, np.int64), np.array([over]))


def test_the_sound_release_and_its_proof_pass():
    problem = square()
    assert audit(problem, hiding(problem)).grade == "exact"
    assert judge(problem, hiding(problem), witness(2, -2, -2, 2)).is_safe


# in the release


@pytest.mark.parametrize("missing", CYCLE)
def test_a_missing_secondary_is_found(missing):
    problem = square()
    release = hiding(problem, [c for c in CYCLE if c != missing])
    assert audit(problem, release).exposed.tolist() == [4]


@pytest.mark.parametrize("seed", range(3))
def test_no_secondary_of_a_protected_table_is_idle(seed):
    """Those that are heavy: dropping one must expose something, or the pattern is not clean."""
    problem = tight(seed)
    release = protect(problem, seconds=20.0).release
    secondary = np.flatnonzero(release.withheld & ~problem.sensitive)
    heavy = secondary[np.argsort(-problem.weight[secondary])][:3]
    for cell in heavy.tolist():
        fewer = release.withheld.copy()
        fewer[cell] = False
        assert not audit(problem, Release.suppressed(problem, fewer)).is_safe


@pytest.mark.parametrize("seed", range(3))
def test_halved_levels_are_found(seed):
    problem = tight(seed)
    half = replace(problem, need_below=problem.need_below // 2, need_above=problem.need_above // 2)
    release = protect(half, seconds=10.0).release
    assert not audit(problem, Release.suppressed(problem, release.withheld)).is_safe


def test_a_broken_sum_is_found():
    problem = square()
    shown = np.array(problem.table.value)
    shown[4] += 2
    assert not audit(problem, Release.adjusted(problem, shown)).is_additive
    shown[[5, 7, 8]] += [-2, -2, 2]
    assert audit(problem, Release.adjusted(problem, shown)).is_additive


def test_a_swapped_sign_in_a_changed_table_is_found():
    problem = square()
    shown = np.array(problem.table.value)
    shown[CYCLE] += 2 * np.array(MOVES)
    good = Release.adjusted(problem, shown)
    assert audit(problem, good).is_safe
    shown[8] -= 4
    assert not audit(problem, Release.adjusted(problem, shown)).is_safe


@pytest.mark.parametrize(("level", "is_safe"), [(9, True), (10, False)])
def test_one_unit_more_than_the_reach_is_found(level, is_safe):
    """Cell 4 is 9 and cannot be less than 0: a need of 9 below is met exactly, a need of 10 is not."""
    problem = square(level, lower=np.full(9, -100))
    low = np.array([-100, -100, -100, -100, 0, -100, -100, -100, -100])
    told = hiding(problem)
    cut = replace(told, told_lower=np.maximum(told.told_lower, np.where(told.withheld, low, -(2**62))))
    assert audit(problem, cut).is_safe == is_safe


@pytest.mark.parametrize(("within", "is_safe"), [(2, False), (3, False), (4, True)])
def test_an_announced_range_must_be_as_wide_as_both_levels_together(within, is_safe):
    """Moved up by its upper level 2, a cell whose lower level is 2 needs a range of 4."""
    problem = square()
    shown = np.array(problem.table.value)
    shown[CYCLE] += 2 * np.array(MOVES)
    assert audit(problem, Release.adjusted(problem, shown, within)).is_safe == is_safe


def test_an_untrue_interval_is_found():
    problem = square()
    told = hiding(problem)
    low = np.array(told.told_lower)
    low[8] = 11
    assert not audit(problem, replace(told, told_lower=low)).is_truthful


def firms(people, rules=()):
    """The square with contributors: a list of firms for each of the four inner cells, in equal parts."""
    problem = square()
    who = np.full((9, 2), -1, np.int32)
    amount = np.zeros((9, 2), np.int64)
    frequency = np.full(9, 9)
    for cell, firms_here in people.items():
        frequency[cell] = len(firms_here)
        for place, firm in enumerate(firms_here[:2]):
            who[cell, place], amount[cell, place] = firm, problem.table.value[cell] // len(firms_here)
    table = replace(
        problem.table,
        frequency=frequency,
        contribution=amount,
        contributor=who,
        contributors=tuple("abcdefgh"),
    )
    return replace(problem, table=table, rules=rules)


def test_an_insider_who_knows_his_cell_is_not_forgotten():
    problem = firms({4: [0], 5: [1], 7: [2, 3], 8: [4, 5]})
    assert audit(problem, hiding(problem), insiders=False).is_safe
    found = audit(problem, hiding(problem), implicit=False)
    assert (found.is_safe, found.exposed.tolist()) == (False, [4])


def test_a_coalition_is_not_forgotten():
    problem = firms({4: [0], 5: [1, 2], 7: [3, 4], 8: [5, 6]})
    assert audit(problem, hiding(problem)).is_safe
    together = replace(problem, coalitions=((1, 2),))
    assert audit(together, hiding(together)).exposed.tolist() == [4]


def test_who_stands_behind_the_sensitive_cell_himself_learns_nothing_new():
    problem = firms({4: [0], 5: [0], 7: [1, 2], 8: [3, 4]})
    assert audit(problem, hiding(problem)).is_safe


def test_the_sum_of_withheld_cells_is_not_forgotten():
    """Cells 4 and 5 stand alone in their row: their sum is printed as the total of the row."""
    problem = firms({4: [0, 1], 5: [0, 1], 7: [2, 3], 8: [4, 5]}, rules=(PercentRule(30),))
    assert audit(problem, hiding(problem), implicit=False).is_safe
    found = audit(problem, hiding(problem))
    assert not found.is_safe
    assert len(found.judgement.sums)


@pytest.mark.parametrize(("percent", "is_safe"), [(44, False), (45, True)])
def test_a_sum_of_withheld_cells_is_judged_by_any_rule_and_its_own_inequality(percent, is_safe):
    """Firms 0 and 1 contribute 4 and 5 each of 20."""
    people = {4: [0, 1], 5: [0, 1], 7: [2, 3, 4], 8: [5, 6, 7]}
    problem = firms(people, rules=(DominanceRule(1, percent),))
    assert (not len(audit(problem, hiding(problem)).judgement.sums)) == is_safe


def test_contributions_below_zero_count_in_a_sum_as_large_as_they_are():
    """Firm 0 contributes 24 to a sum of 20, so that 4 below zero are not listed."""
    problem = firms({4: [0], 5: [0], 7: [2, 3, 4], 8: [5, 6, 7]}, rules=(DominanceRule(1, 90),))
    amount = np.array(problem.table.contribution)
    amount[[4, 5], 0] = 12
    problem = replace(problem, table=replace(problem.table, contribution=amount))
    assert not len(audit(problem, hiding(problem)).judgement.sums)


@pytest.mark.parametrize("rule", [ManualRule(10), RequestRule(1, 1, 99)], ids=["manual", "request"])
def test_where_no_rule_can_judge_sums_the_account_says_that_they_were_not_judged(rule):
    problem = firms({4: [0, 1], 5: [0, 1], 7: [2, 3], 8: [4, 5]}, rules=(rule,))
    found = audit(problem, hiding(problem))
    assert (found.is_safe, found.judged["implicit"]) == (True, False)


# in the proof


def shows(problem, *witnesses):
    return judge(problem, hiding(problem), Witnesses.joined(list(witnesses)))


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("off", [-1, 1])
def test_a_witness_off_by_one_unit_is_found(place, off):
    moves = [2, -2, -2, 2]
    moves[place] += off
    found = shows(square(), witness(*moves))
    assert (found.is_safe, found.unsound) == (False, 1)


@pytest.mark.parametrize("place", range(4))
def test_a_witness_with_a_swapped_sign_is_found(place):
    moves = [2, -2, -2, 2]
    moves[place] *= -1
    assert not shows(square(), witness(*moves)).is_safe


def test_a_witness_one_unit_short_is_found():
    assert not shows(square(), witness(1, -1, -1, 1)).is_safe


@pytest.mark.parametrize(("over", "is_safe"), [(1, True), (2, True), (3, False)])
def test_fractions_count_as_what_they_are(over, is_safe):
    assert shows(square(), witness(4, -4, -4, 4, over=over)).is_safe == is_safe


def test_where_values_are_known_to_be_whole_fractions_do_not_count():
    assert not shows(replace(square(), whole=True), witness(4, -4, -4, 4, over=2)).is_safe


@pytest.mark.parametrize(("room", "is_safe"), [(2, True), (1, False)])
def test_a_mirror_image_beyond_a_bound_does_not_count(room, is_safe):
    """Cell 5 may move down by 2 but, mirrored, up only by so much."""
    upper = np.full(9, 1000)
    upper[5] = 11 + room
    assert shows(square(upper=upper), witness(2, -2, -2, 2)).is_safe == is_safe


def test_a_witness_that_moves_a_published_cell_is_found():
    problem = square()
    wide = Witnesses(
        np.array([0, 4]), np.array([4, 5, 1, 2], np.int32), np.array([2, -2, 2, -2]), np.array([1])
    )
    assert shows(problem, wide).unsound == 1


def test_a_witness_that_moves_an_empty_cell_is_found():
    problem = square()
    role = np.array(problem.role)
    role[8] = Role.EMPTY
    value = np.array(problem.table.value)
    value[[8, 2, 6, 0]] -= 10
    empty = replace(problem, table=replace(problem.table, value=value), role=role)
    release = sceptic.withholding(empty, [4, 5, 7])
    assert judge(empty, release, witness(2, -2, -2, 2)).unsound == 1


def test_a_witness_that_an_insider_can_exclude_does_not_convince_him():
    problem = firms({4: [0], 5: [1], 7: [2, 3], 8: [4, 5]})
    freedom = Freedom.of(problem, hiding(problem))
    assert len(Insiders.of(problem, freedom)) == 2
    found = shows(problem, witness(2, -2, -2, 2))
    assert {(gap.cell, gap.up) for gap in found.gaps} == {(4, False), (4, True)}
