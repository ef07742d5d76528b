"""How methods are compared: which ones, within what limits, and how that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from .endings import SAFE, code_of_result

if TYPE_CHECKING:
    from ..comparison import Comparison
    from ..limits import Watch
    from ..problem import Problem
    from .readers import Readers

PANEL = "What is compared"


def _option(text: str, *names: str, metavar: str | None = None) -> Any:
    return Option(*names, help=text, metavar=metavar, rich_help_panel=PANEL)


@dataclass(frozen=True)
class Comparing:
    """Methods and the limits of each; `compare()` runs them."""

    method: Annotated[
        list[str] | None,
        _option(
            "A method, perhaps with options; repeated for each. All methods there are, if none is named.",
            metavar="NAME[:OPTION=VALUE…]",
        ),
    ] = None
    seconds: Annotated[float | None, _option("Seconds that each search may take.", metavar="S")] = None
    seed: Annotated[int, _option("The same seed gives the same results.", metavar="N")] = 0
    threads: Annotated[int | None, _option("Threads the solvers may use.", metavar="T")] = None

    def compare(self, problem: Problem, readers: Readers, watch: Watch) -> Comparison:
        """Runs one method after another on a problem, with an audit after each."""
        from ..comparison import compare
        from ..registry import METHODS

        return compare(
            problem,
            self.method or list(METHODS),
            seconds=self.seconds,
            seed=self.seed,
            threads=self.threads,
            watch=watch,
            insiders=readers.insiders,
            implicit=readers.implicit,
        )


def code_of_comparison(comparison: Comparison) -> int:
    """Safe where any method was; otherwise how the last of them ended."""
    if comparison.best is not None or not comparison.results:
        return SAFE
    return code_of_result(list(comparison.results.values())[-1])


def write_comparison(report: Path | None, comparison: Comparison) -> list[Path]:
    """Writes the page about it, where one is asked for; says what was written."""
    if report is None:
        return []
    from ..io.files import write_text
    from ..report.comparing import comparison_report

    write_text(report, comparison_report(comparison), confidential=True)
    return [report]


def say_comparison(comparison: Comparison, files: Sequence[Path]) -> None:
    """The numbers of all methods, side by side."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ..report.comparing import rows_of, summary_of
    from .screens import say, say_files

    say(summary_of(comparison), (), good=comparison.best is not None)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(style="cyan")
    for name in comparison.results:
        table.add_column(Text(name), overflow="fold")
    for fact, *said in rows_of(comparison):
        table.add_row(Text(fact), *map(Text, said))
    Console(highlight=False).print(table)
    if comparison.left_out:
        say(f"Not run: {', '.join(comparison.left_out)}.", ())
    say_files(files)
