"""The minimum frequency rule: enough contributors must stand behind a cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from .rule import Needs


@dataclass(frozen=True)
class ThresholdRule:
    """Unsafe with fewer than `least` contributors; needs `percent` % of the value on both sides."""

    least: int
    percent: int = 10

    def __post_init__(self) -> None:
        if self.least < 1 or self.percent < 0:
            raise InputError(f"Expected a least frequency of 1 or more, got {self.least}.")

    def needs(self, value: Ints, frequency: Ints, contribution: Ints) -> Needs:
        """A share of the value, rounded up; at least one unit where the rule hits."""
        need = np.zeros(len(value), np.int64)
        for cell in np.flatnonzero((frequency > 0) & (frequency < self.least)):
            need[cell] = max(1, -(-self.percent * abs(int(value[cell])) // 100))
        return Needs(need, need.copy())
