"""Records on the command line: which column plays which part, where no job file says it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

from typer import Option

from ..errors import InputError

PANEL = "How records become a table"
FLAGS = {"spanned": "--table"}
"""Options that are called otherwise than the fields that hold them."""

Several = list[str] | None
Text = str | None


def _option(text: str, *names: str, metavar: str | None = None) -> Any:
    return Option(*names, help=text, metavar=metavar, rich_help_panel=PANEL)


@dataclass(frozen=True, kw_only=True)
class Recording:
    """What may be said of records; where nothing of it is said, rows are cells."""

    records: Annotated[bool, _option("Rows are records; any other option here says so too.", "--records")] = (
        False
    )
    contributor: Annotated[Text, _option("The column of who stands behind a record.", metavar="COLUMN")] = (
        None
    )
    holding: Annotated[
        Text, _option("The column of who counts as one to rules with @holding.", metavar="COLUMN")
    ] = None
    shadow: Annotated[
        Text, _option("The column that rules look at instead of the values.", metavar="COLUMN")
    ] = None
    sampling_weight: Annotated[
        Text, _option("The column of how many a record stands for.", metavar="COLUMN")
    ] = None
    request: Annotated[
        Text,
        _option(
            "The column of who asked for confidentiality, and its two codes if not 1 and 2.",
            metavar="COLUMN[=CODE,CODE]",
        ),
    ] = None
    missing: Annotated[
        Several,
        _option(
            "A code for missing, such as region=99, or region= for no code; cells with it are safe.",
            metavar="DIM=CODE",
        ),
    ] = None
    spanned: Annotated[
        Several, _option("One of several linked tables, by its variables.", "--table", metavar="DIM,DIM…")
    ] = None

    @property
    def said_of_records(self) -> list[str]:
        """The options that say that rows are records."""
        return given(self, [field.name for field in fields(Recording)])

    def requested(self) -> dict[str, Any]:
        """The column of requests and its codes, as the Python interface names them."""
        if self.request is None:
            return {}
        column, sign, codes = self.request.partition("=")
        if not sign:
            return {"request": column}
        both = tuple(codes.split(","))
        if len(both) != 2 or not column:
            raise InputError(f"Expected --request as COLUMN or COLUMN=CODE,CODE, got '{self.request}'.")
        return {"request": column, "request_codes": both}


def given(options: Any, names: list[str]) -> list[str]:
    """The options that were given among some, as they are written."""
    default = {field.name: field.default for field in fields(options)}
    return [
        FLAGS.get(name, "--" + name.replace("_", "-"))
        for name in names
        if getattr(options, name) not in (default[name], [])
    ]
