"""Columns of text from wherever people keep their cells: CSV, Parquet, or any dataframe."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, suggest
from .amounts import plain_floats
from .columns import Where
from .files import read_bytes, read_utf8

if TYPE_CHECKING:
    import pyarrow as pa

CSV_ENDINGS = (".csv", ".tsv")
PARQUET_ENDINGS = (".parquet",)
DELIMITERS = (",", ";", "\t", "|")
BLOCK = 1 << 24
SAMPLE = 5


@dataclass(frozen=True, eq=False)
class Source:
    """Columns by name, how to say where a row stands, and the decimal sign if it is known."""

    name: str
    table: pa.Table
    where: Where
    decimal: str | None = "."

    @property
    def titles(self) -> list[str]:
        """Names of the columns."""
        return [str(title) for title in self.table.column_names]

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def texts(self, title: str) -> pa.LargeStringArray:
        """A column as text; nothing is an empty text."""
        return _as_text(self.table.column(title), self.name, title)

    def numbers(self, titles: Sequence[str]) -> dict[str, pa.LargeStringArray]:
        """Columns that should hold numbers, as text with a point for the decimal sign."""
        import pyarrow.compute as pc

        texts = {title: self.texts(title) for title in titles}
        has_comma = [title for title, held in texts.items() if pc.any(pc.match_substring(held, ",")).as_py()]
        if self.decimal == "," or (self.decimal is None and has_comma):
            for title, held in texts.items():
                self._refuse_point(title, held)
                texts[title] = pc.replace_substring(held, ",", ".")
        return texts

    def _refuse_point(self, title: str, texts: pa.LargeStringArray) -> None:
        import pyarrow.compute as pc

        rows = np.flatnonzero(pc.match_substring(texts, ".").to_numpy(zero_copy_only=False))
        if len(rows):
            raise InputError(
                f"{self.where(int(rows[0]))}, column '{title}': a point in a number, where the decimal sign "
                "is a comma. Write all numbers alike, or name the decimal sign."
            )


def csv_source(path: str | Path, delimiter: str | None = None, decimal: str | None = None) -> Source:
    """The columns of a CSV file, cut but not interpreted.

    A comma is taken for the decimal sign when it is asked for, or when it does not delimit and some
    number is written with it.
    """
    content = read_utf8(path)
    if not content.strip():
        raise InputError(f"{path} is empty, expected a line of column names and a line a cell.")
    delimiter = delimiter or _sniffed(content)
    if delimiter not in DELIMITERS:
        raise InputError(f"Expected a delimiter among , ; | and tab, got '{delimiter}'.")
    if decimal is None and delimiter in (",", "|"):
        decimal = "."
    return Source(
        str(path), _parsed(path, content, delimiter), _lines_of(str(path), content, delimiter), decimal
    )


def parquet_source(path: str | Path, decimal: str | None = None) -> Source:
    """The columns of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = read_bytes(path)
    try:
        table = pq.read_table(pa.BufferReader(content))
    except (pa.ArrowException, OSError):
        raise InputError(f"{path} cannot be read as Parquet. Is it whole, and of this kind?") from None
    return _arrow_source(str(path), table, decimal)


def frame_source(frame: Any, decimal: str | None = None, name: str = "the frame") -> Source:
    """The columns of a dataframe of any library that narwhals knows."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
        table = (known.collect("pyarrow") if isinstance(known, nw.LazyFrame) else known).to_arrow()
    except Exception:
        raise InputError(
            f"Expected a dataframe (pandas, polars, pyarrow, duckdb, …) of text and numbers, "
            f"got something else ({type(frame).__name__})."
        ) from None
    return _arrow_source(name, table, decimal)


def open_source(table: Any, delimiter: str | None = None, decimal: str | None = None) -> Source:
    """The columns of a file, known by its ending, or of a dataframe."""
    if not isinstance(table, str | Path):
        return frame_source(table, decimal)
    ending = Path(table).suffix.lower()
    if ending in CSV_ENDINGS:
        return csv_source(table, delimiter, decimal)
    if ending in PARQUET_ENDINGS:
        return parquet_source(table, decimal)
    raise InputError(
        f"{table}: expected a file of cells, {', '.join(CSV_ENDINGS + PARQUET_ENDINGS)}, got '{ending}'."
    )


def csv_rows(path: str | Path) -> tuple[list[str], list[list[str]]]:
    """Column names and rows of a small CSV file."""
    source = csv_source(path)
    columns = [source.texts(title).to_pylist() for title in source.titles]
    return source.titles, [list(row) for row in zip(*columns, strict=True)]


def has_column(source: Source, title: str) -> str:
    """A column's name, or an error that suggests another."""
    if title not in source.titles:
        raise InputError(f"{source.name} has no column '{title}'. {suggest(title, source.titles)}")
    return title


def _arrow_source(name: str, table: pa.Table, decimal: str | None) -> Source:
    _refuse_bad_titles(name, [str(title) for title in table.column_names], table.num_rows)
    return Source(name, table, lambda row: f"{name}, row {row} (the first is 0)", decimal or ".")


def _sniffed(content: bytes) -> str:
    """The delimiter that cuts the first lines into the same number of parts, the most parts there are."""
    lines = [line for line in content[: 1 << 16].decode(errors="ignore").splitlines() if line.strip()][
        :SAMPLE
    ]
    try:
        parts = {d: [len(row) for row in csv.reader(lines, delimiter=d)] for d in DELIMITERS}
    except csv.Error:
        return DELIMITERS[0]
    return max(DELIMITERS, key=lambda d: (min(parts[d]) == max(parts[d]) > 1, parts[d][0]))


def _parsed(path: str | Path, content: bytes, delimiter: str) -> pa.Table:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    titles = _titles(content, delimiter)
    odd: list[tuple[int | None, int, int]] = []

    def note(row: Any) -> str:
        odd.append((row.number, row.expected_columns, row.actual_columns))
        return "skip"

    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(content),
            arrow_csv.ReadOptions(use_threads=False, block_size=BLOCK),
            arrow_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=b'"' in content, invalid_row_handler=note
            ),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(titles, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowException:
        table = None
    if odd:
        number, expected, found = odd[0]
        place = str(path) if number is None else _lines_of(str(path), content, delimiter)(number - 2)
        raise InputError(
            f"{place}: expected {expected} columns as in the first line, found {found}. "
            "Is the file cut off, or a delimiter not quoted?"
        )
    if table is None or any(kind != pa.string() for kind in table.schema.types):
        raise InputError(f"{path} cannot be cut into rows and columns. Is a quotation mark left open?")
    stripped = [title.strip() for title in table.column_names]
    _refuse_bad_titles(str(path), stripped, table.num_rows)
    return table.rename_columns(stripped)


def _titles(content: bytes, delimiter: str) -> list[str]:
    """The first line, read beforehand so that every column can be kept as text."""
    text = io.StringIO(content[: 1 << 20].decode(errors="ignore"), newline=None)
    try:
        return next(row for row in csv.reader(text, delimiter=delimiter) if row)
    except (csv.Error, StopIteration):
        return []


def _refuse_bad_titles(name: str, titles: list[str], rows: int) -> None:
    twice = [title for title in dict.fromkeys(titles) if titles.count(title) > 1]
    if twice:
        raise InputError(f"{name} has the column '{twice[0]}' twice, expected every name once.")
    if not rows:
        raise InputError(f"{name} has no rows, expected a row a cell.")


def _lines_of(path: str, content: bytes, delimiter: str) -> Where:
    """Rows are found again in the text, because blank lines and quoted line ends shift their numbers."""

    def say(row: int) -> str:
        reader = csv.reader(io.StringIO(content.decode(), newline=None), delimiter=delimiter)
        try:
            for number, _ in enumerate(held for held in reader if held):
                if number == row + 1:
                    return f"{path}, line {reader.line_num}"
        except csv.Error:
            pass
        return f"{path}, row {row + 1}"

    return say


def _as_text(column: pa.ChunkedArray, name: str, title: str) -> pa.LargeStringArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_floating(column.type):
            numbers = column.fill_null(0).to_numpy()
            texts = pc.if_else(column.is_valid(), pa.chunked_array([plain_floats(numbers)]), "")
        else:
            texts = column.cast(pa.large_string()).fill_null("")
        held = texts.cast(pa.large_string())
    except pa.ArrowException:
        raise InputError(f"{name}: the column '{title}' holds neither text nor numbers.") from None
    return pa.concat_arrays(held.chunks) if held.num_chunks != 1 else held.chunk(0)
