"""What the reader of a published table is told of every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .arrays import Frozen, Ints, Mask
from .errors import InputError
from .problem import Problem, Role
from .units import INFINITE, saturating_difference


@dataclass(frozen=True, eq=False)
class Release(Frozen):
    """A value or nothing for each cell, and the interval that the reader is told holds the truth.

    By the criterion `interval`, readers must not be able to narrow a sensitive cell too far. By
    `distance`, nothing is told and each sensitive cell must lie its need away from the truth. `told`
    is the sentence behind the intervals, such as `{"kind": "rounded", "base": 5, "window": 0}`.
    """

    shown: Ints
    withheld: Mask
    told_lower: Ints
    told_upper: Ints
    criterion: Literal["interval", "distance"] = "interval"
    told: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def raw(cls, problem: Problem) -> Release:
        """Everything published as it is."""
        value = problem.table.value
        return cls(value, np.zeros(problem.size, np.bool_), value, value, told={"kind": "raw"})

    @classmethod
    def suppressed(cls, problem: Problem, withheld: Mask) -> Release:
        """Some cells withheld, the others as they are."""
        withheld = np.asarray(withheld, np.bool_)
        refused = np.flatnonzero(withheld & ~problem.withholdable)
        if len(refused):
            names = problem.table.structure.names(refused)
            raise InputError(
                f"{len(refused)} cells are withheld that must be published or are empty: {names}."
            )
        value = problem.table.value
        return cls(
            shown=np.where(withheld, 0, value),
            withheld=withheld,
            told_lower=np.where(withheld, -INFINITE, value),
            told_upper=np.where(withheld, INFINITE, value),
            told={"kind": "suppressed"},
        )

    @classmethod
    def rounded(
        cls, problem: Problem, shown: Ints, base: int, window: int = 0, nearest: bool = False
    ) -> Release:
        """Multiples of a base: next to the truth, or up to `window` bases further; or always the nearest."""
        if base < 2:
            raise InputError(f"Expected base >= 2, got {base}.")
        if window < 0:
            raise InputError(f"Expected window >= 0, got {window}.")
        reach = base // 2 if nearest else (window + 1) * base - 1
        told = {"kind": "rounded", "base": base, "window": window, "nearest": nearest}
        return cls._around(problem, shown, reach, told)

    @classmethod
    def adjusted(cls, problem: Problem, shown: Ints, within: int | None = None) -> Release:
        """Changed values; the truth is announced to lie `within` so many units, or nothing is announced."""
        if within is None:
            nowhere = np.full(problem.size, INFINITE)
            hidden = np.zeros(problem.size, np.bool_)
            return cls(shown, hidden, -nowhere, nowhere, "distance", {"kind": "adjusted"})
        if within < 0:
            raise InputError(f"Expected an announced range of 0 or more, got {within}.")
        return cls._around(problem, shown, within, {"kind": "adjusted", "within": within})

    @classmethod
    def _around(cls, problem: Problem, shown: Ints, reach: int, told: Mapping[str, object]) -> Release:
        shown = np.asarray(shown, np.int64)
        still = problem.role == Role.EMPTY
        spread = np.where(still, 0, reach)
        low, high = saturating_difference(shown, spread), saturating_difference(shown, -spread)
        return cls(shown, np.zeros(problem.size, np.bool_), low, high, told=told)
