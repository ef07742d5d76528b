"""A released table in a JJ file, held against the table it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import Bytes, Ints, Mask, segments
from ..errors import InputError
from ..problem import Problem
from ..structure import Structure
from .jj import equations_of
from .jj_text import JJText, parse_jj
from .jj_writing import jj_ids
from .numbers import Decimals


@dataclass(frozen=True, eq=False)
class ReleasedJJ:
    """The values of a released table, cell by cell of the original, and the status of each."""

    path: str
    value: Ints
    status: Bytes | None

    def withheld(self) -> Mask:
        """Cells that are sensitive, or were withheld to protect them."""
        if self.status is None:
            raise InputError(f"{self.path} has no status column, so that it does not say what is withheld.")
        return np.asarray((self.status == ord("u")) | (self.status == ord("m")))


def read_released_jj(problem: Problem, path: str | Path) -> ReleasedJJ:
    """The values in a JJ file, which must have the cells and the equations of a problem."""
    text = parse_jj(path)
    _refuse_other_cells(text, problem)
    _refuse_other_equations(text, problem)
    value = Decimals.of(text.columns["value"]).units(problem.table.unit)
    return ReleasedJJ(str(path), value, text.status)


def _refuse_other_cells(text: JJText, problem: Problem) -> None:
    ids = jj_ids(problem.table.structure)
    if text.size != len(ids):
        raise InputError(f"{text.path} has {text.size} cells, expected {len(ids)} as in the table.")
    strange = np.flatnonzero(text.identity != ids)
    if len(strange):
        found = text.identity[strange[0]]
        raise InputError(f"{text.path} has the cell {found}, expected {ids[strange[0]]} as in the table.")


def _refuse_other_equations(text: JJText, problem: Problem) -> None:
    """Both sets of equations are put into one order before they are compared, entry by entry."""
    theirs, constant = equations_of(text, problem.table.unit)
    ours = problem.table.structure
    if theirs.equations != ours.equations:
        raise InputError(
            f"{text.path} has {theirs.equations} equations, expected {ours.equations} as in the table."
        )
    left, right = _ordered(theirs, constant), _ordered(ours, problem.table.constant)
    if len(left[1]) != len(right[1]) or any((a != b).any() for a, b in zip(left, right, strict=True)):
        raise InputError(f"{text.path} has other equations than the table. Are the two of the same table?")


def _ordered(structure: Structure, constant: Ints | None) -> tuple[Ints, Ints, Ints, Ints]:
    """Lengths and constants, cells and coefficients of all equations, in an order of their content alone."""
    side = np.zeros(structure.equations, np.int64) if constant is None else constant
    mark = np.random.default_rng(0).integers(1, 2**62, structure.size + 1)
    with np.errstate(over="ignore"):
        content = structure.coefficient * mark[structure.cell]
        key = (np.add.reduceat(content, structure.start[:-1]) if len(content) else side) + side * mark[-1]
    order = np.argsort(key, kind="stable")
    entry, length = segments(structure.start, order)
    row = np.repeat(np.arange(len(order)), length)
    entry = entry[np.lexsort((structure.cell[entry], row))]
    return length, side[order], structure.cell[entry].astype(np.int64), structure.coefficient[entry]
