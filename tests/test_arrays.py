import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from discreet.arrays import Frozen, Ints, owned, readonly, sealed, segments
from discreet.generate import ons_problem
from discreet.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Held(Frozen):
    number: Ints
    maybe: Ints | None = None


def test_a_value_does_not_change_with_the_array_it_was_made_from():
    given = np.array([1, 2, 3])
    held = Held(given)
    given[0] = 9
    assert held.number.tolist() == [1, 2, 3]


def test_a_value_does_not_change_with_the_base_of_a_read_only_view():
    base = np.array([1, 2, 3])
    held = Held(readonly(base))
    base[0] = 9
    assert held.number.tolist() == [1, 2, 3]


def test_the_arrays_of_a_value_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        Held(np.array([1])).number[0] = 2


def test_the_arrays_of_a_value_are_read_only_after_pickling():
    with pytest.raises(ValueError, match="read-only"):
        pickle.loads(pickle.dumps(Held(np.array([1])))).number[0] = 2


def test_every_array_of_a_problem_is_owned_and_read_only_after_pickling():
    problem = pickle.loads(pickle.dumps(ons_problem((3, 3), 1)))
    for value in (problem, problem.table, problem.table.structure, *problem.table.structure.dimensions):
        for name, held in vars(value).items():
            if isinstance(held, np.ndarray):
                assert not held.flags.writeable, name
                assert held.flags.owndata, name


def test_what_a_value_derives_is_found_again_after_pickling():
    tree = Hierarchy.flat(["a", "b"])
    assert tree.level.tolist() == pickle.loads(pickle.dumps(tree)).level.tolist() == [0, 1, 1]


def test_a_field_without_an_array_is_left_alone():
    assert Held(np.array([1])).maybe is None


def test_an_owned_read_only_array_is_not_copied_again():
    first = owned(np.array([1, 2]))
    assert owned(first) is first


def test_an_owned_array_has_the_type_asked_for():
    assert owned([1, 2], np.float64).dtype == np.float64


def test_a_strided_array_is_made_contiguous():
    assert owned(np.arange(6)[::2]).flags.c_contiguous


def test_a_sealed_array_is_the_same_array():
    fresh = np.array([1])
    assert sealed(fresh) is fresh
    assert not fresh.flags.writeable


def test_a_read_only_view_leaves_its_base_writable():
    base = np.array([1, 2])
    view = readonly(base)
    assert base.flags.writeable
    assert not view.flags.writeable


def test_segments_are_the_entries_of_the_chosen_rows_in_order():
    start = np.array([0, 2, 2, 5])
    entry, length = segments(start, np.array([2, 0, 1]))
    assert entry.tolist() == [2, 3, 4, 0, 1]
    assert length.tolist() == [3, 2, 0]


def test_no_rows_have_no_entries():
    entry, length = segments(np.array([0, 2]), np.zeros(0, np.int64))
    assert len(entry) == len(length) == 0
