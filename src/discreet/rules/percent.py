"""The p % rule and the p/q rule: nobody inside a cell may estimate its largest contributor too well."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from ..errors import InputError
from ..evidence import Evidence, Level, exact_product, exact_sum
from .parameters import Percent, percentage, settle, shown, whole
from .proportions import distance
from .rule import Needs, Scope


@dataclass(frozen=True)
class PercentRule:
    """Unsafe when the largest can be estimated to within `percent` % by the next largest, together."""

    percent: Percent = field(
        metadata=percentage("how closely nobody may estimate the largest, p", above=True)
    )
    prior: Percent = field(
        default=100,
        metadata=percentage("how closely everybody can estimate anybody beforehand, q", above=True),
    )
    coalition: int = field(
        default=1, metadata=whole("how many contributors tell each other what they know, c", 1)
    )
    level: Level = "record"

    summary: ClassVar[str] = "The next largest contributors must not be able to estimate the largest too well"
    formula: ClassVar[str] = (
        "unsafe when X − (x1 + … + x(c+1)) < p/q · x1; needs p/q · x1 + (x1 + … + x(c+1)) − X"
    )
    example: ClassVar[str] = "p:10"
    scope: ClassVar[Scope] = Scope()

    def __post_init__(self) -> None:
        settle(self)
        if self.percent > self.prior:
            raise InputError(
                f"Expected at most the prior, {shown(self.prior)} %, as 'percent', got {shown(self.percent)}."
            )

    @property
    def listed(self) -> int:
        """The largest and those who want to know it."""
        return self.coalition + 1

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        who = "record" if self.level == "record" else "holding"
        intruders = "the second largest" if self.coalition == 1 else f"the next {self.coalition} together"
        known = "" if self.prior == 100 else f", when all others are known to within {shown(self.prior)} %"
        return (
            f"A cell is unsafe when {intruders} can estimate the largest {who} "
            f"to within less than {shown(self.percent)} %{known}."
        )

    def needs(self, evidence: Evidence) -> Needs:
        """What the others lack of the share of the largest that must stay uncertain."""
        ratio = Fraction(self.percent) / Fraction(self.prior)
        others = exact_sum(evidence.total, -evidence.largest(self.coalition + 1))
        uncertain = exact_product(evidence.largest(1), ratio.numerator)
        missing = exact_sum(uncertain, -exact_product(others, ratio.denominator))
        return distance(evidence, missing, ratio.denominator, missing > 0)
