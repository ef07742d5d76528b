"""How a table is read: the file, and what has to be said about its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..errors import InputError

if TYPE_CHECKING:
    from ..problem import Problem
    from ..rules.rule import Rule

PANEL = "How the table is read"


def _option(text: str, *names: str, metavar: str | None = None) -> Any:
    return Option(*names, help=text, metavar=metavar, rich_help_panel=PANEL)


Several = list[str] | None
Text = str | None


@dataclass(frozen=True)
class Reading:
    """A table and everything that may be said of it; `problem()` reads it."""

    table: Annotated[
        Path, Argument(metavar="TABLE", help="The table: .jj, or a row a cell in .csv, .tsv or .parquet.")
    ]
    by: Annotated[
        Several, _option("A column that is a dimension, if not every other column is.", metavar="COLUMN")
    ] = None
    value: Annotated[Text, _option("The column of values.", metavar="COLUMN")] = None
    column: Annotated[
        Several, _option("Another name of a column, such as frequency=firms.", metavar="PART=COLUMN")
    ] = None
    hierarchy: Annotated[
        Several,
        _option(
            "The tree of a dimension: .hrc, .csv or digits:2,1,1; several are groupings of the same codes.",
            metavar="DIM=FILE",
        ),
    ] = None
    total: Annotated[Several, _option("The code of a dimension's total.", metavar="DIM=CODE")] = None
    linked: Annotated[
        list[Path] | None, _option("Another table that shares cells with this one.", metavar="FILE")
    ] = None
    equations: Annotated[
        Path | None, _option("Sums between cells, instead of dimensions.", metavar="FILE")
    ] = None
    unit: Annotated[Text, _option("The smallest step of the values, such as 0.01.", metavar="STEP")] = None
    weight: Annotated[
        Text, _option("What a cell costs: value, one, log, frequency or column.", metavar="KIND")
    ] = None
    known: Annotated[
        Text,
        _option("Everybody knows values to so many percent, below and above.", metavar="LOW,HIGH"),
    ] = None
    whole: Annotated[bool, _option("Everybody knows that values are whole units.", "--whole")] = False
    on_discrepancy: Annotated[
        Text, _option("Sums that do not hold: refuse, recompute or carry.", metavar="HOW")
    ] = None
    totals_missing: Annotated[
        Text, _option("Totals that are not there: refuse or compute.", metavar="HOW")
    ] = None
    delimiter: Annotated[Text, _option("What cuts the columns of a .csv.", metavar="SIGN")] = None
    clip: Annotated[bool, _option("Cut protection needs to what is known beforehand.", "--clip")] = False
    rule: Annotated[
        Several,
        _option("Protect what this rule finds, such as p:10 or threshold:3@holding.", metavar="RULE"),
    ] = None

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The tables that are read."""
        return (self.table, *(self.linked or ()))

    def problem(self) -> Problem:
        """The table, read, and what the rules find in it."""
        from ..io.cells import read_linked
        from ..io.formats import read

        rules = self._rules()
        said = {name: held for name, held in self._said().items() if held}
        found = read_linked(self.inputs, **said) if self.linked else read(self.table, **said)
        found = self._assessed(found, rules) if rules else found
        return found.clipped() if self.clip else found

    def _rules(self) -> list[Rule]:
        if not self.rule:
            return []
        from ..rules.registry import make_rule

        return [make_rule(text) for text in self.rule]

    def _assessed(self, problem: Problem, rules: list[Rule]) -> Problem:
        from ..assessment import apply_rules
        from ..io.files import in_file

        with in_file(self.table):
            return apply_rules(problem, rules)

    def _said(self) -> dict[str, Any]:
        """What was said, as the Python interface names it."""
        trees: dict[str, list[str]] = {}
        for dimension, tree in pairs(self.hierarchy, "--hierarchy", "DIM=FILE"):
            trees.setdefault(dimension, []).append(tree)
        return {
            "by": self.by,
            "value": self.value,
            "columns": dict(pairs(self.column, "--column", "PART=COLUMN")),
            "hierarchies": trees,
            "totals": dict(pairs(self.total, "--total", "DIM=CODE")),
            "equations": self.equations,
            "unit": self.unit,
            "weight": self.weight,
            "known": _percentages(self.known),
            "whole": self.whole,
            "on_discrepancy": self.on_discrepancy,
            "totals_missing": self.totals_missing,
            "delimiter": self.delimiter,
        }


def pairs(texts: Sequence[str] | None, option: str, form: str) -> list[tuple[str, str]]:
    """Names and what they are, from texts with an equals sign."""
    found = []
    for text in texts or ():
        name, sign, held = text.partition("=")
        if not (name and sign and held):
            raise InputError(f"Expected {option} as {form}, got '{text}'.")
        found.append((name, held))
    return found


def _percentages(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError(f"Expected --known as whole percentages, such as 15 or 10,20, got '{text}'.")
    return int(parts[0]), int(parts[-1])
