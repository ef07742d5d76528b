"""The judge: decides from a table, a release and witnesses alone whether the release is safe.

It searches for nothing and trusts nothing: what the witnesses do not show is exposed. It needs no
solver, so that anybody inside the office can repeat its verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .arrays import Frozen, Ints, Mask
from .freedom import Freedom
from .implicit import sensitive_sums
from .insiders import Gap, Insiders, gaps
from .problem import Problem, Role
from .release import Release
from .witnesses import Shifts, Witnesses, shifts, sound_ones


@dataclass(frozen=True, eq=False)
class Judgement(Frozen):
    """What is shown and what is not.

    `below`, `above` and `sliding` mark sensitive cells to which that protection is not shown; `gaps`
    are protections not shown to single insiders, `sums` equations whose implicit cell is sensitive.
    `unsound` counts the witnesses that do not hold; they were left aside.
    """

    is_additive: bool
    is_truthful: bool
    below: Mask
    above: Mask
    sliding: Mask
    insiders: Insiders
    gaps: tuple[Gap, ...]
    sums: Ints
    unsound: int = 0

    @property
    def exposed(self) -> Mask:
        """Sensitive cells without proof of their protection, to everybody or to an insider."""
        exposed = self.below | self.above | self.sliding
        exposed[[gap.cell for gap in self.gaps]] = True
        return exposed

    @property
    def is_safe(self) -> bool:
        """Nothing is wrong and nothing is exposed."""
        return self.is_additive and self.is_truthful and not self.exposed.any() and not len(self.sums)


def judge(
    problem: Problem,
    release: Release,
    witnesses: Witnesses,
    *,
    insiders: bool = True,
    implicit: bool = True,
) -> Judgement:
    """The verdict on a release."""
    freedom = Freedom.of(problem, release)
    nobody = Insiders.none()
    if release.criterion == "distance":
        below, above, sliding = _too_near(problem, release)
        nothing = np.zeros(0, np.int64)
        return Judgement(
            is_additive=is_additive(problem, release),
            is_truthful=is_truthful(problem, release, freedom),
            below=below,
            above=above,
            sliding=sliding,
            insiders=nobody,
            gaps=(),
            sums=nothing,
            unsound=len(witnesses),
        )
    sound, holding = sound_ones(witnesses, freedom, problem.whole)
    proved = shifts(sound, holding, problem.sensitive)
    need_below, need_above = problem.need_below, problem.need_above
    shown = proved.reaches(need_below, need_above)
    below, above = need_below > 0, need_above > 0
    below[proved.cell[shown & ~proved.up]] = False
    above[proved.cell[shown & proved.up]] = False
    sliding = _too_narrow(problem, proved)
    known = Insiders.of(problem, freedom) if insiders else nobody
    shown_to_all = problem.sensitive & ~(below | above | sliding)
    return Judgement(
        is_additive=is_additive(problem, release),
        is_truthful=is_truthful(problem, release, freedom),
        below=below,
        above=above,
        sliding=sliding,
        insiders=known,
        gaps=tuple(gaps(known, problem, sound, proved, shown_to_all)),
        sums=sensitive_sums(problem, freedom) if implicit else np.zeros(0, np.int64),
        unsound=len(witnesses) - len(sound),
    )


def is_additive(problem: Problem, release: Release) -> bool:
    """Whether every equation without withheld cells sums up as the table does."""
    structure = problem.table.structure
    declared = problem.table.constant
    missed = structure.imbalance(release.shown)
    wrong = missed != (0 if declared is None else declared)
    wrong[structure.row[release.withheld[structure.cell]]] = False
    return not bool(wrong.any())


def is_truthful(problem: Problem, release: Release, freedom: Freedom) -> bool:
    """Whether the truth lies in every told interval, what is shown does, too, and what is empty stays so."""
    low, high, value = release.told_lower, release.told_upper, problem.table.value
    shown = ~release.withheld
    inside = (low <= release.shown) & (release.shown <= high)
    told = (low <= value) & (value <= high)
    still = problem.role == Role.EMPTY
    kept = (release.shown == value)[still & shown]
    return freedom.is_truthful and bool(told.all()) and bool(inside[shown].all()) and bool(kept.all())


def _too_near(problem: Problem, release: Release) -> tuple[Mask, Mask, Mask]:
    """The classical criterion of adjustment: each sensitive cell lies its need away from the truth."""
    away = release.shown - problem.table.value
    sliding = problem.need_sliding
    only = (problem.need_below == 0) & (problem.need_above == 0)
    down, up = np.where(only, sliding, problem.need_below), np.where(only, sliding, problem.need_above)
    near = problem.sensitive & (away < np.maximum(up, 1)) & (away > -np.maximum(down, 1))
    near |= problem.sensitive & release.withheld
    return near, near.copy(), np.zeros_like(near)


def _too_narrow(problem: Problem, proved: Shifts) -> Mask:
    """Cells whose furthest shown values lie closer together than their sliding need."""
    narrow = problem.need_sliding > 0
    end: dict[tuple[int, bool], Fraction] = {}
    for row in np.flatnonzero(narrow[proved.cell]).tolist():
        side = int(proved.cell[row]), bool(proved.up[row])
        end[side] = max(end.get(side, Fraction(0)), proved.distance(row))
    for cell in map(int, np.flatnonzero(narrow)):
        width = sum((end.get((cell, up), Fraction(0)) for up in (True, False)), Fraction(0))
        narrow[cell] = width < int(problem.need_sliding[cell])
    return narrow
