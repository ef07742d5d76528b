"""Hierarchies from the files that people keep them in: indented lists, CSV files, and digits of codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import InputError, suggest
from ..hierarchy import TOTAL, Hierarchy
from .files import in_file, read_text
from .sources import csv_rows

DIGITS = "digits:"
MARK = "@"


def read_hierarchy(
    source: str | Path,
    name: str = "",
    total: str | None = None,
    codes: Iterable[str] = (),
    mark: str = MARK,
) -> Hierarchy:
    """The tree of codes that a file or a few words describe.

    `source` is an indented list (`.hrc`, one `mark` a level, the total not listed), a `.csv` with the
    columns parent, child and perhaps label or else one column a level from the coarsest to the finest
    (no total among them), or `digits:2,1,1`: the first two digits of one of the `codes` name its parent,
    the next one its child, and so on. Without a `total` it is the code 'Total', or the root of the pairs.
    """
    if isinstance(source, str) and source.startswith(DIGITS):
        return Hierarchy.from_digits(codes, _widths(source), total=total or TOTAL, name=name)
    path = Path(source)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"{path}: expected a hierarchy as {', '.join(READERS)} or '{DIGITS}2,1,1', "
            f"got '{path.suffix or path.name}'."
        )
    return reader(path, name or path.stem, total, mark)


def _widths(text: str) -> list[int]:
    try:
        return [int(part) for part in text.removeprefix(DIGITS).split(",")]
    except ValueError:
        raise InputError(
            f"Expected the digits of each level, such as '{DIGITS}2,1,1', got '{text}'."
        ) from None


def _read_indented(path: Path, name: str, total: str | None, mark: str) -> Hierarchy:
    lines = read_text(path).splitlines()
    with in_file(path):
        return Hierarchy.from_indented(lines, mark=mark, total=total or TOTAL, name=name)


def _read_csv(path: Path, name: str, total: str | None, _: str) -> Hierarchy:
    header, rows = csv_rows(path)
    known = [title.lower() for title in header]
    if ("parent" in known) != ("child" in known):
        missing = "child" if "parent" in known else "parent"
        raise InputError(f"{path}: no column '{missing}'. {suggest(missing, header)}")
    with in_file(path):
        if "parent" in known:
            return _from_pairs(known, rows, name, total)
        _refuse_unfinished(rows)
        return Hierarchy.from_columns(list(zip(*rows, strict=True)), total=total or TOTAL, name=name)


def _from_pairs(header: list[str], rows: list[list[str]], name: str, total: str | None) -> Hierarchy:
    parent, child = header.index("parent"), header.index("child")
    for line, row in enumerate(rows, 2):
        if not row[child]:
            raise InputError(f"line {line}: a child without a code, expected one in every row.")
    pairs = [(row[parent], row[child]) for row in rows if row[parent]]
    labels: dict[str, str] = {}
    if "label" in header:
        place = header.index("label")
        labels = {row[child]: row[place] for row in rows if row[place]}
    return Hierarchy.from_pairs(pairs, label=labels, name=name, total=total)


def _refuse_unfinished(rows: list[list[str]]) -> None:
    for line, row in enumerate(rows, 2):
        blank = [not code for code in row]
        if blank != sorted(blank):
            raise InputError(
                f"line {line}: a level is blank and a finer one is not, expected the finest blank."
            )


READERS: dict[str, Callable[[Path, str, str | None, str], Hierarchy]] = {
    ".hrc": _read_indented,
    ".csv": _read_csv,
}
