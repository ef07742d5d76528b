"""From invented contributions to the value, frequency and largest contributions of every cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Ints
from ..hierarchy import Hierarchy
from ..records.rollup import Entries, Finest, Summary, roll_up, strides
from ..structure import Structure
from .firms import Contributions


def summarise(
    structure: Structure, trees: Sequence[Hierarchy], contributions: Contributions, keep: int
) -> Summary:
    """Value, number of firms and the `keep` largest of them in every cell, each firm merged exactly.

    `trees` are the hierarchies that the dimensions were built from, one each.
    """
    return roll_up(structure, [(tree,) for tree in trees], _finest(structure, contributions), keep)


def _finest(structure: Structure, contributions: Contributions) -> Finest:
    key = contributions.code.astype(np.int64) @ strides([len(d) for d in structure.dimensions])
    _, first, owner = np.unique(key, return_index=True, return_inverse=True)
    firm = contributions.firm.astype(np.int64)
    entries = Entries(owner, firm, contributions.amount).moved(np.arange(len(first)))
    several = np.bincount(entries.who, minlength=contributions.firms) > 1
    lone = np.bincount(entries.owner[~several[entries.who]], minlength=len(first))
    value: Ints = np.zeros(len(first), np.int64)
    np.add.at(value, owner, contributions.amount)
    return Finest(contributions.code[first], value[:, np.newaxis], lone, entries, several)
