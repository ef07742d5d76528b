"""What a rule is shown of a table, or an error that says what it lacks."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..errors import InputError
from ..evidence import Evidence
from ..table import Table
from .registry import key_of
from .rule import Rule

Negatives = Literal["refuse", "absolute"]
LACKING = {
    "record": "The table lists no contributors. Add frequencies or contributions, or leave the rule out.",
    "holding": "The table does not say which records are one holding. "
    "Name the column of holdings when the table is made, or judge records.",
}
"""What is missing in a table without evidence of a level, and what to do."""


def evidence_for(table: Table, rule: Rule, negatives: Negatives = "refuse") -> Evidence:
    """Everything that a rule has to see of a table."""
    name = f"The rule '{key_of(rule)}'"
    if table.counts and not rule.scope.counts:
        raise InputError(
            f"{name} cannot judge a table that counts contributors. Use threshold, such as threshold:3."
        )
    if rule.scope.marked:
        return Evidence(table.value, np.zeros(len(table), np.int64), np.zeros((len(table), 0), np.int64))
    held = table.evidence_at(rule.level)
    if held is None:
        raise InputError(f"{name} cannot look at {rule.level}s. {LACKING[rule.level]}")
    if rule.scope.requests and (held.request is None or held.requests is None):
        raise InputError(
            f"{name} has to know who asked for confidentiality, and the table does not say. "
            "Name the column of requests when the table is made, or leave the rule out."
        )
    held = held if rule.scope.signs else _of_one_sign(table, held, name, negatives)
    _refuse_short(table, held, name, rule.listed)
    return held


def _of_one_sign(table: Table, held: Evidence, name: str, negatives: Negatives) -> Evidence:
    """Evidence without anything below zero: as it is, or absolute values where that is wanted."""
    wrong = held.negative
    if not wrong.any():
        return held
    if negatives == "refuse":
        raise InputError(
            f"{name} makes no sense where contributions are below zero, as in {_cells(table, wrong)}. "
            "Leave it out, or choose to judge absolute values."
        )
    short = wrong & held.unlisted
    if short.any():
        raise InputError(
            f"{name} can only take the absolute values of contributions that are listed, and some are not "
            f"in {_cells(table, short)}. Take them when the table is made of records."
        )
    return held.absolute()


def _refuse_short(table: Table, held: Evidence, name: str, listed: int) -> None:
    lacking = held.lacks(listed)
    if lacking.any():
        raise InputError(
            f"{name} has to see the {listed} largest contributions, and fewer are listed "
            f"in {_cells(table, lacking)}. List more of them, or leave the rule out."
        )


def _cells(table: Table, wrong: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    cells = np.flatnonzero(wrong)
    return f"{len(cells)} cells: {table.structure.names(cells)}"
