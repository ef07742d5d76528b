"""The text of a JJ file, cut into cells and equations."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import Bytes, Ints
from ..errors import InputError
from ..units import Unit
from .columns import LAST_BLANK, Column
from .files import read_utf8
from .numbers import Decimals

FIELDS = ("id", "value", "cost", "status", "lb", "ub", "lpl", "upl", "spl")
SIGNS = bytes.maketrans(b"():", b"   ")


@dataclass(frozen=True, eq=False)
class JJText:
    """What a JJ file says, cells by rising id; entries of the equations name cells by their place.

    `status` holds a letter a cell, or is None where the file has no such column.
    """

    path: str
    identity: Ints
    columns: dict[str, Column]
    status: Bytes | None
    right_side: Column
    equation: Ints
    cell: Ints
    coefficient: Ints

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.identity)


@dataclass(frozen=True, eq=False)
class _Tokens:
    """Texts between blanks and brackets; first token, number of tokens and number of every line with any."""

    path: str
    data: Bytes
    start: Ints
    length: Ints
    newline: Ints
    first: Ints
    count: Ints
    line: Ints

    @classmethod
    def of(cls, path: str, content: bytes) -> _Tokens:
        data = np.frombuffer(content.translate(SIGNS) + b"\n", np.uint8)
        written = np.zeros(len(data) + 1, np.bool_)
        np.greater(data, LAST_BLANK, out=written[1:])
        edge = np.flatnonzero(written[1:] != written[:-1])
        start = edge[::2].copy()
        length = edge[1::2] - start
        newline = np.flatnonzero(data == ord("\n"))
        upto = np.searchsorted(start, newline)
        count = np.diff(upto, prepend=0)
        line = np.flatnonzero(count)
        return cls(path, data, start, length, newline, (upto - count)[line], count[line], line + 1)

    def column(self, name: str, token: Ints) -> Column:
        return Column(name, self.data, self.start[token], self.length[token], self.where(token))

    def where(self, token: Ints) -> Callable[[int], str]:
        def say(row: int) -> str:
            return f"{self.path}, line {self.line_of(int(token[row]))}"

        return say

    def line_of(self, token: int) -> int:
        return int(np.searchsorted(self.newline, self.start[token])) + 1

    def whole_numbers(self, name: str, token: Ints) -> Ints:
        return Decimals.of(self.column(name, token)).units(Unit())


def parse_jj(path: str | Path) -> JJText:
    """Cut a JJ file into its cells and equations; what does not fit together is an error with its line."""
    content = read_utf8(path)
    if b"//" in content:
        content = re.sub(rb"(?m)^[ \t]*//.*$", b"", content)
    tokens = _Tokens.of(str(path), content)
    if not len(tokens.line):
        raise InputError(f"{path} is empty, expected a table in JJ form.")
    cells = _announced(tokens, content)
    field = _fields(tokens, cells)
    identity = tokens.whole_numbers("id", field["id"])
    order = np.argsort(identity, kind="stable")
    _refuse_repeats(tokens, field["id"][order], identity[order])
    columns = {name: tokens.column(name, token[order]) for name, token in field.items()}
    right_side, equation, member, coefficient = _equations(tokens, cells, content)
    known = identity[order]
    names = tokens.whole_numbers("cell", member)
    cell = np.minimum(np.searchsorted(known, names), cells - 1)
    unknown = np.flatnonzero(known[cell] != names)
    if len(unknown):
        line = tokens.line_of(int(member[unknown[0]]))
        raise InputError(
            f"{path}, line {line}: an equation names the cell {names[unknown[0]]}, "
            "which the file does not list."
        )
    factors = tokens.whole_numbers("coefficient", coefficient)
    status = columns.pop("status", None)
    letters = None if status is None else _letters(status)
    return JJText(str(path), known, columns, letters, right_side, equation, cell, factors)


def _announced(tokens: _Tokens, content: bytes) -> int:
    """How many cells the head of the file announces."""
    head = tokens.count[:2].tolist()
    if head[:1] != [1] or content.split(None, 1)[0] != b"0":
        raise InputError(
            f"{tokens.path}, line {tokens.line[0]}: expected '0' alone on the first line. Is this a JJ file?"
        )
    if head != [1, 1]:
        raise InputError(f"{tokens.path}: expected the number of cells alone on the second line.")
    cells = int(tokens.whole_numbers("number of cells", tokens.first[1:2])[0])
    if cells < 1:
        raise InputError(f"{tokens.path}, line {tokens.line[1]}: expected at least one cell.")
    return cells


def _fields(tokens: _Tokens, cells: int) -> dict[str, Ints]:
    """Where each field of each cell stands; eight fields where the file has no status."""
    said = f"{tokens.path}, line {tokens.line[1]} announces {cells} cells"
    count = tokens.count[2 : 2 + cells]
    width = int(count[0]) if len(count) else 0
    if width not in (len(FIELDS), len(FIELDS) - 1):
        found = f"line {tokens.line[2]} has {width}" if len(count) else "the file ends there"
        raise InputError(f"{said} of 8 or 9 fields, but {found}. Is the file cut off?")
    odd = np.flatnonzero(count != width)
    if len(odd) and count[odd[0]] == 1:
        raise InputError(
            f"{said}, found {odd[0]} (up to line {tokens.line[2 + odd[0]]}). Correct the number."
        )
    if len(odd):
        at = 2 + int(odd[0])
        raise InputError(
            f"{tokens.path}, line {tokens.line[at]}: expected {width} fields as in the lines before, "
            f"found {tokens.count[at]}. Is the file cut off?"
        )
    if len(count) < cells:
        raise InputError(f"{said}, found {len(count)}. Is the file cut off?")
    if len(tokens.count) == 2 + cells:
        raise InputError(f"{said}, and ends after them; expected the number of equations. Is it cut off?")
    if tokens.count[2 + cells] != 1:
        raise InputError(
            f"{said}, and line {tokens.line[2 + cells]} goes on with more than the number of equations. "
            "Correct the number of cells."
        )
    names = FIELDS if width == len(FIELDS) else tuple(f for f in FIELDS if f != "status")
    return {name: tokens.first[2 : 2 + cells] + place for place, name in enumerate(names)}


def _refuse_repeats(tokens: _Tokens, token: Ints, identity: Ints) -> None:
    twice = np.flatnonzero(identity[1:] == identity[:-1])
    if len(twice):
        lines = [tokens.line_of(int(token[twice[0] + step])) for step in (0, 1)]
        raise InputError(
            f"{tokens.path}: the cell {identity[twice[0]]} is on line {lines[0]} and on line {lines[1]}, "
            "expected every id once. Correct one of them."
        )


def _equations(tokens: _Tokens, cells: int, content: bytes) -> tuple[Column, Ints, Ints, Ints]:
    """Right-hand sides, and the equation, cell and coefficient token of every entry."""
    head = 2 + cells
    announced = int(tokens.whole_numbers("number of equations", tokens.first[head : head + 1])[0])
    begin = int(tokens.newline[tokens.line[head] - 1])
    rest = np.frombuffer(content, np.uint8)[begin:]
    colon = np.searchsorted(tokens.start, np.flatnonzero(rest == ord(":")) + begin)
    said = f"{tokens.path}, line {tokens.line[head]} announces {announced} equations"
    if len(colon) != announced:
        raise InputError(f"{said}, found {len(colon)}. Is the file cut off, or the number wrong?")
    start, end = colon, np.append(colon[1:] - 2, len(tokens.start))[: len(colon)]
    first = int(tokens.first[head]) + 1
    if (first != colon[0] - 2) if len(colon) else (first != len(tokens.start)):
        raise InputError(
            f"{tokens.path}, line {tokens.line[head + 1]}: expected an equation, "
            "such as '0 3 : 0 (-1) 1 (1) 2 (1)'."
        )
    count = tokens.whole_numbers("number of cells in an equation", colon - 1)
    odd = np.flatnonzero(end - start != 2 * count)
    brackets = [int(np.count_nonzero(rest == ord(sign))) for sign in "()"]
    if len(odd):
        raise InputError(
            f"{tokens.path}, line {tokens.line_of(int(colon[odd[0]]) - 1)}: the equation announces "
            f"{count[odd[0]]} cells and does not list as many with their coefficients. Is the file cut off?"
        )
    if brackets != [int(count.sum())] * 2:
        raise InputError(f"{tokens.path}: expected every coefficient in brackets, as in '0 (-1) 1 (1)'.")
    equation = np.repeat(np.arange(announced), count)
    inside = np.arange(len(equation)) - np.repeat(np.cumsum(count) - count, count)
    member = np.repeat(start, count) + 2 * inside
    return tokens.column("right-hand side", colon - 2), equation, member, member + 1


def _letters(status: Column) -> Bytes:
    """The status of each cell as a small letter."""
    letter = status.character(0) | np.uint8(32)
    known = (status.length == 1) & np.isin(letter, np.frombuffer(b"sumz", np.uint8))
    unknown = np.flatnonzero(~known)
    if len(unknown):
        raise status.wrong(
            int(unknown[0]),
            "expected the status s (open), u (sensitive), m (withheld before) or z (published as it is).",
        )
    return letter
