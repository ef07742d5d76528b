"""What every rule answers."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from ..arrays import AnyArray, Ints, Mask
from ..evidence import Evidence, Level


class Needs(NamedTuple):
    """Protection needed below and above, in units; zero on both sides where a rule finds nothing."""

    below: Ints
    above: Ints


class Rule(Protocol):
    """A frozen dataclass of numbers that judges cells by who stands behind them.

    `level` is the one at which it looks at contributors: records or holdings.
    """

    @property
    def level(self) -> Level:
        """Whom it takes for one contributor."""
        ...

    @property
    def listed(self) -> int:
        """How many of the largest contributions it has to see."""
        ...

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        ...

    def needs(self, evidence: Evidence) -> Needs:
        """The protection that each cell needs, in units of the evidence's total."""
        ...


def rounded_up(missing: AnyArray, over: int, hit: Mask) -> Ints:
    """What is missing, a fraction of so many parts, as whole units; at least one where the rule hits."""
    whole = np.maximum(-(-missing // over), 1)
    return np.where(hit, whole, 0).astype(np.int64)
