"""Which cells a table has and which sums they obey, whatever the table was built from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Frozen, Indices, Ints, Mask, sealed, segments
from .errors import InputError, listing
from .hierarchy import Dimension

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

KEY_LIMIT = 2**62
SMALL = np.int64(2**31 - 1)


@dataclass(frozen=True, eq=False)
class Structure(Frozen):
    """Cells and the equations between them, `A x = 0`, one compressed row an equation.

    Equation q holds the cells `cell[start[q]:start[q + 1]]` with whole coefficients, its total first
    (coefficient -1) where it was built from dimensions. `code[i, d]` is the place of cell i's code in
    dimension d, and `axis[q]` the dimension that equation q sums over; both are empty for tables that
    were read as equations, whose cells go by their `identity`.
    """

    size: int
    start: Ints
    cell: Indices
    coefficient: Ints
    dimensions: tuple[Dimension, ...] = ()
    code: Indices | None = None
    axis: Indices | None = None
    identity: tuple[str, ...] | None = None

    @classmethod
    def from_dimensions(cls, dimensions: Sequence[Dimension], code: Indices) -> Structure:
        """The cells with these codes, a row each, and every sum of which they hold at least one part."""
        dimensions = tuple(dimensions)
        code = _canonical(dimensions, code)
        blocks = [_sums_over(d, dimensions, code) for d in range(len(dimensions))]
        for d, block in enumerate(blocks):
            if len(block.missing):
                absent = np.unique(_missing_codes(d, dimensions, code, block), axis=0)
                names = listing(_cell_name(dimensions, row) for row in absent)
                raise InputError(
                    f"{len(absent)} totals over '{dimensions[d].name}' are not in the table: {names}. "
                    "Add them, or ask for totals to be computed."
                )
        length = np.concatenate([np.diff(b.start) for b in blocks]) if blocks else np.zeros(0, np.int64)
        return cls(
            size=len(code),
            start=np.concatenate(([0], np.cumsum(length))).astype(np.int64),
            cell=np.concatenate([b.cell for b in blocks]),
            coefficient=np.concatenate([b.coefficient for b in blocks]),
            dimensions=dimensions,
            code=code,
            axis=np.repeat(np.arange(len(blocks), dtype=np.int32), [len(b.start) - 1 for b in blocks]),
        )

    @classmethod
    def full(cls, dimensions: Sequence[Dimension]) -> Structure:
        """Every combination of codes, the last dimension fastest."""
        distinct = [np.unique(d.meaning) for d in dimensions]
        grid = np.meshgrid(*distinct, indexing="ij", copy=False)
        code = np.stack([g.ravel() for g in grid], axis=1).astype(np.int32)
        return cls.from_dimensions(dimensions, code)

    @classmethod
    def from_equations(
        cls,
        size: int,
        equations: Iterable[Sequence[tuple[int, int]]],
        identity: Sequence[str] | None = None,
    ) -> Structure:
        """Cells 0 to size - 1 and equations given as (cell, coefficient) pairs."""
        rows: list[int] = []
        cells: list[int] = []
        coefficients: list[int] = []
        for place, equation in enumerate(equations):
            for cell, coefficient in equation:
                if not 0 <= cell < size:
                    raise InputError(f"Equation {place} names the cell {cell}, expected 0 to {size - 1}.")
                if abs(coefficient) > SMALL:
                    _refuse_coefficient(place)
                rows.append(place)
                cells.append(cell)
                coefficients.append(coefficient)
        row, cell_, factor = (np.array(held, np.int64) for held in (rows, cells, coefficients))
        return cls.from_entries(size, row, cell_, factor, identity)[0]

    @classmethod
    def from_entries(
        cls, size: int, equation: Ints, cell: Ints, coefficient: Ints, identity: Sequence[str] | None = None
    ) -> tuple[Structure, Ints]:
        """Cells 0 to size - 1 and equations given entry by entry, an equation's entries in one run.

        Entries that name a cell twice are added up. Equations that hold no cell in the end are left out;
        the numbers of the others come back beside the structure.
        """
        outside = np.flatnonzero((cell < 0) | (cell >= size))
        if len(outside):
            place = outside[0]
            raise InputError(
                f"Equation {equation[place]} names the cell {cell[place]}, expected 0 to {size - 1}."
            )
        names = None if identity is None else tuple(identity)
        if names is not None and len(names) != size:
            raise InputError(f"Expected {size} cell names, got {len(names)}.")
        equation, cell, coefficient = _merged(equation, cell, coefficient)
        large = np.flatnonzero(np.abs(coefficient) > SMALL)
        if len(large):
            _refuse_coefficient(int(equation[large[0]]))
        begins = np.flatnonzero(np.diff(equation, prepend=-1))
        structure = cls(
            size=size,
            start=np.append(begins, len(cell)).astype(np.int64),
            cell=cell.astype(np.int32),
            coefficient=coefficient.astype(np.int64),
            identity=names,
        )
        return structure, equation[begins]

    @property
    def equations(self) -> int:
        """How many equations there are."""
        return len(self.start) - 1

    @cached_property
    def row(self) -> Indices:
        """The equation of every entry."""
        return sealed(np.repeat(np.arange(self.equations, dtype=np.int32), np.diff(self.start)))

    @cached_property
    def total(self) -> Ints:
        """The cell that each equation sums up to, its only negative one; -1 where no cell plays that part."""
        total = np.full(self.equations, -1, np.int64)
        lone = np.flatnonzero((self.coefficient == -1) & _only_negative(self))
        total[self.row[lone]] = self.cell[lone]
        return sealed(total)

    @cached_property
    def matrix(self) -> csr_matrix[np.int64]:
        """The equations as a sparse matrix."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.coefficient, self.cell, self.start), shape=(self.equations, self.size))

    @cached_property
    def by_cell(self) -> tuple[Ints, Indices, Ints]:
        """Start, equation and coefficient of every entry, ordered by cell."""
        turned = self.matrix.tocsc()
        return (
            sealed(turned.indptr.astype(np.int64)),
            sealed(turned.indices.astype(np.int32)),
            sealed(turned.data.astype(np.int64)),
        )

    @cached_property
    def component(self) -> Indices:
        """Number of the connected part of the table that each cell lies in."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        nodes = self.size + self.equations
        links = coo_matrix(
            (np.ones(len(self.cell), np.int8), (self.cell, self.row + self.size)), (nodes, nodes)
        )
        label = connected_components(links, directed=False)[1][: self.size]
        return sealed(np.unique(label, return_inverse=True)[1].astype(np.int32))

    @cached_property
    def redundant(self) -> Mask:
        """Equations that follow from the others: both sides come to the same sum of finest cells.

        Each total is followed down to the finest cells through one of its equations; another equation of
        the same total is redundant when it leads to the same cells. Sums of finest cells are compared by
        fingerprints of 64 bits. What is called redundant is so; unusual redundancies may be missed.
        """
        return sealed(_redundant(self))

    @cached_property
    def orientation(self) -> Indices | None:
        """A sign for every equation that turns the table into a network, 0 for redundant ones, or None.

        With it every cell leaves at most one equation and enters at most one other, so that the cells are
        the arcs of a network whose nodes are equations (and one node outside).
        """
        return _orientation(self)

    @property
    def is_network(self) -> bool:
        """Whether moves within the table are flows in a network."""
        return self.orientation is not None

    def imbalance(self, value: Ints) -> Ints:
        """What each equation misses of zero, exactly; a sum beyond 2^63 - 1 is an error."""
        if not len(self.cell):
            return np.zeros(self.equations, np.int64)
        largest = int(np.abs(self.coefficient).max())
        longest = int(np.diff(self.start).max())
        if largest * longest >= SMALL:
            return self._imbalance_in_python(value)
        low = np.add.reduceat(self.coefficient * (value & SMALL)[self.cell], self.start[:-1])
        high = np.add.reduceat(self.coefficient * (value >> 31)[self.cell], self.start[:-1]) + (low >> 31)
        beyond = (high > 2**32 - 1) | (high < -(2**32)) | ((high == -(2**32)) & (low & SMALL == 0))
        if beyond.any():
            self._refuse_overflow(int(np.flatnonzero(beyond)[0]))
        total: Ints = (high << 31) + (low & SMALL)
        return total

    def _imbalance_in_python(self, value: Ints) -> Ints:
        total = np.zeros(self.equations, np.int64)
        for q in range(self.equations):
            cells, coefficients = self.equation(q)
            exact = sum(int(a) * int(x) for a, x in zip(coefficients, value[cells], strict=True))
            if abs(exact) >= 2**63:
                self._refuse_overflow(q)
            total[q] = exact
        return total

    def _refuse_overflow(self, equation: int) -> None:
        raise InputError(
            f"A sum beyond 2^63 - 1 units in {self.equation_name(equation)}. Declare a coarser unit."
        )

    def equation(self, place: int) -> tuple[Indices, Ints]:
        """Cells and coefficients of one equation."""
        part = slice(int(self.start[place]), int(self.start[place + 1]))
        return self.cell[part], self.coefficient[part]

    def name(self, cell: int) -> str:
        """A cell by its codes."""
        if self.code is not None:
            return _cell_name(self.dimensions, self.code[cell])
        return f"cell {cell}" if self.identity is None else f"cell {self.identity[cell]}"

    def equation_name(self, place: int) -> str:
        """An equation by the total it makes and the variable it sums over."""
        total = self.name(int(self.total[place] if self.total[place] >= 0 else self.cell[self.start[place]]))
        if self.axis is None:
            return f"equation {place} (total: {total})"
        return f"the sum over '{self.dimensions[self.axis[place]].name}' to ({total})"

    def names(self, cells: Iterable[int], most: int = 5) -> str:
        """A few cells by their codes."""
        return listing((f"({self.name(int(c))})" for c in cells), most)


def missing_totals(dimensions: Sequence[Dimension], code: Indices) -> Indices:
    """Codes of the totals that some cells have a part of and that are not there themselves."""
    dimensions = tuple(dimensions)
    code = _canonical(dimensions, code)
    found = [
        _missing_codes(d, dimensions, code, _sums_over(d, dimensions, code)) for d in range(len(dimensions))
    ]
    return np.unique(np.concatenate(found), axis=0).astype(np.int32)


@dataclass(frozen=True)
class _Sums:
    """The equations over one dimension; `missing` are those without a total, as (part, relation) pairs."""

    start: Ints
    cell: Indices
    coefficient: Ints
    missing: Ints


def _canonical(dimensions: tuple[Dimension, ...], code: Indices) -> Indices:
    columns = [d.meaning[code[:, place]] for place, d in enumerate(dimensions)]
    if not columns:
        raise InputError("A table needs at least one dimension, got none.")
    return np.stack(columns, axis=1).astype(np.int32)


def _sums_over(d: int, dimensions: tuple[Dimension, ...], code: Indices) -> _Sums:
    """Members are joined to the relations of their code; equal (context, relation) keys form an equation."""
    dimension = dimensions[d]
    relations = len(dimension.parent)
    radix = max(len(dimension), relations, 1)
    context = _context_key(d, dimensions, code, radix)
    place_key = context * radix + code[:, d]
    order = np.argsort(place_key, kind="stable")
    sorted_key = place_key[order]
    if (sorted_key[1:] == sorted_key[:-1]).any():
        twice = int(order[np.flatnonzero(sorted_key[1:] == sorted_key[:-1])[0]])
        raise InputError(f"The cell ({_cell_name(dimensions, code[twice])}) is given twice, expected once.")

    relation_of_entry = np.repeat(np.arange(relations), np.diff(dimension.start))
    by_code = np.argsort(dimension.member, kind="stable")
    count = np.bincount(dimension.member, minlength=len(dimension))
    first = np.concatenate(([0], np.cumsum(count)))
    repeats = count[code[:, d]]
    part = np.repeat(np.arange(len(code), dtype=np.int32), repeats)
    offset = np.arange(len(part)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    relation = relation_of_entry[by_code[first[code[part, d]] + offset]]

    key = context[part] * radix + relation
    grouped = np.argsort(key, kind="stable")
    key, part, relation = key[grouped], part[grouped], relation[grouped]
    begins = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.zeros(0, int)
    total_key = context[part[begins]] * radix + dimension.parent[relation[begins]]
    where = np.searchsorted(sorted_key, total_key)
    where = np.minimum(where, len(sorted_key) - 1)
    present = sorted_key[where] == total_key
    if not present.all():
        absent = begins[~present]
        return _Sums(
            np.zeros(1, np.int64), part[:0], relation[:0], np.stack([part[absent], relation[absent]], 1)
        )

    length = np.diff(np.append(begins, len(key))) + 1
    start = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
    cell = np.empty(len(key) + len(begins), np.int32)
    coefficient = np.ones(len(cell), np.int64)
    is_total = np.zeros(len(cell), np.bool_)
    is_total[start[:-1]] = True
    cell[is_total] = order[where]
    cell[~is_total] = part
    coefficient[is_total] = -1
    return _Sums(start, cell, coefficient, np.zeros((0, 2), np.int64))


def _context_key(d: int, dimensions: tuple[Dimension, ...], code: Indices, radix: int) -> Ints:
    """One number for the codes of all other dimensions; compressed whenever the next digit would not fit."""
    key = np.zeros(len(code), np.int64)
    span = 1
    for other, dimension in enumerate(dimensions):
        if other == d:
            continue
        if span * len(dimension) * radix >= KEY_LIMIT:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            span = len(code)
        key = key * len(dimension) + code[:, other]
        span *= len(dimension)
    if span * radix >= KEY_LIMIT:
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return key


def _missing_codes(d: int, dimensions: tuple[Dimension, ...], code: Indices, block: _Sums) -> Indices:
    missing = (
        code[block.missing[:, 0]].copy() if len(block.missing) else np.zeros((0, len(dimensions)), np.int32)
    )
    if len(missing):
        missing[:, d] = dimensions[d].parent[block.missing[:, 1]]
    return missing.astype(np.int32)


def _cell_name(dimensions: tuple[Dimension, ...], code: Any) -> str:
    return ", ".join(f"{d.name}={d.code[place]}" for d, place in zip(dimensions, code, strict=True))


def _merged(equation: Ints, cell: Ints, coefficient: Ints) -> tuple[Ints, Ints, Ints]:
    """Entries of one equation for one cell as one entry, where the first of them stood; zeros left out."""
    order = np.lexsort((cell, equation))
    first = np.diff(equation[order], prepend=-1) != 0
    first |= np.diff(cell[order], prepend=-1) != 0
    if not first.all():
        begins = np.flatnonzero(first)
        summed = np.add.reduceat(coefficient[order], begins)
        kept = order[begins]
        back = np.argsort(kept)
        kept, coefficient = kept[back], summed[back]
        equation, cell = equation[kept], cell[kept]
    some = coefficient != 0
    return equation[some], cell[some], coefficient[some]


def _refuse_coefficient(equation: int) -> None:
    raise InputError(f"Equation {equation} has a coefficient beyond 2^31, expected a smaller one.")


def _redundant(structure: Structure) -> Mask:
    """Fingerprints rise from the finest cells, one level of totals a round."""
    equations, start, cell = structure.equations, structure.start, structure.cell
    total = structure.total
    by_total = _pivots(structure)
    print_of = np.random.default_rng(0).integers(0, 2**63 - 1, structure.size, np.int64)
    known = by_total < 0
    part = structure.coefficient.copy()
    part[cell == total[structure.row]] = 0
    implied = np.zeros(equations, np.bool_)
    waiting = np.flatnonzero(total >= 0)
    while len(waiting):
        entry, length = segments(start, waiting)
        heads = np.cumsum(length) - length
        pivot = by_total[total[waiting]] == waiting
        ready = np.logical_and.reduceat(known[cell[entry]] | (part[entry] == 0), heads)
        ready &= pivot | known[total[waiting]]
        if not ready.any():
            break
        sums = np.add.reduceat(part[entry] * print_of[cell[entry]], heads)
        raised = ready & pivot
        print_of[total[waiting[raised]]] = sums[raised]
        known[total[waiting[raised]]] = True
        checked = ready & ~pivot
        implied[waiting[checked]] = print_of[total[waiting[checked]]] == sums[checked]
        waiting = waiting[~ready]
    return implied


def _pivots(structure: Structure) -> Ints:
    """The equation through which each total is followed down, -1 for the finest cells.

    Where there is a choice, the equation with the fewest parts that stand in three equations or more
    anyway: without the others, a table that can be a network becomes one.
    """
    total, cell, row = structure.total, structure.cell, structure.row
    is_part = cell != total[row]
    places = np.bincount(cell[is_part], minlength=structure.size)
    places[total[total >= 0]] += 1
    crowded = np.bincount(row[is_part & (places[cell] > 2)], minlength=structure.equations)
    best_last = np.lexsort((-np.arange(structure.equations), -crowded))
    best_last = best_last[total[best_last] >= 0]
    by_total = np.full(structure.size, -1, np.int64)
    by_total[total[best_last]] = best_last
    return by_total


def _only_negative(structure: Structure) -> Mask:
    """Entries whose equation has one negative coefficient alone."""
    negative = np.bincount(structure.row, structure.coefficient < 0, minlength=structure.equations)
    return np.asarray((negative == 1)[structure.row])


def _orientation(structure: Structure) -> Indices | None:
    """Two-colours the equations: two entries of a cell must get opposite signs."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    kept = ~structure.redundant[structure.row]
    cell, row, coefficient = structure.cell[kept], structure.row[kept], structure.coefficient[kept]
    if (np.abs(coefficient) != 1).any() or (np.bincount(cell, minlength=1) > 2).any():
        return None
    order = np.argsort(cell, kind="stable")
    cell, row, coefficient = cell[order], row[order], coefficient[order]
    pair = np.flatnonzero(cell[1:] == cell[:-1])
    left, right = row[pair], row[pair + 1]
    crossed = coefficient[pair] == coefficient[pair + 1]
    m = structure.equations
    edges_from = np.concatenate([left, left + m])
    edges_to = np.concatenate([right + m * crossed, right + m * ~crossed])
    graph = coo_matrix((np.ones(len(edges_from), np.int8), (edges_from, edges_to)), (2 * m, 2 * m))
    label = connected_components(graph, directed=False)[1]
    if (label[:m] == label[m:]).any():
        return None
    sign = np.where(label[:m] < label[m:], 1, -1).astype(np.int32)
    sign[structure.redundant] = 0
    return sealed(sign)
