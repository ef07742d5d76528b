"""Suppression patterns: built side by side, cleaned up, torn down in part and built again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ...arrays import Floats, Ints, Mask
from ...attack.harvest import harvest
from ...attack.programs import CheapestMoves
from ...attack.view import View
from ...engines.status import Status
from ...freedom import Freedom
from ...insiders import Insiders
from ...limits import Limits, Watch
from ...problem import Problem
from ...release import Release
from ...witnesses import Witnesses
from .cover import Cover, Side

TRIES = 3
"""Points with other prices that are tried when no exact witness comes out of one."""
SHALLOW = 1000.0
"""Moves smaller than the need by this factor count as that small when prices are set anew."""
LIGHT = 0.01
"""Share of the secondary weight that is not worth cleaning up."""


class Stop(Exception):
    """The run was stopped or its work is used up."""


class Unprotected(Exception):
    """A cell cannot be protected although everything is withheld."""

    def __init__(self, cell: int) -> None:
        self.cell = cell


class Stuck(Exception):
    """A solver failed, or no exact witness came out of its points."""


@dataclass
class Pattern:
    """Withheld cells and the witnesses that show that they protect."""

    withheld: Mask
    cover: Cover
    loss: float

    def copy(self) -> Pattern:
        """A pattern that changes on its own."""
        return Pattern(self.withheld.copy(), self.cover.copy(), self.loss)


class Builder:
    """Everything that stays the same while patterns come and go: programs, prices, the best pattern."""

    def __init__(self, problem: Problem, limits: Limits, watch: Watch, reweights: int = 2) -> None:
        self.problem = problem
        self.limits = limits
        self.watch = watch
        self.reweights = reweights
        self.random = np.random.default_rng(limits.seed)
        self.work = 0
        self.best: Pattern | None = None
        self.refusals: Counter[Side] = Counter()
        self.freedom = Freedom.of(problem, Release.suppressed(problem, problem.withholdable))
        self.view = View.of(self.freedom)
        self.lone = _lone(problem, self.freedom)
        self.base = _prices(problem, self.view)
        self.sided = Programs(self, self.view, self.base)

    @property
    def secondary(self) -> Mask:
        """What the best pattern withholds beyond the sensitive cells."""
        if self.best is None:
            raise RuntimeError("There is no pattern yet.")
        return np.asarray(self.best.withheld & ~self.problem.sensitive)

    def build(self, order: str, bias: float) -> None:
        """A whole pattern, one side after another; kept when it is the best so far."""
        price = self.base.copy()
        if self.best is not None:
            price[~self.best.withheld[self.view.cells]] *= bias
        pattern = Pattern(self.problem.sensitive.copy(), Cover(self.problem, self.freedom, self.lone), 0.0)
        self._complete(pattern, self._ordered(pattern.cover.sides, order), price)
        self._offer(pattern)

    def improve(self) -> bool:
        """Forgets some witnesses of the best pattern and shows their sides anew; says whether it got cheaper."""
        if self.best is None:
            raise RuntimeError("There is no pattern to improve yet.")
        loss = self.best.loss
        pattern = self.best.copy()
        pattern.cover.drop(self._chosen(pattern.cover))
        pattern.withheld = self.problem.sensitive | pattern.cover.used(self.problem.size)
        price = self.base * (1.0 + self.random.random(len(self.base)))
        self._complete(pattern, self._ordered(pattern.cover.open_sides(), "random"), price)
        self._offer(pattern)
        return self.best.loss < loss

    def clean(self) -> bool:
        """Tries to do without each of the heavier secondaries of the best pattern; says whether that helped."""
        if self.best is None:
            raise RuntimeError("There is no pattern to clean yet.")
        loss = self.best.loss
        pattern = self.best.copy()
        try:
            self._clean(pattern, np.flatnonzero(self.secondary))
        finally:
            self._offer(pattern)
        return self.best.loss < loss

    def _chosen(self, cover: Cover) -> list[int]:
        """A few witnesses, more often those that alone hold many heavy cells."""
        numbers = list(cover.support)
        alone = np.array([self._held_alone(cover, w) for w in numbers]) + self.base.min()
        most = min(len(numbers), int(self.random.choice([1, 1, 2, 2, 3, 4])))
        picked = self.random.choice(len(numbers), most, replace=False, p=alone / alone.sum())
        return [numbers[k] for k in picked]

    def _held_alone(self, cover: Cover, number: int) -> float:
        cells = cover.support[number]
        own = [c for c in cells.tolist() if len(cover.by_cell[c]) == 1 and not self.problem.sensitive[c]]
        return float(self.problem.weight[own].sum())

    def _ordered(self, sides: list[Side], order: str) -> list[Side]:
        if order == "random":
            return [sides[k] for k in self.random.permutation(len(sides))]
        below, above = self.problem.goals
        amount = np.array([(above if up else below)[c] for c, up in sides], np.int64)
        return [sides[k] for k in np.argsort(-amount if order == "largest" else amount, kind="stable")]

    def _complete(self, pattern: Pattern, sides: list[Side], price: Floats) -> None:
        """Shows every side, withholding what moves; what is withheld is free for the sides that follow."""
        programs = self.sided
        programs.price(np.where(pattern.withheld[self.view.cells], 0.0, price))
        for side in sides:
            while pattern.cover.is_open(side):
                found = self._best_of(programs, pattern, side)
                kept = pattern.cover.add(found)
                if pattern.cover.is_open(side) and not kept:
                    raise Stuck
                fresh = [
                    c for w in kept for c in pattern.cover.support[w].tolist() if not pattern.withheld[c]
                ]
                pattern.withheld[fresh] = True
                programs.free(self.view.place[np.unique(fresh).astype(np.int64)].astype(np.int64))

    def _best_of(self, programs: Programs, pattern: Pattern, side: Side) -> Witnesses:
        """The cheapest of several witnesses: prices follow what a cell costs as a whole, move by move."""
        against = pattern.cover.against(side)
        best: tuple[float, Witnesses] | None = None
        usual = programs.prices
        for found, moves in programs.showing(side, against, self.reweights):
            cells = found.cell[~pattern.withheld[found.cell]]
            added = float(self.problem.weight[np.unique(cells)].sum())
            if best is None or added < best[0]:
                best = added, found
            if not added:
                break
            floor = pattern.cover.need(side) / SHALLOW
            programs.price(usual / np.maximum(np.abs(moves), floor) * floor)
        if programs.prices is not usual:
            programs.price(usual)
        if best is None:
            raise Stuck
        return best[1]

    def _offer(self, pattern: Pattern) -> None:
        """Trims a pattern and keeps it when it is the best so far."""
        pattern.cover.trim()
        pattern.withheld = self.problem.sensitive | pattern.cover.used(self.problem.size)
        pattern.loss = float(self.problem.weight[pattern.withheld].sum())
        if self.best is None or pattern.loss < self.best.loss:
            self.best = pattern
            self.watch.incumbent(pattern.loss, None)

    def _clean(self, pattern: Pattern, candidates: Ints) -> None:
        """Drops secondaries without which everything can still be shown, the heaviest first, in growing lots."""
        pattern.cover.trim()
        pattern.withheld = self.problem.sensitive | pattern.cover.used(self.problem.size)
        release = Release.suppressed(self.problem, pattern.withheld)
        view = View.of(Freedom.of(self.problem, release))
        programs = Programs(self, view, _prices(self.problem, view), keeps_corners=True)
        waiting = self._heavy(candidates)
        size = 1
        while waiting:
            lot = [c for c in waiting[-size:] if pattern.cover.by_cell[c]]
            if not lot or self._dropped(pattern.cover, programs, lot):
                del waiting[-size:]
                size *= 2
            elif size == 1:
                waiting.pop()
            else:
                size = max(1, size // 4)

    def _heavy(self, cells: Ints) -> list[int]:
        """Cells by weight, the heaviest last, without the many light ones that make up a little together."""
        weight = self.problem.weight[cells]
        order = np.argsort(weight, kind="stable")
        light = np.cumsum(weight[order]) < LIGHT * weight.sum()
        return cells[order[~light]].tolist()

    def _dropped(self, cover: Cover, programs: Programs, lot: list[int]) -> bool:
        """Does without some cells when all that they helped to show can be shown without them."""
        places = programs.view.place[np.array(lot)].astype(np.int64)
        gone = frozenset(w for c in lot for w in cover.by_cell[c])
        added: list[int] = []
        programs.close(places)
        try:
            for side in sorted(cover.at_risk(lot), key=lambda s: (-self.refusals[s], -cover.need(s))):
                while cover.is_open(side, gone):
                    kept = self._again(cover, programs, side, gone)
                    added += kept
                    if not kept:
                        self.refusals[side] += 1
                        cover.drop(added)
                        programs.open(places)
                        return False
        except Stop:
            cover.drop(added)
            raise
        cover.drop(gone)
        return True

    def _again(self, cover: Cover, programs: Programs, side: Side, gone: frozenset[int]) -> list[int]:
        """Other witnesses for a side; none when nobody new believes them."""
        against = cover.against(side, gone)
        for found, _ in programs.showing(side, against, 0, must=False):
            kept = cover.add(found, only_new=False)
            left = cover.against(side, gone)
            if left is not None and (against is None or left < against):
                return kept
            cover.drop(kept)
        return []


class Programs:
    """The programs over one view: moves with a mirror image first, any moves next.

    While prices stay, a run that differs from an earlier one for the same side by some closed cells alone
    starts best from where that ended: such corners are kept on request.
    """

    def __init__(self, builder: Builder, view: View, price: Floats, keeps_corners: bool = False) -> None:
        self.keeps_corners = keeps_corners
        self.corners: dict[tuple[Side, bool, bytes], object] = {}
        self.builder = builder
        self.view = view
        self.prices = price
        threads, stopped = builder.limits.threads or 1, builder.watch.stopped
        room = np.minimum(-view.low, view.high)
        mirrored = replace(view, low=-room, high=room)
        self.both = CheapestMoves(mirrored, price, threads, stopped, builder.problem.whole)
        self.any = CheapestMoves(view, price, threads, stopped, builder.problem.whole)
        self.closed: set[int] = set()
        self.is_sure = True

    def price(self, price: Floats) -> None:
        """Sets all prices."""
        self.prices = price
        places = np.arange(len(self.view))
        self.both.price(places, price)
        self.any.price(places, price)

    def free(self, places: Ints) -> None:
        """Some cells cost nothing from now on."""
        price = self.prices.copy()
        price[places] = 0.0
        self.price(price)

    def close(self, places: Ints) -> None:
        """Some cells may not move any more."""
        self.closed.update(places.tolist())
        self.both.close(places)
        self.any.close(places)

    def open(self, places: Ints) -> None:
        """Some cells may move again."""
        self.closed.difference_update(places.tolist())
        self.both.open(places)
        self.any.open(places)

    def showing(
        self, side: Side, against: frozenset[int] | None, more: int, must: bool = True
    ) -> Iterable[tuple[Witnesses, Floats]]:
        """Exact witnesses for a side with their moves; up to `more` others after the caller set new prices.

        They convince all insiders where that is possible, else one of those against whom nothing was
        shown yet. Where nothing can be shown at all, the cell is unprotected, if it `must` be shown.
        """
        self.is_sure = True
        for secrets in self._secrets(side, against):
            program, moves = self._cheapest(side, secrets)
            if program is None or moves is None:
                continue
            found = self._exact(program, side, secrets, moves)
            if found is None:
                return
            yield found, moves
            for _ in range(more):
                moves = self._run(program, side, secrets)
                found = None if moves is None else self._harvest(side, moves)
                if found is None or moves is None:
                    return
                yield found, moves
            return
        if must:
            raise Unprotected(side[0]) if self.is_sure else Stuck

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
        return np.array([p for p in places.tolist() if p >= 0 and p not in self.closed], np.int64)

    def _cheapest(self, side: Side, secrets: Ints) -> tuple[CheapestMoves | None, Floats | None]:
        below, above = self.builder.problem.goals
        symmetric = below[side[0]] == above[side[0]]
        for program in (self.both, self.any) if symmetric else (self.any,):
            moves = self._run(program, side, secrets)
            if moves is not None:
                return program, moves
        return None, None

    def _run(self, program: CheapestMoves, side: Side, secrets: Ints) -> Floats | None:
        builder = self.builder
        used_up = builder.limits.work is not None and builder.work >= builder.limits.work
        if used_up or builder.watch.stopped():
            raise Stop
        cell, up = side
        need = int(builder.problem.goals[1 if up else 0][cell])
        program.close(secrets)
        key = (side, program is self.both, secrets.tobytes())
        corner = self.corners.get(key) if self.keeps_corners else None
        moves = program.moving(int(self.view.place[cell]), need if up else -need, corner)
        program.open(secrets)
        if self.keeps_corners and program.last is not None:
            self.corners[key] = program.last
        if program.status is Status.STOPPED:
            raise Stop
        builder.work += 1
        self.is_sure &= program.status in (Status.OPTIMAL, Status.INFEASIBLE)
        return moves

    def _exact(self, program: CheapestMoves, side: Side, secrets: Ints, moves: Floats) -> Witnesses | None:
        """Exact witnesses in these moves, or in those of slightly other prices."""
        found = self._harvest(side, moves)
        for _ in range(TRIES):
            if found is not None:
                break
            usual = self.prices
            self.price(usual * (1.0 + self.builder.random.random(len(usual))))
            other = self._run(program, side, secrets)
            self.price(usual)
            found = None if other is None else self._harvest(side, other)
        return found

    def _harvest(self, side: Side, moves: Floats) -> Witnesses | None:
        problem = self.builder.problem
        wanted = np.zeros(problem.size, np.bool_)
        wanted[side[0]] = True
        found = harvest(self.view, moves, problem.whole, wanted)
        return found if (found.cell == side[0]).any() else None


def _prices(problem: Problem, view: View) -> Floats:
    """What a unit of each cell costs: its weight, or a little where that is nothing."""
    weight = problem.weight[view.cells]
    positive = weight[weight > 0]
    least = float(positive.min()) / SHALLOW if len(positive) else 1.0
    return np.maximum(weight, least)


def _lone(problem: Problem, freedom: Freedom) -> dict[int, int]:
    """Sensitive cells with one contributor, and who that is."""
    insiders = Insiders.of(problem, freedom)
    reader = np.repeat(np.arange(len(insiders)), np.diff(insiders.start))
    alone = insiders.alone & problem.sensitive[insiders.cell]
    return dict(zip(insiders.cell[alone].tolist(), reader[alone].tolist(), strict=True))
