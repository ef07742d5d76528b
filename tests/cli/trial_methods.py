"""Methods that end as a test wants them to end."""

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.engines.status import Status
from discreet.errors import EngineError
from discreet.methods.method import Outcome
from discreet.release import Release


@dataclass(frozen=True)
class Trial:
    family: ClassVar[str] = "suppress"
    summary: ClassVar[str] = "For tests"
    source: ClassVar[str] = "Nobody"

    def solve(self, problem, limits, watch):
        raise NotImplementedError


class OnlySensitive(Trial):
    """Withholds the sensitive cells alone, which protects nobody."""

    def solve(self, problem, limits, watch):
        return Outcome(Status.FEASIBLE, Release.suppressed(problem, problem.sensitive))


class GivesUp(Trial):
    def solve(self, problem, limits, watch):
        return Outcome(Status.STOPPED)


class Broken(Trial):
    def solve(self, problem, limits, watch):
        raise EngineError("The solver broke down.")


class Bug(Trial):
    def solve(self, problem, limits, watch):
        raise KeyError(f"the value {problem.table.value[0]}")


class OutOfMemory(Trial):
    def solve(self, problem, limits, watch):
        raise MemoryError


class Slow(Trial):
    """Withholds everything after four seconds, or when it is told to stop; says how far it is."""

    def solve(self, problem, limits, watch):
        for step in range(40):
            watch.progress("counting sheep", step, 40)
            if watch.stopped():
                break
            time.sleep(0.1)
        everything = np.where(problem.withholdable, True, False)
        return Outcome(Status.STOPPED, Release.suppressed(problem, everything))
