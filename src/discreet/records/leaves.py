"""The first of two stages: from records to the finest cells, in DuckDB.

Only what coarser cells need comes out: sums, counts, the largest contributions of every finest cell, and
all contributions of those who stand in several of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import AnyArray, Ints
from ..errors import InputError
from .reading import connection_error
from .rollup import Entries

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

RECORDS = "discreet_records"
MERGED = "discreet_merged"
SEVERAL = "discreet_several"


@dataclass(frozen=True, eq=False)
class Leaves:
    """Finest cells by their codes, a column a dimension; sums by name; and the contributions to them.

    `people` names the contributors by number, where they have names. `several` marks those who stand in
    more than one finest cell, `lone` counts the others in each.
    """

    codes: pa.Table
    sums: dict[str, Ints]
    lone: Ints
    entries: Entries
    several: AnyArray
    people: tuple[str, ...] = ()


def leaves_of_records(
    connection: duckdb.DuckDBPyConnection, by: Sequence[str], amount: str, keep: int, plain: bool
) -> Leaves:
    """Every record is a contributor of its own; `amount` is the column whose largest are kept.

    Of `plain` records nothing is known but their amounts: no names, no weights, no requests.
    """
    found = _ask(connection, query_of_records(by, amount, keep, plain))
    owner, flat = _flattened(found.column("listed"))
    entries, people = (_plain(owner, flat), ()) if plain else _named(owner, _fields(flat))
    return Leaves(
        found.select(list(by)),
        _sums(found),
        _ints(found.column("lone")),
        entries,
        np.zeros(max(len(people), len(owner)), np.bool_),
        people,
    )


def query_of_records(by: Sequence[str], amount: str, keep: int, plain: bool) -> str:
    """What DuckDB is asked where every record is a contributor of its own."""
    listed = (
        f"max({amount}, {keep})"
        if plain
        else f"min({{'x': -{amount}, 'm': -marks, 'w': times, 'who': who}}, {keep})"
    )
    return (
        f"SELECT {_list(by)}, {_SUMS}, count(*) AS lone, {listed} AS listed "
        f"FROM {RECORDS} GROUP BY {_list(by)} ORDER BY {_list(by)}"
    )


def _plain(owner: Ints, amount: Any) -> Entries:
    """A record without a name is known by its cell and its rank in it."""
    return Entries(owner, np.arange(len(owner)), _ints(amount))


def _named(owner: Ints, parts: dict[str, Any]) -> tuple[Entries, tuple[str, ...]]:
    names = parts["who"]
    people: tuple[str, ...] = ()
    if names.null_count == len(names):
        who: Ints = np.arange(len(owner))
    else:
        who, people = numbered(names)
    marks = (-_ints(parts["m"])).astype(np.uint8)
    return Entries(owner, who, -_ints(parts["x"]), _ints(parts["w"]), marks), people


def leaves_of_groups(
    connection: duckdb.DuckDBPyConnection, by: Sequence[str], amount: str, keep: int, who: str
) -> Leaves:
    """What records of one contributor, or holding, add up to counts as one contribution.

    A record that belongs to nobody is a contribution of its own.
    """
    listed = _list(by)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {MERGED} AS SELECT {listed}, {who} AS who, sum({amount}) AS x, "
        f"bit_or(marks) AS marks FROM {RECORDS} WHERE {who} IS NOT NULL GROUP BY {listed}, {who}"
    )
    # a group in one cell is dealt with like a record; who is in several cells comes out in full
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {SEVERAL} AS SELECT who FROM {MERGED} GROUP BY who HAVING count(*) > 1"
    )
    found = _ask(connection, f"SELECT {listed}, {_SUMS} FROM {RECORDS} GROUP BY {listed} ORDER BY {listed}")
    single = (
        f"SELECT {listed}, x, marks, who FROM {MERGED} WHERE who NOT IN (FROM {SEVERAL}) "
        f"UNION ALL SELECT {listed}, {amount}, marks, NULL FROM {RECORDS} WHERE {who} IS NULL"
    )
    lone = _ask(
        connection,
        f"SELECT {listed}, count(*) AS lone, min({{'x': -x, 'm': -marks, 'who': who}}, {keep}) AS listed "
        f"FROM ({single}) GROUP BY {listed} ORDER BY {listed}",
    )
    shared = _ask(connection, f"SELECT {listed}, who, x, marks FROM {MERGED} WHERE who IN (FROM {SEVERAL})")
    return _grouped(found, lone, shared, by)


def _grouped(found: Any, lone: Any, shared: Any, by: Sequence[str]) -> Leaves:
    """Finest cells from those who stand in one cell alone, listed, and those who stand in several."""
    place = _Places(found, by)
    owner, flat = _flattened(lone.column("listed"))
    parts = _fields(flat)
    number, people, size = _numbered_or_not(_joined(parts["who"], shared.column("who")))
    entries = Entries(
        np.concatenate((place.of(lone)[owner], place.of(shared))),
        number,
        np.concatenate((-_ints(parts["x"]), _ints(shared.column("x")))),
        None,
        np.concatenate((-_ints(parts["m"]), _ints(shared.column("marks")))).astype(np.uint8),
    )
    several = np.zeros(size, np.bool_)
    several[number[len(owner) :]] = True
    alone = np.zeros(len(found), np.int64)
    alone[place.of(lone)] = _ints(lone.column("lone"))
    return Leaves(found.select(list(by)), _sums(found), alone, entries, several, people)


def _numbered_or_not(names: Any) -> tuple[Ints, tuple[str, ...], int]:
    """Numbers in the order of the names, or any numbers where some have none; and how many there are."""
    if not names.null_count:
        number, people = numbered(names)
        return number, people, len(people)
    coded = (
        names.combine_chunks().dictionary_encode() if hasattr(names, "chunks") else names.dictionary_encode()
    )
    known = len(coded.dictionary)
    number = coded.indices.fill_null(-1).to_numpy().astype(np.int64)
    nameless = np.flatnonzero(number < 0)
    number[nameless] = known + np.arange(len(nameless))
    return number, (), known + len(nameless)


def holdings_of(connection: duckdb.DuckDBPyConnection, people: Sequence[str]) -> list[tuple[int, str]]:
    """The numbers of some contributors, each with the holdings that it belongs to."""
    import pyarrow as pa

    connection.register("people", pa.table({"number": range(len(people)), "who": list(people)}))
    query = (
        f"SELECT DISTINCT number, holding FROM {RECORDS} JOIN people USING (who) WHERE holding IS NOT NULL"
    )
    found: list[tuple[int, str]] = connection.execute(query).fetchall()
    return found


_SUMS = (
    "sum(v * times) AS value, sum(s * times) AS total, count(*) AS count, sum(times) AS heads, "
    "bit_or(marks) AS asked, CAST(bool_or(s < 0) AS BIGINT) AS negative"
)
NAMES = ("value", "total", "count", "heads", "asked", "negative")


def _sums(found: pa.Table) -> dict[str, Ints]:
    return {name: _ints(found.column(name)) for name in NAMES}


class _Places:
    """Where the cells of one answer stand in another that has them all."""

    def __init__(self, cells: pa.Table, by: Sequence[str]) -> None:
        import pyarrow as pa

        self.by = list(by)
        self.cells = cells.select(self.by).append_column("place", pa.array(np.arange(len(cells))))

    def of(self, some: pa.Table) -> Ints:
        """The place of each row."""
        import pyarrow as pa

        wanted = some.select(self.by).append_column("row", pa.array(np.arange(len(some))))
        if not self.by:
            return np.zeros(len(some), np.int64)
        found = wanted.join(self.cells, self.by)
        place = np.empty(len(some), np.int64)
        place[_ints(found.column("row"))] = _ints(found.column("place"))
        return place


def _ask(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    try:
        return connection.sql(query).to_arrow_table()
    except connection_error() as problem:
        if "range" in str(problem).lower() or "overflow" in str(problem).lower():
            raise InputError("A sum is beyond 2^63 - 1 units; declare a coarser unit.") from None
        raise


def _list(by: Sequence[str]) -> str:
    return ", ".join(by) or "()"


def _ints(column: Any) -> Ints:
    """A column of whole numbers, which must fit into 64 bits."""
    import pyarrow as pa

    try:
        held: Ints = column.cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        raise InputError("A sum is beyond 2^63 - 1 units; declare a coarser unit.") from None
    return held


def _flattened(lists: Any) -> tuple[Ints, Any]:
    """Entries of lists, and the list that each stands in."""
    import pyarrow.compute as pc

    whole = lists.combine_chunks()
    return pc.list_parent_indices(whole).to_numpy().astype(np.int64), pc.list_flatten(whole)


def _fields(structs: Any) -> dict[str, Any]:
    """A column a field."""
    import pyarrow.compute as pc

    return {field.name: pc.struct_field(structs, field.name) for field in structs.type}


def _joined(left: Any, right: Any) -> Any:
    import pyarrow as pa

    return pa.chunked_array([left, *right.chunks]) if len(right) else left


def numbered(names: Any) -> tuple[Ints, tuple[str, ...]]:
    """Numbers in the order of the names."""
    import pyarrow.compute as pc

    coded = names.dictionary_encode()
    coded = coded.combine_chunks() if hasattr(coded, "combine_chunks") else coded
    order = pc.sort_indices(coded.dictionary).to_numpy()
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[coded.indices.to_numpy()], tuple(coded.dictionary.take(order).to_pylist())
