"""Last repairs of a pattern: what it still gives away to insiders, or by the sum of an equation."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints, Mask
from ...attack.harvest import harvest
from ...attack.programs import CheapestMoves
from ...attack.view import View
from ...freedom import Freedom
from ...implicit import implied, judges_implicit, needs_of_sums
from ...insiders import Gap, Insiders, gaps
from ...limits import Limits
from ...problem import Problem
from ...release import Release
from ...witnesses import Witnesses, check, shifts

ROUNDS = 100
"""Each round withholds more cells, so this is rarely reached; the auditor has the last word anyway."""
CANDIDATES = 8
"""Cells of an equation that are tried to break the sum of its withheld ones."""


def repaired(
    problem: Problem, withheld: Mask, witnesses: Witnesses, limits: Limits
) -> tuple[Mask, Witnesses, bool]:
    """The pattern with more cells withheld until none is left to mend or nothing helps; and which it was."""
    repair = _Repair(problem, withheld, witnesses, limits)
    if problem.table.has_contributors:
        for _ in range(ROUNDS):
            if not repair.mend():
                break
    return repair.withheld, Witnesses.joined(repair.witnesses), repair.is_mended


class _Repair:
    """A pattern that grows."""

    def __init__(self, problem: Problem, withheld: Mask, witnesses: Witnesses, limits: Limits) -> None:
        self.problem = problem
        self.withheld = withheld.copy()
        self.witnesses = [witnesses]
        self.threads = limits.threads or 1
        self.everything = Freedom.of(problem, Release.suppressed(problem, problem.withholdable))
        self.insiders = Insiders.of(problem, self.everything)
        self.reader = {members: r for r, members in enumerate(self.insiders.members)}
        self.hopeless: set[tuple[int, int, bool]] = set()
        self.is_mended = True

    def mend(self) -> bool:
        """One round; says whether anything was withheld or shown that was not before."""
        freedom = Freedom.of(self.problem, Release.suppressed(self.problem, self.withheld))
        if judges_implicit(self.problem):
            equations = implied(freedom)
            needs = needs_of_sums(self.problem, freedom, equations)
            wrong = np.flatnonzero(needs > 0)
            self.is_mended = not len(wrong)
            if len(wrong):
                done = [self._break_sum(int(equations[k]), int(needs[k])) for k in wrong]
                return any(done)
        known = Insiders.of(self.problem, freedom)
        joined = Witnesses.joined(self.witnesses)
        proved = shifts(joined, check(joined, freedom, self.problem.whole), self.problem.sensitive)
        left = gaps(known, self.problem, joined, proved, self.problem.sensitive)
        self.is_mended = not left
        fresh = [g for g in left if (g.reader, g.cell, g.up) not in self.hopeless]
        shown = [self._close(gap, known) for gap in fresh]
        self.hopeless.update(
            (g.reader, g.cell, g.up) for g, good in zip(fresh, shown, strict=True) if not good
        )
        return any(shown)

    def _close(self, gap: Gap, known: Insiders) -> bool:
        """Shows a protection without what any insider knows, or at least without what this one knows."""
        reader = self.reader[known.members[gap.reader]]
        for freedom in (
            self.insiders.common_freedom(self.everything, gap.cell),
            self.insiders.freedom(reader, self.everything),
        ):
            if self._show(gap.cell, gap.need if gap.up else -gap.need, freedom):
                return True
        return False

    def _break_sum(self, equation: int, need: int) -> bool:
        """Withholds one more cell of an equation, the cheapest that can move as far as its sum needs."""
        cells = self.problem.table.structure.equation(equation)[0]
        others = cells[self.problem.withholdable[cells] & ~self.withheld[cells]]
        others = others[np.argsort(self.problem.weight[others], kind="stable")][:CANDIDATES]
        for cell in others.tolist():
            for amount in (need, 1):
                if self._show(cell, amount, self.everything) or self._show(cell, -amount, self.everything):
                    return True
        return False

    def _show(self, cell: int, amount: int, freedom: Freedom) -> bool:
        """Withholds what the cheapest moves of a cell touch; says whether there were any."""
        view = View.of(freedom)
        place = int(view.place[cell])
        if place < 0:
            return False
        program = CheapestMoves(view, self._prices(view), self.threads, lambda: False, self.problem.whole)
        moves = program.moving(place, amount)
        if moves is None:
            return False
        found = harvest(view, moves, self.problem.whole, _only(self.problem.size, cell))
        holding: Ints = np.unique(found.owner[found.cell == cell])
        if not len(holding):
            return False
        found = found.take(holding)
        self.witnesses.append(found)
        self.withheld[found.cell] = True
        return True

    def _prices(self, view: View) -> Floats:
        weight = self.problem.weight[view.cells]
        return np.where(self.withheld[view.cells], 0.0, np.maximum(weight, weight.max(initial=1.0) / 2**20))


def _only(size: int, cell: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    mask[cell] = True
    return mask
