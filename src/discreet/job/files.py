"""Job files: TOML in, a job out, and what is wrong in it said by its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ..errors import InputError, suggest
from ..io.files import read_text
from .model import FOLDER, Job

JOB_ENDING = ".toml"
PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
KINDS = {str: "a text", bool: "true or false", int: "a number", float: "a number", dict: "a section"}
EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a section",
    "float_type": "a number",
    "greater_than_equal": "{ge:g} or more",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "literal_error": "{expected}",
    "model_type": "a section",
    "string_type": "a text",
    "too_short": "at least {min_length} entry",
    "tuple_type": "a list",
}
"""What should stand there, by the kind of error and what it knows."""
LESS = ("greater_than_equal", "too_short")


def read_job(path: str | Path) -> Job:
    """The job in a TOML file; names of files in it are seen from its folder."""
    path = Path(path)
    if path.suffix.lower() != JOB_ENDING:
        raise InputError(f"{path}: expected a job file, a .toml, got '{path.suffix or path.name}'.")
    return make_job(_parsed(path), path.parent, str(path))


def make_job(said: dict[str, Any], folder: str | Path = "", name: str = "The job") -> Job:
    """The job that a mapping describes, as a job file would."""
    try:
        return Job.model_validate(said, context={FOLDER: folder})
    except ValidationError as wrong:
        raise InputError(f"{name}: {_told(wrong)}") from None


def _parsed(path: Path) -> dict[str, Any]:
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        said = str(problem)
        place = PLACE.search(said)
        line = f", line {place[1]}" if place and place[1] else ""
        raise InputError(
            f"{path}{line}: expected TOML, got something else ({PLACE.sub('', said)}). "
            "Texts stand in quotes, sections in brackets."
        ) from None


def _told(wrong: ValidationError) -> str:
    """The first thing that is wrong, a slip in a key before anything else; never what was written there."""
    first = min(wrong.errors(include_url=False), key=lambda error: error["type"] != "extra_forbidden")
    place, kind = first["loc"], first["type"]
    name = _spelled(place)
    if kind == "extra_forbidden":
        where = f" in [{_spelled(place[:-1])}]" if len(place) > 1 else ""
        return (
            f"Unknown key '{place[-1]}'{where}. {suggest(str(place[-1]), _section(place[:-1]).model_fields)}"
        )
    if kind == "missing":
        return f"Expected '{name}', got nothing. Add it."
    if kind == "value_error":
        return f"'{name}': {first['ctx']['error']}"
    expected = EXPECTED.get(kind, "something else").format(**first.get("ctx", {}))
    found = "less" if kind in LESS else KINDS.get(type(first["input"]), "something else")
    return f"Expected {expected} as '{name}', got {found}."


def _spelled(place: Sequence[int | str]) -> str:
    """The place of a value as TOML writes it."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + (step if re.fullmatch(r"[\w-]+", step) else f'"{step}"')
    return text


def _section(place: Sequence[int | str]) -> type[BaseModel]:
    """The section that stands at a place."""
    kind: Any = Job
    for step in place:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = kind.model_fields[str(step)].annotation
        else:
            # what a list holds stands first in its type, what a mapping holds last
            kind = next(k for k in get_args(kind)[::-1] if isinstance(k, type))
    return kind  # type: ignore[no-any-return]
