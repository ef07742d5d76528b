"""Tables like those of an office for business statistics, of any size and shape.

Serpell, Smith, Clark and Staggemeier (2011), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Indices, Ints
from ..errors import InputError
from ..evidence import Evidence
from ..hierarchy import TOTAL, Dimension, Hierarchy
from ..problem import Problem, Role, percent_bounds
from ..records.rollup import Summary
from ..rules.percent import PercentRule
from ..structure import Structure
from ..table import Table
from .firms import SCALE, Contributions, draw_contributions
from .largest import summarise

NAMED = 100_000
"""Firms have names up to this many of them, and only numbers beyond."""


@dataclass(frozen=True)
class Recipe:
    """How a table is filled and what becomes of it.

    The first four are explained with `draw_contributions`. All cells that
    the `percent` % rule finds are sensitive, or a random share `sparse` of them while the others
    are open. Everybody knows each value beforehand to within `known` %, or just its sign. Each cell
    lists its `keep` largest contributions; with fewer than two the problem knows neither contributors
    nor rules.
    """

    mean_contributors: float = 7.9
    zeros: float = 0.05
    several: float = 0.0
    scale: int = SCALE
    percent: int = 10
    sparse: float | None = None
    known: int | None = None
    keep: int = 2
    weight: str = "value"

    def contributions(self, rng: np.random.Generator, trees: Sequence[Hierarchy]) -> Contributions:
        """What the firms in every combination of finest codes contribute."""
        finest = [leaves(tree) for tree in trees]
        return draw_contributions(rng, finest, self.mean_contributors, self.zeros, self.several, self.scale)

    def problem(
        self,
        rng: np.random.Generator,
        structure: Structure,
        trees: Sequence[Hierarchy],
        contributions: Contributions,
    ) -> Problem:
        """What contributions make of a structure whose dimensions were built from these trees."""
        summary = summarise(structure, trees, contributions, max(self.keep, 2))
        rule = PercentRule(self.percent)
        need = rule.needs(Evidence(summary.value, summary.frequency, summary.contribution)).above
        if self.sparse is not None:
            need = _thinned(rng, need, self.sparse)
        lower, upper = self._bounds(summary.value, need)
        return Problem.of(
            self._table(structure, summary, contributions.firms),
            role=np.where(summary.frequency == 0, Role.EMPTY, Role.OPEN).astype(np.uint8),
            need_below=need,
            need_above=need,
            lower=lower,
            upper=upper,
            weight=self.weight,
            rules=(rule,) if self.keep >= 2 else (),
        )

    def _table(self, structure: Structure, summary: Summary, firms: int) -> Table:
        if self.keep < 2:
            return Table(structure, summary.value, frequency=summary.frequency)
        names = tuple(f"F{place}" for place in range(firms)) if firms <= NAMED else ()
        return Table(
            structure,
            summary.value,
            frequency=summary.frequency,
            contribution=summary.contribution,
            contributor=summary.contributor,
            contributors=names,
        )

    def _bounds(self, value: Ints, need: Ints) -> tuple[Ints | None, Ints | None]:
        """What is known leaves room for every need, so that the problem is not impossible from the start."""
        if self.known is None:
            return None, None
        lower, upper = percent_bounds(value, self.known, self.known)
        return np.minimum(lower, value - need), np.maximum(upper, value + need)


def _thinned(rng: np.random.Generator, need: Ints, share: float) -> Ints:
    """The needs of a random share of the cells that have one."""
    if not 0 <= share <= 1:
        raise InputError(f"Expected a share of the primaries between 0 and 1, got {share}.")
    primary = np.flatnonzero(need)
    kept = rng.choice(primary, round(share * len(primary)), replace=False)
    thinned = np.zeros_like(need)
    thinned[kept] = need[kept]
    return thinned


def ons_problem(
    shape: Sequence[int], seed: int = 0, *, levels: int | Sequence[int] = 1, **choices: Any
) -> Problem:
    """A table with so many finest codes in each dimension, and all totals.

    `levels` below the total make a dimension hierarchical. `choices` are those of `Recipe`; as they
    are, 10 × 10 × 10 finest cells come out with about 118 primaries among 1,331 cells.
    """
    recipe = Recipe(**choices)
    rng = np.random.default_rng(seed)
    depths = [levels] * len(shape) if isinstance(levels, int) else list(levels)
    if len(depths) != len(shape):
        raise InputError(f"Expected levels for {len(shape)} dimensions, got {len(depths)}.")
    names = [f"{chr(ord('a') + d % 26)}{d // 26 or ''}" for d in range(len(shape))]
    trees = [random_tree(rng, n, depth, name) for n, depth, name in zip(shape, depths, names, strict=True)]
    structure = Structure.full([Dimension.of(name, tree) for name, tree in zip(names, trees, strict=True)])
    return recipe.problem(rng, structure, trees, recipe.contributions(rng, trees))


def random_tree(rng: np.random.Generator, size: int, levels: int = 1, stem: str = "a") -> Hierarchy:
    """A tree with so many leaves, all equally deep, whose parents differ in how many children they have."""
    if size < 1 or levels < 1:
        raise InputError(f"Expected at least one code and one level, got {size} and {levels}.")
    pairs: list[tuple[str, str]] = []
    waiting = [(TOTAL, stem, size, levels)]
    while waiting:
        parent, prefix, below, depth = waiting.pop()
        parts = _parts(rng, below, depth)
        digits = len(str(len(parts)))
        for place, part in enumerate(parts, 1):
            child = f"{prefix}{place:0{digits}d}"
            pairs.append((parent, child))
            if depth > 1:
                waiting.append((child, f"{child}.", part, depth - 1))
    return Hierarchy.from_pairs(pairs)


def _parts(rng: np.random.Generator, size: int, depth: int) -> list[int]:
    """How many leaves each child gets, at random."""
    wanted = size if depth == 1 else max(1, round(size ** (1 / depth)))
    cuts = np.sort(rng.permutation(np.arange(1, size))[: wanted - 1])
    return [int(part) for part in np.diff(cuts, prepend=0, append=size)]


def leaves(tree: Hierarchy) -> Indices:
    """Places of the codes without children."""
    return np.setdiff1d(np.arange(len(tree), dtype=np.int32), tree.parent)
