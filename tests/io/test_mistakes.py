"""The most likely mistakes: their messages say what, where, and what to do, and betray no value."""

import contextlib
import os
import random

import pytest
from io_helpers import JJ, TWO_BY_TWO

from discreet.errors import AdditivityError, DiscreetError
from discreet.io.formats import read, write
from discreet.io.hierarchies import read_hierarchy

SECRET = "73519"


def text_of(call, *args, **options):
    """What the person at the keyboard reads; anything but an error of ours fails."""
    with pytest.raises(DiscreetError) as error:
        call(*args, **options)
    text = str(error.value)
    assert SECRET not in text
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__ or error.value.__context__ is None
    return text


def cells(*lines, head="region,industry,value"):
    return "\n".join([head, *lines]) + "\n"


def test_a_wrong_column(written):
    path = written(TWO_BY_TWO.replace("value", "vaule"))
    assert text_of(read, path).endswith(
        "cells.csv has no column 'value'. Did you mean 'vaule'? "
        "Name the one that holds the values with columns={'value': …}."
    )
    path = written(TWO_BY_TWO)
    assert "has no column 'regoin'. Did you mean 'region'?" in text_of(read, path, by=["regoin", "industry"])
    assert "has no column 'turnover'." in text_of(read, path, value="turnover")
    assert "Unknown part 'valeu' in columns. Did you mean 'value'?" in text_of(
        read, path, columns={"valeu": "value"}
    )
    assert "Unknown dimension 'regoin' in totals. Did you mean 'region'?" in text_of(
        read, path, totals={"regoin": "Total"}
    )


def test_the_value_column_is_missing(written):
    path = written("region,industry\nTotal,Total\n")
    assert "has no column 'value'. Choices: industry, region." in text_of(read, path)


@pytest.mark.parametrize("wrong", [f"{SECRET}x", f"{SECRET} 1", f'"{SECRET},5"', "n/a"])
def test_a_value_that_is_no_number(written, wrong):
    text = text_of(read, written(TWO_BY_TWO.replace("60", wrong)))
    assert "cells.csv, line 3, column 'value': expected a number" in text


def test_nan_among_the_values(written):
    text = text_of(read, written(TWO_BY_TWO.replace("60", "NaN")))
    assert "line 3, column 'value': expected a number, found none (such as NaN or infinity)." in text


def test_a_missing_value(written):
    text = text_of(read, written(TWO_BY_TWO.replace("60", "")))
    assert "line 3, column 'value': expected a number, found none. Write 0, or the status 'empty'" in text


def test_an_unknown_code(written):
    tree = written("North\nSouth\n", "region.hrc")
    path = written(TWO_BY_TWO.replace("N,", "North,").replace("S,", "Suth,"))
    text = text_of(read, path, hierarchies={"region": tree})
    assert "cells.csv, line 6, column 'region': unknown code 'Suth'. Did you mean 'South'?" in text


def test_a_duplicate_cell(written):
    path = written(TWO_BY_TWO + f"\nN,A,{SECRET}\n")
    text = text_of(read, path)
    assert "cells.csv, line 12: the cell (region=N, industry=A) is given twice, first in" in text
    assert "cells.csv, line 7. Remove one of the rows." in text


def test_a_missing_total(written):
    path = written(TWO_BY_TWO.replace("Total,A,60\n", ""))
    text = text_of(read, path)
    assert "1 totals over 'region' are not in the table: region=Total, industry=A." in text
    assert "Add them, or ask for totals to be computed." in text


def test_a_column_without_any_total(written):
    path = written(cells(f"Total,a,{SECRET}", f"N,a,{SECRET}"))
    text = text_of(read, path)
    assert "has no total in the column 'industry' (Total, total, TOTAL, T, _T or blank)" in text
    assert "totals={'industry': …}" in text


def test_a_table_that_does_not_add_up(written):
    path = written(TWO_BY_TWO.replace("Total,A,60", "Total,A,61"))
    with pytest.raises(AdditivityError) as error:
        read(path)
    assert "the sum over 'region' to (region=Total, industry=A) is off by -1" in str(error.value)
    assert "choose to recompute the totals or to carry the discrepancy" in str(error.value)


def test_a_hierarchy_with_two_roots(written):
    tree = written("parent,child\nTotal,N\nAll,S\n", "region.csv")
    assert "has 2 roots (Total, All), expected 1. Put them below one total." in text_of(read_hierarchy, tree)
    text = text_of(read, written(TWO_BY_TWO), hierarchies={"region": tree})
    assert "region.csv: Hierarchy 'region' has 2 roots" in text


@pytest.mark.parametrize("name", ["cells.csv", "cells.jj", "cells.parquet", "cells.tsv"])
@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file(written, name, content):
    text = text_of(read, written(content, name))
    assert "is empty, expected" in text or "cannot be read as Parquet" in text


def test_a_file_with_a_head_alone(written):
    assert "cells.csv has no rows, expected a row a cell." in text_of(read, written("region,value\n"))


@pytest.mark.parametrize(
    ("column", "what"),
    [("lpl", "a protection level (lpl)"), ("weight", "a weight"), ("frequency", "a frequency")],
)
def test_a_negative_level_weight_or_frequency(written, column, what):
    lines = [line + ",1" for line in TWO_BY_TWO.splitlines()[1:]]
    lines[5] = lines[5][:-1] + f"-{SECRET}"
    path = written(cells(*lines, head=f"region,industry,value,{column}"))
    text = text_of(read, path)
    assert f"line 7, column '{column}': {what} below zero, expected zero or more." in text


def test_a_negative_level_in_a_jj_file(written):
    path = written(JJ.replace("2 3 1", f"-{SECRET} 3 1"), "t.jj")
    assert "t.jj, line 4, column 'lpl': a protection level below zero" in text_of(read, path)
    path = written(JJ.replace("20 20 u", f"20 -{SECRET} u"), "t.jj")
    assert "a weight that is negative" in text_of(read, path)


def test_a_need_beyond_what_is_known(written):
    path = written(JJ.replace("2 3 1", f"{SECRET} 3 1"), "t.jj")
    text = text_of(read(path).refuse_impossible)
    assert "1 cells have a protection need beyond what is known beforehand." in text
    assert "Widen the bounds, or ask for needs to be clipped to them: (cell 1)." in text


def test_an_unwritable_output(written, tmp_path):
    problem = read(written(JJ, "t.jj"))
    text = text_of(write, tmp_path / "nowhere" / "out.jj", problem)
    assert "there is no folder" in text
    assert text.endswith("Make it first.")
    assert "it is a folder. Name a file in it." in text_of(write, tmp_path, problem)
    (tmp_path / "out.jj").mkdir()
    assert "it is a folder. Name a file in it." in text_of(write, tmp_path / "out.jj", problem)


def test_foreign_letters_in_path_and_codes_are_no_mistake(written):
    text = TWO_BY_TWO.replace("N,", "Nördlich,").replace("S,", "南,")
    assert read(written(text, "Umsätze 2024 – 北.csv")).size == 9


def test_a_mark_in_front_of_utf8_is_no_mistake(written):
    assert read(written(b"\xef\xbb\xbf" + TWO_BY_TWO.encode())).size == 9


def test_letters_that_are_not_utf8(written):
    text = text_of(read, written(TWO_BY_TWO.replace("N,", "Nördlich,").encode("latin-1")))
    assert "line 5: a character that is not UTF-8. Save the file as UTF-8 and try again." in text


def test_semicolons_and_a_decimal_comma_are_no_mistake(written):
    text = TWO_BY_TWO.replace(",", ";").replace("0\n", "0,50\n")
    path = written(text)
    assert read(path, on_discrepancy="carry").table.value[0] == 1005


def test_a_sum_beyond_64_bits(written):
    big = "8" + SECRET + "0" * 13
    path = written(cells("Total,1", f"a,{big}", f"b,{big}", head="region,value"))
    text = text_of(read, path)
    assert "A sum beyond 2^63 - 1 units in the sum over 'region' to (region=Total)" in text
    assert "Declare a coarser unit." in text


def test_a_value_beyond_64_bits(written):
    path = written(cells(f"Total,{SECRET}{'0' * 20}", "a,1", head="region,value"))
    text = text_of(read, path)
    assert "line 2, column 'value': a number beyond 2^63 - 1 units of 1. Declare a coarser unit." in text


def test_a_missing_file(tmp_path, written):
    written(TWO_BY_TWO)
    assert text_of(read, tmp_path / "cell.csv").endswith("there is no such file. Did you mean 'cells.csv'?")
    assert "There is no folder" in text_of(read, tmp_path / "nowhere" / "cells.csv")


def test_a_folder_in_the_place_of_a_file(tmp_path):
    assert "it is a folder. Name a file in it." in text_of(read, tmp_path)


def test_a_wrong_ending(written):
    text = text_of(read, written(TWO_BY_TWO, "cells.xlsx"))
    assert "unknown ending '.xlsx' for a table." in text
    assert ".csv, .jj, .parquet, .tsv" in text


def test_a_row_that_is_too_short(written):
    path = written(TWO_BY_TWO + f"\n\nN,{SECRET}\n")
    text = text_of(read, path)
    assert "cells.csv, line 13: expected 3 columns as in the first line, found 2." in text


def test_an_unknown_status(written):
    lines = [line + ",s" for line in TWO_BY_TWO.splitlines()[1:]]
    head = "region,industry,value,status"
    lines[5] = lines[5][:-1] + "unsave"
    text = text_of(read, written(cells(*lines, head=head)))
    assert "line 7, column 'status': unknown status 'unsave'. Did you mean 'unsafe'?" in text
    lines[5] = lines[5].replace("unsave", SECRET)
    assert "expected a status such as sensitive, published" in text_of(
        read, written(cells(*lines, head=head))
    )


def test_an_empty_cell_with_a_value(written):
    lines = [line + "," for line in TWO_BY_TWO.splitlines()[1:]]
    lines[5] = f"N,A,{SECRET},e"
    text = text_of(read, written(cells(*lines, head="region,industry,value,status")))
    assert "line 7, column 'value': an empty cell with a value" in text


def test_options_that_do_not_exist(written):
    path = written(TWO_BY_TWO)
    assert "Unknown weight 'valeu'. Did you mean 'value'?" in text_of(read, path, weight="valeu")
    assert "Unknown on_discrepancy 'mend'." in text_of(read, path, on_discrepancy="mend")
    assert "Unknown totals_missing 'yes'." in text_of(read, path, totals_missing="yes")
    assert "Unknown decimal ';'." in text_of(read, path, decimal=";")
    assert "Expected a delimiter among" in text_of(read, path, delimiter="#")
    assert "Expected known as whole percentages" in text_of(read, path, known=(-1, 5))
    assert "no column 'weight'" in text_of(read, path, weight="column")
    assert "Weights by frequency need a table with frequencies" in text_of(read, path, weight="frequency")
    assert "Expected a unit such as 1 or 0.01" in text_of(read, path, unit="cent")


LINES = JJ.replace("20 20", f"20 {SECRET}").splitlines()


@pytest.mark.parametrize("kept", range(len(LINES)))
def test_a_jj_file_that_is_cut_off_between_lines(written, kept):
    text = text_of(read, written("\n".join(LINES[:kept]), "t.jj"))
    assert "t.jj" in text


@pytest.mark.parametrize("cut", range(len(JJ) - 2))
def test_a_jj_file_that_is_cut_off_anywhere(written, cut):
    assert "t.jj" in text_of(read, written(JJ[:cut], "t.jj"))


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("0\n4\n", "0\n5\n", "line 2 announces 5 cells, found 4 (up to line 7). Correct the number."),
        ("0\n4\n", "0\n3\n", "line 2 announces 3 cells, and line 6 goes on with more"),
        ("0\n4\n", "0\nfour\n", "line 2, column 'number of cells': expected a number"),
        ("0\n4\n", "0\n0\n", "line 2: expected at least one cell."),
        ("0\n4\n", "4\n", "line 1: expected '0' alone on the first line. Is this a JJ file?"),
        ("0\n4\n", "0 4\n", "line 1: expected '0' alone on the first line. Is this a JJ file?"),
        ("\n1\n0 4", "\n2\n0 4", "line 7 announces 2 equations, found 1."),
        ("\n1\n0 4", "\n0\n0 4", "line 7 announces 0 equations, found 1."),
        ("0 4 :", "0 3 :", "line 8: the equation announces 3 cells and does not list as many"),
        ("0 4 :", "0 5 :", "line 8: the equation announces 5 cells and does not list as many"),
        ("0 4 :", "4 :", "line 8: expected an equation, such as"),
        ("(-1)", "-1", "expected every coefficient in brackets"),
        ("3 (1)", "9 (1)", "line 8: an equation names the cell 9, which the file does not list."),
        ("(-1)", "(-1.5)", "column 'coefficient': expected whole multiples of the unit 1"),
        ("(-1)", "(-x)", "column 'coefficient': expected a number"),
        ("(-1)", f"(-{2**40})", "Equation 0 has a coefficient beyond 2^31"),
        ("\n3 30", "\n2 30", "the cell 2 is on line 5 and on line 6, expected every id once."),
        (" z ", " q ", "line 6, column 'status': expected the status s (open), u (sensitive), m"),
        (" z ", " zz ", "line 6, column 'status': expected the status s (open)"),
        ("30 30 z", "30 z", "line 6: expected 9 fields as in the lines before, found 8."),
        (
            "100 100 s 0 1000 0 0 0",
            "100 100 s",
            "line 2 announces 4 cells of 8 or 9 fields, but line 3 has 4.",
        ),
        ("20 20 u", f"{SECRET}x 20 u", "line 4, column 'value': expected a number"),
        ("20 20 u", "nan 20 u", "line 4, column 'value': expected a number, found none"),
        ("20 20 u", "20,5 20 u", "line 4, column 'value': expected a number with a point as decimal sign"),
        ("20 20 u", f"{SECRET} 20 u", "1 of 1 sums do not hold: equation 0 (total: cell 0)"),
        ("20 20 u", "20 nan u", "line 4, column 'cost': expected a number"),
        ("\n1 20", "\nx 20", "line 4, column 'id': expected a number"),
        ("\n1 20", "\n1.5 20", "line 4, column 'id': expected whole multiples of the unit 1"),
        ("0 4 :", "0.5 4 :", "line 8, column 'right-hand side': expected whole multiples of the unit 1"),
        ("0 4 :", "1 4 :", "1 of 1 sums do not hold: equation 0 (total: cell 0)"),
        ("0 4 : 0 (-1)", "0 1 : 0 (0)\n0 3 :", "line 7 announces 1 equations, found 2."),
        ("\n1\n0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)", f"\n1\n{SECRET} 1 : 0 (0)", "an equation without cells"),
    ],
)
def test_a_jj_file_with_a_mistake(written, old, new, text):
    assert old in JJ
    assert text in text_of(read, written(JJ.replace(old, new, 1), "t.jj"))


@pytest.mark.parametrize(
    "content",
    [
        os.urandom(1000),
        b"0\n" + b"9" * 5000 + b"\n",
        b"0\n99999999999999999\n0 1 1 s 0 1 0 0 0\n1\n0 1 : 0 (1)\n",
        b"0\n1\n0 1 1 s 0 1 0 0 0\n99999999999999999\n",
        b"0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 99999999999999999 : 0 (1)\n",
        b"0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 -1 : 0 (1)\n",
        b"0\n1\n0 1 1 s 0 1 0 0 0\n-1\n",
        b"0\n-1\n",
        b"0\n1\n0 1 1 s 0 1 0 0 0\n1\n: 0 (1)\n",
        b"0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 1 : : 0 (1)\n",
        b"0\n1\n" + b"\0" * 50,
        b"0\n2\n0 1 1 s 0 1 0 0 0\n-1 1 1 s 0 1 0 0 0\n1\n0 2 : 0 (-1) 9223372036854775807 (1)\n",
    ],
)
def test_rubbish_in_a_jj_file(written, content):
    text_of(read, written(content, "t.jj"))


def test_rubbish_in_a_file_of_cells(written):
    for content in (os.urandom(1000), b"\0" * 100, b'"' * 99, b"," * 99, b"region,value\n" + b"," * 99):
        text_of(read, written(content))


SEEDS = [("t.jj", JJ), ("t.csv", TWO_BY_TWO), ("t.csv", TWO_BY_TWO.replace(",", ";"))]
SLIPS = [*"0123456789.,;:()-+eE\"'\n\r\t |\0Xuszm", "nan", "inf", "1e999", "9" * 25, "é", "\ufeff", "Total"]


@pytest.mark.parametrize("seed", range(8))
def test_any_slip_of_the_keyboard_is_read_or_refused(written, seed):
    """Nothing but an error of ours may come of it, whatever is struck, deleted or repeated."""
    chance = random.Random(seed)
    for _ in range(100):
        name, text = chance.choice(SEEDS)
        at, end = sorted(chance.randrange(len(text)) for _ in range(2))
        slip = chance.choice([chance.choice(SLIPS), text[at:end], ""])
        end = chance.choice([at, at + 1, end])
        with contextlib.suppress(DiscreetError):
            read(written(text[:at] + slip + text[end:], name))
