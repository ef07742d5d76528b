"""What every rule answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

from ..arrays import Ints
from ..evidence import Evidence, Level


class Needs(NamedTuple):
    """Protection needed below and above, in units; zero on both sides where a rule finds nothing."""

    below: Ints
    above: Ints


@dataclass(frozen=True)
class Scope:
    """What a rule can judge.

    `counts`: tables that count contributors. `signs`: contributions of both signs. `requests`: it needs
    to know who asked for confidentiality. `marked`: only cells that were marked by hand.
    """

    counts: bool = False
    signs: bool = False
    requests: bool = False
    marked: bool = False


class Rule(Protocol):
    """A frozen dataclass of numbers that judges cells by who stands behind them.

    `level` is the one at which it looks at contributors: records or holdings. `summary` and `formula`
    say what every rule of this kind does, `example` is the text form of one.
    """

    summary: ClassVar[str]
    formula: ClassVar[str]
    example: ClassVar[str]
    scope: ClassVar[Scope]

    @property
    def level(self) -> Level:
        """Whom it takes for one contributor."""
        ...

    @property
    def listed(self) -> int:
        """How many of the largest contributions it has to see."""
        ...

    @property
    def sentence(self) -> str:
        """When a cell is unsafe, in words; confidential, as its numbers are."""
        ...

    def needs(self, evidence: Evidence) -> Needs:
        """The protection that each cell needs, in units of what is published of it."""
        ...
