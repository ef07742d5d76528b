import csv
import importlib.util
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from discreet.examples import example_folder
from discreet.job.files import read_job
from discreet.job.problems import problem_of
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
    return problem_of(read_job(example_folder() / "firms.toml"))


def rows():
    with (example_folder() / "firms.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def places(key):
    """The places in which each firm or holding has plants."""
    found = defaultdict(set)
    for row in rows():
        found[row[key]].add((row["region"], row["industry"]))
    return found


@pytest.mark.parametrize("name", ["firms.csv", "region.hrc", "industry.csv"])
def test_the_committed_files_are_what_the_script_makes(made, name):
    assert (example_folder() / name).read_bytes().decode("utf-8") == made[name]


def test_nothing_else_but_the_job_ships_with_the_example(made):
    shipped = {path.name for path in example_folder().iterdir() if path.suffix not in {".py", ""}}
    assert shipped == {*made, "firms.toml"}


def test_the_example_is_small():
    assert (example_folder() / "firms.csv").stat().st_size < 150_000


def test_the_example_is_read_as_a_table_of_two_hierarchies_and_a_size_class(problem):
    levels = {d.name: int(d.level.max()) for d in problem.table.structure.dimensions}
    assert levels == {"industry": 3, "region": 2, "size": 1}


def test_the_example_holds_every_combination_of_codes(problem):
    assert problem.size == 27 * 13 * 4


def test_turnover_has_one_decimal(problem):
    assert problem.table.unit == Unit.parse("0.1")


def test_the_example_can_be_protected_as_it_is(problem):
    problem.refuse_impossible()


def test_some_cells_need_protection_and_most_do_not(problem):
    assert 20 <= problem.sensitive.sum() <= problem.size // 10


def test_some_cells_are_empty(problem):
    assert np.count_nonzero(problem.table.frequency == 0) > 20


def test_codes_of_industries_have_labels(problem):
    (industry,) = [d for d in problem.table.structure.dimensions if d.name == "industry"]
    assert industry.label["A21"] == "Sea fishing"


def test_some_firms_have_plants_in_several_places():
    assert sum(len(where) > 1 for where in places("firm").values()) > 50


def test_some_firms_belong_to_holdings():
    firms = defaultdict(set)
    for row in rows():
        firms[row["holding"]].add(row["firm"])
    firms.pop("")
    assert len(firms) > 20
    assert max(map(len, firms.values())) > 2


def test_a_firm_belongs_to_one_holding():
    holding = {}
    for row in rows():
        assert holding.setdefault(row["firm"], row["holding"]) == row["holding"]
