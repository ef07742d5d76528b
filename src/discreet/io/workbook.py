"""A public table as a workbook: the table as people lay it out, and the account on a sheet of its own.

Codes, labels and marks are written as texts, whatever they look like; only values are numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, BinaryIO

from ..profile import is_like_a_formula
from ..result import Publication
from .sheets import Sheet, lay_out

DEEPEST = 7
"""Outlines of spreadsheets end here."""
DIGITS = 15
"""Spreadsheets round numbers of more; those are written as texts."""
WIDEST, NARROWEST = 48, 9
LINE = 15
"""Height of a line of text, in points."""


def write_workbook(file: BinaryIO, publication: Publication) -> None:
    """Write a sheet for the table, one for each end of the told intervals, and one for the account."""
    import xlsxwriter

    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        ink = _Ink(book)
        for sheet in lay_out(publication):
            _write_sheet(book.add_worksheet(sheet.name), sheet, ink, publication.profile.marks)
        _write_account(book.add_worksheet("Account"), publication.account, ink)


@dataclass
class _Ink:
    """The formats of a workbook, each made once."""

    book: Any

    def __post_init__(self) -> None:
        self.made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def of(self, **how: Any) -> Any:
        """The format with these properties."""
        key = tuple(sorted(how.items()))
        if key not in self.made:
            self.made[key] = self.book.add_format(dict(key))
        return self.made[key]


def _write_sheet(paper: Any, sheet: Sheet, ink: _Ink, marks: Sequence[str]) -> None:
    across = len(sheet.corner)
    _write_head(paper, sheet, ink)
    for line, level in enumerate(sheet.row_level):
        down = sheet.head + line
        for place, head in enumerate(sheet.rows[line]):
            step = min(DEEPEST, sheet.indents[line][place])
            _write_text(paper, down, place, head, ink, bold=level == 0, indent=step)
        for place, text in enumerate(sheet.texts[line]):
            total = level == 0 or sheet.column_level[place] == 0
            _write_value(paper, down, across + place, text, marks, ink, total)
    _arrange(paper, sheet, across)


def _write_head(paper: Any, sheet: Sheet, ink: _Ink) -> None:
    """Names and codes, what the codes mean, and a line below."""
    across, last = len(sheet.corner), sheet.head - 1
    for place, name in enumerate(sheet.corner):
        _write_text(paper, last, place, name, ink, bold=True, bottom=1)
    for place, name in enumerate(sheet.columns):
        bold, line = sheet.column_level[place] == 0, 0 if last else 1
        _write_text(paper, 0, across + place, name, ink, bold=bold, bottom=line, align="right")
    for place, label in enumerate(sheet.labels):
        _write_text(paper, 1, across + place, label, ink, bottom=1, align="right", text_wrap=True)


def _arrange(paper: Any, sheet: Sheet, across: int) -> None:
    """Outlines with the totals first, headings that stay, and columns as wide as what they hold."""
    paper.freeze_panes(sheet.head, across)
    paper.set_landscape()
    paper.repeat_rows(0, sheet.head - 1)
    paper.repeat_columns(0, across - 1)
    paper.outline_settings(symbols_below=False, symbols_right=False)
    top = min(sheet.row_level, default=0)
    for line, level in enumerate(sheet.row_level, sheet.head):
        if level > top:
            paper.set_row(line, None, None, {"level": min(level - top, DEEPEST)})
    for place in range(across):
        held = (
            head[place] + "  " * step[place] for head, step in zip(sheet.rows, sheet.indents, strict=True)
        )
        paper.set_column(place, place, _width([sheet.corner[place], *held]))
    widths = [
        _width([name, *(row[place] for row in sheet.texts)]) for place, name in enumerate(sheet.columns)
    ]
    for place, width in enumerate(widths, across):
        level = min(sheet.column_level[place - across], DEEPEST) if sheet.is_crossed else 0
        paper.set_column(place, place, width, None, {"level": level})
    if sheet.labels:
        lines = max(
            -(-4 * len(label) // (3 * width)) for label, width in zip(sheet.labels, widths, strict=True)
        )
        paper.set_row(1, LINE * max(1, lines))


def _write_value(
    paper: Any, line: int, place: int, text: str, marks: Sequence[str], ink: _Ink, total: bool
) -> None:
    if text in marks or not text:
        _write_text(paper, line, place, text, ink, bold=total, align="right")
        return
    number = Decimal(text)
    if len(number.as_tuple().digits) > DIGITS:
        _write_text(paper, line, place, text, ink, bold=total, align="right")
        return
    decimals = len(text.partition(".")[2])
    form = "#,##0" + (f".{'0' * decimals}" if decimals else "")
    paper.write_number(line, place, float(number), ink.of(num_format=form, bold=total))


def _write_text(paper: Any, line: int, place: int, text: str, ink: _Ink, **how: Any) -> None:
    """A text that stays one, also when somebody edits the cell."""
    quoted = {"quote_prefix": True} if is_like_a_formula(text) else {}
    paper.write_string(line, place, text, ink.of(**how, **quoted))


def _write_account(paper: Any, account: Mapping[str, object], ink: _Ink) -> None:
    paper.set_column(0, 0, 28)
    paper.set_column(1, 1, 80)
    for line, (name, held) in enumerate(_flat(account)):
        _write_text(paper, line, 0, name, ink, bold=True, valign="top")
        _write_text(paper, line, 1, held, ink, text_wrap=True)


def _flat(account: Mapping[str, object], lead: str = "") -> Iterator[tuple[str, str]]:
    """An account as lines, with the names of what lies in it strung together."""
    for name, held in account.items():
        said = f"{lead}{name}".replace("_", " ")
        if isinstance(held, Mapping):
            yield from _flat(held, f"{said}: ")
        else:
            yield said, {True: "yes", False: "no"}[held] if isinstance(held, bool) else str(held)


def _width(texts: Sequence[str]) -> int:
    """Room for the longest, and for the signs between its thousands."""
    longest = max(map(len, texts))
    return min(WIDEST, max(NARROWEST, 2 + longest + longest // 5))
