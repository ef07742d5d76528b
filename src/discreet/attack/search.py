"""Looks for possible tables that lie beyond the protection ranges: many cells at once, then one by one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ..arrays import Floats, Ints, Mask
from ..engines.status import Status
from ..engines.tolerances import WHOLE
from ..freedom import Freedom
from ..limits import Unwatched, Watch
from ..units import INFINITE
from ..witnesses import Shifts, Sound, Witnesses, shifts, within
from .circuits import walk_circuits
from .harvest import harvest
from .programs import CheapestMoves, Furthest, PushedMoves
from .propagation import propagate
from .view import View

WALKS_FROM = 2
"""Walks from each wanted cell to each side in the first round."""
WALKS_PAY = 0.1
"""Share of the directions left that a round of walks must settle, or programs are quicker."""
WALKS_MOST, WALKS_SQUARED = 20_000, 500
"""Walks in a round at the most, or where that is more the square of the equations over so many: programs take
longer and longer where there are more of them."""
JOINT_FROM, JOINT_SHARE = 4, 500
"""Fewer directions than this, or than one in so many equations, are left to programs of their own."""
JOINT_PAYS = 2
"""Directions that two joint programs must settle, or programs of their own are quicker."""
JOINT_UP_TO = 200_000
"""Views with more cells are searched in neighbourhoods from the start."""
TRIES = 3
"""Points with other prices that are tried when no exact witness comes out of one."""
NEIGHBOURHOODS = (600, 6000)
"""Cells around a wanted cell that are tried before its whole connected part."""


class Unsettled(Exception):
    """No exact end was found: the program was stopped or broke down, or its end defied exact numbers."""


class Goals:
    """How far below and above each cell has to be shown possible; zero where nothing is left to show."""

    def __init__(self, below: Ints, above: Ints) -> None:
        self.below = np.array(below, np.int64)
        self.above = np.array(above, np.int64)

    def settle(self, proved: Shifts) -> int:
        """Strikes out what is proved; says how many directions that were."""
        rows = proved.reaches(self.below, self.above)
        before = self.left
        self.above[proved.cell[rows & proved.up]] = 0
        self.below[proved.cell[rows & ~proved.up]] = 0
        return before - self.left

    @property
    def wanted(self) -> Mask:
        """Cells with something left to show."""
        return np.asarray((self.below > 0) | (self.above > 0))

    @property
    def left(self) -> int:
        """Directions left to show."""
        return int((self.below > 0).sum() + (self.above > 0).sum())


class Search:
    """One reader's view of a release, the goals that are left, and the witnesses found."""

    def __init__(
        self,
        freedom: Freedom,
        goals: Goals,
        *,
        whole: bool = False,
        seed: int = 0,
        threads: int = 1,
        watch: Watch | None = None,
    ) -> None:
        self.freedom = freedom
        self.goals = goals
        self.whole = whole
        self.threads = threads
        self.watch = watch or Unwatched()
        self.random = np.random.default_rng(seed)
        self.view = View.of(freedom)
        self.found: list[Witnesses] = []
        self._cached: tuple[View, CheapestMoves] | None = None

    @property
    def witnesses(self) -> Witnesses:
        """All that were found and that proved something."""
        return Witnesses.joined(self.found)

    def take(self, witnesses: Witnesses, everything: bool = False) -> int:
        """Keeps witnesses that show something new, or everything; says how many directions they show."""
        proved = shifts(witnesses, Sound(*within(witnesses, self.freedom)), self.goals.wanted)
        useful = np.unique(proved.witness[proved.reaches(self.goals.below, self.goals.above)])
        if everything:
            useful = np.arange(len(witnesses))
        if len(useful):
            self.found.append(witnesses.take(useful))
        return self.goals.settle(proved)

    def harvest(self, view: View, moves: Floats) -> int:
        """Takes what a solver's point over a view shows."""
        return self.take(harvest(view, moves, self.whole, self.goals.wanted))

    def rule_out(self) -> tuple[Mask, Mask]:
        """Strikes out what propagation shows to be out of reach; says which cells, below and above."""
        low, high = propagate(self.view)
        reach_low = np.zeros(self.freedom.structure.size, np.int64)
        reach_high = reach_low.copy()
        reach_low[self.view.cells] = low
        reach_high[self.view.cells] = high
        below, above = self.goals.below > -reach_low, self.goals.above > reach_high
        self.goals.below[below] = 0
        self.goals.above[above] = 0
        return below, above

    def walk(self) -> None:
        """Short circuits, more and more walks for each, while that pays."""
        tries, most = WALKS_FROM, max(WALKS_MOST, self.view.rows**2 // WALKS_SQUARED)
        while 0 < self.goals.left * tries <= most:
            left = self.goals.left
            below, above = self.goals.below[self.view.cells], self.goals.above[self.view.cells]
            self.take(walk_circuits(self.view, below, above, int(self.random.integers(2**31)), tries))
            if left - self.goals.left < WALKS_PAY * left or self.watch.stopped():
                return
            tries *= 4

    def joint(self) -> None:
        """Programs in which every wanted cell is pushed at once, then all the other way, while that pays."""
        least = max(JOINT_FROM, self.view.rows // JOINT_SHARE)
        if self.goals.left < least or len(self.view) > JOINT_UP_TO:
            return
        program = PushedMoves(self.view, self.threads, self.watch.stopped)
        asked = self.goals.left
        while True:
            left = self.goals.left
            likes_up = self.random.integers(0, 2, len(self.view)).astype(np.bool_)
            for up in (likes_up, ~likes_up):
                if not self.goals.left or self.watch.stopped():
                    return
                self._push(program, up)
                self.watch.progress("searching witnesses", asked - self.goals.left, asked)
            if left - self.goals.left < JOINT_PAYS:
                return

    def _push(self, program: PushedMoves, up: Mask) -> None:
        below, above = self.goals.below[self.view.cells], self.goals.above[self.view.cells]
        up = (up | (below == 0)) & (above > 0)
        moves = program.moving(np.where(up, above, below), up)
        if moves is not None:
            self.harvest(self.view, moves)

    def singles(self) -> None:
        """A program for each direction left, the largest goal first; what is not shown stays in the goals."""
        asked = self.goals.left
        amount = np.maximum(self.goals.above, self.goals.below)
        for cell in np.argsort(-amount, kind="stable")[: int((amount > 0).sum())]:
            for up in (True, False):
                if self.watch.stopped():
                    return
                goal = int((self.goals.above if up else self.goals.below)[cell])
                if goal:
                    self.show(int(cell), up, goal)
            self.watch.progress("searching witnesses", asked - self.goals.left, asked)

    def show(self, cell: int, up: bool, amount: int, knowing: Freedom | None = None) -> bool:
        """Whether a move of a cell can be shown, in growing neighbourhoods, maybe to one who knows more."""
        place = int(self.view.place[cell])
        target = amount if up else -amount
        for most in (*NEIGHBOURHOODS, INFINITE) if place >= 0 else ():
            view, program = self._around(place, most, knowing)
            here = int(view.place[cell])
            for _ in range(TRIES if here >= 0 else 0):
                moves = program.moving(here, target)
                if moves is None:
                    break
                found = harvest(view, moves, self.whole, self.goals.wanted | _only(self.goals.wanted, cell))
                self.take(found, everything=True)
                if _moves(found, cell, target):
                    return True
                program.price(np.arange(len(view)), 1.0 + self.random.random(len(view)))
            if len(view) == len(self.view) or self.watch.stopped():
                break
        return self.whole and place >= 0 and self._show_whole(cell, target, knowing)

    def _show_whole(self, cell: int, target: int, knowing: Freedom | None) -> bool:
        """The same with whole moves only, by an integer program; it may have to go beyond the target."""
        part = self._connected(cell, knowing)
        here = part.place[cell]
        if not part.low[here] <= target <= part.high[here]:
            return False
        low, high = part.low.copy(), part.high.copy()
        (low if target > 0 else high)[here] = target
        program = Furthest(replace(part, low=low, high=high), True, self.threads, self.watch.stopped)
        moves = program.moving(int(here), up=target < 0)
        if moves is None:
            return False
        found = harvest(part, np.rint(moves), True)
        self.take(found, everything=True)
        return _moves(found, cell, target)

    def _around(self, place: int, most: int, knowing: Freedom | None) -> tuple[View, CheapestMoves]:
        """The cells nearest to one, about so many, and their program; the public's whole view is kept."""
        if most >= len(self.view) and knowing is None:
            if self._cached is None:
                self._cached = self.view, self._program(self.view)
            return self._cached
        part = self.view.around(place, most)
        if knowing is not None:
            part = part.tightened(knowing)
        return part, self._program(part)

    def _program(self, view: View) -> CheapestMoves:
        return CheapestMoves(view, np.ones(len(view)), self.threads, self.watch.stopped)

    def _connected(self, cell: int, knowing: Freedom | None) -> View:
        """Everything that can move together with a cell."""
        part = self.view.around(int(self.view.place[cell]), INFINITE)
        return part if knowing is None else part.tightened(knowing)

    def reach(self, cell: int, up: bool) -> Fraction | None:
        """How far a cell can move to one side, exactly; None when there is no end."""
        if self.view.place[cell] < 0:
            return Fraction(0)
        found, end = self._furthest(cell, up, self._connected(cell, None))
        if found is None:
            return None
        proved = shifts(found, Sound(*within(found, self.freedom)), _only(self.goals.wanted, cell))
        furthest = proved.furthest(cell, up)
        if abs(float(furthest) - end) > WHOLE * max(1.0, end):
            raise Unsettled
        return furthest

    def stretch(self, cell: int, up: bool, enough: int, knowing: Freedom | None = None) -> None:
        """Keeps a witness that moves a cell as far as possible to one side, but not further than enough."""
        if self.view.place[cell] < 0:
            return
        part = self._connected(cell, knowing)
        here, low, high = part.place[cell], part.low.copy(), part.high.copy()
        if up:
            high[here] = min(high[here], enough)
        else:
            low[here] = max(low[here], -enough)
        with suppress(Unsettled):
            found, _ = self._furthest(cell, up, replace(part, low=low, high=high))
            if found is not None:
                self.take(found, everything=True)

    def _furthest(self, cell: int, up: bool, part: View) -> tuple[Witnesses | None, float]:
        """Witnesses that move a cell as far as possible, and where that is; None when there is no end."""
        program = Furthest(part, self.whole, self.threads, self.watch.stopped)
        moves = program.moving(int(part.place[cell]), up)
        if program.status is Status.UNBOUNDED:
            return None, np.inf
        if moves is None:
            raise Unsettled
        found = harvest(part, moves, self.whole, _only(self.goals.wanted, cell), faithful=True)
        return found, abs(float(moves[part.place[cell]]))


def _only(like: Mask, cell: int) -> Mask:
    mask = np.zeros_like(like)
    mask[cell] = True
    return mask


def _moves(found: Witnesses, cell: int, target: int) -> bool:
    """Whether a witness moves a cell to its target or beyond."""
    at = np.flatnonzero(found.cell == cell)
    towards = found.move[at] if target > 0 else -found.move[at]
    return bool((towards // found.denominator[found.owner[at]] >= abs(target)).any())
