"""The rules there are, by the keys under which people ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from ..errors import InputError, suggest
from ..evidence import LEVELS
from .dominance import DominanceRule
from .manual import ManualRule
from .parameters import NUMBER
from .percent import PercentRule
from .request import RequestRule
from .rule import Rule
from .threshold import ThresholdRule
from .zero import ZeroRule

RULES: Mapping[str, Any] = {
    "dominance": DominanceRule,
    "manual": ManualRule,
    "p": PercentRule,
    "request": RequestRule,
    "threshold": ThresholdRule,
    "zero": ZeroRule,
}


def make_rule(text: str) -> Rule:
    """The rule that a text such as `p:10` or `threshold:3:10@holding` names, its numbers in their order."""
    head, *said = text.split("@")
    key, *given = head.split(":")
    names = [parameter.name for parameter in _numbers(_kind(key))]
    if len(given) > len(names) or not all(NUMBER.fullmatch(number) for number in given):
        raise _misread(key, text)
    words: dict[str, Any] = {}
    for word in said:
        words |= _word(key, word)
    return _made(key, dict(zip(names, given, strict=False)) | words, text)


def rule_from(held: Mapping[str, Any] | str | Rule) -> Rule:
    """The rule in a mapping such as `{"rule": "p", "percent": 10, "level": "holding"}`, or in a text."""
    if isinstance(held, str):
        return make_rule(held)
    if not isinstance(held, Mapping):
        return held
    key = held.get("rule")
    if not isinstance(key, str):
        raise InputError(f"Expected a rule with its name as 'rule', got none. {suggest('', RULES)}")
    known = {parameter.name for parameter in fields(_kind(key))}
    given = {name: value for name, value in held.items() if name != "rule"}
    for name in given:
        if name not in known:
            raise InputError(f"The rule '{key}' has no parameter '{name}'. {suggest(str(name), known)}")
    return _made(key, given, f"rule = {key}")


def form(key: str) -> str:
    """How a rule is written, such as `threshold:LEAST[:PERCENT][@unweighted][@holding]`."""
    kind = _kind(key)
    needed = [p.name.upper() for p in _numbers(kind) if p.default is MISSING]
    further = [p.name.upper() for p in _numbers(kind) if p.default is not MISSING]
    written = ":".join([key, *needed]) + "".join(f"[:{name}" for name in further) + "]" * len(further)
    return written + "".join(f"[@{word}]" for word in _words(key) if word != LEVELS[0])


def describe_rules() -> list[dict[str, Any]]:
    """Every rule with its parameters, for menus and documentation."""
    return [
        {
            "rule": key,
            "summary": kind.summary,
            "formula": kind.formula,
            "form": form(key),
            "example": kind.example,
            "parameters": [_described(p) for p in fields(kind) if p.name != "level"],
        }
        for key, kind in RULES.items()
    ]


def key_of(rule: Rule) -> str:
    """The key of a rule's kind; of one that is not registered, the name of its class."""
    return next((key for key, kind in RULES.items() if type(rule) is kind), type(rule).__name__)


def _kind(key: str) -> Any:
    if key not in RULES:
        raise InputError(f"Unknown rule '{key}'. {suggest(key, RULES)}")
    return RULES[key]


def _numbers(kind: Any) -> list[Field[Any]]:
    return [parameter for parameter in fields(kind) if "range" in parameter.metadata]


def _words(key: str) -> list[str]:
    """What may stand behind an @."""
    names = [parameter.name for parameter in fields(_kind(key))]
    flags = [p.name for p in fields(_kind(key)) if isinstance(p.default, bool)]
    return [*flags, *(LEVELS if "level" in names else ())]


def _word(key: str, word: str) -> dict[str, Any]:
    known = _words(key)
    if word not in known:
        choices = suggest(word, known) or f"Expected it as {form(key)}."
        raise InputError(f"The rule '{key}' knows no '@{word}'. {choices}")
    return {"level": word} if word in LEVELS else {word: True}


def _made(key: str, given: Mapping[str, Any], text: str) -> Rule:
    if any(p.default is MISSING and p.name not in given for p in fields(_kind(key))):
        raise _misread(key, text)
    made: Rule = RULES[key](**given)
    return made


def _misread(key: str, text: str) -> InputError:
    return InputError(f"Expected the rule as {form(key)} with numbers, got '{text}'.")


def _described(parameter: Field[Any]) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "default": None if parameter.default is MISSING else parameter.default,
        "allowed": str(parameter.metadata.get("range", "true or false")),
        "help": parameter.metadata["help"],
    }
