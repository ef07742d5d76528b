"""The cells of one or several tables made of records, and how the finest of each table go into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from ..arrays import Frozen, Indices, Ints, Mask, segments
from ..hierarchy import Dimension, Hierarchy
from ..io.totals import with_totals
from ..structure import Structure
from ..table import Rows
from .leaves import Leaves
from .rollup import Finest, Summary, roll_up
from .spans import Spans, places

FULL_UP_TO = 5_000_000
"""Tables with more combinations of codes than this hold only those that occur, and their totals."""
NEGATIVE = 4
"""The bit of a cell with a negative contribution, beside those of requests."""

Part = tuple[int, ...]
"""The dimensions of one of the tables; all others are at their total."""


@dataclass(frozen=True, eq=False)
class Grid(Frozen):
    """The cells of all tables; `rows` is how readers see them where two codes mean the same."""

    structure: Structure
    trees: tuple[tuple[Hierarchy, ...], ...]
    rows: Rows | None
    missing: Mask | None

    @classmethod
    def of(cls, spans: Spans, by: Sequence[str], parts: Sequence[Part], leaves: Sequence[Leaves]) -> Grid:
        """The cells that the finest ones of all tables span."""
        made = [spans.dimension(name, sorted(_written(at, parts, leaves))) for at, name in enumerate(by)]
        dimensions = [dimension for dimension, _ in made]
        codes = [
            _combinations(dimensions, part, _codes(dimensions, part, held))
            for part, held in zip(parts, leaves, strict=True)
        ]
        structure = Structure.from_dimensions(
            dimensions, codes[0] if len(codes) == 1 else np.unique(np.concatenate(codes), axis=0)
        )
        return cls(structure, tuple(held for _, held in made), _rows(structure), _missing(spans, structure))

    def roll_up(self, parts: Sequence[Part], leaves: Sequence[Leaves], keep: int) -> Summary:
        """What the finest cells of all tables come to; a cell of several tables is the same in each."""
        people = sorted({name for held in leaves for name in held.people})
        found: Summary | None = None
        for part, held in zip(parts, leaves, strict=True):
            trees = [tree if d in part else () for d, tree in enumerate(self.trees)]
            finest = _finest(held, _codes(self.structure.dimensions, part, held), people)
            summary = roll_up(self.structure, trees, finest, keep)
            found = summary if found is None else found.joined(summary)
        assert found is not None
        return replace(found, people=tuple(people))


def _written(at: int, parts: Sequence[Part], leaves: Sequence[Leaves]) -> set[str]:
    """The codes of a dimension that records have."""
    return {
        code
        for part, held in zip(parts, leaves, strict=True)
        if at in part
        for code in held.codes.column(part.index(at)).unique().to_pylist()
    }


def _codes(dimensions: Sequence[Dimension], part: Part, leaves: Leaves) -> Indices:
    """The places of the codes of finest cells, the total where a dimension plays no part."""
    code = np.zeros((len(leaves.lone), len(dimensions)), np.int32)
    for column, d in enumerate(part):
        code[:, d] = places(dimensions[d], leaves.codes.column(column))
    return code


def _combinations(dimensions: Sequence[Dimension], part: Part, finest: Indices) -> Indices:
    """Every combination of codes, or those that occur where there are too many."""
    distinct = [
        np.unique(dimension.meaning) if d in part else np.zeros(1, np.int32)
        for d, dimension in enumerate(dimensions)
    ]
    if prod(map(len, distinct)) <= FULL_UP_TO:
        grid = np.meshgrid(*distinct, indexing="ij", copy=False)
        return np.stack([g.ravel() for g in grid], axis=1).astype(np.int32)
    meaning = np.stack([dimension.meaning[finest[:, d]] for d, dimension in enumerate(dimensions)], axis=1)
    return np.unique(with_totals(dimensions, np.unique(meaning, axis=0)), axis=0)


def _rows(structure: Structure) -> Rows | None:
    """Cells by every code that means them, in the order of the codes; nothing where each has one alone."""
    assert structure.code is not None
    if all((d.meaning == np.arange(len(d))).all() for d in structure.dimensions):
        return None
    cell, code = np.arange(structure.size), structure.code
    for at, d in enumerate(structure.dimensions):
        order = np.argsort(d.meaning, kind="stable")
        start = np.searchsorted(d.meaning[order], np.arange(len(d) + 1)).astype(np.int64)
        entry, length = segments(start, code[:, at])
        cell, code = np.repeat(cell, length), np.repeat(code, length, axis=0)
        code[:, at] = order[entry]
    order = np.lexsort(code.T[::-1])
    return Rows(code[order].astype(np.int32), cell[order].astype(np.int32))


def _missing(spans: Spans, structure: Structure) -> Mask | None:
    """Cells with a code for missing in any dimension."""
    if not spans.missing:
        return None
    assert structure.code is not None
    lost = [spans.is_missing(d)[structure.code[:, at]] for at, d in enumerate(structure.dimensions)]
    found: Mask = np.any(lost, axis=0)
    return found


def _finest(leaves: Leaves, code: Indices, people: Sequence[str]) -> Finest:
    """Finest cells as the roll-up takes them, contributors numbered as in all tables."""
    sums = np.stack([leaves.sums[name] for name in ("value", "total", "heads")], axis=1)
    marks = leaves.sums["asked"] + NEGATIVE * leaves.sums["negative"]
    entries, several = leaves.entries, leaves.several
    if people:
        number = np.searchsorted(np.array(people), np.array(leaves.people)) if leaves.people else _none()
        entries = replace(entries, who=number[entries.who])
        several = np.zeros(len(people), np.bool_)
        several[number[leaves.several]] = True
    return Finest(code, sums, leaves.lone, entries, several, marks.astype(np.uint8))


def _none() -> Ints:
    return np.zeros(0, np.int64)
