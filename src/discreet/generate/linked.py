"""Several tables of the same firms that share their margins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Indices
from ..errors import InputError
from ..hierarchy import Dimension
from ..problem import Problem
from ..structure import Structure
from .ons import Recipe, random_tree


def linked_problem(
    regions: int = 8,
    sectors: int = 10,
    sizes: int = 4,
    seed: int = 0,
    *,
    tables: int = 2,
    levels: tuple[int, int, int] = (1, 1, 1),
    **choices: Any,
) -> Problem:
    """Region × sector and region × size, and sector × size as a third table, as one structure.

    A cell of one table is at the total of the variable that the table does not show; tables share
    the cells at which two of them meet. `choices` are those of `Recipe`.
    """
    if tables not in (2, 3):
        raise InputError(f"Expected 2 or 3 linked tables, got {tables}.")
    recipe = Recipe(**choices)
    rng = np.random.default_rng(seed)
    names = ("region", "sector", "size")
    counts = (regions, sectors, sizes)
    trees = [
        random_tree(rng, n, depth, name[0]) for n, depth, name in zip(counts, levels, names, strict=True)
    ]
    dimensions = [Dimension.of(name, tree) for name, tree in zip(names, trees, strict=True)]
    shown = [(0, 1), (0, 2), (1, 2)][:tables]
    structure = Structure.from_dimensions(dimensions, _cells(dimensions, shown))
    return recipe.problem(rng, structure, trees, recipe.contributions(rng, trees))


def _cells(dimensions: list[Dimension], tables: list[tuple[int, int]]) -> Indices:
    """Codes of the cells of all tables, each cell once; a table is the dimensions it shows."""
    blocks = []
    for table in tables:
        places = [np.unique(d.meaning) if k in table else d.meaning[:1] for k, d in enumerate(dimensions)]
        grid = np.meshgrid(*places, indexing="ij")
        blocks.append(np.stack([g.ravel() for g in grid], axis=1))
    return np.unique(np.concatenate(blocks), axis=0).astype(np.int32)
