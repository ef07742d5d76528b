"""The line from a problem to a publication: the one place that knows all the parts."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from .auditor import audit
from .errors import EngineError, UnsafeError
from .limits import Budget, Limits, Unwatched, Watch
from .loss import measure
from .methods.method import Method, Outcome
from .problem import Problem
from .registry import make_method
from .release import Release
from .result import Publication, Result
from .units import INFINITE

DEFAULT_METHOD = "suppress-lp"
MARK = "c"
"""What stands for a withheld value."""


def protect(
    problem: Problem,
    method: str | Method = DEFAULT_METHOD,
    *,
    options: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | None = None,
    work: int | None = None,
    watch: Watch | None = None,
    insiders: bool = True,
    implicit: bool = True,
    clip: bool = False,
) -> Result:
    """Protects a table and audits what came out, always."""
    if clip:
        problem = problem.clipped()
    problem.refuse_impossible()
    problem = _judged_by(problem, insiders, implicit)
    name, chosen = (
        (method, make_method(method, dict(options or {}))) if isinstance(method, str) else _own(method)
    )
    limits = Limits(seconds=seconds, seed=seed, threads=threads, memory=memory, work=work)
    watch = watch or Unwatched()
    budget = Budget(limits, watch)
    started = time.perf_counter()
    outcome = chosen.solve(problem, limits, budget)
    if outcome.release is None:
        return Result(
            problem,
            name,
            outcome.status,
            bound=outcome.bound,
            seconds=time.perf_counter() - started,
            unprotected=outcome.unprotected,
            log=_log(chosen, limits, outcome, budget),
        )
    verdict = audit(
        problem,
        outcome.release,
        hints=outcome.hints,
        insiders=insiders,
        implicit=implicit,
        limits=limits,
        watch=Unstoppable(watch),
    )
    return Result(
        problem,
        name,
        outcome.status,
        release=outcome.release,
        audit=verdict,
        loss=measure(problem, outcome.release),
        objective=objective(problem, outcome.release),
        bound=outcome.bound,
        seconds=time.perf_counter() - started,
        log=_log(chosen, limits, outcome, budget),
    )


class Unstoppable:
    """Passes on news but not the wish to stop: what was made is always audited to the end."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def progress(self, stage: str, done: float, total: float) -> None:
        """Passed on."""
        self.watch.progress(f"audit: {stage}", done, total)

    def incumbent(self, loss: float, bound: float | None) -> None:
        """Passed on."""
        self.watch.incumbent(loss, bound)

    def stopped(self) -> bool:
        """Never."""
        return False


def objective(problem: Problem, release: Release) -> float:
    """The weight of the withheld cells, and of the units by which the others were changed."""
    change = np.abs(release.shown.astype(np.float64) - problem.table.value)
    return float(problem.weight[release.withheld].sum() + (problem.weight * change)[~release.withheld].sum())


def publish(result: Result, *, override: bool = False, mark: str = MARK) -> Publication:
    """What everybody may read of a result; one that is not proved safe is refused unless overridden."""
    release, problem = result.release, result.problem
    if release is None or result.audit is None:
        raise UnsafeError("There is no release to publish: the run ended without one.")
    if not result.is_safe and not override:
        raise UnsafeError(
            f"The release is not proved safe ({len(result.audit.exposed)} cells exposed) and is not "
            "published. Protect the table again, or override on your own responsibility; "
            "the account will say so."
        )
    rows = problem.table.rows
    cell = np.arange(problem.size) if rows is None else rows.cell
    lower, upper = _told(problem, release, cell)
    return Publication(
        columns=_columns(problem, cell),
        value=tuple(
            mark if hidden else problem.table.unit.text(shown)
            for hidden, shown in zip(release.withheld[cell], release.shown[cell], strict=True)
        ),
        lower=lower,
        upper=upper,
        account=_account(result, len(cell)),
    )


def _columns(problem: Problem, cell: np.ndarray[Any, Any]) -> dict[str, tuple[str, ...]]:
    structure, rows = problem.table.structure, problem.table.rows
    if structure.code is None:
        return {"cell": tuple(structure.name(int(c)).removeprefix("cell ") for c in cell)}
    code = structure.code[cell] if rows is None else rows.code
    return {d.name: tuple(d.code[p] for p in code[:, k]) for k, d in enumerate(structure.dimensions)}


def _told(
    problem: Problem, release: Release, cell: np.ndarray[Any, Any]
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Told intervals as columns, where something else than a value or nothing is told."""
    low, high = release.told_lower[cell], release.told_upper[cell]
    told = (low < high) & ((low > -INFINITE) | (high < INFINITE))
    if not told.any():
        return None, None
    text = problem.table.unit.text
    return (
        tuple("" if x == -INFINITE else text(x) for x in low),
        tuple("" if x == INFINITE else text(x) for x in high),
    )


def _account(result: Result, rows: int) -> dict[str, object]:
    """What readers may know; nothing that an attacker could use."""
    release = result.release
    assert release is not None
    account: dict[str, object] = {
        "made_with": f"discreet {own_version()}",
        "rows": rows,
        "protection": dict(release.told),
        "withheld": int(release.withheld.sum()),
        "proved_safe": result.is_safe,
    }
    if not result.is_safe:
        account["warning"] = "Published by override although the release was not proved safe."
    return account


def _judged_by(problem: Problem, insiders: bool, implicit: bool) -> Problem:
    """The problem as the method shall see it: without contributors where insiders are not judged."""
    if implicit and insiders:
        return problem
    if not implicit:
        problem = replace(problem, rules=())
    if not insiders:
        table = replace(problem.table, contribution=None, contributor=None)
        problem = problem if implicit and problem.rules else replace(problem, table=table)
    return problem


def _own(method: Method) -> tuple[str, Method]:
    return type(method).__name__, method


def _log(method: Method, limits: Limits, outcome: Outcome, budget: Budget) -> dict[str, Any]:
    """Everything needed to get the same result again."""
    return {
        "seed": limits.seed,
        "work": outcome.work,
        "stopped": budget.reason or None,
        "options": {f.name: getattr(method, f.name) for f in fields(method)},
        "versions": {"discreet": own_version(), "python": platform.python_version()}
        | {name: version(name) for name in ("highspy", "numba", "numpy", "scipy")},
    }


def own_version() -> str:
    """The version of this package."""
    try:
        return version("discreet")
    except PackageNotFoundError:
        return "unknown"


__all__ = ["EngineError", "protect", "publish"]
