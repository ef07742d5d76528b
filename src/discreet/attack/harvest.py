"""From a solver's floating point to exact witnesses."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Ints, Mask, readonly
from ..engines.tolerances import NOTHING, WHOLE
from ..witnesses import Witnesses
from .exact import corner, rounded
from .view import View


def harvest(
    view: View, point: Floats, whole: bool = False, wanted: Mask | None = None, *, faithful: bool = False
) -> Witnesses:
    """Exact witnesses in a solver's point, one for each connected part of what it moves.

    Parts that no small denominator balances are solved exactly where they move a `wanted` cell. Unless
    asked to be `faithful`, a witness may be rounded to any other possible table near the point.
    """
    from .kernels import components

    start, row, _ = view.by_cell
    support = np.flatnonzero(np.abs(point) > NOTHING)
    part, member = components(readonly(start), readonly(row), view.rows, readonly(support))
    nothing = np.zeros(view.rows, np.int64)
    move, denominator = rounded(
        view, part, member, point, nothing, WHOLE, anyhow=not faithful, only_whole=whole
    )
    found = Witnesses(part, view.cells[member], move, denominator)
    failed = np.flatnonzero(denominator == 0)
    if not len(failed):
        return found
    found = found.take(np.flatnonzero(denominator > 0))
    return found if whole else Witnesses.joined([found, *_corners(view, point, part, member, failed, wanted)])


def _corners(
    view: View, point: Floats, part: Ints, member: Ints, failed: Ints, wanted: Mask | None
) -> list[Witnesses]:
    found = []
    for p in failed:
        cells = member[part[p] : part[p + 1]]
        if wanted is not None and not wanted[view.cells[cells]].any():
            continue
        solved = corner(view, cells, point)
        if solved is not None:
            ends = np.array([0, len(cells)], np.int64)
            found.append(Witnesses(ends, view.cells[cells], solved[0], np.array([solved[1]], np.int64)))
    return found
