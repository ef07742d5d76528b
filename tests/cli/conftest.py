import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import discreet
from discreet import registry
from discreet.cli import main
from discreet.cli.signals import SIGNALS
from discreet.generate import ons_problem
from discreet.io.jj import write_jj

SOURCE = Path(discreet.__file__).parents[1]


class Ended(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch, capsys):
    """Runs a command in this process, from the arguments to the exit code."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["discreet", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit) as end:
            main()
        return Ended(end.value.code or 0, *capsys.readouterr())

    before = [signal.getsignal(number) for number in SIGNALS]
    yield run
    for number, answer in zip(SIGNALS, before, strict=True):
        signal.signal(number, answer)


@pytest.fixture(scope="session")
def environment():
    """What a process of its own needs to find the package, and to look the same everywhere."""
    return os.environ | {"PYTHONPATH": str(SOURCE), "COLUMNS": "80", "PYTHONWARNINGS": "error"}


@pytest.fixture(scope="session")
def child(environment):
    """Runs a command in a process of its own."""

    def run(*words, code=None, **more):
        command = [sys.executable, *(["-c", code] if code else ["-m", "discreet"]), *map(str, words)]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment | more, timeout=120, check=False
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """A small table in JJ form."""
    path = tmp_path_factory.mktemp("tables") / "small.jj"
    write_jj(path, ons_problem((4, 4), seed=3, known=40))
    return path


@pytest.fixture
def trial(monkeypatch):
    """Registers a method that exists for tests only, by the name of its class."""

    def register(name):
        monkeypatch.setitem(registry.METHODS, "trial", f"trial_methods:{name}")
        return "trial"

    return register
