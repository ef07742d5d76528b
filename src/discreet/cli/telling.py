"""What the reader of a released table is told, where no file beside it says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..errors import InputError, suggest

if TYPE_CHECKING:
    from ..auditor import ReachOf
    from ..problem import Problem
    from ..release import Release

PANEL = "What readers are told, where OUT.release.json does not say it"

REACHES: Mapping[str, ReachOf] = {"exposed": "exposed", "withheld": "withheld"}


def _option(text: str, *names: str, metavar: str | None = None) -> Any:
    return Option(*names, help=text, metavar=metavar, rich_help_panel=PANEL)


@dataclass(frozen=True)
class Telling:
    """A released table and what is told of it; `release()` reads it."""

    out: Annotated[Path, Argument(metavar="OUT", help="The released table, a .jj file.")]
    raw: Annotated[bool, _option("Every value is published as it is.", "--raw")] = False
    suppressed: Annotated[
        bool, _option("Cells with the status u or m are withheld, all others are true.", "--suppressed")
    ] = False
    base: Annotated[str | None, _option("Values are rounded to multiples of a base.", metavar="B")] = None
    nearest: Annotated[bool, _option("With --base: always to the nearest one.", "--nearest")] = False
    window: Annotated[
        int | None, _option("With --base: up to so many bases further than next to the truth.", metavar="K")
    ] = None
    distance: Annotated[bool, _option("Values were changed and it is not said how far.", "--distance")] = (
        False
    )
    within: Annotated[
        str | None, _option("Values were changed, the truth is at most so far away.", metavar="K")
    ] = None

    def release(self, problem: Problem) -> Release:
        """The release of a problem, read."""
        from ..io.told import read_release

        return read_release(problem, self.out, self._sentence())

    def _sentence(self) -> dict[str, object] | None:
        rounded: dict[str, object] = {
            "kind": "rounded",
            "base": self.base,
            "nearest": self.nearest,
            "window": self.window or 0,
        }
        chosen: dict[str, dict[str, object] | None] = {
            "--raw": {"kind": "raw"} if self.raw else None,
            "--suppressed": {"kind": "suppressed"} if self.suppressed else None,
            "--base": rounded if self.base is not None else None,
            "--distance": {"kind": "adjusted"} if self.distance else None,
            "--within": {"kind": "adjusted", "within": self.within} if self.within is not None else None,
        }
        said = {flag: sentence for flag, sentence in chosen.items() if sentence is not None}
        if (self.nearest or self.window is not None) and self.base is None:
            raise InputError("--nearest and --window go with --base B. Name the base.")
        if len(said) > 1:
            raise InputError(f"{' and '.join(said)} say different things of one release. Keep one of them.")
        return next(iter(said.values()), None)


def reach_of(text: str | None) -> ReachOf:
    """The cells whose reach is asked for."""
    if text is None:
        return "nothing"
    if text not in REACHES:
        raise InputError(f"Unknown cells '{text}' for --reach. {suggest(text, REACHES)}")
    return REACHES[text]
