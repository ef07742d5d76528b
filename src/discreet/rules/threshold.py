"""The minimum frequency rule: enough contributors must stand behind a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ..evidence import Evidence, Level
from .parameters import Percent, flag, percentage, settle, shown, whole
from .proportions import share
from .rule import Needs, Scope


@dataclass(frozen=True)
class ThresholdRule:
    """Unsafe with fewer than `least` contributors; needs `percent` % of the value on both sides."""

    least: int = field(metadata=whole("how many contributors are enough, n", 1))
    percent: Percent = field(
        default=10, metadata=percentage("how much of the value must stay uncertain, r", most=None)
    )
    unweighted: bool = field(
        default=False, metadata=flag("count the contributors themselves, whatever their weights")
    )
    level: Level = "record"

    summary: ClassVar[str] = "Enough contributors must stand behind a cell"
    formula: ClassVar[str] = "unsafe when 0 < contributors < n; needs r % of the value"
    example: ClassVar[str] = "threshold:3:10"
    scope: ClassVar[Scope] = Scope(counts=True, signs=True)

    def __post_init__(self) -> None:
        settle(self)

    @property
    def listed(self) -> int:
        """None: it only counts."""
        return 0

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        how = ", not counting their weights" if self.unweighted else ""
        return (
            f"A cell is unsafe when some, but fewer than {self.least} {self.level}s contribute to it{how}; "
            f"it needs {shown(self.percent)} % of its value."
        )

    def needs(self, evidence: Evidence) -> Needs:
        """A share of the value where there are too few."""
        there = evidence.count if self.unweighted else evidence.contributors
        enough = self.least if self.unweighted else self.least * evidence.copies
        return share(evidence, self.percent, (there > 0) & (there < enough))
