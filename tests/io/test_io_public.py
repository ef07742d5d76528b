import csv
import json
import stat

import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.io import public
from discreet.io.public import account_path, write_publication
from discreet.profile import Profile
from discreet.result import Axis, Publication

ACCOUNT = {"method": "none", "cells": 3}
PUBLIC = Publication(
    {"région": ("Total", 'N, "upper"', "北")}, ("10.5", "x", "4"), account=ACCOUNT, profile=Profile("x")
)
TOLD = Publication({"r": ["Total", "N"]}, ["10", "10"], ["5", "5"], ["14", "14"])


def test_a_csv_file_holds_the_rows_as_text(tmp_path):
    write_publication(tmp_path / "out.csv", PUBLIC)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["région", "value"],
            ["Total", "10.5"],
            ['N, "upper"', "x"],
            ["北", "4"],
        ]


def test_a_parquet_file_holds_the_rows_as_text(tmp_path):
    write_publication(tmp_path / "out.parquet", TOLD)
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {
        "r": ["Total", "N"],
        "value": ["10", "10"],
        "lower": ["5", "5"],
        "upper": ["14", "14"],
    }


def test_a_json_file_holds_the_rows_as_text(tmp_path):
    write_publication(tmp_path / "out.json", PUBLIC)
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))[1] == {
        "région": 'N, "upper"',
        "value": "x",
    }
    write_publication(tmp_path / "none.json", Publication({"r": []}, []))
    assert json.loads((tmp_path / "none.json").read_text()) == []


def test_the_account_lies_beside_the_table(tmp_path):
    write_publication(tmp_path / "out.csv", PUBLIC)
    assert account_path(tmp_path / "out.csv").name == "out.account.json"
    assert json.loads((tmp_path / "out.account.json").read_text()) == {"method": "none", "cells": 3}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.account.json", "out.csv"]


def test_public_files_are_public(tmp_path):
    write_publication(tmp_path / "out.csv", PUBLIC)
    (tmp_path / "usual").touch()
    usual = stat.S_IMODE((tmp_path / "usual").stat().st_mode)
    assert {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()} == {usual}


def test_an_unknown_ending_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"unknown ending '.cvs' for a public table. Did you mean '.csv'"):
        write_publication(tmp_path / "out.cvs", PUBLIC)


@pytest.mark.parametrize(
    ("publication", "match"),
    [
        (Publication({"value": ["a"]}, ["1"]), "A dimension is called 'value'"),
        (Publication({"r": ["a", "b"]}, ["1"]), "Expected 1 entries in the column 'r'"),
        (Publication({"r": ["a"]}, ["1"], lower=[]), "Expected 1 entries in the column 'lower'"),
    ],
)
def test_columns_that_do_not_fit_are_refused_and_nothing_is_written(tmp_path, publication, match):
    with pytest.raises(InputError, match=match):
        write_publication(tmp_path / "out.csv", publication)
    assert not list(tmp_path.iterdir())


LEVELS = Publication(
    {"region": ("Total", "N", "N1")},
    ("5", "5", "5"),
    axes=(Axis("region", ("Total", "N", "N1"), (0, 1, 2), ("", "", "")),),
)
HOSTILE = Publication({"r": ("=1+1", "+cmd", "@x", "-2", "-")}, ("1", "2", "3", "4", "5"))


def test_each_row_says_on_which_level_its_codes_are(tmp_path):
    write_publication(tmp_path / "out.csv", LEVELS)
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == ["Total,5,0", "N,5,1", "N1,5,2"]
    assert (tmp_path / "out.csv").read_text().startswith("region,value,region_level\n")


def test_levels_are_whole_numbers_where_a_form_knows_them(tmp_path):
    write_publication(tmp_path / "out.parquet", LEVELS)
    write_publication(tmp_path / "out.json", LEVELS)
    assert pq.read_table(tmp_path / "out.parquet")["region_level"].to_pylist() == [0, 1, 2]
    assert json.loads((tmp_path / "out.json").read_text())[2]["region_level"] == 2


def test_a_dimension_with_the_name_of_a_column_of_levels_is_refused(tmp_path):
    columns = {"region": ("Total",), "region_level": ("a",)}
    axes = tuple(Axis(name, held, (0,), ("",)) for name, held in columns.items())
    with pytest.raises(InputError, match="A dimension is called 'region_level'"):
        write_publication(tmp_path / "out.csv", Publication(columns, ("1",), axes=axes))


def test_codes_that_look_like_formulas_stay_as_they_are_and_everything_is_quoted(tmp_path):
    write_publication(tmp_path / "out.csv", HOSTILE)
    text = (tmp_path / "out.csv").read_text()
    assert text.splitlines()[1:] == ['"=1+1","1"', '"+cmd","2"', '"@x","3"', '"-2","4"', '"-","5"']


@pytest.mark.parametrize("ending", [".html", ".xlsx"])
def test_a_form_that_holds_the_account_itself_has_none_beside_it(tmp_path, ending):
    write_publication(tmp_path / f"out{ending}", PUBLIC)
    assert [p.name for p in tmp_path.iterdir()] == [f"out{ending}"]


@pytest.mark.parametrize("ending", public.MOST_ROWS)
def test_a_table_beyond_what_a_form_holds_is_refused_and_nothing_is_written(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(public, "MOST_ROWS", {ending: 2})
    with pytest.raises(
        InputError, match=r"expected a table of at most 2 rows for this form, got 3. Write a .csv"
    ):
        write_publication(tmp_path / f"out{ending}", PUBLIC)
    assert not list(tmp_path.iterdir())
