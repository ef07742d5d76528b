"""Reports, marks and comparisons from the command line."""

import json
import stat

import pytest

QUICK = ("--option", "passes=1", "--option", "patience=0")
ONE, TWO = "suppress-lp:passes=1:patience=0", "suppress-lp:order=smallest:passes=1:patience=0"


@pytest.fixture
def hierarchical(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,value,n,upl\nTotal,9,3,0\nx,4,1,2\ny,5,2,0\nz,0,0,0\n")
    return path, "--column", "frequency=n"


def test_a_report_is_for_its_owner_alone(call, table, tmp_path):
    done = call("protect", table, *QUICK, "--report", tmp_path / "r.html")
    assert done.code == 0
    assert stat.S_IMODE((tmp_path / "r.html").stat().st_mode) == 0o600
    assert "confidential  " in done.out


def test_there_is_a_report_of_a_run_without_a_release(call, table, trial, tmp_path):
    done = call("protect", table, "--method", trial("GivesUp"), "--report", tmp_path / "r.html")
    assert done.code == 4
    assert "No release was found." in (tmp_path / "r.html").read_text()


def test_there_is_a_report_of_an_unsafe_result(call, table, trial, tmp_path):
    done = call("protect", table, "--method", trial("OnlySensitive"), "--report", tmp_path / "r.html")
    assert done.code == 5
    assert "Not proved safe." in (tmp_path / "r.html").read_text()


def test_a_public_page_and_a_workbook_are_public(call, table, tmp_path):
    done = call("protect", table, *QUICK, "-o", tmp_path / "p.html", "-o", tmp_path / "p.xlsx")
    assert done.code == 0
    assert {p.stat().st_mode & 0o044 for p in tmp_path.iterdir()} == {0o044}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.html", "p.xlsx"]


def test_nothing_public_comes_of_an_unsafe_result(call, table, trial, tmp_path):
    done = call("protect", table, "--method", trial("OnlySensitive"), "-o", tmp_path / "p.html")
    assert done.code == 5
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("mark", "shown"), [("c", "c c 0"), ("none", "x x 0"), ("", "x x 0"), ("dash", "c c -"), ("#,~", "# # ~")]
)
def test_marks_are_chosen(call, hierarchical, tmp_path, mark, shown):
    assert call("protect", *hierarchical, "--mark", mark, "-o", tmp_path / "p.csv").code == 0
    rows = (tmp_path / "p.csv").read_text().splitlines()[2:]
    assert " ".join(row.split(",")[1] for row in rows) == shown


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--mark", "12"), "Expected a mark that nobody takes for a number"),
        (("--report", "r.txt"), "unknown ending '.txt' for a report, expected .html"),
    ],
)
def test_what_cannot_be_is_refused_before_the_work(call, table, trial, words, match):
    done = call("protect", table, "--method", trial("Bug"), *words)
    assert done.code == 2
    assert match in done.err


def test_methods_are_compared_on_the_screen(call, table):
    done = call("compare", table, "--method", ONE, "--method", TWO)
    assert done.code == 0
    assert " loses the least." in done.out
    for fact in ("safe", "cells withheld", "value withheld", "gap", "time", "proved bound"):
        assert f"\n{fact} " in done.out


def test_methods_are_compared_for_scripts(call, table, tmp_path):
    done = call("compare", table, "--method", ONE, "--method", TWO, "--json", "--report", tmp_path / "c.html")
    said = json.loads(done.out)
    assert [result["name"] for result in said["results"]] == [ONE, TWO]
    assert said["best"] in (ONE, TWO)
    assert said["files"] == [str(tmp_path / "c.html")]
    assert stat.S_IMODE((tmp_path / "c.html").stat().st_mode) == 0o600


def test_all_methods_are_compared_if_none_is_named(call, table, trial, monkeypatch):
    from discreet import registry

    monkeypatch.setattr(registry, "METHODS", {"trial": "trial_methods:OnlySensitive"})
    done = call("compare", table, "--json")
    assert [result["name"] for result in json.loads(done.out)["results"]] == ["trial"]
    assert done.code == 5


def test_a_comparison_ends_well_when_any_method_is_safe(call, table, trial):
    assert call("compare", table, "--method", trial("OnlySensitive"), "--method", ONE).code == 0


def test_a_comparison_without_a_release_ends_like_a_run_without_one(call, table, trial):
    assert call("compare", table, "--method", trial("GivesUp")).code == 4


def test_a_table_too_long_for_a_form_is_refused_before_the_work(call, table, trial, monkeypatch):
    from discreet.io import public

    monkeypatch.setattr(public, "MOST_ROWS", {".html": 5})
    done = call("protect", table, "--method", trial("Bug"), "-o", table.parent / "p.html")
    assert done.code == 2
    assert "at most 5 rows" in done.err
