"""The numbers of a rule: percentages and counts, exact however they were written."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

from ..errors import InputError, suggest
from ..evidence import LEVELS, Level

Percent = Fraction | int
NUMBER = re.compile(r"\d+(\.\d+)?", re.ASCII)


@dataclass(frozen=True)
class Range:
    """The numbers that a parameter may be; `above` says that the least is not among them."""

    least: int
    most: int | None = None
    above: bool = False
    whole: bool = False

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a percentage"
        if self.most is None:
            return f"{kind} above {self.least}" if self.above else f"{kind} of {self.least} or more"
        low = f"above {self.least} and" if self.above else f"of {self.least} or more and"
        return f"{kind} {low} at most {self.most}"

    def read(self, name: str, held: object) -> Percent:
        """What is given as an exact number, whole where it can be."""
        number = exact(held)
        if number is None or (self.whole and number.denominator > 1) or not self._holds(number):
            raise InputError(f"Expected {self} as '{name}', got {held}.")
        return number.numerator if number.denominator == 1 else number

    def _holds(self, number: Fraction) -> bool:
        low = number > self.least if self.above else number >= self.least
        return low and (self.most is None or number <= self.most)


def percentage(help: str, *, above: bool = False, most: int | None = 100) -> dict[str, Any]:
    """What is said of a parameter that is a percentage."""
    return {"help": help, "range": Range(0, most, above)}


def whole(help: str, least: int) -> dict[str, Any]:
    """What is said of a parameter that counts."""
    return {"help": help, "range": Range(least, whole=True)}


def flag(help: str) -> dict[str, Any]:
    """What is said of a parameter that holds or not."""
    return {"help": help}


def settle(rule: Any) -> None:
    """Makes the parameters of a fresh rule exact, and refuses those that make no sense."""
    for parameter in fields(rule):
        held = getattr(rule, parameter.name)
        if "range" in parameter.metadata:
            object.__setattr__(rule, parameter.name, parameter.metadata["range"].read(parameter.name, held))
        elif parameter.name == "level":
            _refuse_level(held)
        elif not isinstance(held, bool):
            raise InputError(f"Expected true or false as '{parameter.name}', got {held}.")


def _refuse_level(level: Level) -> None:
    if level not in LEVELS:
        raise InputError(f"Unknown level '{level}' of a rule. {suggest(str(level), LEVELS)}")


def exact(held: object) -> Fraction | None:
    """A number as a fraction: 12.5 is 25/2, not what a float makes of it; none of what is no number."""
    if isinstance(held, bool):
        return None
    if isinstance(held, Rational):
        return Fraction(int(held.numerator), int(held.denominator))
    if isinstance(held, float):
        return Fraction(repr(float(held))) if math.isfinite(held) else None
    if isinstance(held, Decimal):
        return Fraction(held) if held.is_finite() else None
    return Fraction(held) if isinstance(held, str) and NUMBER.fullmatch(held) else None


def shown(number: Percent) -> str:
    """A number as people write it: 12.5 rather than 25/2, where decimals can say it."""
    left = number.denominator
    for prime in (2, 5):
        while left % prime == 0:
            left //= prime
    return str(number) if left > 1 else f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
