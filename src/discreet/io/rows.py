"""The rows of one or several sources, one source under the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Ints
from ..errors import listing
from .columns import Column
from .layout import Layout
from .numbers import Decimals
from .sources import Source

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of sources, and which column of each plays which part; what a source lacks is blank there."""

    sources: tuple[Source, ...]
    layouts: tuple[Layout, ...]

    @property
    def file(self) -> str:
        """The names of the sources."""
        return listing(source.name for source in self.sources)

    @cached_property
    def begin(self) -> Ints:
        """The first row of each source, and the end."""
        return np.cumsum([0] + [len(source) for source in self.sources])

    @property
    def by(self) -> tuple[str, ...]:
        """The dimensions of all sources."""
        return tuple(dict.fromkeys(name for layout in self.layouts for name in layout.by))

    @property
    def contributions(self) -> int:
        """How many contributions are listed at the most."""
        return max(layout.contributions for layout in self.layouts)

    @property
    def measure(self) -> str:
        """The column that holds the values."""
        return self.layouts[0].column["value"]

    def where(self, row: int) -> str:
        """Where a row stands in its source."""
        source = int(np.searchsorted(self.begin, row, side="right")) - 1
        return self.sources[source].where(row - int(self.begin[source]))

    def title(self, part: str) -> str:
        """The name of the column that plays a part."""
        return next((layout.column[part] for layout in self.layouts if part in layout.column), part)

    def has(self, part: str) -> bool:
        """Whether any source has a column for a part."""
        return any(part in layout.column for layout in self.layouts)

    def codes(self, dimension: str) -> pa.LargeStringArray:
        """The codes of a dimension; a source without it says nothing, which means its total."""
        return _stacked([s.texts(dimension) if dimension in y.by else _blank(s) for s, y in self._pairs()])

    def words(self, part: str) -> pa.LargeStringArray:
        """What the column of a part says."""
        return _stacked(
            [s.texts(y.column[part]) if part in y.column else _blank(s) for s, y in self._pairs()]
        )

    def numbers(self, part: str) -> Decimals:
        """The numbers in the column of a part."""
        texts = _stacked(
            [held.get(part, _blank(s)) for s, held in zip(self.sources, self._numbers, strict=True)]
        )
        return Decimals.of(Column.of(self.title(part), texts, self.where), part in ("lower", "upper"))

    @cached_property
    def _numbers(self) -> list[dict[str, pa.LargeStringArray]]:
        """All columns of numbers together, because they decide together what the decimal sign is."""
        read = []
        for source, layout in self._pairs():
            texts = source.numbers([layout.column[part] for part in layout.numbers])
            read.append({part: texts[layout.column[part]] for part in layout.numbers})
        return read

    def _pairs(self) -> list[tuple[Source, Layout]]:
        return list(zip(self.sources, self.layouts, strict=True))

    def __len__(self) -> int:
        return int(self.begin[-1])


def _blank(source: Source) -> pa.LargeStringArray:
    import pyarrow as pa

    return pa.array([""], pa.large_string()).take(pa.array(np.zeros(len(source), np.int64)))


def _stacked(texts: Sequence[pa.LargeStringArray]) -> pa.LargeStringArray:
    import pyarrow as pa

    return texts[0] if len(texts) == 1 else pa.concat_arrays(list(texts))
