import re
from html.parser import HTMLParser

import numpy as np
import pytest
from literature import crossed, two_way

from discreet.display import MOST_ROWS, facts_html, problem_html, release_html, table_html
from discreet.generate import ons_problem, random_problem
from discreet.hierarchy import Dimension, Hierarchy
from discreet.problem import Problem
from discreet.release import Release
from discreet.structure import Structure
from discreet.table import Table
from discreet.units import Unit


class Balance(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(html):
    parser = Balance()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def text_of(html):
    return re.sub(r"<[^>]*>", " ", html)


def evil_problem():
    tree = Hierarchy.flat(["<b>&'\"", "x"], total="T")
    dimensions = [Dimension.of("<i>", tree), Dimension.of("d", Hierarchy.flat(["y", "z"], total="T"))]
    structure = Structure.full(dimensions)
    return Problem.of(Table(structure, np.array([4, 2, 2, 2, 1, 1, 2, 1, 1])))


@pytest.fixture
def problem():
    need = np.zeros(16, np.int64)
    need[15] = 5
    return Problem.of(two_way("dula 3"), need_below=need, need_above=need)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ons_problem((3, 3, 3), 1),
        lambda: random_problem(np.random.default_rng(2), "equations"),
        evil_problem,
    ],
)
def test_every_view_is_balanced_html(make):
    problem = make()
    release = Release.suppressed(problem, problem.sensitive)
    for html in (table_html(problem.table), problem_html(problem), release_html(problem, release)):
        parsed(html)


def test_codes_and_names_are_escaped():
    html = problem_html(evil_problem())
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;&amp;&#x27;&quot;" in html


def test_facts_are_escaped():
    assert "&lt;script&gt;" in facts_html("<script>", {"a": 1})
    assert "<script>" not in facts_html("t", {"<script>": "<script>"})


def test_a_small_table_of_two_dimensions_is_a_grid(problem):
    assert parsed(table_html(problem.table)).seen.count("tr") == 5


def test_a_large_table_is_cut_to_some_tens_of_rows():
    assert parsed(problem_html(ons_problem((60, 60), 1))).seen.count("tr") == MOST_ROWS + 1


def test_what_is_cut_is_said():
    assert "more cells" in problem_html(ons_problem((60, 60), 1))


def test_a_cell_that_is_not_in_the_table_is_blank():
    structure = crossed(2, 2)
    kept = [0, 1, 3, 4, 6, 7, 2, 5]
    cells = Structure.from_dimensions(structure.dimensions, structure.code[kept])
    html = table_html(Table(cells, np.array([7, 4, 3, 2, 4, 2, 3, 2]) * 0))
    assert text_of(html).split().count("0") == 8


def test_withheld_values_are_not_shown(problem):
    release = Release.suppressed(problem, np.isin(np.arange(16), [9, 11, 13, 15]))
    words = text_of(release_html(problem, release)).split()
    assert not {"15", "35", "19", "32"} & set(words)
    assert words.count("×") == 4


def test_primary_and_secondary_cells_differ_in_more_than_colour(problem):
    release = Release.suppressed(problem, np.isin(np.arange(16), [9, 11, 13, 15]))
    html = release_html(problem, release)
    assert html.count("title='sensitive'") == 1
    assert html.count("title='withheld'") == 3
    assert "font-weight:bold" in html
    assert "font-style:italic" in html


def test_told_intervals_are_shown_beside_rounded_values(problem):
    release = Release.rounded(problem, problem.table.value // 5 * 5, 5)
    assert "10 [6, 14]" in release_html(problem, release)


def test_values_are_shown_in_their_unit():
    table = Table(Structure.from_equations(1, []), np.array([125]), unit=Unit.parse("0.01"))
    assert "1.25" in table_html(table)


def test_roles_are_counted_in_the_title(problem):
    assert "Problem of 16 cells: 15 open, 1 sensitive, 0 published, 0 empty" in problem_html(problem)


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        (None, "–"),
        (True, "yes"),
        (1234567, "1,234,567"),
        (0.123456, "0.1235"),
        (123456.7, "123,457"),
        ([1, None], "1, –"),
        ({"a": 1}, "a: 1"),
        ("x", "x"),
    ],
)
def test_facts_are_written_as_people_read_them(fact, shown):
    assert f"<td>{shown}</td>" in facts_html("facts", {"fact": fact})
