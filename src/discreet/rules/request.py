"""The request rule: who asked for confidentiality is protected where he can be found out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..arrays import Mask
from ..evidence import ASKED_FIRST, ASKED_SECOND, Evidence, Level, exact_product
from .parameters import Percent, percentage, settle, shown, whole
from .proportions import share
from .rule import Needs, Scope


@dataclass(frozen=True)
class RequestRule:
    """Unsafe when the largest contributor asked and is too large, or when anybody asked among too few."""

    first: Percent = field(
        metadata=percentage("the share that the largest may hold who asked with the first code, p1")
    )
    second: Percent = field(
        metadata=percentage("the share that the largest may hold who asked with the second code, p2")
    )
    least: int = field(metadata=whole("how many contributors are enough where anybody asked, m", 0))
    percent: Percent = field(
        default=10, metadata=percentage("how much of the value must stay uncertain, r", most=None)
    )
    level: Level = "record"

    summary: ClassVar[str] = "Who asked for confidentiality must not stand out"
    formula: ClassVar[str] = (
        "unsafe when the largest asked with the first (second) code and x1 > p1/100 · X (p2/100 · X), "
        "or when anybody asked and contributors < m; needs r % of the value"
    )
    example: ClassVar[str] = "request:50:70:3:10"
    scope: ClassVar[Scope] = Scope(requests=True)

    def __post_init__(self) -> None:
        settle(self)

    @property
    def listed(self) -> int:
        """The largest."""
        return 1

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        return (
            f"A cell is unsafe when its largest {self.level} asked for confidentiality and holds more than "
            f"{shown(self.first)} % of the total ({shown(self.second)} % with the second code), or when "
            f"any asked and there are fewer than {self.least}; it needs {shown(self.percent)} % of its value."
        )

    def needs(self, evidence: Evidence) -> Needs:
        """A share of the value where somebody who asked stands out."""
        if evidence.request is None or evidence.requests is None:
            return share(evidence, self.percent, np.zeros(len(evidence.total), np.bool_))
        asked = _largest_asked(evidence)
        few = evidence.contributors < self.least * evidence.copies
        hit = (
            ((asked & ASKED_FIRST) != 0) & _holds_more(evidence, self.first)
            | ((asked & ASKED_SECOND) != 0) & _holds_more(evidence, self.second)
            | (evidence.requests != 0) & few
        )
        return share(evidence, self.percent, hit)


def _largest_asked(evidence: Evidence) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """How the largest contributor asked; among several of one size, how any of them did."""
    assert evidence.request is not None
    alike = evidence.contribution == evidence.contribution[:, :1]
    asked: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] = np.bitwise_or.reduce(
        np.where(alike, evidence.request, 0).astype(np.uint8), axis=1
    )
    return asked


def _holds_more(evidence: Evidence, percent: Percent) -> Mask:
    """Where the largest contributor holds more than some percentage of the total."""
    held = exact_product(evidence.largest(1), 100 * percent.denominator)
    more: Mask = held > exact_product(evidence.total, percent.numerator)
    return more
