"""What the rows say of each cell, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import AnyArray, Bytes, Floats, Indices, Ints, Mask
from ..errors import InputError, suggest
from ..problem import Role
from ..table import NOBODY
from ..units import Unit
from .contributions import contributions_of
from .merging import Grouping
from .numbers import Decimals
from .rows import Rows

LEVELS = ("lpl", "upl", "spl")
UNSAID = 255
STATUS: dict[str, int] = {
    **dict.fromkeys(("u", "unsafe", "sensitive", "primary"), Role.SENSITIVE),
    **dict.fromkeys(("p", "published", "protect", "z"), Role.PUBLISHED),
    **dict.fromkeys(("s", "safe", "open", "m", "secondary"), Role.OPEN),
    **dict.fromkeys(("e", "empty"), Role.EMPTY),
    "": UNSAID,
}


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of each cell; levels, bounds and weights are zero where nothing is said of them."""

    value: Ints
    status: Bytes
    level: dict[str, Ints]
    bound: dict[str, tuple[Ints, Mask]]
    frequency: Ints | None = None
    weight: Floats | None = None
    contribution: Ints | None = None
    contributor: Indices | None = None
    contributors: tuple[str, ...] = ()

    @classmethod
    def of(cls, grouping: Grouping, unit: Unit) -> Parts:
        """What rows say of their cells."""
        rows = grouping.rows
        status = _status(rows)
        contribution, contributor, contributors = contributions_of(grouping, unit)
        return cls(
            value=_value(grouping, unit, status),
            status=_agreed_status(grouping, status),
            level={part: _level(grouping, part, unit) for part in LEVELS if rows.has(part)},
            bound={part: _bound(grouping, part, unit) for part in ("lower", "upper") if rows.has(part)},
            frequency=_frequency(grouping, status) if rows.has("frequency") else None,
            weight=_weight(grouping) if rows.has("weight") else None,
            contribution=contribution,
            contributor=contributor,
            contributors=contributors,
        )

    def roles(self) -> Bytes:
        """The role of each cell; where no status is said, a level above zero makes a cell sensitive."""
        asks = np.zeros(len(self.value), np.bool_)
        for level in self.level.values():
            asks |= level > 0
        by_level = np.where(asks, Role.SENSITIVE, Role.OPEN)
        role: Bytes = np.where(self.status == UNSAID, by_level, self.status).astype(np.uint8)
        return role

    def with_more(self, number: int) -> Parts:
        """The same parts and further cells of which nothing is said."""

        def longer(held: AnyArray, blank: int = 0) -> AnyArray:
            more = np.full((number, *held.shape[1:]), blank, held.dtype)
            return np.concatenate((held, more))

        return replace(
            self,
            value=longer(self.value),
            status=longer(self.status, UNSAID),
            level={part: longer(held) for part, held in self.level.items()},
            bound={part: (longer(held), longer(given)) for part, (held, given) in self.bound.items()},
            frequency=None if self.frequency is None else longer(self.frequency),
            weight=None if self.weight is None else longer(self.weight),
            contribution=None if self.contribution is None else longer(self.contribution),
            contributor=None if self.contributor is None else longer(self.contributor, NOBODY),
        )


def _status(rows: Rows) -> Bytes:
    """The role that each row asks for, or that it asks for none."""
    if not rows.has("status"):
        return np.full(len(rows), UNSAID, np.uint8)
    coded = rows.words("status").dictionary_encode()
    words = [word.strip().lower() for word in coded.dictionary.to_pylist()]
    known = np.array([STATUS.get(word, -1) for word in words], np.int64)
    role: Ints = known[coded.indices.to_numpy()]
    unknown = np.flatnonzero(role < 0)
    if len(unknown):
        row = int(unknown[0])
        word = words[int(coded.indices[row].as_py())]
        said = f"unknown status '{word}'. {suggest(word, filter(None, STATUS))}" if word.isalpha() else ""
        raise InputError(
            f"{rows.where(row)}, column '{rows.title('status')}': "
            f"{said or 'expected a status such as sensitive, published, open or empty.'}"
        )
    told: Bytes = role.astype(np.uint8)
    return told


def _agreed_status(grouping: Grouping, status: Bytes) -> Bytes:
    agreed, said = grouping.once("status", status, status != UNSAID)
    return np.where(said, agreed, UNSAID).astype(np.uint8)


def _value(grouping: Grouping, unit: Unit, status: Bytes) -> Ints:
    values = grouping.rows.numbers("value")
    values.refuse(
        values.column.blank & (status != Role.EMPTY),
        "expected a number, found none. Write 0, or the status 'empty' for a cell without contributors.",
    )
    value = values.units(unit)
    values.refuse((value != 0) & (status == Role.EMPTY), "an empty cell with a value, expected none or zero.")
    return grouping.once("value", value)[0]


def _level(grouping: Grouping, part: str, unit: Unit) -> Ints:
    levels = _not_negative(grouping.rows.numbers(part), f"a protection level ({part})")
    return grouping.once(part, levels.units(unit, "up"), ~levels.column.blank)[0]


def _bound(grouping: Grouping, part: str, unit: Unit) -> tuple[Ints, Mask]:
    """Bounds go to the next unit inwards, and beyond all units there is none."""
    numbers = grouping.rows.numbers(part)
    units = numbers.units(unit, "up" if part == "lower" else "down", saturate=True)
    return grouping.once(part, units, ~numbers.column.blank)


def _frequency(grouping: Grouping, status: Bytes) -> Ints:
    numbers = _not_negative(grouping.rows.numbers("frequency"), "a frequency")
    frequency = numbers.units(Unit())
    said = ~numbers.column.blank | (status == Role.EMPTY)
    numbers.refuse(
        (frequency > 0) & (status == Role.EMPTY), "an empty cell with contributors, expected none or zero."
    )
    merged, spoken = grouping.once("frequency", frequency, said)
    _refuse_silent(grouping, numbers, spoken)
    return merged


def _weight(grouping: Grouping) -> Floats:
    numbers = _not_negative(grouping.rows.numbers("weight"), "a weight")
    merged, spoken = grouping.once("weight", numbers.floats(), ~numbers.column.blank)
    _refuse_silent(grouping, numbers, spoken)
    return merged


def _refuse_silent(grouping: Grouping, numbers: Decimals, spoken: Mask) -> None:
    silent = np.flatnonzero(~spoken)
    if len(silent):
        hint = " Give every table this column, or none." if len(grouping.rows.sources) > 1 else ""
        raise numbers.column.wrong(int(grouping.first[silent[0]]), f"expected a number, found none.{hint}")


def _not_negative(numbers: Decimals, what: str) -> Decimals:
    numbers.refuse(numbers.negative, f"{what} below zero, expected zero or more.")
    return numbers
