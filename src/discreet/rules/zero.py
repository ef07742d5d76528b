"""The zero rule: that everybody contributes nothing is known of everybody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..evidence import Evidence, Level
from .parameters import settle, whole
from .rule import Needs, Scope


@dataclass(frozen=True)
class ZeroRule:
    """Unsafe when there are contributors and every contribution is zero; needs `above` units above."""

    above: int = field(metadata=whole("units of the table that must stay possible above zero, v", 1))
    level: Level = "record"

    summary: ClassVar[str] = "That every contributor contributes nothing must not be seen"
    formula: ClassVar[str] = (
        "unsafe when contributors > 0 and every contribution is 0; needs v above, 0 below"
    )
    example: ClassVar[str] = "zero:5"
    scope: ClassVar[Scope] = Scope(signs=True)

    def __post_init__(self) -> None:
        settle(self)

    @property
    def listed(self) -> int:
        """None: where nothing is below zero, a total of zero says it all."""
        return 0

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        return (
            f"A cell is unsafe when all its {self.level}s contribute zero; it needs {self.above} units above."
        )

    def needs(self, evidence: Evidence) -> Needs:
        """So many units above, and nothing below."""
        nothing = (evidence.total == 0) & ~evidence.negative & ~(evidence.contribution != 0).any(axis=1)
        hit = (evidence.count > 0) & nothing
        return Needs(np.zeros(len(hit), np.int64), np.where(hit, self.above, 0).astype(np.int64))
