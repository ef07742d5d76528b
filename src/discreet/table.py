"""A structure filled with values: what an office holds before anything is protected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from .arrays import Frozen, Indices, Ints, Mask, segments
from .errors import AdditivityError, InputError, listing, suggest
from .evidence import Evidence, Level, exact_product
from .structure import Structure
from .units import Unit

NOBODY = -1
"""In `contributor`: no contribution is listed here."""


@dataclass(frozen=True, eq=False)
class Rows(Frozen):
    """The rows that readers see, by their own codes; several rows may show one cell."""

    code: Indices
    cell: Indices


@dataclass(frozen=True, eq=False)
class Table(Frozen):
    """Whole numbers of a unit in every cell of a structure.

    `frequency` counts the contributors of each cell. `contribution[i]` lists the largest contributions
    to cell i, largest first, and `contributor[i]` who made them. `constant` is what each equation was
    declared to miss of zero; it is all zeros in an additive table. `evidence` is what the rules look at
    where the table was made from records, `missing` marks cells with a missing code in some dimension.
    `coalitions` lists contributors who belong to one holding, and tell each other what they know.
    A table that `counts` has the number of contributors itself as its values.
    """

    structure: Structure
    value: Ints
    unit: Unit = field(default_factory=Unit)
    frequency: Ints | None = None
    contribution: Ints | None = None
    contributor: Indices | None = None
    contributors: tuple[str, ...] = ()
    constant: Ints | None = None
    rows: Rows | None = None
    measure: str = "value"
    evidence: Mapping[Level, Evidence] = field(default_factory=dict)
    missing: Mask | None = None
    coalitions: tuple[tuple[int, ...], ...] = ()
    counts: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        n = self.structure.size
        held_by = {f"evidence of the level {level}": each.total for level, each in self.evidence.items()}
        for name in ("value", "frequency", "contribution", "contributor", "missing"):
            held_by[name] = getattr(self, name)
        for name, held in held_by.items():
            if held is not None and len(held) != n:
                raise InputError(f"Expected {n} entries in '{name}', a cell each, got {len(held)}.")
        if (self.contribution is None) != (self.contributor is None):
            raise InputError("Expected contributions together with contributors, got one of the two.")
        self._refuse_discrepancy()

    def _refuse_discrepancy(self) -> None:
        missed = self.structure.imbalance(self.value)
        declared = np.zeros_like(missed) if self.constant is None else self.constant
        off = missed - declared
        wrong = np.flatnonzero(off)
        if len(wrong):
            shown = listing(
                (f"{self.structure.equation_name(int(q))} is off by {self.unit.text(off[q])}" for q in wrong),
                most=3,
            )
            raise AdditivityError(
                f"{len(wrong)} of {len(missed)} sums do not hold: {shown}. "
                "Correct the cells, or choose to recompute the totals or to carry the discrepancy."
            )

    @property
    def has_contributors(self) -> bool:
        """Whether it is known who stands behind the cells."""
        return self.contributor is not None

    def evidence_at(self, level: Level) -> Evidence | None:
        """What the rules can look at; of records that is at least what the cells list themselves."""
        if level in self.evidence:
            return replace(self.evidence[level], value=self.value)
        if level == "record" and self.counts:
            return self._counted()
        if level == "record" and self.contribution is not None and self.contributor is not None:
            listed = (self.contributor != NOBODY).sum(axis=1)
            count = listed if self.frequency is None else self.frequency
            return Evidence(self.value, count, self.contribution)
        if level == "record" and self.frequency is not None:
            return Evidence(self.value, self.frequency, np.zeros((len(self), 0), np.int64))
        return None

    def _counted(self) -> Evidence:
        """Values that are numbers of contributors, in parts where a unit is less than one of them."""
        step = Fraction(self.unit.step)
        heads = exact_product(self.value, step.numerator)
        count = self.value if self.frequency is None else self.frequency
        nobody = np.zeros((len(self), 0), np.int64)
        return Evidence(self.value, count, nobody, copies=step.denominator, heads=heads, value=self.value)

    def __len__(self) -> int:
        return self.structure.size


OnDiscrepancy = Literal["refuse", "recompute", "carry"]


def fill(
    structure: Structure,
    value: Ints,
    on_discrepancy: OnDiscrepancy = "refuse",
    constant: Ints | None = None,
    **fields: object,
) -> Table:
    """A table of these values; sums that miss their constant are refused, mended from below, or carried."""
    if on_discrepancy not in get_args(OnDiscrepancy):
        choices = suggest(str(on_discrepancy), get_args(OnDiscrepancy))
        raise InputError(f"Unknown way to treat a discrepancy, '{on_discrepancy}'. {choices}")
    if on_discrepancy == "carry":
        constant = structure.imbalance(value)
        constant = constant if constant.any() else None
    if on_discrepancy == "recompute":
        value = recompute_totals(structure, value, constant)
    return Table(structure, value, constant=constant, **fields)  # type: ignore[arg-type]


def recompute_totals(structure: Structure, value: Ints, constant: Ints | None = None) -> Ints:
    """Values whose totals are summed up again from their parts, the finest first."""
    value = np.array(value, np.int64)
    missed = np.zeros(structure.equations, np.int64) if constant is None else constant
    total = structure.total
    if (total < 0).any():
        odd = structure.equation_name(int(np.flatnonzero(total < 0)[0]))
        raise InputError(
            f"There is no total to recompute in {odd}. Correct its cells, or carry the discrepancy."
        )
    part = structure.cell != total[structure.row]
    unmade = np.zeros(structure.size, np.int64)
    np.add.at(unmade, total, 1)
    waiting = np.arange(structure.equations)
    while len(waiting):
        entry, length = segments(structure.start, waiting)
        heads = np.cumsum(length) - length
        ready = np.logical_and.reduceat((unmade[structure.cell[entry]] == 0) | ~part[entry], heads)
        if not ready.any():
            raise InputError(
                "Totals can only be recomputed where they do not depend on each other in a circle."
            )
        done = waiting[ready]
        value[total[done]] += (structure.imbalance(value) - missed)[done]
        np.subtract.at(unmade, total[done], 1)
        waiting = waiting[~ready]
    return value


def with_value(table: Table, value: Ints) -> Table:
    """The same cells with other values."""
    return replace(table, value=value)
