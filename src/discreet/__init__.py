"""Protect statistical tables before they are published, and prove that they are safe."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assessment import assess
    from .auditor import Audit, audit
    from .certificate import Certificate, verify
    from .errors import AdditivityError, DiscreetError, InputError, UnsafeError
    from .hierarchy import Dimension, Hierarchy
    from .io.cells import from_frame, read_linked
    from .io.formats import read
    from .io.public import write_publication
    from .limits import Limits, Watch
    from .pipeline import protect, publish
    from .problem import Problem, Role
    from .release import Release
    from .result import Publication, Result
    from .rules.registry import make_rule
    from .structure import Structure
    from .table import Table
    from .units import Unit

HOMES = {
    "assessment": ("assess",),
    "auditor": ("Audit", "audit"),
    "certificate": ("Certificate", "verify"),
    "errors": ("AdditivityError", "DiscreetError", "InputError", "UnsafeError"),
    "hierarchy": ("Dimension", "Hierarchy"),
    "io.cells": ("from_frame", "read_linked"),
    "io.formats": ("read",),
    "io.public": ("write_publication",),
    "limits": ("Limits", "Watch"),
    "pipeline": ("protect", "publish"),
    "problem": ("Problem", "Role"),
    "release": ("Release",),
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
    "Dimension",
    "DiscreetError",
    "Hierarchy",
    "InputError",
    "Limits",
    "Problem",
    "Publication",
    "Release",
    "Result",
    "Role",
    "Structure",
    "Table",
    "Unit",
    "UnsafeError",
    "Watch",
    "assess",
    "audit",
    "from_frame",
    "make_rule",
    "protect",
    "publish",
    "read",
    "read_linked",
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
