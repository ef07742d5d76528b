"""What everybody may read: the public table, and beside it the account of what was done to it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from ..errors import InputError, suggest
from .files import whole_file

SHOWN = ("value", "lower", "upper")


class Publishable(Protocol):
    """A public table: codes of each dimension row by row, values as text, and perhaps what bounds them."""

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The codes of each dimension."""
        ...

    @property
    def value(self) -> Sequence[str]:
        """The value of each row, or the mark of one that is withheld."""
        ...

    @property
    def lower(self) -> Sequence[str] | None:
        """The least that each value can be, if that is told."""
        ...

    @property
    def upper(self) -> Sequence[str] | None:
        """The most that each value can be, if that is told."""
        ...

    @property
    def account(self) -> Mapping[str, object]:
        """What was done to the table."""
        ...


def account_path(path: str | Path) -> Path:
    """Where the account of a public table stands: `NAME.account.json` for `NAME.csv`."""
    return Path(path).with_suffix(".account.json")


def write_publication(path: str | Path, publication: Publishable) -> None:
    """Write a public table in the form that its ending names, and the account beside it."""
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        raise InputError(f"{path}: unknown ending '{ending}' for a public table. {suggest(ending, WRITERS)}")
    columns = _columns(publication)
    account = json.dumps(dict(publication.account), indent=2, ensure_ascii=False, default=str) + "\n"
    with (
        whole_file(path, confidential=False) as table,
        whole_file(account_path(path), confidential=False) as beside,
    ):
        WRITERS[ending](table, columns)
        beside.write(account.encode())


def _columns(publication: Publishable) -> dict[str, Sequence[str]]:
    """All columns by name; each must have an entry a row, and no dimension may take another's name."""
    columns: dict[str, Sequence[str]] = dict(publication.columns)
    for name in SHOWN:
        held: Sequence[str] | None = getattr(publication, name)
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


def _write_csv(file: BinaryIO, columns: Mapping[str, Sequence[str]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(_rows(columns))
    text.flush()
    text.detach()


def _write_parquet(file: BinaryIO, columns: Mapping[str, Sequence[str]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({name: pa.array(held, pa.string()) for name, held in columns.items()}), file)


def _write_json(file: BinaryIO, columns: Mapping[str, Sequence[str]]) -> None:
    lead = "[\n"
    for row in _rows(columns):
        line = json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)
        file.write(f"{lead}{line}".encode())
        lead = ",\n"
    file.write(b"\n]\n" if lead != "[\n" else b"[]\n")


def _rows(columns: Mapping[str, Sequence[str]]) -> Iterator[tuple[Any, ...]]:
    return zip(*columns.values(), strict=True)


WRITERS: Mapping[str, Callable[[BinaryIO, Mapping[str, Sequence[str]]], None]] = {
    ".csv": _write_csv,
    ".json": _write_json,
    ".parquet": _write_parquet,
}
