"""The auditor: attacks a release as snoopers would, and proves what withstands.

It knows nothing of how the release was made. Witnesses come from the method's hints, from propagation's
leavings by joint programs, and from a program for each cell that is left; the judge then looks at the
witnesses alone. What no program could show is exposed, and its reach is found.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from .arrays import Frozen, Ints, Mask
from .attack.search import Goals, Search, Unsettled
from .freedom import Freedom
from .implicit import judges_implicit
from .judgement import Judgement, judge
from .limits import Limits, Unwatched, Watch
from .problem import Problem
from .release import Release
from .witnesses import Witnesses, check

ReachOf = Literal["nothing", "exposed", "withheld"]


@dataclass(frozen=True)
class Reach:
    """How far below and above the truth a cell may still lie for all that readers know; None: any way."""

    cell: int
    below: Fraction | None
    above: Fraction | None


@dataclass(frozen=True, eq=False)
class Audit(Frozen):
    """The verdict on a release, and the certificates that prove it."""

    judgement: Judgement
    certificates: Witnesses
    criterion: str
    sensitive: int
    reach: tuple[Reach, ...]
    judged: dict[str, bool] = field(default_factory=dict)

    @property
    def is_safe(self) -> bool:
        """Proved safe."""
        return self.judgement.is_safe

    @property
    def is_additive(self) -> bool:
        """Everything shown adds up."""
        return self.judgement.is_additive

    @property
    def is_truthful(self) -> bool:
        """Every told interval holds the truth."""
        return self.judgement.is_truthful

    @property
    def exposed(self) -> Ints:
        """The cells that are not proved to be protected."""
        return np.flatnonzero(self.judgement.exposed)

    @property
    def certified(self) -> int:
        """How many sensitive cells are proved to be protected."""
        return self.sensitive - len(self.exposed)

    @property
    def grade(self) -> str:
        """What the proof rests on: `exact` witnesses, the classical `distance`, or nothing (`exposed`)."""
        if not self.is_safe:
            return "exposed"
        return "exact" if self.criterion == "interval" else "distance"


def audit(
    problem: Problem,
    release: Release,
    *,
    hints: Witnesses | None = None,
    insiders: bool = True,
    implicit: bool = True,
    reach: ReachOf = "exposed",
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> Audit:
    """Attacks a release and says what withstands."""
    problem.refuse_impossible()
    limits, watch = limits or Limits(), watch or Unwatched()
    freedom = Freedom.of(problem, release)
    witnesses = Witnesses.none()
    verdict = judge(problem, release, witnesses, insiders=insiders, implicit=implicit)
    if release.criterion == "interval" and verdict.is_truthful:
        search = _search(problem, freedom, limits, watch)
        if hints is not None:
            sound = check(hints, freedom, problem.whole)
            search.take(hints.take(np.flatnonzero(sound.upright)), everything=True)
        if search.goals.left:
            search.rule_out()
            search.walk()
            search.joint()
            search.singles()
        witnesses = search.witnesses
        verdict = judge(problem, release, witnesses, insiders=insiders, implicit=implicit)
        verdict, witnesses = _widen(search, verdict, (problem, release, insiders, implicit))
        verdict, witnesses = _close_gaps(search, verdict, (problem, release, insiders, implicit))
    wanted = _wanted(reach, verdict, freedom)
    return Audit(
        judgement=verdict,
        certificates=witnesses,
        criterion=release.criterion,
        sensitive=int(problem.sensitive.sum()),
        reach=_reaches(problem, freedom, wanted, limits, watch),
        judged={
            "insiders": insiders and problem.table.has_contributors,
            "implicit": implicit and judges_implicit(problem),
        },
    )


Case = tuple[Problem, Release, bool, bool]


def _search(problem: Problem, freedom: Freedom, limits: Limits, watch: Watch) -> Search:
    goals = Goals(*problem.goals)
    return Search(
        freedom, goals, whole=problem.whole, seed=limits.seed, threads=limits.threads or 1, watch=watch
    )


def _widen(search: Search, verdict: Judgement, case: Case) -> tuple[Judgement, Witnesses]:
    """Looks for the two ends of cells whose sliding need is not met half on each side."""
    problem = case[0]
    uneven = verdict.sliding | ((verdict.below | verdict.above) & (problem.need_sliding > 0))
    for cell in np.flatnonzero(uneven):
        for up in (True, False):
            search.stretch(int(cell), up, _enough(problem, int(cell)))
    return (_again(search, case) if uneven.any() else verdict), search.witnesses


def _close_gaps(search: Search, verdict: Judgement, case: Case) -> tuple[Judgement, Witnesses]:
    """Looks for witnesses that move nothing an insider knows: first for all of them, then for each."""
    tried: set[tuple[int, bool]] = set()
    for gap in verdict.gaps:
        if (gap.cell, gap.up) not in tried:
            tried.add((gap.cell, gap.up))
            common = verdict.insiders.common_freedom(search.freedom, gap.cell)
            search.show(gap.cell, gap.up, gap.need, common)
    if tried:
        verdict = _again(search, case)
        for gap in verdict.gaps:
            known = verdict.insiders.freedom(gap.reader, search.freedom)
            search.show(gap.cell, gap.up, gap.need, known)
        verdict = _again(search, case) if verdict.gaps else verdict
    uneven = {(gap.reader, gap.cell) for gap in verdict.gaps if case[0].need_sliding[gap.cell]}
    for reader, cell in sorted(uneven):
        known = verdict.insiders.freedom(reader, search.freedom)
        for up in (True, False):
            search.stretch(cell, up, _enough(case[0], cell), known)
    return (_again(search, case) if uneven else verdict), search.witnesses


def _enough(problem: Problem, cell: int) -> int:
    """A move to one side that leaves nothing to ask for on that side."""
    return int(max(problem.need_sliding[cell], problem.need_below[cell], problem.need_above[cell]))


def _again(search: Search, case: Case) -> Judgement:
    problem, release, insiders, implicit = case
    return judge(problem, release, search.witnesses, insiders=insiders, implicit=implicit)


def _wanted(reach: ReachOf, verdict: Judgement, freedom: Freedom) -> Mask:
    if reach == "withheld":
        return freedom.free
    everywhere = verdict.below | verdict.above | verdict.sliding
    return everywhere if reach == "exposed" else np.zeros_like(everywhere)


def _reaches(
    problem: Problem, freedom: Freedom, wanted: Mask, limits: Limits, watch: Watch
) -> tuple[Reach, ...]:
    """The exact reach of some cells, two programs each where anything can move, unless it stays unsettled."""
    cells = np.flatnonzero(wanted)
    if not len(cells) or not freedom.is_truthful:
        return ()
    search = _search(problem, freedom, limits, watch)
    result = []
    for done, cell in enumerate(cells):
        if watch.stopped():
            break
        with suppress(Unsettled):
            below, above = (search.reach(int(cell), up) for up in (False, True))
            result.append(Reach(int(cell), below, above))
        watch.progress("reach of cells", done + 1, len(cells))
    return tuple(result)
