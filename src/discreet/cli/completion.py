"""The second half of a run: protect, write what may be written, and say how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typer import Exit

from .accounts import account_of_run, print_json
from .endings import UNSAFE, code_of_result, say_error
from .progress import followed
from .signals import Patience, deafen, heed

if TYPE_CHECKING:
    from ..io.outputs import Against, Outputs
    from ..limits import Watch
    from ..problem import Problem
    from ..result import Result


def carry_out(
    problem: Problem,
    protecting: Callable[[Watch], Result],
    outputs: Outputs,
    against: Against,
    *,
    seconds: float | None = None,
    override: bool = False,
) -> tuple[Result, list[Path]]:
    """Protects, as patient with Ctrl-C as it can be, and writes; nothing interrupts the writing."""
    outputs.refuse_too_long(problem)
    wish = Patience()
    heed(wish)
    with followed("protecting", seconds, lambda: wish.asked) as watch:
        result = protecting(watch)
    deafen()
    return result, outputs.write(problem, result, against, override=override)


def conclude(result: Result, files: Sequence[Path], outputs: Outputs, as_json: bool) -> None:
    """Says what came out, and ends with the code for it."""
    if as_json:
        print_json(account_of_run(result, files))
    else:
        from .screens import say_run

        say_run(result, files)
    if result.release is not None and not set(outputs.tables) <= set(files):
        say_error("The result is not proved safe, so nothing of it was published.", UNSAFE)
    raise Exit(code_of_result(result))
