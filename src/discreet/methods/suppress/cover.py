"""Which protections the witnesses of a suppression pattern show, kept up while the pattern changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from ...arrays import Indices, Mask
from ...freedom import Freedom
from ...problem import Problem
from ...witnesses import Sound, Witnesses, shifts, within

Side = tuple[int, bool]
"""A sensitive cell and whether its upper side is meant."""


class Cover:
    """Witnesses within a pattern, and the sides that they show.

    A side counts as shown when no insider can rule out all of its witnesses; insiders are those who are
    alone in a sensitive cell. `lone` maps such a cell to whoever is alone in it. Nothing more has to be
    shown of a side to those who are `excused`.
    """

    def __init__(
        self, problem: Problem, freedom: Freedom, lone: dict[int, int], excused: dict[Side, set[int]]
    ) -> None:
        self.below, self.above = problem.goals
        self.freedom = freedom
        self.wanted = (self.below > 0) | (self.above > 0)
        self.sides: list[Side] = [
            (int(c), up)
            for c in np.flatnonzero(self.wanted)
            for up in (False, True)
            if self.need((int(c), up))
        ]
        self.lone = lone
        self.excused = excused
        self.support: dict[int, Indices] = {}
        self.kept: dict[int, Witnesses] = {}
        self.shows: dict[int, list[Side]] = {}
        self.knowers: dict[int, frozenset[int]] = {}
        self.by_side: dict[Side, set[int]] = defaultdict(set)
        self.by_cell: dict[int, set[int]] = defaultdict(set)
        self._next = 0

    def need(self, side: Side) -> int:
        """How far a side has to be shown."""
        return int((self.above if side[1] else self.below)[side[0]])

    def add(self, witnesses: Witnesses, only_new: bool = True) -> list[int]:
        """Keeps the witnesses that show an open side (or any side); says which were kept."""
        proved = shifts(witnesses, Sound(*within(witnesses, self.freedom)), self.wanted)
        rows = np.flatnonzero(proved.reaches(self.below, self.above))
        groups: dict[int, list[Side]] = defaultdict(list)
        for w, cell, up in zip(
            proved.witness[rows].tolist(), proved.cell[rows].tolist(), proved.up[rows].tolist(), strict=True
        ):
            groups[w].append((cell, up))
        kept = []
        for w, sides in groups.items():
            cells = witnesses.cell[witnesses.start[w] : witnesses.start[w + 1]]
            knowers = (
                frozenset(self.lone[c] for c in cells.tolist() if c in self.lone)
                if self.lone
                else frozenset()
            )
            if only_new and not any(self._helps(side, knowers) for side in sides):
                continue
            kept.append(self._keep(witnesses.take(np.array([w])), cells, sides, knowers))
        return kept

    def _helps(self, side: Side, knowers: frozenset[int]) -> bool:
        against = self.against(side)
        return against is None or bool(against - knowers)

    def _keep(self, witness: Witnesses, cells: Indices, sides: list[Side], knowers: frozenset[int]) -> int:
        number = self._next
        self._next += 1
        self.support[number] = cells
        self.kept[number] = witness
        self.shows[number] = sides
        self.knowers[number] = knowers
        for side in sides:
            self.by_side[side].add(number)
        for cell in cells.tolist():
            self.by_cell[cell].add(number)
        return number

    def drop(self, numbers: Iterable[int]) -> None:
        """Forgets some witnesses."""
        for number in list(numbers):
            for side in self.shows.pop(number):
                self.by_side[side].discard(number)
            for cell in self.support.pop(number).tolist():
                self.by_cell[cell].discard(number)
            del self.kept[number], self.knowers[number]

    def against(self, side: Side, without: Iterable[int] = ()) -> frozenset[int] | None:
        """The insiders who can rule out every witness of a side; None when there is no witness at all."""
        left = self.by_side[side].difference(without)
        if not left:
            return None
        if not self.lone:
            return frozenset()
        knowing = frozenset.intersection(*(self.knowers[w] for w in left))
        return knowing - {self.lone.get(side[0], -1)} - self.excused.get(side, set())

    def is_open(self, side: Side, without: Iterable[int] = ()) -> bool:
        """Whether a side is not shown to somebody."""
        against = self.against(side, without)
        return against is None or bool(against)

    def open_sides(self) -> list[Side]:
        """All sides that are not shown to somebody."""
        return [side for side in self.sides if self.is_open(side)]

    def at_risk(self, cells: list[int]) -> list[Side]:
        """The sides that would be open without the witnesses that move any of these cells."""
        gone = {w for c in cells for w in self.by_cell[c]}
        sides = {side for w in gone for side in self.shows[w]}
        return sorted(side for side in sides if self.is_open(side, gone))

    def trim(self) -> None:
        """Forgets witnesses that are not needed, the widest first."""
        for number in sorted(self.support, key=lambda w: -len(self.support[w])):
            if not any(self.is_open(side, (number,)) for side in self.shows[number]):
                self.drop((number,))

    def used(self, size: int) -> Mask:
        """The cells that some witness moves."""
        mask = np.zeros(size, np.bool_)
        for cells in self.support.values():
            mask[cells] = True
        return mask

    def witnesses(self) -> Witnesses:
        """All witnesses."""
        return Witnesses.joined(list(self.kept.values()))

    def copy(self) -> Cover:
        """A cover that changes on its own."""
        twin = object.__new__(Cover)
        twin.__dict__.update(self.__dict__)
        twin.support, twin.kept, twin.shows, twin.knowers = (
            dict(self.support),
            dict(self.kept),
            dict(self.shows),
            dict(self.knowers),
        )
        twin.by_side = defaultdict(set, {k: set(v) for k, v in self.by_side.items()})
        twin.by_cell = defaultdict(set, {k: set(v) for k, v in self.by_cell.items()})
        return twin
