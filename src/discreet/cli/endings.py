"""How the program ends: the exit codes, and an error in plain words instead of a traceback."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, NoReturn

from ..errors import DiscreetError, EngineError, UnsafeError
from .signals import Interrupted, abrupt, deafen

if TYPE_CHECKING:
    from ..result import Result

SAFE, BUG, BAD_INPUT, INFEASIBLE, NO_SOLUTION, UNSAFE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

WORDING = (
    (r"columns=\{'value': …\}", "--value …"),
    (r"columns=\{'(.+?)': …\}", r"--column \1=…"),
    (r"totals=\{'(.+?)': …\}", r"--total \1=…"),
    (r"missing=\{'(.+?)': …\}", r"--missing \1=…"),
    (r"by=…", "--by …"),
    (r"tabulate them", "say so with --records"),
    (r"ask for totals to be computed", "--totals-missing compute"),
    (
        r"choose to recompute the totals or to carry the discrepancy",
        "choose --on-discrepancy recompute or carry",
    ),
    (r"ask for needs to be clipped to them", "cut the needs to them with --clip"),
    (r"([Dd]eclare a (?:finer|coarser) unit)", r"\1 with --unit"),
    (r"override on your own responsibility", "use --publish-unsafe on your own responsibility"),
)
"""What the Python interface calls things, and what they are called here."""


@contextmanager
def plain_endings() -> Iterator[None]:
    """Whatever goes wrong inside ends the process with one message and its exit code."""
    try:
        yield
    except Interrupted:
        _say_interrupted()
    except DiscreetError as error:
        say_error(in_options(str(error)), code_of_error(error))
    except MemoryError:
        say_error("The memory is used up. Take a smaller table, or a larger machine.", NO_SOLUTION)
    except Exception as error:
        if abrupt.ended:
            _say_interrupted()
        say_error(f"{_whereabouts(error)} This is a bug in discreet, please report this line.", BUG)


def _say_interrupted() -> NoReturn:
    deafen()
    say_error("Interrupted; nothing was written.", INTERRUPTED)


def say_error(text: str, code: int) -> NoReturn:
    """Prints an error, red where that can be seen, and ends the process."""
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(("error:", "bold red"), " ", text)
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)
    sys.exit(code)


def code_of_error(error: DiscreetError) -> int:
    """The exit code for an error that discreet raised on purpose."""
    if isinstance(error, EngineError):
        return NO_SOLUTION
    return UNSAFE if isinstance(error, UnsafeError) else BAD_INPUT


def code_of_result(result: Result) -> int:
    """The exit code for the end of a run."""
    if result.release is None:
        return INFEASIBLE if result.status.value == "infeasible" else NO_SOLUTION
    return SAFE if result.is_safe else UNSAFE


def in_options(text: str) -> str:
    """An error text of the Python interface in the words of the command line."""
    for said, here in WORDING:
        text = re.sub(said, here, text)
    return text


def _whereabouts(error: Exception) -> str:
    """The kind of an error and the places it came through; its text may hold values, so it is not shown."""
    here = Path(__file__).parents[1]
    places = [
        f"{Path(frame.filename).relative_to(here)}:{frame.lineno}"
        for frame in extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(here)
    ]
    return f"{type(error).__name__} at {' < '.join(places[::-1][:4])}."
