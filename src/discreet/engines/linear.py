"""Linear and mixed-integer programs, solved by HiGHS on scaled columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np
from highspy import HighsModelStatus

from ..arrays import AnyArray, Floats, Indices
from ..errors import EngineError
from .status import Status
from .tolerances import FEASIBILITY, LARGEST

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

MEANING = {
    HighsModelStatus.kOptimal: Status.OPTIMAL,
    HighsModelStatus.kModelEmpty: Status.OPTIMAL,
    HighsModelStatus.kInfeasible: Status.INFEASIBLE,
    HighsModelStatus.kUnbounded: Status.UNBOUNDED,
    HighsModelStatus.kUnboundedOrInfeasible: Status.UNBOUNDED,
    HighsModelStatus.kTimeLimit: Status.STOPPED,
    HighsModelStatus.kIterationLimit: Status.FAILED,
    HighsModelStatus.kSolutionLimit: Status.STOPPED,
    HighsModelStatus.kInterrupt: Status.STOPPED,
}
LONG_WAY, LONG_WAY_AT_LEAST = 2, 500
"""Simplex steps for each row, and more, which take about as long as a way through the interior."""
SELDOM = 16
"""Simplex steps for each question whether to stop: asking costs about as much as a small step."""
STEEPEST, DEVEX = -1, 1
"""Pricing of the dual simplex: from a kept corner, the weights of steepest edges cost more than they save."""
SIMPLEX = highspy.cb.HighsCallbackType.kCallbackSimplexInterrupt
INTERRUPTS = (
    SIMPLEX,
    highspy.cb.HighsCallbackType.kCallbackIpmInterrupt,
    highspy.cb.HighsCallbackType.kCallbackMipInterrupt,
)


@dataclass(frozen=True)
class Point:
    """Where a run ended; `value` is there whenever the solver holds a point, even when stopped."""

    status: Status
    value: Floats
    objective: float


class LinearProgram:
    """Minimise `cost x` over `lower <= x <= upper` and `A x = right`, again and again with changes.

    Bounds and points are in the caller's units; inside they are scaled by a power of two, so that
    huge tables look to the solver like small ones.
    """

    def __init__(
        self,
        matrix: csc_matrix[Any],
        lower: Floats,
        upper: Floats,
        cost: Floats,
        *,
        right: Floats | None = None,
        whole: bool = False,
        threads: int = 1,
        presolve: bool = False,
        simplex: str = "dual",
    ) -> None:
        self.scale = 1.0 if whole else _power_of_two(lower, upper)
        self.solver = highspy._core._Highs()
        self.threads = threads if whole else None
        self._options(presolve, simplex)
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = matrix.shape
        model.col_cost_ = cost
        model.col_lower_ = lower * self.scale
        model.col_upper_ = upper * self.scale
        rows = np.zeros(matrix.shape[0]) if right is None else right * self.scale
        model.row_lower_ = rows
        model.row_upper_ = rows
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = matrix.indptr.astype(np.int32)
        model.a_matrix_.index_ = matrix.indices.astype(np.int32)
        model.a_matrix_.value_ = matrix.data.astype(np.float64)
        if whole:
            model.integrality_ = [highspy.HighsVarType.kInteger] * matrix.shape[1]
        if self.solver.passModel(model) == highspy.HighsStatus.kError or np.isnan(matrix.data).any():
            raise EngineError("The solver refused the model.")

    def _options(self, presolve: bool, simplex: str) -> None:
        options: dict[str, Any] = {
            "output_flag": False,
            "presolve": "on" if presolve else "off",
            "simplex_strategy": {"dual": 1, "primal": 4}[simplex],
            "primal_feasibility_tolerance": FEASIBILITY,
            "dual_feasibility_tolerance": FEASIBILITY,
            "random_seed": 0,
        }
        for name, chosen in options.items():
            self.solver.setOptionValue(name, chosen)

    def bound(self, column: Indices, lower: Floats, upper: Floats) -> None:
        """Changes the bounds of some columns."""
        self.solver.changeColsBounds(len(column), column, lower * self.scale, upper * self.scale)

    def price(self, column: Indices, cost: Floats) -> None:
        """Changes the costs of some columns; the next run starts afresh, which is faster than going on."""
        self.solver.changeColsCost(len(column), column, cost)
        self.solver.clearSolver()

    def restart(self, corner: Any = None) -> None:
        """Forgets where the last run ended; the next one starts afresh, or from a corner kept before."""
        self.solver.clearSolver()
        if corner is not None:
            self.solver.setBasis(corner)
        pricing = STEEPEST if corner is None else DEVEX
        self.solver.setOptionValue("simplex_dual_edge_weight_strategy", pricing)

    @property
    def corner(self) -> Any:
        """Where the last run ended."""
        return self.solver.getBasis()

    def solve_patiently(self, stopped: Callable[[], bool]) -> Point:
        """The best corner; where the way over corners is long, through the interior."""
        steps = LONG_WAY * self.solver.getNumRow() + LONG_WAY_AT_LEAST
        self.solver.setOptionValue("simplex_iteration_limit", steps)
        point = self.solve(stopped)
        self.solver.setOptionValue("simplex_iteration_limit", highspy.kHighsIInf)
        if self.solver.getModelStatus() == HighsModelStatus.kIterationLimit:
            point = self.solve_inside(stopped)
        return point

    def solve_inside(self, stopped: Callable[[], bool]) -> Point:
        """The best corner, on a way through the interior."""
        self.solver.clearSolver()
        self.solver.setOptionValue("solver", "ipm")
        point = self.solve(stopped)
        self.solver.setOptionValue("solver", "choose")
        return point

    def solve(self, stopped: Callable[[], bool]) -> Point:
        """Runs to the end, or until the caller says stop."""
        trouble: list[BaseException] = []
        steps = count()

        def ask(kind: Any, message: Any, news: Any, order: Any, data: Any) -> None:
            if kind == SIMPLEX and next(steps) % SELDOM:
                return
            try:
                if trouble or stopped():
                    order.user_interrupt = True
            except BaseException as error:
                trouble.append(error)
                order.user_interrupt = True

        self._take_threads()
        self.solver.setCallback(ask, None)
        for kind in INTERRUPTS:
            self.solver.startCallback(kind)
        self.solver.run()
        self.solver.setCallback(None, None)
        if trouble:
            raise trouble[0]
        return self._point()

    def _take_threads(self) -> None:
        """The simplex method has one thread; HiGHS refuses another number than a process began with."""
        if self.threads is not None:
            highspy.Highs.resetGlobalScheduler(True)
            self.solver.setOptionValue("threads", self.threads)

    def _point(self) -> Point:
        status = MEANING.get(self.solver.getModelStatus(), Status.FAILED)
        solution = self.solver.getSolution()
        value: AnyArray = np.array(solution.col_value) / self.scale
        return Point(status, value, self.solver.getObjectiveValue() / self.scale)


def _power_of_two(lower: Floats, upper: Floats) -> float:
    bounds = np.concatenate([np.abs(lower), np.abs(upper)])
    largest = float(bounds[np.isfinite(bounds)].max(initial=1.0))
    return 2.0 ** -max(0, math.ceil(math.log2(largest / LARGEST)))
