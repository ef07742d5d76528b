"""The commands: each opens what it is given, calls the interface once, and shows what came out."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from ..errors import InputError
from ..io.outputs import DEFAULT_MARK, Outputs, refuse_other_pages, refuse_targets, write_proof
from .accounts import (
    account_of_audit,
    account_of_comparison,
    account_of_verification,
    print_json,
)
from .comparing import Comparing, code_of_comparison, say_comparison, write_comparison
from .completion import carry_out, conclude
from .endings import SAFE, UNSAFE
from .progress import followed
from .readers import Readers
from .reading import Reading
from .running import Running
from .signals import Patience, deafen, heed
from .telling import Telling, reach_of

Json = Annotated[bool, Option("--json", help="Print the account as JSON, and nothing else.")]
Proof = Annotated[
    Path | None, Option(metavar="FILE", help="Write the certificate, which `discreet verify` checks.")
]
Report = Annotated[
    Path | None, Option(metavar="FILE", help="Write a page about it, an .html; it is confidential.")
]
Unsafe = Annotated[
    bool, Option("--publish-unsafe", help="Publish what is not proved safe; its account says so.")
]


def demo(
    directory: Annotated[Path, Option(metavar="DIR", help="Where the files go.")] = Path("demo-output"),
) -> None:
    """Protect the records that ship with discreet, and show what happens."""
    from .demonstration import demonstrate

    demonstrate(directory)


def describe(table: Reading, as_json: Json = False) -> None:
    """Say what a table is, and what stands in the way of protecting it."""
    from ..description import describe

    with followed(f"reading {table.table.name}"):
        told = describe(table.problem())
    if as_json:
        print_json(told.as_dict())
    else:
        from .screens import say_description

        say_description(told)


def protect(
    table: Reading,
    running: Running,
    readers: Readers,
    out: Annotated[
        list[Path] | None,
        Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Write it: .jj is confidential, .csv .parquet .json .xlsx .html public.",
        ),
    ] = None,
    mark: Annotated[
        str,
        Option(
            metavar="MARK",
            help="What stands for withheld values, or WITHHELD,EMPTY, or a profile: none, dash, dots.",
        ),
    ] = DEFAULT_MARK,
    report: Report = None,
    certificates: Proof = None,
    publish_unsafe: Unsafe = False,
    as_json: Json = False,
) -> None:
    """Protect a table, audit what came out, and write it where it is wanted."""
    if table.is_job:
        raise InputError(f"{table.table} is a whole job. Do it with `discreet run {table.table}`.")
    outputs = Outputs.checked(out, certificates, table.inputs, report, mark)
    with followed(f"reading {table.table.name}"):
        problem = table.problem()
    result, files = carry_out(
        problem,
        lambda watch: running.protect(problem, readers, watch),
        outputs,
        readers,
        seconds=running.seconds,
        override=publish_unsafe,
    )
    conclude(result, files, outputs, as_json)


def run(
    job: Annotated[Path, Argument(metavar="JOB", help="The job file, a .toml.")],
    seconds: Annotated[
        float | None, Option(metavar="S", help="Seconds the search may take, whatever the job says.")
    ] = None,
    publish_unsafe: Unsafe = False,
    as_json: Json = False,
) -> None:
    """Do a whole job: from records to a table, protected and audited, and to files."""
    from .jobs import perform

    result, files, outputs = perform(job, seconds=seconds, override=publish_unsafe)
    conclude(result, files, outputs, as_json)


def init(
    data: Annotated[Path, Argument(metavar="DATA", help="Records: .csv, .tsv or .parquet.")],
    out: Annotated[
        Path | None, Option("-o", "--out", metavar="JOB", help="The job file; else DATA with .toml.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Look at records, and write a first job file for them."""
    from .jobs import draft, say_draft

    target, drafted = draft(data, out)
    if as_json:
        print_json(drafted.as_dict() | {"file": str(target)})
    else:
        say_draft(target, drafted)


def compare(
    table: Reading,
    comparing: Comparing,
    readers: Readers,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Protect a table with several methods, and show what each costs."""
    refuse_other_pages(report)
    refuse_targets([report] if report else [], table.inputs)
    with followed(f"reading {table.table.name}"):
        problem = table.problem()
    wish = Patience()
    heed(wish)
    with followed("protecting", None, lambda: wish.asked) as watch:
        comparison = comparing.compare(problem, readers, watch)
    deafen()
    files = write_comparison(report, comparison)
    if as_json:
        print_json(account_of_comparison(comparison, files))
    else:
        say_comparison(comparison, files)
    raise Exit(code_of_comparison(comparison))


def audit(
    table: Reading,
    told: Telling,
    readers: Readers,
    reach: Annotated[
        str | None,
        Option(metavar="CELLS", help="Find how far readers can narrow cells: exposed or withheld."),
    ] = None,
    certificates: Proof = None,
    as_json: Json = False,
) -> None:
    """Attack a released table as snoopers would, and say what withstands."""
    from ..auditor import audit

    wanted = reach_of(reach)
    refuse_targets([certificates] if certificates else [], (*table.inputs, told.out))
    with followed(f"reading {table.table.name}"):
        problem = table.problem()
        release = told.release(problem)
    began = time.perf_counter()
    with followed("attacking") as watch:
        verdict = audit(
            problem,
            release,
            insiders=readers.insiders,
            implicit=readers.implicit,
            reach=wanted,
            watch=watch,
        )
    seconds = time.perf_counter() - began
    if certificates is not None and verdict.is_safe:
        write_proof(certificates, problem, release, verdict, readers)
    if as_json:
        print_json(account_of_audit(problem, verdict, seconds, reach=reach is not None))
    else:
        from .screens import say_audit

        say_audit(problem, verdict, seconds)
    raise Exit(SAFE if verdict.is_safe else UNSAFE)


def verify(
    certificate: Annotated[Path, Argument(metavar="CERTIFICATE", help="The certificate of a release.")],
    table: Reading,
    told: Telling,
    as_json: Json = False,
) -> None:
    """Check a certificate by additions alone: no solver, no trust."""
    from ..certificate import verify
    from ..io.certificates import read_certificate

    began = time.perf_counter()
    with followed(f"reading {table.table.name}"):
        proof = read_certificate(certificate)
        problem = table.problem()
        found = verify(proof, problem, told.release(problem))
    seconds = time.perf_counter() - began
    if as_json:
        print_json(account_of_verification(problem, found, seconds))
    else:
        from .screens import say_verification

        say_verification(problem, found, seconds)
    raise Exit(SAFE if found.holds else UNSAFE)


def methods(as_json: Json = False) -> None:
    """List the methods and their options."""
    from ..registry import describe_methods

    if as_json:
        print_json(describe_methods())
    else:
        from .screens import say_methods

        say_methods(describe_methods())


def convert(
    table: Reading,
    out: Annotated[Path, Argument(metavar="OUT", help="The file to write, a .jj; it is confidential.")],
) -> None:
    """Write a table with its needs, bounds and weights in another form."""
    from ..io.formats import format_to_write, write

    refuse_targets([out], table.inputs)
    format_to_write(out)
    with followed(f"reading {table.table.name}"):
        problem = table.problem()
    deafen()
    write(out, problem)
