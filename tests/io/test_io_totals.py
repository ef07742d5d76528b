import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from io_helpers import TWO_BY_TWO

from discreet.errors import AdditivityError, InputError
from discreet.io.cells import from_frame, read_cells

LEAVES = "region,industry,value\nN,A,20\nN,B,10\nS,A,40\nS,B,30\n"


def by_name(problem):
    structure = problem.table.structure
    return {structure.name(cell): int(problem.table.value[cell]) for cell in range(problem.size)}


def test_missing_totals_are_refused_by_their_codes(written):
    text = TWO_BY_TWO.replace("Total,A,60\n", "")
    with pytest.raises(
        InputError, match=r"cells.csv: 1 totals over 'region' .*: region=Total, industry=A\. Add"
    ):
        read_cells(written(text))


def test_missing_totals_may_be_computed(written):
    computed = read_cells(written(LEAVES), by=["region", "industry"], totals_missing="compute")
    assert by_name(computed) == by_name(read_cells(written(TWO_BY_TWO, "all.csv")))
    assert len(computed.table.rows.code) == 9


def test_single_missing_totals_are_computed_beside_the_others(written):
    text = TWO_BY_TWO.replace("Total,A,60\n", "").replace("N,Total,30\n", "")
    computed = read_cells(written(text), totals_missing="compute")
    assert by_name(computed) == by_name(read_cells(written(TWO_BY_TWO, "all.csv")))


def test_computed_totals_must_agree_with_those_that_are_there(written):
    text = TWO_BY_TWO.replace("Total,A,60\n", "Total,A,61\n").replace("N,Total,30\n", "")
    with pytest.raises(AdditivityError, match="sums do not hold"):
        read_cells(written(text), totals_missing="compute")


def test_totals_of_all_levels_are_computed(written):
    problem = read_cells(
        written("code,value\nN1,1\nN2,3\nS1,6\n"),
        hierarchies={"code": "digits:1,1"},
        totals_missing="compute",
    )
    assert by_name(problem) == {"code=N1": 1, "code=N2": 3, "code=S": 6, "code=N": 4, "code=Total": 10}


def test_frequencies_and_weights_are_summed_too(written):
    text = "code,value,frequency,weight\na,1,2,0.5\nb,3,4,1.5\n"
    problem = read_cells(written(text), by=["code"], totals_missing="compute")
    assert problem.table.frequency.tolist() == [2, 4, 6]
    assert problem.weight.tolist() == [0.5, 1.5, 2]


def test_one_contributor_in_two_cells_is_one_in_their_total(written):
    text = (
        "code,value,contribution_1,contributor_1,contribution_2,contributor_2\n"
        "a,10,5,x,4,y\nb,9,6,y,3,z\nc,7,7,z,,\nd,1,,,,\n"
    )
    table = read_cells(written(text), by=["code"], totals_missing="compute").table
    assert table.contributors == ("x", "y", "z")
    assert table.contribution[-1].tolist() == [10, 10]
    assert table.contributor[-1].tolist() == [1, 2]
    assert table.contributor[3].tolist() == [-1, -1]


def test_a_computed_total_is_open(written):
    text = "code,value,status,lpl\na,1,u,1\nb,3,p,\n"
    problem = read_cells(written(text), by=["code"], totals_missing="compute", known=10)
    assert problem.role.tolist() == [1, 2, 0]
    assert (problem.lower[-1], problem.upper[-1]) == (4, 4)


def test_a_column_is_no_dimension_without_a_word_or_a_total(written):
    with pytest.raises(
        InputError, match=r"has no total in the column 'region' .* name those that are with by"
    ):
        read_cells(written(LEAVES), totals_missing="compute")


def test_a_computed_sum_beyond_64_bits_is_refused(written):
    text = "code,value\na,9000000000000000000\nb,9000000000000000000\n"
    with pytest.raises(InputError, match=r"A sum beyond 2\^63 - 1 units in the sum over 'code'") as error:
        read_cells(written(text), by=["code"], totals_missing="compute")
    assert "9000" not in str(error.value)


def test_totals_of_equations_are_not_computed(written):
    with pytest.raises(InputError, match="Totals are computed in tables with dimensions only"):
        read_cells(written("cell,value\na,1\n"), equations="e.csv", totals_missing="compute")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.integers(-50, 50), min_size=27, max_size=27), st.integers(0, 2**32 - 1))
def test_any_totals_that_are_left_out_come_back(values, seed):
    leaf = np.zeros((4, 4, 4), np.int64)
    leaf[1:, 1:, 1:] = np.reshape(values, (3, 3, 3))
    for axis in range(3):
        head = [slice(None)] * 3
        head[axis] = 0
        leaf[tuple(head)] = leaf.sum(axis)
    place = np.stack(np.meshgrid(*[range(4)] * 3, indexing="ij"), -1).reshape(-1, 3)
    kept = (place > 0).all(axis=1) | (np.random.default_rng(seed).random(64) < 0.5)
    codes = np.array(["Total", "a", "b", "c"])[place]
    columns = {f"d{axis}": codes[kept, axis].tolist() for axis in range(3)}
    import pyarrow as pa

    problem = from_frame(
        pa.table({**columns, "value": leaf.ravel()[kept]}), by=["d0", "d1", "d2"], totals_missing="compute"
    )
    assert problem.size == 64
    found = by_name(problem)
    wanted = {f"d0={x}, d1={y}, d2={z}": v for (x, y, z), v in zip(codes, leaf.ravel().tolist(), strict=True)}
    assert found == wanted
