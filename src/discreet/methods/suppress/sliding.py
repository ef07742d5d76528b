"""Sliding needs that cannot be split evenly, as a cell may lie further off on one side than on the other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...attack.search import Goals, Search, Unsettled
from ...freedom import Freedom
from ...limits import Limits, Watch
from ...problem import Problem
from ...units import INFINITE
from .programs import Stuck


def split_anew(problem: Problem, freedom: Freedom, cell: int, limits: Limits, watch: Watch) -> Problem | None:
    """The problem with needs below and above a cell in place of its sliding need; none where none can be met.

    `freedom` is that of readers from whom everything is withheld, so that none is a proof.
    """
    nothing = np.zeros(problem.size, np.int64)
    search = Search(
        freedom, Goals(nothing, nothing), whole=problem.whole, threads=limits.threads or 1, watch=watch
    )
    try:
        below, above = (search.reach(cell, up) for up in (False, True))
    except Unsettled:
        raise Stuck from None
    down, up = (Fraction(INFINITE) if end is None else end for end in (below, above))
    needs = int(problem.need_below[cell]), int(problem.need_above[cell])
    sliding = int(problem.need_sliding[cell])
    if down < needs[0] or up < needs[1] or down + up < sliding:
        return None
    even = tuple(int(goal[cell]) for goal in problem.goals)
    goal_above = max(needs[1], min(even[1], int(up), sliding))
    goal_below = max(needs[0], sliding - goal_above)
    if goal_below > down:
        goal_below = int(down)
        goal_above = max(needs[1], sliding - goal_below)
    if goal_above > up or (goal_below, goal_above) == even:
        raise Stuck
    changed = [np.array(need) for need in (problem.need_below, problem.need_above, problem.need_sliding)]
    for need, goal in zip(changed, (goal_below, goal_above, 0), strict=True):
        need[cell] = goal
    return replace(problem, need_below=changed[0], need_above=changed[1], need_sliding=changed[2])
