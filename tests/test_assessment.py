from dataclasses import replace

import numpy as np
import pytest
from holders import cell, evidence
from hypothesis import given
from hypothesis import strategies as st

from discreet import assess
from discreet.assessment import apply_rules
from discreet.errors import InputError
from discreet.hierarchy import Dimension, Hierarchy
from discreet.problem import Problem, Role
from discreet.rules.percent import PercentRule
from discreet.rules.registry import make_rule
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE, Unit

LEAVES = [cell(400, 198, 40), cell(90, 8, 1), cell(20, 30), []]


def table(leaves=LEAVES, value=None, levels=("record",), **fields):
    """A row of cells under a total, with everything that stands behind them."""
    flat = Structure.full([Dimension.of("trade", Hierarchy.flat("abcdefg"[: len(leaves)]))])
    cells = [[h for holders in leaves for h in holders], *leaves]
    held = evidence(cells)
    values = held.total if value is None else np.array([sum(value), *value])
    return Table(flat, values, evidence=dict.fromkeys(levels, held), **fields)


def found(problem):
    """The needs of the cells under the total, below and above."""
    return list(zip(problem.need_below.tolist(), problem.need_above.tolist(), strict=True))[1:]


# what the rules say


def test_cells_that_no_rule_hits_are_open():
    roles = [Role.OPEN, Role.OPEN, Role.SENSITIVE, Role.SENSITIVE, Role.EMPTY]
    assert assess(table(), ["p:10"]).role.tolist() == roles


def test_the_need_is_the_largest_that_any_rule_gives():
    rules = ["p:10", "threshold:3:20"]
    one, two = (found(assess(table(), [rule])) for rule in rules)
    assert found(assess(table(), rules)) == [max(a, b) for a, b in zip(one, two, strict=True)]


def test_two_rules_of_one_kind_are_both_applied():
    problem = assess(table([cell(80, 20, 5), cell(41, 40, 19)]), ["dominance:1:75", "dominance:2:80"])
    assert found(problem) == [(20, 20), (2, 2)]


def test_rules_may_be_given_as_mappings():
    assert found(assess(table(), [{"rule": "p", "percent": 10}])) == found(assess(table(), [PercentRule(10)]))


def test_the_rules_go_with_the_problem_so_that_sums_are_judged():
    assert assess(table(), ["p:10", "threshold:3"]).rules == (make_rule("p:10"), make_rule("threshold:3"))


def test_a_cell_with_a_missing_code_is_safe_whatever_the_rules_say():
    missing = np.array([False, False, True, False, False])
    problem = assess(table(missing=missing), ["p:10", "threshold:9", "manual:5"], marked=missing)
    assert (problem.role[2], problem.need_above[2]) == (Role.OPEN, 0)


def test_a_cell_without_contributors_is_empty():
    assert assess(table([[], cell(3, 3, 3)]), ["p:10"]).role.tolist()[1:] == [Role.EMPTY, Role.OPEN]


def test_a_cell_of_contributors_with_nothing_is_not_empty():
    assert assess(table([cell(0, 0), cell(3, 3, 3)]), ["p:10"]).role.tolist()[1:] == [Role.OPEN, Role.OPEN]


def test_a_zero_that_cannot_be_below_zero_needs_protection_above_alone():
    assert found(assess(table([cell(0), cell(3, 3, 3)]), ["threshold:3"])) == [(0, 1), (0, 0)]


def test_zeros_of_contributors_can_be_protected_as_they_are():
    assess(table([cell(0), cell(3, 3, 3)]), ["threshold:3"]).refuse_impossible()


def test_a_zero_that_may_be_below_zero_needs_protection_on_both_sides():
    asked = Problem.of(table([cell(0), cell(3, 3, 3)]), lower=np.full(3, -9))
    asked = replace(asked, role=np.zeros(3, np.uint8))
    assert found(apply_rules(asked, ["threshold:3"])) == [(1, 1), (0, 0)]


def test_a_cell_that_needs_protection_above_alone_is_sensitive():
    problem = assess(table([cell(0, 0), cell(3, 3, 3)]), ["zero:5"])
    assert (problem.role[1], found(problem)[0]) == (Role.SENSITIVE, (0, 5))


def test_the_level_of_holdings_looks_at_its_own_evidence():
    apart, together = (table([holders, []]) for holders in (cell(5, 5, 5), cell(15)))
    both = replace(apart, evidence={**apart.evidence, "holding": together.evidence["record"]})
    assert [found(assess(both, [rule]))[0] for rule in ("p:10", "p:10@holding")] == [(0, 0), (2, 2)]


# a shadow


def test_levels_of_a_shadow_are_carried_to_the_response_in_proportion_and_rounded_up():
    problem = assess(table([cell(100), cell(50, 50, 50)], value=[33, 4]), ["p:10"])
    assert found(problem) == [(4, 4), (0, 0)]


@given(st.integers(1, 10**6), st.integers(0, 2**40))
def test_a_response_that_is_the_shadow_times_a_number_needs_that_number_times_as_much(amount, times):
    leaves = [cell(amount, amount // 100), []]
    once, often = (
        found(assess(table(leaves, value=[k * (amount + amount // 100), 0]), ["p:10"]))[0][1]
        for k in (1, times)
    )
    assert max(times * (once - 1), 0) <= often <= max(times * once, 1)


# by hand


def test_marked_cells_need_what_the_manual_rule_gives_and_others_nothing():
    problem = assess(table(), ["manual:20"], marked=[{"trade": "c"}])
    assert found(problem) == [(0, 0), (0, 0), (10, 10), (0, 0)]


def test_a_mark_may_be_a_mask():
    assert found(assess(table(), ["manual:20"], marked=np.arange(5) == 3))[2] == (10, 10)


def test_marks_without_a_manual_rule_are_refused():
    with pytest.raises(InputError, match="Expected a rule for the cells marked by hand, such as manual:10"):
        assess(table(), ["p:10"], marked=[{"trade": "c"}])


def test_a_marked_cell_without_contributors_is_refused():
    with pytest.raises(InputError, match=r"1 cells are empty, and a rule finds them unsafe: \(trade=d\)"):
        assess(table(), ["manual:20"], marked=[{"trade": "d"}])


def test_a_published_cell_is_published():
    assert assess(table(), ["p:10"], published=[{"trade": "a"}]).role[1] == Role.PUBLISHED


def test_a_rule_that_hits_a_published_cell_is_an_error_with_its_name():
    with pytest.raises(InputError, match=r"1 cells must be published, and a rule finds.*\(trade=b\)"):
        assess(table(), ["p:10"], published=[{"trade": "a"}, {"trade": "b"}])


def test_a_problem_that_asks_for_more_keeps_its_own_need():
    asked = Problem.of(table(), need_below=np.array([0, 0, 1, 9, 0]), need_above=np.array([0, 0, 99, 9, 0]))
    assert found(apply_rules(asked, ["p:10"])) == [(0, 0), (8, 99), (9, 9), (0, 0)]


def test_cells_that_were_sensitive_without_a_need_of_their_own_count_as_marked():
    role = np.array([0, Role.SENSITIVE, 0, Role.SENSITIVE, 0], np.uint8)
    asked = Problem.of(table(), role=role, need_below=np.array([0, 0, 0, 7, 0]))
    assert found(apply_rules(asked, ["manual:20"])) == [(128, 128), (0, 0), (7, 0), (0, 0)]


@pytest.mark.parametrize("asked", ["need_above", "need_sliding"])
def test_a_need_of_one_kind_alone_is_a_need_too(asked):
    need = np.array([0, 0, 0, 7, 0])
    problem = Problem.of(table(), **{asked: need})
    assert apply_rules(problem, ["manual:20"]).need_below[3] == 0


def test_rules_are_added_to_those_that_a_problem_has():
    once = assess(table(), ["p:10"])
    assert apply_rules(once, ["threshold:3"]).rules == (make_rule("p:10"), make_rule("threshold:3"))


# what everybody knows


def test_a_known_band_is_around_the_values():
    problem = assess(table([cell(100), []]), ["threshold:2"], known=(10, 20))
    assert (problem.lower.tolist(), problem.upper.tolist()) == ([90, 90, 0], [120, 120, 0])


def test_without_a_band_nothing_is_below_zero():
    problem = assess(table(), ["p:10"])
    assert (set(problem.lower.tolist()), set(problem.upper.tolist())) == ({0}, {INFINITE})


def test_a_band_of_no_percentages_is_refused():
    with pytest.raises(InputError, match="Expected known as whole percentages"):
        assess(table(), ["p:10"], known=(1, 2, 3))


def test_weight_whole_and_coalitions_go_with_the_problem():
    problem = assess(table(), ["p:10"], weight="one", whole=True, coalitions=[[1, 2]])
    assert (problem.weight.tolist(), problem.whole, problem.coalitions) == ([1.0] * 5, True, ((1, 2),))


# what rules lack


def plain(**fields):
    return Table(Structure.full([Dimension.of("trade", Hierarchy.flat("ab"))]), np.array([9, 5, 4]), **fields)


LISTED = {"contribution": np.array([[5], [5], [3]]), "contributor": np.array([[0], [0], [1]], np.int32)}
FREQUENCY = {"frequency": np.array([3, 1, 2])}


@pytest.mark.parametrize(
    ("made", "rule", "said"),
    [
        (
            plain(),
            "p:10",
            "The rule 'p' cannot look at records. The table lists no contributors. Add frequencies",
        ),
        (
            plain(**LISTED),
            "p:10@holding",
            "cannot look at holdings. The table does not say which records are one",
        ),
        (
            plain(**FREQUENCY),
            "p:10",
            "has to see the 2 largest contributions, and fewer are listed in 3 cells",
        ),
        (plain(**LISTED), "p:10", "fewer are listed in 2 cells: (trade=Total), (trade=b). List more of them"),
        (plain(**LISTED), "request:1:1:3", "'request' has to know who asked for confidentiality"),
        (plain(counts=True), "p:10", "'p' cannot judge a table that counts contributors. Use threshold"),
        (plain(counts=True), "manual:10", "cannot judge a table that counts contributors"),
        (plain(counts=True), "zero:1", "cannot judge a table that counts contributors"),
    ],
)
def test_a_rule_says_what_it_lacks(made, rule, said):
    with pytest.raises(InputError) as error:
        assess(made, [rule])
    assert said in str(error.value)


def test_frequencies_are_enough_for_a_threshold():
    assert found(assess(plain(**FREQUENCY), ["threshold:2"])) == [(1, 1), (0, 0)]


def test_a_table_of_counts_is_judged_by_its_values():
    assert found(assess(plain(counts=True), ["threshold:5:50"])) == [(0, 0), (2, 2)]


def test_a_table_of_counts_may_be_judged_unweighted():
    assert found(assess(plain(counts=True), ["threshold:5:50@unweighted"])) == [(0, 0), (2, 2)]


def test_a_table_of_counts_in_tenths_counts_whole_contributors():
    tenths = replace(plain(counts=True, unit=Unit.parse("0.1")), value=np.array([60, 40, 20]))
    assert found(assess(tenths, ["threshold:3:50"])) == [(0, 0), (10, 10)]


# contributions below zero


@pytest.mark.parametrize("rule", ["p:10", "dominance:1:75", "request:0:0:9"])
def test_a_rule_that_makes_no_sense_with_both_signs_refuses(rule):
    with pytest.raises(InputError, match=r"makes no sense .* in 2 cells: \(trade=Total\), \(trade=a\)"):
        assess(table([cell(9, -5), cell(3)]), [rule])


@pytest.mark.parametrize("rule", ["threshold:3", "zero:5", "manual:10"])
def test_a_rule_that_does_not_compare_contributions_takes_both_signs(rule):
    assess(table([cell(9, -5), cell(3)]), [rule])


def test_absolute_values_are_judged_where_that_is_wanted():
    problem = assess(table([cell(-100, 50, 9), cell(-100, 50, 10)]), ["p:10"], negatives="absolute")
    assert [need > 0 for need, _ in found(problem)] == [True, False]


def test_what_is_known_to_be_negative_and_not_listed_cannot_be_made_absolute():
    held = evidence([cell(9, -5), cell(9, -5), []], keep=1)
    short = replace(table([cell(9, -5), []]), evidence={"record": held})
    with pytest.raises(InputError, match="absolute values of contributions that are listed"):
        assess(short, ["p:10"], negatives="absolute")


def test_absolute_values_need_only_be_listed_where_something_is_negative():
    held = evidence([cell(9, -5, 2), cell(9, -5), cell(2, 2, 2)], keep=2)
    held = replace(held, contribution=np.array([[9, 7], [9, -5], [2, 2]]), total=np.array([20, 4, 6]))
    mixed = replace(table([cell(9, -5), cell(2, 2, 2)]), evidence={"record": held})
    assert found(assess(mixed, ["p:10"], negatives="absolute")) == [(1, 1), (0, 0)]


def test_an_unknown_way_to_treat_negatives_is_named():
    with pytest.raises(InputError, match=r"'absolut'. Did you mean 'absolute'\?"):
        assess(table(), ["p:10"], negatives="absolut")


def test_listed_contributions_below_zero_are_found_in_files_too():
    listed = {"contribution": np.array([[-5, 0]] * 3), "contributor": np.array([[0, -1]] * 3, np.int32)}
    with pytest.raises(InputError, match="makes no sense"):
        assess(plain(**listed), ["p:10"])


def test_evidence_of_another_size_is_refused():
    with pytest.raises(InputError, match=r"Expected 3 entries in 'evidence of the level record'.* got 1"):
        plain(evidence={"record": evidence([cell(1)])})


def test_huge_values_are_assessed_exactly():
    tenth = 2**61 // 10 - 1
    problem = assess(table([cell(2**61, tenth, tenth), cell(1)]), ["p:10"])
    assert found(problem)[0] == (2, 2)
