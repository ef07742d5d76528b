"""Where results go: checked before the work, written after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..errors import InputError, suggest
from ..profile import Profile

if TYPE_CHECKING:
    from ..auditor import Audit
    from ..problem import Problem
    from ..release import Release
    from ..result import Result

DEFAULT_MARK = "c"
CONFIDENTIAL = (".jj",)
PUBLIC = (".csv", ".html", ".json", ".parquet", ".xlsx")


class Against(Protocol):
    """Readers who know more than the public, each where a release is judged against them."""

    @property
    def insiders(self) -> bool:
        """Contributors who know what they contributed."""
        ...

    @property
    def implicit(self) -> bool:
        """Whoever adds up what is withheld."""
        ...


@dataclass(frozen=True)
class Outputs:
    """Tables to write, by the endings of their names, and perhaps a certificate and a report.

    `mark` is the profile of the public ones, as it was asked for.
    """

    tables: tuple[Path, ...]
    certificate: Path | None = None
    report: Path | None = None
    mark: str = DEFAULT_MARK

    @classmethod
    def checked(
        cls,
        tables: Iterable[Path] | None,
        certificate: Path | None = None,
        inputs: Iterable[Path] = (),
        report: Path | None = None,
        mark: str = DEFAULT_MARK,
    ) -> Outputs:
        """Outputs that can be written and that overwrite nothing that is read, or an error."""
        Profile.of(mark)
        outputs = cls(tuple(tables or ()), certificate, report, mark)
        refuse_other_pages(report)
        for path in outputs.tables:
            if path.suffix.lower() not in (*CONFIDENTIAL, *PUBLIC):
                choices = suggest(path.suffix, (*CONFIDENTIAL, *PUBLIC))
                raise InputError(f"{path}: unknown ending '{path.suffix}' for a protected table. {choices}")
        refuse_targets([path for group in outputs.groups for path in group], inputs)
        return outputs

    @property
    def groups(self) -> list[tuple[Path, ...]]:
        """Each table with the file beside it, the certificate and the report."""
        from .public import account_path
        from .told import told_path

        beside = [told_path(p) if p.suffix.lower() in CONFIDENTIAL else account_path(p) for p in self.tables]
        tables = [(p,) if b is None else (p, b) for p, b in zip(self.tables, beside, strict=True)]
        return [*tables, *((path,) for path in (self.certificate, self.report) if path is not None)]

    def refuse_too_long(self, problem: Problem) -> None:
        """An error where a form of file does not hold a table, before any work is put into it."""
        from ..io.public import refuse_too_long

        rows = problem.table.rows
        for path in self.tables:
            refuse_too_long(path, problem.size if rows is None else len(rows.cell))

    def write(
        self, problem: Problem, result: Result, against: Against, *, override: bool = False
    ) -> list[Path]:
        """Writes what may be written of a result; nothing public of an unsafe one. Says what was written."""
        written = (
            [] if result.release is None else self._write_tables(problem, result, result.release, override)
        )
        verdict = result.audit
        if self.certificate is not None and result.release and verdict is not None and result.is_safe:
            write_proof(self.certificate, problem, result.release, verdict, against)
            written.append(self.certificate)
        if self.report is not None:
            _write_report(self.report, result)
            written.append(self.report)
        return written

    def _write_tables(self, problem: Problem, result: Result, release: Release, override: bool) -> list[Path]:
        written: list[Path] = []
        for group in self.groups[: len(self.tables)]:
            if group[0].suffix.lower() in CONFIDENTIAL:
                _write_confidential(group, problem, release)
            elif result.is_safe or override:
                _write_public(group[0], result, override, self.mark)
            else:
                continue
            written += group
        return written


def refuse_targets(targets: Iterable[Path], inputs: Iterable[Path]) -> None:
    """An error where a file cannot be written, before any work is put into it, or is read as well."""
    from .files import refuse_unwritable

    sources = {path.resolve() for path in inputs}
    for path in targets:
        if path.resolve() in sources:
            raise InputError(f"{path} is a file that is read, expected another one to write.")
        refuse_unwritable(path)


def write_proof(path: Path, problem: Problem, release: Release, verdict: Audit, against: Against) -> None:
    """Writes the certificate of a release that was found safe."""
    from ..certificate import Certificate
    from .certificates import write_certificate

    witnesses = verdict.certificates
    write_certificate(
        path,
        Certificate.of(problem, release, witnesses, insiders=against.insiders, implicit=against.implicit),
    )


def _write_confidential(group: tuple[Path, ...], problem: Problem, release: Release) -> None:
    from .jj import write_jj
    from .told import write_told

    write_jj(group[0], problem, release)
    write_told(group[1], release, problem.table.unit)


def refuse_other_pages(report: Path | None) -> None:
    """An error where a report could not be opened as a page."""
    if report is not None and report.suffix.lower() != ".html":
        raise InputError(f"{report}: unknown ending '{report.suffix}' for a report, expected .html.")


def _write_report(path: Path, result: Result) -> None:
    from ..report.confidential import confidential_report
    from .files import write_text

    write_text(path, confidential_report(result), confidential=True)


def _write_public(path: Path, result: Result, override: bool, mark: str) -> None:
    from ..pipeline import publish
    from .public import write_publication

    write_publication(path, publish(result, override=override, mark=mark))
