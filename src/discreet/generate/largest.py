"""From contributions to finest cells to the value, frequency and largest contributions of every cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..arrays import AnyArray, Frozen, Indices, Ints, Mask
from ..errors import InputError
from ..hierarchy import Hierarchy
from ..structure import KEY_LIMIT, Structure
from ..table import NOBODY
from .firms import Contributions

Rung = tuple[int, ...]
"""Steps above the finest codes, in each dimension."""


@dataclass(frozen=True, eq=False)
class Summary(Frozen):
    """What contributions add up to in each cell of a structure; firms are merged before they are ranked."""

    value: Ints
    frequency: Ints
    contribution: Ints
    contributor: Indices


@dataclass(frozen=True, eq=False)
class _Layer:
    """All cells of one combination of levels, and the entries that may be among their largest.

    A firm that is present in one finest cell only, and not among the largest there, cannot be among
    the largest of a coarser cell either: `lone` counts it, and its entry is not carried on.
    """

    cell: Ints
    value: Ints
    lone: Ints
    owner: Ints
    firm: Indices
    amount: Ints
    rank: Ints


def summarise(
    structure: Structure, trees: Sequence[Hierarchy], contributions: Contributions, keep: int
) -> Summary:
    """Value, number of firms and the `keep` largest of them in every cell, each firm merged exactly.

    `trees` are the hierarchies that the dimensions were built from, one each.
    """
    assert structure.code is not None
    size = structure.size
    stride = _strides([len(tree) for tree in trees])
    known = structure.code.astype(np.int64) @ stride
    order = np.argsort(known)
    value, frequency = np.zeros(size, np.int64), np.zeros(size, np.int64)
    contribution = np.zeros((size, keep), np.int64)
    contributor = np.full((size, keep), NOBODY, np.int32)
    for layer, several in _layers(structure, trees, contributions, stride, keep):
        found = order[np.minimum(np.searchsorted(known, layer.cell, sorter=order), size - 1)]
        there = known[found] == layer.cell
        value[found[there]] = layer.value[there]
        frequency[found[there]] = (layer.lone + _counted(layer, several))[there]
        listed = np.flatnonzero((layer.rank < keep) & there[layer.owner])
        place = found[layer.owner[listed]], layer.rank[listed]
        contribution[place] = layer.amount[listed]
        contributor[place] = layer.firm[listed]
    return Summary(value, frequency, contribution, contributor)


def _strides(lengths: Sequence[int]) -> Ints:
    """What a step in each dimension adds to the number that stands for a cell, the last dimension fastest."""
    span = [1]
    for length in reversed(lengths):
        span.append(span[-1] * length)
    if span[-1] >= KEY_LIMIT:
        raise InputError("Expected fewer than 2^62 combinations of codes, got more.")
    return np.array(span[-2::-1], np.int64)


def _layers(
    structure: Structure, trees: Sequence[Hierarchy], contributions: Contributions, stride: Ints, keep: int
) -> Iterator[tuple[_Layer, Mask]]:
    """From the finest cells to the grand total, and which firms are in several finest cells."""
    meanings = [d.meaning for d in structure.dimensions]
    ladders = [_ladder(tree, meaning) for tree, meaning in zip(trees, meanings, strict=True)]
    finest, several = _finest(contributions, meanings, stride, keep)
    layers: dict[Rung, _Layer] = {}
    for rung in product(*(range(len(ladder) + 1) for ladder in ladders)):
        if any(rung):
            below, d = _cheapest(rung, layers)
            digit = below.cell // stride[d] % len(meanings[d])
            coarse = below.cell + (ladders[d][rung[d] - 1][digit] - digit) * stride[d]
            layers[rung] = _coarser(below, coarse, several, keep)
        else:
            layers[rung] = finest
        yield layers[rung], several


def _cheapest(rung: Rung, layers: dict[Rung, _Layer]) -> tuple[_Layer, int]:
    """Of the layers one step below this one, that with the fewest entries; and in which dimension."""
    steps = [d for d, step in enumerate(rung) if step]
    below = [layers[(*rung[:d], rung[d] - 1, *rung[d + 1 :])] for d in steps]
    best = min(range(len(steps)), key=lambda place: len(below[place].firm))
    return below[best], steps[best]


def _ladder(tree: Hierarchy, meaning: Indices) -> list[Indices]:
    """Where each code goes, one level of the tree at a time, the deepest first."""
    here = np.arange(len(tree), dtype=np.int32)
    deepest_first = range(int(tree.level.max()), 0, -1)
    return [meaning[np.where(tree.level == level, tree.parent, here)] for level in deepest_first]


def _finest(
    contributions: Contributions, meanings: Sequence[Indices], stride: Ints, keep: int
) -> tuple[_Layer, Mask]:
    columns = [m[c].astype(np.int64) for m, c in zip(meanings, contributions.code.T, strict=True)]
    key = sum((c * s for c, s in zip(columns, stride, strict=True)), np.zeros(len(columns[0]), np.int64))
    cell, owner = np.unique(key, return_inverse=True)
    owner, firm, amount = _merged(owner, contributions.firm, contributions.amount)
    several = np.bincount(firm, minlength=contributions.firms) > 1
    lone = np.bincount(owner[~several[firm]], minlength=len(cell))
    value = _added(owner, amount, len(cell))
    return _Layer(cell, value, lone, owner, firm, amount, _ranks(owner, amount, keep)), several


def _coarser(below: _Layer, coarse: Ints, several: Mask, keep: int) -> _Layer:
    """The layer in which each cell of the one below goes into a coarser cell."""
    cell, into = np.unique(coarse, return_inverse=True)
    matters = (below.rank < keep) | several[below.firm]
    owner, firm, amount = _merged(into[below.owner[matters]], below.firm[matters], below.amount[matters])
    value, lone = _added(into, below.value, len(cell)), _added(into, below.lone, len(cell))
    return _Layer(cell, value, lone, owner, firm, amount, _ranks(owner, amount, keep))


def _merged(owner: Ints, firm: Indices, amount: Ints) -> tuple[Ints, Indices, Ints]:
    """One entry for each firm in a cell, ordered by cell and firm."""
    order = np.argsort(owner * (int(firm.max(initial=0)) + 1) + firm)
    owner, firm, amount = owner[order], firm[order], amount[order]
    first = np.flatnonzero(_changes(owner) | _changes(firm))
    total = np.add.reduceat(amount, first) if len(first) else amount
    return owner[first], firm[first], total


def _changes(number: AnyArray) -> Mask:
    """Where a number differs from the one before it."""
    return np.concatenate((np.ones(min(1, len(number)), np.bool_), number[1:] != number[:-1]))


def _added(into: Ints, amount: Ints, size: int) -> Ints:
    total = np.zeros(size, np.int64)
    np.add.at(total, into, amount)
    return total


def _counted(layer: _Layer, several: Mask) -> Ints:
    """How many firms that are in several finest cells each cell has."""
    return np.bincount(layer.owner[several[layer.firm]], minlength=len(layer.cell))


def _ranks(owner: Ints, amount: Ints, keep: int) -> Ints:
    """0 for the largest entry of each cell and so on, `keep` for all that are not listed; ties by firm."""
    rank = np.full(len(owner), keep, np.int64)
    left = np.arange(len(owner))
    for place in range(keep):
        if not len(left):
            break
        heads = np.flatnonzero(_changes(owner[left]))
        most = np.maximum.reduceat(amount[left], heads)
        length = np.diff(np.append(heads, len(left)))
        hits = np.flatnonzero(amount[left] == np.repeat(most, length))
        first = hits[_changes(owner[left[hits]])]
        rank[left[first]] = place
        left = np.delete(left, first)
    return rank
