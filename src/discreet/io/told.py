"""What a reader is told, in a small file beside the released table, and releases read back with it.

`OUT.release.json` goes with `OUT.jj`. Amounts in it are in the numbers of the table, not in units.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Ints, Mask
from ..errors import InputError, suggest
from ..problem import Problem
from ..release import Release
from ..units import INFINITE, Unit, number
from .files import read_text, write_text
from .jj_release import ReleasedJJ, read_released_jj

FORMAT, VERSION = "discreet-release", 1
LARGEST_REACH = 2**62
FLAGS = "--suppressed, --base B [--nearest], --window K, --distance or --within K"


def told_path(path: str | Path) -> Path:
    """Where what is told of a released table stands: `OUT.release.json` for `OUT.jj`."""
    return Path(path).with_suffix(".release.json")


def write_told(path: str | Path, release: Release, unit: Unit) -> None:
    """Write what the reader of a release is told; `path` is the file itself or the table it goes with."""
    target = Path(path) if str(path).endswith(".release.json") else told_path(path)
    said = {"format": FORMAT, "version": VERSION, "criterion": release.criterion, **_sentence(release, unit)}
    write_text(target, json.dumps(said, indent=None if "lower" in said else 2) + "\n", confidential=False)


def read_release(problem: Problem, path: str | Path, told: Mapping[str, object] | None = None) -> Release:
    """The release of a problem from a JJ file, and from what is told beside it or by the caller.

    `told` is a sentence such as `{"kind": "rounded", "base": 5}`. Values are taken as they stand: whether
    they are true, and add up, is the auditor's question.
    """
    source = "what was said" if told is not None else str(told_path(path))
    sentence = _checked(_told_beside(path) if told is None else told, source)
    return KINDS[sentence["kind"]](problem, read_released_jj(problem, path), _Sentence(sentence, source))


def _sentence(release: Release, unit: Unit) -> dict[str, object]:
    told = release.told
    kind = str(told.get("kind", "intervals"))
    if kind in ("raw", "suppressed"):
        return {"kind": kind}
    if kind == "rounded":
        base = _plain(unit.amount(int(str(told["base"]))))
        return {
            "kind": kind,
            "base": base,
            "window": told.get("window", 0),
            "nearest": told.get("nearest", False),
        }
    if kind == "adjusted":
        within = told.get("within")
        return (
            {"kind": kind}
            if within is None
            else {"kind": kind, "within": _plain(unit.amount(int(str(within))))}
        )
    return {
        "kind": "intervals",
        "withheld": np.flatnonzero(release.withheld).tolist(),
        "lower": [_bound(bound, unit) for bound in release.told_lower.tolist()],
        "upper": [_bound(bound, unit) for bound in release.told_upper.tolist()],
    }


def _plain(amount: Decimal) -> int | str:
    """A whole amount as a number and any other as an exact text."""
    return int(amount) if amount == amount.to_integral_value() else format(amount, "f")


def _bound(bound: int, unit: Unit) -> int | str | None:
    return None if abs(bound) == INFINITE else _plain(unit.amount(bound))


def _told_beside(path: str | Path) -> Mapping[str, Any]:
    beside = told_path(path)
    if not beside.exists():
        raise InputError(
            f"{path} does not say what its reader is told, and there is no {beside.name} beside it. "
            f"Say it with {FLAGS}."
        )
    try:
        said = json.loads(read_text(beside), parse_float=Decimal, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"{beside}: expected JSON, found something else. Write the release again.") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise InputError(
            f"{beside}: expected the format '{FORMAT}'. Write the release again, or say {FLAGS}."
        )
    if said.get("version") != VERSION or isinstance(said.get("version"), bool):
        raise InputError(f"{beside}: expected version {VERSION}. Read it with the discreet that wrote it.")
    if "criterion" not in said:
        raise InputError(f"{beside}: 'criterion' is missing, expected 'interval' or 'distance'.")
    return said


def _refuse_constant(_: str) -> None:
    raise ValueError


def _checked(said: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The sentence alone, of a known kind and with nothing in it that its kind does not know."""
    sentence = {key: held for key, held in said.items() if key not in ("format", "version", "criterion")}
    kind = sentence.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InputError(f"{source}: unknown kind of release. {suggest(str(kind), KINDS)}")
    strange = [key for key in sentence if key not in WORDS[kind]]
    if strange:
        raise InputError(f"{source}: '{strange[0]}' says nothing of a release of the kind '{kind}'.")
    criterion = "distance" if kind == "adjusted" and "within" not in sentence else "interval"
    if said.get("criterion", criterion) != criterion:
        raise InputError(f"{source}: expected the criterion '{criterion}' for what is told there.")
    return sentence


class _Sentence:
    """What is told, read with an error for whatever is missing or of the wrong sort."""

    def __init__(self, said: Mapping[str, Any], source: str) -> None:
        self.said, self.source = said, source

    def units(self, key: str, unit: Unit) -> int:
        if key not in self.said:
            raise InputError(f"{self.source}: '{key}' is missing, expected an amount such as 5.")
        return self._units(key, self.said[key], unit)

    def whole(self, key: str) -> int:
        held = self.said.get(key, 0)
        if isinstance(held, bool) or not isinstance(held, int):
            raise InputError(f"{self.source}: expected a whole number as '{key}'.")
        return held

    def flag(self, key: str) -> bool:
        held = self.said.get(key, False)
        if not isinstance(held, bool):
            raise InputError(f"{self.source}: expected true or false as '{key}'.")
        return held

    def bounds(self, key: str, unit: Unit, nothing: int, size: int) -> Ints:
        held = self._list(key)
        if len(held) != size:
            raise InputError(
                f"{self.source}: expected {size} entries in '{key}', a cell each, got {len(held)}."
            )
        return np.array([nothing if x is None else self._units(key, x, unit) for x in held], np.int64)

    def places(self, key: str, size: int) -> Mask:
        held = self._list(key)
        if any(isinstance(x, bool) or not isinstance(x, int) or not 0 <= x < size for x in held):
            raise InputError(f"{self.source}: expected places of cells, 0 to {size - 1}, in '{key}'.")
        chosen = np.zeros(size, np.bool_)
        chosen[np.array(held, np.int64)] = True
        return chosen

    def _list(self, key: str) -> list[Any]:
        held = self.said.get(key)
        if not isinstance(held, list):
            raise InputError(f"{self.source}: expected a list as '{key}'.")
        return held

    def _units(self, key: str, held: object, unit: Unit) -> int:
        try:
            if isinstance(held, bool) or not isinstance(held, (int, float, str, Decimal)):
                raise InputError("something else")
            return unit.units(number(str(held)))
        except InputError as problem:
            raise InputError(f"{self.source}: expected an amount as '{key}', found {problem}") from None


def _raw(problem: Problem, file: ReleasedJJ, said: _Sentence) -> Release:
    nothing = np.zeros(problem.size, np.bool_)
    return Release(file.value, nothing, file.value, file.value, told={"kind": "raw"})


def _suppressed(problem: Problem, file: ReleasedJJ, said: _Sentence) -> Release:
    """Values that are shown are told as they are shown, so that a changed one is found untrue."""
    withheld = file.withheld()
    honest = Release.suppressed(problem, withheld)
    told_lower = np.where(withheld, -INFINITE, file.value)
    told_upper = np.where(withheld, INFINITE, file.value)
    return Release(np.where(withheld, 0, file.value), withheld, told_lower, told_upper, told=honest.told)


def _rounded(problem: Problem, file: ReleasedJJ, said: _Sentence) -> Release:
    base, window = said.units("base", problem.table.unit), said.whole("window")
    if base * (window + 1) > LARGEST_REACH:
        raise InputError(f"{said.source}: expected a base and a window that a table can be rounded to.")
    return Release.rounded(problem, file.value, base, window, said.flag("nearest"))


def _adjusted(problem: Problem, file: ReleasedJJ, said: _Sentence) -> Release:
    within = said.units("within", problem.table.unit) if "within" in said.said else None
    return Release.adjusted(problem, file.value, within)


def _intervals(problem: Problem, file: ReleasedJJ, said: _Sentence) -> Release:
    n, unit = problem.size, problem.table.unit
    withheld = said.places("withheld", n)
    lower = said.bounds("lower", unit, -INFINITE, n)
    upper = said.bounds("upper", unit, INFINITE, n)
    return Release(np.where(withheld, 0, file.value), withheld, lower, upper, told={"kind": "intervals"})


KINDS: Mapping[str, Callable[[Problem, ReleasedJJ, _Sentence], Release]] = {
    "raw": _raw,
    "suppressed": _suppressed,
    "rounded": _rounded,
    "adjusted": _adjusted,
    "intervals": _intervals,
}
WORDS = {
    "raw": {"kind"},
    "suppressed": {"kind"},
    "rounded": {"kind", "base", "window", "nearest"},
    "adjusted": {"kind", "within"},
    "intervals": {"kind", "withheld", "lower", "upper"},
}
