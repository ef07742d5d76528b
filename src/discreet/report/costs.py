"""What protection costs the readers, drawn: by dimension and level, and by weight."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import Floats
from ..loss import Loss, Share
from ..problem import Problem
from ..release import Release
from .blocks import Block, bars, columns, facts
from .wording import amount, many, share

ORANGE, BLUE, PURPLE, GREY = range(4)
SERIES = {"sensitive": ORANGE, "to protect others": BLUE, "changed": PURPLE}
TOP = "total"


def loss_facts(problem: Problem, loss: Loss) -> Block:
    """The loss in numbers."""
    overall, unit = loss.overall, problem.table.unit
    every = float(np.abs(problem.table.value.astype(np.float64)).sum())
    rows = [
        (
            "cells withheld",
            f"{overall.withheld:,} of {overall.cells:,} ({share(overall.withheld, overall.cells)})",
        ),
        ("because sensitive", f"{overall.primary:,}"),
        ("to protect them", f"{overall.secondary:,}"),
        (
            "value withheld",
            f"{amount(unit.amount(overall.value))} ({share(overall.value, every)} of all cells)",
        ),
        ("weight withheld", amount(overall.weight)),
    ]
    if overall.changed:
        rows += [
            ("cells changed", f"{overall.changed:,} ({share(overall.changed, overall.cells)})"),
            ("largest change", amount(unit.amount(overall.largest_change))),
        ]
    if overall.mean_relative is not None:
        rows.append(("mean change", f"{overall.mean_relative:.1%} of the value"))
    if overall.changed and loss.correlation.every is not None:
        rows.append(("correlation with the truth", f"{loss.correlation.every:.4f}"))
    return facts(rows)


def level_bars(problem: Problem, loss: Loss) -> Iterator[Block]:
    """For each dimension, how much of every level is lost: of its cells, and of its value."""
    whole = dict(_value_by_level(problem))
    for name, levels in loss.by_level.items():
        cells = bars(f"Cells by {name}", SERIES, (_cell_bar(k, s) for k, s in enumerate(levels)))
        value = bars(
            f"Value by {name}",
            {"withheld": BLUE},
            (_value_bar(k, s.value, whole[name][k]) for k, s in enumerate(levels)),
        )
        yield columns(cells, value)


def _cell_bar(level: int, lost: Share) -> tuple[str, list[float], str]:
    parts = [part / max(1, lost.cells) for part in (lost.primary, lost.secondary, lost.changed)]
    said = lost.withheld + lost.changed
    return level_name(level), parts, f"{said:,} of {lost.cells:,} ({share(said, lost.cells)})"


def _value_bar(level: int, lost: int, whole: float) -> tuple[str, list[float], str]:
    return level_name(level), [lost / whole if whole else 0.0], share(lost, whole)


def level_name(level: int) -> str:
    """A level of a dimension: the total, or so many steps below it."""
    return f"level {level}" if level else TOP


def _value_by_level(problem: Problem) -> Iterator[tuple[str, Floats]]:
    """What the cells of each level add up to, without signs."""
    structure = problem.table.structure
    if structure.code is None:
        return
    size = np.abs(problem.table.value.astype(np.float64))
    for dimension, place in zip(structure.dimensions, structure.code.T, strict=True):
        yield dimension.name, np.bincount(dimension.canonical_level[place], size).astype(np.float64)


def weight_bars(problem: Problem, release: Release) -> Block:
    """How many cells of each order of weight are withheld: small ones rather than large ones."""
    positive = problem.withholdable & (problem.weight > 0)
    if not positive.any():
        return {}
    decade = np.floor(np.log10(problem.weight[positive])).astype(np.int64)
    first = int(decade.min())
    every = np.bincount(decade - first)
    gone = np.bincount((decade - first)[release.withheld[positive]], minlength=len(every))
    most = int(every.max())
    rows = (
        (_decade(first + k), [g / most, (n - g) / most], f"{g:,} of {many(n, 'cell')}")
        for k, (n, g) in enumerate(zip(every.tolist(), gone.tolist(), strict=True))
        if n
    )
    return bars("Cells by weight", {"withheld": BLUE, "shown": GREY}, rows)


def _decade(power: int) -> str:
    return f"from {amount(10.0**power)}"
