"""Suppression patterns: built side by side, cleaned up, torn down in part and built again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats, Ints, Mask
from ...attack.circuits import walk_circuits
from ...attack.view import View
from ...freedom import Freedom
from ...insiders import Insiders
from ...limits import Limits, Watch
from ...problem import Problem
from ...release import Release
from ...witnesses import Witnesses
from .cover import Cover, Side
from .programs import SHALLOW, Programs, Stop, Stuck, unit_prices

FLAT = 0.7
"""Prices grow with this power of the weight. With 1 the programs take long ways round by light cells, which
add up; with 0 they take the nearest cells, however heavy. Of 0.3 to 2 this one lost least."""
WALKS = 64
"""Walks for each side, among the cells that are withheld anyway, before a program is solved."""
LIGHT = 0.01
"""Share of the secondary weight that is not worth cleaning up."""


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

    def __init__(
        self, problem: Problem, limits: Limits, watch: Watch, reweights: int = 2, work: int = 0
    ) -> None:
        self.problem = problem
        self.limits = limits
        self.watch = watch
        self.reweights = reweights
        self.random = np.random.default_rng(limits.seed)
        self.work = work
        self.best: Pattern | None = None
        self.refusals: Counter[Side] = Counter()
        self.goals = problem.goals
        self.freedom = Freedom.of(problem, Release.suppressed(problem, problem.withholdable))
        self.view = View.of(self.freedom)
        self.lone = _lone(problem, self.freedom)
        self.base = unit_prices(problem, self.view) ** FLAT
        self.sided = Programs(self, self.view, self.base)

    @property
    def secondary(self) -> Mask:
        """What the best pattern withholds beyond the sensitive cells."""
        if self.best is None:
            raise RuntimeError("There is no pattern yet.")
        return np.asarray(self.best.withheld & ~self.problem.sensitive)

    def build(self, order: str, bias: float) -> bool:
        """A whole pattern, one side after another; says whether it is the best so far, and is kept."""
        price = self.base.copy()
        if self.best is not None:
            price[~self.best.withheld[self.view.cells]] *= bias
        pattern = Pattern(self.problem.sensitive.copy(), Cover(self.problem, self.freedom, self.lone), 0.0)
        self._complete(pattern, self._ordered(pattern.cover.sides, order), price)
        return self._offer(pattern)

    def improve(self) -> bool:
        """Forgets some witnesses of the best pattern and shows their sides anew; says whether that helped."""
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
        """Tries to do without the heavier secondaries of the best pattern; says whether that helped."""
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
        below, above = self.goals
        amount = np.array([(above if up else below)[c] for c, up in sides], np.int64)
        return [sides[k] for k in np.argsort(-amount if order == "largest" else amount, kind="stable")]

    def _complete(self, pattern: Pattern, sides: list[Side], price: Floats) -> None:
        """Shows every side, withholding what moves; what is withheld is free for the sides that follow."""
        programs = self.sided
        programs.price(np.where(pattern.withheld[self.view.cells], 0.0, price))
        for done, side in enumerate(sides):
            if self.best is None:
                self.watch.progress("building the first pattern", done, len(sides))
            if pattern.cover.is_open(side):
                self._walk(pattern, side)
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

    def _walk(self, pattern: Pattern, side: Side) -> None:
        """Shows a side at no cost, where a short circuit of cells that are withheld anyway does."""
        cell, up = side
        ask = np.zeros((2, len(self.view)), np.int64)
        ask[int(up), self.view.place[cell]] = pattern.cover.need(side)
        within = pattern.withheld[self.view.cells]
        pattern.cover.add(walk_circuits(self.view, *ask, int(self.random.integers(2**31)), WALKS, within))

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

    def _offer(self, pattern: Pattern) -> bool:
        """Trims a pattern; says whether it is the best so far, and is kept."""
        pattern.cover.trim()
        pattern.withheld = self.problem.sensitive | pattern.cover.used(self.problem.size)
        pattern.loss = float(self.problem.weight[pattern.withheld].sum())
        better = self.best is None or pattern.loss < self.best.loss
        if better:
            self.best = pattern
            self.watch.incumbent(pattern.loss, None)
        return better

    def _clean(self, pattern: Pattern, candidates: Ints) -> None:
        """Drops secondaries without which all can still be shown, heavy ones first, in growing lots."""
        pattern.cover.trim()
        pattern.withheld = self.problem.sensitive | pattern.cover.used(self.problem.size)
        release = Release.suppressed(self.problem, pattern.withheld)
        view = View.of(Freedom.of(self.problem, release))
        programs = Programs(self, view, unit_prices(self.problem, view), keeps_corners=True)
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
        return [int(c) for c in cells[order[~light]]]

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


def _lone(problem: Problem, freedom: Freedom) -> dict[int, int]:
    """Sensitive cells with one contributor, and who that is."""
    insiders = Insiders.of(problem, freedom)
    reader = np.repeat(np.arange(len(insiders)), np.diff(insiders.start))
    alone = insiders.alone & problem.sensitive[insiders.cell]
    return dict(zip(insiders.cell[alone].tolist(), reader[alone].tolist(), strict=True))
