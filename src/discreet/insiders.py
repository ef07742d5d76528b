"""Readers who know more than the public because they contributed themselves.

A contributor who is alone in a withheld cell knows its value, and knows of every other cell that it
holds at least the own share. A coalition is one such reader, with the shares of its members added up.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    people = int(who.max(initial=-1)) + 1
    readers: list[tuple[int, ...]] = [(w,) for w in range(people)]
    whos, rows, amounts, counts = [who], [row], [amount], [np.ones(len(who), np.int64)]
    for coalition in problem.coalitions:
        inside = np.isin(who, coalition)
        cells, place = np.unique(row[inside], return_inverse=True)
        total = np.zeros(len(cells), np.int64)
        np.add.at(total, place, amount[inside])
        whos.append(np.full(len(cells), len(readers), np.int64))
        rows.append(cells)
        amounts.append(total)
        counts.append(np.bincount(place, minlength=len(cells)))
        readers.append(tuple(coalition))
    return (
        readers,
        np.concatenate(whos),
        np.concatenate(rows),
        np.concatenate(amounts),
        np.concatenate(counts).astype(np.int64),
    )


@dataclass(frozen=True)
class Gap:
    """A protection that no witness shows to one insider."""

    reader: int
    cell: int
    up: bool
    need: int


def gaps(insiders: Insiders, witnesses: Witnesses, proved: Shifts, below: Ints, above: Ints) -> list[Gap]:
    """Protections shown to the public but not to every insider: each witness for them moves what he knows."""
    if not len(insiders):
        return []
    excluded = _excluded(insiders, witnesses)
    owned = _knowers(insiders)
    rows: dict[tuple[int, bool], list[int]] = {}
    for row in np.flatnonzero(proved.reaches(np.minimum(below, 1), np.minimum(above, 1))):
        rows.setdefault((int(proved.cell[row]), bool(proved.up[row])), []).append(int(row))
    found = []
    everybody = frozenset(range(len(insiders)))
    for up, need in ((False, below), (True, above)):
        for cell in map(int, np.flatnonzero(need)):
            found += _gaps_of(
                cell, up, int(need[cell]), rows.get((cell, up), []), proved, everybody, excluded, owned
            )
    return found


def _gaps_of(
    cell: int,
    up: bool,
    need: int,
    rows: list[int],
    proved: Shifts,
    everybody: frozenset[int],
    excluded: dict[tuple[int, bool], frozenset[int]],
    owned: dict[int, dict[int, int]],
) -> list[Gap]:
    """The insiders to whom one side of one cell is not shown; what they know anyway need not be shown."""
    nobody: frozenset[int] = frozenset()
    by_row = [
        (
            int(proved.amount[r]) // int(proved.denominator[r]),
            excluded.get((int(proved.witness[r]), bool(proved.mirrored[r])), nobody),
        )
        for r in rows
    ]
    full = [out for amount, out in by_row if amount >= need]
    knows = owned.get(cell, {})
    result = []
    for reader in sorted(frozenset.intersection(*full) if full else everybody):
        least = need if up or reader not in knows else min(need, knows[reader])
        shown = any(amount >= least and reader not in out for amount, out in by_row)
        if least > 0 and not shown and knows.get(reader) != 0:
            result.append(Gap(reader, cell, up, least))
    return result


def _knowers(insiders: Insiders) -> dict[int, dict[int, int]]:
    """For every cell, the insiders with a share in it, and how far down it may still lie for them."""
    reader = np.repeat(np.arange(len(insiders)), np.diff(insiders.start))
    owned: dict[int, dict[int, int]] = {}
    for r, c, low, alone in zip(reader, insiders.cell, insiders.low, insiders.alone, strict=True):
        owned.setdefault(int(c), {})[int(r)] = 0 if alone else -int(low)
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
