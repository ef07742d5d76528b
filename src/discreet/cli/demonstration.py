"""The demonstration: the table that ships with discreet, from its file to a release that is proved safe."""

from __future__ import annotations

from pathlib import Path

from typer import Exit

from ..errors import InputError
from ..examples import example_folder
from .endings import code_of_result
from .outputs import Outputs
from .progress import followed
from .readers import Readers
from .reading import Reading
from .running import Running
from .signals import Patience, deafen, heed

SECONDS = 20.0


def demonstrate(directory: Path) -> None:
    """Protects the example, writes everything there is to write, and says what it did."""
    from .screens import say_demo

    _make(directory)
    outputs = Outputs.checked(
        (directory / "turnover.csv", directory / "turnover.jj"), directory / "turnover.certificate"
    )
    problem = example().problem()
    wish = Patience()
    heed(wish)
    with followed("protecting", SECONDS, lambda: wish.asked) as watch:
        result = Running(seconds=SECONDS).protect(problem, Readers(), watch)
    deafen()
    files = outputs.write(problem, result, Readers())
    say_demo(result, files)
    raise Exit(code_of_result(result))


def example() -> Reading:
    """How the table that ships with discreet is read."""
    folder = example_folder()
    return Reading(
        folder / "turnover.csv",
        value="turnover",
        column=["frequency=firms"],
        hierarchy=[f"region={folder / 'region.hrc'}", f"industry={folder / 'industry.csv'}"],
        rule=["p:10"],
    )


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = (problem.strerror or "the system refuses").lower()
        raise InputError(f"Cannot use {directory} as a folder: {reason}. Name another one.") from None
