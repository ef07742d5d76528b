"""What every method takes and gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ..engines.status import Status
from ..limits import Limits, Watch
from ..problem import Problem
from ..release import Release
from ..witnesses import Witnesses


@dataclass(frozen=True)
class Outcome:
    """How a method ended: a release where there is one, and what it proved of the best there can be.

    `hints` are witnesses found on the way; the auditor checks each. `unprotected` are cells that
    nothing can protect, where that was proved. `work` counts the method's own steps.
    """

    status: Status
    release: Release | None = None
    bound: float | None = None
    hints: Witnesses = field(default_factory=Witnesses.none)
    unprotected: tuple[int, ...] = ()
    work: int = 0


class Method(Protocol):
    """A frozen dataclass of options with one verb; each option's metadata holds its `help`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    family: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]

    def solve(self, problem: Problem, limits: Limits, watch: Watch) -> Outcome:
        """Protects the problem's table within the limits; asks `watch.stopped()` often."""
        ...
