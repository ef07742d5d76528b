"""Numbers and counts as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any


def share(some: float, every: float) -> str:
    """A part as a percentage of the whole."""
    if not every:
        return "–"
    part = some / every
    is_round = part in (0, 1) or 0.1 <= part < 0.995
    return f"{part:.0%}" if is_round else f"{part:.1%}"


def many(count: int, thing: str, things: str = "") -> str:
    """A count with its noun."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def amount(number: float | Decimal) -> str:
    """A large or small number, to four digits or to the unit."""
    size = abs(float(number))
    return f"{number:,.0f}" if size >= 10_000 or size == int(size) else f"{float(number):,.4g}"


def seconds(spent: float) -> str:
    """A time."""
    return f"{spent:.1f} s" if spent < 100 else f"{spent / 60:,.0f} min"


def listed(things: Iterable[str]) -> str:
    """Things in a sentence."""
    every = list(things)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)


def plain(held: object) -> str:
    """A fact as people read it."""
    if held is None or held == "":
        return "–"
    if isinstance(held, bool):
        return "yes" if held else "no"
    if isinstance(held, Mapping):
        return ", ".join(f"{_words(name)} {plain(said)}" for name, said in held.items())
    if isinstance(held, Sequence) and not isinstance(held, str):
        return ", ".join(plain(said) for said in held)
    return str(held)


def _words(name: Any) -> str:
    return str(name).replace("_", " ")
