"""Options that several commands share, as one value each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

Command = Callable[..., None]


def expanded(command: Command) -> Command:
    """The command as typer shall see it: each argument that is a dataclass becomes an option a field."""
    arguments = inspect.signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: a.annotation for name, a in arguments.items() if is_dataclass(a.annotation)
    }

    @wraps(command)
    def flat(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    options: list[inspect.Parameter] = []
    for name, argument in arguments.items():
        options += _options(groups[name]) if name in groups else [_keyword(argument)]
    flat.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    flat.__annotations__ = {option.name: option.annotation for option in options}
    return flat


def _options(group: Any) -> list[inspect.Parameter]:
    """A group's own options first, then those of the group that it extends."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in sorted(fields(group), key=lambda field: field.name not in group.__annotations__)
    ]


def _keyword(argument: inspect.Parameter) -> inspect.Parameter:
    return argument.replace(kind=inspect.Parameter.KEYWORD_ONLY)
