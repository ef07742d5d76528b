"""Small HTML views for notebooks: self-contained, escaped, and readable without colour too.

Tables, problems and releases are shown to the statistician who holds them; they are confidential.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

import numpy as np

from .arrays import AnyArray
from .hierarchy import Dimension
from .problem import Problem, Role
from .release import Release
from .table import Table
from .units import INFINITE

MOST_ROWS = 30
MOST_COLUMNS = 12

PAINT = {
    "sensitive": "background:#fde0c5;color:#000;font-weight:bold",
    "withheld": "background:#cfe3f5;color:#000;font-style:italic",
    "changed": "background:#e8e8e8;color:#000;border-bottom:1px dashed",
    "published": "text-decoration:underline",
    "empty": "color:#666",
    "open": "",
}
"""Tints of orange and blue, which every eye tells apart; in print the lettering does."""

MEANING = {
    Role.OPEN: "open",
    Role.SENSITIVE: "sensitive",
    Role.PUBLISHED: "published",
    Role.EMPTY: "empty",
}

Cell = tuple[str, str]
"""What a cell says, and the state that paints it."""


def table_html(table: Table) -> str:
    """The values of a table."""
    return _view(
        table, f"Table of {_many(len(table), 'cell')}", lambda i: (table.unit.text(table.value[i]), "open")
    )


def problem_html(problem: Problem) -> str:
    """The values of a problem, with what may happen to each cell."""
    table = problem.table
    roles = [f"{np.count_nonzero(problem.role == role)} {word}" for role, word in MEANING.items()]
    title = f"Problem of {_many(problem.size, 'cell')}: {', '.join(roles)}"
    return _view(table, title, lambda i: (table.unit.text(table.value[i]), MEANING[Role(problem.role[i])]))


def release_html(problem: Problem, release: Release) -> str:
    """What readers are told, and what the truth needs."""
    withheld = int(np.count_nonzero(release.withheld))
    changed = int(np.count_nonzero(~release.withheld & (release.shown != problem.table.value)))
    title = f"Release of {_many(problem.size, 'cell')}: {withheld} withheld, {changed} changed"
    return _view(problem.table, title, lambda i: _told(problem, release, i))


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """Names and what they are, as a table of two columns."""
    rows = (
        f"<tr><th style='text-align:left'>{_safe(k)}</th><td>{_safe(_plain(v))}</td></tr>"
        for k, v in facts.items()
    )
    return _framed(title, "".join(rows))


def _told(problem: Problem, release: Release, cell: int) -> Cell:
    unit = problem.table.unit
    if release.withheld[cell]:
        return "×", "sensitive" if problem.sensitive[cell] else "withheld"
    shown, low, high = release.shown[cell], release.told_lower[cell], release.told_upper[cell]
    text = unit.text(shown)
    if low < high and low > -INFINITE and high < INFINITE:
        text += f" [{unit.text(low)}, {unit.text(high)}]"
    if problem.sensitive[cell]:
        return text, "sensitive"
    return text, "changed" if shown != problem.table.value[cell] else MEANING[Role(problem.role[cell])]


def _view(table: Table, title: str, say: Callable[[int], Cell]) -> str:
    """A grid where the table has two dimensions and fits, else a list of its first cells."""
    structure = table.structure
    if structure.code is not None and len(structure.dimensions) == 2:
        rows, columns = (np.unique(structure.code[:, d]) for d in range(2))
        if len(rows) <= MOST_ROWS and len(columns) <= MOST_COLUMNS:
            return _grid(table, title, say, rows, columns)
    return _list(table, title, say)


def _grid(table: Table, title: str, say: Callable[[int], Cell], rows: AnyArray, columns: AnyArray) -> str:
    structure = table.structure
    assert structure.code is not None
    down, across = structure.dimensions
    at = {(int(r), int(c)): i for i, (r, c) in enumerate(structure.code)}
    seen: dict[str, None] = {}

    def line(row: int) -> str:
        cells = [say(at[row, c]) if (row, c) in at else ("", "open") for c in columns.tolist()]
        seen.update(dict.fromkeys(state for _, state in cells))
        return f"<tr>{_heading(_indented(down, row))}{''.join(_painted(*cell) for cell in cells)}</tr>"

    head = "".join(_heading(across.code[c]) for c in columns)
    body = "".join(line(row) for row in rows.tolist())
    corner = _heading(f"{down.name} \\ {across.name}")
    return _framed(title, f"<tr>{corner}{head}</tr>{body}", _legend(seen))


def _list(table: Table, title: str, say: Callable[[int], Cell]) -> str:
    structure = table.structure
    names = [d.name for d in structure.dimensions] or ["cell"]
    head = "".join(_heading(name) for name in [*names, table.measure, "state"])
    body = []
    for cell in range(min(MOST_ROWS, structure.size)):
        text, state = say(cell)
        if structure.code is None:
            codes = [structure.name(cell).removeprefix("cell ")]
        else:
            codes = [d.code[c] for d, c in zip(structure.dimensions, structure.code[cell], strict=True)]
        cells = "".join(f"<td>{_safe(code)}</td>" for code in codes)
        body.append(f"<tr>{cells}{_painted(text, state)}<td>{state}</td></tr>")
    left = structure.size - len(body)
    return _framed(
        title, f"<tr>{head}</tr>{''.join(body)}", f"and {_many(left, 'more cell')}" if left else ""
    )


def _indented(dimension: Dimension, place: int) -> str:
    return "\u2003" * int(dimension.level[place]) + dimension.code[place]


def _legend(states: Iterable[str]) -> str:
    known = [state for state in PAINT if state in set(states) and PAINT[state]]
    return " ".join(f"<span style='{PAINT[state]};padding:0 .4em'>{state}</span>" for state in known)


def _painted(text: str, state: str) -> str:
    return f"<td style='text-align:right;{PAINT[state]}' title='{state}'>{_safe(text)}</td>"


def _heading(text: str) -> str:
    return f"<th style='text-align:left'>{_safe(text)}</th>"


def _framed(title: str, rows: str, below: str = "") -> str:
    caption = f"<caption style='text-align:left'>{_safe(title)}</caption>"
    foot = f"<div style='font-size:smaller'>{below}</div>" if below else ""
    return f"<div><table style='border-collapse:collapse'>{caption}{rows}</table>{foot}</div>"


def _plain(value: object) -> str:
    """A fact as people read it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_plain(v)}" for k, v in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_plain(v) for v in value)
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return str(value)


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _safe(text: object) -> str:
    return escape(str(text), quote=True)
