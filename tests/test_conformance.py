"""What every method promises, whatever its idea; methods are known here by the registry alone."""

import time
from dataclasses import MISSING, fields, replace
from functools import cache

import numpy as np
import pytest
import sceptic

from discreet.auditor import audit
from discreet.engines.linear import LinearProgram, Point
from discreet.engines.status import Status
from discreet.errors import EngineError, InputError
from discreet.freedom import Freedom
from discreet.generate import linked_problem, ons_problem, random_problem
from discreet.limits import Budget, Limits, Unwatched
from discreet.pipeline import objective, protect
from discreet.problem import Problem, Role
from discreet.registry import METHODS, describe_methods, make_method, method_class
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.witnesses import check

WORK = 120
"""Steps after which a run ends here: enough to go through every stage of small problems."""

PATIENCE = 5.0
"""Seconds after which a run that was told to stop counts as not stopping; machines may be busy."""

every_method = pytest.mark.parametrize("key", METHODS)


def of_equations(value, *equations, **fields):
    return Problem.of(Table(Structure.from_equations(len(value), equations), np.array(value)), **fields)


def at(n, **cells):
    """Zeros but for some cells, such as c3=7."""
    array = np.zeros(n, np.int64)
    for name, number in cells.items():
        array[int(name[1:])] = number
    return array


def tiny(seed, kind):
    return random_problem(np.random.default_rng(seed), kind).clipped()


def whole(seed, kind):
    rng = np.random.default_rng(seed)
    return replace(sceptic.tight(rng, random_problem(rng, kind)), whole=True)


def uneven():
    """Needs that differ below and above, some of them only sliding."""
    problem = ons_problem((6, 6), seed=2, known=60, keep=1)
    sensitive = np.flatnonzero(problem.sensitive)
    below, above, sliding = (np.array(problem.need_above) for _ in range(3))
    below[sensitive[::3]] = 0
    above[sensitive[1::3]] = 0
    sliding[sensitive[::2]] *= 2
    return replace(problem, need_below=below, need_above=above, need_sliding=sliding).clipped()


def some_published():
    """Every seventh open cell must be published."""
    problem = ons_problem((7, 7), seed=3, sparse=0.5, keep=1)
    role = np.array(problem.role)
    role[np.flatnonzero(role == Role.OPEN)[::7]] = Role.PUBLISHED
    return replace(problem, role=role)


def huge():
    """Values near 2^60, so that no program in floating point can be trusted with their units."""
    problem = ons_problem((4, 4), seed=5, known=30, keep=1)
    factor = 2**60 // int(problem.table.value.max())
    scaled = {n: getattr(problem, n) * factor for n in ("need_below", "need_above", "lower", "upper")}
    return replace(problem, table=replace(problem.table, value=problem.table.value * factor), **scaled)


def nothing_sensitive():
    return Problem.of(ons_problem((3, 3), seed=0, keep=1).table)


ZOO = {
    "flat": lambda: ons_problem((8, 8), seed=1, keep=1),
    "flat tight": lambda: ons_problem((8, 8), seed=1, known=15, keep=1),
    "cube": lambda: ons_problem((4, 4, 4), seed=2, keep=1),
    "cube tight": lambda: ons_problem((4, 4, 4), seed=2, known=20, keep=1),
    "sparse": lambda: ons_problem((7, 7), seed=4, sparse=0.3, known=30, keep=1),
    "hierarchy": lambda: ons_problem((12, 5), seed=3, levels=(2, 1), known=25, keep=1),
    "linked": lambda: linked_problem(4, 5, 3, seed=1, tables=3, keep=1),
    "linked tight": lambda: linked_problem(4, 5, 3, seed=1, known=25, keep=1),
    "firms": lambda: ons_problem((6, 6), seed=1),
    "firms cube": lambda: ons_problem((3, 3, 3), seed=2, mean_contributors=5.0, several=0.3),
    "uneven": uneven,
    "some published": some_published,
    "huge": huge,
    "nothing sensitive": nothing_sensitive,
}

LOST = {
    "its sum and the other part are published": lambda: of_equations(
        [9, 4, 5],
        [(0, -1), (1, 1), (2, 1)],
        role=np.array([Role.PUBLISHED, Role.OPEN, Role.PUBLISHED]),
        need_above=at(3, c1=1),
    ),
    "all others are known too well": lambda: of_equations(
        [9, 4, 5],
        [(0, -1), (1, 1), (2, 1)],
        role=np.array([Role.PUBLISHED, Role.OPEN, Role.OPEN]),
        need_below=at(3, c1=3),
        lower=np.array([9, 0, 3]),
        upper=np.array([9, 9, 7]),
    ),
    "one cell after many that can be protected": lambda: of_equations(
        [9, 4, 5, 30, 10, 20],
        [(0, -1), (1, 1), (2, 1)],
        [(3, -1), (4, 1), (5, 1)],
        role=np.array([Role.OPEN, Role.OPEN, Role.OPEN, Role.PUBLISHED, Role.PUBLISHED, Role.OPEN]),
        need_above=at(6, c1=2, c5=2),
    ),
}


@cache
def problem_of(name):
    return ZOO[name]()


def solved(key, problem, watch=None, **limits):
    return make_method(key).solve(problem, Limits(**limits), watch or Unwatched())


@cache
def outcome_of(key, name):
    return solved(key, problem_of(name), seed=1, work=WORK)


@cache
def verdict_of(key, name):
    """An audit that knows nothing of the run."""
    return audit(problem_of(name), outcome_of(key, name).release)


def everything(problem):
    return Release.suppressed(problem, problem.withholdable)


def same(left, right):
    parts = ("shown", "withheld", "told_lower", "told_upper")
    return all(np.array_equal(getattr(left, p), getattr(right, p)) for p in parts)


class Told:
    """Writes down the news of a run, and says stop after being asked so many times."""

    def __init__(self, after=None):
        self.after = after
        self.asked = 0
        self.stages = []
        self.losses = []

    def progress(self, stage, done, total):
        self.stages.append((stage, done, total))

    def incumbent(self, loss, bound):
        self.losses.append(loss)

    def stopped(self):
        self.asked += 1
        return self.after is not None and self.asked > self.after


# what comes out of small problems of every kind


@pytest.mark.parametrize("name", ZOO)
@every_method
def test_a_release_is_safe_by_an_audit_that_knows_nothing_of_the_run(key, name):
    assert verdict_of(key, name).is_safe


@pytest.mark.parametrize("name", ZOO)
@every_method
def test_what_is_shown_adds_up_and_is_true(key, name):
    assert (verdict_of(key, name).is_additive, verdict_of(key, name).is_truthful) == (True, True)


@pytest.mark.parametrize("name", ZOO)
@every_method
def test_cells_that_must_be_published_or_are_empty_are_left_alone(key, name):
    problem, release = problem_of(name), outcome_of(key, name).release
    touched = release.withheld | (release.shown != problem.table.value)
    assert problem.withholdable[touched].all()


@pytest.mark.parametrize("name", ZOO)
@every_method
def test_a_family_does_what_its_name_says(key, name):
    problem, release = problem_of(name), outcome_of(key, name).release
    family, change = method_class(key).family, release.shown != problem.table.value
    if family == "suppress":
        assert release.withheld[problem.sensitive].all()
        assert not change[~release.withheld].any()
    else:
        assert not release.withheld.any()


@pytest.mark.parametrize("name", ZOO)
@every_method
def test_all_hints_hold(key, name):
    problem, outcome = problem_of(name), outcome_of(key, name)
    assert check(outcome.hints, Freedom.of(problem, outcome.release), problem.whole).upright.all()


@pytest.mark.parametrize("name", ZOO)
@every_method
def test_the_bound_is_at_most_the_objective(key, name):
    outcome = outcome_of(key, name)
    assert outcome.bound is None or outcome.bound <= objective(problem_of(name), outcome.release)


@pytest.mark.parametrize("name", ["nothing sensitive"])
@every_method
def test_where_nothing_is_sensitive_nothing_is_lost(key, name):
    assert objective(problem_of(name), outcome_of(key, name).release) == 0.0


# the same again


@pytest.mark.parametrize("name", ["flat tight", "cube", "linked", "firms", "uneven"])
@every_method
def test_the_same_seed_gives_the_same_release(key, name):
    assert same(solved(key, problem_of(name), seed=1, work=WORK).release, outcome_of(key, name).release)


@pytest.mark.parametrize("name", ["flat tight", "cube", "firms"])
@pytest.mark.parametrize("threads", [2, 3])
@every_method
def test_the_number_of_threads_changes_nothing(key, name, threads):
    again = solved(key, problem_of(name), seed=1, work=WORK, threads=threads)
    assert same(again.release, outcome_of(key, name).release)


@pytest.mark.parametrize("after", [0, 1, 7, 30, 90, 400])
@every_method
def test_a_run_that_was_stopped_is_repeated_by_its_work(key, after):
    problem = problem_of("cube tight")
    stopped = solved(key, problem, Told(after), seed=3)
    again = solved(key, problem, seed=3, work=stopped.work)
    assert same(stopped.release, again.release)


@every_method
def test_work_that_a_run_does_not_use_up_changes_nothing(key):
    problem = tiny(5, "flat")
    free = solved(key, problem, seed=1)
    assert same(solved(key, problem, seed=1, work=free.work + 10).release, free.release)


# stopping


@pytest.mark.parametrize("after", [0, 1, 2, 5, 20, 60, 150])
@pytest.mark.parametrize("name", ["flat tight", "cube", "linked", "firms"])
@every_method
def test_stopped_at_any_moment_a_run_ends_with_a_safe_release(key, name, after):
    result = protect(problem_of(name), key, watch=Told(after))
    assert result.is_safe


@pytest.mark.parametrize("seconds", [0.0, 0.5])
@every_method
def test_a_run_ends_when_its_time_is_over(key, seconds):
    problem = ons_problem((8, 8, 8), seed=1, sparse=0.5)
    limits = Limits(seconds=seconds)
    began = time.monotonic()
    outcome = make_method(key).solve(problem, limits, Budget(limits, Unwatched()))
    assert time.monotonic() - began < seconds + PATIENCE
    assert audit(problem, outcome.release).is_safe


@every_method
def test_a_run_without_memory_ends_with_a_safe_release(key):
    result = protect(problem_of("cube"), key, memory=1)
    assert (result.is_safe, result.log["stopped"]) == (True, "memory")


@every_method
def test_a_run_asks_often_whether_to_stop(key):
    watch = Told(2000)
    solved(key, problem_of("cube"), watch, work=WORK)
    assert watch.asked > 20


# news


@pytest.mark.parametrize("name", ["flat tight", "cube", "linked"])
@every_method
def test_progress_tells_a_share_of_a_stage(key, name):
    watch = Told()
    solved(key, problem_of(name), watch, work=WORK)
    assert watch.stages
    assert all(0 <= done <= total for _, done, total in watch.stages)


@pytest.mark.parametrize("name", ["flat tight", "cube", "linked"])
@every_method
def test_each_incumbent_is_better_than_the_one_before(key, name):
    watch = Told()
    solved(key, problem_of(name), watch, work=WORK)
    assert watch.losses == sorted(set(watch.losses), reverse=True)


# problems that nothing can protect


@pytest.mark.small
@pytest.mark.parametrize("name", LOST)
@every_method
def test_what_nothing_can_protect_is_never_called_safe(key, name):
    result = protect(LOST[name](), key)
    assert not result.is_safe


@pytest.mark.small
@pytest.mark.parametrize("name", LOST)
@every_method
def test_a_proof_that_nothing_helps_names_cells_that_stay_exposed(key, name):
    problem = LOST[name]()
    outcome = solved(key, problem)
    if outcome.status is Status.INFEASIBLE:
        hopeless = audit(problem, everything(problem)).exposed
        assert set(outcome.unprotected) <= set(hopeless.tolist())
        assert outcome.unprotected
    else:
        assert not audit(problem, outcome.release).is_safe


@pytest.mark.small
@pytest.mark.parametrize("name", LOST)
@every_method
def test_stopped_before_the_proof_nothing_is_claimed(key, name):
    assert solved(key, LOST[name](), Told(0)).status in (Status.STOPPED, Status.FAILED)


@pytest.mark.small
@every_method
def test_what_is_not_possible_from_the_start_is_refused(key):
    problem = of_equations([5], need_below=at(1, c0=9))
    with pytest.raises(InputError, match="beyond what is known beforehand"):
        protect(problem, key)


# against an attacker of our own


def agrees_with_the_sceptic(key, problem):
    """Safe is safe to the sceptic, and no release or an unsafe one only where withholding all is unsafe."""
    result = protect(problem, key, work=WORK)
    if result.is_safe:
        assert sceptic.judged(problem, result.release).is_safe
    else:
        assert not sceptic.judged(problem, everything(problem)).is_safe
    if result.status is Status.INFEASIBLE:
        assert set(result.unprotected) <= sceptic.judged(problem, everything(problem)).exposed


@pytest.mark.small
@pytest.mark.parametrize("kind", ["flat", "cube", "tree", "groupings", "linked", "equations"])
@pytest.mark.parametrize("seed", range(3))
@every_method
def test_the_sceptic_agrees_on_tiny_problems(key, kind, seed):
    agrees_with_the_sceptic(key, tiny(seed, kind))


@pytest.mark.small
@pytest.mark.parametrize("kind", ["flat", "cube", "tree", "linked", "equations"])
@pytest.mark.parametrize("seed", range(2))
@every_method
def test_the_sceptic_agrees_where_values_are_known_to_be_whole(key, kind, seed):
    agrees_with_the_sceptic(key, whole(seed, kind))


@pytest.mark.small
@pytest.mark.parametrize("seed", range(16))
@every_method
def test_the_sceptic_agrees_on_insiders_coalitions_and_implicit_cells(key, seed):
    agrees_with_the_sceptic(key, sceptic.firms(seed)[1])


# solvers that break down


def breaking(monkeypatch, after, ending):
    """From so many programs on, every program ends as it is told."""
    solve, calls = LinearProgram.solve, []

    def broken(program, stopped):
        calls.append(1)
        return solve(program, stopped) if len(calls) <= after else ending(program)

    monkeypatch.setattr(LinearProgram, "solve", broken)


def fails(program):
    return Point(Status.FAILED, np.zeros(program.solver.getNumCol()), 0.0)


def raises(program):
    raise EngineError("The solver broke down.")


def babbles(program):
    return Point(Status.OPTIMAL, np.full(program.solver.getNumCol(), 1 / 7), 0.0)


@pytest.mark.parametrize("ending", [fails, raises, babbles])
@pytest.mark.parametrize("after", [0, 1, 25])
@pytest.mark.parametrize("name", ["flat tight", "cube", "firms"])
@every_method
def test_a_broken_solver_leaves_a_safe_release_or_none(key, name, after, ending, monkeypatch):
    with monkeypatch.context() as patched:
        breaking(patched, after, ending)
        try:
            outcome = solved(key, problem_of(name), work=WORK)
        except EngineError:
            return
    assert outcome.status is not Status.INFEASIBLE
    assert outcome.release is None or audit(problem_of(name), outcome.release).is_safe


@pytest.mark.parametrize("ending", [fails, babbles])
@pytest.mark.parametrize("name", LOST)
@every_method
def test_a_broken_solver_proves_nothing(key, name, ending, monkeypatch):
    breaking(monkeypatch, 0, ending)
    assert solved(key, LOST[name]()).status is not Status.INFEASIBLE


@pytest.mark.parametrize("ending", [fails, babbles])
@every_method
def test_where_the_solver_is_broken_for_the_auditor_too_nothing_is_called_safe(key, ending, monkeypatch):
    problem = LOST["all others are known too well"]()
    breaking(monkeypatch, 0, ending)
    assert not protect(problem, key).is_safe


# options


def options_of(key):
    return [field for field in fields(method_class(key)) if field.init]


@every_method
def test_every_option_has_a_default_and_a_text_of_help(key):
    (entry,) = [method for method in describe_methods() if method["method"] == key]
    assert all(field.default is not MISSING for field in options_of(key))
    assert all(option["help"] for option in entry["options"])


@every_method
def test_a_method_says_what_it_is_and_where_it_comes_from(key):
    found = method_class(key)
    assert found.family in {"suppress", "adjust", "round"}
    assert key.startswith(found.family + "-")
    assert found.summary
    assert found.source


@every_method
def test_an_unknown_option_is_refused_by_name(key):
    with pytest.raises(InputError, match=f"Method '{key}' has no option 'colour'"):
        make_method(key, {"colour": "red"})


@every_method
def test_a_text_that_is_no_number_is_refused(key):
    for field in options_of(key):
        if isinstance(field.default, int | float):
            with pytest.raises(InputError, match=field.name):
                make_method(key, {field.name: "many"})


@every_method
def test_what_is_no_number_at_all_is_refused(key):
    for field in options_of(key):
        if isinstance(field.default, float):
            with pytest.raises(InputError):
                make_method(key, {field.name: float("nan")})


@every_method
def test_a_value_of_another_kind_is_refused(key):
    for field in options_of(key):
        with pytest.raises(InputError, match=field.name):
            make_method(key, {field.name: [1, 2]})


@every_method
def test_a_default_written_as_text_is_the_default(key):
    texts = {field.name: str(field.default) for field in options_of(key)}
    assert make_method(key, texts) == make_method(key)


@every_method
def test_a_method_does_not_change(key):
    method = make_method(key)
    with pytest.raises(AttributeError):
        method.anything = 1
