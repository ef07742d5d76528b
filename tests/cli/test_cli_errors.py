"""What goes wrong is said in one line, with an exit code, and without any value of the table."""

import json
import os
import re
from pathlib import Path

import pytest

from discreet import pipeline
from discreet.cli.endings import WORDING, in_options

CELLS = "region,value,upl\nTotal,71234567,0\nN,31234567,2000\nS,40000000,0\n"


@pytest.fixture
def cells(tmp_path):
    path = tmp_path / "cells.csv"
    path.write_text(CELLS)
    return path


def one_line(done):
    """The message of a command that was refused."""
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    return done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "supress-lp"], "Did you mean 'suppress-lp'?"),
        (["--option", "order"], "Expected --option as KEY=VALUE"),
        (["--option", "ordre=largest"], "Did you mean 'order'?"),
        (["--option", "passes=many"], "takes int values"),
        (["--seconds", "-1"], "Expected seconds of 0 or more"),
        (["--threads", "0"], "at least 1 thread"),
        (["--seed", "-3"], "seed of 0 or more"),
        (["--by", "regio"], "Did you mean 'region'?"),
        (["--value", "valeu"], "Did you mean 'value'?"),
        (["--column", "upl"], "Expected --column as PART=COLUMN"),
        (["--column", "uppl=upl"], "Unknown part 'uppl'"),
        (["--hierarchy", "region.hrc"], "Expected --hierarchy as DIM=FILE"),
        (["--hierarchy", "region=nix.hrc"], "no such file"),
        (["--total", "region=All"], "All"),
        (["--known", "a"], "Expected --known as whole percentages"),
        (["--known", "1,2,3"], "Expected --known as whole percentages"),
        (["--unit", "0"], "unit above zero"),
        (["--unit", "1000"], "Declare a finer unit with --unit"),
        (["--weight", "gold"], "Unknown weight 'gold'"),
        (["--on-discrepancy", "ignore"], "Choices: carry, recompute, refuse"),
        (["--totals-missing", "ignore"], "Choices: compute, refuse"),
        (["--delimiter", "x"], "Expected a delimiter"),
        (["--equations", "nix.csv"], "no column 'cell'"),
        (["--linked", "nix.csv"], "no such file"),
        (["--rule", "p:10"], "lists no contributors"),
        (["-o", "out.xls"], "unknown ending '.xls' for a protected table. Did you mean '.xlsx'?"),
        (["-o", "no/such/folder/out.csv"], "there is no folder"),
    ],
)
def test_a_mistake_is_named_and_the_way_out_too(call, cells, words, said):
    assert said in one_line(call("protect", cells, *words))


def test_with_json_an_error_is_still_a_message(call, cells):
    one_line(call("protect", cells, "--json", "--method", "x"))


def test_a_rule_is_named(call, tmp_path):
    path = tmp_path / "cells.csv"
    path.write_text("a,value,contribution_1,contributor_1\nTotal,7,4,F\nx,4,4,F\ny,3,3,G\n")
    assert "Choices: dominance, manual, p, request" in one_line(call("protect", path, "--rule", "q:10"))
    assert "Expected the rule as p:PERCENT" in one_line(call("protect", path, "--rule", "p"))
    assert "threshold:LEAST[:PERCENT]" in one_line(call("protect", path, "--rule", "threshold:3:4:5"))


def test_an_unknown_reach_is_named(call, cells):
    assert "Choices: exposed, withheld" in one_line(call("audit", cells, cells, "--reach", "all"))


def test_an_argument_that_is_missing_ends_with_2(call):
    done = call("protect")
    assert (done.code, done.out) == (2, "")
    assert "Missing argument 'TABLE'" in done.err


def test_an_unknown_command_is_named(call):
    done = call("protec")
    assert done.code == 2
    assert "protect" in done.err


@pytest.mark.parametrize("said", [said for said, _ in WORDING if "(" not in said])
def test_the_wording_of_the_python_interface_that_is_translated_still_exists(said):
    package = Path(pipeline.__file__).parent
    sources = [path for path in package.rglob("*.py") if path.parent.name != "cli"]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    assert re.search(said, text)


def test_hints_are_given_in_options():
    assert in_options("Name one with totals={'region': …}.") == "Name one with --total region=…."
    assert in_options("Name the dimensions with by=…") == "Name the dimensions with --by …"


@pytest.mark.parametrize(
    "words",
    [
        ["protect", "{table}", "-o", "{folder}/closed/out.csv"],
        ["protect", "{table}", "-o", "{folder}/closed/out.jj"],
        ["protect", "{table}", "-o", "{folder}/out.csv", "--certificates", "{folder}/none/proof"],
        ["protect", "{table}", "-o", "{table}"],
        ["protect", "{table}", "--certificates", "{table}"],
        ["audit", "{table}", "{table}", "--suppressed", "--certificates", "{table}"],
        ["convert", "{table}", "{folder}/none/out.jj"],
        ["convert", "{table}", "{folder}/out.csv"],
        ["convert", "{table}", "{table}"],
    ],
)
def test_outputs_are_checked_before_anything_is_read(call, table, tmp_path, monkeypatch, words):
    def never(*_, **__):
        raise AssertionError("Work was begun.")

    monkeypatch.setattr("discreet.io.formats.read", never)
    (tmp_path / "closed").write_text("a file, not a folder")
    before = table.read_bytes()
    one_line(call(*(word.format(table=table, folder=tmp_path) for word in words)))
    assert table.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["closed"]


def test_a_file_that_cannot_be_finished_leaves_nothing(call, table, tmp_path, monkeypatch):
    def broken(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", broken)
    done = call("protect", table, "--option", "patience=0", "-o", tmp_path / "out.csv")
    assert "no space left on device" in one_line(done)
    assert list(tmp_path.iterdir()) == []


def test_a_bug_is_confessed_without_any_value(call, trial, table):
    done = call("protect", table, "--method", trial("Bug"))
    assert (done.code, done.out) == (1, "")
    assert re.fullmatch(r"error: KeyError at .*pipeline\.py:\d+ .*This is a bug in discreet.*\n", done.err)
    assert "the value" not in done.err


def test_memory_that_is_used_up_ends_with_4(call, trial, table):
    done = call("protect", table, "--method", trial("OutOfMemory"))
    assert (done.code, done.err[:24]) == (4, "error: The memory is use")


@pytest.mark.parametrize("command", [["describe"], ["protect"], ["protect", "--on-discrepancy", "carry"]])
def test_no_value_is_shown_on_the_screen(call, cells, command):
    done = call(command[0], cells, *command[1:])
    assert done.code in {0, 3}
    for value in ("1234567", "31234567", "71234567", "40000000", "2000", "31,234,567"):
        assert value not in done.out + done.err


def test_non_additive_cells_are_refused_with_the_ways_out(call, cells):
    cells.write_text(CELLS.replace("40000000", "40000001"))
    said = one_line(call("describe", cells))
    assert "the sum over 'region' to (region=Total) is off by" in said
    assert "--on-discrepancy recompute or carry" in said
    assert call("describe", cells, "--on-discrepancy", "recompute").code == 0


def test_totals_that_are_missing_are_refused_with_the_way_out(call, cells):
    cells.write_text("a,b,value\nTotal,Total,7\nx,y,3\nx,z,1\nw,y,3\n")
    assert "--totals-missing compute" in one_line(call("describe", cells))


@pytest.mark.parametrize("name", ["tafel-é-表.csv", "with space.csv", "-o.csv"])
def test_any_name_of_a_file_will_do(call, cells, tmp_path, name):
    cells.rename(tmp_path / name)
    done = call("protect", "--json", "-o", tmp_path / f"out-{name}", "--", tmp_path / name)
    assert done.code == 0
    assert str(tmp_path / f"out-{name}") in json.loads(done.out)["files"]


def test_a_name_that_the_terminal_cannot_show_is_no_reason_to_fail(child, cells, tmp_path):
    out = tmp_path / "表.csv"
    done = child("protect", cells, "-o", out, PYTHONIOENCODING="ascii")
    assert done.code == 0
    assert "\\u8868.csv" in done.out


def test_a_reader_that_leaves_early_is_no_error(child):
    code = "import os; os.close(1); from discreet.cli import main; main()"
    assert "Traceback" not in child("methods", code=code).err
