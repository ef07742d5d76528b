"""suppress-lp against the peer's modular method: loss and time, always together."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from discreet.auditor import audit
from discreet.generate import ons_problem
from discreet.limits import Budget, Limits, Unwatched
from discreet.loss import measure
from discreet.problem import Problem
from discreet.registry import make_method
from discreet.release import Release

from .measuring import Finding, mean_ratio
from .peers import LARGEST_WEIGHT, Known, Pattern, PeerFailed, comparable, modular
from .report import show

SHAPE = (10, 10, 10)
LONG = 10.0
BETTER = 0.8
FINE_WEIGHT = 2_000_000
"""Weights scaled to whole numbers up to this one distort less; the peer may have them, too."""
SPARSE = 0.25
TIGHT = 25


def dense_loose() -> Finding:
    """All primaries, nothing known beforehand."""
    return _compared(range(5), None, None)


def dense_tight() -> Finding:
    """All primaries, every value known to within a quarter."""
    return _compared(range(3), None, TIGHT)


def sparse_loose() -> Finding:
    """A quarter of the primaries."""
    return _compared(range(5), SPARSE, None)


def sparse_tight() -> Finding:
    """A quarter of the primaries, every value known to within a quarter."""
    return _compared(range(5), SPARSE, TIGHT)


@dataclass(frozen=True)
class Run:
    """What one method did: secondaries, their weight, the weight of everything withheld, and its time."""

    secondary: int
    secondary_weight: float
    weight: float
    exposed: int
    seconds: float
    cpu: float

    def columns(self, name: str) -> dict[str, Any]:
        """For a row."""
        return {
            f"{name}: secondaries": self.secondary,
            f"{name}: secondary weight": self.secondary_weight,
            f"{name}: all weight": self.weight,
            f"{name}: exposed": self.exposed,
            f"{name}: s": self.seconds,
        }


def _compared(seeds: range, sparse: float | None, known: int | None) -> Finding:
    _ours(ons_problem((3, 3, 3), keep=0, known=known), 1.0)
    rows = []
    for seed in seeds:
        problem, told = comparable(ons_problem(SHAPE, seed, keep=0, sparse=sparse, known=known), known)
        peer = _peer(problem, told)
        if peer is None:
            print(f"  seed {seed}: the peer ended without a pattern", flush=True)
            continue
        same, long = _ours(problem, peer.seconds), _ours(problem, LONG)
        rows.append(
            {"seed": seed, "primaries": int(problem.sensitive.sum())}
            | peer.columns("peer")
            | same.columns("same time")
            | long.columns(f"{LONG:g} s")
            | {
                "ratio, same time": same.secondary_weight / peer.secondary_weight,
                f"ratio, {LONG:g} s": long.secondary_weight / peer.secondary_weight,
            }
        )
        show(rows[-1:])
    return _finding(rows, sparse, known)


def _finding(rows: list[dict[str, Any]], sparse: float | None, known: int | None) -> Finding:
    ratios = [[row[name] for row in rows] for name in ("ratio, same time", f"ratio, {LONG:g} s")]
    same, long = map(mean_ratio, ratios)
    exposed = sum(row[name] for row in rows for name in ("same time: exposed", f"{LONG:g} s: exposed"))
    late = [row for row in rows if row["same time: s"] > 1.05 * row["peer: s"]]
    return {
        "wanted": f"loss at most the peer's in its time, at most {BETTER:g} × after {LONG:g} s",
        "measured": (
            f"{same:.2f} × ({min(ratios[0]):.2f} to {max(ratios[0]):.2f}) in its time, "
            f"{long:.2f} × ({min(ratios[1]):.2f} to {max(ratios[1]):.2f}) after {LONG:g} s"
        ),
        "met": same <= 1.0 and long <= BETTER and not exposed and not late,
        "rows": rows,
        "note": (
            f"{' × '.join(map(str, SHAPE))} finest cells, "
            f"{'all primaries' if sparse is None else f'{sparse:.0%} of the primaries'}, "
            f"bounds {'[0, 1.5 × largest value]' if known is None else f'± {known} %'}. "
            "*Loss* is the weight (value) of the secondaries; ratios are ours over the peer's, their mean "
            "geometric; seeds for which the peer broke down are left out. "
            "The peer runs with its own rounding of weights and with a finer one, and "
            "the better pattern counts. *s* is the wall time of the solving alone, ours audited "
            "afterwards like the peer's. `benchmarks/README.md` says what exactly is compared."
        ),
    }


def _peer(problem: Problem, told: Known) -> Run | None:
    """The better of two runs of the peer, with the time of that one; none where both broke down."""
    runs: list[Run] = []
    for largest in (LARGEST_WEIGHT, FINE_WEIGHT):
        try:
            pattern = modular(problem, told, largest=largest)
        except PeerFailed as failure:
            print(f"  {failure}", flush=True)
            continue
        runs.append(_judged(problem, Release.suppressed(problem, pattern.withheld), pattern))
    return min(runs, key=lambda run: (run.exposed > 0, run.secondary_weight), default=None)


def _ours(problem: Problem, seconds: float) -> Run:
    limits = Limits(seconds=seconds)
    method = make_method("suppress-lp")
    begun, worked = perf_counter(), process_time()
    release = method.solve(problem, limits, Budget(limits, Unwatched())).release
    taken, cpu = perf_counter() - begun, process_time() - worked
    if release is None:
        raise RuntimeError("suppress-lp found no pattern.")
    return _judged(problem, release, Pattern(release.withheld, taken, cpu, taken, 0))


def _judged(problem: Problem, release: Release, pattern: Pattern) -> Run:
    verdict = audit(problem, release, insiders=False, implicit=False, reach="nothing")
    loss = measure(problem, release).overall
    primary = float(problem.weight[problem.sensitive].sum())
    return Run(
        secondary=loss.secondary,
        secondary_weight=loss.weight - primary,
        weight=loss.weight,
        exposed=len(verdict.exposed),
        seconds=pattern.seconds,
        cpu=pattern.cpu,
    )
