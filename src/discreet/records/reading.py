"""Records wherever people keep them, as columns that DuckDB adds up: codes as text, amounts in whole units.

Numbers are read exactly. What DuckDB can cast without loss it casts while it reads; a column with anything
unusual in it (an exponent, a fraction that a float does not tell) goes through the reader of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, suggest
from ..io.columns import Column
from ..io.files import refuse_unreadable
from ..io.numbers import Decimals
from ..io.sources import PARQUET_ENDINGS, Source, open_source
from ..units import Unit

if TYPE_CHECKING:
    import duckdb

MOST_PLACES = 9
"""Decimal places that DuckDB reads; finer numbers go through the reader of cells."""
WHOLE_TYPES = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
FLOAT_TYPES = ("FLOAT", "DOUBLE")
EXACT_FLOATS = 2**53
"""Whole numbers up to this one are exact in a float."""


@dataclass(frozen=True, eq=False)
class Records:
    """Records inside DuckDB: `relation` is what stands behind FROM, `source` reads them again, in full."""

    connection: duckdb.DuckDBPyConnection
    name: str
    relation: str
    types: Mapping[str, str]
    source: Callable[[], Source]
    decimal: str | None = None

    def has(self, title: str) -> str:
        """The title, if there is such a column."""
        if title not in self.types:
            raise InputError(f"{self.name}: no column '{title}'. {suggest(title, self.types)}")
        return title

    def text(self, title: str) -> str:
        """An expression for what a column says; nothing is an empty text."""
        return f"coalesce(CAST({quoted(self.has(title))} AS VARCHAR), '')"

    def answer(self, expression: str) -> Any:
        """What an expression over all records comes to."""
        return ask(self.connection, f"SELECT {expression} FROM {self.relation}")

    def place(self, title: str, said: str) -> str:
        """Where a column first says something."""
        numbered = f"SELECT row_number() OVER () - 1 AS row, {self.text(title)} AS said FROM {self.relation}"
        row = ask(self.connection, f"SELECT min(row) FROM ({numbered}) WHERE said = {literal(said)}")
        return self.source().where(int(row))

    def refuse(self, condition: str, expected: str) -> None:
        """An error that names the first record for which a condition holds, if there is any."""
        if self.answer(f"count(*) FILTER (WHERE {condition})"):
            numbered = f"SELECT row_number() OVER () - 1 AS row, {condition} AS bad FROM {self.relation}"
            row = ask(self.connection, f"SELECT min(row) FROM ({numbered}) WHERE bad")
            raise InputError(f"{self.source().where(int(row))}: {expected}")


@dataclass(frozen=True)
class Amounts:
    """The numbers of a column: an expression for whole multiples of a unit."""

    sql: str
    unit: Unit


def open_records(
    given: Any,
    connection: duckdb.DuckDBPyConnection,
    delimiter: str | None = None,
    decimal: str | None = None,
) -> Records:
    """Records from a CSV or Parquet file, or from any dataframe; Parquet is read as a stream."""
    if isinstance(given, str | Path) and Path(given).suffix.lower() in PARQUET_ENDINGS:
        refuse_unreadable(given)
        relation = f"read_parquet({literal(str(given))})"
        name, source = str(given), lambda: open_source(given, delimiter, decimal)
    else:
        held = open_source(given, delimiter, decimal)
        connection.register("records_given", held.table)
        relation, name, source = "records_given", held.name, lambda: held
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
    except connection_error():
        raise InputError(f"{name} cannot be read as Parquet. Is it whole, and of this kind?") from None
    records = Records(connection, name, relation, {row[0]: row[1] for row in described}, source, decimal)
    if not records.answer("count(*)"):
        raise InputError(f"{name} has no rows, expected a row a record.")
    return records


def amounts_of(records: Records, title: str, unit: Unit | None = None) -> tuple[Records, Amounts]:
    """The numbers of a column in a unit, or in the finest that they need; the records may be read anew."""
    kind = records.types[records.has(title)]
    places = _places(records, title, kind)
    if places is not None:
        # a column of whole numbers may be added up as it is, which is much faster
        wide = "BIGINT" if kind in WHOLE_TYPES and unit in (None, Unit()) else "HUGEINT"
        scaled = f"CAST({_number(title, kind, places)} AS {wide})"
        own = Unit(Decimal((0, (1,), -places)))
        if unit is None or unit == own:
            return records, Amounts(scaled, own)
        finer, coarser = own.step / unit.step, unit.step / own.step
        if finer == int(finer):
            return records, Amounts(f"({scaled} * {int(finer)})", unit)
        if coarser == int(coarser) and not records.answer(f"bool_or({scaled} % {int(coarser)} <> 0)"):
            return records, Amounts(f"({scaled} // {int(coarser)})", unit)
    return _read_anew(records, title, unit)


def _read_anew(records: Records, title: str, unit: Unit | None) -> tuple[Records, Amounts]:
    """The same by the reader of cells, which knows every way to write a number, and where each stands."""
    import pyarrow as pa

    source = records.source()
    numbers = Decimals.of(Column.of(title, source.numbers([title])[title], source.where))
    numbers.refuse(numbers.column.blank, "expected a number, found none.")
    unit = unit or numbers.finest()
    column = f"{title} in units"
    table = source.table.append_column(column, pa.array(numbers.units(unit)))
    records.connection.register("records_anew", table)
    anew = replace(
        records,
        relation="records_anew",
        types={**records.types, column: "BIGINT"},
        source=lambda: replace(source, table=table),
    )
    return anew, Amounts(f"CAST({quoted(column)} AS HUGEINT)", unit)


def _places(records: Records, title: str, kind: str) -> int | None:
    """Decimal places of the numbers of a column; none where DuckDB cannot be trusted with them."""
    column = quoted(title)
    if records.answer(f"count(*) <> count({column})"):
        return None
    if kind in WHOLE_TYPES:
        return 0
    if kind.startswith("DECIMAL"):
        places = int(kind.rstrip(")").split(",")[1])
        return places if places <= MOST_PLACES else None
    if kind in FLOAT_TYPES:
        return _places_of_floats(records, column)
    is_plain = kind == "VARCHAR" and records.decimal != ","
    return _places_of_text(records, title) if is_plain else None


def _places_of_floats(records: Records, column: str) -> int | None:
    tests = ", ".join(
        f"bool_and(abs({column}) * 1e{p} < {EXACT_FLOATS} AND round({column} * 1e{p}) / 1e{p} = {column})"
        for p in range(MOST_PLACES + 1)
    )
    fits = records.answer(f"[{tests}]")
    return next((p for p, fit in enumerate(fits) if fit), None)


def _places_of_text(records: Records, title: str) -> int | None:
    """Only plain numbers with a point; a comma is for the reader of cells to understand."""
    text = f"trim({quoted(title)})"
    plain = (
        f"TRY_CAST({text} AS DECIMAL(38, {MOST_PLACES})) IS NOT NULL "
        f"AND NOT regexp_matches({text}, '[^0-9.+-]')"
    )
    decimals = f"length(rtrim({text}, '0')) - strpos({text}, '.')"
    places = f"max(CASE WHEN contains({text}, '.') THEN {decimals} ELSE 0 END)"
    asked = records.answer(f"CASE WHEN bool_and({plain}) THEN {places} END")
    return None if asked is None or asked > MOST_PLACES else int(asked)


def _number(title: str, kind: str, places: int) -> str:
    if kind == "VARCHAR":
        return f"CAST(trim({quoted(title)}) AS DECIMAL(38, {places})) * {10**places}"
    if kind in FLOAT_TYPES:
        return f"round({quoted(title)} * 1e{places})"
    return f"{quoted(title)} * {10**places}" if places else quoted(title)


def ask(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    """The one value that a query answers."""
    return connection.execute(query).fetchall()[0][0]


def connection_error() -> type[Exception]:
    """What DuckDB raises."""
    import duckdb

    return duckdb.Error


def quoted(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
