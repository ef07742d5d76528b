import csv
import json
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.io.public import account_path, write_publication


@dataclass(frozen=True)
class Publication:
    columns: Mapping[str, Sequence[str]]
    value: list[str]
    lower: list[str] | None = None
    upper: list[str] | None = None
    account: Mapping[str, object] = field(default_factory=lambda: {"method": "none", "cells": 3})


PUBLIC = Publication({"région": ["Total", 'N, "upper"', "北"]}, ["10.5", "x", "4"])
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
