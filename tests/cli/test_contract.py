"""The contract for scripts: what is printed, what is written, and how it ends."""

import json
import stat

import numpy as np
import pytest

from discreet.certificate import verify
from discreet.io.certificates import read_certificate
from discreet.io.jj import read_jj
from discreet.io.told import read_release
from discreet.problem import Role

KEYS = ["method", "status", "safe", "grade", "exposed", "cells", "sensitive", "secondary", "loss"]
KEYS += ["objective", "bound", "gap", "seconds", "seed"]
NOTHING_CAN = """0
3
0 10 1 z 0 100 0 0 0
1 4 1 u 0 100 2 2 0
2 6 1 z 0 100 0 0 0
1
0 3 : 0 (-1) 1 (1) 2 (1)
"""


@pytest.fixture(scope="module")
def protected(child, table, tmp_path_factory):
    """One run that writes everything there is to write, and what it printed."""
    folder = tmp_path_factory.mktemp("protected")
    done = child(
        *("protect", table, "--method", "suppress-lp", "--seconds", 20, "--seed", 7, "--threads", 1),
        *("--option", "passes=2", "--option", "patience=3", "--json", "--certificates", folder / "proof"),
        *("-o", folder / "out.jj", "-o", folder / "out.csv", "-o", folder / "out.parquet"),
        *("-o", folder / "public.json"),
    )
    return folder, done


def test_a_safe_run_ends_with_0(protected):
    assert protected[1].code == 0


def test_json_is_one_object_and_all_that_is_printed(protected):
    assert isinstance(json.loads(protected[1].out), dict)
    assert protected[1].out.count("\n") == 1


def test_nothing_is_said_where_nobody_looks(protected):
    assert protected[1].err == ""


@pytest.mark.parametrize("key", KEYS)
def test_the_account_has_every_key_of_the_contract(protected, key):
    assert key in json.loads(protected[1].out)


def test_the_account_says_what_was_asked_for(protected):
    account = json.loads(protected[1].out)
    assert (account["method"], account["seed"], account["options"]["passes"]) == ("suppress-lp", 7, 2)
    assert (account["safe"], account["grade"], account["exposed"]) == (True, "exact", [])


def test_the_account_counts_what_is_in_the_file(protected, table):
    account, problem = json.loads(protected[1].out), read_jj(table)
    release = read_release(problem, protected[0] / "out.jj")
    assert account["cells"] == problem.size
    assert account["sensitive"] == problem.sensitive.sum()
    assert account["secondary"] == (release.withheld & ~problem.sensitive).sum()
    assert account["loss"]["cells"] == release.withheld.sum()
    assert account["loss"]["value"] == np.abs(problem.table.value[release.withheld]).sum()
    assert account["objective"] == problem.weight[release.withheld].sum()
    assert account["bound"] <= account["objective"]


def test_the_result_marks_secondaries_with_m_and_keeps_everything_else(protected, table):
    before = [line.split() for line in table.read_text().splitlines()]
    after = [line.split() for line in (protected[0] / "out.jj").read_text().splitlines()]
    changed = [(b[3], a[3]) for b, a in zip(before, after, strict=True) if a != b]
    assert changed
    assert set(changed) == {("s", "m")}


def test_the_file_beside_the_result_says_what_readers_are_told(protected):
    assert json.loads((protected[0] / "out.release.json").read_text())["kind"] == "suppressed"


@pytest.mark.parametrize("name", ["out.jj", "proof"])
def test_confidential_files_are_for_their_owner_alone(protected, name):
    assert stat.S_IMODE((protected[0] / name).stat().st_mode) == 0o600


def test_every_file_that_was_written_is_named(protected):
    assert {str(path) for path in protected[0].iterdir()} == set(json.loads(protected[1].out)["files"])


def test_public_tables_show_no_withheld_value(protected, table):
    problem = read_jj(table)
    withheld = read_release(problem, protected[0] / "out.jj").withheld
    rows = (protected[0] / "out.csv").read_text().splitlines()[1:]
    shown = [row.split(",")[1] for row in rows]
    assert [text == "c" for text in shown] == withheld.tolist()


def test_the_public_account_tells_neither_rules_nor_seed_nor_primaries(protected):
    said = json.loads((protected[0] / "public.account.json").read_text())
    assert not {"seed", "sensitive", "secondary", "rules", "options", "method"} & set(said)


def test_the_same_seed_gives_the_same_result(protected, child, table, tmp_path):
    child(
        *("protect", table, "--seed", 7, "--option", "passes=2", "--option", "patience=3"),
        *("-o", tmp_path / "again.jj"),
    )
    assert (tmp_path / "again.jj").read_bytes() == (protected[0] / "out.jj").read_bytes()


def test_audit_prints_its_verdict(protected, call, table):
    done = call("audit", table, protected[0] / "out.jj", "--json")
    account = json.loads(done.out)
    assert done.code == 0
    assert (account["safe"], account["grade"], account["additive"]) == (True, "exact", True)
    assert (account["truthful"], account["exposed"]) == (True, [])
    assert account["certified"] == account["sensitive"] == read_jj(table).sensitive.sum()
    assert account["seconds"] >= 0
    assert "reach" not in account


def test_audit_names_exposed_cells_by_their_ids(call, tmp_path):
    path = tmp_path / "odd.jj"
    path.write_text(
        NOTHING_CAN.replace("\n1 4", "\n11 4").replace(" 1 (1)", " 11 (1)").replace("\n2 ", "\n12 ")
    )
    path.write_text(path.read_text().replace(" 2 (1)", " 12 (1)"))
    done = call("audit", path, path, "--suppressed", "--json", "--reach", "exposed")
    account = json.loads(done.out)
    assert done.code == 5
    assert account["exposed"] == [11]
    assert account["reach"] == [{"id": 11, "lower": 4.0, "upper": 4.0}]


def test_audit_finds_the_reach_of_every_withheld_cell(protected, call, table):
    done = call("audit", table, protected[0] / "out.jj", "--json", "--reach", "withheld")
    problem = read_jj(table)
    withheld = read_release(problem, protected[0] / "out.jj").withheld
    reach = json.loads(done.out)["reach"]
    assert [entry["id"] for entry in reach] == np.flatnonzero(withheld).tolist()
    for entry in reach:
        value, below, above = (
            a[entry["id"]] for a in (problem.table.value, problem.need_below, problem.need_above)
        )
        assert entry["lower"] <= value - below
        assert entry["upper"] is None or entry["upper"] >= value + above


@pytest.mark.parametrize(
    "flags",
    [
        ["--raw"],
        ["--suppressed"],
        ["--base", 5],
        ["--base", 5, "--nearest"],
        ["--base", 5, "--window", 1],
        ["--distance"],
        ["--within", 3],
    ],
)
def test_what_is_told_can_be_said_to_the_auditor(call, table, flags):
    done = call("audit", table, table, *flags, "--json")
    assert done.code == 5
    assert json.loads(done.out)["safe"] is False


@pytest.mark.parametrize("flags", [["--base", 5, "--distance"], ["--nearest"], ["--window", 2], []])
def test_what_is_told_must_make_sense(call, table, flags):
    done = call("audit", table, table, *flags, "--json")
    assert (done.code, done.out) == (2, "")


def test_a_certificate_of_an_audit_can_be_verified(protected, call, table, tmp_path):
    call("audit", table, protected[0] / "out.jj", "--certificates", tmp_path / "proof")
    done = call("verify", tmp_path / "proof", table, protected[0] / "out.jj", "--json")
    account = json.loads(done.out)
    assert (done.code, account["safe"], account["about"], account["exposed"]) == (0, True, True, [])


def test_a_certificate_of_a_run_is_the_one_that_python_verifies(protected, table):
    problem = read_jj(table)
    release = read_release(problem, protected[0] / "out.jj")
    assert verify(read_certificate(protected[0] / "proof"), problem, release).holds


def test_a_certificate_of_another_table_does_not_hold(protected, call, table, tmp_path):
    changed = tmp_path / "changed.jj"
    lines = table.read_text().splitlines()
    cell = lines[2].split()
    lines[2] = " ".join([*cell[:5], str(int(cell[5]) + 1), *cell[6:]])
    changed.write_text("\n".join(lines))
    (tmp_path / "out.jj").write_text((protected[0] / "out.jj").read_text())
    (tmp_path / "out.release.json").write_text((protected[0] / "out.release.json").read_text())
    done = call("verify", protected[0] / "proof", changed, tmp_path / "out.jj", "--json")
    assert (done.code, json.loads(done.out)["about"]) == (5, False)


def test_proved_infeasible_ends_with_3(call, tmp_path):
    path = tmp_path / "nothing.jj"
    path.write_text(NOTHING_CAN)
    done = call("protect", path, "--json", "-o", tmp_path / "out.jj", "-o", tmp_path / "out.csv")
    account = json.loads(done.out)
    assert (done.code, account["status"], account["safe"]) == (3, "infeasible", False)
    assert account["unprotected"] == [1]
    assert [p.name for p in tmp_path.iterdir()] == ["nothing.jj"]


def test_a_method_that_ends_without_a_release_ends_with_4(call, trial, table, tmp_path):
    done = call("protect", table, "--method", trial("GivesUp"), "--json", "-o", tmp_path / "out.jj")
    assert (done.code, json.loads(done.out)["secondary"], list(tmp_path.iterdir())) == (4, None, [])


def test_a_solver_that_breaks_ends_with_4(call, trial, table):
    done = call("protect", table, "--method", trial("Broken"), "--json")
    assert (done.code, done.out, done.err) == (4, "", "error: The solver broke down.\n")


def test_an_unsafe_result_ends_with_5_and_publishes_nothing(call, trial, table, tmp_path):
    done = call(
        *("protect", table, "--method", trial("OnlySensitive"), "--json", "--certificates", tmp_path / "c"),
        *("-o", tmp_path / "out.csv", "-o", tmp_path / "out.jj"),
    )
    account = json.loads(done.out)
    assert (done.code, account["safe"], account["grade"]) == (5, False, "exposed")
    assert set(account["exposed"]) <= set(np.flatnonzero(read_jj(table).sensitive).tolist())
    assert account["exposed"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.jj", "out.release.json"]
    assert "not published" in done.err or "nothing of it was published" in done.err


def test_an_unsafe_result_is_published_when_somebody_insists_and_the_account_says_so(
    call, trial, table, tmp_path
):
    done = call(
        *("protect", table, "--method", trial("OnlySensitive"), "--publish-unsafe"),
        *("-o", tmp_path / "out.csv"),
    )
    said = json.loads((tmp_path / "out.account.json").read_text())
    assert (done.code, said["proved_safe"]) == (5, False)
    assert "override" in said["warning"]


def test_bad_input_ends_with_2_and_prints_no_json(call, tmp_path):
    done = call("protect", tmp_path / "nix.jj", "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: Cannot read")


def test_methods_lists_the_registry(call):
    said = json.loads(call("methods", "--json").out)
    assert "suppress-lp" in [method["method"] for method in said]
    assert {"method", "family", "summary", "source", "options"} <= set(said[0])


def test_describe_counts(call, table):
    said, problem = json.loads(call("describe", table, "--json").out), read_jj(table)
    assert said["cells"] == problem.size
    assert said["sensitive"] == problem.sensitive.sum()
    assert said["equations"] == problem.table.structure.equations
    assert said["redundant"] == problem.table.structure.redundant.sum()
    assert (said["components"], said["network"], said["problems"]) == (1, True, [])


def test_describe_tells_of_impossible_needs(call, tmp_path):
    path = tmp_path / "impossible.jj"
    path.write_text(NOTHING_CAN.replace("1 4 1 u 0 100 2 2 0", "1 4 1 u 3 100 2 2 0"))
    done = call("describe", path, "--json")
    assert done.code == 0
    assert "cell 1" in json.loads(done.out)["problems"][0]


def test_needs_beyond_what_is_known_are_refused_unless_they_are_clipped(call, tmp_path):
    path = tmp_path / "impossible.jj"
    path.write_text(NOTHING_CAN.replace("1 4 1 u 0 100 2 2 0", "1 4 1 u 3 100 2 2 0").replace(" z ", " s "))
    refused, clipped = call("protect", path), call("protect", path, "--clip", "--json")
    assert refused.code == 2
    assert "--clip" in refused.err
    assert (clipped.code, json.loads(clipped.out)["safe"]) == (0, True)


def test_convert_keeps_the_table(call, table, tmp_path):
    done = call("convert", table, tmp_path / "same.jj")
    assert done.code == 0
    assert (tmp_path / "same.jj").read_text() == table.read_text()


def test_convert_writes_a_csv_with_dimensions_as_equations(call, tmp_path):
    (tmp_path / "t.csv").write_text("a,value,upl\nTotal,7,0\nx,3,2\ny,4,0\n")
    done = call("convert", tmp_path / "t.csv", tmp_path / "t.jj")
    problem = read_jj(tmp_path / "t.jj")
    assert done.code == 0
    assert problem.table.value.tolist() == [7, 3, 4]
    assert problem.role.tolist() == [Role.OPEN, Role.SENSITIVE, Role.OPEN]
