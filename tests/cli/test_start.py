"""What a command costs before it does anything, and what it must not load at all."""

import os
import subprocess
import sys

import pytest

LOADED = """
import sys
from discreet.cli import main
try:
    main()
except SystemExit as end:
    print("\\nEND", end.code or 0, *sys.modules)
"""


def loaded(child, *words, **more):
    """The modules that a command loads; it ends well."""
    code, *names = child(*words, code=LOADED, **more).out.rsplit("END ", 1)[1].split()
    assert code == "0"
    return set(names)


@pytest.mark.parametrize("words", [["--help"], ["protect", "--help"], ["audit", "--help"]])
def test_help_loads_neither_numbers_nor_solvers(child, words):
    heavy = {"numpy", "scipy", "numba", "highspy", "pyarrow", "narwhals", "pandas", "polars"}
    assert not heavy & loaded(child, *words)


@pytest.mark.skipif(sys.platform == "win32", reason="needs the times of children")
def test_help_is_there_at_once(environment):
    def spent():
        times = os.times()
        return times.children_user + times.children_system

    best = 9.0
    for _ in range(4):
        before = spent()
        subprocess.run([sys.executable, "-m", "discreet", "--help"], env=environment, check=True, stdout=-3)
        best = min(best, spent() - before)
    assert best < 0.4


def test_verify_needs_no_solver(child, table, tmp_path):
    made = child("protect", table, "-o", tmp_path / "out.jj", "--certificates", tmp_path / "proof")
    assert made.code == 0
    names = loaded(child, "verify", tmp_path / "proof", table, tmp_path / "out.jj")
    assert not {"highspy", "numba", "scipy.optimize"} & names


def test_the_version_is_said(child):
    done = child("--version")
    assert done.code == 0
    assert done.out.strip()


@pytest.mark.small
def test_everything_works_with_the_jit_switched_off(child, table, tmp_path):
    names = ("protect", table, "--option", "passes=1", "--option", "patience=2", "-o")
    for folder, switch in (("on", "0"), ("off", "1")):
        (tmp_path / folder).mkdir()
        done = child(*names, tmp_path / folder / "out.jj", NUMBA_DISABLE_JIT=switch)
        assert done.code == 0
    assert (tmp_path / "on" / "out.jj").read_bytes() == (tmp_path / "off" / "out.jj").read_bytes()
