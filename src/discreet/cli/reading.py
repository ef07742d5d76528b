"""How a table is read: the file of cells, records or a job, and what has to be said about its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..errors import InputError
from .recording import Recording, given

if TYPE_CHECKING:
    from ..problem import Problem
    from ..rules.rule import Rule

PANEL = "How the table is read"
JOB = ".toml"
OF_CELLS = ["column", "linked", "equations", "on_discrepancy", "totals_missing"]
"""Options that make sense for tables given cell by cell only."""


def _option(text: str, *names: str, metavar: str | None = None) -> Any:
    return Option(*names, help=text, metavar=metavar, rich_help_panel=PANEL)


Several = list[str] | None
Text = str | None


@dataclass(frozen=True, kw_only=True)
class Reading(Recording):
    """A table and everything that may be said of it; `problem()` reads it."""

    table: Annotated[
        Path,
        Argument(
            metavar="TABLE",
            help="The table: .jj; a row a cell, or a record, in .csv, .tsv or .parquet; or a job, .toml.",
        ),
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
    decimal: Annotated[Text, _option("The decimal sign of a .csv.", metavar="SIGN")] = None
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
        if self.is_job:
            return self._of_job()
        rules = self._rules()
        found = self._of_records(rules) if self.said_of_records else self._of_cells(rules)
        return found.clipped() if self.clip else found

    @property
    def is_job(self) -> bool:
        """Whether a job file says how the table is made."""
        return self.table.suffix.lower() == JOB

    def _of_job(self) -> Problem:
        from ..job.files import read_job
        from ..job.problems import problem_of

        said = given(self, [field.name for field in fields(self) if field.name != "table"])
        if said:
            raise InputError(f"{self.table} says how its table is made, got {said[0]} too. Leave one out.")
        return problem_of(read_job(self.table))

    def _of_records(self, rules: list[Rule]) -> Problem:
        from ..assessment import assess, contributions_for
        from ..io.files import in_file
        from ..records.tabulation import tabulate

        cells = given(self, OF_CELLS)
        if cells:
            raise InputError(
                f"{cells[0]} is for cells, and {self.said_of_records[0]} for records. Leave one of them out."
            )
        said = self._said()
        table = tabulate(
            self.table,
            self.by or (),
            self.value,
            tables=[text.split(",") for text in self.spanned or ()] or None,
            missing=grouped(self.missing, "--missing", "DIM=CODE", blank=True),
            contributor=self.contributor,
            holding=self.holding,
            shadow=self.shadow,
            weight=self.sampling_weight,
            keep=contributions_for(rules),
            **{name: said[name] for name in ("hierarchies", "totals", "unit", "delimiter", "decimal")},
            **self.requested(),
        )
        with in_file(self.table):
            return assess(table, rules, known=said["known"], weight=self.weight or "value", whole=self.whole)

    def _of_cells(self, rules: list[Rule]) -> Problem:
        from ..io.cells import read_linked
        from ..io.formats import read

        said = {name: held for name, held in self._said().items() if held}
        found = read_linked(self.inputs, **said) if self.linked else read(self.table, **said)
        return self._assessed(found, rules) if rules else found

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
        return {
            "by": self.by,
            "value": self.value,
            "columns": dict(pairs(self.column, "--column", "PART=COLUMN")),
            "hierarchies": grouped(self.hierarchy, "--hierarchy", "DIM=FILE"),
            "totals": dict(pairs(self.total, "--total", "DIM=CODE")),
            "equations": self.equations,
            "unit": self.unit,
            "weight": self.weight,
            "known": _percentages(self.known),
            "whole": self.whole,
            "on_discrepancy": self.on_discrepancy,
            "totals_missing": self.totals_missing,
            "delimiter": self.delimiter,
            "decimal": self.decimal,
        }


def pairs(texts: Sequence[str] | None, option: str, form: str, blank: bool = False) -> list[tuple[str, str]]:
    """Names and what they are, from texts with an equals sign; that may be nothing where `blank` says so."""
    found = []
    for text in texts or ():
        name, sign, held = text.partition("=")
        if not (name and sign and (held or blank)):
            raise InputError(f"Expected {option} as {form}, got '{text}'.")
        found.append((name, held))
    return found


def grouped(texts: Sequence[str] | None, option: str, form: str, blank: bool = False) -> dict[str, list[str]]:
    """Everything that is said of each name."""
    found: dict[str, list[str]] = {}
    for name, held in pairs(texts, option, form, blank):
        found.setdefault(name, []).append(held)
    return found


def _percentages(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError(f"Expected --known as whole percentages, such as 15 or 10,20, got '{text}'.")
    return int(parts[0]), int(parts[-1])
