"""Readers who know more than the public because they contributed themselves.

A contributor who is alone in a withheld cell knows its value, and knows of every other cell that it
holds at least the own share. A coalition is one such reader, with the shares of its members added up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from .arrays import Frozen, Indices, Ints, Mask, segments
from .freedom import Freedom
from .problem import Problem
from .table import NOBODY
from .units import INFINITE
from .witnesses import Shifts, Witnesses


@dataclass(frozen=True, eq=False)
class Insiders(Frozen):
    """Reader r knows the least move of each cell from `start[r]` on, and that it is none where `alone`."""

    start: Ints
    cell: Indices
    low: Ints
    alone: Mask
    members: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def none(cls) -> Insiders:
        """Nobody knows more than the public."""
        empty = np.zeros(0, np.int64)
        return cls(np.zeros(1, np.int64), empty.astype(np.int32), empty, np.zeros(0, np.bool_))

    @classmethod
    def of(cls, problem: Problem, freedom: Freedom) -> Insiders:
        """All insiders of a release, where contributors are known."""
        table = problem.table
        if table.contributor is None or table.contribution is None:
            return cls.none()
        cells = np.flatnonzero(freedom.free)
        contributor, share = table.contributor[cells], table.contribution[cells]
        listed = contributor != NOBODY
        frequency = listed.sum(axis=1) if table.frequency is None else table.frequency[cells]
        row, place = np.nonzero(listed)
        who = contributor[row, place].astype(np.int64)
        readers, who, row, amount, count = _with_coalitions(problem, who, row, share[row, place])
        alone = count == frequency[row]
        known = np.unique(who[alone])
        kept = np.isin(who, known)
        who, row, amount, alone = who[kept], row[kept], amount[kept], alone[kept]
        order = np.lexsort((row, who))
        who, row, amount, alone = who[order], row[order], amount[order], alone[order]
        cell = cells[row].astype(np.int32)
        start = np.searchsorted(who, np.append(known, len(readers))).astype(np.int64)
        floor = np.where(problem.lower[cell] >= 0, amount - table.value[cell], -INFINITE)
        return cls(
            start,
            cell,
            np.where(alone, 0, np.minimum(floor, 0)),
            alone,
            tuple(readers[r] for r in known),
        )

    def freedom(self, reader: int, public: Freedom) -> Freedom:
        """What one insider cannot exclude."""
        part = slice(int(self.start[reader]), int(self.start[reader + 1]))
        return public.tightened(self.cell[part], self.low[part], np.where(self.alone[part], 0, INFINITE))

    def common_freedom(self, public: Freedom, cell: int) -> Freedom:
        """What no insider can exclude of one cell, leaving out those who know it anyway."""
        reader = np.repeat(np.arange(len(self)), np.diff(self.start))
        knows_it = reader[(self.cell == cell) & self.alone]
        kept = ~np.isin(reader, knows_it)
        return public.tightened(self.cell[kept], self.low[kept], np.where(self.alone[kept], 0, INFINITE))

    def __len__(self) -> int:
        return len(self.start) - 1


def _with_coalitions(
    problem: Problem, who: Ints, row: Ints, amount: Ints
) -> tuple[list[tuple[int, ...]], Ints, Ints, Ints, Ints]:
    """Readers, and for each of their cells the share and the number of members in it."""
    alone = [(w,) for w in range(int(who.max(initial=-1)) + 1)]
    readers = [*alone, *map(tuple, problem.coalitions)]
    size = [len(coalition) for coalition in problem.coalitions]
    number = np.repeat(np.arange(len(alone), len(readers)), size)
    member = np.array([m for coalition in problem.coalitions for m in coalition], np.int64)
    order = np.argsort(member, kind="stable")
    start = np.searchsorted(member[order], np.arange(len(alone) + 1)).astype(np.int64)
    entry, length = segments(start, who)
    joined, cells = number[order[entry]], np.repeat(row, length)
    width = int(row.max(initial=-1)) + 1
    key, place, count = np.unique(joined * width + cells, return_inverse=True, return_counts=True)
    total = np.zeros(len(key), np.int64)
    np.add.at(total, place, np.repeat(amount, length))
    return (
        readers,
        np.concatenate((who, key // max(width, 1))),
        np.concatenate((row, key % max(width, 1))),
        np.concatenate((amount, total)),
        np.concatenate((np.ones(len(who), np.int64), count)),
    )


@dataclass(frozen=True)
class Gap:
    """A protection that no witness shows to one insider."""

    reader: int
    cell: int
    up: bool
    need: int


def gaps(
    insiders: Insiders, problem: Problem, witnesses: Witnesses, proved: Shifts, cells: Mask
) -> list[Gap]:
    """Protections of some cells that are not shown to every insider: each witness moves what he knows.

    What an insider can exclude without the release, need not be shown to him.
    """
    if not len(insiders):
        return []
    proofs = _proofs(insiders, witnesses, proved, cells)
    below, above = problem.known_below, problem.known_above
    goals = np.stack(problem.goals)
    owned = _knowers(insiders)
    found: list[Gap] = []
    for cell in map(int, np.flatnonzero(cells & goals.any(axis=0))):
        down, up = (proofs.get((cell, side), _Proof()) for side in (False, True))
        goal_down, goal_up = map(int, goals[:, cell])
        doubtful = down.hidden_from(goal_down, len(insiders)) | up.hidden_from(goal_up, len(insiders))
        knows = owned.get(cell, {})
        for reader in sorted(doubtful):
            room = knows.get(reader, INFINITE)
            if room is None:
                continue
            needs = _Needs.of(problem, cell, min(room, int(below[cell])), int(above[cell]))
            shown = down.furthest(reader), up.furthest(reader)
            found += [Gap(reader, cell, side, need) for side, need in needs.missing(*shown)]
    return found


@dataclass(frozen=True)
class _Needs:
    """What must be shown of one cell to a reader who knows this much of it beforehand."""

    below: int
    above: int
    sliding: int
    goals: tuple[int, int]

    @classmethod
    def of(cls, problem: Problem, cell: int, room_below: int, room_above: int) -> _Needs:
        below = min(int(problem.need_below[cell]), room_below)
        above = min(int(problem.need_above[cell]), room_above)
        sliding = min(int(problem.need_sliding[cell]), room_below + room_above)
        extra = max(sliding - below - above, 0)
        up = min(extra - min(extra // 2, room_below - below), room_above - above)
        return cls(below, above, sliding, (below + extra - up, above + up))

    def missing(self, down: Fraction, up: Fraction) -> list[tuple[bool, int]]:
        """The sides that have to be shown further, and how far."""
        wanted = self.goals if down + up < self.sliding else (self.below, self.above)
        return [
            (side, need)
            for side, shown, need in ((False, down, wanted[0]), (True, up, wanted[1]))
            if shown < need
        ]


@dataclass
class _Proof:
    """How far witnesses move one cell to one side, and the insiders who know better."""

    rows: list[tuple[int, int, frozenset[int]]] = field(default_factory=list)

    def hidden_from(self, need: int, insiders: int) -> frozenset[int]:
        """The insiders to whom no witness shows the need."""
        full = [out for amount, denominator, out in self.rows if amount // denominator >= need]
        if need == 0:
            return frozenset()
        return frozenset.intersection(*full) if full else frozenset(range(insiders))

    def furthest(self, reader: int) -> Fraction:
        """The largest move that an insider cannot exclude."""
        seen = (Fraction(amount, over) for amount, over, out in self.rows if reader not in out)
        return max(seen, default=Fraction(0))


def _proofs(
    insiders: Insiders, witnesses: Witnesses, proved: Shifts, cells: Mask
) -> dict[tuple[int, bool], _Proof]:
    """What the witnesses show of each side of some cells, and to whom."""
    excluded = _excluded(insiders, witnesses)
    nobody: frozenset[int] = frozenset()
    found: dict[tuple[int, bool], _Proof] = {}
    for row in np.flatnonzero(cells[proved.cell]).tolist():
        key = int(proved.cell[row]), bool(proved.up[row])
        out = excluded.get((int(proved.witness[row]), bool(proved.mirrored[row])), nobody)
        amount, denominator = int(proved.amount[row]), int(proved.denominator[row])
        found.setdefault(key, _Proof()).rows.append((amount, denominator, out))
    return found


def _knowers(insiders: Insiders) -> dict[int, dict[int, int | None]]:
    """For every cell, the insiders with a share in it: how far down it may lie for them, None where known."""
    reader = np.repeat(np.arange(len(insiders)), np.diff(insiders.start))
    owned: dict[int, dict[int, int | None]] = {}
    for r, c, low, alone in zip(reader, insiders.cell, insiders.low, insiders.alone, strict=True):
        owned.setdefault(int(c), {})[int(r)] = None if alone else -int(low)
    return owned


def _excluded(insiders: Insiders, witnesses: Witnesses) -> dict[tuple[int, bool], frozenset[int]]:
    """For every witness, upright and mirrored, the insiders who know that it is not the truth."""
    reader = np.repeat(np.arange(len(insiders)), np.diff(insiders.start))
    order = np.argsort(insiders.cell, kind="stable")
    size = int(max(witnesses.cell.max(initial=-1), insiders.cell.max(initial=-1))) + 1
    start = np.searchsorted(insiders.cell[order], np.arange(size + 1))
    entry, length = segments(start, witnesses.cell)
    known = order[entry]
    witness = np.repeat(witnesses.owner, length)
    move = np.repeat(witnesses.move, length)
    denominator = witnesses.denominator[witness]
    result: dict[tuple[int, bool], frozenset[int]] = {}
    for mirrored in (False, True):
        moved = -move if mirrored else move
        wrong = (insiders.alone[known] & (moved != 0)) | (moved // denominator < insiders.low[known])
        for w, group in _grouped(witness[wrong], reader[known[wrong]]):
            result[w, mirrored] = frozenset(group)
    return result


def _grouped(keys: Ints, values: Ints) -> list[tuple[int, list[int]]]:
    groups: dict[int, list[int]] = {}
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        groups.setdefault(key, []).append(value)
    return list(groups.items())
