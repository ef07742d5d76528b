"""A first job file for records: what each column is taken for, and that it runs as it is."""

import pytest

from discreet.errors import InputError
from discreet.examples import example_folder
from discreet.job.course import run_job
from discreet.job.draft import draft_job
from discreet.job.files import read_job
from discreet.job.inspection import inspect
from discreet.job.problems import problem_of
from discreet.rules.percent import PercentRule

CODES = ["x", "y", "z"]


def table_of(tmp_path, rows=60, name="data.csv", **columns):
    """A file with columns made of the number of each row."""
    held = [[str(make(row)) for row in range(rows)] for make in columns.values()]
    lines = [",".join(columns), *(",".join(row) for row in zip(*held, strict=True))]
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path / name


def part_of(tmp_path, make, rows=60):
    """What a column of its own making is taken for, behind another one."""
    return inspect(table_of(tmp_path, rows, first=lambda row: row % 2, it=make))[1].part


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda row: CODES[row % 3], "code"),
        (lambda row: row % 5, "code"),
        (lambda row: f"0{row % 5}", "code"),
        (lambda row: f"{row % 5}.5", "amount"),
        (lambda row: 1000 - 7 * row, "amount"),
        (lambda row: -row * 31, "amount"),
        (lambda row: f"F{row}", "contributor"),
        (lambda row: f"F{row // 1.5}", "contributor"),
        (lambda row: f"H{row}" if row % 10 == 0 else "", "holding"),
        (lambda row: "always", "nothing"),
        (lambda row: "", "nothing"),
        (lambda row: f"text {row // 3}", "nothing"),
    ],
)
def test_a_column_is_taken_for_what_it_holds(tmp_path, make, part):
    assert part_of(tmp_path, make) == part


def test_numbers_that_count_the_records_through_are_who_contributes(tmp_path):
    path = table_of(tmp_path, id=lambda row: 1000 + row, value=lambda row: 1000 + row)
    assert [facts.part for facts in inspect(path)] == ["contributor", "amount"]


def test_the_draft_of_the_example_says_what_its_job_says(tmp_path):
    target = tmp_path / "draft.toml"
    drafted = draft_job(example_folder() / "firms.csv", target)
    target.write_text(drafted.text)
    made, own = read_job(target), read_job(example_folder() / "firms.toml")
    assert made.columns == own.columns
    assert list(made.variables) == list(own.variables)
    assert made.rules == own.rules
    assert [t.resolve() for v in made.variables.values() for t in v.hierarchy] == [
        t.resolve() for v in own.variables.values() for t in v.hierarchy
    ]


def drafted(path):
    """The draft for some records, written beside them, and the job in it."""
    target = path.with_name("draft.toml")
    made = draft_job(path, target)
    target.write_text(made.text)
    return made, read_job(target)


def usual(**more):
    return {"firm": lambda row: f"F{row}", "region": lambda row: CODES[row % 3], **more}


def test_a_draft_runs_as_it_is(tmp_path):
    path = table_of(tmp_path, 90, **usual(trade=lambda row: row % 4, value=lambda row: 100 + row * 7))
    assert run_job(drafted(path)[1]).result.is_safe


def test_a_draft_without_amounts_counts(tmp_path):
    made, job = drafted(table_of(tmp_path, 60, **usual()))
    assert "value" not in made.roles
    assert problem_of(job).table.value.max() == 60


def test_blanks_among_codes_are_missing(tmp_path):
    path = table_of(tmp_path, **usual(trade=lambda row: "" if row % 9 == 0 else CODES[row % 3]))
    job = drafted(path)[1]
    assert job.variables["trade"].missing == ("",)
    assert problem_of(job).table.missing.any()


def test_amounts_below_zero_are_judged_by_their_size(tmp_path):
    path = table_of(tmp_path, **usual(value=lambda row: 7 * row - 100.5))
    job = drafted(path)[1]
    assert job.data.negatives == "absolute"
    problem_of(job)


def test_a_holding_is_judged_by_the_rules(tmp_path):
    path = table_of(
        tmp_path,
        **usual(group=lambda row: f"H{row // 20}" if row % 10 == 0 else "", value=lambda row: row * 31),
    )
    assert PercentRule(10, level="holding") in drafted(path)[1].rules


def test_a_fourth_variable_is_spared(tmp_path):
    codes = {name: lambda row: row % 4 for name in ("b", "c", "d")}
    made, job = drafted(table_of(tmp_path, **usual(**codes)))
    assert (made.by, made.spare) == (("region", "b", "c"), ("d",))
    assert '# or by this too: [variables."d"]' in made.text
    assert list(job.variables) == ["region", "b", "c"]


def test_columns_without_a_part_are_named(tmp_path):
    made, _ = drafted(table_of(tmp_path, **usual(note=lambda row: "always")))
    assert made.dropped == ("note",)
    assert '# not used: "note", 1 different texts' in made.text


@pytest.mark.parametrize("ending", [".hrc", ".csv"])
def test_a_tree_beside_the_records_is_used(tmp_path, ending):
    text = "parent,child\nTotal,A\nA,x\nA,y\nTotal,z\n" if ending == ".csv" else "A\n@x\n@y\nz\n"
    (tmp_path / f"region{ending}").write_text(text)
    job = drafted(table_of(tmp_path, **usual()))[1]
    assert job.variables["region"].hierarchy == (tmp_path / f"region{ending}",)


def test_a_tree_that_does_not_fit_is_not_used(tmp_path):
    (tmp_path / "region.hrc").write_text("A\n@x\n@y\n")
    made, job = drafted(table_of(tmp_path, **usual()))
    assert job.variables["region"].hierarchy == ()
    assert '# not used: "region.hrc" does not hold all codes' in made.text


@pytest.mark.parametrize("name", ["a b", 'say "so"', "ä.ö", "#", "[x]", "'"])
def test_any_name_of_a_column_will_do(tmp_path, name):
    path = table_of(tmp_path, **usual())
    quoted = '"' + name.replace('"', '""') + '"'
    path.write_text(path.read_text().replace("region", quoted, 1))
    assert list(drafted(path)[1].variables) == [name]


def test_records_without_codes_are_refused(tmp_path):
    path = table_of(tmp_path, firm=lambda row: f"F{row}", value=lambda row: row * 31)
    with pytest.raises(InputError, match="no column looks like codes that repeat"):
        draft_job(path, tmp_path / "draft.toml")


def test_a_draft_shows_no_amount(tmp_path):
    path = table_of(tmp_path, **usual(value=lambda row: 7351900 + row))
    assert "73519" not in draft_job(path, tmp_path / "draft.toml").text
