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
def _denominator(point, member, first, last, most, largest, near):  # type: ignore[no-untyped-def]
    """A number that makes these members of a point nearly whole, the product of small ones; 0 for none."""
    d = 1
    for k in range(first, last):
        x = point[member[k]] * d
        if abs(x - np.rint(x)) <= near:
            continue
        factor = 2
        while factor <= most and abs(x * factor - np.rint(x * factor)) > near:
            factor += 1
        d *= factor
        if factor > most or d > largest:
            return 0
    return d


@njit(cache=True)
def _balanced(cell_start, cell_row, cell_coefficient, known, member, move, first, last, d, sums):  # type: ignore[no-untyped-def]
    """Whether the moves of some members make up for `d` times what is known of their equations."""
    for k in range(first, last):
        c = member[k]
        for e in range(cell_start[c], cell_start[c + 1]):
            sums[cell_row[e]] += cell_coefficient[e] * move[k]
    good = True
    for k in range(first, last):
        c = member[k]
        for e in range(cell_start[c], cell_start[c + 1]):
            q = cell_row[e]
            if sums[q] % d != 0 or sums[q] // d != -known[q]:
                good = False
    for k in range(first, last):
        c = member[k]
        for e in range(cell_start[c], cell_start[c + 1]):
            sums[cell_row[e]] = 0
    return good


@njit(cache=True)
def rationals(  # type: ignore[no-untyped-def]
    cell_start,
    cell_row,
    cell_coefficient,
    known,
    low,
    high,
    part,
    member,
    point,
    anyhow,
    most,
    largest,
    near,
    limit,
):
    """Whole moves over a denominator for every part of a point; denominator 0 where none balances.

    They make up for what is `known` of their equations. First whole moves next to the point are tried
    where `anyhow` will do, then a denominator up to the `largest`, with factors up to the `most`, that
    brings all moves `near` to whole numbers. Moves stay below the limit, so that sums stay within 64 bits.
    """
    parts = len(part) - 1
    move = np.zeros(len(member), np.int64)
    chosen = np.zeros(parts, np.int64)
    sums = np.zeros(len(known), np.int64)
    for p in range(parts):
        first, last = part[p], part[p + 1]
        for rounded in (True, False):
            if rounded and not anyhow:
                continue
            d = 1 if rounded else _denominator(point, member, first, last, most, largest, near)
            good = d > 0
            for k in range(first, last):
                if not good:
                    break
                c = member[k]
                x = point[c] * d
                n = np.int64(np.rint(x)) if abs(x) < limit else 0
                good = (
                    abs(x) < limit
                    and (abs(low[c]) >= limit or n >= low[c] * d)
                    and (abs(high[c]) >= limit or n <= high[c] * d)
                )
                move[k] = n
            if good and _balanced(
                cell_start, cell_row, cell_coefficient, known, member, move, first, last, d, sums
            ):
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


@njit(cache=True)
def _drawn(state):  # type: ignore[no-untyped-def]
    """The next of a sequence of numbers that look random (xorshift)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@njit(cache=True)
def _circuit(  # type: ignore[no-untyped-def]
    equations, by_cell, low, high, first, goal, moved, off, waiting, path, state, limit
):
    """Moves a cell and others until all balances; says how many moved, whether it did, and the state.

    The equation that went out of balance last is mended by the cell that leaves the fewest others out of
    balance, ties broken at random. `moved` and `off` are left for the caller to clear.
    """
    start, cell, coefficient = equations
    cell_start, cell_row, cell_coefficient = by_cell
    count, length = 0, 0
    chosen, amount = first, goal
    while True:
        moved[chosen] = amount
        path[count] = chosen
        count += 1
        for e in range(cell_start[chosen], cell_start[chosen + 1]):
            q = cell_row[e]
            if off[q] == 0:
                waiting[length] = q
                length += 1
            off[q] += cell_coefficient[e] * amount
        while length > 0 and off[waiting[length - 1]] == 0:
            length -= 1
        if length == 0:
            return count, True, state
        if count == len(path):
            return count, False, state
        q = waiting[length - 1]
        best, ties = -len(off), 0
        for e in range(start[q], start[q + 1]):
            c, a = cell[e], coefficient[e]
            if moved[c] != 0 or off[q] % a != 0:
                continue
            x = -off[q] // a
            if not low[c] <= x <= high[c] or abs(x) >= limit:
                continue
            score = 0
            for f in range(cell_start[c], cell_start[c + 1]):
                r = cell_row[f]
                if off[r] == 0:
                    score -= 1
                elif off[r] + cell_coefficient[f] * x == 0:
                    score += 1
            if score < best:
                continue
            if score > best:
                best, ties = score, 0
            ties += 1
            state = _drawn(state)
            if state % np.uint64(ties) == 0:
                chosen, amount = c, x
        if ties == 0:
            return count, False, state


@njit(cache=True)
def walk(equations, by_cell, low, high, below, above, seed, tries, steps, limit):  # type: ignore[no-untyped-def]
    """Start, cells and moves of circuits that take cells as far as asked.

    `below` and `above` change in place: what a circuit, or its mirror image where that is possible, shows
    is struck out.
    """
    cell_start, cell_row, _ = by_cell
    size, rows = len(cell_start) - 1, len(equations[0]) - 1
    moved = np.zeros(size, np.int64)
    off = np.zeros(rows, np.int64)
    # every equation of every cell on the path may wait once
    waiting = np.empty(steps * np.diff(cell_start).max() if size else 0, np.int64)
    path = np.empty(steps, np.int64)
    ends = [0]
    cells = [np.int64(0) for _ in range(0)]
    moves = [np.int64(0) for _ in range(0)]
    state = np.uint64(seed * 2 + 1)
    for first in range(size):
        for up in (False, True):
            for _ in range(tries):
                goal = above[first] if up else -below[first]
                if goal == 0 or abs(goal) >= limit or not low[first] <= goal <= high[first]:
                    break
                count, found, state = _circuit(
                    equations, by_cell, low, high, first, goal, moved, off, waiting, path, state, limit
                )
                if found:
                    mirrored = True
                    for c in path[:count]:
                        mirrored &= low[c] <= -moved[c] <= high[c]
                        cells.append(c)
                        moves.append(moved[c])
                    ends.append(len(cells))
                    for c in path[:count]:
                        x = moved[c]
                        if x >= above[c] or (mirrored and -x >= above[c]):
                            above[c] = 0
                        if -x >= below[c] or (mirrored and x >= below[c]):
                            below[c] = 0
                for c in path[:count]:
                    moved[c] = 0
                    for e in range(cell_start[c], cell_start[c + 1]):
                        off[cell_row[e]] = 0
    return np.array(ends), np.array(cells, np.int64), np.array(moves, np.int64)
