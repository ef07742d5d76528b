"""What several tests of pages share."""

import json
import shutil
from html.parser import HTMLParser
from itertools import product

import numpy as np

from discreet.hierarchy import Dimension, Hierarchy
from discreet.problem import Problem
from discreet.structure import Structure
from discreet.table import Table

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOSTILE = (
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<!--<script>",
    "\" onmouseover=\"document.title='owned'",
    "' & &lt;b&gt; {title} \u2028",
)
RAW = ("<script>doc", "</script><scr", "<img", "<!--", 'onmouseover="', "\u2028</")


class Parts(HTMLParser):
    """The tags of a page, and what stands in each script."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.scripts, self.inside = [], [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "script"

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data


def data_of(page):
    """What a page says, as its script reads it."""
    return json.loads(Parts(page).scripts[0])


def hostile_problem():
    """A small table all of whose names are attacks."""
    label = {HOSTILE[2]: HOSTILE[0], HOSTILE[3]: HOSTILE[1]}
    first = Hierarchy.from_pairs([(HOSTILE[4], code) for code in HOSTILE[:4]], label=label)
    second = Hierarchy.flat(["a", HOSTILE[5]])
    dimensions = [Dimension.of(HOSTILE[0], first), Dimension.of(HOSTILE[1], second)]
    structure = Structure.full(dimensions)
    leaves = structure.code.min(axis=1) > 0
    value = np.zeros(structure.size, np.int64)
    for (row, column), amount in zip(product(range(1, 5), (1, 2)), range(11, 19), strict=True):
        at = (structure.code[:, 0] == row) & (structure.code[:, 1] == column)
        for held in (at, _total(structure, row, 0), _total(structure, 0, column), _total(structure, 0, 0)):
            value[held] += amount
    need = np.where(leaves & (value == 13), 2, 0)
    return Problem.of(Table(structure, value, measure=HOSTILE[1]), need_below=need, need_above=need)


def _total(structure, row, column):
    return (structure.code[:, 0] == row) & (structure.code[:, 1] == column)
