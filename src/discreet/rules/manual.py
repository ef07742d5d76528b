"""The manual rule: cells that somebody marked by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..evidence import Evidence, Level
from .parameters import Percent, percentage, settle, shown
from .proportions import share
from .rule import Needs, Scope


@dataclass(frozen=True)
class ManualRule:
    """Unsafe where a cell was marked by hand; needs `percent` % of the value on both sides."""

    percent: Percent = field(
        default=10, metadata=percentage("how much of the value must stay uncertain, r", most=None)
    )

    summary: ClassVar[str] = "Cells that were marked by hand need protection"
    formula: ClassVar[str] = "unsafe when marked by hand; needs r % of the value"
    example: ClassVar[str] = "manual:20"
    scope: ClassVar[Scope] = Scope(signs=True, marked=True)
    level: ClassVar[Level] = "record"

    def __post_init__(self) -> None:
        settle(self)

    @property
    def listed(self) -> int:
        """None: it was decided by hand."""
        return 0

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        return f"A cell that was marked by hand is unsafe; it needs {shown(self.percent)} % of its value."

    def needs(self, evidence: Evidence) -> Needs:
        """A share of the value of every cell; who asks keeps those that were marked."""
        return share(evidence, self.percent, np.ones(len(evidence.total), np.bool_))
