"""Unpicking: what each equation alone gives away, again and again (Serpell et al., section 3.4)."""

from __future__ import annotations

from ..arrays import Ints, readonly
from .view import View

ROUNDS = 50


def propagate(view: View) -> tuple[Ints, Ints]:
    """Outer bounds on every free cell's move: no possible table lies outside them."""
    from .kernels import tighten

    low, high = view.low.copy(), view.high.copy()
    if view.rows:
        start, row, _ = view.by_cell
        fixed = (view.start, view.cell, view.coefficient, start, row)
        tighten(*(readonly(a) for a in fixed), low, high, ROUNDS, view.limit)
    return low, high
