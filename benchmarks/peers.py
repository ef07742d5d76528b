"""The peer, `pytauargus`, on a problem of ours.

`modular` writes the files that τ-ARGUS itself hands to its modular method (parameters, hierarchies and
the table with status, levels, frequency and cost), `optimal` a JJ file for its branch-and-cut. Both
solve in a process of their own. What is compared, exactly, is said in README.md.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from discreet.arrays import Floats, Ints, Mask
from discreet.hierarchy import Dimension
from discreet.problem import Problem
from discreet.units import INFINITE


class PeerFailed(Exception):
    """The peer ended without a pattern."""


LARGEST_WEIGHT = 20_000
"""The peer scales weights to whole numbers up to this one, unless told otherwise."""
LETTER = "suzz"
"""Its letters for our roles."""


@dataclass(frozen=True)
class Pattern:
    """What a method withholds; seconds of its solving alone, of its processor, and of everything around."""

    withheld: Mask
    seconds: float
    cpu: float
    all_seconds: float
    code: int


@dataclass(frozen=True)
class Known:
    """What the peer lets everybody know beforehand: one interval for all cells, or a share of each value."""

    highest: int
    share: float | None

    def bounds(self, value: Ints) -> tuple[Ints, Ints]:
        """Exactly the bounds that the peer works with."""
        if self.share is None:
            return np.zeros_like(value), np.full_like(value, self.highest)
        band = self.share * np.abs(value)
        return np.floor(value - band).astype(np.int64), np.ceil(value + band).astype(np.int64)

    @property
    def lines(self) -> str:
        """As the peer reads it."""
        text = f"MINTABVAL=0\nMAXTABVAL={self.highest}\n"
        if self.share is not None:
            text += f"APRIORI=1\nAPRIORILB={self.share!r}\nAPRIORIUB={self.share!r}\n"
        return text


def comparable(problem: Problem, known: int | None) -> tuple[Problem, Known]:
    """The problem with the bounds that the peer can be given, nearest to `known` % around each value.

    Without a percentage that is zero to one and a half times the largest value.
    """
    value = problem.table.value
    highest = math.ceil(1.5 * int(value.max()))
    told = Known(highest, None if known is None else known / 100)
    lower, upper = told.bounds(value)
    same = replace(problem, lower=lower, upper=upper, rules=(), coalitions=())
    if problem.need_sliding.any() or (value < 0).any() or same.beyond_known.any():
        raise ValueError(
            "The peer knows no sliding needs, no negative values and no needs beyond its bounds."
        )
    return same, told


def modular(problem: Problem, known: Known, minutes: int = 0, largest: int = LARGEST_WEIGHT) -> Pattern:
    """The peer's modular method (HiTaS); its default of 0 minutes takes the first pattern it finds.

    `largest` is the whole number that it scales the largest weight to.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = perf_counter()
        place = _write_table(folder, problem, known, largest)
        told = _run("modular", folder, minutes)
        codes = np.atleast_2d(np.loadtxt(folder / "secondary.txt", np.int64, ndmin=2))
        withheld = problem.sensitive.copy()
        withheld[[place[tuple(row)] for row in codes.tolist()]] = True
        return Pattern(withheld, **told, all_seconds=perf_counter() - begun)


def optimal(problem: Problem, minutes: int) -> Pattern:
    """The peer's branch-and-cut over the whole table, with the problem's own bounds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = perf_counter()
        _write_jj(folder / "table.jj", problem)
        told = _run("optimal", folder, minutes)
        withheld = problem.sensitive.copy()
        withheld[[int(line) for line in (folder / "secondary.txt").read_text().split()]] = True
        return Pattern(withheld, **told, all_seconds=perf_counter() - begun)


def _run(kind: str, folder: Path, minutes: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.peer_process", kind, str(folder), str(minutes)]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, cwd=root, env=os.environ, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        raise RuntimeError(f"The peer ended with {done.returncode}: {done.stderr[-500:]}")
    told = json.loads(lines[-1])
    if told["code"] not in (0, 1):
        raise PeerFailed(f"The peer's {kind} method ended with code {told['code']}.")
    return told


def _write_table(folder: Path, problem: Problem, known: Known, largest: int) -> dict[tuple[int, ...], int]:
    """The peer's own files; says which cell each of its codes means."""
    structure, table = problem.table.structure, problem.table
    if structure.code is None or len(structure.dimensions) > 4:
        raise ValueError("The peer's modular method knows tables of at most four dimensions.")
    (folder / "parameters.txt").write_text(
        f"[Frequency rule]\nMINCOUNT=1\n\n[Safety ranges]\nLOWERMARG=0.99\nUPPERMARG=1.01\n\n"
        f"[Misc]\n{known.lines}MAXWEIGHT={largest}\n\n[Costs]\nDISTANCE=0\n"
    )
    files = [folder / f"codes{d}.txt" for d in range(len(structure.dimensions))]
    number = np.empty_like(structure.code)
    for d, dimension in enumerate(structure.dimensions):
        tree = list(_preorder(dimension))
        files[d].write_text("".join(f"{'.' * depth}c{place}\n" for place, depth in tree))
        rank = {place: at for at, (place, _) in enumerate(tree)}
        number[:, d] = [rank[place] for place in structure.code[:, d].tolist()]
    names = [*files, folder / "table.txt", folder / "secondary.txt"]
    (folder / "files.txt").write_text("".join(f"{line}\n" for line in (len(files), *names)))
    frequency = np.ones_like(table.value) if table.frequency is None else np.maximum(table.frequency, 1)
    rows = number.tolist()
    with (folder / "table.txt").open("w") as out:
        for cell, codes in enumerate(rows):
            letter = LETTER[problem.role[cell]]
            levels = f" {problem.need_below[cell]} {problem.need_above[cell]}" if letter == "u" else ""
            cost = max(problem.weight[cell], 0.0001)
            code = " ".join(map(str, codes))
            out.write(f"{code} {table.value[cell]} {letter}{levels} {frequency[cell]} {cost:.15g}\n")
    return {tuple(codes): cell for cell, codes in enumerate(rows)}


def _preorder(dimension: Dimension) -> Iterator[tuple[int, int]]:
    """Codes and their depth, each before what it sums up."""
    below: dict[int, list[int]] = {}
    for relation, parent in enumerate(dimension.parent.tolist()):
        if parent in below:
            raise ValueError(f"The peer knows only trees, '{dimension.name}' has two groupings.")
        part = slice(int(dimension.start[relation]), int(dimension.start[relation + 1]))
        below[parent] = dimension.member[part].tolist()
    children = {child for members in below.values() for child in members}
    waiting = [(place, 0) for place in below if place not in children]
    while waiting:
        place, depth = waiting.pop()
        yield place, depth
        waiting += [(child, depth + 1) for child in reversed(below.get(place, []))]


def _write_jj(path: Path, problem: Problem) -> None:
    """A JJ file with weights as the peer scales them."""
    structure = problem.table.structure
    cost = whole_weights(problem.weight)
    upper = np.where(
        problem.upper == INFINITE, math.ceil(1.5 * int(problem.table.value.max())), problem.upper
    )
    with path.open("w") as out:
        out.write(f"0\n{problem.size}\n")
        for c, value in enumerate(problem.table.value.tolist()):
            levels = f"{problem.need_below[c]} {problem.need_above[c]} 0"
            letter = LETTER[problem.role[c]]
            out.write(f"{c} {value} {cost[c]} {letter} {problem.lower[c]} {upper[c]} {levels}\n")
        out.write(f"{structure.equations}\n")
        for q in range(structure.equations):
            cells, coefficients = structure.equation(q)
            parts = " ".join(f"{c} ({a})" for c, a in zip(cells.tolist(), coefficients.tolist(), strict=True))
            out.write(f"0 {len(cells)} : {parts}\n")


def whole_weights(weight: Floats) -> Ints:
    """Weights as whole numbers from 1 to the peer's largest."""
    scaled = np.ceil(weight * (LARGEST_WEIGHT / weight.max()))
    return np.maximum(scaled, 1).astype(np.int64)
