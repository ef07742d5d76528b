import pickle
import sys

import numpy as np
import pytest
from exact import rank
from hypothesis import example, given, settings
from hypothesis import strategies as st
from literature import PRINTED, crossed, one_hierarchical, two_way

from discreet.errors import InputError
from discreet.generate import linked_problem, random_problem, random_tree
from discreet.hierarchy import Dimension, Hierarchy
from discreet.structure import Structure, missing_totals

LARGEST = 2**63 - 1
seeds = st.integers(0, 2**32 - 1)
pytestmark = pytest.mark.filterwarnings("error")


def flat(name, *codes):
    return Dimension.of(name, Hierarchy.flat(codes, total="T"))


def random_structure(seed, *kinds):
    rng = np.random.default_rng(seed)
    return random_problem(rng, str(rng.choice(kinds))).table.structure


def kept(structure):
    return structure.matrix.toarray()[~structure.redundant]


def is_oriented(structure):
    """Whether each cell leaves at most one kept equation and enters at most one other."""
    turned = (structure.matrix.toarray() * structure.orientation[:, None])[~structure.redundant]
    alone = ((turned == 1).sum(0) <= 1) & ((turned == -1).sum(0) <= 1) & (np.abs(turned) <= 1).all(0)
    return bool(alone.all())


# cells and equations


@pytest.mark.parametrize("counts", [(3, 4), (2, 3, 4), (10, 10, 10), (2, 2, 2, 2, 2, 2), (5,), (1, 3)])
def test_a_plain_table_has_every_combination_and_one_sum_for_each_line_of_each_dimension(counts):
    structure = crossed(*counts)
    several = [n + (n > 1) for n in counts]
    lines = [int(np.prod(several)) // (n + 1) for n in counts if n > 1]
    assert (structure.size, structure.equations) == (np.prod(several), sum(lines))


def test_seven_dimensions_are_fine():
    assert crossed(1, 2, 1, 2, 2, 2, 2).size == 3**5


def test_cells_run_through_the_last_dimension_fastest():
    structure = crossed(1, 2)
    assert [structure.name(i) for i in range(3)] == [
        "d0=Total, d1=Total",
        "d0=Total, d1=1.1",
        "d0=Total, d1=1.2",
    ]


def test_an_equation_lists_its_total_first_with_minus_one_and_its_parts_with_one():
    structure = crossed(2, 3)
    heads = structure.start[:-1]
    assert (structure.coefficient[heads] == -1).all()
    assert np.delete(structure.coefficient, heads).tolist() == [1] * (len(structure.cell) - len(heads))
    assert (structure.total == structure.cell[heads]).all()


def test_a_subtotal_is_the_sum_of_its_children_in_every_column():
    rows = Dimension.of("row", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "a"), ("A", "b")]))
    structure = Structure.full([rows, flat("column", "x", "y")])
    sums = [structure.equation_name(q) for q in range(structure.equations)]
    assert sums.count("the sum over 'row' to (row=A, column=x)") == 1
    assert len(sums) == 2 * 3 + 5


def test_a_parent_and_its_only_child_are_one_cell():
    rows = Dimension.of(
        "row", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "a"), ("B", "b"), ("B", "c")])
    )
    structure = Structure.full([rows])
    assert structure.size == 5
    assert [structure.name(i) for i in range(5)] == ["row=T", "row=A", "row=B", "row=b", "row=c"]


def test_giving_a_parent_and_its_only_child_is_giving_a_cell_twice():
    rows = Dimension.of("row", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "a")]))
    with pytest.raises(InputError, match=r"The cell \(row=A\) is given twice, expected once"):
        Structure.from_dimensions([rows], np.array([[0], [1], [2], [3]]))


def test_a_code_without_a_cell_counts_as_zero():
    columns = flat("column", "x", "y")
    shown = np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]])
    structure = Structure.from_dimensions([flat("row", "a", "b"), columns], shown)
    sizes = np.diff(structure.start)
    assert sorted(sizes.tolist()) == [2, 2, 2, 3]


def test_two_groupings_of_one_variable_share_their_leaves_and_their_total():
    by_size = Hierarchy.from_pairs([("T", "s"), ("T", "l"), ("s", "p"), ("s", "q"), ("l", "r"), ("l", "u")])
    by_age = Hierarchy.from_pairs(
        [("T", "new"), ("T", "old"), ("new", "p"), ("new", "r"), ("old", "q"), ("old", "u")]
    )
    structure = Structure.full([Dimension.of("firm", by_size, by_age)])
    assert (structure.size, structure.equations, int(structure.redundant.sum())) == (9, 6, 1)


def test_two_groupings_whose_leaves_are_not_shown_are_independent():
    by_size = Hierarchy.from_pairs([("T", "s"), ("T", "l"), ("s", "p"), ("s", "q"), ("l", "r"), ("l", "u")])
    by_age = Hierarchy.from_pairs(
        [("T", "new"), ("T", "old"), ("new", "p"), ("new", "r"), ("old", "q"), ("old", "u")]
    )
    firm = Dimension.of("firm", by_size, by_age)
    shown = [[firm.position[c]] for c in ("T", "s", "l", "new", "old")]
    structure = Structure.from_dimensions([firm], np.array(shown))
    assert (structure.equations, int(structure.redundant.sum())) == (2, 0)


def test_groups_with_the_same_leaves_in_two_groupings_are_one_cell():
    first = Hierarchy.from_pairs([("T", "s"), ("T", "r"), ("s", "p"), ("s", "q")])
    second = Hierarchy.from_pairs([("T", "r"), ("T", "small"), ("small", "q"), ("small", "p")])
    assert Structure.full([Dimension.of("firm", first, second)]).size == 5


def test_linked_tables_share_the_cells_at_which_they_meet():
    structure = linked_problem(3, 4, 2, tables=2).table.structure
    assert structure.size == 4 * 5 + 4 * 3 - 4


def test_three_linked_tables_have_the_sums_of_each_table_and_no_sum_twice():
    structure = linked_problem(3, 4, 2, tables=3).table.structure
    single = (4 + 5) + (4 + 3) + (5 + 3)
    shared = 3  # the grand sum over each variable belongs to two tables
    assert structure.equations == single - shared


def test_missing_totals_are_named():
    columns = flat("column", "x", "y")
    shown = np.array([[1, 1], [2, 1], [1, 0], [2, 0], [0, 0]])
    with pytest.raises(InputError, match=r"1 totals over 'row' are not in the table: row=T, column=x"):
        Structure.from_dimensions([flat("row", "a", "b"), columns], shown)


def test_missing_totals_can_be_asked_for():
    dimensions = [flat("row", "a", "b"), flat("column", "x", "y")]
    assert missing_totals(dimensions, np.array([[1, 1], [2, 1]])).tolist() == [[0, 1], [1, 0], [2, 0]]


def test_a_cell_given_twice_is_refused_by_its_codes():
    with pytest.raises(InputError, match=r"The cell \(row=a\) is given twice, expected once"):
        Structure.from_dimensions([flat("row", "a", "b")], np.array([[1], [0], [1]]))


def test_a_table_without_dimensions_is_refused():
    with pytest.raises(InputError, match="at least one dimension"):
        Structure.from_dimensions([], np.zeros((0, 0), np.int32))


def test_many_large_dimensions_do_not_overflow_the_keys_of_their_cells():
    # 2^77 combinations: in 64 bits, the code of the first dimension would be shifted out
    dimensions = [flat(f"d{d}", *[f"c{i}" for i in range(2**11 - 1)]) for d in range(7)]
    corners = np.zeros((2, 7), np.int32)
    corners[:, [0, 6]] = [[1, 1], [2, 1]]
    structure = Structure.from_dimensions(dimensions, _closed(dimensions, corners))
    assert (structure.equations, structure.size) == (5, 6)


def _closed(dimensions, code):
    while len(absent := missing_totals(dimensions, code)):
        code = np.vstack([code, absent])
    return code


# plain equations


def test_equations_may_hold_any_whole_coefficients():
    structure = Structure.from_equations(3, [[(0, 2), (1, -3), (2, 5)]])
    assert structure.matrix.toarray().tolist() == [[2, -3, 5]]


def test_a_cell_that_an_equation_names_twice_is_added_up():
    structure = Structure.from_equations(3, [[(0, 1), (1, 1), (0, 2), (2, 4), (2, -4)]])
    assert structure.matrix.toarray().tolist() == [[3, 1, 0]]


def test_an_equation_without_cells_is_left_out():
    assert Structure.from_equations(2, [[], [(0, 1), (0, -1)], [(0, 1), (1, -1)]]).equations == 1


def test_an_equation_naming_an_unknown_cell_is_refused():
    with pytest.raises(InputError, match="Equation 0 names the cell 3, expected 0 to 2"):
        Structure.from_equations(3, [[(3, 1)]])


def test_a_huge_coefficient_is_refused():
    with pytest.raises(InputError, match="coefficient beyond 2\\^31"):
        Structure.from_equations(2, [[(0, 2**31), (1, 1)]])


def test_names_of_cells_must_be_as_many_as_cells():
    with pytest.raises(InputError, match="Expected 2 cell names, got 1"):
        Structure.from_equations(2, [], identity=["a"])


def test_the_only_cell_with_minus_one_is_the_total():
    equations = [[(0, 1), (1, -1)], [(0, -1), (1, -1)], [(0, -2), (1, 1)]]
    assert Structure.from_equations(2, equations).total.tolist() == [1, -1, -1]


def test_cells_of_plain_equations_go_by_their_identity():
    structure = Structure.from_equations(2, [[(0, -1), (1, 1)]], identity=["a7", "b9"])
    assert structure.equation_name(0) == "equation 0 (total: cell a7)"


def test_a_table_without_equations_is_fine():
    structure = Structure.from_equations(2, [])
    assert structure.imbalance(np.array([1, 2])).tolist() == []
    assert structure.component.tolist() == [0, 1]
    assert structure.is_network


# what structures know of themselves


def test_unconnected_parts_are_components():
    structure = Structure.from_equations(6, [[(0, -1), (3, 1)], [(1, -1), (2, 1), (4, 1)]])
    assert structure.component.tolist() == [0, 1, 1, 0, 1, 2]


@given(seeds)
@settings(max_examples=60)
def test_components_are_those_that_equations_connect(seed):
    structure = random_structure(seed, "equations", "linked")
    part = structure.component
    assert all(len(set(part[structure.equation(q)[0]])) == 1 for q in range(structure.equations))


def test_the_entries_of_a_cell_are_those_of_the_equations_that_hold_it():
    structure = one_hierarchical()
    start, equation, coefficient = structure.by_cell
    back = np.zeros((structure.equations, structure.size), np.int64)
    for cell in range(structure.size):
        part = slice(start[cell], start[cell + 1])
        back[equation[part], cell] = coefficient[part]
    assert (back == structure.matrix.toarray()).all()


@given(seeds)
@settings(max_examples=60)
def test_what_is_called_redundant_follows_from_the_other_equations(seed):
    structure = random_structure(seed, "flat", "cube", "tree", "groupings", "linked", "equations")
    assert rank(kept(structure)) == rank(structure.matrix.toarray())


@given(seeds)
@settings(max_examples=60)
def test_in_tables_with_their_finest_cells_every_redundant_equation_is_found(seed):
    structure = random_structure(seed, "flat", "cube", "tree", "groupings")
    assert rank(kept(structure)) == len(kept(structure))


def test_a_plain_table_of_six_dimensions_has_one_kept_equation_for_each_total():
    structure = crossed(2, 2, 2, 2, 2, 2)
    assert int((~structure.redundant).sum()) == 3**6 - 2**6


def test_an_equation_given_twice_is_redundant():
    equation = [(0, -1), (1, 1), (2, 1)]
    assert Structure.from_equations(3, [equation, equation]).redundant.tolist() == [False, True]


@given(seeds, st.booleans())
@settings(max_examples=40)
def test_a_table_with_one_hierarchical_dimension_is_a_network_whichever_comes_first(seed, turned):
    rng = np.random.default_rng(seed)
    trees = [random_tree(rng, int(rng.integers(2, 9)), int(rng.integers(1, 4))), random_tree(rng, 3)]
    structure = Structure.full(
        [Dimension.of(str(d), tree) for d, tree in enumerate(trees[:: -1 if turned else 1])]
    )
    assert is_oriented(structure)


def test_redundant_equations_have_no_orientation():
    structure = one_hierarchical()
    assert (structure.orientation == 0).tolist() == structure.redundant.tolist()


def test_the_network_is_found_in_shuffled_equations_too():
    table = one_hierarchical()
    rng = np.random.default_rng(3)
    cells = rng.permutation(table.size)
    equations = [
        [(int(cells[c]), int(a)) for c, a in zip(*table.equation(int(q)), strict=True)]
        for q in rng.permutation(table.equations)
    ]
    assert is_oriented(Structure.from_equations(table.size, equations))


def test_equations_with_opposite_signs_are_oriented():
    structure = Structure.from_equations(4, [[(0, -1), (1, 1), (2, 1)], [(1, 1), (2, 1), (3, -1)]])
    assert is_oriented(structure)


@pytest.mark.parametrize("counts", [(2, 2, 2), (2, 3, 4), (2, 2, 2, 2)])
def test_a_table_of_three_dimensions_or_more_is_no_network(counts):
    assert not crossed(*counts).is_network


def test_two_hierarchical_dimensions_are_no_network():
    rng = np.random.default_rng(0)
    trees = [random_tree(rng, 6, 2), random_tree(rng, 6, 2)]
    assert not Structure.full([Dimension.of(str(d), tree) for d, tree in enumerate(trees)]).is_network


def test_a_coefficient_of_two_makes_no_network():
    assert not Structure.from_equations(2, [[(0, 2), (1, -1)]]).is_network


def test_odd_cycles_of_equations_make_no_network():
    equations = [[(0, 1), (1, 1)], [(1, 1), (2, 1)], [(2, 1), (0, 1)]]
    assert not Structure.from_equations(3, equations).is_network


# imbalance


extreme = st.one_of(
    st.integers(-LARGEST, LARGEST),
    st.sampled_from([LARGEST, -LARGEST, LARGEST - 1, 2**62, -(2**62), 2**31, 2**31 - 1, -(2**31), 0, 1, -1]),
)


@given(st.lists(st.tuples(extreme, st.integers(-3, 3).filter(bool)), min_size=1, max_size=6))
@example([(LARGEST, 1)])
@example([(-LARGEST, 1)])
@example([(LARGEST, 1), (1, 1)])
@example([(-LARGEST, 1), (1, -1)])
@example([(LARGEST, 3), (LARGEST, -2)])
def test_the_imbalance_is_exact_or_refused(entries):
    values, coefficients = zip(*entries, strict=True)
    structure = Structure.from_equations(len(entries), [list(enumerate(coefficients))])
    exact = sum(a * x for a, x in zip(coefficients, values, strict=True))
    if abs(exact) > LARGEST:
        with pytest.raises(InputError, match="beyond 2\\^63 - 1 units in equation 0"):
            structure.imbalance(np.array(values))
    else:
        assert structure.imbalance(np.array(values)).tolist() == [exact]


@given(st.lists(st.integers(-LARGEST, LARGEST), min_size=2, max_size=2))
def test_the_imbalance_is_exact_with_huge_coefficients(values):
    structure = Structure.from_equations(2, [[(0, 2**31 - 1), (1, -(2**31 - 1))]])
    exact = (2**31 - 1) * (values[0] - values[1])
    if abs(exact) > LARGEST:
        with pytest.raises(InputError, match="Declare a coarser unit"):
            structure.imbalance(np.array(values))
    else:
        assert structure.imbalance(np.array(values)).tolist() == [exact]


# the papers


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_table_adds_up_and_is_a_network(name):
    table = two_way(name)
    assert not table.structure.imbalance(table.value).any()
    assert is_oriented(table.structure)


def test_the_hierarchical_table_of_gonzalez_and_castro_is_a_network():
    assert is_oriented(one_hierarchical())


def test_a_table_with_a_wrong_cell_misses_zero_in_its_row_and_its_column():
    table = two_way("dula 3")
    value = table.value.copy()
    value[-1] += 2
    assert sorted(table.structure.imbalance(value).tolist()) == [0] * 6 + [2, 2]


# values


def test_what_was_derived_is_not_pickled():
    structure = crossed(30, 30)
    plain = len(pickle.dumps(structure))
    assert structure.is_network
    assert len(pickle.dumps(structure)) == plain


def test_names_of_many_cells_are_cut_short():
    assert crossed(3).names(range(4), most=2) == "(d0=Total), (d0=0.1) and 2 more"


def test_importing_structures_loads_no_scipy():
    import subprocess

    code = "import sys, discreet.structure, discreet.generate; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
