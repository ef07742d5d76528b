"""Last repairs of a pattern: what insiders or implicit cells still give away."""

from __future__ import annotations

from ...arrays import Mask
from ...limits import Limits
from ...problem import Problem
from ...witnesses import Witnesses


def repaired(
    problem: Problem, withheld: Mask, witnesses: Witnesses, limits: Limits
) -> tuple[Mask, Witnesses]:
    """The pattern with more cells withheld until no insider and no implicit cell is left exposed."""
    return withheld, witnesses
