"""Rows that show one cell become that cell, if they agree in everything they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import AnyArray, Indices, Ints, Mask
from ..errors import InputError
from ..structure import KEY_LIMIT
from .rows import Rows


@dataclass(frozen=True, eq=False)
class Grouping:
    """The cell that each row shows, cells numbered as they first appear, and the first row of each."""

    rows: Rows
    cell: Ints
    first: Ints
    name: Callable[[int], str]

    @classmethod
    def of(cls, rows: Rows, key: Ints, name: Callable[[int], str]) -> Grouping:
        """Rows with one key show one cell; `name` says which cell a row shows."""
        _, first, kind = np.unique(key, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return cls(rows, rank[kind], first[order], name)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.first)

    def refuse_repeats(self, key: Ints) -> None:
        """An error where one source has two rows with one key, which a table never has."""
        order = np.argsort(key, kind="stable")
        source = np.searchsorted(self.rows.begin, order, side="right")
        twice = (key[order][1:] == key[order][:-1]) & (source[1:] == source[:-1])
        if twice.any():
            later = int(order[1:][twice].min())
            earlier = int(np.flatnonzero(key == key[later])[0])
            more = " If the rows are records and no cells, tabulate them." if twice.sum() > 1 else ""
            raise InputError(
                f"{self.rows.where(later)}: the cell ({self.name(later)}) is given twice, first in "
                f"{self.rows.where(earlier)}. Remove one of the rows.{more}"
            )

    def once(self, part: str, said: AnyArray, given: Mask | None = None) -> tuple[AnyArray, Mask]:
        """What the rows of each cell say, zero where none says anything; rows that disagree are an error."""
        rows = np.arange(len(self.cell)) if given is None else np.flatnonzero(given)
        speaker = np.full(self.size, -1, np.int64)
        speaker[self.cell[rows[::-1]]] = rows[::-1]
        differs = said[rows] != said[speaker[self.cell[rows]]]
        if differs.ndim > 1:
            differs = differs.any(axis=1)
        if differs.any():
            self._refuse_disagreement(part, int(rows[differs][0]), speaker)
        spoken = speaker >= 0
        merged = said[np.maximum(speaker, 0)]
        merged[~spoken] = 0
        return merged, spoken

    def _refuse_disagreement(self, part: str, row: int, speaker: Ints) -> None:
        other = int(speaker[self.cell[row]])
        raise InputError(
            f"{self.rows.where(row)}, column '{self.rows.title(part)}': the cell ({self.name(row)}) is the "
            f"same as ({self.name(other)}) in {self.rows.where(other)}, but they disagree. "
            "Correct one of them."
        )


def combined_key(code: Indices, sizes: list[int]) -> Ints:
    """One number for the codes of each row; compressed whenever the next digit would not fit."""
    key = np.zeros(len(code), np.int64)
    span = 1
    for place, size in enumerate(sizes):
        if span * size >= KEY_LIMIT:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            span = len(code)
        key = key * size + code[:, place]
        span *= size
    return key
