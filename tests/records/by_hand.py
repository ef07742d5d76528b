"""Tables made of records in plain Python, to compare with."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product

TREES = {
    "region": {"Total": ["N", "S"], "N": ["n1", "n2"], "S": ["s1", "s2", "s3"]},
    "trade": {"Total": ["a", "b", "c"]},
}
LEAVES = {"region": ["n1", "n2", "s1", "s2", "s3"], "trade": ["a", "b", "c"]}


def ancestors(dimension: str, leaf: str) -> list[str]:
    """A code and everything above it."""
    found = [leaf]
    for parent, children in reversed(TREES[dimension].items()):
        if found[-1] in children:
            found.append(parent)
    return found


@dataclass
class Seen:
    """What is known of one cell."""

    value: Decimal = Decimal(0)
    total: Decimal = Decimal(0)
    heads: Decimal = Decimal(0)
    asked: int = 0
    amounts: dict[object, Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    marks: dict[object, int] = field(default_factory=lambda: defaultdict(int))

    def largest(self, number: int) -> list[Decimal]:
        """The largest contributions, merged by whoever made them."""
        return sorted(self.amounts.values(), reverse=True)[:number]


def tabulated(records: list[dict], who: str | None, amount: str = "shadow") -> dict[tuple[str, str], Seen]:
    """Every cell that some record falls into; without a name every record is a contributor."""
    cells: dict[tuple[str, str], Seen] = defaultdict(Seen)
    for number, record in enumerate(records):
        name = record.get(who) if who else None
        key = number if not name else ("name", name)
        weight = record.get("weight", Decimal(1))
        value = record["value"]
        judged = record.get(amount, value)
        for cell in product(*(ancestors(d, record[d]) for d in LEAVES)):
            seen = cells[cell]
            seen.value += weight * value
            seen.total += weight * judged
            seen.heads += weight
            seen.asked |= record.get("asked", 0)
            seen.amounts[key] += judged
            seen.marks[key] |= record.get("asked", 0)
    return cells
