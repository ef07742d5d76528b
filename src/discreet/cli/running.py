"""How a table is protected: the method, its options, and what the run may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from .reading import pairs

if TYPE_CHECKING:
    from ..limits import Watch
    from ..problem import Problem
    from ..result import Result
    from .readers import Readers

PANEL = "How the table is protected"
GIGABYTE = 10**9


def _option(text: str, *names: str, metavar: str | None = None) -> Any:
    return Option(*names, help=text, metavar=metavar, rich_help_panel=PANEL)


@dataclass(frozen=True)
class Running:
    """A method and its limits; `protect()` runs it."""

    method: Annotated[
        str, _option("The method, one of those that `discreet methods` lists.", metavar="NAME")
    ] = "suppress-lp"
    option: Annotated[
        list[str] | None, _option("An option of the method; may be repeated.", metavar="KEY=VALUE")
    ] = None
    seconds: Annotated[
        float | None, _option("Seconds the search may take; it keeps the best it has by then.", metavar="S")
    ] = None
    seed: Annotated[
        int, _option("Chooses among equal chances; the same seed gives the same result.", metavar="N")
    ] = 0
    threads: Annotated[int | None, _option("Threads the solver may use.", metavar="T")] = None
    memory: Annotated[float | None, _option("Gigabytes the process may hold.", metavar="GB")] = None
    work: Annotated[
        int | None, _option("Steps the method may take; repeats a run that the clock cut.", metavar="STEPS")
    ] = None

    def protect(self, problem: Problem, readers: Readers, watch: Watch) -> Result:
        """Runs the method on a problem, and the audit after it."""
        from ..pipeline import protect

        return protect(
            problem,
            self.method,
            options=dict(pairs(self.option, "--option", "KEY=VALUE")),
            seconds=self.seconds,
            seed=self.seed,
            threads=self.threads,
            memory=None if self.memory is None else int(self.memory * GIGABYTE),
            work=self.work,
            watch=watch,
            insiders=readers.insiders,
            implicit=readers.implicit,
        )
