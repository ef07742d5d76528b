"""Linear algebra without rounding, for small matrices."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def rank(matrix: np.ndarray) -> int:
    """Rank over the rationals."""
    rows = [[Fraction(int(x)) for x in row] for row in matrix]
    found = 0
    for column in range(matrix.shape[1]):
        pivot = next((r for r in range(found, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][column] / rows[found][column]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[found], strict=True)]
        found += 1
    return found
