"""How long a stage of a run still takes, by how fast it went so far."""

from __future__ import annotations

from dataclasses import dataclass

SHARE_OF_NEWS = 0.3
"""How much a new measurement of the speed counts against the older ones."""


@dataclass
class Pace:
    """The seconds that a stage takes for each unit of its work, learnt from its progress.

    Work may fall back, as when a search finds something better and starts counting again; what was
    learnt of the speed stays.
    """

    began: float
    done: float = 0.0
    total: float = 0.0
    seconds: float | None = None

    def update(self, done: float, total: float, now: float) -> None:
        """So much is done now."""
        if done > self.done:
            each = (now - self.began) / (done - self.done)
            old = each if self.seconds is None else self.seconds
            self.seconds = (1 - SHARE_OF_NEWS) * old + SHARE_OF_NEWS * each
        if done != self.done:
            self.began = now
        self.done, self.total = done, total

    @property
    def share(self) -> float | None:
        """How much of the stage is done, where that is known."""
        return min(1.0, self.done / self.total) if self.total > 0 else None

    def left(self, now: float) -> float | None:
        """Seconds to the end of the stage, where that can be guessed."""
        if self.seconds is None or self.total <= 0:
            return None
        return max(0.0, self.seconds * (self.total - self.done) - (now - self.began))
