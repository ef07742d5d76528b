"""What a person reads at the end: counts and percentages, and where the files are; no value of any cell."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .accounts import reaches

if TYPE_CHECKING:
    from ..arrays import AnyArray
    from ..auditor import Audit
    from ..certificate import Verification
    from ..description import Description
    from ..problem import Problem
    from ..result import Result

Facts = Iterable[tuple[str, str]]
MOST_REACHES = 20
BY_HAND = (
    ("discreet run firms.toml", "the same once more; the job file says what is done"),
    ("discreet verify protected.proof firms.toml protected.jj", "the proof, by additions alone"),
    ("discreet init DATA.csv", "a first job file for records of your own"),
)


def say(title: str, facts: Facts, good: bool | None = None) -> None:
    """A line that says how it is, and below it the facts, each with its name."""
    screen = Console(highlight=False)
    style = {True: "bold green", False: "bold red", None: "bold"}[good]
    screen.print(Text(title, style), soft_wrap=True)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column()
    for name, fact in facts:
        grid.add_row(f"  {name}", Text(fact))
    screen.print(grid)


def say_run(result: Result, files: Sequence[Path]) -> None:
    """What was found, done and lost, how good that is, and where it went."""
    problem = result.problem
    if result.release is None:
        say("No release: " + _why_none(result), [*_found(problem), *_unprotected(result)], good=False)
        return
    assert result.audit is not None
    title = "Safe, and proved so." if result.is_safe else "Not proved safe."
    facts = [*_found(problem), *_done(result), *_lost(result), *_proof(problem, result.audit), *_best(result)]
    say(title, [*facts, *_stopped(result)], good=result.is_safe)
    say_files(files)


def say_demo(directory: Path, result: Result, inputs: Sequence[Path], files: Sequence[Path]) -> None:
    """The same of the example, with a word on what it is and how to do it oneself."""
    say("The records: plants of invented firms by industry, region and size.", ())
    say_files(inputs)
    say_run(result, files)
    say(f"By hand, in {directory}:", ())
    screen = Console(highlight=False)
    for command, what in BY_HAND:
        screen.print(Text.assemble(f"  {command}\n", (f"    {what}", "dim")), soft_wrap=True)


def say_audit(problem: Problem, verdict: Audit, seconds: float) -> None:
    """What a snooper can do."""
    title = "Safe, and proved so." if verdict.is_safe else "Not proved safe."
    facts = [*_found(problem), *_proof(problem, verdict), ("time", f"{seconds:.1f} s")]
    say(title, facts, good=verdict.is_safe)
    if verdict.reach:
        _say_reaches(problem, verdict)


def _say_reaches(problem: Problem, verdict: Audit) -> None:
    """How far a snooper can narrow single cells; for an exposed cell that tells much of its value."""
    table = Table(box=None)
    table.add_column("cell")
    table.add_column("at least", justify="right")
    table.add_column("at most", justify="right")
    found = list(zip(verdict.reach, reaches(problem, verdict), strict=True))
    for reach, told in found[:MOST_REACHES]:
        ends = ["no end" if told[end] is None else f"{told[end]:,.10g}" for end in ("lower", "upper")]
        table.add_row(problem.table.structure.name(reach.cell), *ends)
    screen = Console(highlight=False)
    screen.print("What readers can find out, as confidential as the cells:", style="bold")
    screen.print(table)
    if len(found) > MOST_REACHES:
        screen.print(f"and {len(found) - MOST_REACHES:,} more; --json lists all of them")


def say_verification(problem: Problem, found: Verification, seconds: float) -> None:
    """What the additions came to."""
    verdict = found.judgement
    exposed = verdict.exposed.nonzero()[0]
    facts = [("about", "this table and this release" if found.is_about else "another table or release")]
    facts += _shown(problem, verdict.is_additive, verdict.is_truthful, exposed, len(verdict.sums))
    title = "The certificate holds." if found.holds else "The certificate does not hold."
    say(title, [*facts, ("time", f"{seconds:.1f} s, by additions alone")], good=found.holds)


def say_description(told: Description) -> None:
    """What a table is."""
    several = "parts, one table after another" if told.components > 1 else "part"
    network = "a network" if told.network else "no network"
    facts = [
        ("cells", f"{told.cells:,}: " + ", ".join(f"{n:,} {role}" for role, n in told.roles.items() if n)),
        *((d.name, f"{d.codes:,} codes on {d.levels} levels") for d in told.dimensions),
        ("sums", f"{told.equations:,}, {told.redundant:,} of them follow from the others; {network}"),
        ("parts", f"{told.components:,} connected {several}"),
        ("needs", ", ".join(f"{n:,} {kind}" for kind, n in told.needs.items()) + " (number of cells)"),
        ("known", ", ".join(f"{n:,} {kind}" for kind, n in told.known.items()) + " (number of cells)"),
        ("unit", told.unit),
    ]
    if told.contributors is not None:
        facts.append(("who", f"{told.contributors:,} contributors are listed"))
    good = not told.problems
    title = "Ready to be protected." if good else "To be mended first:"
    say(title, [*(("problem", text) for text in told.problems), *facts], good=good)


def say_methods(methods: Iterable[Mapping[str, Any]]) -> None:
    """The methods and their options."""
    screen = Console(highlight=False)
    for method in methods:
        screen.print(Text.assemble((method["method"], "bold"), f"  {method['summary']}"))
        screen.print(Text(f"  {method['source']}", "dim"))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="cyan", no_wrap=True)
        grid.add_column()
        for option in method["options"]:
            grid.add_row(f"  {option['name']}={option['default']}", Text(option["help"]))
        screen.print(grid)


def say_files(files: Sequence[Path]) -> None:
    """Where things are and who may read them; names are never broken, so that they can be copied."""
    screen = Console(highlight=False)
    for path in files:
        private = not path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
        who = ("confidential", "yellow") if private else ("public      ", "green")
        screen.print(Text.assemble("  ", who, "  ", str(path)), soft_wrap=True)


def _found(problem: Problem) -> Facts:
    sensitive = int(problem.sensitive.sum())
    yield "found", f"{_part(sensitive, problem.size)} cells need protection"


def _done(result: Result) -> Facts:
    assert result.release is not None
    withheld = int(result.release.withheld.sum())
    assert result.loss is not None
    if result.loss.overall.changed:
        yield "done", f"{_part(result.loss.overall.changed, result.problem.size)} cells changed"
    if withheld or not result.loss.overall.changed:
        more = f"{result.loss.overall.secondary:,} to protect the others"
        yield "done", f"{_part(withheld, result.problem.size)} cells withheld, {more}"


def _lost(result: Result) -> Facts:
    assert result.loss is not None
    every = float(np.abs(result.problem.table.value.astype(np.float64)).sum())
    share = result.loss.overall.value / every if every else 0.0
    yield "lost", f"{share:.1%} of what all cells add up to"
    for name, levels in result.loss.by_level.items():
        yield "", f"by {name}, from the top: " + ", ".join(f"{s.withheld:,} of {s.cells:,}" for s in levels)


def _proof(problem: Problem, verdict: Audit) -> Facts:
    exposed, sums = verdict.exposed, len(verdict.judgement.sums)
    yield from _shown(problem, verdict.is_additive, verdict.is_truthful, exposed, sums)
    if verdict.criterion == "distance":
        yield "proof", "values lie far enough from the truth; it is not told how far"
    else:
        yield "proof", f"{verdict.certified:,} of {verdict.sensitive:,} cells, {verdict.grade}"
    said = {
        "insiders": "contributors who know their own share",
        "implicit": "whoever adds up what is withheld",
    }
    judged = [text for name, text in said.items() if verdict.judged.get(name)]
    missing = [text for name, text in said.items() if not verdict.judged.get(name)]
    yield "against", "everybody" + "".join(f", {text}" for text in judged)
    if missing:
        yield "not against", ", ".join(missing)


def _shown(
    problem: Problem, additive: bool, truthful: bool, exposed: AnyArray, sums: int
) -> list[tuple[str, str]]:
    """What is wrong, if anything is."""
    facts = []
    if not additive:
        facts.append(("wrong", "what is shown does not add up"))
    if not truthful:
        facts.append(("wrong", "what is told is not true of every cell"))
    if len(exposed):
        facts.append(("exposed", f"{len(exposed):,} cells: {problem.table.structure.names(exposed)}"))
    if sums:
        facts.append(("exposed", f"{sums:,} sums of withheld cells"))
    return facts


def _best(result: Result) -> Facts:
    if result.gap is not None:
        lower = f"the least possible loss is at most {result.gap:.0%} lower"
        yield "bound", "nothing can lose less" if result.gap == 0 else lower
    yield "time", f"{result.seconds:.1f} s"


def _stopped(result: Result) -> Facts:
    reason = result.log.get("stopped")
    if reason:
        said = {"interrupted": "when you asked for it", "seconds": "when the time was up"}
        yield "stopped", f"{said.get(reason, 'at the limit of the memory')}, with the best so far"


def _why_none(result: Result) -> str:
    if result.status.value == "infeasible":
        return "it is proved that there is none."
    return "the method ended without one."


def _unprotected(result: Result) -> Facts:
    if result.unprotected:
        names = result.problem.table.structure.names(result.unprotected)
        yield "because", f"nothing can protect {len(result.unprotected):,} cells: {names}"


def _part(some: int, every: int) -> str:
    return f"{some:,} of {every:,} ({some / every:.0%})" if every else f"{some:,} of {every:,}"
