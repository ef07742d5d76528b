"""Protect statistical tables before they are published, and prove that they are safe."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assessment import assess
    from .auditor import Audit, audit
    from .certificate import Certificate, verify
    from .comparison import Comparison, compare
    from .errors import AdditivityError, DiscreetError, InputError, UnsafeError
    from .hierarchy import Dimension, Hierarchy
    from .io.cells import from_frame, read_linked
    from .io.formats import read
    from .io.public import write_publication
    from .job.course import Run, run_job
    from .job.files import read_job
    from .job.model import Job
    from .limits import Limits, Watch
    from .pipeline import protect, publish
    from .problem import Problem, Role
    from .profile import Profile
    from .records.tabulation import tabulate
    from .release import Release
    from .report.comparing import comparison_report
    from .report.confidential import confidential_report
    from .report.public import public_report
    from .result import Publication, Result
    from .rules.registry import make_rule
    from .structure import Structure
    from .table import Table
    from .units import Unit

HOMES = {
    "assessment": ("assess",),
    "auditor": ("Audit", "audit"),
    "certificate": ("Certificate", "verify"),
    "comparison": ("Comparison", "compare"),
    "errors": ("AdditivityError", "DiscreetError", "InputError", "UnsafeError"),
    "hierarchy": ("Dimension", "Hierarchy"),
    "io.cells": ("from_frame", "read_linked"),
    "io.formats": ("read",),
    "io.public": ("write_publication",),
    "job.course": ("Run", "run_job"),
    "job.files": ("read_job",),
    "job.model": ("Job",),
    "limits": ("Limits", "Watch"),
    "pipeline": ("protect", "publish"),
    "problem": ("Problem", "Role"),
    "profile": ("Profile",),
    "records.tabulation": ("tabulate",),
    "release": ("Release",),
    "report.comparing": ("comparison_report",),
    "report.confidential": ("confidential_report",),
    "report.public": ("public_report",),
    "result": ("Publication", "Result"),
    "rules.registry": ("make_rule",),
    "structure": ("Structure",),
    "table": ("Table",),
    "units": ("Unit",),
}
HOME_OF = {name: home for home, names in HOMES.items() for name in names}

__all__ = [
    "AdditivityError",
    "Audit",
    "Certificate",
    "Comparison",
    "Dimension",
    "DiscreetError",
    "Hierarchy",
    "InputError",
    "Job",
    "Limits",
    "Problem",
    "Profile",
    "Publication",
    "Release",
    "Result",
    "Role",
    "Run",
    "Structure",
    "Table",
    "Unit",
    "UnsafeError",
    "Watch",
    "assess",
    "audit",
    "compare",
    "comparison_report",
    "confidential_report",
    "from_frame",
    "make_rule",
    "protect",
    "public_report",
    "publish",
    "read",
    "read_job",
    "read_linked",
    "run_job",
    "tabulate",
    "verify",
    "write_publication",
]


def __getattr__(name: str) -> Any:
    """Parts are loaded when they are first asked for, so that importing the package costs nothing."""
    if name not in HOME_OF:
        raise AttributeError(f"module 'discreet' has no attribute '{name}'")
    return getattr(import_module(f".{HOME_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
