"""The small tables of the five papers, as tables."""

from __future__ import annotations

import numpy as np

from discreet.hierarchy import Dimension, Hierarchy
from discreet.structure import Structure
from discreet.table import Table

DULA_1 = [[9, 11, 5, 7], [5, 7, 1, 19], [26, 2, 32, 23]]
"""Dulá, Fagan and Massell (2004), Table 1: counts of refineries."""

DULA_2 = [[600, 800, 900, 400], [500, 400, 300, 600], [700, 550, 700, 800]]
"""Table 2: petroleum distillates."""

DULA_3 = [[11, 21, 23], [15, 20, 35], [19, 9, 32]]
"""Table 3: the audited table, cell (3, 3) sensitive."""

DULA_6 = [[200, 40, 50, 200, 120], [20, 70, 60, 100, 120], [40, 90, 250, 100, 30], [100, 150, 30, 80, 150]]
"""Table 6, from Cox and Dandekar (2002)."""

DULA_SMALL = [[7, 5], [8, 5]]
"""The table of two rows that shows both flow variables of a cell above zero."""

GLOVER_1 = [[74, 17, 85], [71, 51, 30], [1, 9, 36]]
"""Glover, Cox, Patil and Kelly, Table 1: before adjustment."""

FISCHETTI_1 = [[20, 50, 10], [8, 19, 22], [17, 32, 12]]
"""Fischetti and Salazar (1998), Figure 1 (a): investment by activity and region."""

RELEASED = {
    "dula 7": [
        [189, 36, 45, 220, 120, 610],
        [22, 70, 56, 90, 132, 370],
        [37, 81, 275, 90, 27, 510],
        [110, 165, 27, 73, 135, 510],
        [358, 352, 403, 473, 414, 2000],
    ],
    "dula 8, first": [
        [189, 36, 45, 220, 120, 610],
        [20, 68, 54, 90, 131, 363],
        [37, 81, 275, 90, 27, 510],
        [110, 165, 27, 80, 135, 517],
        [356, 350, 401, 480, 413, 2000],
    ],
    "dula 8, second": [
        [192, 36, 45, 220, 117, 610],
        [22, 70, 54, 90, 132, 368],
        [36, 81, 275, 93, 27, 512],
        [110, 165, 27, 73, 135, 510],
        [360, 352, 401, 476, 411, 2000],
    ],
    "glover 2": [[75, 0, 85, 160], [71, 51, 30, 152], [0, 29, 36, 65], [146, 80, 151, 377]],
    "fischetti 1 (b)": [[20, 50, 10, 80], [10, 20, 20, 50], [15, 30, 15, 60], [45, 100, 45, 190]],
}
"""What the papers make of Dulá's Table 6, Glover's Table 1 and Fischetti's Figure 1 (a); totals last."""

DULA_6_SENSITIVE = [(1, 4), (2, 4), (3, 3), (3, 5), (4, 1), (4, 2)]
"""The six cells that all adjusted tables of the paper, Tables 7 to 10, move by just a tenth."""

PRINTED = {
    "dula 1": (DULA_1, [32, 32, 83], [40, 20, 38, 49], 147),
    "dula 2": (DULA_2, [2700, 1800, 2750], [1800, 1750, 1900, 1800], 7250),
    "dula 3": (DULA_3, [55, 70, 60], [45, 50, 90], 185),
    "dula 6": (DULA_6, [610, 370, 510, 510], [360, 350, 390, 480, 420], 2000),
    "dula small": (DULA_SMALL, [12, 13], [15, 10], 25),
    "glover 1": (GLOVER_1, [176, 152, 46], [146, 77, 151], 374),
    "fischetti 1": (FISCHETTI_1, [80, 49, 61], [45, 101, 44], 190),
}
"""Inner cells, row totals, column totals and grand total, as printed."""


def two_way(name: str) -> Table:
    """A printed table with its totals; cells row by row, the total row and column first."""
    inner, rows, columns, grand = PRINTED[name]
    value = np.vstack([[grand, *columns], np.column_stack([rows, inner])])
    return Table(crossed(len(rows), len(columns)), value.ravel())


def released(name: str) -> np.ndarray:
    """Values of a published table in the order of `two_way`."""
    return np.roll(np.array(RELEASED[name]), 1, axis=(0, 1)).ravel()


def at(name: str, row: int, column: int) -> int:
    """The number of a cell of `two_way`; 0 is the total."""
    return row * (len(PRINTED[name][2]) + 1) + column


def crossed(*counts: int) -> Structure:
    """A plain table with so many codes in each dimension."""
    trees = [Hierarchy.flat([f"{d}.{i}" for i in range(1, n + 1)]) for d, n in enumerate(counts)]
    return Structure.full([Dimension.of(f"d{d}", tree) for d, tree in enumerate(trees)])


def one_hierarchical() -> Structure:
    """González and Castro (2010), Figure 1: rows R1 and R3 split into rows of their own, columns stay."""
    pairs = [("R", "R1"), ("R", "R2"), ("R", "R3"), ("R1", "R11"), ("R1", "R12"), ("R3", "R31")]
    pairs += [("R3", "R32"), ("R3", "R33")]
    rows = Dimension.of("row", Hierarchy.from_pairs(pairs))
    return Structure.full([rows, Dimension.of("column", Hierarchy.flat(["C1", "C2", "C3"]))])
