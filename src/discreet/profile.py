"""How a public table writes what it does not show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from .errors import InputError

LONGEST = 12
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so is taken for a formula by spreadsheets, unless the sign is all there is."""


@dataclass(frozen=True)
class Profile:
    """The marks of a public table: for a value that is withheld, and for a cell that holds nothing.

    Without a mark of their own, cells that hold nothing are published as the zeros they are.
    """

    withheld: str = "c"
    empty: str | None = None

    def __post_init__(self) -> None:
        for mark in self.marks:
            _refuse_misleading(mark)
        if self.withheld == self.empty:
            raise InputError(
                f"Expected two marks, one for withheld cells and one for empty ones, got '{self.empty}' "
                "for both. Choose another one for the empty cells."
            )

    @classmethod
    def of(cls, text: str) -> Profile:
        """The profile that a text names, or else the mark (or the two marks with a comma between) it is."""
        if text in PROFILES:
            return PROFILES[text]
        withheld, sign, empty = text.partition(",")
        return cls(withheld, empty if sign else None)

    @property
    def marks(self) -> tuple[str, ...]:
        """All that may stand where a number is not shown."""
        return (self.withheld,) if self.empty is None else (self.withheld, self.empty)


def is_like_a_formula(text: str) -> bool:
    """Whether a spreadsheet could take a text for a formula."""
    return text.startswith(FORMULA_SIGNS) and len(text) > 1


def _refuse_misleading(mark: str) -> None:
    if not mark.strip() or len(mark) > LONGEST or not mark.isprintable():
        raise InputError(f"Expected a mark of 1 to {LONGEST} signs such as c, x or -, got {mark!r}.")
    if is_like_a_formula(mark):
        raise InputError(
            f"Expected a mark that no spreadsheet takes for a formula, got '{mark}'. Choose c or x."
        )
    if _is_number(mark):
        raise InputError(f"Expected a mark that nobody takes for a number, got '{mark}'. Choose c or x.")


def _is_number(text: str) -> bool:
    try:
        Decimal(text.replace(",", "."))
    except InvalidOperation:
        return False
    return True


PROFILES: Mapping[str, Profile] = {
    "none": Profile("x"),
    "": Profile("x"),
    "dash": Profile("c", "-"),
    "dots": Profile(".", "-"),
}
"""No mark in particular is an x; the others also tell a cell that holds nothing from a zero."""
