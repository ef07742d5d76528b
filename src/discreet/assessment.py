"""Which cells are sensitive: the rules run over a table, and what everybody knows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from .arrays import Floats, Mask
from .errors import InputError, suggest
from .problem import Known, Problem, Role, bounds_within
from .rules.inspection import Negatives, evidence_for
from .rules.registry import rule_from
from .rules.rule import Needs, Rule
from .selection import Cells, select
from .table import Table

KEPT = 3
"""Largest contributions that stay with each cell at the least."""
Written = Rule | str | Mapping[str, Any]
"""A rule, or how one is written: a text such as `p:10`, or a mapping of its parameters."""


def assess(
    table: Table,
    rules: Sequence[Written],
    *,
    marked: Cells = None,
    published: Cells = None,
    negatives: Negatives = "refuse",
    known: Known = None,
    weight: Floats | str = "value",
    whole: bool = False,
    coalitions: Sequence[Sequence[int]] | None = None,
) -> Problem:
    """The problem of protecting what the rules find: unsafe if any says so, with the largest need of all.

    `marked` cells are for the manual rule, `published` ones must be published as they are; both are a mask
    or cells by their codes. A cell with a missing code is safe whatever the rules say. Most rules make no
    sense where contributions are below zero: `negatives` may be `absolute`, to judge absolute values.
    """
    role = np.where(select(table.structure, published), Role.PUBLISHED, Role.OPEN)
    role[_empty(table)] = Role.EMPTY
    lower, upper = bounds_within(table.value, known)
    problem = Problem.of(table, lower=lower, upper=upper, weight=weight, whole=whole, coalitions=coalitions)
    problem = replace(problem, role=role.astype(np.uint8))
    return apply_rules(problem, rules, marked=select(table.structure, marked), negatives=negatives)


def apply_rules(
    problem: Problem,
    rules: Sequence[Written],
    *,
    marked: Mask | None = None,
    negatives: Negatives = "refuse",
) -> Problem:
    """The problem with what the rules add: each need is the largest that anybody asks for.

    Where nobody says which cells are `marked`, those are that were sensitive before without a need of
    more than a unit.
    """
    if negatives not in get_args(Negatives):
        choices = suggest(str(negatives), get_args(Negatives))
        raise InputError(f"Unknown way to treat contributions below zero, '{negatives}'. {choices}")
    made = tuple(rule_from(rule) for rule in rules)
    chosen = _bare(problem) if marked is None else marked
    if marked is not None and marked.any() and not any(rule.scope.marked for rule in made):
        raise InputError("Expected a rule for the cells marked by hand, such as manual:10, got none.")
    found = [_needs(problem.table, rule, chosen, negatives) for rule in made]
    return _with_needs(replace(problem, rules=(*problem.rules, *made)), found)


def contributions_for(rules: Sequence[Written]) -> int:
    """How many of the largest contributions have to stay with each cell, so that rules can judge it."""
    return max([KEPT, *(rule_from(rule).listed for rule in rules)])


def _needs(table: Table, rule: Rule, marked: Mask, negatives: Negatives) -> Needs:
    """What one rule asks for, cells aside that it shall not judge."""
    needs = rule.needs(evidence_for(table, rule, negatives))
    judged = marked if rule.scope.marked else np.ones(len(table), np.bool_)
    judged = judged if table.missing is None else judged & ~table.missing
    return Needs(np.where(judged, needs.below, 0), np.where(judged, needs.above, 0))


def _with_needs(problem: Problem, found: Sequence[Needs]) -> Problem:
    below = np.max([problem.need_below, *(needs.below for needs in found)], axis=0)
    above = np.max([problem.need_above, *(needs.above for needs in found)], axis=0)
    hit = np.any([np.zeros(problem.size, np.bool_), *((n.below > 0) | (n.above > 0) for n in found)], axis=0)
    for role, what, remedy in REFUSED:
        cells = np.flatnonzero(hit & (problem.role == role))
        if len(cells):
            names = problem.table.structure.names(cells)
            raise InputError(f"{len(cells)} cells {what}, and a rule finds them unsafe: {names}. {remedy}.")
    return replace(
        problem,
        role=np.where(hit, Role.SENSITIVE, problem.role).astype(np.uint8),
        need_below=np.where(_is_floor(problem), problem.need_below, below),
        need_above=above,
    )


REFUSED = (
    (Role.PUBLISHED, "must be published", "Let them be withheld, or change the rules"),
    (Role.EMPTY, "are empty", "Say how many contributors they have, or do not mark them"),
)
"""Roles that no rule may contradict, and what to do where one does."""


def _empty(table: Table) -> Mask:
    """Cells that nobody contributes to; where nobody counted, cells of zero."""
    held = table.evidence_at("record") or table.evidence_at("holding")
    zero: Mask = table.value == 0
    return zero if held is None else zero & (held.count == 0)


def _bare(problem: Problem) -> Mask:
    """Sensitive cells of which nobody said how much protection they need."""
    more = (problem.need_below > 1) | (problem.need_above > 1) | (problem.need_sliding > 0)
    bare: Mask = problem.sensitive & ~more
    return bare


def _is_floor(problem: Problem) -> Mask:
    """Zeros that everybody knows not to be below zero: nothing under them can be protected."""
    floor: Mask = (problem.table.value == 0) & (problem.lower == 0)
    return floor
