"""A table with everything that decides its protection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from .arrays import AnyArray, Bytes, Floats, Frozen, Ints, Mask
from .errors import InputError, suggest
from .rules.rule import Rule
from .table import Table
from .units import INFINITE, saturating_difference


class Role(IntEnum):
    """What may happen to a cell."""

    OPEN = 0
    """May be withheld or changed where that protects another cell."""
    SENSITIVE = 1
    """Needs protection."""
    PUBLISHED = 2
    """Must be published as it is."""
    EMPTY = 3
    """A structural zero or a cell without contributors: everybody knows it is zero."""


@dataclass(frozen=True, eq=False)
class Problem(Frozen):
    """What must be protected, how far, against whom, and what it may cost.

    Nobody may be able to exclude any value from `need_below` under to `need_above` over a sensitive
    cell's value, nor to narrow the cell to an interval shorter than `need_sliding`. Everybody knows
    beforehand that each cell lies between `lower` and `upper`. `whole` says that readers also know
    that all values are whole units. `rules` judge implicit cells; each of the `coalitions` lists
    contributors who tell each other what they know.
    """

    table: Table
    role: Bytes
    need_below: Ints
    need_above: Ints
    need_sliding: Ints
    lower: Ints
    upper: Ints
    weight: Floats
    whole: bool = False
    rules: tuple[Rule, ...] = ()
    coalitions: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("role", "need_below", "need_above", "need_sliding", "lower", "upper", "weight"):
            if len(getattr(self, name)) != self.size:
                raise InputError(f"Expected {self.size} entries in '{name}', got {len(getattr(self, name))}.")
        for name, what in (("need_below", "lpl"), ("need_above", "upl"), ("need_sliding", "spl")):
            self._refuse(
                getattr(self, name) < 0, f"a protection level ({what}) below zero, expected zero or more"
            )
        bad_weight = ~np.isfinite(self.weight) | (self.weight < 0)
        self._refuse(bad_weight, "a weight that is negative or no number, expected zero or more")

    @classmethod
    def of(
        cls,
        table: Table,
        *,
        role: Bytes | None = None,
        need_below: Ints | None = None,
        need_above: Ints | None = None,
        need_sliding: Ints | None = None,
        lower: Ints | None = None,
        upper: Ints | None = None,
        weight: Floats | str = "value",
        whole: bool = False,
        rules: Sequence[Rule] = (),
        coalitions: Sequence[Sequence[int]] | None = None,
    ) -> Problem:
        """A problem with the usual choices for what is not given.

        A cell with a need is sensitive; cells that are zero and not sensitive are empty unless their
        frequency says otherwise; a sensitive cell without any need gets one unit on both sides. Who
        belongs to one holding is a coalition unless others are named.
        """
        n = table.structure.size
        zero = np.zeros(n, np.int64)
        below, above, sliding = (zero if x is None else x for x in (need_below, need_above, need_sliding))
        roles = np.zeros(n, np.uint8) if role is None else np.array(role, np.uint8)
        roles[(roles == Role.OPEN) & ((below > 0) | (above > 0) | (sliding > 0))] = Role.SENSITIVE
        empty = (table.value == 0) if table.frequency is None else (table.value == 0) & (table.frequency == 0)
        roles[empty & (roles != Role.SENSITIVE)] = Role.EMPTY
        bare = (roles == Role.SENSITIVE) & (below == 0) & (above == 0) & (sliding == 0)
        sensitive = roles == Role.SENSITIVE
        low, high = known_bounds(table.value)
        low, high = (low if lower is None else lower), (high if upper is None else upper)
        return cls(
            table=table,
            role=roles,
            need_below=np.where(sensitive, np.where(bare & (low < table.value), 1, below), 0),
            need_above=np.where(sensitive, np.where(bare & (high > table.value), 1, above), 0),
            need_sliding=np.where(sensitive, sliding, 0),
            lower=low,
            upper=high,
            weight=weights(table, weight) if isinstance(weight, str) else weight,
            whole=whole,
            rules=tuple(rules),
            coalitions=tuple(map(tuple, table.coalitions if coalitions is None else coalitions)),
        )

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.table.structure.size

    @property
    def sensitive(self) -> Mask:
        """Cells that need protection."""
        needy: Mask = self.role == Role.SENSITIVE
        return needy

    @property
    def withholdable(self) -> Mask:
        """Cells that may be withheld or changed."""
        return self.role <= Role.SENSITIVE

    @property
    def known_below(self) -> Ints:
        """How far under the value everybody already knows the cell cannot lie."""
        below = saturating_difference(self.table.value, self.lower)
        return np.where(self.lower == -INFINITE, INFINITE, below)

    @property
    def known_above(self) -> Ints:
        """How far over the value everybody already knows the cell cannot lie."""
        return saturating_difference(self.upper, self.table.value)

    @property
    def beyond_known(self) -> Mask:
        """Sensitive cells that ask for more than what is known beforehand leaves open."""
        below, above = self.known_below, self.known_above
        wide = np.where(
            (below == INFINITE) | (above == INFINITE) | (below > INFINITE - above), INFINITE, below + above
        )
        beyond: Mask = (self.need_below > below) | (self.need_above > above) | (self.need_sliding > wide)
        return beyond

    @property
    def goals(self) -> tuple[Ints, Ints]:
        """Needs below and above that together also meet the sliding need, evenly where there is room."""
        extra = np.maximum(np.maximum(self.need_sliding - self.need_below, 0) - self.need_above, 0)
        room_below = np.maximum(saturating_difference(self.known_below, self.need_below), 0)
        room_above = np.maximum(saturating_difference(self.known_above, self.need_above), 0)
        up = np.minimum(extra - np.minimum(extra // 2, room_below), room_above)
        down = np.minimum(extra - up, room_below)
        return self.need_below + down, self.need_above + up

    def refuse_impossible(self) -> None:
        """An error where bounds exclude the truth, or where needs reach beyond what is known beforehand."""
        outside = (self.table.value < self.lower) | (self.table.value > self.upper)
        self._refuse(
            outside,
            "a value outside what is known beforehand (lower and upper bound), expected bounds that hold it",
        )
        self._refuse(
            self.beyond_known,
            "a protection need beyond what is known beforehand. "
            "Widen the bounds, or ask for needs to be clipped to them",
        )

    def clipped(self) -> Problem:
        """The same problem with every need cut to what is known beforehand."""
        below, above = np.maximum(self.known_below, 0), np.maximum(self.known_above, 0)
        need_below, need_above = np.minimum(self.need_below, below), np.minimum(self.need_above, above)
        wide = np.where(below > INFINITE - above, INFINITE, below + above)
        sliding = np.minimum(self.need_sliding, wide)
        return replace(self, need_below=need_below, need_above=need_above, need_sliding=sliding)

    def _refuse(self, wrong: Mask, what: str) -> None:
        cells = np.flatnonzero(wrong)
        if len(cells):
            raise InputError(f"{len(cells)} cells have {what}: {self.table.structure.names(cells)}.")


def known_bounds(value: Ints) -> tuple[Ints, Ints]:
    """Default knowledge: nothing is negative, and what is negative is at most zero."""
    negative = value < 0
    return np.where(negative, -INFINITE, 0), np.where(negative, 0, INFINITE)


def percent_bounds(value: Ints, below: int, above: int) -> tuple[Ints, Ints]:
    """Everybody knows each value to within some percent; fractions are cut towards the value."""
    largest = max(abs(int(value.max(initial=0))), abs(int(value.min(initial=0))))
    wide = largest * (100 + max(below, above)) >= INFINITE
    exact: AnyArray = value.astype(object) if wide else value
    size = np.abs(exact)
    lower = np.maximum(exact - size * below // 100, -INFINITE)
    upper = np.minimum(exact + size * above // 100, INFINITE)
    return lower.astype(np.int64), upper.astype(np.int64)


Known = tuple[int, int] | int | None
"""Within how many per cent, below and above, everybody knows each value; none is the usual knowledge."""


def bounds_within(value: Ints, known: Known) -> tuple[Ints, Ints]:
    """What everybody knows of each value: a band around it where one is known, else the usual."""
    refuse_band(known)
    if known is None:
        return known_bounds(value)
    below, above = (known, known) if isinstance(known, int) else known
    return percent_bounds(value, below, above)


def refuse_band(known: Known) -> None:
    """An error where a band is not one or two whole percentages."""
    band = (known,) if isinstance(known, int) else known or ()
    if any(not isinstance(share, int) or share < 0 for share in band) or len(band) > 2:
        raise InputError(
            f"Expected known as whole percentages below and above, such as (15, 15), got {known}."
        )


WEIGHTS = ("value", "one", "log", "frequency")


def weights(table: Table, kind: str) -> Floats:
    """What withholding or changing each cell costs its readers."""
    if kind == "one":
        return np.ones(table.structure.size)
    if kind == "value":
        return np.abs(table.value).astype(np.float64)
    if kind == "log":
        return np.log1p(np.abs(table.value) * float(table.unit.step))
    if kind == "frequency":
        if table.frequency is None:
            raise InputError("Weights by frequency need a table with frequencies, got one without.")
        return table.frequency.astype(np.float64)
    raise InputError(f"Unknown weight '{kind}'. {suggest(kind, WEIGHTS)}")
