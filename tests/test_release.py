import numpy as np
import pytest
from literature import two_way

from discreet.errors import InputError
from discreet.problem import Problem, Role
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import INFINITE


def loose(*value, **fields):
    return Problem.of(Table(Structure.from_equations(len(value), []), np.array(value)), **fields)


def told(release):
    return list(zip(release.told_lower.tolist(), release.told_upper.tolist(), strict=True))


def test_a_raw_release_tells_every_value():
    release = Release.raw(loose(3, 0, -4))
    assert told(release) == [(3, 3), (0, 0), (-4, -4)]
    assert not release.withheld.any()


def test_a_withheld_cell_tells_nothing_and_the_others_tell_their_value():
    release = Release.suppressed(loose(3, 5), np.array([True, False]))
    assert told(release) == [(-INFINITE, INFINITE), (5, 5)]


def test_a_withheld_cell_shows_no_trace_of_its_value():
    assert Release.suppressed(loose(3, 5), np.array([True, False])).shown.tolist() == [0, 5]


def test_cells_that_must_be_published_cannot_be_withheld():
    problem = Problem.of(two_way("dula 3"), role=np.where(np.arange(16) == 15, Role.PUBLISHED, Role.OPEN))
    with pytest.raises(
        InputError, match=r"1 cells are withheld that must be published or are empty: \(d0=0\.3, d1=1\.3\)"
    ):
        Release.suppressed(problem, np.arange(16) == 15)


def test_empty_cells_cannot_be_withheld():
    with pytest.raises(InputError, match="must be published or are empty"):
        Release.suppressed(loose(0, 5), np.array([True, True]))


def test_a_rounded_value_is_told_to_lie_next_to_the_truth():
    assert told(Release.rounded(loose(13), np.array([15]), 5)) == [(11, 19)]


def test_a_window_widens_what_is_told_by_whole_bases():
    assert told(Release.rounded(loose(13), np.array([20]), 5, window=1)) == [(11, 29)]


@pytest.mark.parametrize(("base", "reach"), [(2, 1), (3, 1), (5, 2), (10, 5)])
def test_a_value_rounded_to_the_nearest_multiple_is_told_within_half_a_base(base, reach):
    release = Release.rounded(loose(base), np.array([base]), base, nearest=True)
    assert told(release) == [(base - reach, base + reach)]


def test_empty_cells_are_told_to_be_zero_in_every_release():
    problem = loose(0, 7)
    for release in (
        Release.rounded(problem, np.array([0, 5]), 5),
        Release.adjusted(problem, np.array([0, 9]), 3),
    ):
        assert told(release)[0] == (0, 0)


@pytest.mark.parametrize(
    ("options", "text"),
    [({"base": 1}, "Expected base >= 2, got 1"), ({"base": 5, "window": -1}, "Expected window >= 0, got -1")],
)
def test_senseless_rounding_is_refused(options, text):
    with pytest.raises(InputError, match=text):
        Release.rounded(loose(3), np.array([3]), **options)


def test_an_announced_range_is_told_around_the_shown_value():
    release = Release.adjusted(loose(3), np.array([5]), within=4)
    assert (told(release), release.criterion) == ([(1, 9)], "interval")


def test_where_nothing_is_announced_distance_is_the_criterion():
    release = Release.adjusted(loose(3), np.array([5]))
    assert (told(release), release.criterion) == ([(-INFINITE, INFINITE)], "distance")


def test_an_announced_range_of_zero_tells_the_shown_value():
    assert told(Release.adjusted(loose(3), np.array([3]), within=0)) == [(3, 3)]


def test_a_negative_range_is_refused():
    with pytest.raises(InputError, match="announced range of 0 or more, got -1"):
        Release.adjusted(loose(3), np.array([5]), within=-1)


def test_intervals_near_the_largest_number_do_not_wrap():
    release = Release.adjusted(loose(3, -3), np.array([INFINITE - 1, 1 - INFINITE]), within=5)
    assert told(release) == [(INFINITE - 6, INFINITE), (-INFINITE, 6 - INFINITE)]


def test_a_release_is_told_in_words_that_can_be_written_down():
    assert Release.rounded(loose(3), np.array([3]), 3).told == {
        "kind": "rounded",
        "base": 3,
        "window": 0,
        "nearest": False,
    }
