"""The auditor against an attacker in fractions, who shares no code with it."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sceptic
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.auditor import audit
from discreet.freedom import Freedom
from discreet.generate import ons_problem, random_problem
from discreet.judgement import judge
from discreet.problem import Role
from discreet.release import Release
from discreet.witnesses import check

seeds = st.integers(0, 2**32 - 1)
some = settings(max_examples=60)


def agree(problem, release):
    """The two verdicts are one verdict, and the auditor's witnesses all hold."""
    found, truth = audit(problem, release), sceptic.judged(problem, release)
    assert found.is_truthful == truth.is_truthful
    assert found.is_additive == truth.is_additive
    assert set(found.exposed.tolist()) == truth.exposed
    assert found.is_safe == truth.is_safe
    assert set(found.judgement.sums.tolist()) == (truth.sums if truth.is_truthful else set())
    holding = check(found.certificates, Freedom.of(problem, release), problem.whole)
    assert (holding.upright | holding.mirrored).all()
    return found, truth


@pytest.mark.small
@given(seeds)
@some
def test_exposed_is_what_the_attacker_in_fractions_can_exclude(seed):
    rng, problem = sceptic.tiny(seed)
    agree(problem, sceptic.random_release(rng, problem))


@given(seeds)
@some
def test_the_same_with_tight_bounds(seed):
    rng, problem = sceptic.tiny(seed)
    problem = sceptic.tight(rng, problem)
    agree(problem, sceptic.random_pattern(rng, problem))


@pytest.mark.small
@given(seeds)
@some
def test_the_same_with_insiders_coalitions_and_implicit_cells(seed):
    rng, problem = sceptic.firms(seed)
    agree(problem, sceptic.random_pattern(rng, problem))


@given(seeds)
@some
def test_where_values_are_whole_exposed_is_what_enumeration_excludes(seed):
    rng = np.random.default_rng(seed)
    problem = replace(sceptic.tight(rng, random_problem(rng), 3), whole=True)
    release = sceptic.random_pattern(rng, problem)
    points = sceptic.whole_points(sceptic.Reader.public(problem, release))
    if points is not None:
        agree(problem, release)


@given(seeds)
@some
def test_the_reach_of_withheld_cells_is_exact(seed):
    rng, problem = sceptic.tiny(seed)
    release = sceptic.random_pattern(rng, problem)
    public = sceptic.Reader.public(problem, release)
    for reach in audit(problem, release, reach="withheld").reach:
        assert reach.below == sceptic.reach(public, reach.cell, up=False)
        assert reach.above == sceptic.reach(public, reach.cell, up=True)


@pytest.mark.parametrize("seed", range(12))
def test_the_reach_is_that_of_the_furthest_of_all_corners(seed):
    rng, problem = sceptic.tiny(seed, ("flat", "cube")[seed % 2])
    problem = sceptic.tight(rng, problem, 3)
    release = sceptic.withholding(problem, np.flatnonzero(problem.withholdable)[:9])
    corners = list(sceptic.corners(sceptic.Reader.public(problem, release)))
    for reach in audit(problem, release, reach="withheld").reach:
        moves = [corner.get(reach.cell, Fraction(0)) for corner in corners]
        assert (reach.below, reach.above) == (-min(moves), max(moves))


@pytest.mark.parametrize("seed", range(8))
def test_whole_reach_is_that_of_enumeration(seed):
    rng, problem = sceptic.tiny(seed, "cube")
    problem = replace(sceptic.tight(rng, problem, 2), whole=True)
    release = sceptic.withholding(problem, np.flatnonzero(problem.withholdable)[:10])
    points = sceptic.whole_points(sceptic.Reader.public(problem, release))
    for reach in audit(problem, release, reach="withheld").reach:
        assert (reach.below, reach.above) == (-points[:, reach.cell].min(), points[:, reach.cell].max())


def protected(problem):
    """A pattern with room to spare: everything withheld."""
    return Release.suppressed(problem, problem.withholdable)


def test_a_safe_release_needs_no_hints_and_gets_a_witness_for_every_side():
    problem = ons_problem((8, 8), seed=1, keep=1)
    found = audit(problem, protected(problem))
    assert found.is_safe
    assert found.certified == problem.sensitive.sum() > 0


def test_hints_that_do_not_hold_are_left_aside():
    problem = ons_problem((8, 8), seed=1, keep=1)
    good = audit(problem, protected(problem)).certificates
    bad = replace(good, move=good.move + 1)
    assert audit(problem, protected(problem), hints=bad).is_safe


@pytest.mark.small
def test_the_audit_alone_gives_the_same_verdict_as_with_hints():
    problem = ons_problem((6, 6), seed=2, keep=1, known=30)
    release = protected(problem)
    first = audit(problem, release)
    again = audit(problem, release, hints=first.certificates)
    assert first.exposed.tolist() == again.exposed.tolist()


@pytest.mark.small
def test_a_raw_release_exposes_every_sensitive_cell():
    problem = ons_problem((6, 6), seed=2, keep=1)
    found = audit(problem, Release.raw(problem))
    assert found.exposed.tolist() == np.flatnonzero(problem.sensitive).tolist()
    assert found.grade == "exposed"


@pytest.mark.small
def test_relabelling_cells_changes_nothing():
    problem = ons_problem((5, 5), seed=3, keep=1, known=40)
    release = sceptic.random_pattern(np.random.default_rng(3), problem)
    order = np.random.default_rng(0).permutation(problem.size)
    turned = reordered(problem, order)
    shuffled = Release.suppressed(turned, release.withheld[order])
    assert set(order[audit(turned, shuffled).exposed].tolist()) == set(
        audit(problem, release).exposed.tolist()
    )


def reordered(problem, order):
    """The same problem as equations, cell order[i] in place i."""
    place = np.argsort(order)
    structure = problem.table.structure
    cells = place[structure.cell].astype(np.int64)
    turned = type(structure).from_entries(
        structure.size, structure.row.astype(np.int64), cells, structure.coefficient
    )[0]
    table = type(problem.table)(turned, problem.table.value[order])
    parts = ("role", "need_below", "need_above", "need_sliding", "lower", "upper", "weight")
    return replace(problem, table=table, rules=(), **{name: getattr(problem, name)[order] for name in parts})


@pytest.mark.small
def test_withholding_more_never_exposes_more():
    problem = ons_problem((5, 5), seed=4, keep=1, known=30)
    rng = np.random.default_rng(4)
    few = sceptic.random_pattern(rng, problem)
    more = few.withheld | (problem.withholdable & (rng.random(problem.size) < 0.5))
    before = set(audit(problem, few).exposed.tolist())
    assert set(audit(problem, Release.suppressed(problem, more)).exposed.tolist()) <= before


def test_certificates_of_two_thousand_sides_are_sparse():
    problem = ons_problem((20, 20, 20), seed=0, keep=0)
    found = audit(problem, protected(problem), reach="nothing")
    assert found.is_safe
    assert len(found.certificates.cell) < 50 * found.sensitive


@pytest.mark.small
@pytest.mark.parametrize("role", [Role.PUBLISHED, Role.EMPTY])
def test_a_structural_zero_that_is_shown_otherwise_is_untruthful(role):
    problem = ons_problem((4, 4), seed=1, keep=1)
    zero = int(np.flatnonzero(problem.table.value > 0)[-1])
    roles = np.array(problem.role)
    roles[zero] = role
    shown = np.array(problem.table.value)
    shown[zero] += 1
    found = judge(
        replace(problem, role=roles),
        Release.adjusted(problem, shown, 5),
        audit(problem, Release.raw(problem)).certificates,
    )
    assert found.is_truthful == (role is not Role.EMPTY)
