"""The p % rule: the second largest contributor must not come within p % of the largest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import AnyArray, Ints
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
        listed = contribution[:, :2]
        remainder = value - listed.sum(axis=1)
        missing = self.percent * _exact(listed[:, 0], self.percent) - 100 * _exact(remainder, 100)
        need = np.where((frequency > 0) & (missing > 0), -(-missing // 100), 0).astype(np.int64)
        return Needs(need, need.copy())


def _exact(number: Ints, factor: int) -> AnyArray:
    """Numbers whose difference of products stays exact: Python's own where int64 would overflow."""
    wide = int(np.abs(number).max(initial=0)) >= 2**62 // factor
    return number.astype(object) if wide else number
