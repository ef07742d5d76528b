"""What every rule answers."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ..arrays import Ints


class Needs(NamedTuple):
    """Protection needed below and above, in units; zero on both sides where a rule finds nothing."""

    below: Ints
    above: Ints


class Rule(Protocol):
    """Judges cells by their value, their number of contributors and their largest contributions.

    `contribution` has a row a cell, largest first, padded with zeros.
    """

    def needs(self, value: Ints, frequency: Ints, contribution: Ints) -> Needs:
        """The protection that each cell needs."""
        ...
