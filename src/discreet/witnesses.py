"""Tables that prove what nobody can exclude, checked by additions alone.

A witness is a possible table, kept as its difference from the truth: whole numbers `move` over one
`denominator`. It is sound when the moves balance in every equation and stay within the reader's
freedom; then no reader can exclude its values. Its mirror image, all moves reversed, is a witness too
where it stays within the freedom. Nothing here trusts whoever made a witness.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .arrays import Frozen, Indices, Ints, Mask, segments
from .freedom import Freedom
from .structure import Structure

SAFE = 2**62
"""Sums below this are taken in 64 bits; beyond, in Python's own integers."""


@dataclass(frozen=True, eq=False)
class Witnesses(Frozen):
    """Many witnesses: number w moves `cell[start[w]:start[w + 1]]` by `move / denominator[w]` units."""

    start: Ints
    cell: Indices
    move: Ints
    denominator: Ints

    @classmethod
    def none(cls) -> Witnesses:
        """No witness at all."""
        empty = np.zeros(0, np.int64)
        return cls(np.zeros(1, np.int64), empty.astype(np.int32), empty, empty)

    @classmethod
    def joined(cls, parts: list[Witnesses]) -> Witnesses:
        """All witnesses of several collections."""
        if not parts:
            return cls.none()
        length = np.concatenate([np.diff(p.start) for p in parts])
        return cls(
            np.concatenate(([0], np.cumsum(length))).astype(np.int64),
            np.concatenate([p.cell for p in parts]),
            np.concatenate([p.move for p in parts]),
            np.concatenate([p.denominator for p in parts]),
        )

    def take(self, chosen: Ints) -> Witnesses:
        """Some of the witnesses."""
        entry, length = segments(self.start, chosen)
        start = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
        return Witnesses(start, self.cell[entry], self.move[entry], self.denominator[chosen])

    @property
    def owner(self) -> Ints:
        """The witness of every entry."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.start))

    def __len__(self) -> int:
        return len(self.denominator)


@dataclass(frozen=True, eq=False)
class Sound(Frozen):
    """Which witnesses hold as they are, and which hold mirrored."""

    upright: Mask
    mirrored: Mask


def check(witnesses: Witnesses, freedom: Freedom, whole: bool = False) -> Sound:
    """Adds up every witness and compares it with what the reader knows.

    Where readers know that values are `whole`, only whole moves count. Where the arrays do not fit
    together, none of the witnesses holds.
    """
    if not _is_well_formed(witnesses, freedom.structure):
        nothing = np.zeros(len(witnesses), np.bool_)
        return Sound(nothing, nothing.copy())
    return _added_up(witnesses, freedom, whole)


def sound_ones(witnesses: Witnesses, freedom: Freedom, whole: bool = False) -> tuple[Witnesses, Sound]:
    """The witnesses that hold, upright or mirrored, and which way they do."""
    if not _is_well_formed(witnesses, freedom.structure):
        nobody = Witnesses.none()
        return nobody, check(nobody, freedom)
    sound = _added_up(witnesses, freedom, whole)
    kept = np.flatnonzero(sound.upright | sound.mirrored)
    if len(kept) == len(witnesses):
        return witnesses, sound
    return witnesses.take(kept), Sound(sound.upright[kept], sound.mirrored[kept])


def _added_up(witnesses: Witnesses, freedom: Freedom, whole: bool) -> Sound:
    sensible = (witnesses.denominator == 1) if whole else (witnesses.denominator > 0)
    balanced = sensible & _balanced(witnesses, freedom.structure)
    upright, mirrored = within(witnesses, freedom)
    return Sound(balanced & upright, balanced & mirrored)


def _is_well_formed(witnesses: Witnesses, structure: Structure) -> bool:
    start, cell = witnesses.start, witnesses.cell
    kinds = {start.dtype, witnesses.move.dtype, witnesses.denominator.dtype, cell.dtype}
    shaped = (
        kinds <= {np.dtype(np.int64), np.dtype(np.int32)}
        and all(a.ndim == 1 for a in (start, cell, witnesses.move, witnesses.denominator))
        and len(start) == len(witnesses) + 1
        and start[0] == 0
        and start[-1] == len(cell) == len(witnesses.move)
        and bool((start[1:] >= start[:-1]).all())
    )
    if not shaped or (len(cell) and (cell.min() < 0 or cell.max() >= structure.size)):
        return False
    if _size(witnesses.move) >= SAFE:
        return False
    key = np.sort(witnesses.owner * structure.size + cell)
    return not (key[1:] == key[:-1]).any()


def _balanced(witnesses: Witnesses, structure: Structure) -> Mask:
    """Whether the moves of each witness sum to zero in every equation."""
    result = np.ones(len(witnesses), np.bool_)
    start, equation, coefficient = structure.by_cell
    entry, length = segments(start, witnesses.cell)
    key = np.repeat(witnesses.owner, length) * max(structure.equations, 1) + equation[entry]
    move = np.repeat(witnesses.move, length)
    order = np.argsort(key, kind="stable")
    key, move, factor = key[order], move[order], coefficient[entry][order]
    begins = (
        np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.zeros(0, np.int64)
    )
    if not len(begins):
        return result
    longest = int(np.diff(np.append(begins, len(key))).max())
    if _size(move) * _size(factor) * longest < SAFE:
        total = np.add.reduceat(move * factor, begins)
    else:
        total = np.add.reduceat(move.astype(object) * factor, begins)
    broken = key[begins[np.asarray(total != 0, np.bool_)]] // max(structure.equations, 1)
    result[broken] = False
    return result


def within(witnesses: Witnesses, freedom: Freedom) -> tuple[Mask, Mask]:
    """Whether all moves, or all reversed moves, stay within the freedom."""
    upright = np.ones(len(witnesses), np.bool_)
    mirrored = np.ones(len(witnesses), np.bool_)
    owner = witnesses.owner
    low, high = freedom.low[witnesses.cell], freedom.high[witnesses.cell]
    move, denominator = witnesses.move, np.maximum(witnesses.denominator, 1)[owner]
    # move / denominator >= low, with an exact floor division instead of a product that might overflow
    floor, ceiling = move // denominator, -(-move // denominator)
    upright[owner[(floor < low) | (ceiling > high)]] = False
    mirrored[owner[(-ceiling < low) | (-floor > high)]] = False
    return upright, mirrored


def _size(numbers: Ints) -> int:
    return max(abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))


@dataclass(frozen=True, eq=False)
class Shifts(Frozen):
    """One row for each cell that a sound witness, upright or mirrored, moves up or down.

    `up` tells the side and `amount / denominator` how far; `mirrored` whether the mirror image does it.
    """

    witness: Ints
    cell: Indices
    up: Mask
    mirrored: Mask
    amount: Ints
    denominator: Ints

    def reaches(self, below: Ints, above: Ints) -> Mask:
        """Which rows move their cell by at least what is needed on their side, if anything is."""
        need = np.where(self.up, above[self.cell], below[self.cell])
        return np.asarray((need > 0) & (self.amount // self.denominator >= need))

    def furthest(self, cell: int, up: bool) -> Fraction:
        """The largest move of one cell to one side."""
        rows = np.flatnonzero((self.cell == cell) & (self.up == up))
        return max((self.distance(r) for r in rows.tolist()), default=Fraction(0))

    def distance(self, row: int) -> Fraction:
        """How far a row moves its cell."""
        return Fraction(int(self.amount[row]), int(self.denominator[row]))


def shifts(witnesses: Witnesses, sound: Sound, interesting: Mask) -> Shifts:
    """What sound witnesses prove of the interesting cells."""
    owner = witnesses.owner
    kept = np.flatnonzero(interesting[witnesses.cell] & (witnesses.move != 0))
    up = witnesses.move[kept] > 0
    rows = []
    for mirrored, holds in ((False, sound.upright), (True, sound.mirrored)):
        held = holds[owner[kept]]
        entry = kept[held]
        sides = up[held] ^ mirrored
        rows.append((entry, sides, np.full(len(entry), mirrored)))
    entry = np.concatenate([r[0] for r in rows])
    return Shifts(
        witness=owner[entry],
        cell=witnesses.cell[entry],
        up=np.concatenate([r[1] for r in rows]),
        mirrored=np.concatenate([r[2] for r in rows]),
        amount=np.abs(witnesses.move[entry]),
        denominator=witnesses.denominator[owner[entry]],
    )
