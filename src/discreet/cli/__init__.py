"""The command line: what the word `discreet` starts."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Runs the command that the arguments name; ends the process."""
    from .endings import plain_endings
    from .signals import abrupt, heed

    heed(abrupt)
    for stream in (sys.stdout, sys.stderr):
        # a name of a file that the terminal cannot show is no reason to fail
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with plain_endings():
        from .app import app

        app()
