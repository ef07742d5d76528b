"""The methods there are: a key and where its class lives."""

from __future__ import annotations

import math
from dataclasses import fields
from importlib import import_module
from typing import Any

from .errors import InputError, suggest
from .methods.method import Method

WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

DEFAULT_METHOD = "suppress-lp"
METHODS = {
    "suppress-lp": "discreet.methods.suppress.lp:SuppressLP",
}


def method_class(key: str) -> type[Method]:
    """The class behind a key."""
    if key not in METHODS:
        raise InputError(f"Unknown method '{key}'. {suggest(key, METHODS)}")
    module, name = METHODS[key].split(":")
    found: type[Method] = getattr(import_module(module), name)
    return found


def make_method(key: str, options: dict[str, Any] | None = None) -> Method:
    """A method with its options; texts are read as what the option is."""
    found = method_class(key)
    known = {field.name: field for field in fields(found)}
    given = {}
    for name, value in (options or {}).items():
        if name not in known:
            raise InputError(f"Method '{key}' has no option '{name}'. {suggest(name, known)}")
        given[name] = _read(key, known[name], value)
    return found(**given)


def _read(key: str, field: Any, value: Any) -> Any:
    """An option's value as what its default is, from text too."""
    kind = type(field.default)
    try:
        if isinstance(value, str) and kind is bool:
            return WORDS[value.lower()]
        read = kind(value) if isinstance(value, str) or (kind is float and type(value) is int) else value
        if type(read) is kind and not (kind is float and math.isnan(read)):
            return read
    except (KeyError, ValueError):
        pass
    raise InputError(
        f"Option '{field.name}' of '{key}' takes {kind.__name__} values such as {field.default}, "
        f"got '{value}'."
    )


def describe_methods() -> list[dict[str, Any]]:
    """Every method with its options, for menus and documentation."""
    described = []
    for key in METHODS:
        found = method_class(key)
        options = [
            {"name": f.name, "default": f.default, "help": f.metadata.get("help", "")} for f in fields(found)
        ]
        entry = {"method": key, "family": found.family, "summary": found.summary, "source": found.source}
        described.append(entry | {"options": options})
    return described
