"""A look at the columns of records: what each may be good for, by what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..io.sources import Source, open_source

if TYPE_CHECKING:
    import pyarrow as pa

Part = Literal["code", "amount", "contributor", "holding", "nothing"]
MOST_CODES = 50
"""Numbers with more different values than this are amounts; so are those with fractions."""
ALIKE = 5
"""Records that a code of text has on average at the least."""
DIGITS = 4
"""Numbers that count records through have at least so many digits, all of them as many."""
NUMBER = r"^\s*[+-]?[0-9]+([.,][0-9]+)?\s*$"
FRACTION = r"[.,]"
NEGATIVE = r"^\s*-.*[1-9]"
PADDED = r"^\s*0[0-9]"


@dataclass(frozen=True, eq=False)
class Facts:
    """What a column holds: `texts` are its different values, `blank` counts records without any."""

    name: str
    texts: pa.LargeStringArray
    records: int
    blank: int
    is_first: bool

    @property
    def distinct(self) -> int:
        """How many different values there are."""
        return len(self.texts)

    @property
    def written(self) -> int:
        """Records that say something."""
        return self.records - self.blank

    @cached_property
    def is_number(self) -> bool:
        """All values are plain numbers, none of them padded with zeros as codes are."""
        return self._matching(NUMBER) == self.distinct and not self._matching(PADDED)

    @cached_property
    def has_negatives(self) -> bool:
        """Some number is below zero."""
        return self.is_number and self._matching(NEGATIVE) > 0

    @cached_property
    def part(self) -> Part:
        """What the column is probably good for."""
        if self.distinct <= 1:
            return "nothing"
        if self.is_number:
            return self._part_of_numbers()
        if 2 * self.distinct > self.written and 2 * self.blank <= self.records:
            return "contributor"
        if 2 * self.blank > self.records:
            return "holding"
        return "code" if ALIKE * self.distinct <= self.written else "nothing"

    def _part_of_numbers(self) -> Part:
        if self._matching(FRACTION):
            return "amount"
        if self.is_first and self.distinct == self.records and self._has_one_length():
            return "contributor"
        is_amount = self.distinct > MOST_CODES or 2 * self.distinct > self.written
        return "amount" if is_amount else "code"

    def _has_one_length(self) -> bool:
        import pyarrow.compute as pc

        ends = pc.min_max(pc.utf8_length(self.texts)).as_py()
        return bool(ends["min"] == ends["max"] >= DIGITS)

    def _matching(self, pattern: str) -> int:
        import pyarrow.compute as pc

        return int(pc.sum(pc.match_substring_regex(self.texts, pattern)).as_py() or 0)


def inspect(path: str | Path) -> list[Facts]:
    """What each column of a file of records holds."""
    source = open_source(path)
    return [_facts(source, title, place == 0) for place, title in enumerate(source.titles)]


def first(facts: Sequence[Facts], part: Part) -> Facts | None:
    """The first column that is good for a part."""
    return next((column for column in facts if column.part == part), None)


def _facts(source: Source, title: str, is_first: bool) -> Facts:
    import pyarrow.compute as pc

    texts = source.texts(title)
    counted = pc.value_counts(texts)
    values, counts = counted.field("values"), counted.field("counts")
    is_blank = pc.equal(pc.utf8_trim_whitespace(values), "")
    blank = int(pc.sum(counts.filter(is_blank)).as_py() or 0)
    return Facts(title, values.filter(pc.invert(is_blank)), len(source), blank, is_first)
