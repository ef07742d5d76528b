"""Cells as lists of contributors, and what the rules say of them, by hand and with fractions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

import numpy as np

from discreet.evidence import Evidence


@dataclass(frozen=True)
class Holder:
    """A contributor: how much, for how many it stands, how it asked, and to which holding it belongs."""

    amount: int
    weight: Fraction = Fraction(1)
    request: int = 0
    holding: int = 0


def cell(*amounts):
    return [Holder(amount) for amount in amounts]


def joined(holders):
    """One contributor for each holding."""
    groups = defaultdict(list)
    for holder in holders:
        groups[holder.holding].append(holder)
    return [
        Holder(sum(h.amount for h in g), g[0].weight, int(np.bitwise_or.reduce([h.request for h in g])), k)
        for k, g in groups.items()
    ]


def whole_numbers(numbers):
    """An array in 64 bits where that fits."""
    return np.array(numbers, np.int64 if all(abs(n) < 2**63 for n in numbers) else object)


def evidence(cells, published=None, keep=None):
    """What a rule is shown of cells given by their contributors."""
    copies = lcm(*(h.weight.denominator for holders in cells for h in holders))
    ordered = [sorted(holders, key=lambda h: -h.amount) for holders in cells]
    width = max((len(holders) for holders in cells), default=0) if keep is None else keep
    shape = (len(cells), width)
    contribution, times, request = (
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.uint8),
    )
    for i, holders in enumerate(ordered):
        for k, h in enumerate(holders[:width]):
            contribution[i, k], times[i, k], request[i, k] = h.amount, int(h.weight * copies), h.request
    weighted = any(h.weight != 1 for holders in cells for h in holders)
    return Evidence(
        whole_numbers([int(sum(h.amount * h.weight * copies for h in holders)) for holders in cells]),
        np.array([len(holders) for holders in cells], np.int64),
        contribution,
        times=times if weighted else None,
        copies=copies,
        heads=np.array([int(sum(h.weight * copies for h in c)) for c in cells]) if weighted else None,
        request=request,
        requests=np.array(
            [np.bitwise_or.reduce([h.request for h in c], dtype=np.uint8) for c in cells], np.uint8
        ),
        value=None if published is None else np.array(published, np.int64),
    )


def total(holders):
    return sum((h.amount * h.weight for h in holders), Fraction(0))


def heads(holders):
    return sum((h.weight for h in holders), Fraction(0))


def top(holders, number):
    """The so many largest contributions, a fractional copy counting by its fraction."""
    left, found = Fraction(number), Fraction(0)
    for h in sorted(holders, key=lambda h: -h.amount):
        taken = min(left, h.weight)
        found += taken * h.amount
        left -= taken
    return found


def units(holders, need, published):
    """A need carried to what is published in proportion: whole units, and at least one."""
    whole = total(holders)
    carried = need if published is None or not whole else need * abs(published) / whole
    return max(1, ceil(carried))


def share_of(holders, r, published):
    return max(1, ceil(Fraction(r) / 100 * (total(holders) if published is None else abs(published))))


def by_percent(holders, p, q=100, c=1, published=None):
    ratio = Fraction(p) / Fraction(q)
    rest = total(holders) - top(holders, c + 1)
    if not rest < ratio * top(holders, 1):
        return 0
    return units(holders, ratio * top(holders, 1) - rest, published)


def by_dominance(holders, n, k, published=None):
    if not top(holders, n) > Fraction(k) / 100 * total(holders):
        return 0
    return units(holders, 100 * top(holders, n) / Fraction(k) - total(holders), published)


def by_threshold(holders, n, r=10, unweighted=False, published=None):
    count = len(holders) if unweighted else heads(holders)
    return share_of(holders, r, published) if 0 < count < n else 0


def by_request(holders, p1, p2, m, r=10, published=None):
    most = max((h.amount for h in holders), default=0)
    asked = [h for h in holders if h.amount == most]
    large = any(
        h.request & bit and top(holders, 1) > Fraction(p) / 100 * total(holders)
        for h in asked
        for bit, p in ((1, p1), (2, p2))
    )
    few = any(h.request for h in holders) and heads(holders) < m
    return share_of(holders, r, published) if large or few else 0
