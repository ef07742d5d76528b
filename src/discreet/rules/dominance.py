"""The dominance rule: a few contributors must not make up nearly all of a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from ..evidence import Evidence, Level, exact_product, exact_sum
from .parameters import Percent, percentage, settle, shown, whole
from .proportions import distance
from .rule import Needs, Scope


@dataclass(frozen=True)
class DominanceRule:
    """Unsafe when the `number` largest contributors make up more than `percent` % of the cell."""

    number: int = field(metadata=whole("how many of the largest are taken together, n", 1))
    percent: Percent = field(
        metadata=percentage("the share of the cell that they may make up, k", above=True)
    )
    level: Level = "record"

    summary: ClassVar[str] = "The largest contributors must not make up too much of the cell"
    formula: ClassVar[str] = "unsafe when x1 + … + xn > k/100 · X; needs 100/k · (x1 + … + xn) − X"
    example: ClassVar[str] = "dominance:2:75"
    scope: ClassVar[Scope] = Scope()

    def __post_init__(self) -> None:
        settle(self)

    @property
    def listed(self) -> int:
        """Those who are taken together."""
        return self.number

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        who = self.level if self.number == 1 else f"{self.number} {self.level}s"
        makes = "makes" if self.number == 1 else "make"
        return f"A cell is unsafe when its largest {who} {makes} up more than {shown(self.percent)} % of it."

    def needs(self, evidence: Evidence) -> Needs:
        """How much larger the cell would have to be for the largest to make up the share alone."""
        ratio = Fraction(self.percent) / 100
        largest = exact_product(evidence.largest(self.number), ratio.denominator)
        missing = exact_sum(largest, -exact_product(evidence.total, ratio.numerator))
        return distance(evidence, missing, ratio.numerator, missing > 0)
