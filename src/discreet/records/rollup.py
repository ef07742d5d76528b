"""From finest cells to every cell: what adds up is added up, and the largest contributions stay known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..arrays import AnyArray, Bytes, Frozen, Indices, Ints, Mask
from ..errors import InputError
from ..hierarchy import Hierarchy
from ..structure import KEY_LIMIT, Structure
from ..table import NOBODY

Rung = tuple[int, ...]
"""How far above the finest codes, in each dimension."""


@dataclass(frozen=True, eq=False)
class Entries:
    """Contributions to finest cells, each of one contributor `who` to one cell `owner`.

    Those who stand in several cells are there in each of them; of all others at least the largest of
    every cell. `times` and `marks` go with an entry: how often it counts, and bits that are joined.
    """

    owner: Ints
    who: Ints
    amount: Ints
    times: Ints | None = None
    marks: Bytes | None = None

    def taken(self, chosen: AnyArray) -> Entries:
        """Some of the entries."""
        return replace(
            self,
            owner=self.owner[chosen],
            who=self.who[chosen],
            amount=self.amount[chosen],
            times=None if self.times is None else self.times[chosen],
            marks=None if self.marks is None else self.marks[chosen],
        )

    def moved(self, into: Ints, chosen: Mask | None = None) -> Entries:
        """The same entries, or some, in coarser cells, one for each contributor to a cell."""
        some = np.arange(len(self)) if chosen is None else np.flatnonzero(chosen)
        owner, who = into[self.owner[some]], self.who[some]
        order = np.argsort(owner * (int(who.max(initial=0)) + 1) + who)
        held = replace(self.taken(some[order]), owner=owner[order])
        first = np.flatnonzero(_changes(held.owner) | _changes(held.who))
        if len(first) == len(held):
            return held
        amount = np.add.reduceat(held.amount, first)
        marks = None if held.marks is None else np.bitwise_or.reduceat(held.marks, first)
        return replace(held.taken(first), amount=amount, marks=marks)

    def __len__(self) -> int:
        return len(self.owner)


@dataclass(frozen=True, eq=False)
class Finest:
    """The finest cells that records stand in: their codes, what adds up over them, and bits that are joined.

    `code[i, d]` is a place in dimension d, `sums[i]` any quantities, `lone[i]` how many
    contributors stand in this cell alone. `several` marks the contributors who stand in more than one.
    """

    code: Indices
    sums: Ints
    lone: Ints
    entries: Entries
    several: Mask
    marks: Bytes | None = None


@dataclass(frozen=True, eq=False)
class Summary(Frozen):
    """What records come to in each cell of a structure; contributors are merged before they are ranked.

    `known` marks the cells that any of them were summed up to, `people` names contributors by number.
    """

    known: Mask
    sums: Ints
    frequency: Ints
    contribution: Ints
    contributor: Indices
    times: Ints | None = None
    asked: Bytes | None = None
    marks: Bytes | None = None
    people: tuple[str, ...] = ()

    @property
    def value(self) -> Ints:
        """The first of the quantities that were added up."""
        return self.sums[:, 0]

    def joined(self, other: Summary) -> Summary:
        """The cells of both, which agree where both know one."""
        held = {}
        for name in ("known", "sums", "frequency", "contribution", "contributor", "times", "asked", "marks"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine is not None:
                known = self.known.reshape(-1, *[1] * (mine.ndim - 1))
                held[name] = np.where(known, mine, its).astype(mine.dtype)
        return Summary(**held)


@dataclass(frozen=True, eq=False)
class _Layer:
    """All cells of one combination of levels, and the entries that may be among their largest.

    A contributor who stands in one finest cell only, and is not among the largest there, cannot be among
    the largest of a coarser cell either: `lone` counts it, and its entry is not carried on.
    """

    cell: Ints
    sums: Ints
    lone: Ints
    entries: Entries
    rank: Ints
    marks: Bytes | None


def roll_up(structure: Structure, trees: Sequence[Sequence[Hierarchy]], finest: Finest, keep: int) -> Summary:
    """Sums, number of contributors and the `keep` largest of them in every cell.

    `trees` are the hierarchies that each dimension was built from.
    """
    assert structure.code is not None
    size, entries = structure.size, finest.entries
    stride = strides([len(d) for d in structure.dimensions])
    known = structure.code.astype(np.int64) @ stride
    order = np.argsort(known)
    sums, frequency = np.zeros((size, finest.sums.shape[1]), np.int64), np.zeros(size, np.int64)
    present = np.zeros(size, np.bool_)
    contribution, contributor = np.zeros((size, keep), np.int64), np.full((size, keep), NOBODY, np.int32)
    times = None if entries.times is None else np.zeros((size, keep), np.int64)
    asked = None if entries.marks is None else np.zeros((size, keep), np.uint8)
    marks = None if finest.marks is None else np.zeros(size, np.uint8)
    for layer in _layers(structure, trees, finest, stride, keep):
        found = order[np.minimum(np.searchsorted(known, layer.cell, sorter=order), size - 1)]
        there = known[found] == layer.cell
        shared = np.bincount(
            layer.entries.owner[finest.several[layer.entries.who]], minlength=len(layer.cell)
        )
        present[found[there]] = True
        sums[found[there]] = layer.sums[there]
        frequency[found[there]] = (layer.lone + shared)[there]
        if marks is not None and layer.marks is not None:
            marks[found[there]] = layer.marks[there]
        listed = np.flatnonzero((layer.rank < keep) & there[layer.entries.owner])
        place = found[layer.entries.owner[listed]], layer.rank[listed]
        contribution[place] = layer.entries.amount[listed]
        contributor[place] = layer.entries.who[listed]
        if times is not None and layer.entries.times is not None:
            times[place] = layer.entries.times[listed]
        if asked is not None and layer.entries.marks is not None:
            asked[place] = layer.entries.marks[listed]
    return Summary(present, sums, frequency, contribution, contributor, times, asked, marks)


def strides(lengths: Sequence[int]) -> Ints:
    """What a step in each dimension adds to the number that stands for a cell, the last dimension fastest."""
    span = [1]
    for length in reversed(lengths):
        span.append(span[-1] * length)
    if span[-1] >= KEY_LIMIT:
        raise InputError("Expected fewer than 2^62 combinations of codes, got more.")
    return np.array(span[-2::-1], np.int64)


@dataclass(frozen=True, eq=False)
class _Step:
    """From the rung below, where each code goes."""

    below: int
    into: Indices


def _layers(
    structure: Structure, trees: Sequence[Sequence[Hierarchy]], finest: Finest, stride: Ints, keep: int
) -> Iterator[_Layer]:
    """From the finest cells to the grand total."""
    ladders = [
        _ladder(d.meaning, d.position, held) for d, held in zip(structure.dimensions, trees, strict=True)
    ]
    layers: dict[Rung, _Layer] = {}
    for rung in product(*(range(len(ladder) + 1) for ladder in ladders)):
        if any(rung):
            below, d, into = _cheapest(rung, layers, ladders)
            digit = below.cell // stride[d] % len(structure.dimensions[d])
            coarse = below.cell + (into[digit] - digit) * stride[d]
            layers[rung] = _coarser(below, coarse, finest.several, keep)
        else:
            layers[rung] = _lowest(structure, finest, stride, keep)
        yield layers[rung]


def _ladder(meaning: Indices, position: object, trees: Sequence[Hierarchy]) -> list[_Step]:
    """Where each code goes, a level of a tree at a time, the deepest first; every tree from the bottom."""
    steps: list[_Step] = []
    for tree in trees:
        place = np.array([position[code] for code in tree.code], np.int32)  # type: ignore[index]
        below = 0
        for level in range(int(tree.level.max(initial=0)), 0, -1):
            into = np.arange(len(meaning), dtype=np.int32)
            here = np.flatnonzero(tree.level == level)
            into[place[here]] = meaning[place[tree.parent[here]]]
            steps.append(_Step(below, into))
            below = len(steps)
    return steps


def _cheapest(
    rung: Rung, layers: dict[Rung, _Layer], ladders: Sequence[list[_Step]]
) -> tuple[_Layer, int, Indices]:
    """Of the layers one step below, that with the fewest entries; in which dimension, and the step."""
    choices = []
    for d, at in enumerate(rung):
        if at:
            step = ladders[d][at - 1]
            choices.append((layers[(*rung[:d], step.below, *rung[d + 1 :])], d, step.into))
    return min(choices, key=lambda choice: len(choice[0].entries))


def _lowest(structure: Structure, finest: Finest, stride: Ints, keep: int) -> _Layer:
    meaning = np.stack([d.meaning[finest.code[:, at]] for at, d in enumerate(structure.dimensions)], axis=1)
    below = _Layer(
        meaning.astype(np.int64) @ stride,
        finest.sums,
        finest.lone,
        finest.entries,
        np.zeros(len(finest.entries), np.int64),
        finest.marks,
    )
    return _coarser(below, below.cell, finest.several, keep)


def _coarser(below: _Layer, coarse: Ints, several: Mask, keep: int) -> _Layer:
    """The layer in which each cell of the one below goes into a coarser cell."""
    order = np.argsort(coarse, kind="stable")
    begins = np.flatnonzero(_changes(coarse[order]))
    into = np.empty(len(coarse), np.int64)
    into[order] = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(coarse))))
    matters = (below.rank < keep) | several[below.entries.who]
    entries = below.entries.moved(into, matters)
    marks = below.marks
    return _Layer(
        coarse[order[begins]],
        np.add.reduceat(below.sums[order], begins, axis=0) if len(begins) else below.sums,
        np.add.reduceat(below.lone[order], begins) if len(begins) else below.lone,
        entries,
        _ranks(entries, keep),
        marks if marks is None or not len(begins) else np.bitwise_or.reduceat(marks[order], begins),
    )


def _changes(number: AnyArray) -> Mask:
    """Where a number differs from the one before it."""
    return np.concatenate((np.ones(min(1, len(number)), np.bool_), number[1:] != number[:-1]))


def _ranks(entries: Entries, keep: int) -> Ints:
    """0 for the largest entry of each cell and so on, `keep` for all that are not listed.

    Ties go to those who asked for confidentiality, then by number; entries come ordered by number.
    """
    rank = np.full(len(entries), keep, np.int64)
    left = np.arange(len(entries))
    for place in range(keep):
        if not len(left):
            break
        first = _firsts(entries.owner[left], entries.amount[left])
        if entries.marks is not None:
            tied = entries.amount[left] == np.repeat(
                entries.amount[left[first]], _lengths(entries.owner[left])
            )
            asked = np.where(tied, entries.marks[left].astype(np.int64), -1)
            first = _firsts(entries.owner[left], asked)
        rank[left[first]] = place
        left = np.delete(left, first)
    return rank


def _firsts(owner: Ints, amount: Ints) -> Ints:
    """The first of the largest entries of each cell."""
    most = np.maximum.reduceat(amount, np.flatnonzero(_changes(owner)))
    hits = np.flatnonzero(amount == np.repeat(most, _lengths(owner)))
    return hits[_changes(owner[hits])]


def _lengths(owner: Ints) -> Ints:
    heads = np.flatnonzero(_changes(owner))
    return np.diff(np.append(heads, len(owner)))
