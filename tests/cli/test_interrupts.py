"""Ctrl-C and the clock, at random moments of every phase: a safe result, or nothing at all."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from discreet.auditor import audit
from discreet.examples import example_folder
from discreet.generate import ons_problem
from discreet.io.jj import read_jj, write_jj
from discreet.io.told import read_release

FULL = 3.0
"""Seconds that the search is given where nothing interrupts it."""

FOREVER = 600.0
SEARCHING = """
import sys
from pathlib import Path
from discreet.cli import main
from discreet.limits import Budget
asked = Budget.stopped
def stopped(budget):
    mark.touch()
    return asked(budget)
Budget.stopped = stopped
mark = Path(sys.argv.pop(1), "searching")
main()
"""
"""The program, but for a file that says when the search has begun."""

SEED = random.randrange(10**6)
MOMENTS = [random.Random(SEED + n).uniform(0.0, FULL + 2.0) for n in range(5)]
TIMES = [random.Random(SEED + n).uniform(0.0, FULL) for n in range(3)]
KILLED_BEFORE_IT_BEGAN = {-signal.SIGINT, -signal.SIGTERM}


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table that keeps the search busy for long."""
    path = tmp_path_factory.mktemp("large") / "large.jj"
    write_jj(path, ons_problem((12, 10, 8), seed=1, sparse=0.3))
    return path


@pytest.fixture
def started(environment, large, tmp_path):
    """Starts protecting the large table; the process can be told to end."""
    running = []

    def start(seconds, *program):
        command = [sys.executable, *(program or ("-m", "discreet")), "protect", str(large), "--json"]
        command += [
            "--seconds",
            str(seconds),
            "-o",
            str(tmp_path / "out.jj"),
            "-o",
            str(tmp_path / "out.csv"),
        ]
        # a file that an interrupted import leaves open is no concern of ours
        quiet = environment | {"PYTHONWARNINGS": "ignore::ResourceWarning"}
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=quiet))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def searching(started, tmp_path_factory):
    """Starts protecting the large table for long, and comes back when the search has begun."""

    def start():
        folder = tmp_path_factory.mktemp("news")
        process = started(FOREVER, "-c", SEARCHING, str(folder))
        while not (folder / "searching").exists():
            assert process.poll() is None
            time.sleep(0.02)
        return process

    return start


def test_a_signal_ends_a_whole_job_with_the_best_so_far(environment, tmp_path):
    for path in example_folder().glob("*.[cht]*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    job = tmp_path / "firms.toml"
    job.write_text(job.read_text().replace("patience = 50", "patience = 10_000_000").replace("= 20", "= 600"))
    words = [sys.executable, "-c", SEARCHING, str(tmp_path), "run", str(job), "--json"]
    quiet = environment | {"PYTHONWARNINGS": "ignore::ResourceWarning"}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, env=quiet) as process:
        while not (tmp_path / "searching").exists():
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
    account = json.loads(out)
    assert (process.returncode, account["safe"], account["stopped"]) == (0, True, "interrupted")
    assert (tmp_path / "public.csv").exists()


def ends_well(process, large, folder):
    """Either everything is written and safe by an audit of its own, or nothing is."""
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    names = sorted(path.name for path in folder.iterdir())
    if process.returncode == 0:
        assert names == ["out.account.json", "out.csv", "out.jj", "out.release.json"]
        problem = read_jj(large)
        assert audit(problem, read_release(problem, folder / "out.jj")).is_safe
    else:
        assert process.returncode in {130, *KILLED_BEFORE_IT_BEGAN}
        assert (names, out) == ([], "")
    return err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_at_any_moment_leaves_a_safe_result_or_none(started, large, tmp_path, number, moment):
    process = started(FULL)
    time.sleep(moment)
    process.send_signal(number)
    ends_well(process, large, tmp_path)


@pytest.mark.parametrize("moment", TIMES)
def test_a_signal_during_the_search_keeps_what_it_has(searching, large, tmp_path, moment):
    process = searching()
    time.sleep(moment)
    process.send_signal(signal.SIGINT)
    ends_well(process, large, tmp_path)
    assert process.returncode == 0


def test_a_second_signal_ends_it_at_once(searching, large, tmp_path):
    process = searching()
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    err = ends_well(process, large, tmp_path)
    assert time.monotonic() - begun < 10
    assert "once more to stop at once" in err


@pytest.mark.parametrize("seconds", [0.0, 0.01, *TIMES])
def test_the_clock_leaves_a_safe_result(started, large, tmp_path, seconds):
    process = started(seconds)
    ends_well(process, large, tmp_path)
    assert process.returncode == 0


BROKEN_IMPORT = """
import os, signal, sys
from discreet.cli import main
class Finder:
    def find_spec(self, name, *rest):
        if name == "discreet.io.jj":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except BaseException:
                raise ImportError("the library gave up")
sys.meta_path.insert(0, Finder())
main()
"""
"""The program, interrupted within a library that makes an error of its own out of that."""


def test_a_signal_that_a_library_turns_into_an_error_is_no_bug(started, large, tmp_path):
    process = started(FULL, "-c", BROKEN_IMPORT)
    err = ends_well(process, large, tmp_path)
    assert process.returncode == 130
    assert "Interrupted" in err
