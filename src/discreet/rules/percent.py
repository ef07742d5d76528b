"""The p % rule: the second largest contributor must not come within p % of the largest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from .rule import Needs


@dataclass(frozen=True)
class PercentRule:
    """Unsafe when what remains without the two largest is less than `percent` % of the largest."""

    percent: int

    def __post_init__(self) -> None:
        if self.percent <= 0:
            raise InputError(f"Expected a percentage above 0, got {self.percent}.")

    def needs(self, value: Ints, frequency: Ints, contribution: Ints) -> Needs:
        """What is missing to p % of the largest, rounded up; at least one unit where the rule hits."""
        need = np.zeros(len(value), np.int64)
        for cell in np.flatnonzero(frequency > 0):
            listed = [int(x) for x in contribution[cell, :2]]
            missing = self.percent * listed[0] - 100 * (int(value[cell]) - sum(listed))
            if missing > 0:
                need[cell] = -(-missing // 100)
        return Needs(need, need.copy())
