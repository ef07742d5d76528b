"""The report for the statistician: every cell, what happened to it, and why it can be published."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..auditor import Audit
from ..problem import Problem
from ..result import Result
from .blocks import Block, facts, figure, points, section
from .costs import level_bars, loss_facts, weight_bars
from .page import make_page
from .tables import table_of
from .wording import amount, listed, many, plain, seconds, share

BANNER = "Confidential: shows every value. For those who may see the table itself."
AGAINST = {
    "insiders": "contributors who know what they contributed themselves, and coalitions of them",
    "implicit": "whoever adds up the withheld cells of a sum, and judges that sum by the rules",
}
STOPPED = {
    "interrupted": "somebody asked for an end",
    "seconds": "the time was up",
    "memory": "memory ran out",
}


def confidential_report(result: Result) -> str:
    """A page that stands alone, as confidential as the table."""
    said = "confidential"
    content = {
        "kind": said,
        "banner": BANNER,
        "title": title_of(result.problem),
        "verdict": {"text": verdict_of(result), "good": result.is_safe},
        "figures": list(_figures(result)),
        "table": table_of(result),
        "sections": list(_sections(result)),
    }
    return make_page("discreet: confidential report", content)


def title_of(problem: Problem) -> list[str]:
    """What the table holds, and by what."""
    names = [dimension.name for dimension in problem.table.structure.dimensions]
    return [problem.table.measure, f"by {listed(names)}" if names else many(problem.size, "cell")]


def verdict_of(result: Result) -> str:
    """How it ended, in a few words."""
    if result.release is None:
        proved = result.status.value == "infeasible"
        return "No release: it is proved that there is none." if proved else "No release was found."
    return "Safe, and proved so." if result.is_safe else "Not proved safe."


def _figures(result: Result) -> Iterator[Block]:
    problem, loss = result.problem, result.loss
    yield figure("cells", f"{problem.size:,}")
    sensitive = int(problem.sensitive.sum())
    yield figure("sensitive", f"{sensitive:,}", share(sensitive, problem.size))
    if loss is not None:
        if loss.overall.changed:
            yield figure("changed", f"{loss.overall.changed:,}", share(loss.overall.changed, problem.size))
        yield figure("withheld", f"{loss.overall.withheld:,}", share(loss.overall.withheld, problem.size))
        every = float(np.abs(problem.table.value.astype(np.float64)).sum())
        yield figure("value withheld", share(loss.overall.value, every))
    if result.gap is not None:
        yield figure("avoidable at most", f"{result.gap:.0%}")
    yield figure("time", seconds(result.seconds))


def _sections(result: Result) -> Iterator[Block]:
    problem, release, loss = result.problem, result.release, result.loss
    if release is None:
        yield section("Why there is no release", points(_obstacles(result)))
    elif loss is not None:
        yield section(
            "What it costs",
            loss_facts(problem, loss),
            *level_bars(problem, loss),
            weight_bars(problem, release),
        )
    if result.audit is not None:
        yield section("The audit", points(audit_sentences(problem, result.audit)))
    yield section("The rules", points(rule_sentences(problem)), facts(_needs(problem)))
    yield section("The run", facts(run_facts(result)))


def audit_sentences(problem: Problem, audit: Audit) -> Iterator[str]:
    """The verdict in plain words."""
    proofs = len(audit.certificates)
    if audit.criterion == "distance":
        yield "Readers are not told how far published values are from the truth, so distances were judged."
    elif audit.certified:
        yield (
            f"For {audit.certified:,} of {many(audit.sensitive, 'sensitive cell')} it is proved that nobody "
            "can exclude any value of the protection range, with all sums at once and all known before."
        )
        yield (
            f"The proof is {many(proofs, 'other table')} that agree with everything published. They add up "
            "exactly; anybody with the table can check that by additions alone."
        )
    elif not audit.sensitive:
        yield "No cell of this table is sensitive."
    if not audit.is_additive:
        yield "What is shown does not add up."
    if not audit.is_truthful:
        yield "What readers are told is not true of every cell."
    if len(audit.exposed):
        names = problem.table.structure.names(audit.exposed, 20)
        yield f"{many(len(audit.exposed), 'cell')} are exposed: {names}."
    if len(audit.judgement.sums):
        yield f"{many(len(audit.judgement.sums), 'sum')} of withheld cells are exposed."
    yield f"Judged against everybody{''.join(f'; {w}' for k, w in AGAINST.items() if audit.judged.get(k))}."
    missing = [words for key, words in AGAINST.items() if not audit.judged.get(key)]
    if missing:
        yield f"Not judged against {'; nor '.join(missing)}."


def rule_sentences(problem: Problem) -> Iterator[str]:
    """The rules as they say themselves when a cell is unsafe."""
    for rule in problem.rules:
        yield rule.sentence
    if not problem.rules:
        yield "No rules came with the table; what each cell needs was given with it."


def _needs(problem: Problem) -> Iterator[tuple[str, str]]:
    yield "sensitive cells", f"{int(problem.sensitive.sum()):,}"
    for name, need in (("below", problem.need_below), ("above", problem.need_above)):
        some = np.flatnonzero(need)
        if len(some):
            middle = float(np.median(need[some])) * float(problem.table.unit.step)
            yield f"need {name}", f"{many(len(some), 'cell')}, half of them more than {amount(middle)}"
    sliding = int(np.count_nonzero(problem.need_sliding))
    if sliding:
        yield "need of width", many(sliding, "cell")
    if problem.whole:
        yield "known beforehand", "that all values are whole units"
    if problem.coalitions:
        yield "coalitions", f"{len(problem.coalitions):,}"


def _obstacles(result: Result) -> Iterator[str]:
    if result.unprotected:
        names = result.problem.table.structure.names(result.unprotected, 20)
        yield f"Nothing can protect {many(len(result.unprotected), 'cell')}: {names}."
    else:
        yield "The method ended without a release."


def run_facts(result: Result) -> Iterator[tuple[str, str]]:
    """Everything needed to get the same again."""
    log = result.log
    yield "method", result.method
    yield "ended", result.status.value
    if log.get("stopped"):
        yield "stopped because", STOPPED.get(str(log["stopped"]), str(log["stopped"]))
    for name, said in (("objective", result.objective), ("proved bound", result.bound)):
        if said is not None:
            yield name, amount(said)
    if result.gap is not None:
        yield "gap", f"{result.gap:.1%}"
    for name in ("options", "seed", "work", "versions"):
        if name in log:
            yield name, plain(log[name])
    yield "seconds", f"{result.seconds:.2f}"
