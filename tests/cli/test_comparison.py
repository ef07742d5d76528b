"""Several methods on one table, side by side."""

import pytest
from trial_methods import Broken, GivesUp, OnlySensitive

from discreet.comparison import compare
from discreet.engines.status import Status
from discreet.errors import InputError
from discreet.generate import ons_problem
from discreet.limits import Unwatched
from discreet.methods.suppress.lp import SuppressLP

FAST, SLOW = "suppress-lp:passes=1:patience=0", "suppress-lp:passes=3:patience=20"


@pytest.fixture(scope="module")
def problem():
    return ons_problem((6, 6), seed=2)


@pytest.fixture(scope="module")
def comparison(problem):
    return compare(problem, [FAST, SLOW], seed=5)


def test_every_method_has_a_result_under_what_it_was_called(comparison):
    assert list(comparison.results) == [FAST, SLOW]
    assert [result.method for result in comparison.results.values()] == [FAST, SLOW]


def test_options_stand_behind_the_method(comparison):
    logs = [result.log["options"] for result in comparison.results.values()]
    assert [(o["passes"], o["patience"]) for o in logs] == [(1, 0), (3, 20)]


def test_every_method_gets_the_same_limits(comparison):
    assert {result.log["seed"] for result in comparison.results.values()} == {5}


def test_the_best_is_the_safe_one_that_loses_the_least(problem):
    named = {"leaks": OnlySensitive(), "one": SuppressLP(passes=1, patience=0), "many": SuppressLP()}
    made = compare(problem, named)
    losses = {name: result.objective for name, result in made.results.items()}
    assert losses["leaks"] < losses["many"] <= losses["one"]
    assert losses[made.best] == losses["many"]


def test_without_a_safe_result_there_is_no_best(problem):
    assert compare(problem, {"leaks": OnlySensitive(), "none": GivesUp()}).best is None


def test_a_solver_that_breaks_down_does_not_hold_up_the_others(problem):
    made = compare(problem, {"broken": Broken(), "good": SuppressLP(passes=1, patience=0)})
    assert made.results["broken"].status is Status.FAILED
    assert made.results["broken"].log["stopped"] == "The solver broke down."
    assert made.best == "good"


class Impatient(Unwatched):
    """Wants an end as soon as the second method tells of itself."""

    def __init__(self):
        self.asked = False

    def progress(self, stage, done, total):
        self.asked |= stage.startswith("second: ")

    def stopped(self):
        return self.asked


def test_methods_after_a_wish_to_end_are_left_out(problem):
    named = dict.fromkeys(["first", "second", "third"], SuppressLP(passes=1, patience=0))
    made = compare(problem, named, watch=Impatient())
    assert (list(made.results), made.left_out) == (["first", "second"], ("third",))


def test_scripts_get_what_each_method_loses_by_level(comparison):
    first = comparison.as_dict()["results"][0]
    assert first["name"] == FAST
    assert [level["cells"] for level in first["by_level"]["a"]] == [7, 42]


@pytest.mark.parametrize(
    ("methods", "match"),
    [
        ([], "Expected at least one method to compare"),
        ([FAST, FAST], "Expected every method once"),
        (["suppress-lp:passes"], "Expected options of a method as METHOD:OPTION=VALUE"),
        (["supress-lp"], "Did you mean 'suppress-lp'"),
        (["suppress-lp:pases=2"], "Did you mean 'passes'"),
    ],
)
def test_what_cannot_be_compared_is_refused(problem, methods, match):
    with pytest.raises(InputError, match=match):
        compare(problem, methods)
