"""Totals that a table does not have, computed from its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import AnyArray, Indices, Ints, Mask, segments
from ..hierarchy import Dimension
from ..structure import Structure, missing_totals
from .contributions import merged
from .parts import Parts


def with_totals(dimensions: Sequence[Dimension], code: Indices) -> Indices:
    """Codes of cells, followed by those of every total that they have a part of."""
    while len(more := missing_totals(dimensions, code)):
        code = np.concatenate((code, more))
    return code


def computed(structure: Structure, parts: Parts, made: Mask) -> Parts:
    """The parts of each cell, where those of some totals are made of other cells.

    Values, frequencies and weights are summed. Of the largest contributions only those are known that
    the cells list, one contributor's added up: a total's list may miss somebody, and never says too much.
    """
    value, frequency = parts.value.copy(), _copied(parts.frequency)
    weight = _copied(parts.weight)
    contribution, contributor = _copied(parts.contribution), _copied(parts.contributor)
    for step in _steps(structure, made):
        value[step.total] = structure.imbalance(value)[step.equation]
        if frequency is not None:
            frequency[step.total] = structure.imbalance(frequency)[step.equation]
        if weight is not None:
            np.add.at(weight, step.total[step.line], weight[step.part])
        if contribution is not None and contributor is not None:
            width = contribution.shape[1]
            line = np.repeat(step.line, width)
            amounts, people, lines = merged(
                line, contribution[step.part].ravel(), contributor[step.part].ravel(), width
            )
            contribution[step.total[lines]], contributor[step.total[lines]] = amounts, people
    return replace(
        parts,
        value=value,
        frequency=frequency,
        weight=weight,
        contribution=contribution,
        contributor=contributor,
    )


@dataclass(frozen=True, eq=False)
class _Step:
    """Totals that can be made now, the equation that makes each, and all parts with their total's line."""

    equation: Ints
    total: Ints
    line: Ints
    part: Indices


def _steps(structure: Structure, made: Mask) -> Iterator[_Step]:
    """Totals whose parts are all known, step by step, each made by the first equation that can."""
    known = ~made
    waiting = np.flatnonzero(made[structure.total])
    while len(waiting):
        entry, length = segments(structure.start, waiting)
        cell = structure.cell[entry]
        is_part = cell != np.repeat(structure.total[waiting], length)
        heads = np.cumsum(length) - length
        ready = np.logical_and.reduceat(known[cell] | ~is_part, heads)
        total, first = np.unique(structure.total[waiting[ready]], return_index=True)
        equation = waiting[ready][first]
        entry, length = segments(structure.start, equation)
        line = np.repeat(np.arange(len(equation)), length)
        cell = structure.cell[entry]
        is_part = cell != total[line]
        yield _Step(equation, total, line[is_part], cell[is_part])
        known[total] = True
        waiting = waiting[~known[structure.total[waiting]]]


def _copied(held: AnyArray | None) -> AnyArray | None:
    return None if held is None else held.copy()
