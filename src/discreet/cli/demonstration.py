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

TABLE = "turnover.csv"
TREES = {"region": "region.hrc", "industry": "industry.csv"}
PUBLIC, CONFIDENTIAL, PROOF = ("public.csv", "public.xlsx", "public.html"), "protected.jj", "protected.proof"
REPORT = "report.html"
SECONDS = 20.0


def demonstrate(directory: Path) -> None:
    """Protects a copy of the example, writes everything there is to write, and says what it did."""
    from .screens import say_demo

    _make(directory)
    tables = [directory / name for name in (*PUBLIC, CONFIDENTIAL)]
    outputs = Outputs.checked(tables, directory / PROOF, report=directory / REPORT)
    inputs = _copied(directory)
    problem = example(directory).problem()
    wish = Patience()
    heed(wish)
    with followed("protecting", SECONDS, lambda: wish.asked) as watch:
        result = Running(seconds=SECONDS).protect(problem, Readers(), watch)
    deafen()
    files = outputs.write(problem, result, Readers())
    say_demo(directory, result, inputs, files)
    raise Exit(code_of_result(result))


def example(folder: Path) -> Reading:
    """How the table that ships with discreet is read."""
    return Reading(
        folder / TABLE,
        value="turnover",
        column=["frequency=firms"],
        hierarchy=[f"{dimension}={folder / tree}" for dimension, tree in TREES.items()],
        rule=["p:10"],
    )


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = (problem.strerror or "the system refuses").lower()
        raise InputError(f"Cannot use {directory} as a folder: {reason}. Name another one.") from None


def _copied(directory: Path) -> list[Path]:
    """The files of the example, in a folder of the user's own."""
    from ..io.files import read_bytes, whole_file

    copies = [directory / name for name in (TABLE, *TREES.values())]
    for copy in copies:
        with whole_file(copy, confidential=copy.name == TABLE) as file:
            file.write(read_bytes(example_folder() / copy.name))
    return copies
