"""An attacker of our own, in plain Python and fractions, who shares no code with the auditor.

It judges a release by the words of the design: every reader's possible tables are a polytope, a side is
shown when the polytope reaches it, an insider is a reader with tighter bounds whose impossible needs are
cut, an implicit cell is a sum that anybody can compute.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from math import lcm, prod

import numpy as np

from discreet.generate import random_problem
from discreet.problem import Problem, Role
from discreet.release import Release
from discreet.rules.percent import PercentRule
from discreet.rules.threshold import ThresholdRule
from discreet.units import INFINITE

Bound = int | None
"""None: no bound."""


# what a reader cannot exclude


@dataclass(frozen=True)
class Reader:
    """Moves of the true table: they balance in every equation and stay within the bounds.

    `before` is how far below and above the truth a cell may lie for all that is known without the release.
    """

    equations: list[dict[int, int]]
    low: list[Bound]
    high: list[Bound]
    before: list[tuple[Bound, Bound]]

    @classmethod
    def public(cls, problem: Problem, release: Release) -> Reader:
        low, high, before = [], [], []
        for c in range(problem.size):
            value = int(problem.table.value[c])
            known = [_bound(x) for x in (problem.lower[c], problem.upper[c])]
            told = [_bound(x) for x in (release.told_lower[c], release.told_upper[c])]
            empty = problem.role[c] == Role.EMPTY
            low.append(
                0 if empty else max((x - value for x in (known[0], told[0]) if x is not None), default=None)
            )
            high.append(
                0 if empty else min((x - value for x in (known[1], told[1]) if x is not None), default=None)
            )
            before.append(tuple(None if x is None else abs(x - value) for x in known))
        return cls(equations_of(problem), low, high, before)

    def knowing(self, low: dict[int, int], high: dict[int, int]) -> Reader:
        """A reader who also knows how far some cells can move at most, whatever is released."""
        lows, highs, before = list(self.low), list(self.high), list(self.before)
        for c, x in low.items():
            lows[c] = x if lows[c] is None else max(lows[c], x)
            before[c] = (_least(before[c][0], -x), before[c][1])
        for c, x in high.items():
            highs[c] = x if highs[c] is None else min(highs[c], x)
            before[c] = (before[c][0], _least(before[c][1], x))
        return Reader(self.equations, lows, highs, before)

    @property
    def free(self) -> list[int]:
        return [c for c in range(len(self.low)) if self.low[c] is None or self.low[c] != self.high[c]]

    def width(self, c: int) -> int:
        return 10**9 if self.low[c] is None or self.high[c] is None else self.high[c] - self.low[c]


def _bound(number: int) -> Bound:
    return None if abs(int(number)) >= INFINITE else int(number)


def _least(left: Bound, right: int) -> int:
    return right if left is None else min(left, right)


def equations_of(problem: Problem) -> list[dict[int, int]]:
    structure = problem.table.structure
    return [
        dict(zip(*(part.tolist() for part in structure.equation(q)), strict=True))
        for q in range(structure.equations)
    ]


Dictionary = dict[int, dict[int, Fraction]]


def dictionary(reader: Reader) -> tuple[Dictionary, list[int]]:
    """Dependent free cells as sums of independent ones; cells with much room are dependent if possible."""
    rows = [
        {c: Fraction(a) for c, a in equation.items() if c in set(reader.free)}
        for equation in reader.equations
    ]
    solved: Dictionary = {}
    for row in rows:
        for c in [c for c in row if c in solved]:
            _substitute(row, c, solved[c])
        if not row:
            continue
        pivot = max(row, key=lambda c: (reader.width(c), -c))
        factor = row.pop(pivot)
        made = {c: -a / factor for c, a in row.items()}
        for held in solved.values():
            _substitute(held, pivot, made)
        solved[pivot] = made
    return solved, [c for c in reader.free if c not in solved]


def _substitute(held: dict[int, Fraction], cell: int, made: dict[int, Fraction]) -> None:
    if cell in held:
        factor = held.pop(cell)
        for c, a in made.items():
            held[c] = held.get(c, Fraction(0)) + factor * a
            if not held[c]:
                del held[c]


def reach(reader: Reader, cell: int, up: bool) -> Fraction | None:
    """How far a cell can move to one side, by the simplex method in fractions; None: without end.

    The end of the run is its own proof: the objective, written in independent cells, is at its limit in
    each of them.
    """
    if cell not in set(reader.free):
        return Fraction(0)
    if not reader.equations:
        return _end(reader, cell, up)
    held, independent = dictionary(reader)
    objective = {cell: Fraction(1)} if cell in independent else dict(held[cell])
    if not up:
        objective = {c: -a for c, a in objective.items()}
    value = dict.fromkeys(reader.free, Fraction(0))
    for _ in range(5000):
        entering = min((c for c in objective if _room(reader, value, c, objective[c])), default=None)
        if entering is None:
            assert sum(a * value[c] for c, a in objective.items()) == abs(value[cell])
            return abs(value[cell])
        sign = 1 if objective[entering] > 0 else -1
        step, leaving = _step(reader, value, held, entering, sign)
        if step is None:
            return None
        value[entering] += sign * step
        for c, made in held.items():
            value[c] += made.get(entering, Fraction(0)) * sign * step
        if leaving is not None:
            _pivot(held, objective, leaving, entering)
    raise AssertionError("The simplex method runs in circles.")


def _end(reader: Reader, cell: int, up: bool) -> Fraction | None:
    end = reader.high[cell] if up else reader.low[cell]
    return None if end is None else abs(Fraction(end))


def _room(reader: Reader, value: dict[int, Fraction], c: int, direction: Fraction) -> bool:
    end = reader.high[c] if direction > 0 else reader.low[c]
    return end is None or value[c] != end


def _step(
    reader: Reader, value: dict[int, Fraction], held: Dictionary, entering: int, sign: int
) -> tuple[Fraction | None, int | None]:
    ends: list[tuple[Fraction, int]] = []
    rates = {entering: Fraction(sign)}
    rates |= {c: made[entering] * sign for c, made in held.items() if entering in made}
    for c, rate in rates.items():
        end = reader.high[c] if rate > 0 else reader.low[c]
        if end is not None:
            ends.append(((end - value[c]) / rate, c))
    if not ends:
        return None, None
    step = min(ends)[0]
    first = min(c for s, c in ends if s == step)
    return step, None if any(c == entering and s == step for s, c in ends) else first


def _pivot(held: Dictionary, objective: dict[int, Fraction], leaving: int, entering: int) -> None:
    made = held.pop(leaving)
    factor = made.pop(entering)
    turned = {c: -a / factor for c, a in made.items()} | {leaving: 1 / factor}
    for other in held.values():
        _substitute(other, entering, turned)
    _substitute(objective, entering, turned)
    held[entering] = turned


def corners(reader: Reader) -> Iterator[dict[int, Fraction]]:
    """Every corner of the possible tables, by trying all choices of cells that stand at a bound."""
    held, independent = dictionary(reader)
    free = reader.free
    for chosen in combinations(free, len(independent)):
        rows = [({c: Fraction(1)} if c in independent else dict(held[c])) for c in chosen]
        for ends in product(*(({reader.low[c], reader.high[c]}) for c in chosen)):
            if None in ends:
                continue
            point = _solved(rows, [Fraction(e) for e in ends], independent)
            if point is None:
                break
            full = point | {
                c: sum((a * point[k] for k, a in made.items()), Fraction(0)) for c, made in held.items()
            }
            if all(_inside(reader, c, x) for c, x in full.items()):
                yield full


def _inside(reader: Reader, c: int, x: Fraction) -> bool:
    low, high = reader.low[c], reader.high[c]
    return (low is None or low <= x) and (high is None or x <= high)


def _solved(
    rows: list[dict[int, Fraction]], right: list[Fraction], unknown: list[int]
) -> dict[int, Fraction] | None:
    """The one solution of a square system, or None."""
    table = [[row.get(c, Fraction(0)) for c in unknown] + [r] for row, r in zip(rows, right, strict=True)]
    for k in range(len(unknown)):
        pivot = next((r for r in range(k, len(table)) if table[r][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for r, row in enumerate(table):
            if r != k and row[k]:
                table[r] = [x - row[k] * y for x, y in zip(row, table[k], strict=True)]
    return {c: table[k][-1] for k, c in enumerate(unknown)}


MOST_POINTS = 400_000


def whole_points(reader: Reader) -> np.ndarray | None:
    """Every possible table in whole units, a row each, or None where there are too many."""
    held, independent = dictionary(reader)
    if any(reader.low[c] is None or reader.high[c] is None for c in independent):
        return None
    if prod(reader.width(c) + 1 for c in independent) > MOST_POINTS:
        return None
    point = np.zeros((1, len(reader.low)), np.int64)
    for c in independent:
        steps = np.arange(reader.low[c], reader.high[c] + 1)
        point = np.repeat(point, len(steps), axis=0)
        point[:, c] = np.tile(steps, len(point) // len(steps))
    good = np.ones(len(point), np.bool_)
    for c, made in held.items():
        scale = lcm(*(a.denominator for a in made.values()), 1)
        total = sum((point[:, k] * int(a * scale) for k, a in made.items()), np.zeros(len(point), np.int64))
        good &= total % scale == 0
        point[:, c] = total // scale
        good &= point[:, c] >= (-(10**9) if reader.low[c] is None else reader.low[c])
        good &= point[:, c] <= (10**9 if reader.high[c] is None else reader.high[c])
    return point[good]


# insiders


@dataclass(frozen=True)
class Insider:
    members: tuple[int, ...]
    alone: frozenset[int]
    share: dict[int, int]

    def view(self, problem: Problem, public: Reader) -> Reader:
        low = {
            c: share - int(problem.table.value[c]) for c, share in self.share.items() if problem.lower[c] >= 0
        }
        low = {c: min(x, 0) for c, x in low.items()} | dict.fromkeys(self.alone, 0)
        return public.knowing(low, dict.fromkeys(self.alone, 0))


def insiders(problem: Problem, public: Reader) -> list[Insider]:
    """Everybody, and every coalition, who makes up the whole of some unknown cell."""
    table = problem.table
    if table.contributor is None:
        return []
    shares: dict[int, dict[int, int]] = defaultdict(dict)
    count: dict[int, int] = {}
    for c in public.free:
        listed = [(int(w), int(x)) for w, x in zip(table.contributor[c], table.contribution[c], strict=True)]
        listed = [(w, x) for w, x in listed if w >= 0]
        count[c] = len(listed) if table.frequency is None else int(table.frequency[c])
        for w, x in listed:
            shares[w][c] = x
    found = []
    for members in [*((w,) for w in sorted(shares)), *problem.coalitions]:
        share: Counter[int] = Counter()
        present: Counter[int] = Counter()
        for w in set(members):
            share.update(shares.get(w, {}))
            present.update(shares.get(w, {}).keys())
        alone = frozenset(c for c in present if present[c] == count[c])
        if alone:
            found.append(Insider(tuple(members), alone, {c: share[c] for c in present}))
    return found


# implicit cells


def sensitive_sums(problem: Problem, public: Reader) -> set[int]:
    """Equations whose unknown cells, all on one side, add up to a cell that a rule hits."""
    if problem.table.contributor is None:
        return set()
    free = set(public.free)
    found = set()
    for q, equation in enumerate(public.equations):
        unknown = [c for c in equation if c in free]
        if len(unknown) > 1 and len({equation[c] for c in unknown}) == 1 and abs(equation[unknown[0]]) == 1:
            value, count, largest = merged(problem, unknown)
            if any(is_hit(rule, value, count, largest) for rule in problem.rules):
                found.add(q)
    return found


def merged(problem: Problem, cells: list[int]) -> tuple[int, int, list[int]]:
    """Value, contributors at the least, and contributions of several cells taken as one."""
    table = problem.table
    total: Counter[int] = Counter()
    most = 0
    for c in cells:
        listed = [(int(w), int(x)) for w, x in zip(table.contributor[c], table.contribution[c], strict=True)]
        for w, x in listed:
            if w >= 0:
                total[w] += x
        here = sum(w >= 0 for w, _ in listed)
        most = max(most, here if table.frequency is None else int(table.frequency[c]))
    value = sum(int(table.value[c]) for c in cells)
    return value, max(len(total), most), sorted(total.values(), reverse=True)


def is_hit(rule: object, value: int, count: int, largest: list[int]) -> bool:
    if isinstance(rule, ThresholdRule):
        return 0 < count < rule.least
    assert isinstance(rule, PercentRule)
    first, second = [*largest, 0, 0][:2]
    return count > 0 and 100 * (value - first - second) < rule.percent * first


# the verdict


@dataclass(frozen=True)
class Verdict:
    """`open` are sides and widths that some reader can exclude; reader -1 is everybody."""

    is_additive: bool
    is_truthful: bool
    open: frozenset[tuple[int, int, str]]
    sums: frozenset[int]
    known: list[Insider] = field(default_factory=list)

    @property
    def exposed(self) -> set[int]:
        return {cell for _, cell, _ in self.open}

    @property
    def is_safe(self) -> bool:
        return self.is_additive and self.is_truthful and not self.open and not self.sums


def judged(problem: Problem, release: Release) -> Verdict:
    """The verdict on intervals, found with fractions, or with enumeration where values are whole."""
    public = Reader.public(problem, release)
    known = insiders(problem, public)
    truthful = is_truthful(problem, release)
    faults: set[tuple[int, int, str]] = set()
    views = [public, *(insider.view(problem, public) for insider in known)] if truthful else []
    for number, view in enumerate(views):
        faults |= {(number - 1, cell, what) for cell, what in _open_to(problem, view)}
    if not truthful:
        faults = {(-1, int(c), "all") for c in np.flatnonzero(problem.sensitive)}
    sums = sensitive_sums(problem, public) if truthful else set()
    return Verdict(is_additive(problem, release), truthful, frozenset(faults), frozenset(sums), known)


def _open_to(problem: Problem, view: Reader) -> Iterator[tuple[int, str]]:
    """What one reader can exclude although he did not know it beforehand."""
    for cell in map(int, np.flatnonzero(problem.sensitive)):
        rooms = view.before[cell]
        needs = [int(n[cell]) for n in (problem.need_below, problem.need_above)]
        needs = [_least(room, need) for need, room in zip(needs, rooms, strict=True)]
        sliding = int(problem.need_sliding[cell])
        sliding = sliding if None in rooms else min(sliding, sum(rooms))  # type: ignore[arg-type]
        if not any(needs) and not sliding:
            continue
        down, up = reaches(problem, view, cell)
        if down is not None and down < needs[0]:
            yield cell, "below"
        if up is not None and up < needs[1]:
            yield cell, "above"
        if down is not None and up is not None and down + up < sliding:
            yield cell, "sliding"


def reaches(problem: Problem, view: Reader, cell: int) -> tuple[Fraction | int | None, Fraction | int | None]:
    if not problem.whole:
        return reach(view, cell, False), reach(view, cell, True)
    points = whole_points(view)
    if points is None:
        raise TooMany
    return -int(points[:, cell].min()), int(points[:, cell].max())


class TooMany(Exception):
    """More possible tables than this attacker looks at."""


def is_additive(problem: Problem, release: Release) -> bool:
    constant = problem.table.constant
    for q, equation in enumerate(equations_of(problem)):
        if not any(release.withheld[c] for c in equation):
            missed = sum(a * int(release.shown[c]) for c, a in equation.items())
            if missed != (0 if constant is None else constant[q]):
                return False
    return True


def is_truthful(problem: Problem, release: Release) -> bool:
    for c in range(problem.size):
        value, told = int(problem.table.value[c]), (int(release.told_lower[c]), int(release.told_upper[c]))
        if not told[0] <= value <= told[1]:
            return False
        if not release.withheld[c] and not told[0] <= int(release.shown[c]) <= told[1]:
            return False
    return True


# problems and releases to judge


def tight(rng: np.random.Generator, problem: Problem, most: int = 4) -> Problem:
    """The same with finite bounds near the value, and needs cut to them."""
    value, n = problem.table.value, problem.size
    lower = np.maximum(problem.lower, value - rng.integers(0, most + 1, n))
    upper = np.minimum(problem.upper, value + rng.integers(0, most + 1, n))
    return replace(problem, lower=lower, upper=upper).clipped()


def withholding(problem: Problem, cells: object) -> Release:
    chosen = np.zeros(problem.size, np.bool_)
    chosen[list(cells)] = True  # type: ignore[call-overload]
    return Release.suppressed(problem, chosen)


def random_pattern(rng: np.random.Generator, problem: Problem) -> Release:
    """Sensitive cells and some more withheld; now and then one is forgotten, or nothing is left."""
    share = rng.choice([0.3, 0.6, 0.9, 1.0])
    chosen = problem.sensitive | (rng.random(problem.size) < share)
    if rng.random() < 0.1:
        chosen[rng.choice(np.flatnonzero(problem.sensitive))] = False
    return Release.suppressed(problem, chosen & problem.withholdable)


def random_release(rng: np.random.Generator, problem: Problem) -> Release:
    """A release of any kind that tells intervals."""
    kind = rng.choice(["suppressed", "suppressed", "rounded", "adjusted", "zero", "raw"])
    value = problem.table.value
    if kind == "suppressed":
        return random_pattern(rng, problem)
    if kind == "rounded":
        base = int(rng.integers(2, 7))
        up = rng.integers(0, 2, problem.size)
        shown = np.where(value % base, (value // base + up) * base, value)
        return Release.rounded(problem, np.where(problem.role == Role.EMPTY, 0, shown), base)
    if kind == "adjusted":
        most = int(rng.integers(1, 5))
        moved = np.where(problem.role == Role.EMPTY, 0, rng.integers(-1, 2, problem.size))
        return Release.adjusted(problem, value + moved, most)
    if kind == "zero":
        return Release.adjusted(problem, np.zeros(problem.size, np.int64), int(np.abs(value).max()) + 1)
    return Release.raw(problem)


def tiny(
    seed: int, kind: str | None = None, *, contributors: bool = False
) -> tuple[np.random.Generator, Problem]:
    """A random problem with needs that do not reach beyond what is known."""
    rng = np.random.default_rng(seed)
    return rng, random_problem(rng, kind, contributors=contributors).clipped()


def firms(seed: int) -> tuple[np.random.Generator, Problem]:
    """A random problem with contributors, some of whom collude, needs of every sort, and rules."""
    kind = ("flat", "cube", "tree", "linked")[seed % 4]
    rng, problem = tiny(seed, kind, contributors=True)
    table, n = problem.table, problem.size
    people = np.unique(table.contributor[table.contributor >= 0])
    groups = (
        [rng.choice(people, 2, replace=False) for _ in range(int(rng.integers(0, 3)))]
        if len(people) > 1
        else []
    )
    if rng.random() < 0.3:
        width = int(rng.integers(1, 3))
        table = replace(
            table, contribution=table.contribution[:, :width], contributor=table.contributor[:, :width]
        )
    below, above, sliding = (
        np.where(problem.sensitive, rng.integers(0, 6, n), 0) if rng.random() < 0.5 else need
        for need in (problem.need_below, problem.need_above, problem.need_sliding)
    )
    rules = (PercentRule(int(rng.integers(1, 40))), ThresholdRule(int(rng.integers(1, 4))))
    problem = replace(
        problem,
        table=table,
        need_below=below,
        need_above=above,
        need_sliding=sliding,
        rules=rules[: int(rng.integers(0, 3))],
        coalitions=tuple(tuple(map(int, g)) for g in groups),
    )
    return rng, tight(rng, problem, int(rng.integers(3, 20))) if rng.random() < 0.5 else problem.clipped()
