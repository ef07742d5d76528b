"""Implicit cells: the withheld cells of one equation add up to a number that anybody can compute.

Such a sum is published although nobody printed it, so the rules are run on it, with the contributions
of its cells merged: the same contributor in two cells is one contributor.
"""

from __future__ import annotations

import numpy as np

from .arrays import Indices, Ints, Mask, segments
from .evidence import Evidence
from .freedom import Freedom
from .problem import Problem
from .rules.rule import Rule
from .table import NOBODY

LISTED = 10
"""Largest contributions of a sum that its rules are shown, however few are listed for the cells alone."""


def judges_implicit(problem: Problem) -> bool:
    """Whether it can be told which implicit cells are sensitive."""
    return bool(_judging(problem)) and problem.table.has_contributors


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
    evidence = _merged(problem, place, cell, value)
    need = np.zeros(len(equations), np.int64)
    for rule in _judging(problem):
        below, above = rule.needs(evidence)
        need = np.maximum(need, np.maximum(below, above))
    return need


def _judging(problem: Problem) -> list[Rule]:
    """The rules that can judge a sum: nobody marks one by hand, and who asked is said of cells alone."""
    return [rule for rule in problem.rules if not (rule.scope.marked or rule.scope.requests)]


def _merged(problem: Problem, place: Ints, cell: Indices, value: Ints) -> Evidence:
    """What some sums add up to, how many contributors they have at the least, and the largest of them.

    Each contributor counts as one, whatever it stands for. Who is not listed in one cell may be listed in
    another, and is not counted twice. Amounts below zero count as large as they are above it.
    """
    table, count = problem.table, len(value)
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
    signed = np.zeros(count, np.int64)
    np.add.at(signed, owner, total)
    total = np.abs(total)
    order = np.lexsort((-total, owner))
    owner, total = owner[order], total[order]
    size = np.abs(value - signed)
    np.add.at(size, owner, total)
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    width = max(amount.shape[1], LISTED)
    contribution = np.zeros((count, width), np.int64)
    kept = rank < width
    contribution[owner[kept], rank[kept]] = total[kept]
    return Evidence(size, np.maximum(most, np.bincount(owner, minlength=count)), contribution)
