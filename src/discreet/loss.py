"""What protection costs the readers of a table, measured in the same way for every method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .arrays import Floats, Indices, Ints, Mask
from .problem import Problem
from .release import Release
from .units import INFINITE, saturating_difference


@dataclass(frozen=True)
class Share:
    """What was lost in a part of the table, or in all of it.

    `withheld`, `value` (without signs) and `weight` are of cells whose value is not shown, `primary`
    those of them that are sensitive. `changed` counts shown cells that differ from the truth;
    `mean_change` and `largest_change` are their distances from it, in units, and the relative ones leave
    out the cells that were zero.
    """

    cells: int
    withheld: int
    primary: int
    value: int
    weight: float
    changed: int
    mean_change: float | None
    largest_change: int
    mean_relative: float | None
    largest_relative: float | None

    @property
    def secondary(self) -> int:
        """Withheld cells that are not sensitive themselves."""
        return self.withheld - self.primary


@dataclass(frozen=True)
class Correlation:
    """Between the truth and what is shown; nothing where either does not vary, or too little is shown."""

    every: float | None
    sensitive: float | None
    others: float | None


@dataclass(frozen=True)
class Width:
    """Intervals told instead of values, cut with what is known beforehand, in units."""

    cells: int
    unbounded: int
    mean: float | None


@dataclass(frozen=True)
class Loss:
    """What a release withholds and changes: overall, and by level of each dimension, from the total down.

    All of it but the numbers of cells is confidential: who knows what the withheld values sum to has one
    equation more.
    """

    overall: Share
    by_level: Mapping[str, tuple[Share, ...]]
    correlation: Correlation
    width: Width

    def as_dict(self) -> dict[str, Any]:
        """Everything, for the statistician's account."""
        return {
            **_account(self.overall),
            "correlation": asdict(self.correlation),
            "width": asdict(self.width),
            "by_level": {name: [_account(s) for s in shares] for name, shares in self.by_level.items()},
        }

    def as_public_dict(self) -> dict[str, Any]:
        """What every reader can count."""
        return {
            "cells": self.overall.cells,
            "withheld": self.overall.withheld,
            "by_level": {
                name: [{"cells": s.cells, "withheld": s.withheld} for s in shares]
                for name, shares in self.by_level.items()
            },
        }


def _account(share: Share) -> dict[str, Any]:
    return {**asdict(share), "secondary": share.secondary}


def measure(problem: Problem, release: Release) -> Loss:
    """The loss of a release of this problem."""
    tally = _Tally.of(problem, release)
    everywhere = np.zeros(problem.size, np.int32)
    structure = problem.table.structure
    by_level = {}
    if structure.code is not None:
        for dimension, place in zip(structure.dimensions, structure.code.T, strict=True):
            level = dimension.canonical_level[place]
            by_level[dimension.name] = tuple(
                tally.share(level, here) for here in range(int(level.max(initial=-1)) + 1)
            )
    return Loss(
        tally.share(everywhere, 0), by_level, _correlations(problem, release), _width(problem, release)
    )


@dataclass(frozen=True, eq=False)
class _Tally:
    """Withheld cells and changed cells, and what each of them costs."""

    withheld: Ints
    value: Ints
    weight: Floats
    primary: Mask
    changed: Ints
    distance: Ints
    truth: Ints

    @classmethod
    def of(cls, problem: Problem, release: Release) -> _Tally:
        value = problem.table.value
        withheld = np.flatnonzero(release.withheld)
        changed = np.flatnonzero(~release.withheld & (release.shown != value))
        return cls(
            withheld=withheld,
            value=np.abs(value[withheld]),
            weight=problem.weight[withheld],
            primary=problem.sensitive[withheld],
            changed=changed,
            distance=np.abs(saturating_difference(release.shown[changed], value[changed])),
            truth=np.abs(value[changed]),
        )

    def share(self, level: Indices, here: int) -> Share:
        """What is lost in the cells of one level."""
        lost, moved = level[self.withheld] == here, level[self.changed] == here
        distance, truth = self.distance[moved], self.truth[moved]
        relative = distance[truth > 0] / truth[truth > 0]
        return Share(
            cells=int(np.count_nonzero(level == here)),
            withheld=int(np.count_nonzero(lost)),
            primary=int(np.count_nonzero(self.primary[lost])),
            value=_sum(self.value[lost]),
            weight=float(self.weight[lost].sum()),
            changed=len(distance),
            mean_change=_sum(distance) / len(distance) if len(distance) else None,
            largest_change=int(distance.max(initial=0)),
            mean_relative=float(relative.mean()) if len(relative) else None,
            largest_relative=float(relative.max()) if len(relative) else None,
        )


def _sum(number: Ints) -> int:
    """The exact sum of numbers of zero or more, however many."""
    return (int((number >> 32).sum()) << 32) + int((number & (2**32 - 1)).sum())


def _correlations(problem: Problem, release: Release) -> Correlation:
    shown = ~release.withheld
    value, published = problem.table.value, release.shown
    every, sensitive, others = (
        _correlation(value[part], published[part])
        for part in (shown, shown & problem.sensitive, shown & ~problem.sensitive)
    )
    return Correlation(every, sensitive, others)


def _correlation(left: Ints, right: Ints) -> float | None:
    if not len(left) or (left == left[0]).all() or (right == right[0]).all():
        return None
    x, y = left.astype(np.float64), right.astype(np.float64)
    x -= x.mean()
    y -= y.mean()
    spread = float(np.sqrt((x @ x) * (y @ y)))
    return min(1.0, max(-1.0, float(x @ y) / spread)) if spread else None


def _width(problem: Problem, release: Release) -> Width:
    told = release.told_lower < release.told_upper
    if release.criterion == "distance":
        return Width(0, 0, None)
    low = np.maximum(release.told_lower, problem.lower)[told]
    high = np.minimum(release.told_upper, problem.upper)[told]
    open_ended = (low == -INFINITE) | (high == INFINITE)
    bounded = np.maximum(saturating_difference(high, low)[~open_ended], 0)
    mean = _sum(bounded) / len(bounded) if len(bounded) else None
    return Width(len(low), int(np.count_nonzero(open_ended)), mean)
