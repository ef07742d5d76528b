"""From a problem to a publication: always audited, never unsafe by accident, nothing confidential."""

import json
import pickle
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from discreet.auditor import audit
from discreet.engines.status import Status
from discreet.errors import InputError, UnsafeError
from discreet.generate import linked_problem, ons_problem
from discreet.methods.method import Outcome
from discreet.methods.suppress.lp import SuppressLP
from discreet.pipeline import protect, publish
from discreet.problem import Problem
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.witnesses import Witnesses


@pytest.fixture(scope="module")
def problem():
    return ons_problem((6, 6), seed=2)


@pytest.fixture(scope="module")
def result(problem):
    return protect(problem, seed=1, work=100)


class Leaky:
    """A method that withholds the sensitive cells alone and claims that this is all."""

    __dataclass_fields__: ClassVar = {}
    family, summary, source = "suppress", "leaks", "a test"

    def solve(self, problem, limits, watch):
        return Outcome(Status.OPTIMAL, Release.suppressed(problem, problem.sensitive), bound=0.0)


class Liar(Leaky):
    """A method that hands over proofs of its own making."""

    def solve(self, problem, limits, watch):
        n = int(problem.sensitive.sum())
        cells = np.flatnonzero(problem.sensitive).astype(np.int32)
        moves = np.full(n, 10**6, np.int64)
        made = Witnesses(np.arange(n + 1, dtype=np.int64), cells, moves, np.ones(n, np.int64))
        return Outcome(Status.OPTIMAL, Release.suppressed(problem, problem.sensitive), hints=made)


def test_a_result_is_audited(problem, result):
    assert result.is_safe
    assert result.audit.certified == int(problem.sensitive.sum())


@pytest.mark.parametrize("method", [Leaky, Liar])
def test_a_method_is_not_believed(problem, method):
    made = protect(problem, method())
    assert not made.is_safe
    assert set(made.audit.exposed.tolist()) == set(audit(problem, made.release).exposed.tolist()) != set()


def test_what_is_not_proved_safe_is_not_published(problem):
    with pytest.raises(UnsafeError, match="not proved safe"):
        publish(protect(problem, Leaky()))


def test_an_override_is_written_into_the_account(problem):
    account = publish(protect(problem, Leaky()), override=True).account
    assert account["proved_safe"] is False
    assert "override" in account["warning"]


def test_without_a_release_nothing_is_published():
    lost = Problem.of(
        Table(Structure.from_equations(2, [[(0, -1), (1, 1)]]), np.array([5, 5])),
        role=np.array([2, 1]),
        need_above=np.array([0, 1]),
    )
    with pytest.raises(UnsafeError, match="no release"):
        publish(protect(lost))


def test_a_publication_holds_no_value_that_is_withheld(problem, result):
    publication = publish(result)
    hidden = {problem.table.unit.text(v) for v in problem.table.value[result.release.withheld]}
    hidden -= {problem.table.unit.text(v) for v in problem.table.value[~result.release.withheld]}
    assert not hidden & set(publication.value)
    assert set(publication.value) - {"c"} <= {problem.table.unit.text(v) for v in problem.table.value}


def test_primary_and_secondary_cells_look_the_same(result):
    assert set(np.array(publish(result).value)[result.release.withheld]) == {"c"}


def test_the_mark_is_ours_to_choose(result):
    assert "x" in publish(result, mark="x").value


def test_the_public_account_tells_no_rule_no_seed_and_no_number_of_primaries(problem, result):
    text = json.dumps(publish(result).account)
    for word in ("percent", "rule", "seed", "sensitive", "primary", "secondary", "level", "weight", "method"):
        assert word not in text
    primaries, withheld = int(problem.sensitive.sum()), int(result.release.withheld.sum())
    counts = [held for held in publish(result).account.values() if type(held) is int]
    assert primaries not in counts
    assert withheld - primaries not in counts


def test_a_linked_table_shows_each_row_as_it_was_given():
    linked = linked_problem(4, 5, 3, seed=1, keep=1)
    made = protect(linked, work=50)
    assert len(publish(made)) == linked.size


def test_needs_beyond_what_is_known_are_refused_or_clipped():
    table = Table(Structure.from_equations(3, [[(0, -1), (1, 1), (2, 1)]]), np.array([9, 4, 5]))
    problem = Problem.of(table, need_below=np.array([0, 5, 0]))
    with pytest.raises(InputError, match="beyond what is known"):
        protect(problem)
    clipped = protect(problem, clip=True)
    assert clipped.is_safe
    assert clipped.problem.need_below[1] == 4


@pytest.mark.parametrize("insiders", [True, False])
@pytest.mark.parametrize("implicit", [True, False])
def test_the_account_says_who_was_judged(problem, insiders, implicit):
    made = protect(problem, work=60, insiders=insiders, implicit=implicit)
    assert made.is_safe
    assert made.audit.judged == {"insiders": insiders, "implicit": implicit}


def test_the_log_repeats_the_run(problem, result):
    again = protect(problem, options=result.log["options"], seed=result.log["seed"], work=result.log["work"])
    assert np.array_equal(again.release.withheld, result.release.withheld)


def test_the_gap_is_that_between_the_objective_and_a_bound_below_it(result):
    assert 0 <= result.bound <= result.objective
    assert result.gap == pytest.approx(1 - result.bound / result.objective)


def test_the_objective_is_the_weight_of_what_is_withheld(problem, result):
    assert result.objective == pytest.approx(problem.weight[result.release.withheld].sum())


def test_a_method_may_be_given_as_a_value(problem):
    assert protect(problem, SuppressLP(passes=1, patience=0), work=60).method == "SuppressLP"


def test_a_result_can_be_sent_to_another_process(result):
    again = pickle.loads(pickle.dumps(result))
    assert again.summary() == result.summary()


def test_a_notebook_shows_a_result_and_a_publication(result):
    assert "<table" in result._repr_html_()
    assert "Publication of" in publish(result)._repr_html_()


def test_an_unknown_method_is_named_with_its_likely_spelling(problem):
    with pytest.raises(InputError, match="Did you mean 'suppress-lp'"):
        protect(problem, "supress-lp")


def test_a_bound_from_a_value_of_zero_weight_is_no_gap(problem):
    free = replace(problem, weight=np.zeros(problem.size))
    assert protect(free, work=30).gap == 0.0
