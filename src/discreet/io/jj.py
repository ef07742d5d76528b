"""JJ files, the tables that τ-ARGUS hands to its solvers, read into problems and written from them.

A cell is a line of `id value cost status lb ub lpl upl spl`. `lb` and `ub` are what is known beforehand,
the cost is the loss weight, and `u` asks for protection by the three levels; where the status column is
missing, a level above zero does. `z` stays as it is published, `s` is open, and so is `m`, which an
earlier run withheld. An equation is `right-hand side, number of cells : id (coefficient) …`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..arrays import Bytes, Ints, Mask
from ..errors import AdditivityError
from ..problem import Problem, Role
from ..release import Release
from ..structure import Structure
from ..table import OnDiscrepancy, fill
from ..units import Unit
from .columns import Column
from .files import in_file, whole_file
from .jj_text import JJText, parse_jj
from .jj_writing import cell_lines, equation_lines
from .numbers import Decimals, as_unit


def read_jj(
    path: str | Path,
    unit: Unit | str | None = None,
    on_discrepancy: OnDiscrepancy = "refuse",
    whole: bool = False,
) -> Problem:
    """The table in a JJ file with everything that decides its protection.

    Without a unit it is the power of ten, at most 1, that all values are whole multiples of. Levels are
    rounded up to it, and bounds inwards; a bound beyond 2^63 - 1 units is none.
    """
    text = parse_jj(path)
    values = Decimals.of(text.columns["value"])
    unit = as_unit(unit) or values.finest()
    structure, constant = equations_of(text, unit)
    value = values.units(unit)
    with in_file(path):
        table = fill(structure, value, on_discrepancy, constant, unit=unit)
    below, above, sliding = (_levels(text.columns[name], unit) for name in ("lpl", "upl", "spl"))
    role = _roles(text.status, (below > 0) | (above > 0) | (sliding > 0))
    asked = role == Role.SENSITIVE
    lower = Decimals.of(text.columns["lb"], unbounded=True).units(unit, "up", saturate=True)
    upper = Decimals.of(text.columns["ub"], unbounded=True).units(unit, "down", saturate=True)
    weight = Decimals.of(text.columns["cost"]).floats()
    with in_file(path):
        return Problem.of(
            table,
            role=role,
            need_below=np.where(asked, below, 0),
            need_above=np.where(asked, above, 0),
            need_sliding=np.where(asked, sliding, 0),
            lower=lower,
            upper=upper,
            weight=weight,
            whole=whole,
        )


def write_jj(path: str | Path, problem: Problem, release: Release | None = None) -> None:
    """A problem in JJ form; with a release its outcome, whose secondaries are `m` or whose values changed.

    The file is confidential. Where there is no bound, it says 9223372036854775807 (times the unit where
    that is above 1), which reads as none again. A zero cell that is open only because contributors stand
    behind it, and rules, contributors and rows have no place in a JJ file.
    """
    with whole_file(path, confidential=True) as file:
        file.write(f"0\n{problem.size}\n".encode())
        for lines in cell_lines(problem, release):
            file.write(lines)
        file.write(f"{problem.table.structure.equations}\n".encode())
        for lines in equation_lines(problem.table):
            file.write(lines)


def equations_of(text: JJText, unit: Unit) -> tuple[Structure, Ints | None]:
    """The structure that a JJ file describes, and what its equations come to where that is not zero."""
    numbers = text.identity
    plain = bool((numbers == np.arange(text.size)).all())
    names = None if plain else [str(number) for number in numbers.tolist()]
    with in_file(text.path):
        structure, kept = Structure.from_entries(
            text.size, text.equation, text.cell, text.coefficient, identity=names
        )
    constant = Decimals.of(text.right_side).units(unit)
    dropped = constant.copy()
    dropped[kept] = 0
    if dropped.any():
        place = int(np.flatnonzero(dropped)[0])
        raise AdditivityError(
            f"{text.right_side.where(place)}: an equation without cells has a right-hand side other than "
            "zero. Remove it, or name its cells."
        )
    constant = constant[kept]
    return structure, (constant if constant.any() else None)


def _levels(column: Column, unit: Unit) -> Ints:
    levels = Decimals.of(column)
    levels.refuse(levels.negative, "a protection level below zero, expected zero or more.")
    return levels.units(unit, "up")


def _roles(status: Bytes | None, asked: Mask) -> Bytes:
    if status is None:
        return np.where(asked, Role.SENSITIVE, Role.OPEN).astype(np.uint8)
    role = np.full(len(status), Role.OPEN, np.uint8)
    role[status == ord("u")] = Role.SENSITIVE
    role[status == ord("z")] = Role.PUBLISHED
    return role
