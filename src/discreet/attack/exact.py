"""The corner that a solver's point stands for, over the rational numbers.

Small denominators fail for some corners of tables with three or more dimensions. Cells at a bound are
then exact already; the others follow from the equations, most of them one by one, the rest by
elimination with fractions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction

import numpy as np

from ..arrays import Floats, Ints
from ..engines.tolerances import WHOLE
from ..witnesses import SAFE
from .view import View

MOST_CELLS = 3000
"""Corners with more cells between their bounds are left to another point."""

Row = dict[int, Fraction]


def corner(view: View, cells: Ints, point: Floats) -> tuple[Ints, int] | None:
    """Whole moves over one denominator near a point, balanced in every equation, or nothing."""
    whole = {int(c): round(float(point[c])) for c in cells if abs(point[c] - round(float(point[c]))) < WHOLE}
    return _solved(view, cells, point, whole) or _solved(view, cells, point, _at_bounds(view, cells, point))


def _solved(view: View, cells: Ints, point: Floats, known: dict[int, int]) -> tuple[Ints, int] | None:
    """The point with some cells known and the others following from the equations."""
    unknown = [c for c in map(int, cells) if c not in known]
    if len(unknown) > MOST_CELLS:
        return None
    solution = _eliminate(_rows(view, known, unknown), point)
    if solution is None:
        return None
    # cells in no equation follow from nothing
    alone = {c: Fraction(round(float(point[c]))) for c in unknown if c not in solution}
    value = {c: Fraction(x) for c, x in known.items()} | alone | solution
    denominator = math.lcm(*(x.denominator for x in value.values()))
    move = [int(value[int(c)] * denominator) for c in cells]
    if max(denominator, *map(abs, move)) >= SAFE:
        return None
    if any(not int(view.low[c]) <= x <= int(view.high[c]) for c, x in value.items()):
        return None
    return np.array(move, np.int64), denominator


def _at_bounds(view: View, cells: Ints, point: Floats) -> dict[int, int]:
    """The cells that stand at a bound."""
    known = {}
    for c in map(int, cells):
        for bound in (int(view.low[c]), int(view.high[c])):
            if abs(point[c] - bound) < WHOLE:
                known[c] = bound
    return known


def _rows(view: View, known: dict[int, int], unknown: list[int]) -> list[tuple[Row, Fraction]]:
    """What the equations say of the unknown cells: a sum of them that equals a number."""
    start, equation, coefficient = view.by_cell
    left: dict[int, Row] = defaultdict(dict)
    right: dict[int, int] = defaultdict(int)
    for c in unknown:
        for e in range(start[c], start[c + 1]):
            left[int(equation[e])][c] = Fraction(int(coefficient[e]))
    for c, x in known.items():
        for e in range(start[c], start[c + 1]):
            right[int(equation[e])] -= int(coefficient[e]) * x
    if any(right[q] and q not in left for q in list(right)):
        return [({}, Fraction(1))]
    return [(row, Fraction(right[q])) for q, row in left.items()]


def _eliminate(rows: list[tuple[Row, Fraction]], point: Floats) -> dict[int, Fraction] | None:
    """Solves the rows, the shortest first; cells that they leave open go to the nearest whole number."""
    solved: list[tuple[int, Row, Fraction]] = []
    waiting = sorted(rows, key=lambda row: len(row[0]))
    holding: dict[int, set[int]] = defaultdict(set)
    table = {k: (dict(row), right) for k, (row, right) in enumerate(waiting)}
    for k, (row, _) in table.items():
        for c in row:
            holding[c].add(k)
    short = [k for k, (row, _) in table.items() if len(row) < 2]
    while table:
        # most bases of tables are nearly triangular: rows of one cell come up one after another
        k = short.pop() if short else min(table, key=lambda k: len(table[k][0]))
        if k not in table:
            continue
        row, right = table.pop(k)
        if not row:
            if right:
                return None
            continue
        pivot = min(row, key=lambda c: len(holding[c]))
        factor = row.pop(pivot)
        row = {c: a / factor for c, a in row.items()}
        right /= factor
        for c in (pivot, *row):
            holding[c].discard(k)
        for other in list(holding[pivot]):
            _subtract(table, holding, other, pivot, row, right)
            if len(table[other][0]) < 2:
                short.append(other)
        solved.append((pivot, row, right))
    value: dict[int, Fraction] = {}
    for pivot, row, right in reversed(solved):
        for c in row:
            value.setdefault(c, Fraction(round(float(point[c]))))
        value[pivot] = right - sum(a * value[c] for c, a in row.items())
    return value


def _subtract(
    table: dict[int, tuple[Row, Fraction]],
    holding: dict[int, set[int]],
    other: int,
    pivot: int,
    row: Row,
    right: Fraction,
) -> None:
    """Takes the pivot out of another row."""
    target, target_right = table[other]
    factor = target.pop(pivot)
    for c, a in row.items():
        changed = target.get(c, Fraction(0)) - factor * a
        if changed:
            target[c] = changed
            holding[c].add(other)
        else:
            target.pop(c, None)
            holding[c].discard(other)
    table[other] = (target, target_right - factor * right)
