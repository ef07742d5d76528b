"""The dimensions of a table from the codes in its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Indices
from ..errors import InputError, listing, suggest
from ..hierarchy import TOTAL, Dimension, Hierarchy
from .columns import Where
from .hierarchies import read_hierarchy

if TYPE_CHECKING:
    import pyarrow as pa

TOTALS = ("Total", "total", "TOTAL", "T", "_T")
UNNAMED = "\0"
Tree = Hierarchy | str | Path


@dataclass(frozen=True)
class Spanning:
    """What a caller says of the dimensions: their trees, their totals, and whether totals may be missing."""

    hierarchies: Mapping[str, Tree | Sequence[Tree]]
    totals: Mapping[str, str]
    named: frozenset[str]
    may_lack_totals: bool

    def refuse_strangers(self, names: Sequence[str]) -> None:
        """An error where something is said of a dimension that is not there."""
        for said, what in ((self.hierarchies, "hierarchies"), (self.totals, "totals")):
            strange = [name for name in said if name not in names]
            if strange:
                raise InputError(f"Unknown dimension '{strange[0]}' in {what}. {suggest(strange[0], names)}")

    def dimension(
        self, name: str, texts: pa.LargeStringArray, file: str, where: Where
    ) -> tuple[Dimension, Indices]:
        """A dimension, and the place of each row's code in it; a blank is the total."""
        coded = texts.dictionary_encode()
        codes: list[str] = coded.dictionary.to_pylist()
        written = [code for code in codes if code.strip()]
        trees = self._trees(name, written)
        if trees:
            total = self._total_of(name, trees, codes)
            trees = [_rooted(name, tree, total) for tree in trees]
        else:
            trees = [_flat(written, self._flat_total(name, codes, file))]
        dimension = Dimension.of(name, *trees)
        places = _places(dimension, codes)
        row_place = places[coded.indices.to_numpy()]
        unknown = np.flatnonzero(row_place < 0)
        if len(unknown):
            code = codes[int(coded.indices[int(unknown[0])].as_py())]
            raise InputError(
                f"{where(int(unknown[0]))}, column '{name}': unknown code '{code}'. "
                f"{suggest(code, dimension.code)}"
            )
        return dimension, row_place

    def _trees(self, name: str, codes: Sequence[str]) -> list[Hierarchy]:
        given = self.hierarchies.get(name, ())
        several = [given] if isinstance(given, Hierarchy | str | Path) else list(given)
        total = self.totals.get(name)
        leaves = [code for code in codes if code not in (TOTALS if total is None else (total,))]
        trees = []
        for tree in several:
            if isinstance(tree, Hierarchy):
                trees.append(tree)
            else:
                has_root = str(tree).lower().endswith(".csv")
                trees.append(read_hierarchy(tree, name, total or (None if has_root else UNNAMED), leaves))
        return trees

    def _total_of(self, name: str, trees: Sequence[Hierarchy], codes: Sequence[str]) -> str:
        """The root that is said, else one that a tree has, else a usual name that the column holds."""
        if name in self.totals:
            return self.totals[name]
        roots = [tree.total for tree in trees if tree.total not in (UNNAMED, TOTAL)]
        if roots:
            return roots[0]
        inside = {code for tree in trees for code in tree.code[1:]}
        found = [code for code in TOTALS if code in codes and code not in inside]
        return self._lone(name, found) if found else TOTAL

    def _flat_total(self, name: str, codes: Sequence[str], file: str) -> str:
        if name in self.totals:
            return self.totals[name]
        found = [code for code in TOTALS if code in codes]
        if found:
            return self._lone(name, found)
        if name in self.named and self.may_lack_totals:
            return TOTAL
        blank = any(not code.strip() for code in codes)
        if blank and (name in self.named or not _all_numbers(codes)):
            return TOTAL
        if blank:
            raise InputError(
                f"{file} has numbers and blanks in the column '{name}', which may be a dimension or not. "
                "Name the dimensions with by=…"
            )
        raise InputError(
            f"{file} has no total in the column '{name}' ({', '.join(TOTALS)} or blank). Name its code with "
            f"totals={{'{name}': …}}; if the column is no dimension, name those that are with by=…; "
            "if the rows are records and no cells, tabulate them."
        )

    def _lone(self, name: str, found: Sequence[str]) -> str:
        if len(found) > 1:
            raise InputError(
                f"Several codes of '{name}' may be its total ({listing(found)}). "
                f"Name one with totals={{'{name}': …}}."
            )
        return found[0]


def _all_numbers(codes: Sequence[str]) -> bool:
    written = [code.strip().lstrip("+-") for code in codes if code.strip()]
    return all(code.replace(".", "").replace(",", "").isdigit() for code in written)


def _flat(codes: Sequence[str], total: str) -> Hierarchy:
    """All codes below the total; there may be none."""
    if any(code != total for code in codes):
        return Hierarchy.flat(codes, total)
    return Hierarchy((total,), np.array([-1], np.int32))


def _rooted(name: str, tree: Hierarchy, total: str) -> Hierarchy:
    if total in tree.code[1:]:
        raise InputError(f"The total '{total}' of '{name}' lies below '{tree.total}', expected it on top.")
    return replace(tree, code=(total, *tree.code[1:]))


def _places(dimension: Dimension, codes: Sequence[str]) -> Indices:
    """The place of each code as it is written, or else as it is written without blanks around it."""
    bare: dict[str, int] = {}
    for code, place in dimension.position.items():
        bare[code.strip()] = -1 if code.strip() in bare else place
    total = dimension.position[dimension.code[0]]
    found = [
        dimension.position.get(code, bare.get(code.strip(), -1)) if code.strip() else total for code in codes
    ]
    return np.array(found, np.int32)
