"""The audit that everybody would write: two linear programs for each sensitive cell.

HiGHS is called directly on the system of the withheld cells, without the equations that say nothing
new, bounds scaled as ours are, presolve off, each program starting from the basis of the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import highspy
import numpy as np
from highspy import HighsModelStatus

from discreet.arrays import Floats, Ints
from discreet.attack.programs import as_bounds
from discreet.attack.view import View
from discreet.freedom import Freedom

LARGEST = 2.0**17
WAYS = {"warm, primal simplex": (4, False), "warm, dual simplex": (1, False), "from scratch": (1, True)}
"""Simplex strategy, and whether the last basis is forgotten."""


@dataclass(frozen=True)
class Naive:
    """Seconds and furthest moves of some cells, below and above (infinite where there is no end)."""

    seconds: Floats
    below: Floats
    above: Floats


class Programs:
    """The system of the withheld cells in HiGHS."""

    def __init__(self, freedom: Freedom, way: str) -> None:
        view = View.of(freedom)
        strategy, self.afresh = WAYS[way]
        self.place = view.place
        low, high = as_bounds(view.low), as_bounds(view.high)
        finite = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)], [1.0]])
        self.scale = min(1.0, LARGEST / float(np.abs(finite).max()))
        structure = freedom.structure
        rows = structure.matrix[~structure.redundant][:, view.cells]
        rows = rows[np.diff(rows.indptr) > 0].tocsc()
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = rows.shape
        model.col_cost_ = np.zeros(len(view))
        model.col_lower_, model.col_upper_ = low * self.scale, high * self.scale
        model.row_lower_ = model.row_upper_ = np.zeros(rows.shape[0])
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr, rows.indices
        model.a_matrix_.value_ = rows.data.astype(np.float64)
        self.solver = highspy.Highs()
        for name, value in {
            "output_flag": False,
            "presolve": "off",
            "simplex_strategy": strategy,
        }.items():
            self.solver.setOptionValue(name, value)
        self.solver.passModel(model)
        self.solver.run()

    def furthest(self, cell: int, up: bool) -> float:
        """How far a cell can move to one side."""
        place = int(self.place[cell])
        if self.afresh:
            self.solver.clearSolver()
        self.solver.changeColCost(place, -1.0 if up else 1.0)
        self.solver.run()
        status, end = self.solver.getModelStatus(), self.solver.getInfo().objective_function_value
        self.solver.changeColCost(place, 0.0)
        if status in (HighsModelStatus.kUnbounded, HighsModelStatus.kUnboundedOrInfeasible):
            return np.inf
        if status != HighsModelStatus.kOptimal:
            raise RuntimeError(f"The solver ended with {status}.")
        return -end / self.scale


def two_programs_each(freedom: Freedom, cells: Ints, way: str) -> Naive:
    """The reach of some cells; making the model and its first basis is not counted."""
    programs = Programs(freedom, way)
    seconds, below, above = (np.zeros(len(cells)) for _ in range(3))
    for at, cell in enumerate(cells.tolist()):
        begun = perf_counter()
        below[at], above[at] = (programs.furthest(cell, up) for up in (False, True))
        seconds[at] = perf_counter() - begun
    return Naive(seconds, below, above)
