"""Tiny problems of every kind, for tests that compare with enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Ints, Mask
from ..errors import InputError, suggest
from ..hierarchy import TOTAL, Dimension, Hierarchy
from ..problem import Problem, Role, known_bounds
from ..structure import Structure
from ..table import Table, fill, recompute_totals
from .linked import linked_problem
from .ons import ons_problem, random_tree

KINDS = ("flat", "cube", "tree", "groupings", "linked", "equations")
"""Two dimensions, three, one of two hierarchical, two groupings of one variable, linked, plain equations."""


def random_problem(
    rng: np.random.Generator, kind: str | None = None, *, contributors: bool = False
) -> Problem:
    """A random problem of at most some thirty cells with values near zero.

    Bounds are mostly tight, needs differ below and above and may slide, some values are negative, some
    zeros may move, some cells must be published. With `contributors` the table has firms, some of them
    in several cells, and its needs are those of the p % rule; plain equations and groupings have none.
    """
    kind = kind or str(rng.choice(KINDS))
    if kind not in KINDS:
        raise InputError(f"Unknown kind '{kind}'. {suggest(kind, KINDS)}")
    if contributors and kind not in {"groupings", "equations"}:
        return _of_firms(rng, kind)
    table = _equations(rng) if kind == "equations" else _crossed(rng, kind)
    return _with_needs(rng, table)


def _of_firms(rng: np.random.Generator, kind: str) -> Problem:
    choices: dict[str, Any] = {
        "mean_contributors": 2.0,
        "zeros": 0.1,
        "several": 0.4,
        "scale": 3,
        "percent": int(rng.integers(5, 30)),
        "sparse": None if rng.random() < 0.5 else 0.3,
        "known": None if rng.random() < 0.3 else 50,
        "keep": 3,
    }
    seed = int(rng.integers(2**31))
    if kind == "linked":
        return linked_problem(2, 2, 2, seed, **choices)
    shape, levels = {"flat": ((3, 3), (1, 1)), "cube": ((2, 2, 2), (1, 1, 1)), "tree": ((4, 2), (2, 1))}[kind]
    return ons_problem(shape, seed, levels=levels, **choices)


def _crossed(rng: np.random.Generator, kind: str) -> Table:
    """A table from dimensions, with values drawn in its finest cells."""
    dimensions = [Dimension.of(chr(ord("a") + d), *trees) for d, trees in enumerate(_trees(rng, kind))]
    whole = Structure.full(dimensions)
    assert whole.code is not None
    value = np.zeros(whole.size, np.int64)
    finest = np.setdiff1d(np.arange(whole.size), whole.total)
    value[finest] = _values(rng, len(finest))
    value = recompute_totals(whole, value)
    if kind != "linked":
        return Table(whole, value, frequency=_frequency(rng, value))
    shown = (whole.code[:, 1] == 0) | (whole.code[:, 2] == 0)
    linked = Structure.from_dimensions(dimensions, whole.code[shown])
    return Table(linked, value[shown], frequency=_frequency(rng, value[shown]))


def _trees(rng: np.random.Generator, kind: str) -> list[tuple[Hierarchy, ...]]:
    def flat() -> Hierarchy:
        return random_tree(rng, int(rng.integers(2, 4)))

    if kind == "groupings":
        small, large = {"s1": ("p", "q"), "s2": ("r",)}, {"t1": ("p",), "t2": ("q", "r")}
        return [tuple(_grouping(groups) for groups in (small, large)), (random_tree(rng, 2),)]
    if kind == "tree":
        deep = random_tree(rng, int(rng.integers(3, 6)), 2)
        shallow = random_tree(rng, 2)
        return [(deep,), (shallow,)] if rng.random() < 0.5 else [(shallow,), (deep,)]
    if kind == "flat":
        return [(flat(),), (flat(),)]
    return [(random_tree(rng, 2),) for _ in range(3)]


def _grouping(groups: dict[str, tuple[str, ...]]) -> Hierarchy:
    pairs = [(TOTAL, group) for group in groups]
    return Hierarchy.from_pairs(pairs + [(group, leaf) for group, held in groups.items() for leaf in held])


def _equations(rng: np.random.Generator) -> Table:
    """Equations that each make a new cell from older ones, under shuffled numbers."""
    free, made = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    number = rng.permutation(free + made)
    value = np.zeros(free + made, np.int64)
    value[number[:free]] = _values(rng, free)
    equations = []
    for place in range(free, free + made):
        parts = number[rng.choice(place, min(place, int(rng.integers(2, 4))), replace=False)]
        coefficients = rng.choice([1, 1, 1, -1, 2, -3], len(parts))
        value[number[place]] = coefficients @ value[parts]
        equations.append([(int(number[place]), -1), *zip(parts.tolist(), coefficients.tolist(), strict=True)])
    off = rng.random() < 0.2
    value[number[0]] += off
    return fill(Structure.from_equations(free + made, equations), value, "carry" if off else "refuse")


def _values(rng: np.random.Generator, size: int) -> Ints:
    lowest = -4 if rng.random() < 0.2 else 0
    value = rng.integers(lowest, 10, size)
    value[rng.random(size) < 0.2] = 0
    value[rng.integers(size)] = 5
    return value


def _frequency(rng: np.random.Generator, value: Ints) -> Ints | None:
    """Sometimes zeros are known to have contributors, and may then move."""
    if rng.random() < 0.5:
        return None
    return np.where(value == 0, rng.integers(0, 2, len(value)), rng.integers(1, 9, len(value)))


def _with_needs(rng: np.random.Generator, table: Table) -> Problem:
    n, value = table.structure.size, table.value
    sensitive = _sensitive(rng, table)
    lower, upper = known_bounds(value)
    if rng.random() < 0.7:
        lower = np.maximum(lower, value - rng.integers(0, 6, n))
        upper = np.minimum(upper, value + rng.integers(0, 6, n))
    below, above = (np.where(sensitive, rng.integers(0, 4, n), 0) for _ in range(2))
    if rng.random() < 0.3:
        above = below
    sliding = np.where(sensitive & (rng.random(n) < 0.3), rng.integers(0, 6, n), 0)
    below = np.where(lower > value - below, value - lower, below)
    above[above + below + sliding < sensitive] = 1
    upper = np.maximum(upper, np.maximum(value + above, value - below + sliding))
    role = np.where(sensitive, Role.SENSITIVE, np.where(rng.random(n) < 0.1, Role.PUBLISHED, Role.OPEN))
    return Problem.of(
        table,
        role=role.astype(np.uint8),
        need_below=below,
        need_above=above,
        need_sliding=sliding,
        lower=lower,
        upper=upper,
        weight=rng.integers(1, 10, n).astype(np.float64) if rng.random() < 0.5 else "value",
    )


def _sensitive(rng: np.random.Generator, table: Table) -> Mask:
    """A few cells that are not zero, and at least one."""
    possible = table.value != 0 if table.value.any() else np.ones(len(table), np.bool_)
    chosen: Mask = possible & (rng.random(len(table)) < 0.2)
    chosen[rng.choice(np.flatnonzero(possible))] = True
    return chosen
