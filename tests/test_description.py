import numpy as np
import pytest

from discreet.description import describe
from discreet.generate import linked_problem, ons_problem
from discreet.hierarchy import Dimension, Hierarchy
from discreet.problem import Problem, Role
from discreet.structure import Structure
from discreet.table import Table, fill


@pytest.fixture
def structure():
    return Structure.full([Dimension.of("place", Hierarchy.flat(["x", "y"]))])


def test_counts_are_those_of_the_structure():
    problem = ons_problem((4, 3), seed=1, levels=(2, 1))
    told, structure = describe(problem), problem.table.structure
    assert (told.cells, told.equations) == (structure.size, structure.equations)
    assert (told.redundant, told.components) == (structure.redundant.sum(), 1)
    assert told.network is structure.is_network is True
    assert [(d.name, d.codes, d.levels) for d in told.dimensions] == [
        (d.name, len(d), int(d.level.max()) + 1) for d in structure.dimensions
    ]


def test_roles_add_up_to_the_cells():
    told = describe(ons_problem((4, 4), seed=2, zeros=0.4))
    assert sum(told.roles.values()) == told.cells
    assert told.roles["empty"] > 0


def test_parts_that_hang_together_are_counted():
    parts = Structure.from_equations(6, [[(0, -1), (1, 1), (2, 1)], [(3, -1), (4, 1), (5, 1)]])
    told = describe(Problem.of(Table(parts, np.array([3, 1, 2, 7, 3, 4]))))
    assert told.components == 2


def test_needs_are_counted_by_their_kind(structure):
    told = describe(
        Problem.of(
            Table(structure, np.array([9, 4, 5])),
            need_below=np.array([0, 2, 1]),
            need_above=np.array([0, 2, 0]),
            need_sliding=np.array([0, 0, 3]),
        )
    )
    assert told.needs == {"below": 2, "above": 1, "sliding": 1, "symmetric": 1}


def test_what_is_known_is_counted(structure):
    value = np.array([9, 4, 5])
    told = describe(Problem.of(Table(structure, value), lower=value, upper=np.array([9, 8, 2**63 - 1])))
    assert told.known == {"lower": 3, "upper": 2, "value": 1}


def test_contributors_are_counted_once():
    problem = linked_problem(3, 3, 2, seed=1, several=0.5)
    who = problem.table.contributor
    assert describe(problem).contributors == len(set(who[who >= 0].tolist()))


def test_a_table_without_contributors_says_so(structure):
    assert describe(Problem.of(Table(structure, np.array([9, 4, 5])))).contributors is None


def test_impossible_needs_are_a_problem_and_no_error(structure):
    value = np.array([9, 4, 5])
    told = describe(
        Problem.of(
            Table(structure, value),
            role=np.array([0, Role.SENSITIVE, 0], np.uint8),
            need_below=np.array([0, 7, 0]),
            lower=np.array([0, 0, 6]),
        )
    )
    assert len(told.problems) == 2
    assert "(place=y)" in told.problems[0]
    assert "(place=x)" in told.problems[1]


def test_a_discrepancy_that_is_carried_is_told(structure):
    told = describe(Problem.of(fill(structure, np.array([10, 4, 5]), "carry")))
    assert told.problems == ("1 sums do not hold; what they miss is carried along.",)


def test_no_value_is_told():
    problem = ons_problem((3, 3), seed=1)
    said = str(describe(problem).as_dict())
    assert not [v for v in problem.table.value.tolist() if v > 999 and str(v) in said]
