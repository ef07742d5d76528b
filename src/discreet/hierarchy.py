"""One dimension of a table as a tree of codes, and several trees over the same leaves as one dimension."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import numpy as np

from .arrays import Frozen, Indices, Ints, sealed
from .errors import InputError, listing, suggest

TOTAL = "Total"


@dataclass(frozen=True, eq=False)
class Hierarchy(Frozen):
    """A tree of codes with one root, the total; every other code has one parent, listed before it."""

    code: tuple[str, ...]
    parent: Indices
    label: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def flat(cls, codes: Iterable[str], total: str = TOTAL) -> Hierarchy:
        """All codes directly below the total."""
        return cls.from_pairs([(total, code) for code in codes if code != total], total=total)

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[str, str]],
        label: Mapping[str, str] | None = None,
        name: str = "",
        total: str | None = None,
    ) -> Hierarchy:
        """A tree from (parent, child) pairs."""
        said = f"Hierarchy '{name}'" if name else "Hierarchy"
        parent_of: dict[str, str] = {}
        children: dict[str, list[str]] = {}
        for parent, child in dict.fromkeys(pairs):
            if parent_of.setdefault(child, parent) != parent:
                raise InputError(
                    f"{said} has the code '{child}' under two parents ('{parent_of[child]}' and '{parent}'), "
                    "expected one. Give two groupings of the same codes as two hierarchies."
                )
            children.setdefault(parent, []).append(child)
        roots = [code for code in children if code not in parent_of]
        if not parent_of:
            raise InputError(f"{said} is empty, expected at least one code below the total.")
        if not roots:
            raise InputError(f"{said} has a cycle through '{next(iter(parent_of))}', expected a tree.")
        if len(roots) > 1:
            raise InputError(
                f"{said} has {len(roots)} roots ({listing(roots)}), expected 1. Put them below one total."
            )
        if total is not None and roots[0] != total:
            raise InputError(f"{said} has the root '{roots[0]}', expected the total '{total}'.")
        codes, above = _preorder(roots[0], children)
        if len(codes) <= len(parent_of):
            lost = next(c for c in parent_of if c not in set(codes))
            raise InputError(f"{said} has a cycle through '{lost}', expected a tree.")
        return cls(codes, above, dict(label or {}))

    @classmethod
    def from_indented(
        cls, lines: Iterable[str], mark: str = "@", total: str = TOTAL, name: str = ""
    ) -> Hierarchy:
        """A tree from lines that start with one mark a level (.hrc files); the total is not listed."""
        said = f"Hierarchy '{name}'" if name else "Hierarchy"
        path = [total]
        pairs = []
        for row, line in enumerate(lines, 1):
            text = line.rstrip()
            if not text:
                continue
            depth = 0
            if not text.replace(mark, "").strip():
                raise InputError(f"{said}, line {row} has no code, expected one after the marks.")
            while mark and text.startswith(mark, depth * len(mark)):
                depth += 1
            code = text[depth * len(mark) :]
            if depth + 1 > len(path):
                raise InputError(
                    f"{said}, line {row}: '{code}' is {depth + 1 - len(path)} levels below a line that "
                    "is not there; expected the depth to rise by one at the most."
                )
            del path[depth + 1 :]
            pairs.append((path[depth], code))
            path.append(code)
        _refuse_repeats(said, [child for _, child in pairs], total)
        return cls.from_pairs(pairs, name=name, total=total)

    @classmethod
    def from_digits(
        cls, codes: Iterable[str], widths: Sequence[int], total: str = TOTAL, name: str = ""
    ) -> Hierarchy:
        """A tree in which the first digits of a code name its parents; widths are the digits a level adds."""
        said = f"Hierarchy '{name}'" if name else "Hierarchy"
        ends = list(np.cumsum(widths))
        if not ends or min(widths) < 1:
            raise InputError(
                f"{said}: expected the widths of the levels, each at least 1, got {list(widths)}."
            )
        pairs: dict[tuple[str, str], None] = {}
        for code in codes:
            if code == total:
                continue
            if len(code) not in ends:
                raise InputError(
                    f"{said}: the code '{code}' has {len(code)} characters, "
                    f"expected {listing(map(str, ends))}."
                )
            path = [total] + [code[:end] for end in ends if end <= len(code)]
            pairs.update(dict.fromkeys(pairwise(path)))
        return cls.from_pairs(pairs, name=name, total=total)

    @classmethod
    def from_columns(cls, columns: Sequence[Sequence[str]], total: str = TOTAL, name: str = "") -> Hierarchy:
        """A tree from nested columns, the coarsest first; a blank ends a path early."""
        pairs: dict[tuple[str, str], None] = {}
        for row in zip(*columns, strict=True):
            path = [total] + [code for code in row if code]
            steps = pairwise(path)
            pairs.update(dict.fromkeys(step for step in steps if step[0] != step[1]))
        return cls.from_pairs(pairs, name=name, total=total)

    @property
    def total(self) -> str:
        """The code of the root."""
        return self.code[0]

    @cached_property
    def position(self) -> dict[str, int]:
        """Where each code stands."""
        return {code: place for place, code in enumerate(self.code)}

    @cached_property
    def level(self) -> Indices:
        """Steps from the total to each code."""
        level = np.zeros(len(self.code), np.int32)
        for place in range(1, len(self.code)):
            level[place] = level[self.parent[place]] + 1
        return sealed(level)

    def __len__(self) -> int:
        return len(self.code)


def _preorder(root: str, children: Mapping[str, list[str]]) -> tuple[tuple[str, ...], Indices]:
    code: list[str] = []
    parent: list[int] = []
    waiting = [(root, -1)]
    while waiting:
        current, above = waiting.pop()
        place = len(code)
        code.append(current)
        parent.append(above)
        waiting += [(child, place) for child in reversed(children.get(current, []))]
    return tuple(code), np.array(parent, np.int32)


def _refuse_repeats(said: str, codes: list[str], total: str) -> None:
    seen = {total}
    for code in codes:
        if code in seen:
            raise InputError(f"{said} lists the code '{code}' twice, expected every code once.")
        seen.add(code)


@dataclass(frozen=True, eq=False)
class Dimension(Frozen):
    """A spanning variable: its codes, what they sum to, and which of them mean the same.

    `meaning[i]` is the first code with the same leaves as code i; a parent with one child and its child
    share a meaning, and so do codes of two groupings that hold the same leaves. Relation r says that
    `parent[r]` is the sum of the members from `start[r]` on.
    """

    name: str
    code: tuple[str, ...]
    meaning: Indices
    level: Indices
    parent: Indices
    start: Ints
    member: Indices
    label: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, *trees: Hierarchy) -> Dimension:
        """One variable from one hierarchy, or from several groupings of the same leaves."""
        if not trees:
            raise InputError(f"Dimension '{name}' has no hierarchy, expected one.")
        total = trees[0].total
        if any(tree.total != total for tree in trees):
            raise InputError(
                f"The groupings of '{name}' have different totals "
                f"({listing(dict.fromkeys(t.total for t in trees))}), expected the same code."
            )
        code = tuple(dict.fromkeys(c for tree in trees for c in tree.code))
        position = {c: i for i, c in enumerate(code)}
        families = [f for tree in trees for f in _families(tree, position)]
        meaning = _meanings(name, code, families)
        seen: dict[tuple[int, ...], None] = {}
        for parent, members in families:
            held = (int(meaning[parent]), *sorted({int(meaning[m]) for m in members}))
            if held[1:] != held[:1]:
                seen.setdefault(held)
        level = np.full(len(code), np.iinfo(np.int32).max, np.int32)
        for tree in trees:
            places = np.array([position[c] for c in tree.code])
            level[places] = np.minimum(level[places], tree.level)
        member = np.array([m for held in seen for m in held[1:]], np.int32)
        start = np.concatenate(([0], np.cumsum([len(held) - 1 for held in seen]))).astype(np.int64)
        label = {c: text for tree in reversed(trees) for c, text in tree.label.items()}
        parents = np.array([held[0] for held in seen], np.int32)
        return cls(name, code, meaning, level, parents, start, member, label)

    @cached_property
    def position(self) -> dict[str, int]:
        """Where each code stands."""
        return {code: place for place, code in enumerate(self.code)}

    @cached_property
    def canonical_level(self) -> Indices:
        """Level of each code's meaning."""
        return sealed(self.level[self.meaning])

    def locate(self, code: str) -> int:
        """The place of a code; an unknown one is an error."""
        try:
            return self.position[code]
        except KeyError:
            raise InputError(f"Unknown code '{code}' in '{self.name}'. {suggest(code, self.code)}") from None

    def __len__(self) -> int:
        return len(self.code)


def _families(tree: Hierarchy, position: Mapping[str, int]) -> list[tuple[int, list[int]]]:
    members: dict[int, list[int]] = {}
    for place in range(1, len(tree)):
        above = position[tree.code[tree.parent[place]]]
        members.setdefault(above, []).append(position[tree.code[place]])
    return list(members.items())


def _meanings(name: str, code: tuple[str, ...], families: list[tuple[int, list[int]]]) -> Indices:
    """Codes with the same leaves get the place of the first of them; fingerprints stand for leaf sets."""
    below: dict[int, list[list[int]]] = {}
    for parent, members in families:
        below.setdefault(parent, []).append(members)
    try:
        parts = {place: set().union(*below.get(place, [])) for place in range(len(code))}
        order = list(TopologicalSorter(parts).static_order())
    except CycleError as error:
        through = code[error.args[1][0]]
        raise InputError(
            f"The groupings of '{name}' form a cycle through '{through}', expected trees."
        ) from None
    random = np.random.default_rng(0)
    fingerprint: dict[int, int] = {}
    for place in order:
        sums = {sum(fingerprint[m] for m in members) for members in below.get(place, [])}
        if len(sums) > 1:
            raise InputError(
                f"The code '{code[place]}' of '{name}' holds different leaves in two groupings, "
                "expected the same. Give it two names, or make the groupings agree."
            )
        fingerprint[place] = sums.pop() if sums else int.from_bytes(random.bytes(16))

    first: dict[int, int] = {}
    return np.array([first.setdefault(fingerprint[place], place) for place in range(len(code))], np.int32)
