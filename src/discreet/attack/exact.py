"""The corner that a solver's point stands for, over the rational numbers.

One small denominator rarely fits a corner that moves thousands of cells of a table with three or more
dimensions. But most of its moves are whole then, and what is left falls into small parts, each with a
denominator of its own; the few parts that defy that, too, are solved by elimination with fractions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from heapq import heapify, heappop, heappush

import numpy as np

from ..arrays import Floats, Ints, Mask, readonly, segments
from ..engines.tolerances import EXACT, WHOLE
from ..witnesses import SAFE
from .view import View

MOST_CELLS = 3000
"""Corners with more cells between their bounds are left to another point."""
FACTOR, LARGEST = 720, 10**7
"""Denominators are products of numbers up to the first, up to the second."""

Row = dict[int, int]


def rounded(
    view: View,
    part: Ints,
    member: Ints,
    point: Floats,
    known: Ints,
    near: float,
    *,
    anyhow: bool,
    only_whole: bool = False,
) -> tuple[Ints, Ints]:
    """Moves and denominator of each part that makes up for what is known; denominator 0 where none does."""
    from .kernels import rationals

    moves: tuple[Ints, Ints] = rationals(
        *(readonly(a) for a in (*view.by_cell, known, view.low, view.high, part, member, point)),
        anyhow,
        1 if only_whole else FACTOR,
        1 if only_whole else LARGEST,
        near,
        view.limit,
    )
    return moves


def corner(view: View, cells: Ints, point: Floats) -> tuple[Ints, int] | None:
    """Whole moves over one denominator near a point, balanced in every equation, or nothing."""
    off = np.abs(point[cells] - np.rint(point[cells]))
    for near in (WHOLE, EXACT):
        solved = _solved(view, cells, point, off < near)
        if solved is not None:
            return solved
    at_bounds = np.minimum(np.abs(point - view.low), np.abs(point - view.high))[cells] < WHOLE
    return _solved(view, cells, point, at_bounds)


def _solved(view: View, cells: Ints, point: Floats, is_known: Mask) -> tuple[Ints, int] | None:
    """The point with some cells known to be whole and the others following from the equations."""
    known, unknown = cells[is_known], cells[~is_known]
    whole = np.zeros(len(view), np.int64)
    whole[known] = np.rint(point[known]).astype(np.int64)
    sums = np.asarray(view.equations @ whole)
    start, row, _ = view.by_cell
    left = sums != 0
    left[row[segments(start, unknown)[0]]] = False
    if left.any() or ((whole < view.low) | (whole > view.high)).any():
        return None
    fractions = _fractions(view, unknown, point, sums)
    if fractions is None:
        return None
    over = math.lcm(*(x.denominator for x in fractions.values()))
    largest = max([Fraction(int(np.abs(whole).max(initial=1))), *map(abs, fractions.values())])
    if largest * over >= SAFE:
        return None
    if any(not int(view.low[c]) <= x <= int(view.high[c]) for c, x in fractions.items()):
        return None
    move = whole * over
    move[list(fractions)] = [int(x * over) for x in fractions.values()]
    return move[cells], over


def _fractions(view: View, unknown: Ints, point: Floats, sums: Ints) -> dict[int, Fraction] | None:
    """Moves of cells that make up for the sums, part by part."""
    from .kernels import components

    start, row, _ = view.by_cell
    part, member = components(*(readonly(a) for a in (start, row)), view.rows, readonly(unknown))
    move, denominator = rounded(view, part, member, point, sums, EXACT, anyhow=False)
    value: dict[int, Fraction] = {}
    for p, d in enumerate(denominator.tolist()):
        cells = member[part[p] : part[p + 1]].tolist()
        if d:
            moves = move[part[p] : part[p + 1]].tolist()
            value |= {c: Fraction(m, d) for c, m in zip(cells, moves, strict=True)}
        else:
            solution = _eliminated(view, cells, sums, point)
            if solution is None:
                return None
            value |= solution
    return value


def _eliminated(view: View, unknown: list[int], sums: Ints, point: Floats) -> dict[int, Fraction] | None:
    """Solves for the cells of one part; those that the equations leave open go next to the point."""
    if len(unknown) > MOST_CELLS:
        return None
    start, equation, coefficient = view.by_cell
    rows: dict[int, Row] = defaultdict(dict)
    for c in unknown:
        for e in range(start[c], start[c + 1]):
            rows[int(equation[e])][c] = int(coefficient[e])
    solved = _eliminate({q: (row, -int(sums[q])) for q, row in rows.items()})
    if solved is None:
        return None
    value: dict[int, Fraction] = {}
    for pivot, factor, row, right in reversed(solved):
        for c in row:
            value.setdefault(c, Fraction(round(float(point[c]))))
        value[pivot] = (right - sum(a * value[c] for c, a in row.items())) / factor
    return {c: Fraction(round(float(point[c]))) for c in unknown if c not in value} | value


def _eliminate(table: dict[int, tuple[Row, int]]) -> list[tuple[int, int, Row, Fraction]] | None:
    """Pivots in the order in which they were found, the shortest rows first; nothing where rows contradict.

    Each comes with its factor, the rest of its row and the right side. Most bases of tables are nearly
    triangular: rows of one cell come up one after another.
    """
    solved = []
    holding: dict[int, set[int]] = defaultdict(set)
    for k, (row, _) in table.items():
        for c in row:
            holding[c].add(k)
    waiting = [(len(row), k) for k, (row, _) in table.items()]
    heapify(waiting)
    while waiting:
        length, k = heappop(waiting)
        if k not in table or len(table[k][0]) != length:
            continue
        row, right = table.pop(k)
        if not row:
            if right:
                return None
            continue
        pivot = min(row, key=lambda c: (abs(row[c]), len(holding[c])))
        for c in row:
            holding[c].discard(k)
        for other in holding.pop(pivot):
            table[other] = _subtracted(table[other], holding, other, pivot, (row, right))
            heappush(waiting, (len(table[other][0]), other))
        solved.append((pivot, row.pop(pivot), row, Fraction(right)))
    return solved


def _subtracted(
    target: tuple[Row, int], holding: dict[int, set[int]], other: int, pivot: int, source: tuple[Row, int]
) -> tuple[Row, int]:
    """Another row without the pivot, in whole numbers that are as small as can be."""
    (row, right), (taken, taken_right) = target, source
    common = math.gcd(row[pivot], taken[pivot])
    times, factor = taken[pivot] // common, row[pivot] // common
    if times != 1:
        row = {c: a * times for c, a in row.items()}
    for c, a in taken.items():
        changed = row.get(c, 0) - factor * a
        if changed:
            row[c] = changed
            holding[c].add(other)
        else:
            row.pop(c, None)
            holding[c].discard(other)
    right = right * times - factor * taken_right
    common = math.gcd(right, *row.values())
    if common > 1:
        return {c: a // common for c, a in row.items()}, right // common
    return row, right
