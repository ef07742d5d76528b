"""How far a reader can imagine every cell away from the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .arrays import Frozen, Indices, Ints, Mask, sealed
from .problem import Problem, Role
from .release import Release
from .structure import Structure
from .units import saturating_difference


@dataclass(frozen=True, eq=False)
class Freedom(Frozen):
    """Moves `y` of the true table that a reader cannot exclude: `A y = 0`, `low <= y <= high`."""

    structure: Structure
    low: Ints
    high: Ints

    @classmethod
    def of(cls, problem: Problem, release: Release) -> Freedom:
        """The freedom that a release leaves, cut with what is known beforehand."""
        value = problem.table.value
        low = saturating_difference(np.maximum(release.told_lower, problem.lower), value)
        high = saturating_difference(np.minimum(release.told_upper, problem.upper), value)
        still = problem.role == Role.EMPTY
        return cls(problem.table.structure, np.where(still, 0, low), np.where(still, 0, high))

    @property
    def is_truthful(self) -> bool:
        """Whether the truth itself is among what readers believe possible."""
        return bool((self.low <= 0).all() and (self.high >= 0).all())

    @cached_property
    def free(self) -> Mask:
        """Cells that readers do not know exactly."""
        return sealed(self.low < self.high)

    def tightened(self, cell: Indices, low: Ints, high: Ints) -> Freedom:
        """The freedom of a reader who knows more of some cells."""
        lows, highs = self.low.copy(), self.high.copy()
        np.maximum.at(lows, cell, low)
        np.minimum.at(highs, cell, high)
        return replace(self, low=lows, high=highs)
