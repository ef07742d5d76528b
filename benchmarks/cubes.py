"""Protection by cubes: a sensitive cell and seven others that can all move by its level at once.

The corners of a cube that spans two codes in each dimension move up and down in turn, so that every sum
stays. A cheap way to protect a huge table, and a hard one to audit: few cells, each barely enough.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.arrays import Mask
from discreet.problem import Problem

TRIES = 1000
"""Cubes around each sensitive cell that are looked at; the same shifts to the opposite corner for all."""


def cube_pattern(problem: Problem, seed: int = 0) -> tuple[Mask, Mask]:
    """The cells to withhold: the cheapest cube that was drawn for each sensitive cell of the finest level.

    Comes with the sensitive cells for which no cube with enough room was found.
    """
    structure = problem.table.structure
    code = structure.code
    if code is None or code.shape[1] != 3:
        raise ValueError("Expected a table of three dimensions.")
    shape = code.max(axis=0) + 1
    stride = np.array([shape[1] * shape[2], shape[2], 1], np.int64)
    if structure.size != shape.prod() or (code @ stride != np.arange(structure.size)).any():
        raise ValueError("Expected every combination of codes, the last dimension fastest.")
    sensitive = np.flatnonzero(problem.sensitive)
    if (code[sensitive] == 0).any():
        raise ValueError("Expected only cells of the finest level to be sensitive.")
    need = np.maximum(problem.need_below, problem.need_above)
    order = sensitive[np.argsort(-need[sensitive], kind="stable")]
    room = np.minimum(problem.known_below, problem.known_above)
    room[~problem.withholdable] = -1
    withheld = problem.sensitive.copy()
    shift = np.random.default_rng(seed).integers(1, shape - 1, (TRIES, 3))
    lonely = np.zeros(problem.size, np.bool_)
    _cubes(order, need, room, problem.weight, shape.astype(np.int64), stride, withheld, lonely, shift)
    return withheld, lonely


@njit(cache=True)
def _cubes(order, need, room, weight, shape, stride, withheld, lonely, shift):  # type: ignore[no-untyped-def]
    """Marks the cheapest cube of each cell in `withheld`, and in `lonely` the cells that have none."""
    here, other, best = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3, np.int64)
    for cell in order:
        rest = cell
        for d in range(3):
            here[d] = rest // stride[d]
            rest %= stride[d]
        cheapest = np.inf
        for step in shift:
            for d in range(3):
                other[d] = 1 + (here[d] - 1 + step[d]) % (shape[d] - 1)
            price = _price(here, other, need[cell], room, weight, stride, withheld)
            if price < cheapest:
                cheapest = price
                best[:] = other
        if cheapest == np.inf:
            lonely[cell] = True
            continue
        for corner in range(1, 8):
            withheld[_corner(here, best, stride, corner)] = True


@njit(cache=True)
def _corner(here, other, stride, corner):  # type: ignore[no-untyped-def]
    place = 0
    for d in range(3):
        place += stride[d] * (other[d] if corner >> d & 1 else here[d])
    return place


@njit(cache=True)
def _price(here, other, need, room, weight, stride, withheld):  # type: ignore[no-untyped-def]
    """What a cube costs more than is withheld already; infinite where a corner cannot move that far."""
    price = 0.0
    for corner in range(1, 8):
        place = _corner(here, other, stride, corner)
        if room[place] < need:
            return np.inf
        if not withheld[place]:
            price += weight[place]
    return price
