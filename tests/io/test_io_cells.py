import numpy as np
import pytest
from io_helpers import TWO_BY_TWO

from discreet.errors import AdditivityError, InputError
from discreet.hierarchy import Hierarchy
from discreet.io.cells import read_cells, read_linked
from discreet.problem import Role
from discreet.units import INFINITE, Unit

FULL = """region,industry,value,count,status,lpl,upl,spl,weight,lower,upper
Total,Total,100.5,12,s,0,0,0,5,0,200
Total,A,60.5,7,s,0,0,0,4,,
Total,B,40,5,Safe,0,0,0,3,,
N,Total,30.5,4,,0,0,0,2,,
S,Total,70,8,open,0,0,0,2,,
N,A,20.5,3,UNSAFE,2.01,3,1,1,10.11,40.19
N,B,10,1,u,,,,1,,
S,A,40,4,published,0,0,0,0.5,,
S,B,30,4,P,0,0,0,1,,
"""


def names(problem):
    return [problem.table.structure.name(cell) for cell in range(problem.size)]


def by_name(problem, held):
    return dict(zip(names(problem), np.asarray(held).tolist(), strict=True))


def test_a_plain_file_is_a_problem(written):
    problem = read_cells(written(TWO_BY_TWO))
    assert problem.table.value.tolist() == [100, 60, 40, 30, 70, 20, 10, 40, 30]
    assert names(problem)[5] == "region=N, industry=A"
    assert problem.table.structure.equations == 6
    assert problem.table.unit == Unit()
    assert problem.table.measure == "value"
    assert problem.weight.tolist() == problem.table.value.tolist()


def test_every_column_finds_its_place(written):
    problem = read_cells(written(FULL))
    at = names(problem).index("region=N, industry=A")
    assert problem.table.unit == Unit.parse("0.1")
    assert problem.table.value[at] == 205
    assert problem.table.frequency.tolist() == [12, 7, 5, 4, 8, 3, 1, 4, 4]
    assert problem.role.tolist() == [0, 0, 0, 0, 0, 1, 1, 2, 2]
    assert (problem.need_below[at], problem.need_above[at], problem.need_sliding[at]) == (21, 30, 10)
    assert (problem.lower[at], problem.upper[at]) == (102, 401)
    assert (problem.lower[0], problem.upper[0]) == (0, 2000)
    assert (problem.lower[1], problem.upper[1]) == (0, INFINITE)
    assert problem.weight.tolist() == [5, 4, 3, 2, 2, 1, 1, 0.5, 1]
    assert (problem.need_below[at + 1], problem.need_above[at + 1]) == (1, 1)


def test_a_semicolon_allows_a_decimal_comma(written):
    text = FULL.replace(",", ";").replace(".", ",")
    assert by_name(read_cells(written(text)), read_cells(written(text)).table.value) == by_name(
        read_cells(written(FULL, "full.csv")), read_cells(written(FULL, "full.csv")).table.value
    )


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_found(written, delimiter):
    assert read_cells(written(TWO_BY_TWO.replace(",", delimiter))).size == 9


def test_a_decimal_comma_may_be_asked_for(written):
    text = TWO_BY_TWO.replace("100", '"100,0"')
    assert read_cells(written(text), decimal=",").table.value[0] == 100
    with pytest.raises(InputError, match="a comma must be asked for"):
        read_cells(written(text))


def test_a_point_among_decimal_commas_is_refused(written):
    text = TWO_BY_TWO.replace(",", ";").replace("60", "60,0").replace("40\n", "40.0\n", 1)
    with pytest.raises(InputError, match=r"line 4, column 'value': a point in a number"):
        read_cells(written(text))


def test_a_mark_in_front_of_utf8_and_foreign_letters_are_no_hindrance(written):
    text = "\ufeff" + TWO_BY_TWO.replace("region", "région").replace("N,", "Ñandú,").replace("S,", "北,")
    problem = read_cells(written(text, "täble ü.csv"))
    assert names(problem)[-1] == "région=北, industry=B"


def test_quoted_codes_may_hold_anything(written):
    problem = read_cells(written(TWO_BY_TWO.replace("N,", '"North, ""upper""\nhalf",')))
    assert 'region=North, "upper"\nhalf, industry=A' in names(problem)


def test_a_blank_code_is_the_total(written):
    problem = read_cells(written(TWO_BY_TWO.replace("Total", "")))
    assert names(problem)[0] == "region=Total, industry=Total"


@pytest.mark.parametrize("total", ["Total", "total", "TOTAL", "T", "_T"])
def test_usual_names_of_the_total_are_known(written, total):
    assert names(read_cells(written(TWO_BY_TWO.replace("Total", total))))[0].startswith(f"region={total},")


def test_other_names_of_the_total_may_be_given(written):
    text = TWO_BY_TWO.replace("Total", "All")
    problem = read_cells(written(text), totals={"region": "All", "industry": "All"})
    assert problem.table.structure.equations == 6


def test_two_possible_totals_need_a_word(written):
    text = TWO_BY_TWO.replace("N,", "T,")
    with pytest.raises(InputError, match=r"Several codes of 'region' may be its total \(Total, T\)"):
        read_cells(written(text))
    assert read_cells(written(text), totals={"region": "Total"}).size == 9


def test_columns_may_have_other_names(written):
    text = TWO_BY_TWO.replace("value", "turnover")
    assert read_cells(written(text), value="turnover").table.measure == "turnover"
    assert read_cells(written(text), columns={"value": "turnover"}).size == 9


def test_dimensions_may_be_named_and_other_columns_are_left(written):
    text = "\n".join(
        line + ("," + ("note" if not n else "x")) for n, line in enumerate(TWO_BY_TWO.splitlines())
    )
    problem = read_cells(written(text), by=["region", "industry"])
    assert [d.name for d in problem.table.structure.dimensions] == ["region", "industry"]


HIERARCHICAL = "code,value\nTotal,10\nN,4\nN1,1\nN2,3\nS,6\nS1,6\n"


@pytest.mark.parametrize(
    "tree",
    [
        "digits:1,1",
        Hierarchy.from_pairs([("Total", "N"), ("Total", "S"), ("N", "N1"), ("N", "N2"), ("S", "S1")]),
    ],
)
def test_a_hierarchy_gives_the_sums(written, tree):
    problem = read_cells(written(HIERARCHICAL), hierarchies={"code": tree})
    assert problem.table.structure.equations == 2


def test_a_hierarchy_may_be_a_file(written):
    tree = written("N\n@N1\n@N2\nS\n@S1\n", "code.hrc")
    assert read_cells(written(HIERARCHICAL), hierarchies={"code": tree}).table.structure.equations == 2
    other = HIERARCHICAL.replace("Total", "T")
    assert read_cells(written(other), hierarchies={"code": str(tree)}).table.structure.equations == 2


def test_a_section_called_t_is_not_the_total(written):
    tree = written("N\nT\n", "code.hrc")
    problem = read_cells(written("code,value\nTotal,10\nN,4\nT,6\n"), hierarchies={"code": tree})
    assert names(problem) == ["code=Total", "code=N", "code=T"]


def test_codes_are_found_whatever_blanks_are_around_them(shared_data, written):
    tree = shared_data / "argus/tableinput/region2.hrc"
    problem = read_cells(
        written('Region,value\nTotal,9\nNr,3\n1,1\n" 2",1\n3 ,1\nOs,6\n4,6\n'), hierarchies={"Region": tree}
    )
    assert names(problem)[2:5] == ["Region= 1", "Region= 2", "Region= 3"]


def test_two_groupings_of_one_dimension_share_its_leaves(written):
    text = "code,value\nTotal,10\na,1\nb,2\nc,3\nd,4\nab,3\ncd,7\nac,4\nbd,6\n"
    trees = [
        Hierarchy.from_columns([["ab", "ab", "cd", "cd"], list("abcd")]),
        Hierarchy.from_columns([["ac", "bd", "ac", "bd"], list("abcd")]),
    ]
    problem = read_cells(written(text), hierarchies={"code": trees})
    assert problem.table.structure.equations == 6


def test_a_parent_with_one_child_is_one_cell_with_it(written):
    problem = read_cells(written(HIERARCHICAL), hierarchies={"code": "digits:1,1"})
    assert problem.size == 5
    assert len(problem.table.rows.code) == 6
    assert problem.table.rows.cell.tolist() == [0, 1, 2, 3, 4, 4]
    dimension = problem.table.structure.dimensions[0]
    assert [dimension.code[c] for c in problem.table.rows.code[:, 0]] == ["Total", "N", "N1", "N2", "S", "S1"]


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [("S1,6", "S1,7", "value"), ("S1,6,8", "S1,6,9", "frequency"), ("S1,6,8,u", "S1,6,8,p", "status")],
)
def test_rows_of_one_cell_that_disagree_are_refused(written, old, new, title):
    text = "code,value,frequency,status\nTotal,10,9,\nN,4,1,\nN1,1,1,\nN2,3,0,\nS,6,8,u\nS1,6,8,u\n"
    with pytest.raises(InputError, match=rf"line 7, column '{title}': the cell \(code=S1\) is the same as"):
        read_cells(written(text.replace(old, new)), hierarchies={"code": "digits:1,1"})


def test_what_one_of_two_rows_leaves_blank_the_other_says(written):
    text = "code,value,status,lpl\nTotal,10,,\nN,4,,\nN1,1,,\nN2,3,,\nS,6,,\nS1,6,u,2\n"
    problem = read_cells(written(text), hierarchies={"code": "digits:1,1"})
    assert (problem.role[4], problem.need_below[4]) == (Role.SENSITIVE, 2)


def test_a_status_decides_and_levels_only_where_there_is_none(written):
    text = (
        TWO_BY_TWO.replace("value", "value,status,lpl").replace("20\n", "20,s,5\n").replace("10\n", "10,,5\n")
    )
    text = "\n".join(line if line.count(",") == 4 else line + ",," for line in text.splitlines())
    problem = read_cells(written(text))
    assert (problem.role[5], problem.need_below[5]) == (Role.OPEN, 0)
    assert (problem.role[6], problem.need_below[6]) == (Role.SENSITIVE, 5)


def test_a_secondary_of_an_earlier_run_is_open(written):
    text = TWO_BY_TWO.replace("value", "value,status").replace("20\n", "20,M\n")
    text = "\n".join(line if line.count(",") == 3 else line + "," for line in text.splitlines())
    assert read_cells(written(text)).role[5] == Role.OPEN


def test_an_empty_cell_needs_no_value(written):
    text = "code,value,frequency,status\nTotal,10,3,\nA,10,3,\nB,,,e\nC,0,2,\nD,0,0,\n"
    problem = read_cells(written(text))
    assert problem.table.value.tolist() == [10, 10, 0, 0, 0]
    assert problem.role.tolist() == [0, 0, Role.EMPTY, Role.OPEN, Role.EMPTY]


def test_a_percent_band_may_be_known(written):
    problem = read_cells(written(TWO_BY_TWO), known=(10, 25))
    assert (problem.lower[0], problem.upper[0]) == (90, 125)
    assert read_cells(written(TWO_BY_TWO), known=15).upper[0] == 115


def test_bounds_of_single_cells_go_before_the_band(written):
    problem = read_cells(written(FULL), known=(10, 10), unit="0.01")
    assert (problem.lower[0], problem.upper[0]) == (0, 20000)
    assert (problem.lower[2], problem.upper[2]) == (3600, 4400)


def test_negative_values_have_bounds_of_their_own(written):
    problem = read_cells(written("code,value\nTotal,-1\nA,4\nB,-5\n"))
    assert problem.lower.tolist() == [-INFINITE, 0, -INFINITE]
    assert problem.upper.tolist() == [0, INFINITE, 0]


@pytest.mark.parametrize(
    ("kind", "weight"),
    [("one", 1), ("value", 1005), ("frequency", 12), ("column", 5), (None, 5), ("log", np.log1p(100.5))],
)
def test_the_weight_may_be_chosen(written, kind, weight):
    assert read_cells(written(FULL), weight=kind).weight[0] == pytest.approx(weight)


def test_a_unit_may_be_declared(written):
    assert read_cells(written(FULL), unit="0.01").table.value[0] == 10050
    with pytest.raises(InputError, match="line 2, column 'value': expected whole multiples of the unit 1"):
        read_cells(written(FULL), unit=1)


def test_whole_numbers_are_declared(written):
    assert read_cells(written(TWO_BY_TWO), whole=True).whole


def test_sums_that_do_not_hold_may_be_mended_or_carried(written):
    path = written(TWO_BY_TWO.replace("100", "101"))
    with pytest.raises(AdditivityError, match=r"cells.csv: 2 of 6 sums do not hold: the sum over 'region'"):
        read_cells(path)
    assert read_cells(path, on_discrepancy="recompute").table.value[0] == 100
    assert read_cells(path, on_discrepancy="carry").table.value[0] == 101


CONTRIBUTED = """code,value,contribution_1,contributor_1,contribution_2,contributor_2
Total,10,6,x,3,z
A,7,3,z,4,y
B,3,3,x,,
"""


def test_contributions_are_ordered_by_size_and_then_by_contributor(written):
    table = read_cells(written(CONTRIBUTED)).table
    assert table.contributors == ("x", "y", "z")
    assert table.contribution.tolist() == [[6, 3], [4, 3], [3, 0]]
    assert table.contributor.tolist() == [[0, 2], [1, 2], [0, -1]]
    equal = read_cells(written(CONTRIBUTED.replace("3,z,4,y", "4,z,4,y"))).table
    assert equal.contributor[1].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("contributor_2", "other", "no column 'contributor_2'"),
        ("contribution_2,contributor_2", "contribution_3,contributor_3", "no column 'contribution_2'"),
        ("3,x,,", "3,,,", "line 4, column 'contribution_1': a contribution without its contributor"),
        ("3,x,,", ",x,,", "line 4, column 'contribution_1': a contributor without a contribution"),
        ("6,x,3,z", "6,x,3,x", "line 2: one contributor is listed twice"),
    ],
)
def test_contributions_and_contributors_go_together(written, old, new, match):
    with pytest.raises(InputError, match=match):
        read_cells(written(CONTRIBUTED.replace(old, new)), by=["code"])


def test_equations_may_take_the_place_of_dimensions(written):
    cells = written("cell,value,status\nt,10,\na,4,u\nb,6,\n")
    equations = written("equation,cell,coefficient\nsum,t,-1\nsum,a,\nsum,b,1\n", "equations.csv")
    problem = read_cells(cells, equations=equations)
    assert problem.table.structure.name(1) == "cell a"
    assert problem.table.structure.total.tolist() == [0]
    assert problem.role.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("equation,cell,coefficient\nsum,t,-1\nsum,x,1\n", r"equations.csv, line 3: unknown cell 'x'"),
        ("equation,cell,coefficient\nsum,t,-1\nsum,a,1.5\n", "expected whole multiples of the unit 1"),
        ("equation,cell,coefficient\nsum,t,x\n", "line 2, column 'coefficient': expected a number"),
        ("equation,cell,factor\nsum,t,-1\n", "equations.csv has no column 'coefficient'"),
        ("equation,cell,coefficient\nsum,t,-1\nsum,a,1\n", "sums do not hold: equation 0"),
    ],
)
def test_equations_must_fit_the_cells(written, content, match):
    cells = written("cell,value\nt,10\na,4\nb,6\n")
    with pytest.raises(InputError, match=match):
        read_cells(cells, equations=written(content, "equations.csv"))


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("cell,value\nt,10\nt,10\n", r"line 3: the cell \(t\) is given twice, first in .*line 2"),
        ("cell,value\nt,10\n,4\n", "line 3: a cell without a name"),
        ("name,value\nt,10\n", "has no column 'cell'"),
    ],
)
def test_cells_of_equations_need_their_own_names(written, content, match):
    equations = written("equation,cell,coefficient\nsum,t,-1\n", "equations.csv")
    with pytest.raises(InputError, match=match):
        read_cells(written(content), equations=equations)


def test_cells_with_the_same_codes_in_linked_tables_are_one(written):
    by_sex = "region,sex,value,frequency\nTotal,Total,10,5\nN,Total,4,2\nS,Total,6,3\n"
    by_sex += "Total,M,7,3\nTotal,F,3,2\nN,M,1,1\nN,F,3,1\nS,M,6,2\nS,F,0,1\n"
    by_age = "age,region,value\nTotal,Total,10\nTotal,N,4\nTotal,S,6\n"
    by_age += "o,Total,9\ny,Total,1\no,N,4\ny,N,0\no,S,5\ny,S,1\n"
    paths = [written(by_sex, "sex.csv"), written(by_age, "age.csv")]
    with pytest.raises(InputError, match=r"age.csv, line 5, column 'frequency': .* Give every table this"):
        read_linked(paths)
    plain = "\n".join(line.rsplit(",", 1)[0] for line in by_sex.splitlines())
    problem = read_linked([written(plain, "sex.csv"), paths[1]])
    assert problem.size == 15
    assert [d.name for d in problem.table.structure.dimensions] == ["region", "sex", "age"]
    assert problem.table.structure.component.max() == 0
    assert len(problem.table.rows.code) == 15


def test_linked_tables_that_disagree_are_refused(written):
    first = written("region,sex,value\nTotal,Total,10\nTotal,M,7\nTotal,F,3\n", "sex.csv")
    second = written("region,age,value\nTotal,Total,11\nTotal,o,9\nTotal,y,2\n", "age.csv")
    with pytest.raises(InputError, match=r"age.csv, line 2, column 'value': .* in .*sex.csv, line 2"):
        read_linked([first, second])


def test_linked_tables_may_be_compared_whatever_their_decimal_signs(written):
    first = written("region,value\nTotal,10.5\nN,10\nS,0.5\n", "one.csv")
    second = written("region;age;value\nTotal;Total;10,50\nTotal;o;10,5\n", "two.csv")
    assert read_linked([first, second]).table.value.tolist() == [105, 100, 5]


def test_a_dimension_may_be_at_its_total_throughout(written):
    problem = read_cells(written("region,sex,value\nTotal,Total,10\nTotal,M,7\nTotal,F,3\n"))
    assert problem.table.structure.equations == 1


def test_six_dimensions_are_as_good_as_two(written):
    codes = ["Total", "a", "b"]
    lines = ["d1,d2,d3,d4,d5,d6,value"]
    grid = np.stack(np.meshgrid(*[range(3)] * 6, indexing="ij"), -1).reshape(-1, 6)
    for place in grid.tolist():
        lines.append(",".join(codes[p] for p in place) + f",{2 ** sum(p == 0 for p in place)}")
    problem = read_cells(written("\n".join(lines)))
    assert (problem.size, problem.table.structure.equations) == (729, 6 * 243)


def test_linked_tables_may_name_dimensions_that_one_of_them_lacks(written):
    first = written("region,sex,n,value\nTotal,Total,1,10\nTotal,M,2,7\nTotal,F,1,3\n", "sex.csv")
    second = written("region,age,value\nTotal,Total,10\nTotal,o,9\nTotal,y,1\n", "age.csv")
    problem = read_linked([first, second], by=["region", "sex", "age"])
    assert problem.size == 5
    with pytest.raises(InputError, match=r"no column 'aeg'. Did you mean 'age'"):
        read_linked([second], by=["region", "aeg"])
    with pytest.raises(InputError, match=r"column 'n': expected a number, found none. Give every table this"):
        read_linked([first, second], by=["region", "sex", "age"], columns={"frequency": "n"})


def test_a_column_of_numbers_is_not_taken_for_a_dimension(written):
    path = written("region,employees,value\nTotal,,10\nN,12,4\nS,35,6\n")
    with pytest.raises(InputError, match="has numbers and blanks in the column 'employees'"):
        read_cells(path)
    assert read_cells(path, by=["region"]).size == 3


def test_a_dimension_may_have_the_name_of_a_part(written):
    path = written("status,value\nTotal,10\nmarried,4\nsingle,6\n")
    assert names(read_cells(path, by=["status"]))[1] == "status=married"


def test_the_values_are_no_dimension(written):
    path = written("region,value\nTotal,73519\nN,73519\n")
    for options in ({}, {"value": "value"}):
        with pytest.raises(InputError) as error:
            read_cells(path, by=["region", "value"], **options)
        assert "73519" not in str(error.value)


def test_a_column_of_levels_where_nothing_is_written_asks_for_nothing(written):
    problem = read_cells(written("code,value,lpl\nTotal,7,\nx,4,\ny,3,\n"))
    assert problem.need_below.tolist() == [0, 0, 0]
