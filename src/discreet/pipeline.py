"""The line from a problem to a publication: the one place that knows all the parts."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from .arrays import Indices
from .auditor import audit
from .errors import EngineError, UnsafeError
from .limits import Budget, Limits, Unwatched, Watch
from .loss import measure
from .methods.method import Method, Outcome
from .problem import Problem, Role
from .profile import Profile, is_like_a_formula
from .registry import DEFAULT_METHOD, make_method
from .release import Release
from .result import Axis, Publication, Result
from .units import INFINITE, Unit

DEFAULT_PROFILE = Profile()


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


def publish(result: Result, *, override: bool = False, mark: str | Profile = DEFAULT_PROFILE) -> Publication:
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
    profile = mark if isinstance(mark, Profile) else Profile.of(mark)
    columns = _columns(problem, cell)
    return Publication(
        columns=columns,
        value=_shown(problem, release, cell, profile),
        lower=lower,
        upper=upper,
        account=_account(result, columns, profile),
        axes=_axes(problem),
        profile=profile,
        measure=problem.table.measure,
    )


def _shown(
    problem: Problem, release: Release, cell: np.ndarray[Any, Any], profile: Profile
) -> tuple[str, ...]:
    """Values as texts, and marks where nothing is shown or where nothing is."""
    text = np.array([problem.table.unit.text(shown) for shown in release.shown[cell]], dtype=object)
    if profile.empty is not None:
        text[(problem.role == Role.EMPTY)[cell] & (release.shown[cell] == 0)] = profile.empty
    text[release.withheld[cell]] = profile.withheld
    return tuple(text.tolist())


def _columns(problem: Problem, cell: np.ndarray[Any, Any]) -> dict[str, tuple[str, ...]]:
    structure = problem.table.structure
    if structure.code is None:
        return {"cell": tuple(structure.name(int(c)).removeprefix("cell ") for c in cell)}
    code = _codes(problem)
    return {d.name: tuple(d.code[p] for p in code[:, k]) for k, d in enumerate(structure.dimensions)}


def _axes(problem: Problem) -> tuple[Axis, ...]:
    """The dimensions, with the codes that some row has."""
    axes = []
    for place, dimension in enumerate(problem.table.structure.dimensions):
        used = np.unique(_codes(problem)[:, place])
        code = tuple(dimension.code[p] for p in used)
        label = tuple(dimension.label.get(c, "") for c in code)
        axes.append(Axis(dimension.name, code, tuple(dimension.level[used].tolist()), label))
    return tuple(axes)


def _codes(problem: Problem) -> Indices:
    """The places of the codes of each row."""
    rows, code = problem.table.rows, problem.table.structure.code
    assert code is not None
    return code if rows is None else rows.code


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


def _account(result: Result, columns: Mapping[str, tuple[str, ...]], profile: Profile) -> dict[str, object]:
    """What readers may know; nothing that an attacker could use."""
    release = result.release
    assert release is not None
    account: dict[str, object] = {
        "made_with": f"discreet {own_version()}",
        "rows": len(next(iter(columns.values()))),
        "protection": _sentence(release, result.problem.table.unit),
        "withheld": int(release.withheld.sum()),
        "marks": {"withheld": profile.withheld} | ({} if profile.empty is None else {"empty": profile.empty}),
        "proved_safe": result.is_safe,
    }
    like_formulas = {code for held in columns.values() for code in held if is_like_a_formula(code)}
    if like_formulas:
        account["caution"] = (
            f"{len(like_formulas)} codes begin as formulas do (=, +, -, @). They stand as they are: where "
            "text files go into a spreadsheet, import their columns as text, or take the .xlsx."
        )
    if not result.is_safe:
        account["warning"] = "Published by override although the release was not proved safe."
    return account


def _sentence(release: Release, unit: Unit) -> dict[str, object]:
    """What was done to the values, with amounts in the numbers of the table."""
    amounts = {
        name: unit.text(int(str(release.told[name]))) for name in ("base", "within") if name in release.told
    }
    return dict(release.told) | amounts


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
