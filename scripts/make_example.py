"""Makes the example that ships with the package: plants of invented firms, a record each.

Run `python scripts/make_example.py` after a change; a test compares what it makes with the files.
"""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import numpy as np

from discreet.arrays import AnyArray, Indices, Mask
from discreet.examples import example_folder
from discreet.generate.firms import Contributions, draw_contributions
from discreet.generate.ons import leaves
from discreet.hierarchy import TOTAL, Hierarchy
from discreet.units import Unit

SEED = 1814
UNIT = Unit(Decimal("0.1"))
PLANTS = 22
"""Plants that an industry has in a region, on average."""
SEVERAL = 0.06
"""Share of the plants that belong to a firm with another one nearby."""
HOLDINGS = 60
LARGEST = 4
"""Firms in a holding at the most."""
SIZES = {"small": 0, "medium": 2_500, "large": 9_000}
"""Size classes by the turnover of the firm, in units."""
MOST = 60_000
"""Units that no plant exceeds, so that none outshines a whole industry."""
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
"""Places without an industry."""
LONE = [("Cairnholm", "B22"), ("Innisport", "A22"), ("Dunmere", "B32"), ("Gorsley", "C22")]
"""Places where an industry is one plant."""


def make() -> dict[str, str]:
    """The text of every file but the job."""
    region = Hierarchy.from_indented(REGIONS.splitlines())
    industry = Hierarchy.from_pairs((code[:-1] or TOTAL, code) for code in INDUSTRIES)
    trees = [region, industry]
    rng = np.random.default_rng(SEED)
    places = [leaves(tree) for tree in trees]
    drawn = draw_contributions(rng, places, mean=PLANTS, zeros=0, several=SEVERAL, scale=1500)
    kept = _kept(drawn, trees)
    amount = np.where(drawn.amount > MOST, MOST - drawn.amount % (MOST // 2), drawn.amount)
    drawn = Contributions(drawn.code[kept], amount[kept], drawn.firm[kept])
    labels = [["parent", "child", "label"], *([c[:-1] or TOTAL, c, text] for c, text in INDUSTRIES.items())]
    return {"firms.csv": _csv(_rows(rng, drawn, trees)), "industry.csv": _csv(labels), "region.hrc": REGIONS}


def _kept(drawn: Contributions, trees: list[Hierarchy]) -> Mask:
    """All plants, but none in empty places and the largest alone in lone ones."""
    kept = np.ones(len(drawn.firm), np.bool_)
    for place in NOBODY_THERE:
        kept[_entries(drawn, trees, place)] = False
    for place in LONE:
        entries = _entries(drawn, trees, place)
        kept[entries[drawn.amount[entries] < drawn.amount[entries].max()]] = False
    return kept


def _entries(drawn: Contributions, trees: list[Hierarchy], place: tuple[str, str]) -> Indices:
    code = [tree.position[code] for tree, code in zip(trees, place, strict=True)]
    return np.flatnonzero((drawn.code == code).all(axis=1)).astype(np.int32)


def _rows(rng: np.random.Generator, drawn: Contributions, trees: list[Hierarchy]) -> list[list[str]]:
    _, firm = np.unique(drawn.firm, return_inverse=True)
    name = rng.permutation(int(firm.max()) + 1)[firm]
    whole = np.bincount(name, drawn.amount)[name]
    size = np.array(list(SIZES))[np.searchsorted(list(SIZES.values()), whole, side="right") - 1]
    codes = [np.array(tree.code)[drawn.code[:, at]] for at, tree in enumerate(trees)]
    holding = _holdings(rng, int(firm.max()) + 1)[firm]
    amount = [UNIT.text(units) for units in drawn.amount]
    columns = [[f"F{n + 1:04d}" for n in name], holding, codes[1], codes[0], size, amount]
    rows = sorted(list(map(str, row)) for row in zip(*columns, strict=True))
    return [["firm", "holding", "industry", "region", "size", "turnover"], *rows]


def _holdings(rng: np.random.Generator, firms: int) -> AnyArray:
    """The holding of each firm, blank for most; its firms are near one another."""
    holding = np.full(firms, "", dtype="<U4")
    first = rng.choice(firms // LARGEST, HOLDINGS, replace=False) * LARGEST
    members = rng.integers(2, LARGEST + 1, HOLDINGS)
    for number, begin in enumerate(first):
        holding[begin : begin + members[number]] = f"H{number + 1:02d}"
    return holding


def _csv(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


if __name__ == "__main__":
    for name, text in make().items():
        (example_folder() / name).write_text(text, encoding="utf-8", newline="\n")
