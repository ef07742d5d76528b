"""Texts that write numbers, read exactly and turned into whole units."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np

from ..arrays import Floats, Ints, Mask
from ..errors import InputError
from ..units import FARTHEST, INFINITE, Unit
from .columns import Column

DIGITS = 18
"""So many digits always fit into 64 bits."""
LONGEST = 40
"""Texts longer than this are read one by one."""
EXTREME = 350
"""Powers of ten beyond this are not even doubles."""
EXACT_FLOAT = 2**53
POWERS = np.array([10.0**power for power in range(DIGITS + 1)])
MOST_DIGITS = 1000

Rounding = Literal["refuse", "up", "down"]


@dataclass(frozen=True, eq=False)
class Decimals:
    """The numbers in a column: `mantissa * 10**-places`, or one of the `large` numbers that do not fit.

    `which[row]` is the place of a row's number among the large ones, -1 for all others.
    """

    column: Column
    mantissa: Ints
    places: Ints
    which: Ints
    large: tuple[Decimal, ...] = ()

    @classmethod
    def of(cls, column: Column, unbounded: bool = False) -> Decimals:
        """Read a column; blanks count as zero. `unbounded` also reads infinities, as bounds may be."""
        mantissa, places, plain = _plain_numbers(column)
        which = np.full(len(column), -1, np.int64)
        rows = np.flatnonzero(~plain)
        large: tuple[Decimal, ...] = ()
        if len(rows):
            samples, kind = column.distinct(rows)
            large = tuple(_unusual_number(column, row, unbounded) for row in samples)
            short = [_shortened(number) for number in large]
            fits = np.array([s is not None for s in short])[kind]
            which[rows] = np.where(fits, -1, kind)
            mantissa[rows] = np.array([s[0] if s else 0 for s in short])[kind]
            places[rows] = np.array([s[1] if s else 0 for s in short])[kind]
        _strip_zeros(mantissa, places)
        return cls(column, mantissa, places, which, large)

    def finest(self) -> Unit:
        """The coarsest power of ten, at most 1, of which all the numbers are whole multiples."""
        places = self.places.copy()
        powers = [-_parts(number)[1] if number.is_finite() else 0 for number in self.large]
        for row in np.flatnonzero(self.which >= 0) if max(powers, default=0) > 0 else ():
            places[row] = powers[self.which[row]]
        decimals = int(places.max(initial=0))
        if decimals > FARTHEST:
            expected = f"expected at most {FARTHEST} decimal places, found more. Round the column."
            raise self.column.wrong(int(places.argmax()), expected)
        return Unit(Decimal(1).scaleb(-max(decimals, 0)))

    def units(self, unit: Unit, rounding: Rounding = "refuse", saturate: bool = False) -> Ints:
        """How many units each number is.

        Fractions of a unit are refused, or rounded up or down; numbers beyond 64 bits are refused, or
        become unbounded.
        """
        scaled, fits = self._scaled(unit, rounding)
        rows = np.flatnonzero(~fits)
        if len(rows):
            samples, kind = self.column.distinct(rows)
            alone = [self._scaled_alone(row, unit, rounding, saturate) for row in samples]
            scaled[rows] = np.array(alone, np.int64)[kind]
        return scaled

    def floats(self) -> Floats:
        """The nearest double to each number."""
        number = self.mantissa / POWERS[self.places]
        for row in np.flatnonzero((np.abs(self.mantissa) > EXACT_FLOAT) | (self.which >= 0)).tolist():
            number[row] = float(self._number(row))
        return np.asarray(number, np.float64)

    def refuse(self, wrong: Mask, expected: str) -> None:
        """An error that names the first of some rows."""
        rows = np.flatnonzero(wrong)
        if len(rows):
            raise self.column.wrong(int(rows[0]), expected)

    @property
    def negative(self) -> Mask:
        """Numbers below zero."""
        below = np.array([number < 0 for number in self.large] + [False])
        return np.asarray((self.mantissa < 0) | below[self.which])

    def _number(self, row: int) -> Decimal:
        if self.which[row] >= 0:
            return self.large[int(self.which[row])]
        return Decimal(int(self.mantissa[row])).scaleb(-int(self.places[row]))

    def _scaled(self, unit: Unit, rounding: Rounding) -> tuple[Ints, Mask]:
        step, power = _parts(unit.step)
        shift = -self.places - power
        up, down = np.clip(shift, 0, DIGITS), np.clip(-shift, 0, DIGITS)
        factor, divisor = 10**up, 10**down
        fits = (np.abs(shift) <= DIGITS) & (np.abs(self.mantissa) <= INFINITE // factor)
        fits &= (divisor <= INFINITE // step) & (self.which < 0)
        divisor = np.where(fits, divisor * min(step, INFINITE), 1)
        whole, rest = np.divmod(np.where(fits, self.mantissa * factor, 0), divisor)
        if rounding == "refuse":
            self.refuse(rest != 0, _not_a_multiple(unit))
        if rounding == "up":
            whole += rest != 0
        return whole, fits

    def _scaled_alone(self, row: int, unit: Unit, rounding: Rounding, saturate: bool) -> int:
        amount = self._number(row)
        if not amount.is_finite():
            return INFINITE if amount > 0 else -INFINITE
        ratio = Fraction(amount) / Fraction(unit.step)
        whole = ratio.numerator // ratio.denominator
        if whole != ratio and rounding == "refuse":
            raise self.column.wrong(row, _not_a_multiple(unit))
        whole += whole != ratio and rounding == "up"
        if abs(whole) > INFINITE and not saturate:
            raise self.column.wrong(row, f"a number beyond 2^63 - 1 units of {unit}. Declare a coarser unit.")
        return max(-INFINITE, min(INFINITE, whole))


def _not_a_multiple(unit: Unit) -> str:
    return (
        f"expected whole multiples of the unit {unit}, found a fraction of it. "
        "Declare a finer unit, or round the column first."
    )


def _parts(number: Decimal) -> tuple[int, int]:
    """A finite number as a whole number times a power of ten, without zeros at its end."""
    sign, digits, exponent = number.as_tuple()
    whole = int("".join(map(str, digits)))
    power = exponent if isinstance(exponent, int) else 0
    while whole and whole % 10 == 0:
        whole //= 10
        power += 1
    return (-whole if sign else whole), (power if whole else 0)


def _plain_numbers(column: Column) -> tuple[Ints, Ints, Mask]:
    """Numbers written as digits with one decimal sign and a sign, and which texts are of that kind."""
    n = len(column)
    mantissa, places = np.zeros(n, np.int64), np.zeros(n, np.int64)
    first = column.character(0) if n else np.zeros(0, np.uint8)
    signed = (first == ord("-")) | (first == ord("+"))
    plain = column.length <= LONGEST
    digits, after = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    significant = np.zeros(n, np.int8)
    for place in range(int(column.length[plain].max(initial=0))):
        character = column.character(place)
        inside = place < column.length
        digit = character - np.uint8(ord("0"))
        is_digit = digit < 10
        mark = (character == ord(".")) & ~after
        plain &= is_digit | mark | ~inside | (signed if place == 0 else False)
        taken = is_digit & plain
        significant += taken & ((mantissa > 0) | (digit > 0))
        plain &= significant <= DIGITS
        taken &= plain
        mantissa = np.where(taken, mantissa * 10 + digit, mantissa)
        places += taken & after
        digits |= taken
        after |= mark
    plain &= digits | column.blank
    plain &= places <= DIGITS
    return np.where(first == ord("-"), -mantissa, mantissa), places, plain


def _unusual_number(column: Column, row: int, unbounded: bool) -> Decimal:
    """A number with an exponent or with many digits."""
    text = column.text(row)
    try:
        number = Decimal(text)
    except ArithmeticError:
        sign = " with a point as decimal sign (a comma must be asked for)" if "," in text else ""
        raise column.wrong(row, f"expected a number{sign}, found another text.") from None
    if number.is_nan() or (number.is_infinite() and not unbounded) or "_" in text:
        raise column.wrong(row, "expected a number, found none (such as NaN or infinity).")
    if number.is_finite() and number and not -EXTREME < number.adjusted() < EXTREME:
        if unbounded and number.adjusted() > 0:
            return Decimal("Infinity").copy_sign(number)
        raise column.wrong(row, "expected a number of usual size, found one far too large or too small.")
    if len(number.as_tuple().digits) > MOST_DIGITS:
        raise column.wrong(row, f"expected a number of at most {MOST_DIGITS} digits, found a longer one.")
    return number


def _shortened(number: Decimal) -> tuple[int, int] | None:
    """Mantissa and decimal places of a number that fits into 64 bits after all."""
    if not number.is_finite():
        return None
    whole, power = _parts(number)
    whole *= 10 ** max(0, power)
    return (whole, max(0, -power)) if abs(whole) < 10**DIGITS and power >= -DIGITS else None


def _strip_zeros(mantissa: Ints, places: Ints) -> None:
    rows = np.flatnonzero(places)
    while len(rows):
        rows = rows[mantissa[rows] % 10 == 0]
        mantissa[rows] //= 10
        places[rows] -= 1
        rows = rows[places[rows] > 0]


def as_unit(unit: Unit | str | int | Decimal | None) -> Unit | None:
    """A unit from what a caller may name it by."""
    if unit is None or isinstance(unit, Unit):
        return unit
    try:
        return Unit.parse(str(unit))
    except InputError as problem:
        raise InputError(f"Expected a unit such as 1 or 0.01: {problem}") from None
