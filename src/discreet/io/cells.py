"""Tables given cell by cell, a row each: long CSV and Parquet files, and dataframes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, get_args

import numpy as np

from ..arrays import Floats, Ints, Mask
from ..errors import InputError, suggest
from ..problem import WEIGHTS, Known, Problem, Role, bounds_within, refuse_band
from ..structure import Structure
from ..table import OnDiscrepancy, Table, fill
from ..table import Rows as ShownRows
from ..units import Unit
from .equations import read_equations
from .files import in_file
from .layout import Layout
from .merging import Grouping, combined_key
from .numbers import as_unit
from .parts import Parts
from .rows import Rows
from .sources import open_source
from .spanning import Spanning, Tree
from .totals import computed, with_totals

COLUMN = "column"
TotalsMissing = Literal["refuse", "compute"]
CHOICES: Mapping[str, Sequence[str]] = {
    "weight": (*WEIGHTS, COLUMN),
    "on_discrepancy": get_args(OnDiscrepancy),
    "totals_missing": get_args(TotalsMissing),
    "decimal": (".", ","),
}


class CellOptions(TypedDict, total=False):
    """How the columns of a file of cells are to be understood.

    `by` names the dimensions (else: every column that plays no other part), `value` the column of values
    and `columns` any other part under another name (`{"status": "flag"}`). `hierarchies` gives each
    dimension a tree, a file of one, or several groupings; `totals` the code of its total. `equations` is
    a file of equations between the cells, named in a column `cell`, instead of dimensions. `unit` is the
    smallest step of the values. `weight` is value, one, log, frequency or column. `known` says within
    how many percent below and above everybody knows each value. `whole` says that they know that values
    are whole units. `totals_missing` may be compute, `on_discrepancy` recompute or carry.
    """

    by: Sequence[str] | None
    value: str | None
    columns: Mapping[str, str]
    hierarchies: Mapping[str, Tree | Sequence[Tree]]
    totals: Mapping[str, str]
    equations: str | Path | None
    unit: Unit | str | int | Decimal | None
    weight: str | None
    known: Known
    whole: bool
    on_discrepancy: OnDiscrepancy
    totals_missing: TotalsMissing
    delimiter: str | None
    decimal: str | None


def read_cells(path: str | Path, **options: Unpack[CellOptions]) -> Problem:
    """The problem in a long CSV or Parquet file, a row a cell."""
    return read_linked([path], **options)


def from_frame(frame: Any, **options: Unpack[CellOptions]) -> Problem:
    """The problem in a dataframe (pandas, polars, pyarrow, duckdb, …), a row a cell."""
    return read_linked([frame], **options)


def read_linked(tables: Sequence[Any], **options: Unpack[CellOptions]) -> Problem:
    """Several tables, files or dataframes, as one: cells with the same codes are one cell and must agree.

    A table that lacks a dimension of the others is at its total.
    """
    _refuse_strange(options)
    if isinstance(tables, str | Path):
        tables = [tables]
    sources = tuple(open_source(table, options.get("delimiter"), options.get("decimal")) for table in tables)
    if not sources:
        raise InputError("Expected at least one table, got none.")
    columns = dict(options.get("columns") or {})
    if options.get("value"):
        columns["value"] = str(options["value"])
    by_cell = options.get("equations") is not None
    titles = {title for source in sources for title in source.titles}
    layouts = tuple(Layout.of(source, options.get("by"), columns, by_cell, titles) for source in sources)
    rows = Rows(sources, layouts)
    unit = as_unit(options.get("unit")) or rows.numbers("value").finest()
    cells = _named_cells(rows, options) if by_cell else _spanned_cells(rows, options)
    parts = Parts.of(cells.grouping, unit)
    with in_file(rows.file):
        return _problem(cells, parts, unit, options)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells that rows show; the structure of those in the rows and of `made` further totals."""

    grouping: Grouping
    structure: Structure
    made: int = 0
    shown: ShownRows | None = None


def _named_cells(rows: Rows, options: CellOptions) -> _Cells:
    coded = rows.words("cell").dictionary_encode()
    names: list[str] = coded.dictionary.to_pylist()
    key = coded.indices.to_numpy().astype(np.int64)
    grouping = Grouping.of(rows, key, lambda row: names[int(key[row])])
    if "" in names:
        row = int(np.flatnonzero(key == names.index(""))[0])
        raise InputError(f"{rows.where(row)}: a cell without a name in the column '{rows.title('cell')}'.")
    grouping.refuse_repeats(key)
    identity = [names[place] for place in key[grouping.first].tolist()]
    return _Cells(grouping, read_equations(str(options["equations"]), identity))


def _spanned_cells(rows: Rows, options: CellOptions) -> _Cells:
    compute = options.get("totals_missing") == "compute"
    hierarchies, totals = options.get("hierarchies") or {}, options.get("totals") or {}
    named = frozenset((*(options.get("by") or ()), *hierarchies, *totals))
    spanning = Spanning(hierarchies, totals, named, compute)
    spanning.refuse_strangers(rows.by)
    found = [spanning.dimension(name, rows.codes(name), rows.file, rows.where) for name in rows.by]
    dimensions = tuple(dimension for dimension, _ in found)
    code = np.stack([places for _, places in found], axis=1)
    sizes = [len(dimension) for dimension in dimensions]

    def name(row: int) -> str:
        return ", ".join(f"{d.name}={d.code[c]}" for d, c in zip(dimensions, code[row], strict=True))

    meaning = np.stack([d.meaning[code[:, at]] for at, d in enumerate(dimensions)], axis=1)
    grouping = Grouping.of(rows, combined_key(meaning, sizes), name)
    given = combined_key(code, sizes)
    grouping.refuse_repeats(given)
    first = np.sort(np.unique(given, return_index=True)[1])
    cell_code = meaning[grouping.first]
    with in_file(rows.file):
        whole = with_totals(dimensions, cell_code) if compute else cell_code
        structure = Structure.from_dimensions(dimensions, whole)
    made = np.arange(len(cell_code), len(whole))
    shown = ShownRows(
        np.concatenate((code[first], whole[made])),
        np.concatenate((grouping.cell[first], made)).astype(np.int32),
    )
    return _Cells(grouping, structure, len(made), shown)


def _problem(cells: _Cells, parts: Parts, unit: Unit, options: CellOptions) -> Problem:
    structure = cells.structure
    if cells.made:
        parts = parts.with_more(cells.made)
        parts = computed(structure, parts, np.arange(structure.size) >= structure.size - cells.made)
    table = fill(
        structure,
        parts.value,
        options.get("on_discrepancy", "refuse"),
        unit=unit,
        frequency=parts.frequency,
        contribution=parts.contribution,
        contributor=parts.contributor,
        contributors=parts.contributors,
        rows=cells.shown,
        measure=cells.grouping.rows.measure,
    )
    role = parts.roles()
    decided = role == Role.SENSITIVE
    filled = (role == Role.EMPTY) & (table.value != 0)
    if filled.any():
        names = structure.names(np.flatnonzero(filled))
        raise InputError(
            f"Empty cells have a value once totals are recomputed: {names}. Correct their status."
        )
    lower, upper = _bounds(table, parts, options.get("known"))
    return Problem.of(
        table,
        role=role,
        need_below=_asked(parts, "lpl", decided),
        need_above=_asked(parts, "upl", decided),
        need_sliding=_asked(parts, "spl", decided),
        lower=lower,
        upper=upper,
        weight=_weight(parts, options.get("weight")),
        whole=options.get("whole", False),
    )


def _asked(parts: Parts, level: str, decided: Mask) -> Ints | None:
    held = parts.level.get(level)
    return None if held is None else np.where(decided, held, 0)


def _bounds(table: Table, parts: Parts, known: Known) -> tuple[Ints, Ints]:
    """What is said of a cell, else what is known of it otherwise."""
    bounds = dict(zip(("lower", "upper"), bounds_within(table.value, known), strict=True))
    for part, (held, given) in parts.bound.items():
        bounds[part] = np.where(given, held, bounds[part])
    return bounds["lower"], bounds["upper"]


def _weight(parts: Parts, kind: str | None) -> Floats | str:
    if kind is None:
        kind = "value" if parts.weight is None else COLUMN
    if kind != COLUMN:
        return kind
    if parts.weight is None:
        raise InputError("no column 'weight', expected one for weights of that kind.")
    return parts.weight


def _refuse_strange(options: CellOptions) -> None:
    for name in options:
        if name not in CellOptions.__annotations__:
            raise InputError(f"Unknown option '{name}'. {suggest(name, CellOptions.__annotations__)}")
    for name, choices in CHOICES.items():
        held = options.get(name)
        if held is not None and held not in choices:
            raise InputError(f"Unknown {name} '{held}'. {suggest(str(held), choices)}")
    refuse_band(options.get("known"))
    if options.get("equations") is not None and options.get("totals_missing") == "compute":
        raise InputError("Totals are computed in tables with dimensions only. Add them to the cells.")
