"""The course of a job: records → table → problem → result → publication → files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from ..io.outputs import CONFIDENTIAL, Outputs
from ..limits import Watch
from ..pipeline import protect
from ..problem import Problem
from ..result import Result
from .model import Job
from .problems import assess_job, tabulate_job
from .wording import in_job_words

GIGABYTE = 10**9


@dataclass(frozen=True, eq=False)
class Run:
    """What a job came to: the problem that it posed, the result, and the files that were written."""

    problem: Problem
    result: Result
    files: tuple[Path, ...]


def run_job(job: Job, *, watch: Watch | None = None) -> Run:
    """Does all of a job; nothing public is written of a result that is not proved safe."""
    outputs = outputs_of(job)
    table = tabulate_job(job)
    problem = assess_job(job, table)
    outputs.refuse_too_long(problem)
    result = protect_job(job, problem, watch=watch)
    files = outputs.write(problem, result, job.knowledge)
    return Run(problem, result, tuple(files))


@in_job_words()
def protect_job(
    job: Job, problem: Problem, *, seconds: float | None = None, watch: Watch | None = None
) -> Result:
    """Protects the problem of a job as the job says, or within other seconds."""
    limits = job.limits
    return protect(
        problem,
        job.protection.method,
        options=job.protection.options,
        seconds=limits.seconds if seconds is None else seconds,
        seed=limits.seed,
        threads=limits.threads,
        memory=None if limits.memory is None else int(limits.memory * GIGABYTE),
        work=limits.work,
        watch=watch,
        insiders=job.knowledge.insiders,
        implicit=job.knowledge.implicit,
    )


def outputs_of(job: Job, inputs: Iterable[Path] = ()) -> Outputs:
    """Where the results of a job go, or an error where they cannot."""
    said = job.outputs
    for is_public, paths in ((True, said.public), (False, said.confidential)):
        for path in paths:
            if (path.suffix.lower() in CONFIDENTIAL) == is_public:
                kind, other = ("confidential", "public") if is_public else ("public", "confidential")
                raise InputError(
                    f"{path}: a {path.suffix} is {kind}, got it among the {other} outputs. "
                    f"List it under outputs.{kind}."
                )
    trees = [t for v in job.variables.values() for t in v.hierarchy if isinstance(t, Path)]
    read = (*inputs, job.data.path, *trees)
    return Outputs.checked((*said.public, *said.confidential), said.certificate, read, said.report, said.mark)
