"""The commands by name, as typer knows them."""

from __future__ import annotations

from typing import Annotated

from typer import Exit, Option, Typer, echo

from .commands import audit, compare, convert, demo, describe, init, methods, protect, run, verify
from .groups import expanded

COMMANDS = (demo, init, run, describe, protect, compare, audit, verify, methods, convert)
EXITS = (
    "Exit codes: 0 safe, 2 bad input, 3 proved infeasible, 4 no solution, 5 unsafe, 130 interrupted. "
    "A JJ result, a certificate, a report and --json are as confidential as the table."
)

app = Typer(
    epilog=EXITS,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    app.command()(expanded(command))


def _say_version(wanted: bool) -> None:
    if wanted:
        from ..pipeline import own_version

        echo(own_version())
        raise Exit


@app.callback()
def discreet(
    version: Annotated[
        bool, Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Protect statistical tables before they are published, and prove that they are safe."""
