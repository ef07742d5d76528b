"""The variables that span a table of records: the trees of their codes, those for missing among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Indices, Mask
from ..errors import InputError, listing, suggest
from ..hierarchy import TOTAL, Dimension, Hierarchy
from ..io.hierarchies import read_hierarchy

if TYPE_CHECKING:
    import pyarrow as pa

Tree = Hierarchy | str | Path
Place = Callable[[str, str], str]
"""Where a variable has a code first, such as `firms.csv, line 8`."""


def nowhere(name: str, code: str) -> str:
    """For codes that stand in no file."""
    return "the records"


@dataclass(frozen=True)
class Spans:
    """What a caller says of the variables: their trees, the codes of their totals, and those for missing.

    `place` finds a code in the records, for whoever has to correct it.
    """

    hierarchies: Mapping[str, Tree | Sequence[Tree]] = field(default_factory=dict)
    totals: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    place: Place = nowhere

    def refuse_strangers(self, by: Sequence[str]) -> None:
        """An error where something is said of a variable that does not span the table."""
        for what in ("hierarchies", "totals", "missing"):
            strange = [name for name in getattr(self, what) if name not in by]
            if strange:
                raise InputError(f"Unknown variable '{strange[0]}' in {what}. {suggest(strange[0], by)}")

    def dimension(self, name: str, codes: Sequence[str]) -> tuple[Dimension, tuple[Hierarchy, ...]]:
        """The dimension of the codes that records have, and the trees it is made of."""
        total, lost = self.totals.get(name), list(self.missing.get(name, ()))
        written = [code for code in codes if code and code not in lost]
        trees = self._trees(name, written, total)
        if not trees:
            # without a tree there are only the codes that occur
            trees, lost = [Hierarchy.flat(written, total or TOTAL)], [c for c in lost if c in codes]
        trees = [_with_missing(tree, lost) for tree in trees]
        dimension = Dimension.of(name, *trees)
        _refuse_unknown(name, dimension, trees, codes, self.place)
        return dimension, tuple(trees)

    def is_missing(self, dimension: Dimension) -> Mask:
        """Which codes of a dimension stand for a missing one."""
        lost = self.missing.get(dimension.name, ())
        return np.array([code in lost for code in dimension.code], np.bool_)

    def _trees(self, name: str, codes: Sequence[str], total: str | None) -> list[Hierarchy]:
        given = self.hierarchies.get(name, ())
        several = [given] if isinstance(given, Hierarchy | str | Path) else list(given)
        return [
            tree if isinstance(tree, Hierarchy) else read_hierarchy(tree, name, total, sorted(codes))
            for tree in several
        ]


def places(dimension: Dimension, column: pa.ChunkedArray) -> Indices:
    """The place of each code of a column."""
    coded = column.combine_chunks().dictionary_encode()
    known = np.array([dimension.position[code] for code in coded.dictionary.to_pylist()], np.int32)
    found: Indices = known[coded.indices.to_numpy()]
    return found


def _with_missing(tree: Hierarchy, lost: Sequence[str]) -> Hierarchy:
    """A tree in which codes for missing stand right below the root."""
    more = [code for code in lost if code not in tree.position]
    parent = np.concatenate((tree.parent, np.zeros(len(more), np.int32)))
    return replace(tree, code=(*tree.code, *more), parent=parent)


def _refuse_unknown(
    name: str, dimension: Dimension, trees: Sequence[Hierarchy], codes: Sequence[str], place: Place
) -> None:
    inner = {tree.code[p] for tree in trees for p in tree.parent[1:].tolist()}
    unknown = [code for code in codes if code not in dimension.position]
    coarse = [code for code in codes if code in inner]
    for wrong in ([""] if "" in unknown else unknown or coarse)[:1]:
        where = f"{place(name, wrong)}, column '{name}'"
        declare = f"declare codes for missing with missing={{'{name}': …}}"
        if not wrong:
            raise InputError(
                f"{where}: no code in '{name}', expected one of its {len(dimension)} codes. "
                f"Write one, or {declare}."
            )
        if unknown:
            raise InputError(
                f"{where}: {len(unknown)} of its codes are unknown: {listing(unknown)}. "
                f"{suggest(wrong, dimension.code)} Correct them, or {declare}."
            )
        raise InputError(
            f"{where}: {len(coarse)} of its codes are totals of others: {listing(coarse)}. "
            "Expected records with the finest codes alone. Are the rows cells, and no records?"
        )
