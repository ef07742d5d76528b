"""Equations of a table from a CSV file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..errors import InputError, suggest
from ..structure import Structure
from ..units import Unit
from .columns import Column
from .files import in_file
from .numbers import Decimals
from .sources import csv_source, has_column


def read_equations(path: str | Path, identity: Sequence[str]) -> Structure:
    """The structure of cells with these names, from a CSV with the columns equation, cell and coefficient.

    Every equation says that the sum of coefficient times cell is zero. A blank coefficient is 1, and so
    the total of an equation is the cell with -1.
    """
    source = csv_source(path)
    for title in ("equation", "cell", "coefficient"):
        has_column(source, title)
    equation = source.texts("equation").dictionary_encode()
    cell = source.texts("cell").dictionary_encode()
    held = Column.of("coefficient", source.numbers(["coefficient"])["coefficient"], source.where)
    coefficient = np.where(held.blank, 1, Decimals.of(held).units(Unit()))
    position = {name: place for place, name in enumerate(identity)}
    places = np.array([position.get(name, -1) for name in cell.dictionary.to_pylist()], np.int64)
    member = places[cell.indices.to_numpy()]
    unknown = np.flatnonzero(member < 0)
    if len(unknown):
        row = int(unknown[0])
        name = source.texts("cell")[row].as_py()
        raise InputError(f"{source.where(row)}: unknown cell '{name}'. {suggest(name, position)}")
    number = equation.indices.to_numpy().astype(np.int64)
    order = np.argsort(number, kind="stable")
    with in_file(path):
        return Structure.from_entries(
            len(identity), number[order], member[order], coefficient[order], identity
        )[0]
