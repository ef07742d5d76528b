"""Short circuits: a cell moves, and a few others in its equations make up for it, by the same amount.

Most protection in a table comes from little cycles of cells (rectangles, cubes and what hierarchies make
of them). They are found by walking: an equation that is out of balance is mended by the one of its cells
that mends most other equations with it. No program is solved, and what comes out is whole.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Ints, Mask, readonly
from ..witnesses import Witnesses
from .view import View

STEPS = 48
"""Cells in a circuit, at the most."""


def walk_circuits(
    view: View, below: Ints, above: Ints, seed: int, tries: int, within: Mask | None = None
) -> Witnesses:
    """Witnesses that take cells of a view (by place) as far below and above as asked, where walks find any.

    `tries` is how often a walk starts from each cell to each side. Only cells `within` move.
    """
    from .kernels import walk

    equations = tuple(readonly(a) for a in (view.start, view.cell, view.coefficient))
    by_cell = tuple(readonly(a) for a in view.by_cell)
    low, high = view.low, view.high
    if within is not None:
        low, high = np.where(within, low, 0), np.where(within, high, 0)
    room = readonly(low), readonly(high)
    ends, cell, move = walk(
        equations, by_cell, *room, np.array(below), np.array(above), seed, tries, STEPS, view.limit
    )
    return Witnesses(ends, view.cells[cell], move, np.ones(len(ends) - 1, np.int64))
