import json

import numpy as np
import pytest
from io_helpers import JJ, assert_same_release

from discreet.errors import InputError
from discreet.freedom import Freedom
from discreet.io.jj import read_jj, write_jj
from discreet.io.told import read_release, told_path, write_told
from discreet.release import Release
from discreet.units import Unit


@pytest.fixture
def problem(written):
    return read_jj(written(JJ, "t.jj"))


def releases(problem):
    withheld = np.array([False, True, True, False])
    shown = np.array([100, 25, 45, 30])
    told = {"lower": np.array([90, 20, 45, 30]), "upper": np.array([2**63 - 1, 30, 50, 30])}
    return {
        "raw": Release.raw(problem),
        "suppressed": Release.suppressed(problem, withheld),
        "rounded": Release.rounded(problem, shown, 5, window=2),
        "nearest": Release.rounded(problem, shown, 5, nearest=True),
        "adjusted": Release.adjusted(problem, shown),
        "within": Release.adjusted(problem, shown, within=7),
        "intervals": Release(
            np.where(withheld, 0, shown), withheld, told["lower"], told["upper"], told={"kind": "intervals"}
        ),
    }


@pytest.mark.parametrize(
    "kind", ["raw", "suppressed", "rounded", "nearest", "adjusted", "within", "intervals"]
)
def test_a_release_comes_back_with_what_it_tells(problem, tmp_path, kind):
    release = releases(problem)[kind]
    write_jj(tmp_path / "out.jj", problem, release)
    write_told(tmp_path / "out.jj", release, problem.table.unit)
    assert told_path(tmp_path / "out.jj").name == "out.release.json"
    assert_same_release(read_release(problem, tmp_path / "out.jj"), release)


def test_amounts_are_told_in_numbers_of_the_table(written, tmp_path):
    problem = read_jj(written(JJ, "t.jj"), unit="0.1")
    release = Release.adjusted(problem, problem.table.value + 1, within=15)
    write_told(tmp_path / "out.jj", release, problem.table.unit)
    said = json.loads((tmp_path / "out.release.json").read_text())
    assert said == {
        "format": "discreet-release",
        "version": 1,
        "criterion": "interval",
        "kind": "adjusted",
        "within": "1.5",
    }
    write_jj(tmp_path / "out.jj", problem, release)
    assert_same_release(read_release(problem, tmp_path / "out.jj"), release)


def test_the_base_of_a_rounding_is_told_as_a_number(problem, tmp_path):
    write_told(tmp_path / "out.jj", releases(problem)["rounded"], Unit())
    said = json.loads((tmp_path / "out.release.json").read_text())
    assert (said["kind"], said["base"], said["window"], said["nearest"]) == ("rounded", 5, 2, False)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"kind": "suppressed"}, "suppressed"),
        ({"kind": "rounded", "base": 5, "window": 2}, "rounded"),
        ({"kind": "rounded", "base": "5", "nearest": True}, "nearest"),
        ({"kind": "adjusted"}, "adjusted"),
        ({"kind": "adjusted", "within": 7}, "within"),
    ],
)
def test_the_caller_may_say_what_is_told(problem, tmp_path, said, kind):
    release = releases(problem)[kind]
    write_jj(tmp_path / "out.jj", problem, release)
    assert_same_release(read_release(problem, tmp_path / "out.jj", said), release)


def test_without_a_word_on_what_is_told_the_flags_are_named(problem, tmp_path):
    write_jj(tmp_path / "out.jj", problem)
    with pytest.raises(
        InputError, match=r"no out.release.json beside it. Say it with --suppressed, --base B"
    ):
        read_release(problem, tmp_path / "out.jj")


def test_a_changed_value_in_a_suppressed_release_is_told_as_it_is_shown(problem, tmp_path):
    write_jj(tmp_path / "out.jj", problem, releases(problem)["suppressed"])
    text = (tmp_path / "out.jj").read_text().replace("\n3 30 ", "\n3 31 ")
    (tmp_path / "out.jj").write_text(text)
    release = read_release(problem, tmp_path / "out.jj", {"kind": "suppressed"})
    assert (release.shown[3], release.told_lower[3], release.told_upper[3]) == (31, 31, 31)
    assert not Freedom.of(problem, release).is_truthful


def test_a_changed_value_in_a_raw_release_is_told_as_it_is_shown(problem, tmp_path):
    write_jj(tmp_path / "out.jj", problem)
    (tmp_path / "out.jj").write_text((tmp_path / "out.jj").read_text().replace("\n3 30 ", "\n3 31 "))
    release = read_release(problem, tmp_path / "out.jj", {"kind": "raw"})
    assert not Freedom.of(problem, release).is_truthful


def test_a_sensitive_cell_that_is_shown_counts_as_shown(problem, tmp_path):
    write_jj(tmp_path / "out.jj", problem, releases(problem)["suppressed"])
    (tmp_path / "out.jj").write_text((tmp_path / "out.jj").read_text().replace(" u ", " s "))
    release = read_release(problem, tmp_path / "out.jj", {"kind": "suppressed"})
    assert release.withheld.tolist() == [False, False, True, False]


def test_cells_that_must_be_published_cannot_be_withheld(problem, tmp_path):
    write_jj(tmp_path / "out.jj", problem)
    (tmp_path / "out.jj").write_text((tmp_path / "out.jj").read_text().replace(" z ", " m "))
    with pytest.raises(InputError, match=r"withheld that must be published or are empty: \(cell 3\)"):
        read_release(problem, tmp_path / "out.jj", {"kind": "suppressed"})


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("0\n4\n", "0\n3\n", "announces 3 cells"),
        ("\n3 30", "\n4 30", "expected 3 as in the table|does not list"),
        ("1 (1) 2 (1)", "1 (1) 2 (2)", "other equations than the table"),
        ("0 4 : 0 (-1) 1 (1)", "0 3 : 0 (-1)", "other equations than the table"),
        ("0 4 :", "5 4 :", "other equations than the table"),
        ("1\n0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)\n", "0\n", "has 0 equations, expected 1"),
        ("1 20 ", "1 20.5 ", "whole multiples of the unit 1"),
    ],
)
def test_the_release_of_another_table_is_refused(problem, written, old, new, match):
    path = written(JJ.replace(old, new), "out.jj")
    with pytest.raises(InputError, match=match):
        read_release(problem, path, {"kind": "raw"})


def test_a_release_in_another_order_is_the_same(problem, written):
    text = JJ.replace("0 (-1) 1 (1) 2 (1) 3 (1)", "3 (1) 0 (-1) 2 (1) 1 (1)")
    assert_same_release(
        read_release(problem, written(text, "out.jj"), {"kind": "raw"}), releases(problem)["raw"]
    )


def test_a_release_without_status_does_not_say_what_is_withheld(problem, written):
    lines = JJ.splitlines()
    lines[2:6] = [" ".join(line.split()[:3] + line.split()[4:]) for line in lines[2:6]]
    path = written("\n".join(lines), "out.jj")
    assert_same_release(read_release(problem, path, {"kind": "raw"}), releases(problem)["raw"])
    with pytest.raises(InputError, match="has no status column"):
        read_release(problem, path, {"kind": "suppressed"})


GOOD = {"format": "discreet-release", "version": 1, "criterion": "interval", "kind": "rounded", "base": 5}


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"format": "other"}, "expected the format 'discreet-release'"),
        ({"version": 2}, "expected version 1"),
        ({"version": True}, "expected version 1"),
        ({"version": None}, "expected version 1"),
        ({"criterion": "distance"}, "expected the criterion 'interval'"),
        ({"criterion": None}, "expected the criterion 'interval'"),
        ({"kind": "ronded"}, "unknown kind of release. Did you mean 'rounded'"),
        ({"kind": ["rounded"]}, "unknown kind of release"),
        ({"kind": "suppressed"}, "'base' says nothing of a release of the kind 'suppressed'"),
        ({"kind": "adjusted"}, "'base' says nothing"),
        ({"kind": "intervals"}, "'base' says nothing"),
        ({"base": 1}, "Expected base >= 2"),
        ({"base": -5}, "Expected base >= 2"),
        ({"base": 2.5}, "not a whole multiple"),
        ({"base": "five"}, "expected an amount as 'base', found a text that is not a number"),
        ({"base": None}, "expected an amount as 'base'"),
        ({"base": True}, "expected an amount as 'base'"),
        ({"base": 10**19}, "beyond 2\\^63"),
        ({"base": 10**18, "window": 10**6}, "expected a base and a window"),
        ({"window": -1}, "Expected window >= 0"),
        ({"window": 0.5}, "expected a whole number as 'window'"),
        ({"window": "1"}, "expected a whole number as 'window'"),
        ({"nearest": 1}, "expected true or false as 'nearest'"),
        ({"windw": 1}, "'windw' says nothing"),
    ],
)
def test_what_is_told_must_make_sense(problem, tmp_path, change, match):
    write_jj(tmp_path / "out.jj", problem)
    (tmp_path / "out.release.json").write_text(json.dumps({**GOOD, **change}))
    with pytest.raises(InputError, match=match):
        read_release(problem, tmp_path / "out.jj")


@pytest.mark.parametrize("missing", ["format", "version", "criterion", "kind", "base"])
def test_nothing_that_is_told_may_be_missing(problem, tmp_path, missing):
    write_jj(tmp_path / "out.jj", problem)
    said = {key: held for key, held in GOOD.items() if key != missing}
    (tmp_path / "out.release.json").write_text(json.dumps(said))
    with pytest.raises(InputError, match=r"out.release.json"):
        read_release(problem, tmp_path / "out.jj")


@pytest.mark.parametrize("text", ["", "{", "[]", "5", '{"format": NaN}', "[" * 100_000])
def test_what_is_told_must_be_json(problem, tmp_path, text):
    write_jj(tmp_path / "out.jj", problem)
    (tmp_path / "out.release.json").write_text(text)
    with pytest.raises(InputError, match=r"out.release.json: expected"):
        read_release(problem, tmp_path / "out.jj")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"lower": [1, 2]}, "expected 4 entries in 'lower'"),
        ({"upper": "all"}, "expected a list as 'upper'"),
        ({"upper": [1, 2, 3, {}]}, "expected an amount as 'upper'"),
        ({"withheld": [4]}, "expected places of cells"),
        ({"withheld": [-1]}, "expected places of cells"),
        ({"withheld": [True]}, "expected places of cells"),
    ],
)
def test_told_intervals_must_fit_the_table(problem, tmp_path, change, match):
    release = releases(problem)["intervals"]
    write_jj(tmp_path / "out.jj", problem, release)
    write_told(tmp_path / "out.jj", release, Unit())
    path = tmp_path / "out.release.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=match):
        read_release(problem, tmp_path / "out.jj")
