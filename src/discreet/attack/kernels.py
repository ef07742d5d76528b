"""The hot loops of the attack."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def tighten(start, cell, coefficient, cell_start, cell_row, low, high, rounds, limit):  # type: ignore[no-untyped-def]
    """Narrows `low` and `high` in place by looking at one equation at a time until nothing changes.

    Every equation says of each of its cells what the others leave open. Divisions are rounded outwards,
    so no possible table is ever lost. Stops after each equation was looked at `rounds` times on average.
    Bounds beyond the limit count as none, so that sums stay within 64 bits.
    """
    rows = len(start) - 1
    queue = np.arange(rows)
    waiting = np.ones(rows, np.bool_)
    head, length, left = 0, rows, rounds * rows
    while length > 0 and left > 0:
        q = queue[head]
        head = (head + 1) % rows
        length -= 1
        left -= 1
        waiting[q] = False
        least, most, no_least, no_most = 0, 0, 0, 0
        for e in range(start[q], start[q + 1]):
            a, c = coefficient[e], cell[e]
            down, up = (low[c], high[c]) if a > 0 else (high[c], low[c])
            if abs(down) >= limit:
                no_least += 1
            else:
                least += a * down
            if abs(up) >= limit:
                no_most += 1
            else:
                most += a * up
        if no_least > 1 and no_most > 1:
            continue
        for e in range(start[q], start[q + 1]):
            a, c = coefficient[e], cell[e]
            down, up = (low[c], high[c]) if a > 0 else (high[c], low[c])
            size = abs(a)
            rest_least = least if abs(down) >= limit else least - a * down
            rest_most = most if abs(up) >= limit else most - a * up
            lonely_least = no_least - (1 if abs(down) >= limit else 0)
            lonely_most = no_most - (1 if abs(up) >= limit else 0)
            # a * y = -rest, so -rest_most <= a * y <= -rest_least
            changed = False
            if lonely_most == 0:
                if a > 0:
                    bound = (-rest_most) // size
                    if bound > low[c]:
                        low[c] = bound
                        changed = True
                else:
                    bound = -((-rest_most) // size)
                    if bound < high[c]:
                        high[c] = bound
                        changed = True
            if lonely_least == 0:
                if a > 0:
                    bound = -(rest_least // size)
                    if bound < high[c]:
                        high[c] = bound
                        changed = True
                else:
                    bound = rest_least // size
                    if bound > low[c]:
                        low[c] = bound
                        changed = True
            if changed:
                for f in range(cell_start[c], cell_start[c + 1]):
                    other = cell_row[f]
                    if other != q and not waiting[other]:
                        waiting[other] = True
                        queue[(head + length) % rows] = other
                        length += 1
    return left > 0


@njit(cache=True)
def _root(parent, k):  # type: ignore[no-untyped-def]
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


@njit(cache=True)
def components(cell_start, cell_row, rows, support):  # type: ignore[no-untyped-def]
    """Start and members of the connected parts of some cells; cells of one equation are connected."""
    count = len(support)
    parent = np.arange(count)
    last = np.full(rows, -1, np.int64)
    for k in range(count):
        c = support[k]
        for e in range(cell_start[c], cell_start[c + 1]):
            q = cell_row[e]
            if last[q] >= 0:
                one, two = _root(parent, k), _root(parent, last[q])
                if one < two:
                    parent[two] = one
                else:
                    parent[one] = two
            last[q] = k
    number = np.full(count, -1, np.int64)
    size = np.zeros(count + 1, np.int64)
    parts = 0
    for k in range(count):
        root = _root(parent, k)
        if number[root] < 0:
            number[root] = parts
            parts += 1
        size[number[root] + 1] += 1
    start = np.cumsum(size[: parts + 1])
    place = start[:-1].copy()
    member = np.empty(count, np.int64)
    for k in range(count):
        part = number[_root(parent, k)]
        member[place[part]] = support[k]
        place[part] += 1
    return start, member


@njit(cache=True)
def rationals(  # type: ignore[no-untyped-def]
    cell_start, cell_row, cell_coefficient, rows, low, high, part, member, point, denominators, near, limit
):
    """Whole moves over a small denominator for every part of a point; denominator 0 where none balances.

    A multiple of the point may be rounded by `near` at the most. Moves stay below the limit, so that
    sums stay within 64 bits.
    """
    parts = len(part) - 1
    move = np.zeros(len(member), np.int64)
    chosen = np.zeros(parts, np.int64)
    sums = np.zeros(rows, np.int64)
    for p in range(parts):
        for d in denominators:
            good = True
            for k in range(part[p], part[p + 1]):
                c = member[k]
                x = point[c] * d
                if abs(x) >= limit:
                    good = False
                    break
                n = np.int64(np.rint(x))
                if (
                    abs(x - n) > near
                    or (abs(low[c]) < limit and n < low[c] * d)
                    or (abs(high[c]) < limit and n > high[c] * d)
                ):
                    good = False
                    break
                move[k] = n
            if not good:
                continue
            for k in range(part[p], part[p + 1]):
                c = member[k]
                for e in range(cell_start[c], cell_start[c + 1]):
                    sums[cell_row[e]] += cell_coefficient[e] * move[k]
            for k in range(part[p], part[p + 1]):
                c = member[k]
                for e in range(cell_start[c], cell_start[c + 1]):
                    if sums[cell_row[e]] != 0:
                        good = False
                        sums[cell_row[e]] = 0
            if good:
                chosen[p] = d
                break
    return move, chosen


@njit(cache=True)
def nearest(start, cell, cell_start, cell_row, first, most):  # type: ignore[no-untyped-def]
    """Cells around one, by steps through common equations, until there are at least so many or no more."""
    seen = np.zeros(len(cell_start) - 1, np.bool_)
    done = np.zeros(len(start) - 1, np.bool_)
    order = np.empty(len(cell_start) - 1, np.int64)
    order[0] = first
    seen[first] = True
    count, at, layer = 1, 0, 1
    while at < count:
        if at == layer:
            if count >= most:
                break
            layer = count
        c = order[at]
        at += 1
        for e in range(cell_start[c], cell_start[c + 1]):
            q = cell_row[e]
            if done[q]:
                continue
            done[q] = True
            for f in range(start[q], start[q + 1]):
                other = cell[f]
                if not seen[other]:
                    seen[other] = True
                    order[count] = other
                    count += 1
    return order[:count]
