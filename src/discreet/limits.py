"""How long, how hard and how large a run may be, and how its caller follows and stops it."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from typing import Protocol

from .errors import InputError


@dataclass(frozen=True)
class Limits:
    """What a run may use. `work` counts a method's own steps, so that a run can be repeated exactly."""

    seconds: float | None = None
    gap: float = 0.0
    seed: int = 0
    threads: int | None = None
    memory: int | None = None
    work: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "gap", "memory", "work"):
            held = getattr(self, name)
            if held is not None and held < 0:
                raise InputError(f"Expected {name} of 0 or more, got {held}.")
        if self.threads is not None and self.threads < 1:
            raise InputError(f"Expected at least 1 thread, got {self.threads}.")
        if self.seed < 0:
            raise InputError(f"Expected a seed of 0 or more, got {self.seed}.")


class Watch(Protocol):
    """Follows a run: takes news of it and says when to stop."""

    def progress(self, stage: str, done: float, total: float) -> None:
        """So much of a stage is done."""
        ...

    def incumbent(self, loss: float, bound: float | None) -> None:
        """A better safe result was found."""
        ...

    def stopped(self) -> bool:
        """Whether the run shall end with what it has."""
        ...


class Unwatched:
    """Nobody follows, nobody stops."""

    def progress(self, stage: str, done: float, total: float) -> None:
        """Goes unseen."""

    def incumbent(self, loss: float, bound: float | None) -> None:
        """Goes unseen."""

    def stopped(self) -> bool:
        """Never."""
        return False


@dataclass
class Budget:
    """A watch that also stops at the limits; it remembers why."""

    limits: Limits
    watch: Watch
    started: float = field(default_factory=time.monotonic)
    reason: str = ""

    def progress(self, stage: str, done: float, total: float) -> None:
        """Passed on."""
        self.watch.progress(stage, done, total)

    def incumbent(self, loss: float, bound: float | None) -> None:
        """Passed on."""
        self.watch.incumbent(loss, bound)

    def stopped(self) -> bool:
        """Whether the caller, the clock or the memory says stop."""
        if not self.reason:
            self.reason = self._why()
        return bool(self.reason)

    def _why(self) -> str:
        if self.watch.stopped():
            return "interrupted"
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            return "seconds"
        if self.limits.memory is not None and memory_in_use() > self.limits.memory:
            return "memory"
        return ""

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.monotonic() - self.started


def memory_in_use() -> int:
    """Bytes that this process holds now, or at its peak where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as status:  # noqa: PTH123
            return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
