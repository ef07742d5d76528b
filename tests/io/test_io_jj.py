import random
import stat

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from io_helpers import CSPLIB, JJ, JJ_FILES, assert_same, equations_of, shuffled_jj

from discreet.errors import AdditivityError, InputError
from discreet.hierarchy import Dimension, Hierarchy
from discreet.io.jj import read_jj, write_jj
from discreet.problem import Problem, Role
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE, Unit


@pytest.mark.parametrize("name", JJ_FILES)
def test_a_file_comes_back_equal(shared_data, tmp_path, name):
    problem = read_jj(shared_data / name)
    write_jj(tmp_path / "copy.jj", problem)
    assert_same(read_jj(tmp_path / "copy.jj"), problem)


@pytest.mark.parametrize("name", JJ_FILES)
def test_the_order_of_cells_and_equations_in_a_file_changes_nothing(shared_data, tmp_path, written, name):
    mixed = written(shuffled_jj((shared_data / name).read_text(), random.Random(7)), "mixed.jj")
    problem = read_jj(shared_data / name)
    assert_same(read_jj(mixed), problem)
    write_jj(tmp_path / "copy.jj", read_jj(mixed))
    assert_same(read_jj(tmp_path / "copy.jj"), problem)


@pytest.mark.parametrize("name", CSPLIB)
def test_a_file_is_written_as_it_was_up_to_white_space(shared_data, tmp_path, name):
    source = shared_data / "csplib" / f"{name}.jj"
    write_jj(tmp_path / "copy.jj", read_jj(source))
    assert (tmp_path / "copy.jj").read_text().split() == source.read_text().split()


def test_a_file_of_tau_argus_has_its_unit_its_cells_and_its_equations(shared_data):
    problem = read_jj(shared_data / "argus/jj/size_region.jj")
    assert (problem.size, problem.table.structure.equations) == (162, 63)
    assert problem.table.unit == Unit.parse("0.01")
    assert problem.table.value[0] == 1684764684
    assert problem.weight[0] == 20000
    assert problem.sensitive.sum() == 14
    problem.refuse_impossible()


def test_a_file_without_status_asks_for_protection_by_its_levels(shared_data):
    problem = read_jj(shared_data / "argus/jj/sdctable-prob_val.jj")
    assert problem.sensitive.all()
    assert (problem.need_below == 1).all()
    assert problem.upper[0] == 150 < problem.table.value[0]


def test_each_status_has_its_role(written):
    problem = read_jj(written(JJ, "t.jj"))
    assert problem.role.tolist() == [Role.OPEN, Role.SENSITIVE, Role.OPEN, Role.PUBLISHED]
    assert (problem.need_below[1], problem.need_above[1], problem.need_sliding[1]) == (2, 3, 1)
    assert (problem.lower[2], problem.upper[2]) == (5, 60)
    assert problem.weight.tolist() == [100, 20, 50, 30]


def test_zero_cells_are_empty_unless_sensitive(written):
    problem = read_jj(
        written(
            "0\n4\n0 5 1 s 0 9 0 0 0\n1 0 1 s 0 9 0 0 0\n2 0 1 u 0 9 0 3 0\n3 5 1 s 0 9 0 0 0\n"
            "1\n0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)\n",
            "t.jj",
        )
    )
    assert problem.role.tolist() == [Role.OPEN, Role.EMPTY, Role.SENSITIVE, Role.OPEN]


def test_a_sensitive_cell_without_levels_needs_one_unit(written):
    problem = read_jj(written(JJ.replace("u 0 1000 2 3 1", "u 0 1000 0 0 0"), "t.jj"))
    assert (problem.need_below[1], problem.need_above[1]) == (1, 1)


@pytest.mark.parametrize(
    "variant",
    [
        JJ.replace("(", "( ").replace(")", " )"),
        JJ.replace("0 4 :", "0.0 4 :"),
        JJ.replace("0 4 :", "0 4:").replace(" (", "("),
        JJ.replace(" ", "   ").replace("\n", " \r\n"),
        JJ.replace(" ", "\t").replace("\n", "\n\n"),
        "\n\n" + JJ.rstrip("\n"),
        JJ.replace("100 100", "100.000 1.0E+2"),
        JJ.replace(" u ", " U "),
        "\ufeff" + JJ,
        "// made by hand\n" + JJ,
        JJ.replace("0 4 : 0 (-1)", "0 5 : 0 (-3) 0 (2)"),
    ],
)
def test_every_known_way_to_write_a_file_says_the_same(written, variant):
    assert_same(read_jj(written(variant, "variant.jj")), read_jj(written(JJ, "plain.jj")))


def test_ids_need_not_start_at_zero(written, tmp_path):
    lines = JJ.splitlines()
    lines[2:6] = [f"{int(line[0]) + 7}{line[1:]}" for line in lines[2:6]]
    lines[7] = "0 4 : 7 (-1) 8 (1) 9 (1) 10 (1)"
    problem = read_jj(written("\n".join(lines), "t.jj"))
    assert problem.table.structure.name(0) == "cell 7"
    write_jj(tmp_path / "copy.jj", problem)
    assert_same(read_jj(tmp_path / "copy.jj"), problem)
    assert "7 (-1) 8 (1)" in (tmp_path / "copy.jj").read_text()


def test_levels_are_rounded_up_and_bounds_inwards(written):
    problem = read_jj(written(JJ.replace("u 0 1000 2 3 1", "u 0.5 99.5 1.2 2.000 0.1"), "t.jj"))
    assert (problem.need_below[1], problem.need_above[1], problem.need_sliding[1]) == (2, 2, 1)
    assert (problem.lower[1], problem.upper[1]) == (1, 99)


def test_a_unit_may_be_declared(written):
    problem = read_jj(written(JJ, "t.jj"), unit="0.1")
    assert problem.table.value.tolist() == [1000, 200, 500, 300]
    assert problem.need_below[1] == 20
    assert problem.upper[0] == 10000
    with pytest.raises(InputError, match="whole multiples of the unit 1000"):
        read_jj(written(JJ, "t.jj"), unit="1000")


@pytest.mark.parametrize(
    "text", ["9223372036854775807", "1e30", "inf", "99999999999999999999999", "1E+999999"]
)
def test_bounds_beyond_all_units_are_none(written, tmp_path, text):
    problem = read_jj(written(JJ.replace("u 0 1000", f"u -{text} {text}"), "t.jj"))
    assert (problem.lower[1], problem.upper[1]) == (-INFINITE, INFINITE)
    write_jj(tmp_path / "copy.jj", problem)
    assert_same(read_jj(tmp_path / "copy.jj"), problem)


def test_a_right_hand_side_is_a_declared_constant(written, tmp_path):
    path = written(JJ.replace("0 100 100", "0 98 98").replace("0 4 :", "2 4 :"), "t.jj")
    problem = read_jj(path)
    assert problem.table.constant.tolist() == [2]
    assert problem.table.structure.imbalance(problem.table.value).tolist() == [2]
    write_jj(tmp_path / "copy.jj", problem)
    assert_same(read_jj(tmp_path / "copy.jj"), problem)


def test_sums_that_do_not_hold_are_refused_recomputed_or_carried(written):
    path = written(JJ.replace("0 100 100", "0 90 90"), "t.jj")
    with pytest.raises(AdditivityError, match=r"t.jj: 1 of 1 sums do not hold: equation 0 \(total: cell 0\)"):
        read_jj(path)
    assert read_jj(path, on_discrepancy="recompute").table.value.tolist() == [100, 20, 50, 30]
    carried = read_jj(path, on_discrepancy="carry").table
    assert carried.value.tolist() == [90, 20, 50, 30]
    assert carried.constant.tolist() == [10]
    with pytest.raises(InputError, match="Unknown way to treat a discrepancy"):
        read_jj(path, on_discrepancy="guess")


def test_recomputed_totals_meet_their_declared_constants(written):
    path = written(JJ.replace("0 100 100", "0 90 90").replace("0 4 :", "2 4 :"), "t.jj")
    assert read_jj(path, on_discrepancy="recompute").table.value.tolist() == [98, 20, 50, 30]


def test_the_file_is_confidential(written, tmp_path):
    write_jj(tmp_path / "copy.jj", read_jj(written(JJ, "t.jj")))
    assert stat.S_IMODE((tmp_path / "copy.jj").stat().st_mode) == 0o600


def test_a_suppressed_release_marks_its_secondaries(written, tmp_path):
    problem = read_jj(written(JJ, "t.jj"))
    release = Release.suppressed(problem, np.array([False, True, True, False]))
    write_jj(tmp_path / "out.jj", problem, release)
    lines = (tmp_path / "out.jj").read_text().splitlines()
    assert [line.split()[3] for line in lines[2:6]] == ["s", "u", "m", "z"]
    assert [line.split()[1] for line in lines[2:6]] == ["100", "20", "50", "30"]


def test_changed_values_are_written(written, tmp_path):
    problem = read_jj(written(JJ, "t.jj"))
    write_jj(tmp_path / "out.jj", problem, Release.adjusted(problem, np.array([100, 25, 45, 30])))
    lines = (tmp_path / "out.jj").read_text().splitlines()
    assert [line.split()[1] for line in lines[2:6]] == ["100", "25", "45", "30"]
    assert lines[-1] == "0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)"


def test_a_table_of_dimensions_becomes_a_file_with_its_totals_first(tmp_path):
    dimensions = [Dimension.of(name, Hierarchy.flat(codes)) for name, codes in (("r", "NS"), ("i", "AB"))]
    structure = Structure.full(dimensions)
    value = np.array([10, 4, 6, 7, 3, 4, 3, 1, 2])
    problem = Problem.of(Table(structure, value, Unit.parse("0.1")))
    write_jj(tmp_path / "t.jj", problem)
    back = read_jj(tmp_path / "t.jj", unit="0.1")
    assert equations_of(back) == equations_of(problem)
    assert (tmp_path / "t.jj").read_text().splitlines()[-1].endswith(" : 6 (-1) 7 (1) 8 (1)")


@st.composite
def problems(draw):
    size = draw(st.integers(2, 7))
    value = draw(st.lists(st.integers(-(10**6), 10**12), min_size=size, max_size=size))
    identity = draw(st.sampled_from([None, [str(3 * n + 1) for n in range(size)]]))
    entries = st.lists(st.tuples(st.integers(0, size - 1), st.integers(-3, 3)), min_size=1, max_size=size)
    structure = Structure.from_equations(size, draw(st.lists(entries, max_size=4)), identity)
    value = np.array(value)
    constant = structure.imbalance(value)
    table = Table(
        structure,
        value,
        Unit.parse(draw(st.sampled_from(["1", "0.01", "0.5", "1000"]))),
        constant=constant if constant.any() else None,
    )
    levels = st.lists(st.sampled_from([0, 1, 17]), min_size=size, max_size=size)
    ends = st.lists(st.sampled_from([0, 5, 10**13, INFINITE]), min_size=size, max_size=size)
    weights = st.floats(0, 1e30, allow_subnormal=False)
    return Problem.of(
        table,
        role=np.array(draw(st.lists(st.sampled_from([0, 1, 2]), min_size=size, max_size=size)), np.uint8),
        need_below=np.array(draw(levels)),
        need_above=np.array(draw(levels)),
        need_sliding=np.array(draw(levels)),
        lower=-np.array(draw(ends)),
        upper=np.array(draw(ends)),
        weight=np.array(draw(st.lists(weights, min_size=size, max_size=size))),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(problems())
def test_any_problem_comes_back_equal(tmp_path, problem):
    write_jj(tmp_path / "t.jj", problem)
    assert_same(read_jj(tmp_path / "t.jj", unit=problem.table.unit), problem)
