"""What the rules look at: who stands behind each cell, and with how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .arrays import AnyArray, Bytes, Frozen, Ints
from .errors import InputError

Level = Literal["record", "holding"]
LEVELS: tuple[Level, ...] = ("record", "holding")

ASKED_FIRST, ASKED_SECOND = 1, 2
"""Bits of a request: a contributor asked for confidentiality with the first code, with the second."""

ROOM = 2**62
"""Products below this are taken in 64 bits; beyond, in Python's own integers."""


@dataclass(frozen=True, eq=False)
class Evidence(Frozen):
    """Contributions to every cell at one level: records, or the holdings that records add up to.

    `total` is what all contributions add up to, in units of the table; that may be another variable than
    the one that is published, the shadow of it. `contribution[i, k]` is one of the largest, the largest
    first, padded with zeros. With sampling weights a contribution stands for `times[i, k] / copies` equal
    ones, `total` is `times` times `contribution` summed up, and `heads` the same of the contributors:
    all three then count in parts of one contributor, `copies` parts each. `request[i, k]` says how a
    contributor asked for confidentiality (bits), `requests[i]` how any of them did.
    """

    total: Ints
    count: Ints
    contribution: Ints
    times: Ints | None = None
    copies: int = 1
    heads: Ints | None = None
    request: Bytes | None = None
    requests: Bytes | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.contribution[:, 1:] > self.contribution[:, :-1]).any():
            raise InputError("Expected the contributions to each cell with the largest first.")

    @property
    def listed(self) -> int:
        """How many contributions are listed for each cell at the most."""
        return int(self.contribution.shape[1])

    @property
    def contributors(self) -> Ints:
        """How many contributors there are, in parts of one (`copies` parts each)."""
        return self.count * self.copies if self.heads is None else self.heads

    def largest(self, number: int) -> AnyArray:
        """The sum of so many largest contributions in units of the table, each copy counting as one."""
        if self.times is None:
            return self.contribution[:, :number].sum(axis=1) * self.copies
        left = np.full(len(self.total), number * self.copies, np.int64)
        result: AnyArray = np.zeros(len(self.total), np.int64)
        for k in range(self.listed):
            taken = np.minimum(left, self.times[:, k])
            result = exact_sum(result, exact_product(self.contribution[:, k], taken))
            left = left - taken
        return result


def exact_product(number: AnyArray, factor: AnyArray | int) -> AnyArray:
    """Products that stay exact: Python's own integers where int64 might overflow."""
    size, times = (_size(a) for a in (number, factor))
    wide = size * times >= ROOM
    return (number.astype(object) if wide else number) * factor


def exact_sum(left: AnyArray, right: AnyArray) -> AnyArray:
    """Sums that stay exact."""
    wide = _size(left) + _size(right) >= ROOM
    return (left.astype(object) if wide else left) + right


def _size(number: AnyArray | int) -> int:
    if isinstance(number, int):
        return abs(number)
    return max(abs(int(number.max(initial=0))), abs(int(number.min(initial=0))))
