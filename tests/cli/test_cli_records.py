"""Records on the command line without a job file, and the mistakes that are likely there."""

import json

import numpy as np
import pytest

from discreet.assessment import assess
from discreet.io.jj import read_jj
from discreet.records.tabulation import tabulate

SECRET = "73519"
RECORDS = f"""firm,group,region,trade,turnover,asked
a,G,North,mills,{SECRET}1,0
b,G,North,mills,20,0
c,,North,mines,30,1
d,,South,mills,40,0
e,,South,mills,50,2
f,H,South,mines,60,0
g,H,South,mines,70,0
h,,South,mines,80,0
"""
SPANNED = ["--by", "region", "--by", "trade", "--value", "turnover"]
CELLS = "region,trade,turnover\nTotal,Total,10\nTotal,a,4\nTotal,b,6\nN,Total,10\nN,a,4\nN,b,6\n"


@pytest.fixture
def firms(tmp_path):
    """A file of records."""
    path = tmp_path / "firms.csv"
    path.write_text(RECORDS)
    return path


@pytest.fixture
def made(call, firms, tmp_path):
    """The problem that options make of the records."""

    def make(*words):
        done = call("convert", firms, tmp_path / "out.jj", *words)
        assert done.code == 0, done.err
        return read_jj(tmp_path / "out.jj")

    return make


def one_line(done):
    """The message of a command that was refused."""
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert SECRET not in done.err
    return done.err


def same(problem, other):
    np.testing.assert_array_equal(problem.table.value, other.table.value)
    np.testing.assert_array_equal(problem.sensitive, other.sensitive)
    np.testing.assert_array_equal(problem.need_above, other.need_above)


def test_options_make_what_python_makes(made, firms):
    table = tabulate(firms, ["region", "trade"], "turnover", contributor="firm")
    same(made(*SPANNED, "--contributor", "firm", "--rule", "p:10"), assess(table, ["p:10"]))


def test_a_holding_counts_as_one_to_its_rules(made, firms):
    table = tabulate(firms, ["region", "trade"], "turnover", contributor="firm", holding="group")
    words = ["--contributor", "firm", "--holding", "group", "--rule", "threshold:3@holding"]
    same(made(*SPANNED, *words), assess(table, ["threshold:3@holding"]))


def test_weight_shadow_and_requests_are_taken_from_their_columns(made, firms):
    table = tabulate(
        firms, ["region", "trade"], "turnover", shadow="turnover", weight="turnover", request="asked"
    )
    words = ["--shadow", "turnover", "--sampling-weight", "turnover", "--request", "asked"]
    same(made(*SPANNED, *words, "--rule", "request:50:50:3"), assess(table, ["request:50:50:3"]))


def test_the_codes_of_requests_can_be_named(call, firms):
    words = ["--request", "asked=2,1", "--rule", "request:1:99:2", "--json"]
    assert json.loads(call("describe", firms, *SPANNED, *words).out)["sensitive"] > 0


def test_records_alone_says_that_rows_are_records(call, firms):
    said = json.loads(call("describe", firms, *SPANNED, "--records", "--json").out)
    assert said["cells"] == 9


def test_without_values_records_are_counted(made):
    assert made("--records", "--by", "region").table.value.tolist() == [8, 3, 5]


def test_tables_are_linked(call, firms):
    said = json.loads(
        call("describe", firms, *SPANNED, "--table", "region", "--table", "trade", "--json").out
    )
    assert said["cells"] == 5


def test_no_code_at_all_may_be_declared_as_missing(call, firms):
    firms.write_text(firms.read_text().replace("South,mills,50", ",mills,50"))
    done = call("describe", firms, *SPANNED, "--contributor", "firm", "--missing", "region=", "--json")
    assert done.code == 0
    assert json.loads(done.out)["cells"] == 12


def test_codes_for_missing_are_never_sensitive(call, firms):
    words = ["--missing", "trade=mines", "--missing", "region=99", "--rule", "threshold:9", "--json"]
    said = json.loads(call("describe", firms, *SPANNED, *words).out)
    assert said["sensitive"] == 6


def test_a_tree_and_a_total_are_used(call, firms, tmp_path):
    (tmp_path / "region.hrc").write_text("Land\n@North\n@South\n")
    words = [
        "--records",
        "--hierarchy",
        f"region={tmp_path / 'region.hrc'}",
        "--total",
        "trade=All",
        "--json",
    ]
    said = json.loads(call("describe", firms, *SPANNED, *words).out)
    assert [d["codes"] for d in said["dimensions"]] == [4, 3]


def test_needs_are_clipped_and_bounds_are_known(call, firms):
    words = ["--records", "--rule", "p:50", "--known", "5", "--weight", "one", "--whole"]
    assert call("protect", firms, *SPANNED, *words).code == 2
    assert call("describe", firms, *SPANNED, *words, "--clip", "--json").code == 0


def test_records_are_protected_and_published(call, firms, tmp_path):
    words = ["--contributor", "firm", "--rule", "p:10", "-o", tmp_path / "out.csv", "--json"]
    done = call("protect", firms, *SPANNED, *words)
    assert (done.code, json.loads(done.out)["safe"]) == (0, True)
    assert SECRET not in (tmp_path / "out.csv").read_text()


def test_a_decimal_comma_can_be_named(call, tmp_path):
    (tmp_path / "t.csv").write_text('a,v\nx,"1,5"\ny,"2,5"\n')
    words = ["--records", "--by", "a", "--value", "v", "--decimal", ",", "--json"]
    assert json.loads(call("describe", tmp_path / "t.csv", *words).out)["unit"] == "0.1"


def test_cells_stay_the_default(call, tmp_path):
    (tmp_path / "cells.csv").write_text(CELLS)
    words = ["--by", "region", "--by", "trade", "--value", "turnover", "--json"]
    assert json.loads(call("describe", tmp_path / "cells.csv", *words).out)["cells"] == 3


def test_records_taken_for_cells_are_recognised_by_their_codes(call, firms, tmp_path):
    text = RECORDS.replace("North", "Total").replace("mines", "Total")
    firms.write_text(text)
    said = one_line(call("describe", firms, *SPANNED))
    assert "firms.csv, line 3: the cell (region=Total, trade=mills) is given twice" in said
    assert "If the rows are records and no cells, say so with --records." in said


def test_records_taken_for_cells_are_recognised_by_a_total_that_is_not_there(call, firms):
    said = one_line(call("describe", firms, *SPANNED))
    assert "if the rows are records and no cells, say so with --records" in said


def test_cells_taken_for_records_are_recognised_by_their_totals(call, tmp_path):
    (tmp_path / "cells.csv").write_text(CELLS)
    words = ["--records", "--by", "region", "--by", "trade", "--value", "turnover"]
    said = one_line(call("describe", tmp_path / "cells.csv", *words))
    assert "cells.csv, line 2, column 'region': 1 of its codes are totals of others: Total." in said
    assert "Are the rows cells, and no records?" in said


def test_a_code_that_its_tree_does_not_know_is_found_in_its_line(call, firms, tmp_path):
    (tmp_path / "region.hrc").write_text("Land\n@North\n@Suoth\n")
    words = ["--records", "--hierarchy", f"region={tmp_path / 'region.hrc'}"]
    said = one_line(call("describe", firms, *SPANNED, *words))
    assert "firms.csv, line 5, column 'region': 1 of its codes are unknown: South." in said
    assert "Did you mean 'Suoth'?" in said
    assert "declare codes for missing with --missing region=…" in said


def test_a_code_that_is_not_there_is_found_in_its_line(call, firms):
    firms.write_text(RECORDS.replace("South,mines", ",mines"))
    said = one_line(call("describe", firms, *SPANNED, "--records"))
    assert "firms.csv, line 7, column 'region': no code in 'region'" in said


@pytest.mark.parametrize("wrong", [f"{SECRET}x", "n/a", "", "NaN"])
def test_text_in_a_number_is_found_in_its_line(call, firms, wrong):
    firms.write_text(RECORDS.replace(",40,", f",{wrong},"))
    said = one_line(call("describe", firms, *SPANNED, "--records"))
    assert "firms.csv, line 5, column 'turnover': expected a number" in said


def test_a_record_without_its_contributor_is_found_in_its_line(call, firms):
    firms.write_text(RECORDS.replace("\nd,", "\n,"))
    said = one_line(call("describe", firms, *SPANNED, "--contributor", "firm"))
    assert "firms.csv, line 5: a record without its contributor" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*SPANNED, "--contributor", "frim"], "no column 'frim'. Did you mean 'firm'?"),
        ([*SPANNED, "--holding", "gruop"], "no column 'gruop'. Did you mean 'group'?"),
        ([*SPANNED, "--request", "askd"], "no column 'askd'. Did you mean 'asked'?"),
        ([*SPANNED, "--request", "asked=1"], "Expected --request as COLUMN or COLUMN=CODE,CODE"),
        ([*SPANNED, "--missing", "99"], "Expected --missing as DIM=CODE"),
        ([*SPANNED, "--missing", "regoin=99"], "Unknown variable 'regoin' in missing"),
        ([*SPANNED, "--table", "regoin"], "spanned by 'regoin'. Did you mean 'region'?"),
        (["--records", "--by", "regoin"], "no column 'regoin'. Did you mean 'region'?"),
        (["--records"], "Name them with --by …"),
        ([*SPANNED, "--records", "--column", "frequency=asked"], "--column is for cells, and --records"),
        (
            [*SPANNED, "--contributor", "firm", "--linked", "x.csv"],
            "--linked is for cells, and --contributor",
        ),
        ([*SPANNED, "--contributor", "firm", "--on-discrepancy", "carry"], "--on-discrepancy is for cells"),
        ([*SPANNED, "--contributor", "firm", "--rule", "p:10@holding"], "holding"),
        ([*SPANNED, "--records", "--rule", "q:10"], "Unknown rule 'q'"),
        ([*SPANNED, "--records", "--weight", "gold"], "Unknown weight 'gold'"),
    ],
)
def test_a_mistake_is_named_and_the_way_out_too(call, firms, words, said):
    assert said in one_line(call("describe", firms, *words))
