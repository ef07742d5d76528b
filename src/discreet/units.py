"""Whole multiples of a unit: how cell values become integers and stay exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation

import numpy as np

from .arrays import Ints
from .errors import InputError

INFINITE = 2**63 - 1
"""A bound that is not there (its negative for a lower one); also the largest sum that is accepted."""


EXACT = Context(prec=80, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""More decimal digits than 2^63 units of any step need."""

FARTHEST = 30
"""Powers of ten of the finest and of the coarsest unit."""


@dataclass(frozen=True)
class Unit:
    """The smallest step of a table's values, such as 1, 0.01 or 1000."""

    step: Decimal = Decimal(1)

    def __post_init__(self) -> None:
        if not (self.step.is_finite() and self.step > 0):
            raise InputError(f"Expected a unit above zero, such as 1 or 0.01, got {self.step}.")
        if abs(self.step.adjusted()) > FARTHEST:
            raise InputError(f"Expected a unit between 1e-{FARTHEST} and 1e{FARTHEST}, got {self.step}.")

    @classmethod
    def parse(cls, text: str) -> Unit:
        """The unit that a text names."""
        return cls(number(text))

    @classmethod
    def finest(cls, numbers: Iterable[Decimal]) -> Unit:
        """The power of ten, at most 1, of which all the numbers are whole multiples."""
        decimals = max((decimal_places(n) for n in numbers), default=0)
        return cls(Decimal((0, (1,), -decimals)))

    def units(self, amount: Decimal, rounding: str | None = None) -> int:
        """How many units an amount is; not a whole number of them is an error unless a rounding is named."""
        quotient = EXACT.divide(amount, self.step)
        if rounding is not None:
            quotient = quotient.to_integral_value(rounding=rounding, context=EXACT)
        if quotient.copy_abs() > INFINITE:
            raise InputError("a value beyond 2^63 - 1 units; declare a coarser unit.")
        whole = int(quotient)
        if whole != quotient:
            raise InputError(
                f"a value that is not a whole multiple of the unit {self}; declare a finer unit."
            )
        return whole

    def amount(self, units: int) -> Decimal:
        """The decimal number behind a number of units."""
        return EXACT.multiply(int(units), self.step)

    def text(self, units: int) -> str:
        """The number as people write it."""
        return format(self.amount(units), "f")

    def __str__(self) -> str:
        return format(self.step, "f")


def number(text: str, decimal_comma: bool = False) -> Decimal:
    """The decimal number that a text writes; a comma counts as decimal sign only where that is said."""
    cleaned = text.strip().replace(",", ".") if decimal_comma else text.strip()
    try:
        value = Decimal(cleaned)
    except InvalidOperation:
        raise InputError("a text that is not a number") from None
    if not value.is_finite():
        raise InputError("a text that is not a finite number")
    return value


def decimal_places(value: Decimal) -> int:
    """Digits after the point that are not trailing zeros."""
    exponent = value.normalize(EXACT).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def saturating_difference(left: Ints, right: Ints) -> Ints:
    """left - right, where an unbounded left stays unbounded and overflow becomes unbounded."""
    with np.errstate(over="ignore"):
        difference = left - right
    up = (left == INFINITE) | ((left >= 0) & (right < 0) & (difference < 0))
    down = (left == -INFINITE) | ((left < 0) & (right > 0) & (difference > 0))
    return np.where(up, INFINITE, np.where(down, -INFINITE, np.maximum(difference, -INFINITE)))
