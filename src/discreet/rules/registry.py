"""The rules there are, by the keys under which people ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from ..errors import InputError, suggest
from .percent import PercentRule
from .rule import Rule
from .threshold import ThresholdRule

RULES: Mapping[str, Any] = {
    "p": PercentRule,
    "threshold": ThresholdRule,
}


def make_rule(text: str) -> Rule:
    """The rule that a text such as `p:10` or `threshold:3:10` names, its numbers in their order."""
    key, *numbers = text.split(":")
    if key not in RULES:
        raise InputError(f"Unknown rule '{key}'. {suggest(key, RULES)}")
    names = [field.name for field in fields(RULES[key])]
    needed = sum(field.default is MISSING for field in fields(RULES[key]))
    if not needed <= len(numbers) <= len(names) or not all(n.isascii() and n.isdigit() for n in numbers):
        form = ":".join([key, *(name.upper() for name in names)])
        raise InputError(f"Expected the rule as {form} with whole numbers, got '{text}'.")
    made: Rule = RULES[key](*map(int, numbers))
    return made
