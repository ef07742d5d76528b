"""Rules on the command line: what they find in the cells of a file."""

import json

import pytest

CELLS = """trade,value,frequency,contribution_1,contributor_1,contribution_2,contributor_2,status,lpl,upl
Total,900,30,80,F,60,G,,,
mills,100,4,80,F,15,H,,,
mines,500,20,60,G,50,I,,,
farms,300,6,60,J,55,K,unsafe,,
"""


@pytest.fixture
def cells(tmp_path):
    path = tmp_path / "cells.csv"
    path.write_text(CELLS)
    return path


@pytest.fixture
def needs(call, cells, tmp_path):
    """The needs below and above of the cells when rules are run, from the problem written as JJ."""

    def run(*rules):
        words = [word for rule in rules for word in ("--rule", rule)]
        done = call("convert", cells, tmp_path / "out.jj", *words)
        assert done.code == 0, done.err
        lines = (tmp_path / "out.jj").read_text().splitlines()[2:6]
        return [tuple(map(float, line.split()[-3:-1])) for line in lines]

    return run


def test_without_a_rule_nothing_is_added(needs):
    assert needs() == [(0, 0), (0, 0), (0, 0), (1, 1)]


def test_a_rule_finds_the_cells_that_need_protection(needs):
    assert needs("p:10") == [(0, 0), (3, 3), (0, 0), (1, 1)]


def test_several_rules_give_the_largest_need(needs):
    assert needs("p:10", "threshold:5:20", "dominance:1:50") == [(0, 0), (60, 60), (0, 0), (1, 1)]


def test_cells_that_the_file_calls_unsafe_count_as_marked_by_hand(needs):
    assert needs("manual:20") == [(0, 0), (0, 0), (0, 0), (60, 60)]


def test_needs_are_cut_after_the_rules_were_run(call, cells):
    words = ("--rule", "threshold:5:20", "--known", "5", "--json")
    cut, uncut = (json.loads(call("describe", cells, *words, *more).out) for more in (["--clip"], []))
    assert (bool(uncut["problems"]), bool(cut["problems"])) == (True, False)


def test_a_rule_that_hits_what_must_be_published_ends_with_2(call, cells):
    cells.write_text(CELLS.replace("15,H,,,", "15,H,published,,"))
    done = call("describe", cells, "--rule", "p:10")
    assert done.code == 2
    assert "cells.csv: 1 cells must be published, and a rule finds them unsafe: (trade=mills)" in done.err


def test_a_rule_that_needs_more_contributions_than_are_listed_ends_with_2(call, cells):
    done = call("describe", cells, "--rule", "dominance:3:80")
    assert done.code == 2
    assert "has to see the 3 largest contributions, and fewer are listed in 4 cells" in done.err


def test_a_rule_is_read_before_the_table(call, tmp_path):
    assert "Unknown rule 'q'" in call("protect", tmp_path / "nowhere.csv", "--rule", "q:10").err
