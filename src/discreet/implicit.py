"""Implicit cells: the withheld cells of one equation add up to a number that anybody can compute.

Such a sum is published although nobody printed it, so the rules are run on it, with the contributions
of its cells merged: the same contributor in two cells is one contributor.
"""

from __future__ import annotations

import numpy as np

from .arrays import Indices, Ints, Mask, segments
from .freedom import Freedom
from .problem import Problem
from .table import NOBODY

LISTED = 10
"""Largest contributions of a sum that its rules are shown, however few are listed for the cells alone."""


def judges_implicit(problem: Problem) -> bool:
    """Whether it can be told which implicit cells are sensitive."""
    return bool(problem.rules) and problem.table.has_contributors


def sensitive_sums(problem: Problem, freedom: Freedom) -> Ints:
    """Equations whose unknown cells, all on one side, add up to a sensitive cell."""
    if not judges_implicit(problem):
        return np.zeros(0, np.int64)
    equations = implied(freedom)
    needs = needs_of_sums(problem, freedom, equations)
    return equations[needs > 0]


def implied(freedom: Freedom) -> Ints:
    """Equations with at least two unknown cells, all of which stand on one side."""
    structure, free = freedom.structure, freedom.free
    entry = free[structure.cell]
    row, sign = structure.row[entry], structure.coefficient[entry]
    up = np.bincount(row[sign == 1], minlength=structure.equations)
    down = np.bincount(row[sign == -1], minlength=structure.equations)
    unknown = np.bincount(row, minlength=structure.equations)
    return np.flatnonzero((unknown > 1) & ((up == unknown) | (down == unknown)))


def needs_of_sums(problem: Problem, freedom: Freedom, equations: Ints) -> Ints:
    """The protection that the sum of the unknown cells of each equation needs, the larger of both sides."""
    structure, table = freedom.structure, problem.table
    entry, length = segments(structure.start, equations)
    cell = structure.cell[entry]
    place = np.repeat(np.arange(len(equations)), length)[freedom.free[cell]]
    cell = cell[freedom.free[cell]]
    value = np.zeros(len(equations), np.int64)
    np.add.at(value, place, table.value[cell])
    frequency, contribution = _merged(problem, place, cell, len(equations))
    need = np.zeros(len(equations), np.int64)
    for rule in problem.rules:
        below, above = rule.needs(value, frequency, contribution)
        need = np.maximum(need, np.maximum(below, above))
    return need


def _merged(problem: Problem, place: Ints, cell: Indices, count: int) -> tuple[Ints, Ints]:
    """How many contributors stand behind some sums at the least, and their largest contributions.

    Who is not listed in one cell may be listed in another, and is not counted twice.
    """
    table = problem.table
    if table.contributor is None or table.contribution is None:
        raise TypeError("Merging needs contributors.")
    who, amount = table.contributor[cell], table.contribution[cell]
    listed: Mask = who != NOBODY
    frequency = listed.sum(axis=1) if table.frequency is None else table.frequency[cell]
    most = np.zeros(count, np.int64)
    np.maximum.at(most, place, frequency)
    row = np.repeat(place, listed.sum(axis=1))
    key = row * (len(table.contributors) + int(who.max(initial=0)) + 1) + who[listed]
    merged, where = np.unique(key, return_inverse=True)
    total = np.zeros(len(merged), np.int64)
    np.add.at(total, where, amount[listed])
    owner = np.zeros(len(merged), np.int64)
    owner[where] = row
    order = np.lexsort((-total, owner))
    owner, total = owner[order], total[order]
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    width = max(amount.shape[1], LISTED)
    contribution = np.zeros((count, width), np.int64)
    kept = rank < width
    contribution[owner[kept], rank[kept]] = total[kept]
    return np.maximum(most, np.bincount(owner, minlength=count)), contribution
