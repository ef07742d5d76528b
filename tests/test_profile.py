"""Marks are chosen by name or by hand, and cannot be taken for anything else."""

import numpy as np
import pytest

from discreet.errors import InputError
from discreet.pipeline import protect, publish
from discreet.problem import Problem, Role
from discreet.profile import PROFILES, Profile, is_like_a_formula
from discreet.structure import Structure
from discreet.table import Table


@pytest.fixture(scope="module")
def result():
    table = Table(
        Structure.from_equations(5, [[(0, -1), (1, 1), (2, 1), (3, 1), (4, 1)]]),
        np.array([9, 4, 5, 0, 0]),
        frequency=np.array([9, 4, 5, 0, 3]),
    )
    made = protect(Problem.of(table, need_above=np.array([0, 2, 0, 0, 0])))
    assert made.is_safe
    assert made.problem.role.tolist() == [Role.OPEN, Role.SENSITIVE, Role.OPEN, Role.EMPTY, Role.OPEN]
    return made


def test_the_usual_mark_is_c_and_empty_cells_are_zeros(result):
    assert publish(result).value == ("9", "c", "c", "0", "0")


@pytest.mark.parametrize("text", ["", "none"])
def test_no_mark_in_particular_is_an_x(result, text):
    assert publish(result, mark=text).value == ("9", "x", "x", "0", "0")


def test_only_cells_that_nobody_contributes_to_get_the_mark_of_empty_ones(result):
    assert publish(result, mark="c,-").value == ("9", "c", "c", "-", "0")
    assert publish(result, mark=Profile("*", "n/a")).value == ("9", "*", "*", "n/a", "0")


def test_readers_are_told_what_the_marks_mean(result):
    assert publish(result, mark="dots").account["marks"] == {"withheld": ".", "empty": "-"}


@pytest.mark.parametrize(
    "mark", ["0", "-1", "1,5", "1e3", "nan", "Infinity", "=x", "@x", "+a", " ", "c\n", "x" * 13]
)
def test_a_mark_that_misleads_is_refused(mark):
    with pytest.raises(InputError, match="Expected a mark"):
        Profile(mark)


def test_an_empty_cell_may_not_look_withheld():
    with pytest.raises(InputError, match="Expected two marks"):
        Profile("c", "c")


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_found_by_its_name(name):
    assert Profile.of(name) == PROFILES[name]


@pytest.mark.parametrize(
    ("text", "found"), [("=1", True), ("-2", True), ("-", False), ("a=", False), ("", False)]
)
def test_a_text_is_like_a_formula_by_its_first_sign(text, found):
    assert is_like_a_formula(text) is found
