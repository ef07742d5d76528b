"""One column of a file as the texts that stand in it, and how to say where one of them stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..arrays import Bytes, Ints, Mask
from ..errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

Where = Callable[[int], str]
LAST_BLANK = 32


@dataclass(frozen=True, eq=False)
class Column:
    """Texts that lie in one run of bytes, from `start` on, `length` bytes each, without blanks around them.

    `where(row)` says where a text stands, such as `cells.csv, line 8`.
    """

    name: str
    data: Bytes
    start: Ints
    length: Ints
    where: Where

    @classmethod
    def of(cls, name: str, texts: pa.LargeStringArray, where: Where) -> Column:
        """A column from the Arrow array of its texts."""
        _, bounds, content = texts.buffers()
        offset = np.frombuffer(bounds, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        data = np.frombuffer(content, np.uint8) if content else np.zeros(1, np.uint8)
        start, length = _trimmed(data, offset[:-1].copy(), np.diff(offset))
        return cls(name, data, start, length, where)

    @property
    def blank(self) -> Mask:
        """Rows where nothing is written."""
        return np.asarray(self.length == 0)

    def text(self, row: int) -> str:
        """What is written in a row."""
        begin = int(self.start[row])
        return self.data[begin : begin + int(self.length[row])].tobytes().decode(errors="replace")

    def distinct(self, rows: Ints) -> tuple[list[int], Ints]:
        """A row for each different text among some rows, and which of them each row repeats."""
        import pyarrow as pa

        samples: list[int] = []
        kind = np.empty(len(rows), np.int64)
        for length in np.unique(self.length[rows]).tolist():
            place = np.flatnonzero(self.length[rows] == length)
            texts = sliding_window_view(self.data, length)[self.start[rows[place]]]
            packed = [None, pa.py_buffer(np.ascontiguousarray(texts))]
            coded = pa.FixedSizeBinaryArray.from_buffers(pa.binary(length), len(place), packed)
            alike = coded.dictionary_encode().indices.to_numpy().astype(np.int64)
            first = np.full(int(alike.max()) + 1, len(rows))
            np.minimum.at(first, alike, place)
            kind[place] = alike + len(samples)
            samples += rows[first].tolist()
        return samples, kind

    def character(self, place: int) -> Bytes:
        """The bytes at one place of every text, blanks where a text is shorter."""
        inside = place < self.length
        at = np.where(inside, self.start + place, 0)
        return np.where(inside, self.data[at], np.uint8(LAST_BLANK))

    def wrong(self, row: int, expected: str) -> InputError:
        """The error for a row; it never shows what is written there."""
        return InputError(f"{self.where(int(row))}, column '{self.name}': {expected}")

    def __len__(self) -> int:
        return len(self.start)


def _trimmed(data: Bytes, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """The same texts without the blanks at their ends."""
    for step, end in ((1, 0), (0, -1)):
        rows = np.flatnonzero(length > 0)
        while len(rows):
            at = start[rows] if end == 0 else start[rows] + length[rows] - 1
            rows = rows[data[at] <= LAST_BLANK]
            start[rows] += step
            length[rows] -= 1
            rows = rows[length[rows] > 0]
    return start, length
