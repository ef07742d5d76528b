"""The part of a table that can still move: free cells and the equations between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Frozen, Indices, Ints, Mask, readonly, sealed
from ..freedom import Freedom
from ..witnesses import SAFE

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

MOST = 2**50
"""Bounds beyond this count as none."""


@dataclass(frozen=True, eq=False)
class View(Frozen):
    """Free cells, numbered anew, and what is left of the equations; `place[c]` is -1 for known cells.

    `needed` marks the equations that do not follow from others: programs do with these alone.
    """

    cells: Indices
    place: Indices
    start: Ints
    cell: Indices
    coefficient: Ints
    needed: Mask
    low: Ints
    high: Ints

    @classmethod
    def of(cls, freedom: Freedom) -> View:
        """What a reader can imagine to move."""
        structure = freedom.structure
        free = freedom.free
        cells = np.flatnonzero(free).astype(np.int32)
        place = np.full(structure.size, -1, np.int32)
        place[cells] = np.arange(len(cells), dtype=np.int32)
        kept = free[structure.cell]
        length = np.bincount(structure.row[kept], minlength=structure.equations)
        start = np.concatenate(([0], np.cumsum(length[length > 0]))).astype(np.int64)
        return cls(
            cells,
            place,
            start,
            place[structure.cell[kept]],
            structure.coefficient[kept],
            ~structure.redundant[length > 0],
            freedom.low[cells],
            freedom.high[cells],
        )

    @property
    def rows(self) -> int:
        """How many equations have a free cell."""
        return len(self.start) - 1

    @cached_property
    def limit(self) -> int:
        """Moves below this can be added up in every equation without leaving 64 bits."""
        largest = int(np.abs(self.coefficient).max(initial=1))
        longest = int(np.diff(self.start).max(initial=1))
        return min(MOST, SAFE // (2 * largest * longest))

    @cached_property
    def equations(self) -> csc_matrix[np.int64]:
        """All equations, a column a free cell."""
        from scipy.sparse import csr_matrix

        shape = (self.rows, len(self.cells))
        return csr_matrix((self.coefficient, self.cell, self.start), shape=shape).tocsc()

    @cached_property
    def matrix(self) -> csc_matrix[np.int64]:
        """The needed equations, a column a free cell."""
        return self.equations.tocsr()[self.needed].tocsc()

    @cached_property
    def by_cell(self) -> tuple[Ints, Indices, Ints]:
        """Start, equation and coefficient of every entry, ordered by cell."""
        turned = self.equations
        return (
            sealed(turned.indptr.astype(np.int64)),
            sealed(turned.indices.astype(np.int32)),
            sealed(turned.data.astype(np.int64)),
        )

    def __len__(self) -> int:
        return len(self.cells)

    def around(self, place: int, most: int) -> View:
        """The same view with only the cells nearest to one, whole layers of them; all others stand still."""
        from .kernels import nearest

        start, row, _ = self.by_cell
        fixed = (readonly(a) for a in (self.start, self.cell, start, row))
        return self.part(np.sort(nearest(*fixed, place, most)))

    def part(self, members: Ints) -> View:
        """The same view with only some of its free cells."""
        rows = self.equations[:, members].tocsr()
        length = np.diff(rows.indptr)
        place = np.full(len(self.place), -1, np.int32)
        cells = self.cells[members]
        place[cells] = np.arange(len(members), dtype=np.int32)
        return View(
            cells,
            place,
            np.concatenate(([0], np.cumsum(length[length > 0]))).astype(np.int64),
            rows.indices.astype(np.int32),
            rows.data.astype(np.int64),
            self.needed[length > 0],
            self.low[members],
            self.high[members],
        )

    def tightened(self, knowing: Freedom) -> View:
        """The same view for somebody who knows more."""
        return replace(self, low=knowing.low[self.cells], high=knowing.high[self.cells])
