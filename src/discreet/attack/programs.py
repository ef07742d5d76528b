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

DECIDED = (Status.OPTIMAL, Status.INFEASIBLE, Status.STOPPED)
PATH = 64.0
"""Price of the units that other cells move, against which a wanted unit counts: one in so many."""


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


def pushed_moves(
    view: View, goal: Ints, up: Mask, threads: int, stopped: Callable[[], bool]
) -> Floats | None:
    """Moves of all cells with a goal at once, as far towards it as possible, few others moving."""
    from scipy.sparse import diags, hstack

    from ..engines.linear import LinearProgram

    place = np.flatnonzero(goal > 0)
    wanted = goal[place].astype(np.float64)
    sign = np.where(up[place], 1.0, -1.0)
    room_up, room_down = as_bounds(view.high), -as_bounds(view.low)
    wanted = np.minimum(wanted, np.where(up[place], room_up[place], room_down[place]))
    room_up[place] -= np.where(up[place], wanted, 0.0)
    room_down[place] -= np.where(up[place], 0.0, wanted)
    matrix = view.matrix.astype(np.float64)
    # who moves the other way must not earn by being pushed back
    price = np.full(2 * len(view), 1 / PATH)
    price[np.where(up[place], place + len(view), place)] += 1.0
    program = LinearProgram(
        hstack([matrix, -matrix, matrix[:, place] @ diags(sign)]).tocsc(),
        np.zeros(2 * len(view) + len(place)),
        np.concatenate([room_up, room_down, wanted]),
        np.concatenate([price, np.full(len(place), -1.0)]),
        threads=threads,
    )
    point = program.solve(stopped)
    if point.status is not Status.OPTIMAL:
        return None
    moves: Floats = point.value[: len(view)] - point.value[len(view) : 2 * len(view)]
    moves[place] += sign * point.value[2 * len(view) :]
    return moves


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
