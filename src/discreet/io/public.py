"""What everybody may read: the public table in one of several forms, with the account of what was done to it.

A `.csv` holds the codes as they are, also those that a spreadsheet could take for formulas: nothing in
the format can say that a text is one. Where there is such a code all fields are quoted, which programs that
ask for the kinds of columns respect, and the account warns; an `.xlsx` needs no such care.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import InputError, suggest
from ..profile import is_like_a_formula
from ..result import Publication
from .files import whole_file
from .workbook import write_workbook

SHOWN = ("value", "lower", "upper")
ALONE = (".html", ".xlsx")
"""Forms that hold the account themselves."""

MOST_ROWS: Mapping[str, int] = {".html": 200_000, ".xlsx": 2**20 - 2}
"""What browsers show without trouble, and what a sheet holds."""

Columns = Mapping[str, Sequence[str] | Sequence[int]]


def account_path(path: str | Path) -> Path | None:
    """Where the account of `NAME.csv` stands, `NAME.account.json`; None where the table holds it itself."""
    target = Path(path)
    return None if target.suffix.lower() in ALONE else target.with_suffix(".account.json")


def write_publication(path: str | Path, publication: Publication) -> None:
    """Write a public table in the form that its ending names, and the account in it or beside it."""
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        raise InputError(f"{path}: unknown ending '{ending}' for a public table. {suggest(ending, WRITERS)}")
    refuse_too_long(path, len(publication))
    _columns(publication)
    with whole_file(path, confidential=False) as table:
        WRITERS[ending](table, publication)
    beside = account_path(path)
    if beside is not None:
        account = json.dumps(dict(publication.account), indent=2, ensure_ascii=False, default=str) + "\n"
        with whole_file(beside, confidential=False) as file:
            file.write(account.encode())


def refuse_too_long(path: str | Path, rows: int) -> None:
    """An error where a form of file does not hold so many rows."""
    ending = Path(path).suffix.lower()
    most = MOST_ROWS.get(ending, rows)
    if rows > most:
        raise InputError(
            f"{path}: expected a table of at most {most:,} rows for this form, got {rows:,}. "
            "Write a .csv or .parquet."
        )


def _columns(publication: Publication) -> Columns:
    """All columns by name; each must have an entry a row, and no dimension may take another's name."""
    columns: dict[str, Sequence[str] | Sequence[int]] = dict(publication.columns)
    told: dict[str, Any] = {name: getattr(publication, name) for name in SHOWN}
    told |= {f"{name}_level": held for name, held in publication.level.items()}
    for name, held in told.items():
        if held is None:
            continue
        if name in columns:
            raise InputError(f"A dimension is called '{name}', as a column of the public table. Rename it.")
        columns[name] = held
    rows = len(publication.value)
    for name, held in columns.items():
        if len(held) != rows:
            raise InputError(f"Expected {rows} entries in the column '{name}', a row each, got {len(held)}.")
    return columns


def _write_csv(file: BinaryIO, publication: Publication) -> None:
    columns = _columns(publication)
    codes = [*columns, *(code for held in publication.columns.values() for code in held)]
    careful = any(is_like_a_formula(code) for code in codes)
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
    style = "unix" if careful else "excel"
    writer = csv.writer(text, style, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(_rows(columns))
    text.flush()
    text.detach()


def _write_parquet(file: BinaryIO, publication: Publication) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = _columns(publication)
    steps = {f"{name}_level" for name in publication.level}
    held = {n: pa.array(c, pa.int32() if n in steps else pa.string()) for n, c in columns.items()}
    pq.write_table(pa.table(held), file)


def _write_json(file: BinaryIO, publication: Publication) -> None:
    columns = _columns(publication)
    lead = "[\n"
    for row in _rows(columns):
        line = json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)
        file.write(f"{lead}{line}".encode())
        lead = ",\n"
    file.write(b"\n]\n" if lead != "[\n" else b"[]\n")


def _write_html(file: BinaryIO, publication: Publication) -> None:
    from ..report.public import public_report

    file.write(public_report(publication).encode())


def _rows(columns: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*columns.values(), strict=True)


WRITERS: Mapping[str, Callable[[BinaryIO, Publication], None]] = {
    ".csv": _write_csv,
    ".html": _write_html,
    ".json": _write_json,
    ".parquet": _write_parquet,
    ".xlsx": write_workbook,
}
