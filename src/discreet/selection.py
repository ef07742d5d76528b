"""Some cells of a table, by a mask or by their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .arrays import Ints, Mask
from .errors import InputError, suggest
from .structure import Structure

Cells = Mask | Sequence[Mapping[str, str]] | None
"""A mask, or each cell by its codes; a dimension that is not named is at its total."""


def select(structure: Structure, cells: Cells) -> Mask:
    """A mask of the cells; codes of a cell that is not there are an error."""
    if isinstance(cells, np.ndarray):
        if cells.dtype != np.bool_ or cells.shape != (structure.size,):
            raise InputError(
                f"Expected a mask of {structure.size} cells, got an array of {cells.dtype}, {cells.shape}."
            )
        return cells
    chosen = np.zeros(structure.size, np.bool_)
    if cells:
        chosen[_by_name(structure, cells) if structure.code is None else _by_code(structure, cells)] = True
    return chosen


def _by_name(structure: Structure, cells: Sequence[Mapping[str, str]]) -> list[int]:
    place = {structure.name(c).removeprefix("cell "): c for c in range(structure.size)}
    for cell in cells:
        if set(cell) != {"cell"} or cell["cell"] not in place:
            raise InputError(f"Expected a cell by its name, such as {{'cell': 'a'}}, got {dict(cell)}.")
    return [place[cell["cell"]] for cell in cells]


def _by_code(structure: Structure, cells: Sequence[Mapping[str, str]]) -> Ints:
    assert structure.code is not None
    wanted = np.array([_codes(structure, cell) for cell in cells], np.int32)
    both, place = np.unique(np.concatenate((structure.code, wanted)), axis=0, return_inverse=True)
    cell_of = np.full(len(both), -1)
    cell_of[place[: structure.size]] = np.arange(structure.size)
    found: Ints = cell_of[place[structure.size :]]
    for absent in np.flatnonzero(found < 0)[:1]:
        raise InputError(f"There is no cell {dict(cells[absent])}. Leave it out, or correct its codes.")
    return found


def _codes(structure: Structure, cell: Mapping[str, str]) -> list[int]:
    names = [dimension.name for dimension in structure.dimensions]
    for name in cell:
        if name not in names:
            raise InputError(f"Unknown dimension '{name}'. {suggest(name, names)}")
    return [int(d.meaning[d.locate(cell[d.name])]) if d.name in cell else 0 for d in structure.dimensions]
