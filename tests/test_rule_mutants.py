"""Every inequality of every rule, strict or not, is the one that the rule was given by: flipping it shows."""

import ast
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from holders import Holder, by_dominance, by_percent, by_request, by_threshold, cell, evidence, total

from discreet.errors import InputError

FLIPPED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
HALF = Fraction(1, 2)
CELLS = [
    [],
    cell(0),
    cell(0, 0),
    cell(75, 25),
    cell(400, 198, 40),
    cell(100, 50, 5, 5),
    [Holder(50, request=1), Holder(50)],
    [Holder(70, request=2), Holder(30)],
    [Holder(60), Holder(30, request=1), Holder(10)],
]
WEIGHTED = [[Holder(100, 5 * HALF), Holder(10, HALF)], [Holder(8, 3 * HALF)]]


def by_zero(holders, above):
    return above if holders and total(holders) == 0 else 0


TIED = {
    "percent": ("PercentRule", by_percent, [(10,), (10, 100, 2), (100, 100)]),
    "dominance": ("DominanceRule", by_dominance, [(1, 75), (2, 100)]),
    "threshold": ("ThresholdRule", by_threshold, [(2,), (3,), (2, 10, True)]),
    "request": ("RequestRule", by_request, [(50, 70, 0), (99, 99, 3), (0, 0, 2)]),
    "zero": ("ZeroRule", by_zero, [(4,)]),
}
"""Rules that are tied with some of the cells, and what they say by hand."""


def inequalities(name):
    tree = ast.parse(Path(import_module(f"discreet.rules.{name}").__file__).read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    return tree, [node for node in nodes if type(node.ops[0]) in FLIPPED]


def agrees(module, name):
    """Whether the rules of a module say of all cells what is found by hand."""
    title, by_hand, parameters = TIED[name]
    for numbers in parameters:
        for cells in (CELLS, WEIGHTED):
            try:
                found = getattr(module, title)(*numbers).needs(evidence(cells)).above.tolist()
            except InputError:
                return False
            if found != [by_hand(holders, *numbers) for holders in cells]:
                return False
    return True


@pytest.mark.parametrize("name", TIED)
def test_the_rules_as_they_are_agree(name):
    assert agrees(import_module(f"discreet.rules.{name}"), name)


@pytest.mark.parametrize(("name", "place"), [(n, k) for n in TIED for k in range(len(inequalities(n)[1]))])
def test_a_flipped_inequality_shows(monkeypatch, name, place):
    tree, nodes = inequalities(name)
    nodes[place].ops = [FLIPPED[type(nodes[place].ops[0])](), *nodes[place].ops[1:]]
    mutant = ModuleType("discreet.rules.mutant")
    mutant.__package__ = "discreet.rules"
    monkeypatch.setitem(sys.modules, mutant.__name__, mutant)
    exec(compile(ast.fix_missing_locations(tree), f"{name}, mutated", "exec"), mutant.__dict__)
    assert not agrees(mutant, name)
