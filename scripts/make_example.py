"""Makes the example that ships with the package: turnover of invented firms by region and industry.

Run `python scripts/make_example.py` after a change; a test compares what it makes with the files.
"""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import numpy as np

from discreet.arrays import Indices
from discreet.examples import example_folder
from discreet.generate.firms import Contributions, consecutive, draw_contributions
from discreet.generate.ons import Recipe, leaves
from discreet.hierarchy import TOTAL, Dimension, Hierarchy
from discreet.problem import Problem, Role
from discreet.structure import Structure
from discreet.table import NOBODY
from discreet.units import Unit

SEED = 1814
UNIT = Unit(Decimal("0.1"))
REGIONS = """\
Highmark
@Aldery
@Brackenford
@Cairnholm
Lowmark
@Dunmere
@Eastwold
@Fenbridge
@Gorsley
Seamark
@Harrowquay
@Innisport
"""
INDUSTRIES = {
    "A": "Farming and fishing",
    "A1": "Farming",
    "A11": "Grain",
    "A12": "Orchards and vineyards",
    "A13": "Livestock",
    "A2": "Fishing",
    "A21": "Sea fishing",
    "A22": "Fish farms",
    "B": "Crafts and manufacturing",
    "B1": "Food and drink",
    "B11": "Mills and bakeries",
    "B12": "Dairies",
    "B13": "Breweries",
    "B2": "Wood and paper",
    "B21": "Sawmills",
    "B22": "Paper mills",
    "B3": "Metal",
    "B31": "Foundries",
    "B32": "Instruments",
    "C": "Trade and services",
    "C1": "Trade",
    "C11": "Wholesale",
    "C12": "Shops",
    "C2": "Travel",
    "C21": "Inns",
    "C22": "Ferries and carriers",
}
INLAND = ("Aldery", "Brackenford", "Cairnholm", "Dunmere", "Eastwold")
NOBODY_THERE = [
    *((region, "A21") for region in INLAND),
    ("Aldery", "C22"),
    ("Brackenford", "B22"),
    ("Gorsley", "A22"),
]
"""Cells without firms."""
LONE = [("Cairnholm", "B22"), ("Innisport", "A22"), ("Dunmere", "B32"), ("Gorsley", "C22")]
"""Cells that one firm has for itself."""
CHAINS = [
    [("Dunmere", "B13"), ("Dunmere", "B12"), ("Fenbridge", "B13")],
    [("Harrowquay", "A21"), ("Harrowquay", "C22"), ("Innisport", "A21"), ("Innisport", "C22")],
]
"""Cells in which the largest contribution comes from one and the same firm."""


def make() -> dict[str, str]:
    """The text of every file."""
    region = Hierarchy.from_indented(REGIONS.splitlines())
    industry = Hierarchy.from_pairs((code[:-1] or TOTAL, code) for code in INDUSTRIES)
    trees = [region, industry]
    structure = Structure.full([Dimension.of("region", region), Dimension.of("industry", industry)])
    rng = np.random.default_rng(SEED)
    drawn = draw_contributions(rng, [leaves(tree) for tree in trees], mean=6, zeros=0, scale=6000)
    problem = Recipe(percent=10).problem(rng, structure, trees, _arranged(drawn, trees))
    labels = [["parent", "child", "label"], *([c[:-1] or TOTAL, c, text] for c, text in INDUSTRIES.items())]
    return {"turnover.csv": _csv(_rows(problem)), "industry.csv": _csv(labels), "region.hrc": REGIONS}


def _arranged(drawn: Contributions, trees: list[Hierarchy]) -> Contributions:
    """The same firms, but for the lone ones and those with several branches."""
    kept = np.ones(len(drawn.firm), np.bool_)
    firm = drawn.firm.copy()
    for place in NOBODY_THERE:
        kept[_entries(drawn, trees, place)] = False
    for place in LONE:
        entries = _entries(drawn, trees, place)
        kept[entries[drawn.amount[entries] < drawn.amount[entries].max()]] = False
    for chain in CHAINS:
        entries = [_entries(drawn, trees, place) for place in chain]
        largest = [here[np.argmax(drawn.amount[here])] for here in entries]
        firm[largest] = firm[largest[0]]
    return Contributions(drawn.code[kept], drawn.amount[kept], consecutive(firm[kept]))


def _entries(drawn: Contributions, trees: list[Hierarchy], place: tuple[str, str]) -> Indices:
    code = [tree.position[code] for tree, code in zip(trees, place, strict=True)]
    return np.flatnonzero((drawn.code == code).all(axis=1)).astype(np.int32)


def _rows(problem: Problem) -> list[list[str]]:
    table = problem.table
    assert table.structure.code is not None
    assert table.frequency is not None
    rows = [["region", "industry", "turnover", "firms", "status", "lpl", "upl"]]
    rows[0] += ["contribution_1", "contributor_1", "contribution_2", "contributor_2"]
    word = {Role.OPEN: "open", Role.SENSITIVE: "sensitive", Role.EMPTY: "empty"}
    for i, codes in enumerate(table.structure.code):
        row = [d.code[c] for d, c in zip(table.structure.dimensions, codes, strict=True)]
        row += [UNIT.text(table.value[i]), str(table.frequency[i]), word[Role(problem.role[i])]]
        row += [UNIT.text(problem.need_below[i]), UNIT.text(problem.need_above[i])]
        rows.append(row + _largest(problem, i))
    return rows


def _largest(problem: Problem, cell: int) -> list[str]:
    table = problem.table
    assert table.contribution is not None
    assert table.contributor is not None
    row = []
    for amount, firm in zip(table.contribution[cell], table.contributor[cell], strict=True):
        row += ["", ""] if firm == NOBODY else [UNIT.text(amount), f"F{firm + 1:04d}"]
    return row


def _csv(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


if __name__ == "__main__":
    for name, text in make().items():
        (example_folder() / name).write_text(text, encoding="utf-8", newline="\n")
