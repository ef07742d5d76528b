"""Time, memory and the machine."""

from __future__ import annotations

import math
import os
import platform
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

PACKAGES = ("discreet", "numpy", "scipy", "numba", "highspy", "pytauargus")
GIGABYTE = 1e9

Finding = dict[str, Any]
"""What a benchmark returns: `wanted`, `measured`, `met` (None: cannot be told), `rows` and a `note`."""


@dataclass
class Span:
    """How long something took, its processor time, and the most memory that the process held meanwhile."""

    seconds: float = 0.0
    cpu: float = 0.0
    peak: float = 0.0

    @property
    def gigabytes(self) -> float:
        """The peak in GB."""
        return self.peak / GIGABYTE


@contextmanager
def span() -> Iterator[Span]:
    """Measures what happens inside; the peak starts from what the process holds on entering."""
    _forget_peak()
    measured = Span()
    begun, worked = perf_counter(), process_time()
    yield measured
    measured.seconds, measured.cpu = perf_counter() - begun, process_time() - worked
    measured.peak = peak_memory()


def peak_memory() -> float:
    """The most bytes this process held since its start, or since the last span began where Linux tells."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return 1024.0 * int(line.split()[1])
    except OSError:
        pass
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(largest if sys.platform == "darwin" else 1024 * largest)


def _forget_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def mean_ratio(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def machine() -> dict[str, Any]:
    """What the figures depend on, without names, dates or paths."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": _processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


class Others:
    """How many cores other programs keep busy while ours runs; nothing where the system does not tell."""

    def __init__(self) -> None:
        self.begun = perf_counter()
        self.before = _busy_seconds() - _own_seconds()

    @property
    def cores(self) -> float | None:
        """Since the start, after all children have ended."""
        used = _busy_seconds() - _own_seconds() - self.before
        taken = perf_counter() - self.begun
        return None if math.isnan(used) else round(max(used / taken, 0.0), 2)


def _busy_seconds() -> float:
    """What all cores together have worked since the machine was started."""
    try:
        ticks = [int(n) for n in Path("/proc/stat").read_text().split(None, 9)[1:9]]
    except OSError:
        return math.nan
    idle = ticks[3] + ticks[4]
    return (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
