"""How a solver's run ended, in our words."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """Proved, found, stopped or broken are different things."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    STOPPED = "stopped"
    FAILED = "failed"
