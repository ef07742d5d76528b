"""From a job to its problem: records become a table, and rules say which of its cells are sensitive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..assessment import assess, contributions_for
from ..errors import InputError, suggest
from ..io.files import in_file
from ..problem import Problem
from ..records.tabulation import tabulate
from ..table import Table
from .model import Job
from .wording import in_job_words


def problem_of(job: Job) -> Problem:
    """The problem that a job poses."""
    return assess_job(job, tabulate_job(job))


@in_job_words()
def tabulate_job(job: Job) -> Table:
    """The table that the records of a job span."""
    data, columns, variables = job.data, job.columns, job.variables
    table = tabulate(
        data.path,
        tuple(variables),
        columns.value,
        tables=[span.by for span in job.tables] or None,
        hierarchies={name: v.hierarchy for name, v in variables.items() if v.hierarchy},
        totals={name: v.total for name, v in variables.items() if v.total is not None},
        missing={name: v.missing for name, v in variables.items() if v.missing},
        shadow=columns.shadow,
        weight=columns.sampling_weight,
        contributor=columns.contributor,
        holding=columns.holding,
        request=columns.request,
        request_codes=columns.request_codes,
        negatives=data.negatives,
        keep=contributions_for(job.rules),
        unit=data.unit,
        delimiter=data.delimiter,
        decimal=data.decimal,
        threads=job.limits.threads,
    )
    return _labelled(job, table)


@in_job_words()
def assess_job(job: Job, table: Table) -> Problem:
    """What the rules of a job find in its table, and what is known of it."""
    with in_file(job.data.path):
        problem = assess(
            table,
            job.rules,
            marked=job.cells.marked,
            published=job.cells.published,
            negatives=job.data.negatives,
            known=job.knowledge.within,
            weight=job.protection.weight,
            whole=job.knowledge.whole,
            coalitions=[*table.coalitions, *(_numbers(table, c) for c in job.knowledge.coalitions)],
        )
    return problem.clipped() if job.protection.clip else problem


def _labelled(job: Job, table: Table) -> Table:
    """The table with what its codes mean where the job says so."""
    structure = table.structure
    dimensions = tuple(
        replace(d, label={**d.label, **job.variables[d.name].labels}) for d in structure.dimensions
    )
    return replace(table, structure=replace(structure, dimensions=dimensions))


def _numbers(table: Table, names: Sequence[str]) -> list[int]:
    """Contributors by the numbers under which the table lists them."""
    place = {name: number for number, name in enumerate(table.contributors)}
    for name in names:
        if name not in place:
            raise InputError(
                f"No cell lists the contributor '{name}' of a coalition among its largest. "
                f"{suggest(name, place)}"
            )
    return [place[name] for name in names]
