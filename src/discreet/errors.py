"""Everything that discreet refuses, with what was expected, what was found, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable


class DiscreetError(Exception):
    """Any error that discreet raises on purpose; its text is meant for the person at the keyboard."""


class InputError(DiscreetError, ValueError):
    """What was given cannot be used as it is."""


class AdditivityError(InputError):
    """A table whose cells do not sum to their totals."""


class UnsafeError(DiscreetError):
    """A release that was not proved safe was about to be published."""


class EngineError(DiscreetError, RuntimeError):
    """A solver broke down, which says nothing of the problem it was given."""


def suggest(word: str, choices: Iterable[str]) -> str:
    """The end of an error text: the closest choice, or all of them when none is close."""
    from difflib import get_close_matches

    known = sorted(choices)
    close = get_close_matches(word, known, n=1)
    if close:
        return f"Did you mean '{close[0]}'?"
    return f"Choices: {listing(known, most=20)}." if known else ""


def listing(items: Iterable[str], most: int = 5) -> str:
    """The first few of many things, and how many more there are."""
    everything = list(items)
    shown = ", ".join(everything[:most])
    left = len(everything) - most
    return f"{shown} and {left} more" if left > 0 else shown
