"""Progress: for people at a terminal, on work that takes longer than two seconds."""

import os
import select
import sys
import time
from pathlib import Path

import pytest

from discreet.cli.pace import Pace
from discreet.cli.progress import Follower, followed


def test_the_pace_is_learnt_from_the_progress():
    pace = Pace(began=0.0)
    pace.update(2, 10, now=4.0)
    assert pace.left(now=4.0) == pytest.approx(16.0)


def test_time_goes_by_between_two_news():
    pace = Pace(began=0.0)
    pace.update(2, 10, now=4.0)
    assert pace.left(now=9.0) == pytest.approx(11.0)


def test_time_left_never_falls_below_zero():
    pace = Pace(began=0.0)
    pace.update(9, 10, now=9.0)
    assert pace.left(now=99.0) == 0.0


def test_work_that_falls_back_keeps_the_pace():
    pace = Pace(began=0.0)
    pace.update(5, 10, now=5.0)
    pace.update(0, 10, now=6.0)
    assert pace.left(now=6.0) == pytest.approx(10.0)


def test_nothing_is_guessed_without_news_or_without_an_end():
    pace = Pace(began=0.0)
    assert pace.left(now=5.0) is None
    pace.update(5, 0, now=5.0)
    assert (pace.left(now=5.0), pace.share) == (None, None)


def test_time_left_is_at_most_what_the_run_was_given():
    follower = Follower("searching", seconds=2.0)
    follower.pace.seconds, follower.pace.total = 100.0, 10.0
    assert 1.0 < follower.left() <= 2.0


def test_a_stage_is_timed_from_the_last_news_of_the_one_before():
    follower = Follower("reading")
    follower.pace.began -= 3.0
    follower.progress("searching", 1, 4)
    assert follower.pace.seconds == pytest.approx(3.0, abs=0.5)


def test_the_wish_to_end_is_passed_on():
    with followed("searching", asked=lambda: True) as watch:
        assert watch.stopped()


def test_nothing_is_shown_where_nobody_looks(child, table, tmp_path):
    code = (
        "import sys; from discreet.registry import METHODS; METHODS['slow'] = 'trial_methods:Slow';"
        "from discreet.cli import main; main()"
    )
    done = child("protect", table, "--method", "slow", "--json", code=code, **within_reach())
    assert (done.code, done.err) == (0, "")


def within_reach():
    return {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_sees_how_far_it_is_and_how_long_it_takes(environment, table):
    said = on_a_terminal(environment | within_reach(), "protect", str(table), "--method", "slow")
    assert "counting sheep" in said
    assert "%" in said
    assert " s left" in said
    assert said.index("counting sheep") < said.index("Safe, and proved so.")


def on_a_terminal(environment, *words):
    """What a command shows on a terminal; it ends well."""
    import pty

    code = (
        "import sys; from discreet.registry import METHODS; METHODS['slow'] = 'trial_methods:Slow';"
        "from discreet.cli import main; main()"
    )
    child, screen = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-c", code, *words], environment)
    said, begun = b"", time.monotonic()
    while time.monotonic() - begun < 60:
        if select.select([screen], [], [], 0.2)[0]:
            try:
                said += os.read(screen, 65536)
            except OSError:
                break
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, said.decode()
    return said.decode()
