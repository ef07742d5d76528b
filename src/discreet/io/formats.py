"""The forms of files that tables are read from and written to, by the ending of their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, suggest
from ..problem import Problem
from .cells import CellOptions, read_cells
from .jj import read_jj, write_jj


@dataclass(frozen=True)
class Format:
    """A form of file: what it is, how it is read, and how a problem is written to it, if it can be."""

    ending: str
    what: str
    read: Callable[..., Problem]
    write: Callable[[str | Path, Problem], None] | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """What may be said about a file of this form when it is read."""
        names = inspect.signature(self.read).parameters
        return tuple(CellOptions.__annotations__) if "options" in names else tuple(names)[1:]


FORMATS = [
    Format(".csv", "a row a cell, cut by commas, semicolons, tabs or bars", read_cells),
    Format(".jj", "cells and equations as τ-ARGUS gives them to its solvers", read_jj, write_jj),
    Format(".parquet", "a row a cell, in columns", read_cells),
    Format(".tsv", "a row a cell, cut by tabs", read_cells),
]


def read(path: str | Path, **options: Any) -> Problem:
    """The problem in a file of any form; options that are None count as not given."""
    form = format_of(path)
    given = {name: held for name, held in options.items() if held is not None}
    for name in given:
        if name not in form.options:
            raise InputError(
                f"{path}: a {form.ending} file cannot be read with '{name}'. {suggest(name, form.options)}"
            )
    return form.read(path, **given)


def write(path: str | Path, problem: Problem) -> None:
    """Write a problem, values and all, in the form that the ending names; the file is confidential."""
    form = format_to_write(path)
    assert form.write is not None
    form.write(path, problem)


def format_to_write(path: str | Path) -> Format:
    """The form of a file that a problem can be written to."""
    form = format_of(path)
    if form.write is None:
        choices = ", ".join(f.ending for f in FORMATS if f.write)
        raise InputError(f"{path}: problems cannot be written as {form.ending} files. Choices: {choices}.")
    return form


def format_of(path: str | Path) -> Format:
    """The form of a file, by its ending."""
    if Path(path).is_dir():
        raise InputError(f"Cannot use {path}: it is a folder. Name a file in it.")
    ending = Path(path).suffix.lower()
    forms: Mapping[str, Format] = {form.ending: form for form in FORMATS}
    if ending not in forms:
        raise InputError(f"{path}: unknown ending '{ending}' for a table. {suggest(ending, forms)}")
    return forms[ending]
