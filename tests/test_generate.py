import time
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.generate import linked_problem, ons_problem, random_problem, random_tree
from discreet.generate.firms import Contributions, draw_contributions
from discreet.generate.largest import summarise
from discreet.generate.ons import leaves
from discreet.generate.small import KINDS
from discreet.hierarchy import Dimension, Hierarchy
from discreet.problem import Role
from discreet.rules.percent import PercentRule
from discreet.structure import Structure
from discreet.table import NOBODY
from discreet.units import INFINITE

seeds = st.integers(0, 2**32 - 1)


def ancestors(tree, place):
    """The place itself and everything above it."""
    found = [place]
    while tree.parent[found[-1]] >= 0:
        found.append(int(tree.parent[found[-1]]))
    return found


def by_hand(structure, trees, contributions, keep):
    """Firms of every cell, summed in dictionaries."""
    meanings = [d.meaning for d in structure.dimensions]
    held = defaultdict(Counter)
    for code, amount, firm in zip(contributions.code, contributions.amount, contributions.firm, strict=True):
        above = [
            {int(m[a]) for a in ancestors(t, int(c))} for t, c, m in zip(trees, code, meanings, strict=True)
        ]
        for cell in product(*above):
            held[cell][int(firm)] += int(amount)
    for code in structure.code:
        firms = held[tuple(int(c) for c in code)]
        ranked = sorted(firms.items(), key=lambda item: (-item[1], item[0]))[:keep]
        padded = ranked + [(NOBODY, 0)] * (keep - len(ranked))
        yield sum(firms.values()), len(firms), [a for _, a in padded], [f for f, _ in padded]


def drawn(seed, shapes, several=0.4):
    rng = np.random.default_rng(seed)
    trees = [random_tree(rng, size, levels) for size, levels in shapes]
    contributions = draw_contributions(rng, [leaves(t) for t in trees], 2, 0.2, several, scale=3)
    return trees, contributions


def is_same(left, right):
    held = (
        left.table.value,
        left.role,
        left.need_above,
        left.lower,
        left.table.contributor,
        left.table.contribution,
    )
    other = (right.table.value, right.role, right.need_above, right.lower, right.table.contributor)
    return all(np.array_equal(a, b) for a, b in zip(held, (*other, right.table.contribution), strict=True))


# totals and largest contributions


@given(
    seeds,
    st.sampled_from(
        [((3, 1), (2, 1)), ((6, 2), (3, 1)), ((5, 3),), ((2, 1), (2, 1), (3, 2)), ((1, 1), (4, 2))]
    ),
)
@settings(max_examples=60, deadline=None)
def test_values_frequencies_and_largest_contributions_are_those_found_by_hand(seed, shapes):
    trees, contributions = drawn(seed, shapes)
    structure = Structure.full([Dimension.of(str(d), t) for d, t in enumerate(trees)])
    found = summarise(structure, trees, contributions, keep=3)
    columns = (found.value, found.frequency, found.contribution, found.contributor)
    rows = zip(*(c.tolist() for c in columns), strict=True)
    assert list(rows) == list(by_hand(structure, trees, contributions, 3))


def test_equal_contributions_are_ordered_by_firm():
    tree = Hierarchy.flat(["x", "y"])
    contributions = Contributions(
        np.array([[1], [2], [2], [1]], np.int32), np.array([5, 5, 7, 5]), np.array([3, 1, 2, 0], np.int32)
    )
    found = summarise(Structure.full([Dimension.of("d", tree)]), [tree], contributions, keep=3)
    assert found.contributor[0].tolist() == [2, 0, 1]


def test_a_firm_small_everywhere_may_be_the_largest_in_the_total():
    tree = Hierarchy.flat(["x", "y", "z"])
    code = np.array([[1], [1], [2], [2], [3], [3]], np.int32)
    firm = np.array([0, 9, 1, 9, 2, 9], np.int32)
    contributions = Contributions(code, np.array([5, 4, 5, 4, 5, 4]), firm)
    found = summarise(Structure.full([Dimension.of("d", tree)]), [tree], contributions, keep=1)
    assert found.contributor[:, 0].tolist() == [9, 0, 1, 2]


def test_without_contributions_every_cell_is_zero():
    tree = Hierarchy.flat(["x", "y"])
    nothing = Contributions(np.zeros((0, 1), np.int32), np.zeros(0, np.int64), np.zeros(0, np.int32))
    found = summarise(Structure.full([Dimension.of("d", tree)]), [tree], nothing, keep=2)
    assert found.value.tolist() == found.frequency.tolist() == [0, 0, 0]


def test_too_many_combinations_of_codes_are_refused():
    tree = Hierarchy.flat([str(i) for i in range(2**11)])
    dimensions = [Dimension.of(str(d), tree) for d in range(6)]
    structure = Structure.from_dimensions(dimensions, np.zeros((1, 6), np.int32))
    with pytest.raises(InputError, match="fewer than 2\\^62 combinations"):
        summarise(structure, [tree] * 6, Contributions(np.zeros((0, 6), np.int32), *np.zeros((2, 0), int)), 2)


# drawing


def test_contributions_follow_one_over_a_standard_exponential():
    rng = np.random.default_rng(0)
    drawn = draw_contributions(rng, [np.arange(100_000, dtype=np.int32)], 1.0, 0.0)
    # P(-1/log r > 1) = 1 - 1/e, and half of all exceed 1/log 2
    assert np.mean(drawn.amount > 1000) == pytest.approx(1 - np.exp(-1), abs=0.01)
    assert np.median(drawn.amount) == pytest.approx(1000 / np.log(2), rel=0.02)


def test_the_number_of_contributors_is_poisson_where_a_cell_is_not_empty():
    rng = np.random.default_rng(0)
    drawn = draw_contributions(rng, [np.arange(100_000, dtype=np.int32)], 3.0, 0.25)
    count = np.bincount(drawn.code[:, 0], minlength=100_000)
    assert count.mean() == pytest.approx(3 * 0.75, rel=0.02)
    assert np.mean(count == 0) == pytest.approx(0.25 + 0.75 * np.exp(-3), abs=0.01)


def test_every_contribution_is_at_least_one_unit():
    rng = np.random.default_rng(0)
    assert draw_contributions(rng, [np.arange(9999, dtype=np.int32)], 2.0, 0.0, scale=1).amount.min() == 1


def test_every_firm_is_in_one_cell_unless_asked():
    problem = ons_problem((6, 6), 1, several=0)
    first = problem.table.contributor[problem.table.structure.code.all(axis=1)]
    assert max(Counter(first[first != NOBODY].tolist()).values()) == 1


def test_firms_may_be_in_several_cells():
    problem = ons_problem((6, 6), 1, several=0.3)
    first = problem.table.contributor[problem.table.structure.code.all(axis=1)]
    assert max(Counter(first[first != NOBODY].tolist()).values()) > 1


@pytest.mark.parametrize(
    "wrong", [{"mean_contributors": -1}, {"zeros": 2}, {"several": -0.1}, {"sparse": 1.5}]
)
def test_impossible_shares_are_refused(wrong):
    with pytest.raises(InputError, match="Expected"):
        ons_problem((2, 2), **wrong)


def test_an_unknown_choice_is_refused():
    with pytest.raises(TypeError, match="contributers"):
        ons_problem((2, 2), contributers=4)


# random trees


@given(seeds, st.integers(1, 40), st.integers(1, 4))
@settings(max_examples=60)
def test_a_random_tree_has_so_many_leaves_all_equally_deep(seed, size, levels):
    tree = random_tree(np.random.default_rng(seed), size, levels)
    assert tree.level[leaves(tree)].tolist() == [levels] * size


def test_a_tree_without_leaves_is_refused():
    with pytest.raises(InputError, match="at least one code"):
        random_tree(np.random.default_rng(0), 0)


# problems


def test_ten_by_ten_by_ten_cells_have_about_118_primaries():
    count = [np.count_nonzero(ons_problem((10, 10, 10), seed).sensitive) for seed in range(12)]
    assert np.mean(count) == pytest.approx(118, rel=0.08)


def test_sensitive_cells_are_those_of_the_percent_rule():
    problem = ons_problem((8, 8), 3, percent=15)
    table = problem.table
    assert (problem.need_above == PercentRule(15).needs(table.evidence_at("record")).above).all()


def test_a_sparse_problem_keeps_a_share_of_the_primaries():
    dense, sparse = (ons_problem((10, 10, 10), 5, sparse=share) for share in (None, 0.25))
    assert np.count_nonzero(sparse.sensitive) == round(np.count_nonzero(dense.sensitive) * 0.25)
    assert not (sparse.sensitive & ~dense.sensitive).any()


def test_a_primary_that_is_not_kept_is_open():
    problem = ons_problem((10, 10), 5, sparse=0.0)
    assert set(problem.role.tolist()) <= {Role.OPEN, Role.EMPTY}


def test_bounds_are_loose_by_default():
    problem = ons_problem((3, 3), 1)
    assert set(problem.lower.tolist()) == {0}
    assert set(problem.upper.tolist()) == {INFINITE}


def test_tight_bounds_hold_the_value_and_every_need():
    problem = ons_problem((8, 8), 1, known=5, percent=30)
    problem.refuse_impossible()
    loose = ~problem.sensitive
    assert (problem.upper[loose] - problem.table.value[loose] <= problem.table.value[loose] // 20).all()


@pytest.mark.parametrize("levels", [1, (2, 1), (3, 2)])
def test_the_same_seed_makes_the_same_problem(levels):
    left, right = (ons_problem((7, 5), 11, levels=levels, several=0.2, sparse=0.5) for _ in range(2))
    assert is_same(left, right)


def test_another_seed_makes_another_problem():
    assert not is_same(ons_problem((7, 5), 1), ons_problem((7, 5), 2))


def test_levels_are_given_for_each_dimension():
    with pytest.raises(InputError, match="Expected levels for 2 dimensions, got 3"):
        ons_problem((2, 2), levels=(1, 1, 1))


def test_without_contributions_kept_there_are_neither_contributors_nor_rules():
    problem = ons_problem((3, 3), 1, keep=0)
    assert not problem.table.has_contributors
    assert problem.rules == ()


def test_six_dimensions_can_be_made():
    assert ons_problem((2,) * 6, 1).size == 3**6


def test_linked_tables_add_up_and_have_primaries():
    assert np.count_nonzero(linked_problem(6, 5, 3, seed=2, tables=3, levels=(2, 1, 1)).sensitive) > 0


def test_four_linked_tables_are_refused():
    with pytest.raises(InputError, match="Expected 2 or 3 linked tables, got 4"):
        linked_problem(tables=4)


def test_a_table_of_a_hundred_thousand_cells_takes_seconds_at_the_most():
    started = time.perf_counter()
    problem = ons_problem((45, 45, 45), 1)
    assert problem.size == 46**3
    assert time.perf_counter() - started < 5


# tiny problems


@given(seeds, st.sampled_from(KINDS), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_random_problem_is_tiny_and_possible(seed, kind, contributors):
    problem = random_problem(np.random.default_rng(seed), kind, contributors=contributors)
    problem.refuse_impossible()
    assert problem.size <= 30


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_a_random_problem_depends_on_nothing_but_its_generator(seed):
    left, right = (random_problem(np.random.default_rng(seed)) for _ in range(2))
    assert np.array_equal(left.table.value, right.table.value)
    assert np.array_equal(left.upper, right.upper)


def test_random_problems_are_of_every_sort():
    rng = np.random.default_rng(0)
    problems = [random_problem(rng) for _ in range(200)]
    below, above, sliding = (
        np.concatenate([getattr(p, f"need_{x}") for p in problems]) for x in ("below", "above", "sliding")
    )
    value = np.concatenate([p.table.value for p in problems])
    assert (below != above).any()
    assert (sliding > 0).any()
    assert (value < 0).any()
    assert any(p.table.constant is not None for p in problems)
    assert {int(c) for p in problems for c in p.table.structure.coefficient} >= {-3, -1, 1, 2}
    assert {int(r) for p in problems for r in p.role} == {0, 1, 2, 3}


def test_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match=r"Unknown kind 'cub'\. Did you mean 'cube'\?"):
        random_problem(np.random.default_rng(0), "cub")
