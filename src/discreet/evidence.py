"""What the rules look at: who stands behind each cell, and with how much."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from .arrays import AnyArray, Bytes, Frozen, Ints, Mask
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
    the one that is published, the shadow of it: needs are then carried to the published `value` in
    proportion. `contribution[i, k]` is one of the largest, the largest first, padded with zeros at the
    end. With sampling weights a contribution stands for `times[i, k] / copies` equal ones, `total` is
    `times` times `contribution` summed up, and `heads` the same of the contributors: all three then count
    in parts of one contributor, `copies` parts each. `request[i, k]` says how a contributor asked for
    confidentiality (bits), `requests[i]` how any of them did. `below_zero` marks cells with a contribution
    below zero, listed or not; where every contribution was taken as its absolute value there is none.
    """

    total: AnyArray
    count: Ints
    contribution: Ints
    times: Ints | None = None
    copies: int = 1
    heads: AnyArray | None = None
    request: Bytes | None = None
    requests: Bytes | None = None
    below_zero: Mask | None = None
    value: Ints | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        before, after = self.contribution[:, :-1], self.contribution[:, 1:]
        if ((after > before) & (after != 0)).any():
            raise InputError("Expected the contributions to each cell with the largest first.")

    @property
    def listed(self) -> int:
        """How many contributions are listed for each cell at the most."""
        return int(self.contribution.shape[1])

    @property
    def contributors(self) -> AnyArray:
        """How many contributors there are, in parts of one (`copies` parts each)."""
        return self.count * self.copies if self.heads is None else self.heads

    @property
    def rest(self) -> AnyArray:
        """What the contributions add up to that are not listed."""
        left = self.total
        for k in range(self.listed):
            left = exact_sum(left, -exact_product(self.contribution[:, k], self._times(k)))
        return left

    @property
    def negative(self) -> Mask:
        """Cells where something is known to be below zero: a contribution, or the sum of unlisted ones."""
        found = (self.contribution < 0).any(axis=1) | (self.rest < 0)
        return np.asarray(found if self.below_zero is None else found | self.below_zero, np.bool_)

    def largest(self, number: int) -> AnyArray:
        """The sum of so many largest contributions in parts of one contributor, as the total is."""
        left: AnyArray = np.full(len(self.total), number * self.copies, np.int64)
        result: AnyArray = np.zeros(len(self.total), np.int64)
        for k in range(self.listed):
            if not left.any():
                break
            taken = np.minimum(left, self._times(k))
            result = exact_sum(result, exact_product(self.contribution[:, k], taken))
            left = left - taken
        return result

    def lacks(self, number: int) -> Mask:
        """Cells whose so many largest contributions are not all listed."""
        seen: AnyArray = np.zeros(len(self.total), np.int64)
        for k in range(self.listed):
            seen = seen + np.where(self.contribution[:, k] > 0, self._times(k), 0)
        return np.asarray((seen < number * self.copies) & (self.rest > 0), np.bool_)

    @property
    def unlisted(self) -> Mask:
        """Cells with contributors who are not listed."""
        return np.asarray((self.count > self.listed) | (self.rest != 0), np.bool_)

    def absolute(self) -> Evidence:
        """The same in absolute values; all contributions have to be listed where any is negative."""
        size = np.abs(self.contribution)
        order = np.argsort(-size, axis=1, kind="stable")
        listed: AnyArray = np.zeros(len(self.total), np.int64)
        for k in range(self.listed):
            listed = exact_sum(listed, exact_product(size[:, k], self._times(k)))
        total = np.where(self.negative, listed, self.total)
        return replace(
            self,
            total=total,
            contribution=np.take_along_axis(size, order, axis=1),
            times=None if self.times is None else np.take_along_axis(self.times, order, axis=1),
            request=None if self.request is None else np.take_along_axis(self.request, order, axis=1),
            below_zero=None,
        )

    def _times(self, k: int) -> AnyArray:
        """For how many parts of one contributor each of the k-th largest stands."""
        return np.full(len(self.total), self.copies) if self.times is None else self.times[:, k]


def exact_product(number: AnyArray, factor: AnyArray | int) -> AnyArray:
    """Products that stay exact: Python's own integers where int64 might overflow."""
    wide = max(_size(number), 1) * max(_size(factor), 1) >= ROOM
    return (number.astype(object) if wide else number) * factor


def exact_sum(left: AnyArray, right: AnyArray) -> AnyArray:
    """Sums that stay exact."""
    wide = _size(left) + _size(right) >= ROOM
    return (left.astype(object) if wide else left) + right


def exact_ceiling(parts: AnyArray, over: AnyArray | int) -> AnyArray:
    """Quotients, rounded up."""
    wide = isinstance(over, int) and over >= ROOM
    return -(-(parts.astype(object) if wide else parts) // over)


def _size(number: AnyArray | int) -> int:
    if isinstance(number, int):
        return abs(number)
    return max(abs(int(number.max(initial=0))), abs(int(number.min(initial=0))))
