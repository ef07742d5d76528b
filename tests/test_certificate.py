"""Certificates: whatever is changed in one, or in what it is about, it holds no more."""

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.auditor import audit
from discreet.certificate import Certificate, fingerprint, verify
from discreet.errors import InputError
from discreet.generate import ons_problem
from discreet.io.certificates import read_certificate, write_certificate
from discreet.problem import Problem
from discreet.release import Release
from discreet.rules.percent import PercentRule
from discreet.table import Table
from discreet.units import Unit

pytestmark = pytest.mark.small


@pytest.fixture(scope="module")
def case():
    problem = ons_problem((5, 5), seed=1, known=40, mean_contributors=6.0)
    release = Release.suppressed(problem, problem.withholdable)
    found = audit(problem, release)
    assert found.is_safe
    return problem, release, found


@pytest.fixture(scope="module")
def certificate(case):
    problem, release, found = case
    return Certificate.of(problem, release, found.certificates, insiders=True, implicit=True)


@pytest.fixture
def file(certificate, tmp_path):
    path = tmp_path / "t.proof"
    write_certificate(path, certificate)
    return path


def test_a_certificate_holds(case, certificate):
    assert verify(certificate, *case[:2]).holds


def test_a_certificate_comes_back_from_its_file(case, certificate, file):
    again = read_certificate(file)
    assert verify(again, *case[:2]).holds
    for name in ("start", "cell", "move", "denominator"):
        assert np.array_equal(getattr(again.witnesses, name), getattr(certificate.witnesses, name))


def test_the_same_certificate_gives_the_same_file(certificate, file, tmp_path):
    write_certificate(tmp_path / "again.proof", certificate)
    assert file.read_bytes() == (tmp_path / "again.proof").read_bytes()


def test_a_certificate_is_readable_by_its_owner_alone(file):
    assert file.stat().st_mode & 0o077 == 0


# the witnesses


def thinned(case, certificate):
    """Only the witnesses without which the certificate does not hold, each of them needed."""
    witnesses = certificate.witnesses
    kept = list(range(len(witnesses)))
    for w in list(kept):
        fewer = np.array([k for k in kept if k != w])
        if len(fewer) and verify(replace(certificate, witnesses=witnesses.take(fewer)), *case[:2]).holds:
            kept.remove(w)
    return replace(certificate, witnesses=witnesses.take(np.array(kept)))


def test_every_entry_of_every_witness_counts(case, certificate):
    needed = thinned(case, certificate)
    assert verify(needed, *case[:2]).holds
    moves = needed.witnesses.move
    for place in range(len(moves)):
        for off in (-1, 1):
            changed = moves.copy()
            changed[place] += off
            witnesses = replace(needed.witnesses, move=changed)
            assert not verify(replace(needed, witnesses=witnesses), *case[:2]).holds


def test_no_needed_witness_can_be_left_out(case, certificate):
    needed = thinned(case, certificate)
    for w in range(len(needed.witnesses)):
        fewer = needed.witnesses.take(np.array([k for k in range(len(needed.witnesses)) if k != w]))
        assert not verify(replace(needed, witnesses=fewer), *case[:2]).holds


# what it is about


def changed(array):
    """The array with one entry changed."""
    other = np.array(array)
    place = len(other) // 2
    step = -1 if (other[place] > 2**62).any() else 1
    other[place] = ~other[place] if other.dtype == bool else other[place] + step
    return other


OF_PROBLEM = (
    "need_below",
    "need_above",
    "need_sliding",
    "lower",
    "upper",
    "whole",
    "rules",
    "coalitions",
    "role",
)
NOT_JUDGED = {"table", "weight"}


def test_every_field_of_a_problem_is_judged_or_known_not_to_be():
    assert {f.name for f in fields(Problem)} == {*OF_PROBLEM, *NOT_JUDGED}


@pytest.mark.parametrize("name", OF_PROBLEM)
def test_a_certificate_is_about_one_problem(case, certificate, name):
    problem, release, _ = case
    held = getattr(problem, name)
    others = {"whole": True, "rules": (PercentRule(11),), "coalitions": ((0, 1),)}
    if name == "role":
        role = np.array(held)
        role[np.flatnonzero(problem.sensitive)[0]] = 0
        others["role"] = role
    other = replace(problem, **{name: others[name] if name in others else changed(held)})
    assert not verify(certificate, other, release).is_about


OF_TABLE = ("frequency", "contribution", "contributor", "unit")
"""The value and the constant are tested apart, because equations tie them."""


@pytest.mark.parametrize("name", OF_TABLE)
def test_a_certificate_is_about_one_table(case, certificate, name):
    problem, release, _ = case
    table = problem.table
    other = Unit.parse("0.1") if name == "unit" else changed(getattr(table, name))
    assert not verify(certificate, replace(problem, table=replace(table, **{name: other})), release).is_about


def test_a_certificate_is_about_values(case, certificate):
    problem, release, _ = case
    doubled = replace(problem.table, value=problem.table.value * 2)
    assert fingerprint(replace(problem, table=doubled), release) != certificate.subject


def test_a_certificate_is_about_equations(case, certificate):
    problem, release, _ = case
    structure = problem.table.structure
    fewer = type(structure).from_entries(
        structure.size,
        structure.row[structure.row > 0].astype(np.int64),
        structure.cell[structure.row > 0].astype(np.int64),
        structure.coefficient[structure.row > 0],
    )[0]
    table = Table(fewer, problem.table.value)
    assert fingerprint(replace(problem, table=table), release) != certificate.subject


@pytest.mark.parametrize("name", ["shown", "withheld", "told_lower", "told_upper", "criterion"])
def test_a_certificate_is_about_one_release(case, certificate, name):
    problem, release, _ = case
    other = "distance" if name == "criterion" else changed(getattr(release, name))
    found = verify(certificate, problem, replace(release, **{name: other}))
    assert not found.holds
    assert not found.is_about


@pytest.mark.parametrize("reader", ["insiders", "implicit"])
def test_a_certificate_says_against_whom(case, certificate, reader):
    problem, release, _ = case
    assert verify(replace(certificate, **{reader: False}), problem, release).holds


# the file


def parts_of(file):
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def written(path, parts):
    with zipfile.ZipFile(path, "w") as bundle:
        for name, content in parts.items():
            bundle.writestr(name, content)
    return path


HEAD = "certificate.json"


@pytest.mark.parametrize("field", ["format", "version", "subject", "insiders", "implicit", "seal"])
def test_a_changed_field_of_the_head_is_refused(file, field):
    parts = parts_of(file)
    head = json.loads(parts[HEAD])
    held = head[field]
    head[field] = held[::-1] if isinstance(held, str) else (not held if isinstance(held, bool) else held + 1)
    with pytest.raises(InputError):
        read_certificate(written(file, parts | {HEAD: json.dumps(head).encode()}))


@pytest.mark.parametrize("field", ["format", "version", "subject", "insiders", "implicit", "seal"])
def test_a_missing_field_of_the_head_is_refused(file, field):
    parts = parts_of(file)
    head = json.loads(parts[HEAD])
    del head[field]
    with pytest.raises(InputError):
        read_certificate(written(file, parts | {HEAD: json.dumps(head).encode()}))


def test_a_field_too_many_is_refused(file):
    parts = parts_of(file)
    head = json.loads(parts[HEAD]) | {"note": "trust me"}
    with pytest.raises(InputError, match="changed after it was written"):
        read_certificate(written(file, parts | {HEAD: json.dumps(head).encode()}))


@pytest.mark.parametrize("name", ["start", "cell", "move", "denominator"])
def test_a_changed_array_is_refused(file, name):
    parts = parts_of(file)
    array = np.load(io.BytesIO(parts[f"{name}.npy"]))
    for place in range(0, len(array), max(1, len(array) // 10)):
        other = array.copy()
        other[place] += 1
        buffer = io.BytesIO()
        np.save(buffer, other)
        with pytest.raises(InputError, match="changed after it was written"):
            read_certificate(written(file, parts | {f"{name}.npy": buffer.getvalue()}))


@pytest.mark.parametrize("name", [HEAD, "start.npy", "cell.npy", "move.npy", "denominator.npy"])
def test_a_missing_part_is_refused(file, name):
    parts = {k: v for k, v in parts_of(file).items() if k != name}
    with pytest.raises(InputError, match="damaged"):
        read_certificate(written(file, parts))


def test_a_byte_that_was_flipped_anywhere_is_refused_or_changes_nothing(file, case):
    content = file.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 150)):
        file.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
        try:
            again = read_certificate(file)
        except InputError:
            continue
        assert verify(again, *case[:2]).holds


@pytest.mark.parametrize("content", [b"", b"PK", b"not a certificate", b"PK\x03\x04" + bytes(40)])
def test_another_file_is_refused(tmp_path, content):
    (tmp_path / "x.proof").write_bytes(content)
    with pytest.raises(InputError, match="certificate"):
        read_certificate(tmp_path / "x.proof")


def test_verifying_loads_no_solver(case, file, tmp_path):
    """A program that reads and verifies must not even import one."""
    code = (
        "import sys; from discreet.io.certificates import read_certificate; "
        "from discreet.certificate import verify; "
        f"read_certificate({str(file)!r}); print(*sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(discreet.__file__).parents[1])},
    )
    assert not {"highspy", "numba", "scipy.optimize"} & set(said.stdout.split())
