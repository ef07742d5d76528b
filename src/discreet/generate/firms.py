"""Made-up firms and what they contribute to the finest cells of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import AnyArray, Frozen, Indices, Ints
from ..errors import InputError

SCALE = 1000
"""Units in a typical contribution; contributions are heavy tailed, so that some are a million times that."""

SMALLEST = 2.0**-40
"""The smallest exponential variate that is used, so that no contribution exceeds 2^50 units."""


@dataclass(frozen=True, eq=False)
class Contributions(Frozen):
    """One entry for each firm in a finest cell: the place of its code in every dimension, amount and firm."""

    code: Indices
    amount: Ints
    firm: Indices

    @property
    def firms(self) -> int:
        """Firms have numbers below this one."""
        return int(self.firm.max()) + 1 if len(self.firm) else 0


def draw_contributions(
    rng: np.random.Generator,
    leaves: Sequence[Indices],
    mean: float,
    zeros: float,
    several: float = 0.0,
    scale: int = SCALE,
) -> Contributions:
    """Contributors as the data generator of the British statistical office draws them.

    Their number in each finest cell is Poisson with this mean, and zero in a further share `zeros` of
    the cells; a contribution is -1/log r with r uniform, at least one unit. A share `several` of the
    contributions come from a firm that is already present nearby.

    Serpell, Smith, Clark and Staggemeier (2011), section 2.
    """
    if mean < 0 or not 0 <= zeros <= 1 or not 0 <= several <= 1:
        raise InputError("Expected a mean of 0 or more, and shares between 0 and 1.")
    cells = int(np.prod([len(x) for x in leaves]))
    count = rng.poisson(mean, cells)
    count[rng.random(cells) < zeros] = 0
    cell = np.repeat(np.arange(cells), count)
    places = np.unravel_index(cell, [len(x) for x in leaves])
    code = np.stack([x[p] for x, p in zip(leaves, places, strict=True)], axis=1)
    # -log r is a standard exponential variate
    waited = np.maximum(rng.standard_exponential(len(cell)), SMALLEST)
    amount = np.maximum(np.rint(scale / waited), 1).astype(np.int64)
    return Contributions(code.astype(np.int32), amount, _owners(rng, len(cell), several, mean))


def _owners(rng: np.random.Generator, size: int, several: float, mean: float) -> Indices:
    """A firm for each contribution: its own, or the one behind an earlier contribution a few cells away."""
    own = np.arange(size)
    if several:
        reach = max(2, int(8 * mean))
        earlier = np.maximum(own - rng.integers(1, reach + 1, size), 0)
        own = np.where(rng.random(size) < several, earlier, own)
    while (own[own] != own).any():
        own = own[own]
    return consecutive(own)


def consecutive(number: AnyArray) -> Indices:
    """The same groups under the numbers 0, 1, 2 and so on."""
    return np.unique(number, return_inverse=True)[1].astype(np.int32)
