"""The cells of a problem and of what became of it, as the data that a page shows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..arrays import AnyArray, Bytes, Indices, Ints
from ..problem import Problem, Role
from ..release import Release
from ..result import Result
from ..units import INFINITE, Unit, saturating_difference
from .blocks import Block

MOST_CELLS = 40_000
"""Larger tables are shown from the top as far as this goes, so that the page still opens."""

STATES = (
    ("published", "published as it is"),
    ("primary", "withheld because it is sensitive"),
    ("secondary", "withheld to protect another cell"),
    ("changed", "published with a change"),
    ("sensitive", "sensitive, not withheld"),
    ("empty", "empty, known to be zero"),
)
PUBLISHED, PRIMARY, SECONDARY, CHANGED, SENSITIVE, EMPTY = range(len(STATES))
NO_END = "no end"


def table_of(result: Result) -> Block:
    """Every cell with what it is, what is told of it, and what readers can find out."""
    problem = result.problem
    cells = coarsest(problem)
    axes, code = axes_of(problem, cells)
    unit = problem.table.unit
    return {
        "measure": problem.table.measure,
        "axes": axes,
        "code": [column.tolist() for column in code.T],
        "value": [unit.text(value) for value in problem.table.value[cells]],
        "states": [{"name": name, "text": said} for name, said in STATES],
        "state": states(problem, result.release)[cells].tolist(),
        "seen": _by_place(cells, _seen(problem, result.release)),
        "exposed": _places(cells, [] if result.audit is None else result.audit.exposed),
        "details": [
            {"name": name, "at": at}
            for name, entries in _details(result).items()
            if (at := _by_place(cells, entries))
        ],
        "left_out": problem.size - len(cells),
    }


def states(problem: Problem, release: Release | None) -> Bytes:
    """What happened to each cell, as a place among the states."""
    state = np.where(problem.sensitive, SENSITIVE, PUBLISHED).astype(np.uint8)
    state[problem.role == Role.EMPTY] = EMPTY
    if release is not None:
        moved = ~release.withheld & (release.shown != problem.table.value)
        state[moved & ~problem.sensitive] = CHANGED
        state[release.withheld] = np.where(problem.sensitive, PRIMARY, SECONDARY)[release.withheld]
    return state


def coarsest(problem: Problem) -> AnyArray:
    """As many cells as a page can hold, those near the total first, in the order of the table."""
    code = problem.table.structure.code
    if problem.size <= MOST_CELLS:
        return np.arange(problem.size)
    depth = np.zeros(problem.size, np.int64)
    if code is not None:
        for place, dimension in enumerate(problem.table.structure.dimensions):
            depth += dimension.canonical_level[code[:, place]]
    return np.sort(np.argsort(depth, kind="stable")[:MOST_CELLS])


def axes_of(problem: Problem, cells: AnyArray) -> tuple[list[Block], Indices]:
    """The dimensions with the codes that some cells have, and the places of each cell's codes among them."""
    structure = problem.table.structure
    if structure.code is None:
        names = [structure.name(int(cell)).removeprefix("cell ") for cell in cells]
        return [axis("cell", names, [1] * len(names))], np.arange(len(cells), dtype=np.int32)[:, None]
    axes, columns = [], []
    for place, dimension in enumerate(structure.dimensions):
        used, at = np.unique(structure.code[cells, place], return_inverse=True)
        code = [dimension.code[p] for p in used]
        label = [dimension.label.get(c, "") for c in code]
        axes.append(axis(dimension.name, code, dimension.level[used].tolist(), label))
        columns.append(at.astype(np.int32))
    return axes, np.stack(columns, axis=1)


def axis(name: str, code: list[str], level: list[int], label: list[str] | None = None) -> Block:
    """A dimension: its codes, their levels from the total down, and what they mean where that is known."""
    said = label if label is not None and any(label) else []
    return {"name": name, "code": code, "level": level, "label": said}


Entries = Iterator[tuple[int, str]]


def _details(result: Result) -> dict[str, Entries]:
    """What can be said of single cells, by name."""
    problem, release = result.problem, result.release
    told = {} if release is None else {"readers are told": _told(problem, release)}
    return {
        "must stay possible": _ranges(problem),
        "at least this wide": _amounts(problem, problem.need_sliding),
        **told,
        "readers can narrow it to": _reach(result),
        "contributors": _counts(problem),
    }


def _seen(problem: Problem, release: Release | None) -> Entries:
    """What stands in the public table, where that is not the value."""
    if release is not None:
        for cell in np.flatnonzero(release.withheld):
            yield int(cell), "c"
        for cell in np.flatnonzero(~release.withheld & (release.shown != problem.table.value)):
            yield int(cell), problem.table.unit.text(release.shown[cell])


def _ranges(problem: Problem) -> Entries:
    """The protection range of each sensitive cell."""
    low = saturating_difference(problem.table.value, problem.need_below)
    high = saturating_difference(problem.table.value, -problem.need_above)
    for cell in np.flatnonzero((problem.need_below > 0) | (problem.need_above > 0)):
        yield int(cell), between(problem.table.unit, low[cell], high[cell])


def _amounts(problem: Problem, held: Ints) -> Entries:
    for cell in np.flatnonzero(held):
        yield int(cell), problem.table.unit.text(held[cell])


def _told(problem: Problem, release: Release) -> Entries:
    """Told intervals, cut with what is known beforehand."""
    low = np.maximum(release.told_lower, problem.lower)
    high = np.minimum(release.told_upper, problem.upper)
    for cell in np.flatnonzero(release.told_lower < release.told_upper):
        yield int(cell), between(problem.table.unit, low[cell], high[cell])


def _reach(result: Result) -> Entries:
    problem = result.problem
    step = Fraction(problem.table.unit.step)
    for reach in () if result.audit is None else result.audit.reach:
        value = int(problem.table.value[reach.cell])
        low = None if reach.below is None else float((value - reach.below) * step)
        high = None if reach.above is None else float((value + reach.above) * step)
        ends = [NO_END if end is None else f"{end:,.10g}" for end in (low, high)]
        yield reach.cell, " to ".join(ends)


def _counts(problem: Problem) -> Entries:
    if problem.table.frequency is not None:
        yield from enumerate(map(str, problem.table.frequency.tolist()))


def between(unit: Unit, low: int, high: int) -> str:
    """An interval in words; a bound that is not there is no end."""
    ends = [NO_END if abs(int(end)) == INFINITE else format(unit.amount(end), ",f") for end in (low, high)]
    return " to ".join(ends)


def _by_place(cells: AnyArray, entries: Entries) -> dict[int, str]:
    """Entries by the places of their cells on the page."""
    place = _place(cells)
    return {place[cell]: said for cell, said in entries if cell in place}


def _places(cells: AnyArray, chosen: Any) -> list[int]:
    place = _place(cells)
    return [place[int(cell)] for cell in chosen if int(cell) in place]


def _place(cells: AnyArray) -> dict[int, int]:
    return dict(zip(cells.tolist(), range(len(cells)), strict=True))
