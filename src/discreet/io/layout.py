"""Which column of a file is what."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..errors import InputError, suggest
from .sources import Source, has_column

NUMBERS = ("value", "lpl", "upl", "spl", "lower", "upper", "frequency", "weight")
KNOWN = (*NUMBERS, "status", "cell")
ALIAS = {"count": "frequency"}
LISTED = re.compile(r"(contribution|contributor)_([1-9][0-9]*)")


@dataclass(frozen=True)
class Layout:
    """The name of the column that plays each part, the dimensions, and how many contributions are listed."""

    column: Mapping[str, str]
    by: tuple[str, ...]
    contributions: int

    @classmethod
    def of(
        cls,
        source: Source,
        by: Sequence[str] | None,
        columns: Mapping[str, str],
        by_cell: bool,
        elsewhere: Collection[str] = (),
    ) -> Layout:
        """The layout of a source; columns that play no part are the dimensions unless those are named.

        Columns that a linked source has elsewhere may be missing in this one.
        """
        absent = set(elsewhere) - set(source.titles)
        by = [by] if isinstance(by, str) else by
        by = by if by is None else [title for title in by if title not in absent]
        columns = {part: title for part, title in columns.items() if title not in absent}
        column = _parts(source, columns, by or ())
        if "value" not in column:
            close = suggest("value", source.titles)
            raise InputError(
                f"{source.name} has no column 'value'. {close} "
                "Name the one that holds the values with columns={'value': …}."
            )
        contributions = _contributions(source, column)
        if by_cell:
            if "cell" not in column:
                raise InputError(
                    f"{source.name} has no column 'cell', which names the cells of the equations. "
                    f"{suggest('cell', source.titles)}"
                )
            return cls(column, (), contributions)
        column.pop("cell", None)
        return cls(column, _dimensions(source, by, column), contributions)

    @property
    def numbers(self) -> list[str]:
        """The parts that hold numbers."""
        listed = [f"contribution_{place}" for place in range(1, self.contributions + 1)]
        return [part for part in (*NUMBERS, *listed) if part in self.column]


def _parts(source: Source, columns: Mapping[str, str], by: Sequence[str]) -> dict[str, str]:
    """The columns that play a part by what is said or by their names; those named as dimensions do not."""
    column: dict[str, str] = {}
    for part, title in columns.items():
        if part not in KNOWN and not LISTED.fullmatch(part):
            raise InputError(f"Unknown part '{part}' in columns. {suggest(part, KNOWN)}")
        if title in by:
            raise InputError(f"The column '{title}' cannot be '{part}' and a dimension. Take it out of by=….")
        column[part] = has_column(source, title)
    for title in source.titles:
        part = ALIAS.get(title, title)
        if (part in KNOWN or LISTED.fullmatch(part)) and title not in (*columns.values(), *by):
            column.setdefault(part, title)
    return column


def _contributions(source: Source, column: Mapping[str, str]) -> int:
    listed: dict[str, set[int]] = {"contribution": set(), "contributor": set()}
    for part in column:
        found = LISTED.fullmatch(part)
        if found:
            listed[found[1]].add(int(found[2]))
    places = listed["contribution"] | listed["contributor"]
    for place in range(1, max(places, default=0) + 1):
        for kind, other in (("contribution", "contributor"), ("contributor", "contribution")):
            if place not in listed[kind]:
                raise InputError(
                    f"{source.name} has no column '{kind}_{place}', expected every contribution from 1 on "
                    f"together with its contributor (as '{other}_{place}')."
                )
    return len(places)


def _dimensions(source: Source, by: Sequence[str] | None, column: Mapping[str, str]) -> tuple[str, ...]:
    if by is None:
        taken = set(column.values())
        free = [t for t in source.titles if t not in taken]
        names = tuple(t for t in free if ALIAS.get(t, t) not in KNOWN and not LISTED.fullmatch(t))
    else:
        names = tuple(has_column(source, title) for title in by)
    if not names:
        raise InputError(f"{source.name} has no column besides those of numbers, expected a dimension.")
    if len(set(names)) < len(names):
        raise InputError(f"The dimensions {', '.join(names)} name a column twice, expected each once.")
    return names
