"""A first job file for records that nobody described yet: a guess at every column, with the reasons."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Table

from ..errors import InputError
from ..hierarchy import Dimension
from ..io.hierarchies import READERS
from ..records.spans import Spans
from .inspection import Facts, first, inspect

MOST_VARIABLES = 3
"""More variables make tables of cells so small that hardly any is safe."""
TITLE = "A job for discreet, guessed from what is in the records: look it over, correct it, and run it."


@dataclass(frozen=True, eq=False)
class Draft:
    """What every column is taken for, and the text of the job file that says so.

    `roles` are those of the columns that do not span the table, `spare` columns might span it too, and
    `dropped` ones play no part.
    """

    text: str
    roles: Mapping[str, str]
    by: tuple[str, ...]
    spare: tuple[str, ...]
    dropped: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """What the columns are taken for."""
        return {**self.roles, "by": self.by, "or_by": self.spare, "not_used": self.dropped}


def draft_job(path: str | Path, target: str | Path) -> Draft:
    """A job file for some records, to be written to another file."""
    facts = inspect(path)
    by = [column for column in facts if column.part == "code"]
    if not by:
        raise InputError(
            f"{path}: no column looks like codes that repeat, expected one that can span a table. "
            "Write the job by hand."
        )
    roles = _roles(facts)
    chosen, spare = by[:MOST_VARIABLES], by[MOST_VARIABLES:]
    dropped = [column for column in facts if column not in (*by, *roles.values())]
    path, target = Path(path), Path(target)
    document = tomlkit.document()
    document.add(tomlkit.comment(TITLE))
    document.add("data", _data(path, target, roles))
    document.add("columns", _columns(roles, dropped))
    document.add("variables", _variables(path, target, chosen, spare))
    document.add("rules", _rules(roles))
    document.add("limits", _section({"seconds": 60, "seed": 0}))
    document.add("outputs", _outputs(path.stem))
    return Draft(
        tomlkit.dumps(document),
        {role: column.name for role, column in roles.items()},
        _names(chosen),
        _names(spare),
        _names(dropped),
    )


def _roles(facts: Sequence[Facts]) -> dict[str, Facts]:
    """The first column that is good for each role; a holding needs contributors."""
    found = {"value": first(facts, "amount"), "contributor": first(facts, "contributor")}
    if found["contributor"] is not None:
        found["holding"] = first(facts, "holding")
    return {role: column for role, column in found.items() if column is not None}


def _names(facts: Sequence[Facts]) -> tuple[str, ...]:
    return tuple(column.name for column in facts)


def _section(entries: dict[str, Any]) -> Table:
    table = tomlkit.table()
    for name, held in entries.items():
        table.add(name, held)
    return table


def _data(path: Path, target: Path, roles: Mapping[str, Facts]) -> Table:
    table = _section({"path": _seen_from(target, path)})
    if "value" in roles and roles["value"].has_negatives:
        table.add(tomlkit.comment("some values are below zero; rules shall look at their size"))
        table.add("negatives", "absolute")
    return table


def _columns(roles: Mapping[str, Facts], dropped: Sequence[Facts]) -> Table:
    table = tomlkit.table()
    if "value" not in roles:
        table.add(tomlkit.comment("no column looks like amounts: the table counts the records"))
    for role, column in roles.items():
        table.add(role, column.name)
        table[role].comment(_reason(column))
    if "contributor" not in roles:
        table.add(tomlkit.comment("nobody is named: every record is taken for a contributor of its own"))
    for column in dropped:
        table.add(tomlkit.comment(f"not used: {_spelled(column.name)}, {_reason(column)}"))
    return table


def _reason(column: Facts) -> str:
    kind = "numbers" if column.is_number else "texts"
    blank = f", none in {column.blank:,} records" if column.blank else ""
    return f"{column.distinct:,} different {kind}{blank}"


def _variables(path: Path, target: Path, chosen: Sequence[Facts], spare: Sequence[Facts]) -> Table:
    table = tomlkit.table(is_super_table=True)
    for column in chosen:
        table.add(column.name, _variable(path, target, column))
    last = table[chosen[-1].name]
    for column in spare:
        last.add(tomlkit.comment(f"or by this too: [variables.{_spelled(column.name)}]"))
    return table


def _variable(path: Path, target: Path, column: Facts) -> Table:
    table = tomlkit.table()
    table.comment(_reason(column))
    if column.blank:
        table.add("missing", [""])
    for tree in _trees(path, column.name):
        try:
            _dimension(column, tree)
        except InputError:
            table.add(tomlkit.comment(f"not used: {_spelled(tree.name)} does not hold all codes"))
        else:
            table.add("hierarchy", _seen_from(target, tree))
            break
    return table


def _trees(path: Path, name: str) -> Iterator[Path]:
    """Files beside the records that may hold the tree of a variable, by their names."""
    for ending in READERS:
        tree = path.parent / f"{name}{ending}"
        if tree.name != path.name and tree.parent == path.parent and tree.is_file():
            yield tree


def _dimension(column: Facts, tree: Path) -> Dimension:
    """The variable with a tree, or an error where the tree does not fit."""
    codes = column.texts.to_pylist()
    return Spans({column.name: tree}).dimension(column.name, codes)[0]


def _rules(roles: Mapping[str, Facts]) -> Any:
    """The usual rules, for amounts and for counts."""
    rules = tomlkit.aot()
    if "value" in roles:
        rule = _section({"rule": "p", "percent": 10})
        rule["percent"].comment("nobody may estimate another one to within so many percent")
        if "holding" in roles:
            rule.add("level", "holding")
        rules.append(rule)
    rule = _section({"rule": "threshold", "least": 3})
    rule["least"].comment("so many stand behind a cell at the least")
    rules.append(rule)
    return rules


def _outputs(stem: str) -> Table:
    table = tomlkit.table()
    for name, held, who in (
        ("public", [f"{stem}-public.csv"], "for everybody, with an account beside it"),
        ("confidential", [f"{stem}-protected.jj"], "for the office"),
        ("certificate", f"{stem}.proof", "for `discreet verify`, confidential"),
        ("report", f"{stem}-report.html", "a page about the run, confidential"),
    ):
        table.add(name, held)
        table[name].comment(who)
    return table


def _seen_from(target: Path, path: Path) -> str:
    """The name of a file as the job file says it."""
    return Path(os.path.relpath(path, target.parent)).as_posix()


def _spelled(name: str) -> str:
    return tomlkit.item(name).as_string()
