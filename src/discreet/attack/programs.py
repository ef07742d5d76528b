"""Linear programs over the moves of a view, each move split into a part up and a part down."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Floats, Ints, Mask
from ..engines.status import Status
from ..units import INFINITE
from .view import View

if TYPE_CHECKING:
    from ..engines.linear import LinearProgram

INSIDE_FROM = 300
"""Equations from which on joint programs are solved sooner through the interior than over corners."""
DECIDED = (Status.OPTIMAL, Status.INFEASIBLE, Status.STOPPED)


def as_bounds(bound: Ints) -> Floats:
    """Whole bounds as a solver takes them."""
    result = bound.astype(np.float64)
    result[bound == INFINITE] = np.inf
    result[bound == -INFINITE] = -np.inf
    return result


class CheapestMoves:
    """The cheapest moves that take one cell to a given place; cheap moves touch few cells.

    The program stays; each run starts afresh, which measured ten times faster than going on from the
    last corner, unless the caller knows a corner of nearly the same run. `status` tells how the last
    run ended.
    """

    def __init__(
        self,
        view: View,
        price: Floats,
        threads: int,
        stopped: Callable[[], bool],
        whole: bool = False,
    ) -> None:
        from scipy.sparse import hstack

        from ..engines.linear import LinearProgram

        self.size = len(view)
        self.stopped = stopped
        self.status = Status.OPTIMAL
        self.last: object = None
        self.room = np.concatenate([as_bounds(view.high), -as_bounds(view.low)])
        self.program: LinearProgram = LinearProgram(
            hstack([view.matrix, -view.matrix]).tocsc(),
            np.zeros(2 * self.size),
            self.room,
            np.concatenate([price, price]),
            threads=threads,
            whole=whole,
        )

    def price(self, places: Ints, price: Floats) -> None:
        """Changes what a unit of some cells costs."""
        column = np.concatenate([places, places + self.size]).astype(np.int32)
        self.program.price(column, np.concatenate([price, price]))

    def close(self, places: Ints) -> None:
        """Some cells may not move any more."""
        self._bound(places, np.zeros(2 * len(places)))

    def open(self, places: Ints) -> None:
        """Some cells may move again."""
        self._bound(places, self.room[np.concatenate([places, places + self.size])])

    def _bound(self, places: Ints, room: Floats) -> None:
        column = np.concatenate([places, places + self.size]).astype(np.int32)
        self.program.bound(column, np.zeros(len(column)), room)

    def moving(self, place: int, amount: float, corner: object = None) -> Floats | None:
        """The cheapest moves with one cell moving exactly so far; None where none were found."""
        column = np.array([place, place + self.size], np.int32)
        fixed = np.array([max(amount, 0), max(-amount, 0)], np.float64)
        self.program.bound(column, fixed, fixed)
        self.program.restart(corner)
        point = self.program.solve_patiently(self.stopped)
        if corner is not None and point.status not in DECIDED:
            self.program.restart()
            point = self.program.solve_patiently(self.stopped)
        self.status = point.status
        self.last = self.program.corner if point.status is Status.OPTIMAL else None
        self.program.bound(column, np.zeros(2), self.room[column])
        if point.status is not Status.OPTIMAL:
            return None
        moves: Floats = point.value[: self.size] - point.value[self.size :]
        return moves


class PushedMoves:
    """Moves of many cells at once, each as far as wanted if possible, by one program again and again."""

    def __init__(self, view: View, threads: int, stopped: Callable[[], bool]) -> None:
        from ..engines.linear import LinearProgram

        self.stopped = stopped
        self.is_large = view.rows > INSIDE_FROM
        self.low, self.high = as_bounds(view.low), as_bounds(view.high)
        self.column = np.arange(len(view), dtype=np.int32)
        nothing = np.zeros(len(view))
        self.program: LinearProgram = LinearProgram(
            view.matrix, self.low, self.high, nothing, threads=threads
        )

    def moving(self, goal: Ints, up: Mask) -> Floats | None:
        """Moves that come nearest to all goals; each goal counts as one, however far it is."""
        wanted = goal > 0
        far = np.where(wanted, goal, np.inf)
        high = np.where(up, np.minimum(self.high, far), self.high)
        low = np.where(up, self.low, np.maximum(self.low, -far))
        self.program.bound(self.column, low, high)
        price = np.where(wanted, np.where(up, -1.0, 1.0) / far, 0.0)
        self.program.price(self.column, price * np.median(goal[wanted]))
        solve = self.program.solve_inside if self.is_large else self.program.solve_patiently
        point = solve(self.stopped)
        return point.value if point.status is Status.OPTIMAL else None


class Furthest:
    """How far single cells of a view can move at most."""

    def __init__(self, view: View, whole: bool, threads: int, stopped: Callable[[], bool]) -> None:
        from ..engines.linear import LinearProgram

        self.size = len(view)
        self.stopped = stopped
        self.status = Status.OPTIMAL
        self.program: LinearProgram = LinearProgram(
            view.matrix,
            as_bounds(view.low),
            as_bounds(view.high),
            np.zeros(self.size),
            threads=threads,
            whole=whole,
        )

    def moving(self, place: int, up: bool) -> Floats | None:
        """Moves that take one cell as far as possible; None when endless or not found (see `status`)."""
        column = np.array([place], np.int32)
        self.program.price(column, np.array([-1.0 if up else 1.0]))
        point = self.program.solve(self.stopped)
        self.program.price(column, np.zeros(1))
        self.status = point.status
        return point.value if point.status is Status.OPTIMAL else None
