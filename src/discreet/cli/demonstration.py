"""The demonstration: records that ship with discreet, from their file to a release that is proved safe."""

from __future__ import annotations

from pathlib import Path

from typer import Exit

from ..errors import InputError
from ..examples import example_folder
from .endings import code_of_result
from .jobs import perform

RECORDS, JOB = "firms.csv", "firms.toml"
TREES = ("industry.csv", "region.hrc")


def demonstrate(directory: Path) -> None:
    """Does the job of the example in a folder of the user's own, and says what it did."""
    from .screens import say_demo

    _make(directory)
    inputs = _copied(directory)
    result, files, _ = perform(directory / JOB)
    say_demo(directory, result, inputs, files)
    raise Exit(code_of_result(result))


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = (problem.strerror or "the system refuses").lower()
        raise InputError(f"Cannot use {directory} as a folder: {reason}. Name another one.") from None


def _copied(directory: Path) -> list[Path]:
    """The files of the example, in a folder of the user's own."""
    from ..io.files import read_bytes, whole_file

    copies = [directory / name for name in (RECORDS, *TREES, JOB)]
    for copy in copies:
        with whole_file(copy, confidential=copy.name not in TREES) as file:
            file.write(read_bytes(example_folder() / copy.name))
    return copies
