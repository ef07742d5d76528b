"""Job files: what they may say, and what is said of those that say something else."""

import contextlib
import json
import os
import tomllib
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.examples import example_folder
from discreet.job.draft import draft_job
from discreet.job.files import make_job, read_job
from discreet.job.model import Job
from discreet.job.schema import job_schema
from discreet.rules.percent import PercentRule
from discreet.rules.registry import RULES

SECRET = "73519"


def text_of(path):
    """What is wrong with a job file, which never shows what was written there."""
    with pytest.raises(InputError) as error:
        read_job(path)
    text = str(error.value)
    assert SECRET not in text
    assert text.startswith(str(path))
    return text


def test_names_of_files_are_seen_from_the_job_file(written, folder, monkeypatch, tmp_path_factory):
    path = written("[outputs]\npublic = ['out/public.csv']\n")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    job = read_job(path)
    assert job.data.path == folder / "firms.csv"
    assert job.outputs.public == (folder / "out" / "public.csv",)


def test_an_absolute_name_of_a_file_stays(written, tmp_path):
    path = written(old='"firms.csv"', new=json.dumps(str(tmp_path / "other.csv")))
    assert read_job(path).data.path == tmp_path / "other.csv"


def test_digits_of_codes_are_no_file(written):
    assert read_job(written("[variables.nace]\nhierarchy = 'digits:1,1'\n")).variables["nace"].hierarchy == (
        "digits:1,1",
    )


def test_several_groupings_are_a_list(written, folder):
    job = read_job(written("[variables.nace]\nhierarchy = ['a.csv', 'b.hrc']\n"))
    assert job.variables["nace"].hierarchy == (folder / "a.csv", folder / "b.hrc")


def test_variables_span_the_table_in_the_order_of_their_sections(written):
    assert list(read_job(written()).variables) == ["region", "trade"]


def test_a_rule_is_a_section_or_a_text(written):
    as_section = read_job(written()).rules
    path = written(old="[data]", new="rules = ['p:10']\n[data]")
    path.write_text(path.read_text().replace('[[rules]]\nrule = "p"\npercent = 10\n', ""))
    assert as_section == read_job(path).rules == (PercentRule(10),)


def test_one_share_is_known_on_both_sides(written):
    assert read_job(written("[knowledge]\nwithin = 15\n")).knowledge.within == (15, 15)


def test_a_job_is_not_changed_by_accident(written):
    job = read_job(written())
    with pytest.raises(ValueError, match="frozen"):
        job.limits.seed = 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("value =", "vaule =", "Unknown key 'vaule' in [columns]. Did you mean 'value'?"),
        ("[columns]", "[column]", "Unknown key 'column'. Did you mean 'columns'?"),
        ("path =", "file =", "Unknown key 'file' in [data]. Choices: decimal, delimiter"),
        ("[variables.region]", "[variables.region]\ntotl = 'T'", "Unknown key 'totl' in [variables.region]."),
        ('path = "firms.csv"', "", "Expected 'data.path', got nothing. Add it."),
        ("[variables.region]\n[variables.trade]", "[variables]", "Expected at least 1 entry as 'variables'"),
        ('path = "firms.csv"', "path = 73519", "'data.path': Expected the name of a file as a text"),
        ('"turnover"', "73519", "Expected a text as 'columns.value', got a number."),
        ('"turnover"', "true", "Expected a text as 'columns.value', got true or false."),
        ("[variables.region]", "[variables]\nregion = 73519", "Expected a section as 'variables.region'"),
        (
            "[variables.region]",
            '[variables."a b"]\ntotal = 1',
            """Expected a text as 'variables."a b".total'""",
        ),
        ('"p"', '"q"', "'rules[0]': Unknown rule 'q'. Choices: dominance"),
        ("percent", "percnt", "'rules[0]': The rule 'p' has no parameter 'percnt'. Did you mean 'percent'?"),
        ("percent = 10", "", "'rules[0]': Expected the rule as p:PERCENT"),
    ],
)
def test_a_slip_is_named_by_its_place(written, old, new, said):
    assert said in text_of(written(old=old, new=new))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("[limits]\nseconds = '73519'\n", "Expected a number as 'limits.seconds', got a text."),
        ("[limits]\nseconds = -73519\n", "Expected 0 or more as 'limits.seconds', got less."),
        ("[limits]\nseed = 7.3519\n", "Expected a whole number as 'limits.seed', got a number."),
        ("[limits]\nthreads = 0\n", "Expected 1 or more as 'limits.threads'"),
        ("[knowledge]\nwhole = 1\n", "Expected true or false as 'knowledge.whole', got a number."),
        ("[knowledge]\nwithin = [1.5, 2]\n", "Expected a whole number as 'knowledge.within[0]'"),
        ("[outputs]\nmark = '5'\n", "'outputs.mark': Expected a mark that nobody takes for a number"),
        ("[outputs]\npublic = 'public.csv'\n", "Expected a list as 'outputs.public', got a text."),
        ("[protection]\nweight = 'gold'\n", "'protection.weight', got a text."),
        ("[[tables]]\nby = []\n", "Expected at least 1 entry as 'tables[0].by', got less."),
        ("[[rules]]\nrule = 'threshold'\nleast = 0\n", "'rules[1]': "),
    ],
)
def test_a_wrong_value_is_named_by_its_place(written, more, said):
    assert said in text_of(written(more))


@pytest.mark.parametrize("broken", ["value = ", "[data", "x = '73519", "path = 'twice'\npath = 'twice'"])
def test_what_is_no_toml_is_named_by_its_line(written, broken):
    assert ": expected TOML, got something else (" in text_of(written(broken + "\n"))


def test_a_line_of_what_is_no_toml_is_counted(written):
    path = written("rule = = 3\n")
    assert f"line {len(path.read_text().splitlines())}: expected TOML" in text_of(path)


def test_another_ending_is_no_job(folder):
    with pytest.raises(InputError, match=r"expected a job file, a \.toml, got '\.csv'"):
        read_job(folder / "firms.csv")


def test_a_missing_job_is_named(folder, written):
    written()
    with pytest.raises(InputError, match=r"no such file. Did you mean 'job.toml'"):
        read_job(folder / "jub.toml")


def test_a_mapping_makes_a_job_too():
    job = make_job({"data": {"path": "x.csv"}, "variables": {"a": {}}}, "folder")
    assert job.data.path == Path("folder", "x.csv")


@pytest.mark.parametrize("cut", range(0, 200, 7))
def test_a_job_that_is_cut_off_is_read_or_refused(written, cut):
    path = written()
    path.write_text(path.read_text()[:cut])
    with contextlib.suppress(InputError):
        assert isinstance(read_job(path), Job)


def test_the_example_says_nothing_that_the_schema_does_not_know():
    said = tomllib.loads((example_folder() / "firms.toml").read_text())
    schema = job_schema()
    for name, section in said.items():
        known = schema["properties"][name]
        if "$ref" in known and isinstance(section, dict):
            assert set(section) <= set(schema["$defs"][known["$ref"].split("/")[-1]]["properties"])


def test_the_schema_knows_every_rule():
    kinds = job_schema()["properties"]["rules"]["items"]["anyOf"]
    assert {kind["properties"]["rule"]["const"] for kind in kinds if "properties" in kind} == set(RULES)


def test_the_schema_refuses_what_a_job_refuses():
    schema = job_schema()
    assert schema["additionalProperties"] is False
    assert all(part["additionalProperties"] is False for part in schema["$defs"].values())


def test_every_key_is_documented():
    schema = job_schema()
    parts = [schema, *schema["$defs"].values()]
    assert [
        n for part in parts for n, held in part["properties"].items() if not held.get("description")
    ] == []


def test_a_draft_is_seen_from_where_it_is_written(folder):
    (folder / "jobs").mkdir()
    target = folder / "jobs" / "first.toml"
    target.write_text(draft_job(folder / "firms.csv", target).text)
    assert read_job(target).data.path.samefile(folder / "firms.csv")
    assert os.sep not in tomllib.loads(target.read_text())["outputs"]["certificate"]
