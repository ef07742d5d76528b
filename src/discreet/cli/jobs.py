"""Jobs on the command line: done whole, or drafted for records that nobody described yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from .completion import carry_out
from .progress import followed
from .screens import say, say_files

if TYPE_CHECKING:
    from ..io.outputs import Outputs
    from ..job.draft import Draft
    from ..result import Result

JOB = ".toml"


def perform(
    path: Path, *, seconds: float | None = None, override: bool = False
) -> tuple[Result, list[Path], Outputs]:
    """Does a job, and says what was written where."""
    from ..job.course import outputs_of, protect_job
    from ..job.files import read_job
    from ..job.problems import problem_of

    job = read_job(path)
    outputs = outputs_of(job, [path])
    with followed(f"reading {job.data.path.name}"):
        problem = problem_of(job)
    result, files = carry_out(
        problem,
        lambda watch: protect_job(job, problem, seconds=seconds, watch=watch),
        outputs,
        job.knowledge,
        seconds=job.limits.seconds if seconds is None else seconds,
        override=override,
    )
    return result, files, outputs


def draft(data: Path, target: Path | None) -> tuple[Path, Draft]:
    """Writes a first job file, and never over another one."""
    from ..io.files import refuse_unwritable, write_text
    from ..job.draft import draft_job

    target = target or data.with_suffix(JOB)
    if target.suffix.lower() != JOB:
        raise InputError(f"{target}: expected the name of a job file, a .toml, got '{target.suffix}'.")
    refuse_unwritable(target)
    if target.exists():
        raise InputError(f"{target} is there already. Name another file with -o, or remove it.")
    with followed(f"reading {data.name}"):
        drafted = draft_job(data, target)
    write_text(target, drafted.text, confidential=True)
    return target, drafted


def say_draft(target: Path, drafted: Draft) -> None:
    """What the columns were taken for, and what to do next."""
    facts = [*drafted.roles.items(), ("by", ", ".join(drafted.by))]
    facts += [("or by", ", ".join(drafted.spare))] if drafted.spare else []
    facts += [("not used", ", ".join(drafted.dropped))] if drafted.dropped else []
    say("A first job, guessed from the columns:", facts)
    say_files([target])
    say(f"Look it over, and do it with: discreet run {target}", ())
