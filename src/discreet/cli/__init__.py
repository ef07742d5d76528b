"""The command line: what the word `discreet` starts."""

from __future__ import annotations


def main() -> None:
    """Runs the command that the arguments name; ends the process."""
    from .endings import plain_endings
    from .signals import abrupt, heed

    heed(abrupt)
    with plain_endings():
        from .app import app

        app()
