import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.generate import random_tree
from discreet.hierarchy import Dimension, Hierarchy

PAIRS = [("T", "A"), ("T", "B"), ("A", "a1"), ("A", "a2"), ("a2", "deep")]


def as_pairs(tree):
    return [(tree.code[tree.parent[i]], tree.code[i]) for i in range(1, len(tree))]


def refused(make, text):
    with pytest.raises(InputError) as found:
        make()
    assert text in str(found.value)


# pairs


def test_a_tree_from_pairs_lists_parents_before_children_and_the_total_first():
    tree = Hierarchy.from_pairs(PAIRS[::-1])
    assert tree.total == "T"
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()


def test_children_keep_the_order_in_which_they_were_given():
    assert Hierarchy.from_pairs(PAIRS).code == ("T", "A", "a1", "a2", "deep", "B")


def test_levels_count_the_steps_from_the_total():
    assert Hierarchy.from_pairs(PAIRS).level.tolist() == [0, 1, 2, 2, 3, 1]


def test_a_pair_given_twice_counts_once():
    assert as_pairs(Hierarchy.from_pairs(PAIRS + PAIRS)) == as_pairs(Hierarchy.from_pairs(PAIRS))


def test_labels_stay_with_their_codes():
    assert Hierarchy.from_pairs(PAIRS, label={"A": "All of A"}).label == {"A": "All of A"}


def test_codes_are_found_by_their_position():
    tree = Hierarchy.from_pairs(PAIRS)
    assert all(tree.code[place] == code for code, place in tree.position.items())


def test_two_roots_are_refused_by_name():
    refused(
        lambda: Hierarchy.from_pairs([("T", "A"), ("U", "B")], name="region"),
        "Hierarchy 'region' has 2 roots (T, U), expected 1. Put them below one total.",
    )


def test_a_code_under_two_parents_is_refused_with_both():
    refused(
        lambda: Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "x"), ("B", "x")], name="region"),
        "Hierarchy 'region' has the code 'x' under two parents ('A' and 'B'), expected one.",
    )


@pytest.mark.parametrize(
    "pairs", [[("A", "B"), ("B", "A")], [("A", "A")], [("T", "A"), ("B", "C"), ("C", "B")]]
)
def test_a_cycle_is_refused(pairs):
    refused(lambda: Hierarchy.from_pairs(pairs, name="region"), "Hierarchy 'region' has a cycle through")


def test_no_pairs_are_refused():
    refused(
        lambda: Hierarchy.from_pairs([]), "Hierarchy is empty, expected at least one code below the total."
    )


def test_another_root_than_the_total_is_refused():
    refused(
        lambda: Hierarchy.from_pairs([("U", "A")], total="T"),
        "Hierarchy has the root 'U', expected the total 'T'.",
    )


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 4))
def test_a_tree_is_made_again_from_its_own_pairs(seed, size, levels):
    tree = random_tree(np.random.default_rng(seed), size, levels)
    again = Hierarchy.from_pairs(as_pairs(tree))
    assert (again.code, again.parent.tolist()) == (tree.code, tree.parent.tolist())


# flat


def test_a_flat_tree_has_every_code_below_the_total():
    assert as_pairs(Hierarchy.flat(["a", "b"], total="T")) == [("T", "a"), ("T", "b")]


def test_the_total_may_be_among_the_codes_of_a_flat_tree():
    assert Hierarchy.flat(["a", "Total", "b"]).code == ("Total", "a", "b")


def test_a_flat_tree_needs_a_code():
    refused(lambda: Hierarchy.flat(["Total"]), "expected at least one code below the total")


# indented lines


def test_an_indented_list_is_a_tree_below_the_total():
    tree = Hierarchy.from_indented(["Nr", "@1", "@@11", "@2", "", "Os  ", "@4"])
    assert as_pairs(tree) == [
        ("Total", "Nr"), ("Nr", "1"), ("1", "11"), ("Nr", "2"), ("Total", "Os"), ("Os", "4"),
    ]  # fmt: skip


def test_blanks_in_front_of_an_indented_code_belong_to_it():
    assert "  1" in Hierarchy.from_indented(["Nr", "@  1"]).code


def test_the_mark_of_a_level_may_be_several_characters():
    assert as_pairs(Hierarchy.from_indented(["A", "--B", "----C"], mark="--"))[-1] == ("B", "C")


def test_two_spaces_may_be_the_mark():
    assert as_pairs(Hierarchy.from_indented(["A", "  B", "    C"], mark="  "))[-1] == ("B", "C")


def test_a_line_two_levels_below_the_one_above_is_refused_with_its_number():
    refused(
        lambda: Hierarchy.from_indented(["A", "@@B"], name="region"),
        "Hierarchy 'region', line 2: 'B' is 1 levels below a line that is not there; "
        "expected the depth to rise by one at the most.",
    )


def test_a_code_listed_twice_is_refused():
    refused(lambda: Hierarchy.from_indented(["A", "@x", "@x"]), "lists the code 'x' twice")


def test_the_total_in_an_indented_list_is_refused():
    refused(lambda: Hierarchy.from_indented(["Total", "@A"]), "lists the code 'Total' twice")


@pytest.mark.parametrize("line", ["@", "@@", "@ "])
def test_a_line_of_marks_without_a_code_is_refused(line):
    refused(lambda: Hierarchy.from_indented(["A", line]), "line 2 has no code")


# digits


def test_the_first_digits_of_a_code_name_its_parents():
    tree = Hierarchy.from_digits(["121", "122", "2"], [1, 2])
    assert as_pairs(tree) == [("Total", "1"), ("1", "121"), ("1", "122"), ("Total", "2")]


def test_a_level_may_add_several_digits_and_levels_in_between_are_made():
    assert "12" in Hierarchy.from_digits(["12345"], [2, 3]).code


def test_a_code_of_another_length_is_refused():
    refused(
        lambda: Hierarchy.from_digits(["12", "123"], [1, 1], name="nace"),
        "Hierarchy 'nace': the code '123' has 3 characters, expected 1, 2.",
    )


@pytest.mark.parametrize("widths", [[], [1, 0], [2, -1]])
def test_widths_below_one_are_refused(widths):
    refused(
        lambda: Hierarchy.from_digits(["1"], widths), "expected the widths of the levels, each at least 1"
    )


def test_the_total_may_be_among_codes_with_digits():
    assert len(Hierarchy.from_digits(["Total", "1"], [1])) == 2


# columns


def test_nested_columns_are_a_tree_and_a_blank_ends_a_path():
    tree = Hierarchy.from_columns([["A", "A", "B"], ["a", "aa", ""]])
    assert as_pairs(tree) == [("Total", "A"), ("A", "a"), ("A", "aa"), ("Total", "B")]


def test_a_code_repeated_in_the_next_column_is_one_code():
    assert as_pairs(Hierarchy.from_columns([["A", "B"], ["A", "b"]])) == [
        ("Total", "A"),
        ("Total", "B"),
        ("B", "b"),
    ]


def test_columns_that_do_not_nest_are_refused():
    refused(lambda: Hierarchy.from_columns([["A", "B"], ["x", "x"]]), "under two parents ('A' and 'B')")


# dimensions


def test_every_parent_is_the_sum_of_its_children():
    dimension = Dimension.of("d", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "x"), ("A", "y")]))
    sums = {
        dimension.code[p]: [
            dimension.code[m] for m in dimension.member[dimension.start[r] : dimension.start[r + 1]]
        ]
        for r, p in enumerate(dimension.parent)
    }
    assert sums == {"T": ["A", "B"], "A": ["x", "y"]}


def test_a_parent_and_its_only_child_mean_the_same():
    dimension = Dimension.of("d", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "x"), ("x", "deep")]))
    assert [dimension.code[m] for m in dimension.meaning] == ["T", "A", "A", "A", "B"]


def test_a_trivial_level_is_no_sum():
    assert len(Dimension.of("d", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "x")])).parent) == 1


def test_the_only_code_below_a_total_means_the_total():
    assert set(Dimension.of("d", Hierarchy.flat(["a"])).meaning.tolist()) == {0}


def test_the_level_of_a_meaning_is_that_of_its_first_code():
    dimension = Dimension.of("d", Hierarchy.from_pairs([("T", "A"), ("T", "B"), ("A", "x")]))
    assert dimension.canonical_level.tolist() == [0, 1, 1, 1]


def test_groups_of_the_same_leaves_in_two_groupings_mean_the_same():
    one = Hierarchy.from_pairs([("T", "s"), ("T", "r"), ("s", "p"), ("s", "q")])
    two = Hierarchy.from_pairs([("T", "r"), ("T", "small"), ("small", "q"), ("small", "p")])
    dimension = Dimension.of("d", one, two)
    assert dimension.code[dimension.meaning[dimension.position["small"]]] == "s"


def test_a_sum_that_two_groupings_share_is_one_sum():
    one = Hierarchy.from_pairs([("T", "s"), ("T", "r"), ("s", "p"), ("s", "q")])
    assert len(Dimension.of("d", one, one).parent) == 2


def test_a_grouping_may_split_what_another_leaves_whole():
    whole = Hierarchy.flat(["a", "b"], total="T")
    split = Hierarchy.from_pairs([("T", "a"), ("T", "b"), ("a", "a1"), ("a", "a2")])
    assert len(Dimension.of("d", whole, split).parent) == 2


def test_groupings_of_different_leaves_are_refused():
    one, two = Hierarchy.flat(["a", "b"], total="T"), Hierarchy.flat(["a", "c"], total="T")
    refused(
        lambda: Dimension.of("d", one, two), "The code 'T' of 'd' holds different leaves in two groupings"
    )


def test_groupings_with_different_totals_are_refused():
    one, two = Hierarchy.flat(["a"], total="T"), Hierarchy.flat(["a"], total="U")
    refused(lambda: Dimension.of("d", one, two), "The groupings of 'd' have different totals (T, U)")


def test_groupings_that_form_a_cycle_are_refused():
    one = Hierarchy.from_pairs([("T", "a"), ("T", "c"), ("a", "b")])
    two = Hierarchy.from_pairs([("T", "b"), ("T", "c"), ("b", "a")])
    refused(lambda: Dimension.of("d", one, two), "The groupings of 'd' form a cycle through")


def test_a_dimension_without_a_tree_is_refused():
    refused(lambda: Dimension.of("d"), "Dimension 'd' has no hierarchy, expected one.")


def test_an_unknown_code_is_refused_with_the_closest():
    dimension = Dimension.of("region", Hierarchy.flat(["North", "South"]))
    refused(lambda: dimension.locate("Nroth"), "Unknown code 'Nroth' in 'region'. Did you mean 'North'?")


def test_labels_of_the_first_grouping_win():
    one = Hierarchy.from_pairs([("T", "a"), ("T", "b")], label={"a": "first"})
    two = Hierarchy.from_pairs([("T", "a"), ("T", "b")], label={"a": "second", "b": "other"})
    assert Dimension.of("d", one, two).label == {"a": "first", "b": "other"}


def test_a_deep_tree_is_fine():
    depth = 900
    pairs = [(f"c{i}", f"c{i + 1}") for i in range(depth)] + [(f"c{i}", f"x{i}") for i in range(depth)]
    assert len(Dimension.of("d", Hierarchy.from_pairs(pairs)).parent) == depth
