"""What a job file may say: its sections, each a value of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)

from ..errors import InputError
from ..io.hierarchies import DIGITS
from ..profile import Profile
from ..registry import DEFAULT_METHOD
from ..rules.registry import rule_from
from ..rules.rule import Rule

FOLDER = "folder"
"""Under this name the context of a validation holds the folder of the job file."""


def _placed(said: Any, info: ValidationInfo) -> Path:
    """A name of a file as seen from the folder of the job file."""
    if not isinstance(said, str | Path) or not str(said):
        raise InputError("Expected the name of a file as a text, got something else.")
    return Path((info.context or {}).get(FOLDER, ""), said)


def _placed_tree(said: Any, info: ValidationInfo) -> str | Path:
    return said if isinstance(said, str) and said.startswith(DIGITS) else _placed(said, info)


def _listed(said: Any) -> tuple[Any, ...]:
    """One thing as a list of it."""
    return tuple(said) if isinstance(said, list | tuple) else (said,)


def _both(said: Any) -> tuple[Any, ...]:
    """One share for below and above."""
    return tuple(said) if isinstance(said, list | tuple) else (said, said)


def _judging(said: Any) -> Rule:
    if isinstance(said, bool | int | float | list):
        raise InputError("Expected a rule as a text such as 'p:10', or as a section, got something else.")
    return rule_from(said)


def _marking(said: Any) -> Any:
    if isinstance(said, str):
        Profile.of(said)
    return said


TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
File = Annotated[Path, PlainValidator(_placed), WithJsonSchema({"type": "string", "format": "path"})]
Tree = Annotated[str | Path, PlainValidator(_placed_tree), WithJsonSchema(TEXT)]
Trees = Annotated[
    tuple[Tree, ...], BeforeValidator(_listed), WithJsonSchema({"anyOf": [TEXT, TEXTS]}), Field(strict=False)
]
Files = Annotated[tuple[File, ...], Field(strict=False)]
Texts = Annotated[tuple[str, ...], Field(strict=False)]
Share = Annotated[int, Field(ge=0)]
Band = Annotated[
    tuple[Share, Share],
    BeforeValidator(_both),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}),
    Field(strict=False),
]
Codes = dict[str, str]
Judge = Annotated[
    Rule,
    PlainValidator(_judging),
    WithJsonSchema({"anyOf": [TEXT, {"type": "object", "required": ["rule"]}]}),
]


class Section(BaseModel):
    """A part of a job; nothing may stand in it that it does not know."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True)


class Data(Section):
    """Where the records are, and how their file is cut."""

    path: File = Field(description="The records, a row each: .csv, .tsv or .parquet.")
    delimiter: str | None = Field(default=None, description="What cuts the columns of a .csv.")
    decimal: Literal[".", ","] | None = Field(default=None, description="The decimal sign.")
    unit: str | None = Field(default=None, description="The smallest step of the values, such as 0.01.")
    negatives: Literal["refuse", "absolute"] = Field(
        default="refuse", description="What rules do where contributions have both signs."
    )


class Columns(Section):
    """Which column of the records plays which part."""

    value: str | None = Field(default=None, description="What is added up; without it, records are counted.")
    shadow: str | None = Field(default=None, description="What the rules look at instead of the value.")
    sampling_weight: str | None = Field(default=None, description="For how many a record stands.")
    contributor: str | None = Field(default=None, description="Who stands behind a record.")
    holding: str | None = Field(default=None, description="Who counts as one to rules that say so.")
    request: str | None = Field(default=None, description="Whether somebody asked for confidentiality.")
    request_codes: Annotated[tuple[str, str], Field(strict=False)] = Field(
        default=("1", "2"), description="The two codes of those who did."
    )


class Variable(Section):
    """A variable that spans the table; one without anything is flat."""

    hierarchy: Trees = Field(
        default=(),
        description="Its tree: .hrc, .csv or digits:2,1,1; or several groupings of its codes.",
    )
    total: str | None = Field(default=None, description="The code of its total.")
    missing: Texts = Field(default=(), description="Codes for missing; cells with them are never sensitive.")
    labels: Codes = Field(default_factory=dict, description="What its codes mean, for workbooks and pages.")


class Span(Section):
    """One of several linked tables."""

    by: Texts = Field(min_length=1, description="The variables that span it.")


class Cells(Section):
    """Single cells, each by its codes; a variable that is not named is at its total."""

    published: Annotated[tuple[Codes, ...], Field(strict=False)] = Field(
        default=(), description="Cells that must be published as they are."
    )
    marked: Annotated[tuple[Codes, ...], Field(strict=False)] = Field(
        default=(), description="Cells for the rule 'manual'."
    )


class Knowledge(Section):
    """What readers know beforehand, and who else reads."""

    within: Band | None = Field(
        default=None, description="Everybody knows values to so many percent, or [below, above]."
    )
    whole: bool = Field(default=False, description="Everybody knows that values are whole units.")
    insiders: bool = Field(default=True, description="Contributors know what they contributed.")
    implicit: bool = Field(default=True, description="Somebody adds up what is withheld.")
    coalitions: Annotated[tuple[Texts, ...], Field(strict=False)] = Field(
        default=(), description="Contributors who tell each other what they know."
    )


class Protection(Section):
    """The method, its options, and what a cell costs."""

    method: str = Field(default=DEFAULT_METHOD, description="One of those that `discreet methods` lists.")
    options: dict[str, Any] = Field(default_factory=dict, description="Options of the method.")
    weight: Literal["value", "one", "log", "frequency"] = Field(
        default="value", description="What a cell costs."
    )
    clip: bool = Field(default=False, description="Cut protection needs to what is known beforehand.")


class Bounds(Section):
    """What the run may use."""

    seconds: float | None = Field(default=None, ge=0, description="Seconds the search may take.")
    seed: int = Field(default=0, ge=0, description="Chooses among equal chances.")
    threads: int | None = Field(default=None, ge=1, description="Threads the solver may use.")
    memory: float | None = Field(default=None, ge=0, description="Gigabytes the process may hold.")
    work: int | None = Field(default=None, ge=0, description="Steps the method may take.")


class Targets(Section):
    """Where results go; a file that stands already is written anew."""

    public: Files = Field(default=(), description="For everybody: .csv, .parquet, .json, .xlsx or .html.")
    confidential: Files = Field(default=(), description="For the office: .jj.")
    certificate: File | None = Field(default=None, description="The proof, which `discreet verify` checks.")
    report: File | None = Field(default=None, description="A confidential page about the run, an .html.")
    mark: Annotated[str, BeforeValidator(_marking)] = Field(
        default="c", description="What stands for withheld values, or a profile: none, dash, dots."
    )


class Job(Section):
    """Everything that leads from records to files."""

    data: Data = Field(description="Where the records are.")
    columns: Columns = Field(default=Columns(), description="Which column plays which part.")
    variables: dict[str, Variable] = Field(
        min_length=1, description="What the table is made by: a section for each variable, by its column."
    )
    tables: Annotated[tuple[Span, ...], Field(strict=False)] = Field(
        default=(), description="Several linked tables; else one by all variables."
    )
    rules: Annotated[tuple[Judge, ...], Field(strict=False)] = Field(
        default=(), description="What makes a cell sensitive, such as 'p:10' or {rule = 'p', percent = 10}."
    )
    cells: Cells = Field(default=Cells(), description="Single cells.")
    knowledge: Knowledge = Field(default=Knowledge(), description="What readers know.")
    protection: Protection = Field(default=Protection(), description="How the table is protected.")
    limits: Bounds = Field(default=Bounds(), description="How long and how large the run may be.")
    outputs: Targets = Field(default=Targets(), description="Where results go.")
