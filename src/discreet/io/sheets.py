"""How a public table is laid out on paper: rows against columns where it has two dimensions, else a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..result import Axis, Publication

MOST_COLUMNS = 16_000
"""Wider tables are listed, as no sheet holds them."""
LONGEST = 31
"""Names of sheets end here."""
FORBIDDEN = str.maketrans("[]:*?/\\'", "        ")
"""Signs that names of sheets may not have."""
ENDS = {"At least": "lower", "At most": "upper"}


@dataclass(frozen=True)
class Sheet:
    """Texts in rows and columns, with their headings and how far each is from the total.

    `corner` stands over the headings of the rows, and `indents` are the steps of each of those. `labels`
    are what the columns mean, nothing where that is not known.
    """

    name: str
    corner: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    indents: tuple[tuple[int, ...], ...]
    row_level: tuple[int, ...]
    columns: tuple[str, ...]
    column_level: tuple[int, ...]
    texts: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...] = ()
    is_crossed: bool = False

    @property
    def head(self) -> int:
        """How many lines stand over the rows."""
        return 2 if self.labels else 1


def lay_out(publication: Publication) -> list[Sheet]:
    """A sheet a table; where intervals are told, their two ends have sheets beside a crossed one."""
    tables = linked_tables(publication)
    if len(tables) == 1:
        return _sheets(publication, "Table")
    found = []
    for number, table in enumerate(tables, 1):
        named = " × ".join(axis.name for axis in table.axes)
        found += _sheets(table, f"{number} {named.translate(FORBIDDEN)}")
    return found


def linked_tables(publication: Publication) -> list[Publication]:
    """The tables that were linked: some dimensions each, and the rows at the total of all others."""
    level = publication.level
    steps = list(zip(*level.values(), strict=True))
    shown = [frozenset(name for name, step in zip(level, row, strict=True) if step) for row in steps]
    distinct = dict.fromkeys(shown)
    widest = [one for one in distinct if not any(one < other for other in distinct)]
    if len(widest) < 2:
        return [publication]
    return [
        _part(publication, names, [row for row, held in enumerate(shown) if held <= names])
        for names in widest
    ]


def _part(publication: Publication, names: frozenset[str], rows: Sequence[int]) -> Publication:
    """Some rows, with the columns of some dimensions."""
    lower, upper = publication.lower, publication.upper
    return replace(
        publication,
        columns={
            name: tuple(held[row] for row in rows)
            for name, held in publication.columns.items()
            if name in names
        },
        value=tuple(publication.value[row] for row in rows),
        lower=None if lower is None else tuple(lower[row] for row in rows),
        upper=None if upper is None else tuple(upper[row] for row in rows),
        axes=tuple(axis for axis in publication.axes if axis.name in names),
    )


def _sheets(publication: Publication, name: str) -> list[Sheet]:
    if len(publication.axes) != 2 or len(publication.axes[1].code) > MOST_COLUMNS:
        return [replace(_listed(publication), name=name[:LONGEST])]
    crossed = _crossed(publication, name[:LONGEST], publication.value)
    if publication.lower is None:
        return [crossed]
    ends = {end: getattr(publication, part) for end, part in ENDS.items()}
    lead = "" if name == "Table" else f"{name[: LONGEST - 10]} "
    return [crossed, *(_crossed(publication, f"{lead}{end}", texts) for end, texts in ends.items())]


def _crossed(publication: Publication, name: str, texts: Sequence[str]) -> Sheet:
    down, across = publication.axes
    places = zip(publication.columns[down.name], publication.columns[across.name], strict=True)
    held = dict(zip(places, texts, strict=True))
    heads = [_heads(down, place) for place in range(len(down.code))]
    return Sheet(
        name=name,
        corner=(f"{down.name} \\ {across.name}", *_names(down)[1:]),
        rows=tuple(heads),
        indents=tuple((step,) * len(head) for step, head in zip(down.level, heads, strict=True)),
        row_level=down.level,
        columns=across.code,
        column_level=across.level,
        texts=tuple(tuple(held.get((row, column), "") for column in across.code) for row in down.code),
        labels=across.label if any(across.label) else (),
        is_crossed=True,
    )


def _listed(publication: Publication) -> Sheet:
    """A row a cell, totals before their parts in every dimension."""
    shown = {
        publication.measure: publication.value,
        "at least": publication.lower,
        "at most": publication.upper,
    }
    columns = {name: held for name, held in shown.items() if held is not None}
    axes, place = publication.order, list(zip(*publication.place, strict=True))
    order = sorted(range(len(publication)), key=place.__getitem__)
    at = [list(zip(axes, place[row], strict=True)) for row in order]
    return Sheet(
        name="Table",
        corner=tuple(name for axis in axes for name in _names(axis)),
        rows=tuple(tuple(head for axis, p in row for head in _heads(axis, p)) for row in at),
        indents=tuple(tuple(axis.level[p] for axis, p in row for _ in _names(axis)) for row in at),
        row_level=tuple(sum(axis.level[p] for axis, p in row) for row in at),
        columns=tuple(columns),
        column_level=(1,) * len(columns),
        texts=tuple(tuple(held[row] for held in columns.values()) for row in order),
    )


def _names(axis: Axis) -> tuple[str, ...]:
    """A dimension's headings: its codes, and what they mean where that is known."""
    return (axis.name, f"{axis.name} (label)") if any(axis.label) else (axis.name,)


def _heads(axis: Axis, place: int) -> tuple[str, ...]:
    return (axis.code[place], axis.label[place]) if any(axis.label) else (axis.code[place],)
