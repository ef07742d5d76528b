"""What a problem is, before anything is done: its size, its sums, its needs, and what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .problem import Problem, Role
from .units import INFINITE


@dataclass(frozen=True)
class DimensionFacts:
    """A dimension: how many codes it has, and how many levels from the total to the finest."""

    name: str
    codes: int
    levels: int


@dataclass(frozen=True)
class Description:
    """Counts alone, no value of any cell.

    `needs` counts the cells that need protection below, above and sliding, and those whose needs below
    and above are the same; `known` the cells of which everybody knows a lower bound, an upper bound, and
    the value itself. `problems` say what has to be mended before the table can be protected.
    """

    cells: int
    unit: str
    dimensions: tuple[DimensionFacts, ...]
    equations: int
    redundant: int
    components: int
    network: bool
    roles: Mapping[str, int]
    needs: Mapping[str, int]
    known: Mapping[str, int]
    contributors: int | None
    problems: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Everything, for scripts."""
        return asdict(self) | {"sensitive": self.roles["sensitive"]}


def describe(problem: Problem) -> Description:
    """Looks at a problem as it stands; one that cannot be solved is described too."""
    table, structure = problem.table, problem.table.structure
    return Description(
        cells=problem.size,
        unit=str(table.unit),
        dimensions=tuple(
            DimensionFacts(d.name, len(d), int(d.level.max(initial=0)) + 1) for d in structure.dimensions
        ),
        equations=structure.equations,
        redundant=int(structure.redundant.sum()),
        components=int(structure.component.max(initial=-1)) + 1,
        network=structure.is_network,
        roles={role.name.lower(): int((problem.role == role).sum()) for role in Role},
        needs=_needs(problem),
        known={
            "lower": int((problem.lower > -INFINITE).sum()),
            "upper": int((problem.upper < INFINITE).sum()),
            "value": int((problem.lower == problem.upper).sum()),
        },
        contributors=_contributors(problem),
        problems=tuple(_problems(problem)),
    )


def _needs(problem: Problem) -> dict[str, int]:
    below, above = problem.need_below, problem.need_above
    return {
        "below": int((below > 0).sum()),
        "above": int((above > 0).sum()),
        "sliding": int((problem.need_sliding > 0).sum()),
        "symmetric": int(((below > 0) & (below == above)).sum()),
    }


def _contributors(problem: Problem) -> int | None:
    """How many contributors are listed with the cells, where any are."""
    who = problem.table.contributor
    return None if who is None else len(np.unique(who[who >= 0]))


def _problems(problem: Problem) -> list[str]:
    table, names = problem.table, problem.table.structure.names
    found = []
    outside = np.flatnonzero((table.value < problem.lower) | (table.value > problem.upper))
    if len(outside):
        found.append(f"{len(outside)} cells have a value outside what is known beforehand: {names(outside)}.")
    beyond = np.flatnonzero(problem.beyond_known)
    if len(beyond):
        found.append(
            f"{len(beyond)} cells need more protection than what is known beforehand leaves open: "
            f"{names(beyond)}. Widen the bounds, or ask for needs to be clipped to them."
        )
    if table.constant is not None and table.constant.any():
        found.append(f"{np.count_nonzero(table.constant)} sums do not hold; what they miss is carried along.")
    return found
