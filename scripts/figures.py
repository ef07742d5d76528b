"""What the pages show of the small example and of the large one, computed while they are made."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from drawing import HIGH, NAMES, WIDE, Cell, box, grid, legend, svg, text

from discreet import Problem, Release, Result, Role, assess, audit, protect, read_job, tabulate
from discreet.examples import example_folder
from discreet.freedom import Freedom
from discreet.job.course import protect_job
from discreet.job.problems import problem_of

SMALL = Path(__file__).parents[1] / "docs" / "data" / "small.csv"
SHOWN = ("mills", "mines", "inns", "Total")
REGIONS = ("North", "South", "Coast", "Total")
SIDE = NAMES + WIDE * len(SHOWN)
TALL = 48 + HIGH * len(REGIONS)


@cache
def small() -> Problem:
    """The example of the pages on theory: nine cells, one of them sensitive."""
    table = tabulate(SMALL, by=["region", "trade"], value="turnover", contributor="firm")
    return assess(table, ["p:10"])


@cache
def small_result() -> Result:
    """What becomes of it."""
    return protect(small())


def release() -> Release:
    """The release of the small example."""
    found = small_result().release
    assert found is not None
    return found


def places(problem: Problem) -> dict[tuple[str, str], int]:
    """The cells of a table of two dimensions by their codes."""
    structure = problem.table.structure
    assert structure.code is not None
    first, second = structure.dimensions
    return {(first.code[a], second.code[b]): i for i, (a, b) in enumerate(structure.code.tolist())}


def cells_of(say: Callable[[int], Cell]) -> list[list[Cell]]:
    """The small example as lines of cells."""
    place = places(small())
    return [[say(place[region, trade]) for trade in SHOWN] for region in REGIONS]


def _held(cell: int) -> Cell:
    kind = "primary" if small().sensitive[cell] else "published"
    return str(small().table.value[cell]), kind


def _told(cell: int) -> Cell:
    hidden = release().withheld[cell]
    return ("c", "secondary") if hidden else (str(small().table.value[cell]), "published")


def _pictured(title: str, say: Callable[[int], Cell], said: str, *entries: tuple[str, str]) -> str:
    """The small example as a picture with its legend."""
    parts = grid(0, 0, title, REGIONS, SHOWN, cells_of(say)) + legend(NAMES + 1, TALL + 14, entries)
    return svg(SIDE, TALL + 30, parts, said)


def held() -> str:
    """The table as the office has it."""
    said = "Turnover by region and trade; one cell is sensitive"
    return _pictured("What the office holds", _held, said, ("primary", "sensitive"))


def told() -> str:
    """The table as everybody may see it."""
    said = "The same table with four cells withheld"
    return _pictured("What everybody may read", _told, said, ("secondary", "withheld"))


def reach() -> str:
    """What readers can find out about each withheld cell, beside what they must not."""
    problem, structure = small(), small().table.structure
    found = audit(problem, release(), reach="withheld").reach
    top = max(int(problem.table.value[r.cell] + (r.above or 0)) for r in found)
    left, scale, step = 118, 440 / top, 40
    parts = []
    for k, r in enumerate(found):
        value, y = int(problem.table.value[r.cell]), 12 + step * k
        low, high = value - int(r.below or 0), value + int(r.above or 0)
        name = ", ".join(part.split("=")[1] for part in structure.name(r.cell).split(", "))
        parts += [text(0, y + 13, name), box(left, y, top * scale, 18, "track")]
        parts.append(box(left + low * scale, y, (high - low) * scale, 18, "reach"))
        if problem.sensitive[r.cell]:
            need = left + (value - problem.need_below[r.cell]) * scale
            wide = (problem.need_below[r.cell] + problem.need_above[r.cell]) * scale
            parts.append(box(need, y + 4, wide, 10, "need"))
        at = left + value * scale
        parts.append(f'<line class="line" x1="{at:g}" x2="{at:g}" y1="{y - 3}" y2="{y + 21}"/>')
        parts += [text(left + low * scale, y + 32, str(low), "s c")]
        parts += [text(left + high * scale, y + 32, str(high), "s c")]
    below = 12 + step * len(found) + 14
    entries = [("reach", "what readers cannot exclude"), ("need", "what they must not exclude")]
    parts += legend(left, below, entries)
    return svg(left + 460, below + 18, parts, "The intervals that readers can work out for four cells")


def witness(sign: int = 1) -> str:
    """The first witness of the small example as a table, or its mirror image."""
    proof = small_result().audit
    assert proof is not None
    made = proof.certificates
    move = np.zeros(small().size, np.int64)
    move[made.cell[: made.start[1]]] = sign * made.move[: made.start[1]] // made.denominator[0]

    def moved(cell: int) -> Cell:
        kind = ("published", "up", "down")[np.sign(move[cell])]
        return str(small().table.value[cell] + move[cell]), kind

    title = "A witness" if sign > 0 else "Its mirror image"
    entries = [("up", "above the truth"), ("down", "below the truth")]
    return _pictured(title, moved, "A table that agrees with everything published", *entries)


def mirror() -> str:
    """The mirror image of the witness."""
    return witness(-1)


def checks() -> str:
    """A witness checked: the sums of its moves, one by one."""
    proof = small_result().audit
    assert proof is not None
    made, structure, freedom = proof.certificates, small().table.structure, Freedom.of(small(), release())
    moves = dict(zip(made.cell.tolist(), made.move.tolist(), strict=True))
    lines = ["| sum | its moves | together |", "| --- | --- | --- |"]
    for row in range(structure.equations):
        cells = structure.cell[structure.start[row] : structure.start[row + 1]]
        held = [moves[c] for c in cells.tolist() if c in moves]
        if held:
            said = " ".join(f"{m:+d}".replace("-", "−") for m in held)
            lines.append(f"| {_equation(row)} | {said} | {sum(held)} |")
    assert all(freedom.low[c] <= m <= freedom.high[c] for c, m in moves.items())
    return "\n".join(lines)


def _equation(row: int) -> str:
    structure = small().table.structure
    total = int(structure.total[row])
    return structure.name(total).replace("region=", "").replace("trade=", "")


SIDE_OF_A_CELL = 20
STATES = ("published", "secondary", "primary", "empty")


def firms() -> str:
    """The large example, all sizes together: what became of each cell."""
    result = run_example()
    problem, structure = result.problem, result.problem.table.structure
    assert structure.code is not None
    assert result.release is not None
    industry, region, _ = structure.dimensions
    state = np.where(result.release.withheld, 1, 0) + (result.release.withheld & problem.sensitive)
    state[problem.role == Role.EMPTY] = 3
    parts = []
    left, top, step = 104, 26, SIDE_OF_A_CELL
    for k, code in enumerate(industry.code):
        parts.append(text(left + step * (k + 0.5), 16, code.replace("Total", "all"), "t c"))
    for r, code in enumerate(region.code):
        inset = 4 + 8 * int(region.level[r])
        parts.append(text(inset, top + step * r + 15, code.replace("Total", "all"), "s"))
    for cell in np.flatnonzero(structure.code[:, 2] == 0).tolist():
        k, r, _ = structure.code[cell].tolist()
        x, y = left + step * k + 1, top + step * r + 1
        parts.append(box(x, y, step - 2, step - 2, STATES[state[cell]]))
    below = top + step * len(region.code) + 14
    said = ("published", "withheld for others", "withheld, sensitive", "empty")
    parts += legend(left, below, list(zip(STATES, said, strict=True)))
    wide = left + step * len(industry.code)
    return svg(wide, below + 18, parts, "Industries and regions: what became of each cell")


@cache
def run_example() -> Result:
    """What becomes of the records that ship with discreet."""
    job = read_job(example_folder() / "firms.toml")
    return protect_job(job, problem_of(job))


PICTURES: dict[str, Callable[[], str]] = {
    picture.__name__: picture for picture in (held, told, reach, witness, mirror, firms)
}
