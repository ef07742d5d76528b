from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from io_helpers import TWO_BY_TWO, assert_same

from discreet.errors import InputError
from discreet.io.cells import from_frame, read_cells

ROWS = [line.split(",") for line in TWO_BY_TWO.splitlines()]
COLUMNS = {title: [row[at] for row in ROWS[1:]] for at, title in enumerate(ROWS[0])}
COLUMNS["value"] = [int(text) for text in COLUMNS["value"]]

FRAMES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas of categories": lambda: pd.DataFrame(COLUMNS).astype({"region": "category"}),
    "pandas of doubles": lambda: pd.DataFrame(COLUMNS).astype({"value": "float64"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "lazy polars": lambda: pl.LazyFrame(COLUMNS),
    "polars of singles": lambda: pl.DataFrame(COLUMNS).with_columns(pl.col("value").cast(pl.Float32)),
    "polars of text": lambda: pl.DataFrame(COLUMNS).with_columns(pl.col("value").cast(pl.String)),
    "pyarrow": lambda: pa.table(COLUMNS),
    "pyarrow of decimals": lambda: pa.table(
        {**COLUMNS, "value": pa.array([Decimal(v) for v in COLUMNS["value"]], pa.decimal128(20, 3))}
    ),
    "pyarrow in pieces": lambda: pa.concat_tables(
        [pa.table(COLUMNS).slice(0, 4), pa.table(COLUMNS).slice(4)]
    ),
    "duckdb": lambda: duckdb.from_arrow(pa.table(COLUMNS)),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_of_every_library_are_the_same_problem(written, kind):
    assert_same(from_frame(FRAMES[kind]()), read_cells(written(TWO_BY_TWO)))


def test_a_parquet_file_is_the_same_problem(tmp_path, written):
    pq.write_table(pa.table(COLUMNS), tmp_path / "cells.parquet")
    assert_same(read_cells(tmp_path / "cells.parquet"), read_cells(written(TWO_BY_TWO)))


def test_numbers_as_codes_are_codes(written):
    frame = pd.DataFrame({"code": [np.nan, 1.0, 2.0], "value": [3, 1, 2]})
    structure = from_frame(frame, by=["code"]).table.structure
    assert [structure.name(cell) for cell in range(3)] == ["code=Total", "code=1", "code=2"]


def test_doubles_are_read_as_the_shortest_number_that_they_are(written):
    frame = pd.DataFrame({"code": ["T", "a", "b"], "value": [12345678901.3, 0.1, 12345678901.2]})
    assert from_frame(frame).table.value.tolist() == [123456789013, 1, 123456789012]


def test_binary_noise_is_not_rounded_in_silence():
    frame = pd.DataFrame({"code": ["T", "a", "b"], "value": [0.1 + 0.2, 0.1, 0.2]})
    with pytest.raises(
        InputError, match=r"row 0 \(the first is 0\), column 'value': .* round the column first"
    ):
        from_frame(frame, unit="0.01")
    assert from_frame(frame.round(2), unit="0.01").table.value.tolist() == [30, 10, 20]


def test_nan_is_no_value():
    for frame in (pd.DataFrame, pl.DataFrame):
        with pytest.raises(InputError, match=r"the frame, row 1 .*expected a number, found none"):
            from_frame(frame({"code": ["T", "a"], "value": [1.5, float("nan")]}))


@pytest.mark.parametrize("thing", [None, 5, {"a": [1]}, [1, 2], object()])
def test_what_is_no_frame_is_refused(thing):
    with pytest.raises(InputError, match="Expected a dataframe"):
        from_frame(thing)


def test_a_column_of_lists_is_refused():
    with pytest.raises(InputError, match="'value' holds neither text nor numbers"):
        from_frame(pa.table({"code": ["T"], "value": [[1, 2]]}))


def test_what_is_no_parquet_is_refused(written):
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        read_cells(written("region,value\n", "cells.parquet"))


def test_a_frame_without_rows_is_refused():
    with pytest.raises(InputError, match="the frame has no rows"):
        from_frame(pl.DataFrame({"code": [], "value": []}))
