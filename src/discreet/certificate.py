"""Certificates: witnesses bound to one table and one release, so that anybody inside can check them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .arrays import Frozen
from .judgement import Judgement, judge
from .problem import Problem
from .release import Release
from .witnesses import Witnesses


@dataclass(frozen=True, eq=False)
class Certificate(Frozen):
    """Witnesses, whom they were made against, and the fingerprint of what they are about."""

    witnesses: Witnesses
    insiders: bool
    implicit: bool
    subject: str

    @classmethod
    def of(
        cls, problem: Problem, release: Release, witnesses: Witnesses, *, insiders: bool, implicit: bool
    ) -> Certificate:
        """The certificate of one release of one table."""
        return cls(witnesses, insiders, implicit, fingerprint(problem, release))


@dataclass(frozen=True)
class Verification:
    """Whether a certificate is about this table and release, and what the judge says of its witnesses."""

    is_about: bool
    judgement: Judgement

    @property
    def holds(self) -> bool:
        """The release is proved safe by this certificate."""
        return self.is_about and self.judgement.is_safe


def verify(certificate: Certificate, problem: Problem, release: Release) -> Verification:
    """Checks a certificate by additions alone, without any solver."""
    verdict = judge(
        problem,
        release,
        certificate.witnesses,
        insiders=certificate.insiders,
        implicit=certificate.implicit,
    )
    return Verification(certificate.subject == fingerprint(problem, release), verdict)


def fingerprint(problem: Problem, release: Release) -> str:
    """One number for everything that decides whether a release is safe."""
    digest = hashlib.sha256()
    for part in _parts(problem, release):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _parts(problem: Problem, release: Release) -> Iterator[bytes]:
    table, structure = problem.table, problem.table.structure
    arrays = [
        structure.start,
        structure.cell,
        structure.coefficient,
        table.value,
        problem.role,
        problem.need_below,
        problem.need_above,
        problem.need_sliding,
        problem.lower,
        problem.upper,
        release.shown,
        release.withheld,
        release.told_lower,
        release.told_upper,
        table.frequency,
        table.contribution,
        table.contributor,
        table.constant,
    ]
    for array in arrays:
        yield b"" if array is None else np.ascontiguousarray(array).tobytes()
    yield repr((str(table.unit), problem.whole, release.criterion, problem.coalitions)).encode()
    yield repr(problem.rules).encode()
