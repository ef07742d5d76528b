"""Programs that show one side of a sensitive cell at the least price."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import Floats, Ints
from ...attack.harvest import harvest
from ...attack.programs import CheapestMoves
from ...attack.view import View
from ...engines.status import Status
from ...problem import Problem
from ...witnesses import Witnesses
from .cover import Side

if TYPE_CHECKING:
    from .pattern import Builder

TRIES = 3
"""Points with other prices that are tried when no exact witness comes out of one."""
SHALLOW = 1000.0
"""Moves smaller than the need by this factor count as that small when prices are set anew."""
NEARBY = 1500
"""Cells around a sensitive one that are looked at first, where the view is more than twice as large."""


class Stop(Exception):
    """The run was stopped or its work is used up."""


class Unprotected(Exception):
    """A side cannot be shown although everything is withheld."""

    def __init__(self, side: Side) -> None:
        self.side = side


class Stuck(Exception):
    """A solver failed, or no exact witness came out of its points."""


class Mover:
    """The cheapest moves within one room, at prices and with closed cells that change all the time.

    Large views are searched near the cell first. On request, the corner where a run ended is kept for
    the next run with the same target, which differs by some closed cells alone while prices stay.
    """

    def __init__(
        self,
        view: View,
        price: Floats,
        threads: int,
        stopped: Callable[[], bool],
        whole: bool,
        keeps_corners: bool,
    ) -> None:
        self.view = view
        self.prices = price
        self.settings = (threads, stopped, whole)
        self.closed = np.zeros(len(view), np.bool_)
        self.status = Status.OPTIMAL
        self.corners: dict[tuple[int, int, bytes], object] | None = {} if keeps_corners else None
        self._program: CheapestMoves | None = None

    def price(self, price: Floats) -> None:
        """Sets all prices."""
        changed = np.flatnonzero(price != self.prices)
        self.prices = price
        if self._program is not None:
            self._program.price(changed, price[changed])

    def close(self, places: Ints) -> None:
        """Some cells may not move any more."""
        self.closed[places] = True
        if self._program is not None:
            self._program.close(places)

    def open(self, places: Ints) -> None:
        """Some cells may move again."""
        self.closed[places] = False
        if self._program is not None:
            self._program.open(places)

    def moving(self, place: int, amount: int, secrets: Ints) -> Floats | None:
        """The cheapest moves that take one cell so far and leave some secret ones alone."""
        if len(self.view) > 2 * NEARBY:
            moves = self._nearby(place, amount, secrets)
            if moves is not None or self.status is Status.STOPPED:
                return moves
        program = self._whole()
        key = (place, amount, secrets.tobytes())
        program.close(secrets)
        moves = program.moving(place, amount, self.corners.get(key) if self.corners else None)
        program.open(secrets)
        if self.corners is not None and program.last is not None:
            self.corners[key] = program.last
        self.status = program.status
        return moves

    def _whole(self) -> CheapestMoves:
        if self._program is None:
            self._program = CheapestMoves(self.view, self.prices, *self.settings)
            self._program.close(np.flatnonzero(self.closed))
        return self._program

    def _nearby(self, place: int, amount: int, secrets: Ints) -> Floats | None:
        """The same with the cells near the one that moves; None says nothing of the others."""
        near = self.view.around(place, NEARBY)
        kept = ~self.closed
        kept[secrets] = False
        members = self.view.place[near.cells].astype(np.int64)
        members = members[kept[members]]
        part = self.view.part(members)
        program = CheapestMoves(part, self.prices[members], *self.settings)
        found = program.moving(int(np.searchsorted(members, place)), amount)
        self.status = program.status
        if found is None:
            return None
        moves = np.zeros(len(self.view))
        moves[members] = found
        return moves


class Programs:
    """The programs over one view, one for each side: its mirror image shows the other where it is possible.

    While prices stay, a run that differs from an earlier one for the same side by some closed cells alone
    starts best from where that ended: such corners are kept on request.
    """

    def __init__(self, builder: Builder, view: View, price: Floats, keeps_corners: bool = False) -> None:
        self.builder = builder
        self.view = view
        self.prices = price
        self.is_sure = True
        threads, stopped = builder.limits.threads or 1, builder.watch.stopped
        self.mover = Mover(view, price, threads, stopped, builder.problem.whole, keeps_corners)

    def price(self, price: Floats) -> None:
        """Sets all prices."""
        self.prices = price
        self.mover.price(price)

    def free(self, places: Ints) -> None:
        """Some cells cost nothing from now on."""
        price = self.prices.copy()
        price[places] = 0.0
        self.price(price)

    def close(self, places: Ints) -> None:
        """Some cells may not move any more."""
        self.mover.close(places)

    def open(self, places: Ints) -> None:
        """Some cells may move again."""
        self.mover.open(places)

    def showing(
        self, side: Side, against: frozenset[int] | None, more: int, must: bool = True
    ) -> Iterable[tuple[Witnesses, Floats]]:
        """Exact witnesses for a side with their moves; up to `more` others after the caller set new prices.

        They convince all insiders where that is possible, else one of those against whom nothing was
        shown yet. Where nothing can be shown at all, the cell is unprotected, if it `must` be shown.
        """
        self.is_sure = True
        for secrets in self._secrets(side, against):
            moves = self._run(side, secrets)
            if moves is None:
                continue
            found = self._exact(side, secrets, moves)
            if found is None:
                return
            yield found, moves
            for _ in range(more):
                moves = self._run(side, secrets)
                found = None if moves is None else self._harvest(side, moves)
                if found is None or moves is None:
                    return
                yield found, moves
            return
        if must:
            # an insider who knows his own share may be owed less on this side than everybody
            owed_less = bool(against) and not side[1]
            raise Unprotected(side) if self.is_sure and not owed_less else Stuck

    def _secrets(self, side: Side, against: frozenset[int] | None) -> list[Ints]:
        """Cells to stay away from: what all insiders know, what one of them knows, or none."""
        lone = self.builder.lone
        if not lone:
            return [np.zeros(0, np.int64)]
        everybody = self._known(side, frozenset(lone.values()))
        if against is None:
            return [everybody, np.zeros(0, np.int64)]
        return [self._known(side, against), *(self._known(side, frozenset([who])) for who in sorted(against))]

    def _known(self, side: Side, who: frozenset[int]) -> Ints:
        lone = self.builder.lone
        owner = lone.get(side[0], -1)
        cells = np.array([c for c, w in lone.items() if w in who and w != owner], np.int64)
        places = self.view.place[cells].astype(np.int64)
        return places[(places >= 0) & ~self.mover.closed[places]]

    def _run(self, side: Side, secrets: Ints) -> Floats | None:
        """The cheapest moves that show a side; None where there are none, or none were found."""
        builder = self.builder
        used_up = builder.limits.work is not None and builder.work >= builder.limits.work
        if used_up or builder.watch.stopped():
            raise Stop
        cell, up = side
        need = int(builder.goals[1 if up else 0][cell])
        moves = self.mover.moving(int(self.view.place[cell]), need if up else -need, secrets)
        if self.mover.status is Status.STOPPED:
            raise Stop
        builder.work += 1
        self.is_sure &= self.mover.status in (Status.OPTIMAL, Status.INFEASIBLE)
        return moves

    def _exact(self, side: Side, secrets: Ints, moves: Floats) -> Witnesses | None:
        """Exact witnesses in these moves, or in those of slightly other prices."""
        found = self._harvest(side, moves)
        for _ in range(TRIES):
            if found is not None:
                break
            usual = self.prices
            self.price(usual * (1.0 + self.builder.random.random(len(usual))))
            other = self._run(side, secrets)
            self.price(usual)
            found = None if other is None else self._harvest(side, other)
        return found

    def _harvest(self, side: Side, moves: Floats) -> Witnesses | None:
        problem = self.builder.problem
        wanted = np.zeros(problem.size, np.bool_)
        wanted[side[0]] = True
        found = harvest(self.view, moves, problem.whole, wanted)
        return found if (found.cell == side[0]).any() else None


def unit_prices(problem: Problem, view: View) -> Floats:
    """What a unit of each cell costs: its weight, or a little where that is nothing."""
    weight = problem.weight[view.cells]
    positive = weight[weight > 0]
    least = float(positive.min()) / SHALLOW if len(positive) else 1.0
    return np.maximum(weight, least)
