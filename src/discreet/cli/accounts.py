"""The accounts that scripts read: one JSON object on the standard output, and nothing else there."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..arrays import AnyArray
    from ..auditor import Audit
    from ..certificate import Verification
    from ..comparison import Comparison
    from ..problem import Problem
    from ..result import Result


def print_json(account: Mapping[str, Any] | Sequence[Any]) -> None:
    """Prints an account."""
    sys.stdout.write(json.dumps(account, default=str) + "\n")
    sys.stdout.flush()


def account_of_run(result: Result, files: Sequence[Path]) -> dict[str, Any]:
    """What a run made; cells go by the ids that they have in a JJ file."""
    said = result.summary()
    for name in ("exposed", "unprotected"):
        said[name] = None if said[name] is None else ids(result.problem, said[name])
    return said | {"files": [str(path) for path in files]}


def account_of_audit(problem: Problem, verdict: Audit, seconds: float, reach: bool) -> dict[str, Any]:
    """What an audit found."""
    said: dict[str, Any] = {
        "safe": verdict.is_safe,
        "grade": verdict.grade,
        "additive": verdict.is_additive,
        "truthful": verdict.is_truthful,
        "exposed": ids(problem, verdict.exposed),
        "implicit": verdict.judgement.sums.tolist(),
        "certified": verdict.certified,
        "sensitive": verdict.sensitive,
        "judged": dict(verdict.judged),
        "seconds": round(seconds, 3),
    }
    return said | ({"reach": reaches(problem, verdict)} if reach else {})


def account_of_verification(problem: Problem, found: Verification, seconds: float) -> dict[str, Any]:
    """What the additions came to."""
    verdict = found.judgement
    return {
        "safe": found.holds,
        "about": found.is_about,
        "additive": verdict.is_additive,
        "truthful": verdict.is_truthful,
        "exposed": ids(problem, verdict.exposed.nonzero()[0]),
        "implicit": verdict.sums.tolist(),
        "seconds": round(seconds, 3),
    }


def account_of_comparison(comparison: Comparison, files: Sequence[Path]) -> dict[str, Any]:
    """What several methods made of one table."""
    said = comparison.as_dict()
    for result in said["results"]:
        for name in ("exposed", "unprotected"):
            result[name] = None if result[name] is None else ids(comparison.problem, result[name])
    return said | {"files": [str(path) for path in files]}


def reaches(problem: Problem, verdict: Audit) -> list[dict[str, Any]]:
    """The least and the most that a cell can be for all that readers know; None where there is no end."""
    step = Fraction(problem.table.unit.step)
    found = []
    names = ids(problem, [reach.cell for reach in verdict.reach])
    for name, reach in zip(names, verdict.reach, strict=True):
        value = int(problem.table.value[reach.cell])
        low = None if reach.below is None else float((value - reach.below) * step)
        high = None if reach.above is None else float((value + reach.above) * step)
        found.append({"id": name, "lower": low, "upper": high})
    return found


def ids(problem: Problem, cells: AnyArray | Sequence[int]) -> list[int]:
    """The numbers by which a JJ file calls some cells."""
    from ..io.jj_writing import jj_ids

    known = jj_ids(problem.table.structure)
    return [int(known[cell]) for cell in cells]
