import csv
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from discreet.examples import example_folder
from discreet.io.cells import read_cells
from discreet.rules.percent import PercentRule
from discreet.units import Unit

SCRIPT = Path(__file__).parents[1] / "scripts" / "make_example.py"


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("make_example", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.make()


@pytest.fixture(scope="module")
def problem():
    folder = example_folder()
    return read_cells(
        folder / "turnover.csv",
        by=["region", "industry"],
        value="turnover",
        columns={"frequency": "firms"},
        hierarchies={"region": folder / "region.hrc", "industry": folder / "industry.csv"},
    )


def rows():
    with (example_folder() / "turnover.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", ["turnover.csv", "region.hrc", "industry.csv"])
def test_the_committed_files_are_what_the_script_makes(made, name):
    assert (example_folder() / name).read_bytes().decode("utf-8") == made[name]


def test_the_example_is_read_as_a_table_of_two_hierarchical_dimensions(problem):
    structure = problem.table.structure
    assert [int(d.level.max()) for d in structure.dimensions] == [2, 3]


def test_the_example_holds_every_combination_of_codes(problem):
    assert problem.size == 13 * 27


def test_turnover_is_in_thousands_with_one_decimal(problem):
    assert problem.table.unit == Unit.parse("0.1")


def test_the_example_can_be_protected_as_it_is(problem):
    problem.refuse_impossible()


def test_the_levels_are_those_of_the_ten_percent_rule(problem):
    table = problem.table
    needs = PercentRule(10).needs(table.evidence_at("record"))
    assert (needs.below == problem.need_below).all()
    assert (needs.above == problem.need_above).all()


def test_a_few_cells_have_one_firm_only(problem):
    assert 4 <= np.count_nonzero(problem.table.frequency == 1) <= 20


def test_two_firms_are_among_the_largest_in_several_cells_of_different_rows_and_columns():
    finest = [r for r in rows() if len(r["industry"]) == 3 and not r["region"].endswith(("mark", "Total"))]
    places = {}
    for row in finest:
        places.setdefault(row["contributor_1"], set()).add((row["region"], row["industry"]))
    places.pop("")
    assert sorted(len(held) for held in places.values())[-2:] == [3, 4]


def test_a_firm_is_counted_once_in_a_total():
    said = {(r["region"], r["industry"]): int(r["firms"]) for r in rows()}
    assert said["Innisport", "Total"] < sum(said["Innisport", section] for section in "ABC")
