"""What a person sees of a run that takes longer than two seconds; nobody else sees anything."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .pace import Pace

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

PATIENCE = 2.0
BAR = 24


def never() -> bool:
    """Nobody asks for an end."""
    return False


class Follower:
    """A watch that keeps the stage and its pace, and passes on the wish to end."""

    def __init__(self, stage: str, seconds: float | None = None, asked: Callable[[], bool] = never) -> None:
        now = time.monotonic()
        self.stage = stage
        self.pace = Pace(now)
        self.deadline = None if seconds is None else now + seconds
        self.asked = asked

    def progress(self, stage: str, done: float, total: float) -> None:
        """Kept for the next look at the screen."""
        now = time.monotonic()
        if stage != self.stage:
            self.stage, self.pace = stage, Pace(self.pace.began)
        self.pace.update(done, total, now)

    def incumbent(self, loss: float, bound: float | None) -> None:
        """Not shown: what is lost is for the account."""

    def stopped(self) -> bool:
        """Whether the person at the keyboard wants an end."""
        return self.asked()

    def left(self) -> float | None:
        """Seconds to the end of the stage; at most those to the end of the time it was given."""
        now = time.monotonic()
        guesses = [self.pace.left(now)]
        if self.deadline is not None and now < self.deadline:
            guesses.append(self.deadline - now)
        known = [guess for guess in guesses if guess is not None]
        return min(known) if known else None


@contextmanager
def followed(
    stage: str, seconds: float | None = None, asked: Callable[[], bool] = never
) -> Iterator[Follower]:
    """A watch over what is done inside, on the screen after a while if there is somebody to look at it."""
    follower = Follower(stage, seconds, asked)
    if not sys.stderr.isatty():
        yield follower
        return
    screen = _Screen(follower)
    try:
        yield follower
    finally:
        screen.end()


class _Screen:
    """One line at the foot of the terminal that appears after two seconds and goes when the work ends."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.live: Live | None = None
        self.over = False
        self.lock = threading.Lock()
        self.timer = threading.Timer(PATIENCE, self._begin)
        self.timer.daemon = True
        self.timer.start()

    def _begin(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        self.spinner = Spinner("dots")
        with self.lock:
            if not self.over:
                self.live = Live(
                    get_renderable=self._line,
                    console=Console(stderr=True),
                    refresh_per_second=8,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self.live.start()

    def end(self) -> None:
        self.timer.cancel()
        with self.lock:
            self.over = True
            if self.live is not None:
                self.live.stop()

    def _line(self) -> RenderableType:
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        share, left = self.follower.pace.share, self.follower.left()
        line = Table.grid(padding=(0, 1))
        parts: list[RenderableType] = [self.spinner, self.follower.stage]
        if share is not None:
            parts += [ProgressBar(1.0, share, width=BAR), f"{share:4.0%}"]
        if left is not None:
            parts.append(f"about {_duration(left)} left")
        line.add_row(*parts)
        return line


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
