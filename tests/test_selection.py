import numpy as np
import pytest

from discreet.errors import InputError
from discreet.hierarchy import Dimension, Hierarchy
from discreet.selection import select
from discreet.structure import Structure

REGION = Dimension.of("region", Hierarchy.flat(["North", "South"]))
TRADE = Dimension.of("trade", Hierarchy.flat(["mills", "mines"]))
SQUARE = Structure.full([REGION, TRADE])


def chosen(cells):
    return [SQUARE.name(c) for c in np.flatnonzero(select(SQUARE, cells))]


def test_nothing_is_chosen_where_nothing_is_said():
    assert chosen(None) == []


def test_a_mask_is_taken_as_it_is():
    mask = np.arange(9) == 4
    assert select(SQUARE, mask) is mask


def test_a_cell_is_chosen_by_its_codes():
    assert chosen([{"trade": "mines", "region": "South"}]) == ["region=South, trade=mines"]


def test_a_dimension_that_is_not_named_is_at_its_total():
    assert chosen([{"region": "North"}]) == ["region=North, trade=Total"]


def test_a_code_of_another_grouping_may_mean_the_same():
    trees = [
        Hierarchy.from_pairs([("Total", "a"), ("a", "x"), ("Total", "b"), ("b", "y")]),
        Hierarchy.flat("xy"),
    ]
    structure = Structure.full([Dimension.of("d", *trees)])
    cell = np.flatnonzero(select(structure, [{"d": "a"}]))
    assert cell.tolist() == np.flatnonzero(select(structure, [{"d": "x"}])).tolist() != []


def test_a_cell_of_equations_is_chosen_by_its_name():
    plain = Structure.from_equations(3, [[(0, -1), (1, 1), (2, 1)]])
    assert select(plain, [{"cell": "2"}]).tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([{"regio": "North"}], "Unknown dimension 'regio'. Did you mean 'region'?"),
        ([{"region": "Nort"}], "Unknown code 'Nort' in 'region'. Did you mean 'North'?"),
        (np.zeros(4, np.bool_), "Expected a mask of 9 cells"),
        (np.zeros(9, np.int64), "Expected a mask of 9 cells"),
    ],
)
def test_cells_that_are_not_there_are_named(cells, said):
    with pytest.raises(InputError) as error:
        select(SQUARE, cells)
    assert said in str(error.value)


def test_a_cell_that_the_table_lacks_is_named():
    some = Structure.from_dimensions([REGION, TRADE], SQUARE.code[:8])
    with pytest.raises(InputError, match=r"no cell \{'region': 'South', 'trade': 'mines'\}"):
        select(some, [{"region": "South", "trade": "mines"}])


def test_a_name_that_no_cell_has_is_named():
    plain = Structure.from_equations(2, [[(0, -1), (1, 1)]])
    with pytest.raises(InputError, match=r"got \{'cell': '7'\}"):
        select(plain, [{"cell": "7"}])
