"""Suppression patterns: built cell by cell, cleaned up, torn down in part and built again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats, Indices, Ints, Mask
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


class Stop(Exception):
    """The run was stopped or its work is used up."""


class Unprotected(Exception):
    """Some cells cannot be protected although everything is withheld."""

    def __init__(self, cells: tuple[int, ...]) -> None:
        self.cells = cells


@dataclass
class Pattern:
    """Withheld cells and the witnesses that show that they protect."""

    withheld: Mask
    cover: Cover
    loss: float


class Builder:
    """Everything that stays the same while patterns come and go: programs, prices, the best pattern."""

    def __init__(self, problem: Problem, limits: Limits, watch: Watch) -> None:
        self.problem = problem
        self.limits = limits
        self.watch = watch
        self.random = np.random.default_rng(limits.seed)
        self.work = 0
        self.best: Pattern | None = None
        self.hints = Witnesses.none()
        everything = Release.suppressed(problem, problem.withholdable)
        self.freedom = Freedom.of(problem, everything)
        self.view = View.of(self.freedom)
        self.lone = _lone(problem, self.freedom)
        self.price = np.maximum(problem.weight[self.view.cells], _least(problem.weight))
        self.sided = self._program(self.view, self.price)
        self.mirrored = self._program(_capped(self.view), self.price)

    def _program(self, view: View, price: Floats) -> CheapestMoves:
        return CheapestMoves(view, price, self.limits.threads or 1, self.watch.stopped)

    @property
    def has_secondaries(self) -> bool:
        """Whether there is anything to improve."""
        return self.best is not None and bool((self.best.withheld & ~self.problem.sensitive).any())

    def build(self, order: str, bias: float) -> None:
        """A whole pattern, one sensitive cell after another; kept when it is the best so far."""
        price = self.price.copy()
        if self.best is not None:
            price[~self.best.withheld[self.view.cells]] *= bias
        pattern = Pattern(self.problem.sensitive.copy(), Cover(self.problem, self.freedom, self.lone), 0.0)
        self._set_prices(price, pattern.withheld)
        self._complete(pattern, self._ordered(pattern.cover.sides, order))
        self._clean(pattern)
        self._offer(pattern)

    def improve(self) -> bool:
        """Tears down a part of the best pattern and builds it again; says whether that made it cheaper."""
        if self.best is None:
            raise RuntimeError("There is no pattern to improve yet.")
        pattern = Pattern(self.best.withheld.copy(), self.best.cover.copy(), self.best.loss)
        gone = self._chosen(pattern.withheld & ~self.problem.sensitive)
        pattern.withheld[gone] = False
        pattern.cover.drop({w for c in gone.tolist() for w in pattern.cover.by_cell[c]})
        noise = 1.0 + 0.5 * self.random.random(len(self.price))
        self._set_prices(self.price * noise, pattern.withheld)
        self._complete(pattern, self._ordered(pattern.cover.open_sides(), "random"))
        self._clean(pattern)
        return self._offer(pattern)

    def _chosen(self, secondary: Mask) -> Ints:
        """Some secondaries that lie near each other."""
        structure = self.problem.table.structure
        cells = np.flatnonzero(secondary)
        first = int(self.random.choice(cells))
        most = int(self.random.integers(2, max(3, min(len(cells) // 3, 40)) + 1))
        start, equation, _ = structure.by_cell
        near: dict[int, None] = {first: None}
        waiting = [first]
        while waiting and len(near) < most:
            cell = waiting.pop(0)
            for q in self.random.permutation(equation[start[cell] : start[cell + 1]]):
                others = structure.equation(int(q))[0]
                for other in others[secondary[others]].tolist():
                    if other not in near:
                        near[other] = None
                        waiting.append(other)
        return np.array(list(near)[:most], np.int64)

    def _ordered(self, sides: list[Side], order: str) -> list[Side]:
        cover_below, cover_above = self.problem.goals
        amount = np.array([(cover_above if up else cover_below)[c] for c, up in sides])
        if order == "random":
            return [sides[k] for k in self.random.permutation(len(sides))]
        sign = -1 if order == "largest" else 1
        return [sides[k] for k in np.argsort(sign * amount, kind="stable")]

    def _set_prices(self, price: Floats, withheld: Mask) -> None:
        price = np.where(withheld[self.view.cells], 0.0, price)
        places = np.arange(len(self.view))
        self.sided.price(places, price)
        self.mirrored.price(places, price)

    def _complete(self, pattern: Pattern, sides: list[Side]) -> None:
        """Shows every side, withholding what moves; what is withheld is free for the sides that follow."""
        for side in sides:
            while pattern.cover.is_open(side):
                self._show(pattern, side)

    def _show(self, pattern: Pattern, side: Side) -> None:
        """One more witness for a side, if possible one that no insider can rule out."""
        against = pattern.cover.against(side)
        secrets = self._secrets(side, None if against is None else against)
        found = self._moves(side, secrets)
        if found is None and secrets is not None:
            everybody = against is None
            found = self._moves(side, None) if everybody else self._for_one(side, against or frozenset())
        if found is None:
            raise Unprotected((side[0],))
        kept = pattern.cover.add(found)
        if not kept:
            raise Unprotected((side[0],))
        for number in kept:
            self._withhold(pattern, pattern.cover.support[number])

    def _for_one(self, side: Side, against: frozenset[int]) -> Witnesses | None:
        """A witness that one of the insiders cannot rule out."""
        return self._moves(side, self._secrets(side, frozenset([min(against)])))

    def _secrets(self, side: Side, against: frozenset[int] | None) -> Ints | None:
        """The cells that some insiders know; all insiders when none is named."""
        owner = self.lone.get(side[0], -1)
        cells = [c for c, who in self.lone.items() if who != owner and (against is None or who in against)]
        return self.view.place[np.array(cells, np.int64)].astype(np.int64) if cells else None

    def _moves(self, side: Side, closed: Ints | None) -> Witnesses | None:
        """Witnesses in the cheapest moves that show a side; None where there are none."""
        cell, up = side
        need = int((self.problem.goals[1] if up else self.problem.goals[0])[cell])
        amount = need if up else -need
        below, above = self.problem.goals
        programs = [self.mirrored, self.sided] if below[cell] == above[cell] else [self.sided]
        for program in programs:
            moves = self._run(program, int(self.view.place[cell]), amount, closed)
            if moves is not None:
                found = harvest(self.view, moves, self.problem.whole, _only(self.problem.size, cell))
                if (found.cell == cell).any():
                    return found
        return None

    def _run(self, program: CheapestMoves, place: int, amount: int, closed: Ints | None) -> Floats | None:
        if self.watch.stopped() or (self.limits.work is not None and self.work >= self.limits.work):
            raise Stop
        if closed is not None:
            program.close(closed)
        moves = program.moving(place, amount)
        if closed is not None:
            program.open(closed)
        if program.status is Status.STOPPED:
            raise Stop
        self.work += 1
        return moves

    def _withhold(self, pattern: Pattern, cells: Indices) -> None:
        fresh = cells[~pattern.withheld[cells]]
        if len(fresh):
            pattern.withheld[fresh] = True
            places = self.view.place[fresh].astype(np.int64)
            self.sided.price(places, np.zeros(len(fresh)))
            self.mirrored.price(places, np.zeros(len(fresh)))

    def _clean(self, pattern: Pattern) -> None:
        """Drops secondaries without which everything can still be shown, the heaviest first."""
        pattern.cover.trim()
        sensitive, weight = self.problem.sensitive, self.problem.weight
        pattern.withheld = sensitive | pattern.cover.used(self.problem.size)
        inner = _Inner(self, pattern)
        secondary = np.flatnonzero(pattern.withheld & ~sensitive)
        for cell in secondary[np.argsort(-weight[secondary], kind="stable")]:
            if pattern.cover.by_cell[int(cell)]:
                inner.try_without(int(cell))
        pattern.cover.trim()
        pattern.withheld = sensitive | pattern.cover.used(self.problem.size)
        pattern.loss = float(weight[pattern.withheld].sum())

    def _offer(self, pattern: Pattern) -> bool:
        if self.best is None or pattern.loss < self.best.loss:
            self.best = pattern
            self.watch.incumbent(pattern.loss, None)
            return True
        return False


class _Inner:
    """Programs within one pattern, for trying to do without some of its cells."""

    def __init__(self, builder: Builder, pattern: Pattern) -> None:
        self.builder = builder
        self.pattern = pattern
        problem = builder.problem
        freedom = Freedom.of(problem, Release.suppressed(problem, pattern.withheld))
        self.view = View.of(freedom)
        price = np.maximum(problem.weight[self.view.cells], _least(problem.weight))
        price[problem.sensitive[self.view.cells]] = _least(problem.weight)
        self.program = builder._program(self.view, price)

    def try_without(self, cell: int) -> None:
        """Drops a cell when all that it helped to show can be shown without it."""
        cover, builder = self.pattern.cover, self.builder
        place = self.view.place[[cell]].astype(np.int64)
        self.program.close(place)
        gone = frozenset(cover.by_cell[cell])
        added: list[int] = []
        for side in cover.at_risk(cell):
            while cover.is_open(side, gone):
                against = cover.against(side, gone)
                need = cover.need(side)
                secrets = self._secrets(side, against)
                moves = builder._run(
                    self.program, int(self.view.place[side[0]]), need if side[1] else -need, secrets
                )
                kept = [] if moves is None else self._keep(moves, side, gone)
                if not kept:
                    cover.drop(added)
                    self.program.open(place)
                    return
                added += kept
        cover.drop(gone)

    def _keep(self, moves: Floats, side: Side, gone: frozenset[int]) -> list[int]:
        """Witnesses in some moves, when they close the side at least in part."""
        cover = self.pattern.cover
        before = cover.against(side, gone)
        found = harvest(
            self.view, moves, self.builder.problem.whole, _only(self.builder.problem.size, side[0])
        )
        kept = cover.add(found, only_new=False)
        after = cover.against(side, gone)
        if after is None or (before is not None and not after < before):
            cover.drop(kept)
            return []
        return kept

    def _secrets(self, side: Side, against: frozenset[int] | None) -> Ints | None:
        owner = self.builder.lone.get(side[0], -1)
        cells = [
            c
            for c, who in self.builder.lone.items()
            if who != owner and (against is None or who in against) and self.view.place[c] >= 0
        ]
        return self.view.place[np.array(cells, np.int64)].astype(np.int64) if cells else None


def _lone(problem: Problem, freedom: Freedom) -> dict[int, int]:
    """Sensitive cells with one contributor, and who that is."""
    insiders = Insiders.of(problem, freedom)
    reader = np.repeat(np.arange(len(insiders)), np.diff(insiders.start))
    alone = insiders.alone & problem.sensitive[insiders.cell]
    return dict(zip(insiders.cell[alone].tolist(), reader[alone].tolist(), strict=True))


def _capped(view: View) -> View:
    """The view with moves capped so that each has a mirror image."""
    from dataclasses import replace

    room = np.minimum(-view.low, view.high)
    return replace(view, low=-room, high=room)


def _least(weight: Floats) -> float:
    """A price for cells that weigh nothing: small, but more than none."""
    positive = weight[weight > 0]
    return float(positive.min()) / 1024 if len(positive) else 1.0


def _only(size: int, cell: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    mask[cell] = True
    return mask
