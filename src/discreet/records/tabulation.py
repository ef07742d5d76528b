"""`tabulate`: from records to a table, in two stages.

DuckDB adds up the finest cells; coarser cells are made of finer ones. Several tables over some of the
variables each become one structure, in which cells with the same meaning are one cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import Indices
from ..errors import InputError, suggest
from ..evidence import ASKED_FIRST, ASKED_SECOND, Evidence, Level
from ..io.numbers import as_unit
from ..table import NOBODY, Table
from ..units import Unit
from .grid import NEGATIVE, Grid, Part
from .leaves import RECORDS, Leaves, holdings_of, leaves_of_groups, leaves_of_records
from .reading import Amounts, Records, amounts_of, literal, open_records
from .rollup import Summary
from .spans import Spans, Tree

if TYPE_CHECKING:
    import duckdb

NEGATIVES = ("refuse", "absolute")


@dataclass(frozen=True)
class Roles:
    """Which column plays which part.

    `value` is what is published, none for a table of counts; `shadow` what the rules look at instead.
    `weight` says how many a record stands for. Who stands behind a record is its `contributor`; what one
    `holding` contributes is one contribution to rules at that level. `request` holds the two codes of
    those who asked for confidentiality.
    """

    value: str | None = None
    shadow: str | None = None
    weight: str | None = None
    contributor: str | None = None
    holding: str | None = None
    request: str | None = None
    request_codes: tuple[str, str] = ("1", "2")


def tabulate(
    records: Any,
    by: Sequence[str],
    value: str | None = None,
    *,
    tables: Sequence[Sequence[str]] | None = None,
    hierarchies: Mapping[str, Tree | Sequence[Tree]] | None = None,
    totals: Mapping[str, str] | None = None,
    missing: Mapping[str, Sequence[str]] | None = None,
    shadow: str | None = None,
    weight: str | None = None,
    contributor: str | None = None,
    holding: str | None = None,
    request: str | None = None,
    request_codes: tuple[str, str] = ("1", "2"),
    negatives: str = "refuse",
    keep: int = 3,
    unit: Unit | str | int | Decimal | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    threads: int | None = None,
) -> Table:
    """The table that records span: a file (CSV, Parquet) or a dataframe, one record a row.

    `by` are the variables; `tables` lists those of each table where several are wanted, linked through
    their common cells. `missing` declares codes for missing: right below the total, and safe. The `keep`
    largest contributions stay with each cell. Where contributions have both signs, rules that compare
    them are refused later unless `negatives` is 'absolute'.
    """
    import duckdb

    roles = Roles(value, shadow, weight, contributor, holding, request, request_codes)
    spans = Spans(hierarchies or {}, totals or {}, missing or {})
    wanted = _wanted(by, tables)
    spans.refuse_strangers(by)
    if negatives not in NEGATIVES:
        raise InputError(f"Unknown way to treat negatives '{negatives}'. {suggest(negatives, NEGATIVES)}")
    if keep < 1:
        raise InputError(f"Expected to keep at least 1 contribution, got {keep}.")
    with duckdb.connect(config={"threads": threads} if threads else {}) as connection:
        given = open_records(records, connection, delimiter, decimal)
        measured = _prepared(given, by, roles, as_unit(unit), negatives == "absolute", len(wanted) > 1)
        found = replace(spans, place=given.place)
        parts = _Tabulation(connection, measured, roles, found, tuple(by), keep, len(wanted) > 1)
        return parts.table(wanted)


@dataclass(frozen=True)
class _Measured:
    """The units of the prepared columns; with weights, values are in parts of a unit, `copies` to one."""

    unit: Unit
    copies: int
    least_times: int
    is_grouped: bool


def _wanted(by: Sequence[str], tables: Sequence[Sequence[str]] | None) -> list[tuple[str, ...]]:
    if not by or len(set(by)) < len(by):
        raise InputError(
            f"Expected variables to span the table, each once, got {', '.join(by) or 'none'}. "
            "Name them with by=…"
        )
    wanted = [tuple(by)] if tables is None else [tuple(table) for table in tables]
    for table in wanted:
        if not table:
            raise InputError("A table is spanned by no variable, expected at least one.")
        strange = [name for name in table if name not in by]
        if strange:
            raise InputError(f"A table is spanned by '{strange[0]}'. {suggest(strange[0], by)}")
    unused = [name for name in by if not any(name in table for table in wanted)]
    if unused:
        raise InputError(
            f"The variable '{unused[0]}' spans none of the tables. Leave it out, or add a table."
        )
    return wanted


def _prepared(
    given: Records, by: Sequence[str], roles: Roles, unit: Unit | None, absolute: bool, is_linked: bool
) -> _Measured:
    """A view of the records with columns of ours: amounts in units, marks, and who stands behind them."""
    amount: dict[str, Amounts] = {}
    for part, title in (("v", roles.value), ("s", roles.shadow), ("times", roles.weight)):
        if title is not None:
            given, amount[part] = amounts_of(given, title, unit if part == "v" else None)
    one = Amounts("1::BIGINT", Unit())
    value, times = amount.get("v", one), amount.get("times", one)
    shadow = amount.get("s", value)
    if roles.weight:
        given.refuse(f"{times.sql} <= 0", "a weight of zero or less, expected one above zero.")
    who = given.text(roles.contributor) if roles.contributor else None
    if who:
        given.refuse(f"{who} = ''", "a record without its contributor.")
    # whether one contributor stands behind several records
    is_grouped = bool(who and given.answer(f"count(*) <> count(DISTINCT {who})"))
    columns = {f"c{at}": given.text(name) for at, name in enumerate(by)} | {
        "v": value.sql,
        "s": f"abs({shadow.sql})" if absolute else shadow.sql,
        "times": times.sql,
        "marks": _marks(given, roles),
        # records of one table are told apart by their cells; those of several need a name in each
        "who": who or (ROW if is_linked else "NULL"),
        "holding": _holding(given, roles, is_grouped),
    }
    listed = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
    given.connection.execute(f"CREATE TEMP VIEW {RECORDS} AS SELECT {listed} FROM {given.relation}")
    return _Measured(
        Unit(value.unit.step * times.unit.step),
        int(1 / times.unit.step),
        int(given.answer(f"min({times.sql})")),
        is_grouped,
    )


ROW = "CAST(row_number() OVER () AS VARCHAR)"
"""What a record goes by that has no contributor."""


def _holding(given: Records, roles: Roles, is_grouped: bool) -> str:
    """The holding of a record; one without belongs to its contributor, or to nobody where each has one."""
    if roles.holding is None:
        return "NULL"
    said = given.text(roles.holding)
    own = f"chr(1) || {given.text(roles.contributor)}" if is_grouped and roles.contributor else "NULL"
    return f"CASE WHEN {said} = '' THEN {own} ELSE {said} END"


def _marks(given: Records, roles: Roles) -> str:
    """Bits for the two ways to ask for confidentiality."""
    if roles.request is None:
        return "0::TINYINT"
    first, second = (literal(code) for code in roles.request_codes)
    said = f"trim({given.text(roles.request)})"
    return (
        f"CAST(CASE {said} WHEN {first} THEN {ASKED_FIRST} WHEN {second} THEN {ASKED_SECOND} ELSE 0 END "
        "AS TINYINT)"
    )


class _Tabulation:
    """Everything that stays the same while the tables are made."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        measured: _Measured,
        roles: Roles,
        spans: Spans,
        by: tuple[str, ...],
        keep: int,
        is_linked: bool,
    ) -> None:
        self.connection = connection
        self.measured = measured
        self.roles = roles
        self.spans = spans
        self.by = by
        # contributions that stand for less than one each have to be more to make up as many
        self.keep = -(-keep * measured.copies // min(measured.least_times, measured.copies))
        self.is_plain = not (roles.contributor or roles.weight or roles.request) and not is_linked

    def table(self, wanted: Sequence[tuple[str, ...]]) -> Table:
        """All tables as one."""
        parts = [tuple(map(self.by.index, names)) for names in wanted]
        leaves = [self._of_records(part, "s") for part in parts]
        grid = Grid.of(self.spans, self.by, parts, leaves)
        records = grid.roll_up(parts, leaves, self.keep)
        listed = records
        if self.roles.shadow or self.roles.weight:
            listed = grid.roll_up(parts, [self._of_records(part, "v * times") for part in parts], self.keep)
        evidence: dict[Level, Evidence] = {"record": self._evidence(records)}
        if self.roles.holding:
            groups = [self._of_groups(part, "s * times", "holding") for part in parts]
            evidence["holding"] = self._evidence(grid.roll_up(parts, groups, self.keep))
        contributor, people = _renumbered(listed)
        return Table(
            grid.structure,
            records.value,
            unit=self.measured.unit,
            frequency=records.frequency,
            contribution=listed.contribution,
            contributor=contributor,
            contributors=people if self.roles.contributor else (),
            rows=grid.rows,
            measure=self.roles.value or "frequency",
            evidence=evidence,
            missing=grid.missing,
            coalitions=self._coalitions(people),
            counts=self.roles.value is None,
        )

    def _coalitions(self, people: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """Those among the listed contributors who belong to one holding."""
        if not (self.roles.contributor and self.roles.holding):
            return ()
        pairs = holdings_of(self.connection, people)
        members: dict[str, list[int]] = defaultdict(list)
        for who, holding in pairs:
            members[holding].append(who)
        return tuple(tuple(sorted(group)) for _, group in sorted(members.items()) if len(group) > 1)

    def _of_records(self, part: Part, amount: str) -> Leaves:
        """Finest cells, and the largest of what each contributor contributes."""
        if self.measured.is_grouped:
            return self._of_groups(part, amount if "times" in amount else f"{amount} * times", "who")
        by = [f"c{d}" for d in part]
        return leaves_of_records(self.connection, by, amount, self.keep, self.is_plain)

    def _of_groups(self, part: Part, amount: str, who: str) -> Leaves:
        found = leaves_of_groups(self.connection, [f"c{d}" for d in part], amount, self.keep, who)
        if self.roles.request:
            return found
        return replace(found, entries=replace(found.entries, marks=None))

    def _evidence(self, summary: Summary) -> Evidence:
        """What the rules look at; merged contributions are in units of the table already."""
        assert summary.marks is not None
        weighted = summary.times is not None and self.roles.weight is not None
        return Evidence(
            total=summary.sums[:, 1],
            count=summary.frequency,
            contribution=summary.contribution,
            times=summary.times if weighted else None,
            copies=self.measured.copies if weighted else 1,
            heads=summary.sums[:, 2] if weighted else None,
            request=summary.asked,
            requests=(summary.marks & (ASKED_FIRST | ASKED_SECOND)).astype(np.uint8),
            below_zero=(summary.marks & NEGATIVE) > 0,
        )


def _renumbered(summary: Summary) -> tuple[Indices, tuple[str, ...]]:
    """Contributors by the place of their name among those who are listed anywhere."""
    listed = summary.contributor != NOBODY
    used, number = np.unique(summary.contributor[listed], return_inverse=True)
    contributor = np.full(summary.contributor.shape, NOBODY, np.int32)
    contributor[listed] = number
    return contributor, tuple(summary.people[who] for who in used) if summary.people else ()
