"""The lines of a JJ file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Bytes, Ints, segments
from ..problem import Problem, Role
from ..release import Release
from ..structure import Structure
from ..table import Table
from .amounts import bounds, plain_amounts, plain_floats

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 500_000
"""Lines of cells, and entries of equations, that are written in one go."""


def jj_ids(structure: Structure) -> Ints:
    """The number that each cell goes by in a JJ file: its own where all have one, in rising order."""
    own = structure.identity
    if own is not None and all(name.isascii() and name.isdigit() and len(name) < 19 for name in own):
        numbers = np.array([int(name) for name in own], np.int64)
        if (np.diff(numbers) > 0).all():
            return numbers
    return np.arange(structure.size, dtype=np.int64)


def cell_lines(problem: Problem, release: Release | None) -> Iterator[memoryview]:
    """A line a cell; values that a release changed, and `m` for what it withholds besides sensitive cells."""
    import pyarrow as pa

    unit = problem.table.unit
    value = problem.table.value
    withheld = np.zeros(problem.size, np.bool_)
    if release is not None:
        withheld = release.withheld
        value = np.where(withheld, value, release.shown)
    letter = np.array([ord(c) for c in "suzz"], np.uint8)[problem.role]
    letter[withheld & (problem.role != Role.SENSITIVE)] = ord("m")
    ids = jj_ids(problem.table.structure)
    for begin in range(0, problem.size, AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        yield _lines(
            pa.array(ids[part]).cast(pa.string()),
            plain_amounts(value[part], unit),
            plain_floats(problem.weight[part]),
            _characters(letter[part]),
            bounds(problem.lower[part], unit),
            bounds(problem.upper[part], unit),
            plain_amounts(problem.need_below[part], unit),
            plain_amounts(problem.need_above[part], unit),
            plain_amounts(problem.need_sliding[part], unit),
        )


def equation_lines(table: Table) -> Iterator[memoryview]:
    """A line an equation, its total first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    structure = table.structure
    constant = np.zeros(structure.equations, np.int64) if table.constant is None else table.constant
    ids = jj_ids(structure)
    cuts = np.unique(np.searchsorted(structure.start, np.arange(0, len(structure.cell) + 1, AT_ONCE)))
    cuts = np.unique(np.concatenate((cuts, [0, structure.equations])))
    for begin, end in pairwise(cuts.tolist()):
        rows = np.arange(begin, end)
        entry, length = segments(structure.start, rows)
        entry = _total_first(structure, entry)
        coefficient = pa.array(structure.coefficient[entry]).cast(pa.string())
        bracketed = pc.binary_join_element_wise(
            pa.array(ids[structure.cell[entry]]).cast(pa.string()),
            pc.binary_join_element_wise("(", coefficient, ")", ""),
            " ",
        )
        offset = pa.array(np.append(0, np.cumsum(length)).astype(np.int32))
        yield _lines(
            plain_amounts(constant[rows], table.unit),
            pa.array(length).cast(pa.string()),
            pc.binary_join_element_wise(
                ":", pc.binary_join(pa.ListArray.from_arrays(offset, bracketed), " "), " "
            ),
        )


def _total_first(structure: Structure, entry: Ints) -> Ints:
    row = structure.row[entry].astype(np.int64)
    order = np.argsort(2 * row + (structure.cell[entry] != structure.total[row]), kind="stable")
    return entry[order]


def _characters(letter: Bytes) -> pa.StringArray:
    import pyarrow as pa

    offset = np.arange(len(letter) + 1, dtype=np.int32)
    return pa.StringArray.from_buffers(len(letter), pa.py_buffer(offset), pa.py_buffer(letter.tobytes()))


def _lines(*columns: pa.StringArray) -> memoryview:
    """Columns side by side, as the bytes of lines: an Arrow array of texts is one run of bytes already."""
    import pyarrow.compute as pc

    joined = pc.binary_join_element_wise(pc.binary_join_element_wise(*columns, " "), "", "\n")
    _, offset, data = joined.buffers()
    ends = np.frombuffer(offset, np.int32)[joined.offset : joined.offset + len(joined) + 1]
    return memoryview(data)[int(ends[0]) : int(ends[-1])]
