"""The report on several methods and one table: numbers side by side, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..comparison import Comparison
from ..loss import Share
from ..result import Result
from .blocks import Block, bars, figure, grid, section, text
from .confidential import BANNER, run_facts, title_of
from .costs import BLUE, SERIES, level_name
from .page import make_page
from .wording import amount, many, seconds, share

NOTHING = "–"


def comparison_report(comparison: Comparison) -> str:
    """A page that stands alone, as confidential as the table."""
    problem = comparison.problem
    content = {
        "kind": "comparison",
        "banner": BANNER.replace("shows every value", "says what protection costs"),
        "title": title_of(problem),
        "verdict": {"text": summary_of(comparison), "good": comparison.best is not None},
        "figures": [
            figure("methods", f"{len(comparison.results):,}"),
            figure("cells", f"{problem.size:,}"),
            figure("sensitive", f"{int(problem.sensitive.sum()):,}"),
        ],
        "table": None,
        "sections": list(_sections(comparison)),
    }
    return make_page("discreet: comparison of methods", content)


def rows_of(comparison: Comparison) -> list[tuple[str, ...]]:
    """Facts as rows, their name first and then what it is for each method."""
    results = comparison.results.values()
    rows = [(name, *(say(result) for result in results)) for name, say in FACTS.items()]
    for dimension, levels in _levels(comparison.results).items():
        for level in range(levels):
            said = (_lost(result, dimension, level) for result in results)
            rows.append((f"{dimension}, {level_name(level)}", *said))
    return rows


def summary_of(comparison: Comparison) -> str:
    """Which method did best, in a few words."""
    if comparison.best is None:
        return "No method ended with a result that is proved safe."
    if comparison.is_tied:
        return f"{comparison.best} loses the least, with others that took longer."
    return f"{comparison.best} {'loses the least' if len(comparison.results) > 1 else 'is safe'}."


def _sections(comparison: Comparison) -> Iterator[Block]:
    names = list(comparison.results)
    left_out = [text(f"Not run, because an end was asked for: {', '.join(comparison.left_out)}.")]
    yield section(
        "In numbers", grid(["", *names], rows_of(comparison)), *(left_out if comparison.left_out else [])
    )
    yield section("Drawn", *_drawn(comparison.results))
    runs = [dict(run_facts(result)) for result in comparison.results.values()]
    keys = list(dict.fromkeys(key for run in runs for key in run))
    yield section(
        "The runs", grid(["", *names], ([key, *(run.get(key, NOTHING) for run in runs)] for key in keys))
    )


def _drawn(results: Mapping[str, Result]) -> Iterator[Block]:
    """Bars of what each method costs; the longest of a kind fills the width."""
    for title, (measure, say) in MEASURES.items():
        found = {name: measure(result) for name, result in results.items()}
        most = max((size for size in found.values() if size is not None), default=0) or 1
        yield bars(
            title,
            {"": BLUE},
            ((n, [(x or 0) / most], NOTHING if x is None else say(x)) for n, x in found.items()),
        )
    for dimension, levels in _levels(results).items():
        for level in range(levels):
            yield _drawn_level(results, dimension, level)


def _drawn_level(results: Mapping[str, Result], dimension: str, level: int) -> Block:
    """What each method loses of one level; nothing where none of them loses anything."""
    lost = {name: r.loss.by_level[dimension][level] for name, r in results.items() if r.loss is not None}
    rows = [(name, _parts(part), _said(part)) for name, part in lost.items()]
    title = f"Cells lost of {dimension}, {level_name(level)}"
    return bars(title, SERIES, rows) if any(sum(parts) for _, parts, _ in rows) else {}


def _parts(lost: Share) -> list[float]:
    return [part / max(1, lost.cells) for part in (lost.primary, lost.secondary, lost.changed)]


def _said(lost: Share) -> str:
    gone = lost.withheld + lost.changed
    return f"{gone:,} of {lost.cells:,} ({share(gone, lost.cells)})"


def _levels(results: Mapping[str, Result]) -> dict[str, int]:
    for result in results.values():
        if result.loss is not None:
            return {name: len(levels) for name, levels in result.loss.by_level.items()}
    return {}


def _lost(result: Result, dimension: str, level: int) -> str:
    if result.loss is None:
        return NOTHING
    found = result.loss.by_level[dimension][level]
    return f"{found.withheld + found.changed:,} of {found.cells:,}"


def _safe(result: Result) -> str:
    if result.release is None:
        return "no release"
    return "yes, proved" if result.is_safe else "no"


def _withheld(result: Result) -> int | None:
    return None if result.loss is None else result.loss.overall.withheld


def _changed(result: Result) -> int | None:
    return None if result.loss is None else result.loss.overall.changed


def _value(result: Result) -> float | None:
    unit = result.problem.table.unit
    return None if result.loss is None else float(unit.amount(result.loss.overall.value))


def _optional(number: float | None) -> str:
    return NOTHING if number is None else amount(number)


FACTS: Mapping[str, Callable[[Result], str]] = {
    "safe": _safe,
    "cells withheld": lambda result: _optional(_withheld(result)),
    "cells changed": lambda result: _optional(_changed(result)),
    "value withheld": lambda result: _optional(_value(result)),
    "loss": lambda result: _optional(result.objective),
    "proved bound": lambda result: _optional(result.bound),
    "gap": lambda result: NOTHING if result.gap is None else f"{result.gap:.1%}",
    "time": lambda result: seconds(result.seconds),
}
MEASURES: Mapping[str, tuple[Callable[[Result], float | None], Callable[[float], str]]] = {
    "Loss (weight of what is withheld or changed)": (lambda result: result.objective, amount),
    "Cells withheld": (_withheld, lambda count: many(int(count), "cell")),
    "Time": (lambda result: result.seconds, seconds),
}
