"""Whole units written as decimal numbers, many at a time."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Floats, Ints
from ..units import INFINITE, Unit

if TYPE_CHECKING:
    import pyarrow as pa

EXACT_FLOAT = 2**53


def plain_amounts(units: Ints, unit: Unit) -> pa.StringArray:
    """Each number of units as people write it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    _, digits, exponent = unit.step.normalize().as_tuple()
    if digits != (1,) or not isinstance(exponent, int) or exponent > 0 or exponent < -18:
        return pa.array([unit.text(n) for n in units.tolist()], pa.string())
    if exponent == 0:
        return pa.array(units).cast(pa.string())
    whole, part = np.divmod(np.abs(units), 10**-exponent)
    minus = pa.array(np.where(units < 0, "-", "").tolist() if (units < 0).any() else [""] * len(units))
    decimals = pc.utf8_lpad(pa.array(part).cast(pa.string()), width=-exponent, padding="0")
    joined = pc.binary_join_element_wise(minus, pa.array(whole).cast(pa.string()), "")
    return pc.binary_join_element_wise(joined, decimals, ".")


def bounds(units: Ints, unit: Unit) -> pa.StringArray:
    """Amounts, where a bound that is not there is a number beyond any that a cell can take."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = plain_amounts(np.where(np.abs(units) == INFINITE, 0, units), unit)
    beyond = nowhere(unit)
    for end, text in ((INFINITE, beyond), (-INFINITE, f"-{beyond}")):
        texts = pc.if_else(pa.array(units == end), text, texts)
    return texts


def nowhere(unit: Unit) -> str:
    """A number that reads as unbounded in a unit, and in every unit that is finer."""
    return format(INFINITE * max(unit.step, Decimal(1)), "f")


def plain_floats(numbers: Floats) -> pa.StringArray:
    """The shortest text that reads back as each number, without an exponent where that is a whole number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = (np.floor(numbers) == numbers) & (np.abs(numbers) < EXACT_FLOAT)
    as_whole = pa.array(np.where(whole, numbers, 0).astype(np.int64)).cast(pa.string())
    return pc.if_else(pa.array(whole), as_whole, pa.array(numbers).cast(pa.string()))
