"""The largest contributions to each cell and who made them."""

from __future__ import annotations

import numpy as np

from ..arrays import Indices, Ints, Mask
from ..errors import InputError
from ..table import NOBODY
from ..units import Unit
from .merging import Grouping
from .rows import Rows

Listed = tuple[Ints | None, Indices | None, tuple[str, ...]]


def contributions_of(grouping: Grouping, unit: Unit) -> Listed:
    """Contributions, largest first, and contributors by number, their names in alphabetical order."""
    rows = grouping.rows
    if not rows.contributions:
        return None, None, ()
    places = range(1, rows.contributions + 1)
    names = [rows.words(f"contributor_{place}").dictionary_encode() for place in places]
    words = [[word.strip() for word in coded.dictionary.to_pylist()] for coded in names]
    contributors = tuple(sorted({word for held in words for word in held if word}))
    number = {name: at for at, name in enumerate(contributors)} | {"": NOBODY}
    who = np.stack(
        [
            np.array([number[word] for word in held], np.int32)[coded.indices.to_numpy()]
            for held, coded in zip(words, names, strict=True)
        ],
        axis=1,
    )
    amount = np.stack([_amounts(rows, place, unit, who[:, place - 1]) for place in places], axis=1)
    amount, who = ranked(amount, who)
    _refuse_twice(rows, who)
    said = who[:, 0] != NOBODY
    contribution = grouping.once("contribution_1", amount, said)[0]
    contributor, spoken = grouping.once("contributor_1", who, said)
    contributor[~spoken] = NOBODY
    return contribution, contributor, contributors


def ranked(amount: Ints, who: Indices) -> tuple[Ints, Indices]:
    """Each row's contributions, the largest first, then by contributor; nobody last."""
    rows, width = amount.shape
    row = np.repeat(np.arange(rows), width)
    order = np.lexsort((who.ravel(), -amount.ravel(), who.ravel() == NOBODY, row))
    return amount.ravel()[order].reshape(rows, width), who.ravel()[order].reshape(rows, width)


def merged(row: Ints, amount: Ints, who: Indices, width: int) -> tuple[Ints, Indices, Ints]:
    """The `width` largest contributions to each row when one contributor's are added up, and the rows."""
    known = who != NOBODY
    row, amount, who = row[known], amount[known], who[known]
    order = np.lexsort((who, row))
    row, amount, who = row[order], amount[order], who[order]
    begins = np.flatnonzero(np.diff(row, prepend=-1) | np.diff(who, prepend=NOBODY))
    if not len(begins):
        return np.zeros((0, width), np.int64), np.zeros((0, width), np.int32), begins
    row, amount, who = row[begins], np.add.reduceat(amount, begins), who[begins]
    order = np.lexsort((who, -amount, row))
    row, amount, who = row[order], amount[order], who[order]
    heads = np.flatnonzero(np.diff(row, prepend=-1))
    rank = np.arange(len(row)) - np.repeat(heads, np.diff(np.append(heads, len(row))))
    kept = rank < width
    line = np.cumsum(np.diff(row, prepend=-1) != 0) - 1
    amounts = np.zeros((len(heads), width), np.int64)
    people = np.full((len(heads), width), NOBODY, np.int32)
    amounts[line[kept], rank[kept]] = amount[kept]
    people[line[kept], rank[kept]] = who[kept]
    return amounts, people, row[heads]


def _amounts(rows: Rows, place: int, unit: Unit, who: Indices) -> Ints:
    numbers = rows.numbers(f"contribution_{place}")
    numbers.refuse(
        ~numbers.column.blank & (who == NOBODY),
        f"a contribution without its contributor (column '{rows.title(f'contributor_{place}')}').",
    )
    numbers.refuse(
        numbers.column.blank & (who != NOBODY), "a contributor without a contribution, expected a number."
    )
    return numbers.units(unit)


def _refuse_twice(rows: Rows, who: Indices) -> None:
    ordered = np.sort(who, axis=1)
    twice: Mask = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOBODY)).any(axis=1)
    if twice.any():
        row = int(np.flatnonzero(twice)[0])
        raise InputError(f"{rows.where(row)}: one contributor is listed twice, expected once with the sum.")
