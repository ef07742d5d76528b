"""Ctrl-C and the wish of a system to end a program: kept the first time where that can be done in order."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
Answer = Callable[[int, FrameType | None], None] | signal.Handlers
ENDING = b"\nEnding with the best safe result so far; once more to stop at once.\n"


class Interrupted(BaseException):
    """Somebody wants the program to end now; no `except Exception` on the way holds that up."""


class Abruptness:
    """Ends at once, nothing written; remembers that it did.

    Libraries that are interrupted while they are imported turn that into errors of their own.
    """

    def __init__(self) -> None:
        self.ended = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Answers a signal."""
        self.ended = True
        raise Interrupted


abrupt = Abruptness()


class Patience:
    """Remembers the first wish to end, so that the run can end in order; the second ends it at once."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Answers a signal."""
        if self.asked:
            abrupt(number, frame)
        self.asked = True
        # not print(), which must not be entered twice
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, ENDING)


def heed(answer: Answer) -> None:
    """From now on signals get this answer."""
    for number in SIGNALS:
        signal.signal(number, answer)


def deafen() -> None:
    """What is left to do is short and is done whole: nothing interrupts it."""
    heed(signal.SIG_IGN)
