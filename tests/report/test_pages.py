"""Pages stand alone, say what is so, and take nothing that a table holds for markup."""

import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from pages import HOSTILE, RAW, Parts, data_of, hostile_problem

from discreet.auditor import Reach, audit
from discreet.comparison import compare
from discreet.engines.status import Status
from discreet.generate import ons_problem
from discreet.hierarchy import Dimension, Hierarchy
from discreet.methods.suppress.lp import SuppressLP
from discreet.pipeline import protect, publish
from discreet.problem import Problem
from discreet.profile import Profile
from discreet.release import Release
from discreet.report import tables
from discreet.report.comparing import comparison_report
from discreet.report.confidential import confidential_report
from discreet.report.page import make_page
from discreet.report.public import public_report
from discreet.result import Publication, Result
from discreet.structure import Structure
from discreet.table import Table

QUICK = SuppressLP(passes=1, patience=0)


@pytest.fixture(scope="module")
def result():
    return protect(ons_problem((6, 6), seed=2, levels=2, mean_contributors=2.0), QUICK, seed=7)


@pytest.fixture(scope="module")
def hostile():
    made = protect(hostile_problem(), QUICK)
    assert made.is_safe
    return {
        "confidential": confidential_report(made),
        "public": public_report(publish(made)),
        "comparison": comparison_report(compare(made.problem, {HOSTILE[0]: QUICK, HOSTILE[1]: QUICK})),
    }


KINDS = ["confidential", "public", "comparison"]


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_bring_no_tag_into_a_page(hostile, kind):
    plain = make_page("x", {})
    assert [tag for tag, _ in Parts(hostile[kind]).tags] == [tag for tag, _ in Parts(plain).tags]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", RAW)
def test_hostile_names_stand_nowhere_as_they_are(hostile, kind, text):
    assert text not in hostile[kind].replace(make_page("x", {}).split('application/json">')[1], "")


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_come_out_as_the_texts_they_are(hostile, kind):
    assert data_of(hostile[kind])["title"] == [HOSTILE[1], f"by {HOSTILE[0]} and {HOSTILE[1]}"]


@pytest.mark.parametrize("kind", ["confidential", "public"])
def test_hostile_codes_and_labels_come_out_as_the_texts_they_are(hostile, kind):
    axis = data_of(hostile[kind])["table"]["axes"][0]
    assert axis["code"] == [HOSTILE[4], *HOSTILE[:4]]
    assert axis["label"] == ["", "", "", HOSTILE[0], HOSTILE[1]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_names_nothing_outside_itself(hostile, kind):
    own = make_page("x", {})
    assert not re.findall(r"\b(?:src|href|url|import|fetch)\b\s*[=(]", own)
    assert set(re.findall(r"https?://[^\"' ]+", own)) == {"http://www.w3.org/2000/svg"}
    assert not [a for _, a in Parts(hostile[kind]).tags if {"src", "href"} & set(a)]


def test_a_page_may_load_nothing_and_run_its_own_script_only():
    policy = next(a["content"] for _, a in Parts(make_page("x", {})).tags if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_every_cell_is_coloured_by_what_happened_to_it(result):
    table = data_of(confidential_report(result))["table"]
    found = np.array([s["name"] for s in table["states"]])[table["state"]]
    problem, withheld = result.problem, result.release.withheld
    assert ((found == "primary") == (withheld & problem.sensitive)).all()
    assert ((found == "secondary") == (withheld & ~problem.sensitive)).all()
    assert ((found == "empty") == (problem.role == 3)).all()
    assert set(found) == {"primary", "secondary", "published", "empty"}


def detail(table, name):
    return next(held["at"] for held in table["details"] if held["name"] == name)


def test_a_sensitive_cell_says_its_value_its_need_and_what_readers_are_told():
    problem = Problem.of(
        Table(Structure.from_equations(3, [[(0, -1), (1, 1), (2, 1)]]), np.array([9999, 4444, 5555])),
        need_below=np.array([0, 400, 0]),
        need_above=np.array([0, 600, 0]),
    )
    made = protect(problem)
    made = replace(made, audit=replace(made.audit, reach=(Reach(1, None, None), Reach(2, 5555, 4444))))
    table = data_of(confidential_report(made))["table"]
    assert table["value"][1] == "4444"
    assert detail(table, "must stay possible") == {"1": "4,044 to 5,044"}
    assert detail(table, "readers are told") == {"1": "0 to no end", "2": "0 to no end"}
    assert detail(table, "readers can narrow it to") == {"1": "no end to no end", "2": "0 to 9,999"}


def test_a_change_is_shown_as_one():
    problem = Problem.of(Table(Structure.from_equations(3, [[(0, -1), (1, 1), (2, 1)]]), np.array([9, 4, 5])))
    shown = Release.rounded(problem, np.array([10, 5, 5]), base=5)
    table = tables.table_of(Result(problem, "round", Status.FEASIBLE, release=shown))
    assert [table["states"][s]["name"] for s in table["state"]] == ["changed", "changed", "published"]
    assert table["seen"] == {0: "10", 1: "5"}


def test_the_rules_say_themselves_in_sentences(result):
    @dataclass(frozen=True)
    class Spoken:
        sentence: str = "A cell is unsafe when it rains."

    said = replace(result, problem=replace(result.problem, rules=(Spoken(),)))
    assert "A cell is unsafe when it rains." in str(data_of(confidential_report(said))["sections"])


def test_the_log_of_the_run_is_there(result):
    run = data_of(confidential_report(result))["sections"][-1]
    rows = dict(run["blocks"][0]["rows"])
    assert (rows["seed"], rows["method"]) == ("7", "SuppressLP")
    assert rows["options"].startswith("order largest, passes 1")
    assert "numpy" in rows["versions"]


def test_the_report_counts_what_is_lost_by_dimension_and_level(result):
    costs = data_of(confidential_report(result))["sections"][0]["blocks"]
    cells, value = costs[1]["blocks"]
    loss = result.loss.by_level["a"][2]
    assert cells["title"] == "Cells by a"
    assert cells["rows"][2]["text"].startswith(f"{loss.withheld} of {loss.cells} ")
    assert cells["rows"][2]["parts"][0] == pytest.approx(loss.primary / loss.cells, abs=1e-4)
    assert value["rows"][0]["name"] == "total"


def test_bars_never_leave_their_track(result):
    def parts(held):
        if isinstance(held, dict):
            yield from [held["parts"]] if "parts" in held else []
            held = held.values()
        for one in held if not isinstance(held, str | int | float | bool | None) else ():
            yield from parts(one)

    found = list(parts(data_of(confidential_report(result))["sections"]))
    assert found
    assert all(min(p) >= 0 and sum(p) <= 1.001 for p in found)


def test_an_unsafe_result_says_so_and_names_what_is_exposed(result):
    bare = Release.suppressed(result.problem, result.problem.sensitive)
    unsafe = replace(result, release=bare, audit=audit(result.problem, bare))
    said = data_of(confidential_report(unsafe))
    assert said["verdict"] == {"text": "Not proved safe.", "good": False}
    assert said["table"]["exposed"] == unsafe.audit.exposed.tolist()
    assert f"{len(unsafe.audit.exposed)} cells are exposed" in str(said["sections"])


def test_a_run_without_a_release_has_a_report_too():
    lost = Problem.of(
        Table(Structure.from_equations(2, [[(0, -1), (1, 1)]]), np.array([5, 5])),
        role=np.array([2, 1]),
        need_above=np.array([0, 1]),
    )
    said = data_of(confidential_report(protect(lost)))
    assert said["verdict"]["text"] == "No release: it is proved that there is none."
    assert "Nothing can protect 1 cell" in str(said["sections"])


def test_ten_thousand_cells_fit_in_two_megabytes():
    problem = ons_problem((99, 99), seed=1)
    assert problem.size == 10_000
    everything = Release.suppressed(problem, problem.withholdable)
    page = confidential_report(Result(problem, "x", Status.FEASIBLE, release=everything))
    assert len(page.encode()) < 2_000_000


def test_a_page_of_a_huge_table_starts_from_the_top(monkeypatch):
    monkeypatch.setattr(tables, "MOST_CELLS", 10)
    problem = ons_problem((4, 4), seed=1)
    table = tables.table_of(Result(problem, "x", Status.FEASIBLE))
    assert (len(table["value"]), table["left_out"]) == (10, 15)
    assert table["value"][0] == str(problem.table.value[0])
    level = [
        [axis["level"][c] for c in column] for axis, column in zip(table["axes"], table["code"], strict=True)
    ]
    assert sum(a + b <= 1 for a, b in zip(*level, strict=True)) == 9


def test_a_table_without_dimensions_is_shown_by_the_names_of_its_cells():
    structure = Structure.from_equations(3, [[(0, -1), (1, 1), (2, 1)]], identity=["t", "u", "v"])
    made = protect(Problem.of(Table(structure, np.array([9, 4, 5]))))
    for page in (confidential_report(made), public_report(publish(made))):
        assert data_of(page)["table"]["axes"] == [
            {"name": "cell", "code": ["t", "u", "v"], "level": [1, 1, 1], "label": []}
        ]


def test_the_public_page_shows_what_is_published(result):
    publication = publish(result, mark=Profile("c", "-"))
    said = data_of(public_report(publication))
    assert tuple(said["table"]["value"]) == publication.value
    names = np.array([s["name"] for s in said["table"]["states"]])[said["table"]["state"]]
    assert ((names == "withheld") == result.release.withheld).all()
    assert ((names == "empty") == (result.problem.role == 3)).all()


def test_the_public_page_tells_intervals_where_they_are_told():
    told = Publication({"r": ("a", "b")}, ("5", "10"), ("3", "10"), ("", "10"))
    table = data_of(public_report(told))["table"]
    assert detail(table, "lies within") == {"0": "3 to no end"}


def test_levels_of_the_public_page_are_those_of_the_hierarchies():
    tree = Hierarchy.from_pairs([("T", "N"), ("N", "N1"), ("N", "N2"), ("T", "S")])
    structure = Structure.full([Dimension.of("r", tree)])
    made = protect(Problem.of(Table(structure, np.array([9, 4, 1, 3, 5]))))
    (axis,) = data_of(public_report(publish(made)))["table"]["axes"]
    assert list(zip(axis["code"], axis["level"], strict=True)) == [
        ("T", 0),
        ("N", 1),
        ("N1", 2),
        ("N2", 2),
        ("S", 1),
    ]


def test_a_comparison_shows_methods_side_by_side(result):
    said = data_of(comparison_report(compare(result.problem, ["suppress-lp:passes=1:patience=0"])))
    numbers = said["sections"][0]["blocks"][0]
    assert numbers["head"] == ["", "suppress-lp:passes=1:patience=0"]
    rows = dict(numbers["rows"])
    assert rows["safe"] == "yes, proved"
    assert rows["cells withheld"] == str(result.release.withheld.sum())


def test_a_public_page_that_was_forced_says_so_at_the_top(result):
    bare = Release.suppressed(result.problem, result.problem.sensitive)
    unsafe = replace(result, release=bare, audit=audit(result.problem, bare))
    said = data_of(public_report(publish(unsafe, override=True)))["verdict"]
    assert said == {
        "text": "Published by override although the release was not proved safe.",
        "good": False,
    }
