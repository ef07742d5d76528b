"""What a run made: the release, the verdict on it, what it costs, and how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .auditor import Audit
from .engines.status import Status
from .loss import Loss
from .problem import Problem
from .profile import Profile
from .release import Release


@dataclass(frozen=True, eq=False)
class Result:
    """A release that was audited, or the proof or reason that there is none.

    `objective` is the weight of what is withheld or changed, `bound` a proven lower bound on it.
    `unprotected` are sensitive cells that nothing can protect. `log` says how to get the same again.
    """

    problem: Problem
    method: str
    status: Status
    release: Release | None = None
    audit: Audit | None = None
    loss: Loss | None = None
    objective: float | None = None
    bound: float | None = None
    seconds: float = 0.0
    unprotected: tuple[int, ...] = ()
    log: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_safe(self) -> bool:
        """There is a release and it is proved safe."""
        return self.audit is not None and self.audit.is_safe

    @property
    def gap(self) -> float | None:
        """How far the objective may be from the best, as a share of it."""
        if self.objective is None or self.bound is None:
            return None
        return max(0.0, self.objective - self.bound) / self.objective if self.objective else 0.0

    def summary(self) -> dict[str, Any]:
        """The account for scripts; names and meanings stay as they are."""
        audit, loss = self.audit, self.loss
        problem = self.problem
        withheld = None if self.release is None else self.release.withheld
        return {
            "method": self.method,
            "status": self.status.value,
            "safe": self.is_safe,
            "grade": None if audit is None else audit.grade,
            "exposed": None if audit is None else audit.exposed.tolist(),
            "implicit": None if audit is None else audit.judgement.sums.tolist(),
            "certified": None if audit is None else audit.certified,
            "judged": None if audit is None else audit.judged,
            "cells": problem.size,
            "sensitive": int(problem.sensitive.sum()),
            "secondary": None if withheld is None else int((withheld & ~problem.sensitive).sum()),
            "loss": None
            if loss is None
            else {
                "cells": loss.overall.withheld,
                "value": float(problem.table.unit.amount(loss.overall.value)),
                "changed": loss.overall.changed,
            },
            "objective": self.objective,
            "bound": self.bound,
            "gap": self.gap,
            "unprotected": list(self.unprotected),
            "seconds": round(self.seconds, 3),
        } | dict(self.log)

    def _repr_html_(self) -> str:
        from .display import facts_html, release_html

        html = facts_html(f"Result of {self.method}", self._facts())
        return html if self.release is None else html + release_html(self.problem, self.release)

    def _facts(self) -> dict[str, object]:
        said = self.summary()
        return {name: said[name] for name in ("status", "safe", "grade", "sensitive", "secondary", "seconds")}


@dataclass(frozen=True)
class Axis:
    """A dimension of a public table: its codes, totals before their parts, and how far each is from the top.

    `label` says what each code means, an empty text where that is not known.
    """

    name: str
    code: tuple[str, ...]
    level: tuple[int, ...]
    label: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Publication:
    """The public rows of a safe release, and the public account of what was done.

    It holds no rule, no need, no seed, and no difference between primary and secondary cells. `axes`
    are the dimensions behind the columns of codes; `profile` knows the marks among the values.
    """

    columns: Mapping[str, tuple[str, ...]]
    value: tuple[str, ...]
    lower: tuple[str, ...] | None = None
    upper: tuple[str, ...] | None = None
    account: Mapping[str, object] = field(default_factory=dict)
    axes: tuple[Axis, ...] = ()
    profile: Profile = field(default_factory=Profile)
    measure: str = "value"

    @property
    def level(self) -> dict[str, tuple[int, ...]]:
        """How far the code of each row is from the total of its dimension, in steps."""
        found = {}
        for axis in self.axes:
            steps = dict(zip(axis.code, axis.level, strict=True))
            found[axis.name] = tuple(steps[code] for code in self.columns[axis.name])
        return found

    @property
    def order(self) -> tuple[Axis, ...]:
        """The axes; columns of which nothing more is known have all their codes on one level."""
        bare = {name: tuple(dict.fromkeys(held)) for name, held in self.columns.items()}
        return self.axes or tuple(
            Axis(name, code, (1,) * len(code), ("",) * len(code)) for name, code in bare.items()
        )

    @property
    def place(self) -> tuple[tuple[int, ...], ...]:
        """Where the code of each row stands on each axis."""
        found = []
        for axis in self.order:
            at = {code: place for place, code in enumerate(axis.code)}
            found.append(tuple(at[code] for code in self.columns[axis.name]))
        return tuple(found)

    def __len__(self) -> int:
        return len(self.value)

    def _repr_html_(self) -> str:
        from .display import facts_html

        return facts_html(f"Publication of {len(self)} rows", self.account)
