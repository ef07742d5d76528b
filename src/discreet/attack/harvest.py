"""From a solver's floating point to exact witnesses."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Ints, Mask, readonly
from ..engines.tolerances import NOTHING, WHOLE
from ..witnesses import Witnesses
from .view import View

DENOMINATORS = np.array([1, 2, 3, 4, 6, 5, 8, 10, 12, 20, 24, 30, 60, 120, 720], np.int64)
ONE = np.array([1], np.int64)


ANYHOW = 0.5


def harvest(
    view: View, point: Floats, whole: bool = False, wanted: Mask | None = None, *, faithful: bool = False
) -> Witnesses:
    """Exact witnesses in a solver's point, one for each connected part of what it moves.

    Parts that no small denominator balances are solved exactly where they move a `wanted` cell. Unless
    asked to be `faithful`, a witness may be rounded to any other possible table near the point.
    """
    from .kernels import components, rationals

    start, row, coefficient = (readonly(a) for a in view.by_cell)
    support = np.flatnonzero(np.abs(point) > NOTHING)
    part, member = components(start, row, view.rows, readonly(support))
    move, denominator = rationals(
        start,
        row,
        coefficient,
        view.rows,
        readonly(view.low),
        readonly(view.high),
        readonly(part),
        readonly(member),
        readonly(point),
        readonly(ONE if whole else DENOMINATORS),
        WHOLE if faithful else ANYHOW,
        view.limit,
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
    from .exact import corner

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
