"""Needs from exact proportions: rounded up to whole units once, at the very end."""

from __future__ import annotations

import numpy as np

from ..arrays import AnyArray, Ints, Mask
from ..evidence import Evidence, exact_ceiling, exact_product
from ..units import INFINITE
from .parameters import Percent
from .rule import Needs


def distance(evidence: Evidence, missing: AnyArray, over: int, hit: Mask) -> Needs:
    """What is missing, `over` parts of it being one part of the total, carried to what is published."""
    if evidence.value is None:
        return _units(exact_ceiling(missing, over * evidence.copies), hit)
    published, total = np.abs(evidence.value), np.abs(evidence.total)
    whole = exact_product(np.where(total == 0, 1, total), over)
    return _units(exact_ceiling(exact_product(missing, published), whole), hit)


def share(evidence: Evidence, percent: Percent, hit: Mask) -> Needs:
    """So many per cent of what is published."""
    over = 100 * percent.denominator
    if evidence.value is None:
        return distance(evidence, exact_product(np.abs(evidence.total), percent.numerator), over, hit)
    return _units(exact_ceiling(exact_product(np.abs(evidence.value), percent.numerator), over), hit)


def _units(need: AnyArray, hit: Mask) -> Needs:
    """The same need on both sides: at least one unit, and never more than can be said."""
    whole: Ints = np.where(hit, np.minimum(np.maximum(need, 1), INFINITE), 0).astype(np.int64)
    return Needs(whole, whole)
