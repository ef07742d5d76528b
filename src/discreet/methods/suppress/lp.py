"""The sequential linear programs of Sande and of Kelly et al., harvested, permuted, cleaned and improved.

Dulá, Fagan and Massell (2004), *Production practices*; Serpell et al. (2011), figure 1. One sensitive
cell after another is moved to the end of its protection range at the least price; the cells that move
are withheld and cost nothing from then on. Every solution is kept as a witness for all the cells that
it happens to protect. Secondaries that no witness needs any more are dropped, heaviest first. Then
parts of the pattern are torn down and built up again while that makes it cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...engines.status import Status
from ...errors import InputError, suggest
from ...limits import Limits, Watch
from ...problem import Problem
from ...release import Release
from ..method import Outcome
from .pattern import Builder
from .programs import Stop, Stuck, Unprotected
from .repair import repaired
from .sliding import split_anew

ORDERS = ("largest", "smallest", "random")


@dataclass(frozen=True)
class SuppressLP:
    """Options of the sequential linear programs."""

    order: str = field(
        default="largest",
        metadata={"help": "first order of the sensitive cells: largest, smallest or random"},
    )
    passes: int = field(default=4, metadata={"help": "whole patterns built in different orders"})
    bias: float = field(
        default=3.0, metadata={"help": "price of cells outside the best pattern in later passes, times"}
    )
    reweights: int = field(
        default=2, metadata={"help": "times a program is solved again with prices that follow its moves"}
    )
    patience: int = field(
        default=150, metadata={"help": "rounds of improvement without success before it ends"}
    )

    family: ClassVar[str] = "suppress"
    summary: ClassVar[str] = "Sequential linear programs, harvested, cleaned up and improved"
    source: ClassVar[str] = "Sande 1984; Kelly, Golden and Assad 1992; Serpell et al. 2011, figure 1"

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise InputError(f"Unknown order '{self.order}'. {suggest(self.order, ORDERS)}")
        if self.passes < 1 or self.patience < 0 or self.bias < 1:
            raise InputError("Expected passes >= 1, patience >= 0 and bias >= 1.")

    def solve(self, problem: Problem, limits: Limits, watch: Watch) -> Outcome:
        """The cheapest pattern found until everything was tried or somebody said stop."""
        bound = float(problem.weight[problem.sensitive].sum())
        builder = Builder(problem, limits, watch, self.reweights)
        status = Status.FEASIBLE
        try:
            while (cell := self._search(builder)) is not None:
                other = split_anew(builder.problem, builder.freedom, cell, limits, watch)
                if other is None:
                    return Outcome(Status.INFEASIBLE, unprotected=(cell,), work=builder.work)
                builder = Builder(other, limits, watch, self.reweights, builder.work)
        except Stop:
            status = Status.STOPPED
        except Stuck:
            status = Status.FAILED
        if builder.best is None:
            everything = Release.suppressed(problem, problem.withholdable)
            return Outcome(status, everything, bound, work=builder.work)
        found = builder.best.withheld, builder.best.cover.witnesses()
        withheld, hints, is_mended = repaired(problem, *found, limits)
        if status is Status.FAILED and not is_mended:
            withheld = problem.withholdable
        if float(problem.weight[withheld].sum()) <= bound:
            status = Status.OPTIMAL
        return Outcome(status, Release.suppressed(problem, withheld), bound, hints, work=builder.work)

    def _search(self, builder: Builder) -> int | None:
        """Builds patterns and improves the best one; or names a cell whose goals cannot be met."""
        try:
            self._build(builder)
        except Unprotected as proof:
            return proof.side[0]
        self._improve(builder)
        return None

    def _build(self, builder: Builder) -> None:
        """Passes in several orders; a pattern that is better than all before is cleaned at once."""
        later = [order for order in ("largest", "smallest") if order != self.order]
        orders = [self.order, *later, *["random"] * self.passes][: self.passes]
        for number, order in enumerate(orders):
            if builder.build(order, self.bias if number else 1.0):
                builder.clean()
            builder.watch.progress("building patterns", number + 1, self.passes)

    def _improve(self, builder: Builder) -> None:
        """Rounds of tearing down and building up."""
        idle = 0
        while idle < self.patience and builder.secondary.any():
            better = builder.improve()
            if not better and idle % 10 == 9:
                better = builder.clean()
            idle = 0 if better else idle + 1
            builder.watch.progress("improving the pattern", idle, self.patience)
