"""Against whom a table is protected, besides everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from typer import Option

PANEL = "Against whom, besides everybody"


@dataclass(frozen=True)
class Readers:
    """Readers who know more than the public, each left out where that is asked for."""

    no_insiders: Annotated[
        bool,
        Option(
            "--no-insiders",
            help="Leave out contributors who know what they contributed.",
            rich_help_panel=PANEL,
        ),
    ] = False
    no_implicit: Annotated[
        bool,
        Option(
            "--no-implicit",
            help="Leave out what the withheld cells of a sum add up to.",
            rich_help_panel=PANEL,
        ),
    ] = False

    @property
    def insiders(self) -> bool:
        """Contributors who know what they contributed."""
        return not self.no_insiders

    @property
    def implicit(self) -> bool:
        """Whoever adds up what is withheld."""
        return not self.no_implicit
