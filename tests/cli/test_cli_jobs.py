"""Jobs on the command line: init, run and demo, as scripts and people see them."""

import json
import stat

import pytest

from discreet.examples import example_folder
from discreet.job.files import read_job

RECORDS = "firm,region,trade,turnover\n" + "".join(
    f"F{n},{'NS'[n % 2]},{'abc'[n % 3]},{1234567 * (12 if n == 3 else 1) + n * n}\n" for n in range(40)
)
JOB = """
[data]
path = "firms.csv"
[columns]
value = "turnover"
contributor = "firm"
[variables.region]
[variables.trade]
[[rules]]
rule = "p"
percent = 70
[limits]
threads = 1
[outputs]
public = ["public.csv"]
confidential = ["protected.jj"]
certificate = "proof"
"""
FILES = {"public.csv", "public.account.json", "protected.jj", "protected.release.json", "proof"}


@pytest.fixture
def job(tmp_path):
    """A job and its records, in a folder."""
    (tmp_path / "firms.csv").write_text(RECORDS)
    (tmp_path / "job.toml").write_text(JOB)
    return tmp_path / "job.toml"


@pytest.fixture
def changed(job):
    """The same job with other words in it."""

    def change(old, new):
        assert old in JOB
        job.write_text(JOB.replace(old, new, 1))
        return job

    return change


def one_line(done):
    """The message of a command that was refused."""
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    return done.err


def test_run_does_the_job(call, job):
    done = call("run", job)
    assert done.code == 0
    assert "Safe, and proved so." in done.out
    assert {path.name for path in job.parent.iterdir()} == {"firms.csv", "job.toml", *FILES}


def test_run_prints_one_object_for_scripts(call, job):
    done = call("run", job, "--json")
    account = json.loads(done.out)
    assert (done.code, done.err, account["safe"]) == (0, "", True)
    assert {path.rsplit("/", 1)[-1] for path in account["files"]} == FILES


def test_seconds_are_taken_from_the_command_line(call, job):
    account = json.loads(call("run", job, "--seconds", 0, "--json").out)
    assert (account["stopped"], account["safe"]) == ("seconds", True)


def test_run_shows_no_value(call, job):
    done = call("run", job)
    assert "1234567" not in done.out + done.err


def test_a_job_that_cannot_be_solved_ends_with_3(call, job):
    job.write_text(
        JOB
        + '[cells]\npublished = [{region = "N"}, {region = "N", trade = "a"}, {region = "N", trade = "b"}]\n'
    )
    records = (
        "firm,region,trade,turnover\nA,N,c,50\nB,N,a,30\nC,N,a,30\nD,N,a,30\nE,N,b,30\nF,N,b,30\nG,N,b,30\n"
    )
    (job.parent / "firms.csv").write_text(records)
    job.write_text(job.read_text().replace("percent = 70", "percent = 10"))
    done = call("run", job, "--json")
    assert (done.code, json.loads(done.out)["status"]) == (3, "infeasible")
    assert not (job.parent / "public.csv").exists()


def test_an_unsafe_result_ends_with_5_and_publishes_nothing(call, trial, changed, tmp_path):
    path = changed("[limits]", f'[protection]\nmethod = "{trial("OnlySensitive")}"\n[limits]')
    done = call("run", path)
    assert done.code == 5
    assert "nothing of it was published" in done.err
    assert not (tmp_path / "public.csv").exists()


def test_an_unsafe_result_is_published_when_somebody_insists(call, trial, changed, tmp_path):
    path = changed("[limits]", f'[protection]\nmethod = "{trial("OnlySensitive")}"\n[limits]')
    assert call("run", path, "--publish-unsafe").code == 5
    assert json.loads((tmp_path / "public.account.json").read_text())["proved_safe"] is False


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("turnover", "trunover", "firms.csv: no column 'trunover'. Did you mean 'turnover'?"),
        ("[variables.trade]", "[variables.tarde]", "no column 'tarde'. Did you mean 'trade'?"),
        ('"firms.csv"', '"firm.csv"', "no such file. Did you mean 'firms.csv'?"),
        ("value =", "vaule =", "Unknown key 'vaule' in [columns]. Did you mean 'value'?"),
        ("percent = 70", "percent = 70\nlevel = 'holding'", "holding"),
        ("public.csv", "public.pdf", "unknown ending '.pdf'"),
        ('"proof"', '"job.toml"', "is a file that is read"),
        ('"firms.csv"', '"firms.csv"\nunit = "1000"', "Write a finer unit in [data]"),
        ("[limits]", "[knowledge]\nwithin = 1\n[limits]", "with clip = true in [protection]"),
    ],
)
def test_a_mistake_in_a_job_is_named(call, changed, old, new, said):
    assert said in one_line(call("run", changed(old, new)))


def test_outputs_are_checked_before_anything_is_read(call, changed, monkeypatch):
    def never(*_, **__):
        raise AssertionError("Work was begun.")

    monkeypatch.setattr("discreet.job.problems.tabulate", never)
    assert "there is no folder" in one_line(call("run", changed("public.csv", "nowhere/public.csv")))


@pytest.mark.parametrize("command", ["describe", "convert"])
def test_a_job_stands_for_its_table(call, job, tmp_path, command):
    words = {"describe": ["--json"], "convert": [tmp_path / "table.jj"]}[command]
    done = call(command, job, *words)
    assert done.code == 0
    if command == "describe":
        assert json.loads(done.out)["cells"] == 12
    else:
        assert (tmp_path / "table.jj").read_text().splitlines()[1] == "12"


def test_a_release_of_a_job_is_audited_against_the_job(call, job, tmp_path):
    call("run", job)
    assert json.loads(call("audit", job, tmp_path / "protected.jj", "--json").out)["safe"] is True


def test_the_certificate_of_a_job_is_verified_against_the_job(call, job, tmp_path):
    call("run", job)
    done = call("verify", tmp_path / "proof", job, tmp_path / "protected.jj", "--json")
    assert (done.code, json.loads(done.out)["safe"]) == (0, True)


def test_verifying_a_job_needs_no_solver(call, child, job, tmp_path):
    call("run", job)
    code = "import sys\nfrom discreet.cli import main\ntry:\n    main()\nfinally:\n    print(*sys.modules)\n"
    done = child("verify", tmp_path / "proof", job, tmp_path / "protected.jj", code=code)
    assert "The certificate holds." in done.out
    assert not {"highspy", "numba", "scipy.optimize"} & set(done.out.split())


def test_a_job_is_not_protected_but_run(call, job):
    assert "Do it with `discreet run" in one_line(call("protect", job))


def test_a_job_says_everything_itself(call, job):
    assert "got --by too. Leave one out." in one_line(call("describe", job, "--by", "region"))


def test_init_writes_a_job_that_runs(call, job, tmp_path):
    job.unlink()
    assert call("init", tmp_path / "firms.csv").code == 0
    assert call("run", tmp_path / "firms.toml", "--seconds", 5).code == 0
    assert (tmp_path / "firms-public.csv").exists()


def test_init_says_what_columns_are_taken_for(call, job, tmp_path):
    said = json.loads(call("init", tmp_path / "firms.csv", "--json").out)
    assert (said["value"], said["contributor"], said["by"]) == ("turnover", "firm", ["region", "trade"])


def test_init_shows_the_way_on(call, job, tmp_path):
    done = call("init", tmp_path / "firms.csv", "-o", tmp_path / "new.toml")
    assert f"discreet run {tmp_path / 'new.toml'}" in done.out
    assert "1234567" not in done.out


def test_a_drafted_job_is_confidential(call, job, tmp_path):
    call("init", tmp_path / "firms.csv", "-o", tmp_path / "new.toml")
    assert stat.S_IMODE((tmp_path / "new.toml").stat().st_mode) == 0o600


def test_init_writes_over_nothing(call, job):
    said = one_line(call("init", job.parent / "firms.csv", "-o", job))
    assert "job.toml is there already. Name another file with -o, or remove it." in said
    assert job.read_text() == JOB


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nix.csv"], "no such file"),
        (["firms.csv", "-o", "job.txt"], "expected the name of a job file, a .toml, got '.txt'"),
        (["firms.csv", "-o", "nowhere/job.toml"], "there is no folder"),
        (["job.toml"], "is there already"),
    ],
)
def test_a_mistake_in_init_is_named(call, job, monkeypatch, words, said):
    monkeypatch.chdir(job.parent)
    assert said in one_line(call("init", *words))


@pytest.fixture(scope="module")
def shown(child, tmp_path_factory):
    """The demonstration, once."""
    folder = tmp_path_factory.mktemp("demo") / "output"
    return folder, child("demo", "--directory", folder)


def test_demo_ends_safe(shown):
    assert (shown[1].code, "Safe, and proved so." in shown[1].out) == (0, True)


def test_demo_copies_what_its_job_needs(shown):
    for name in ("firms.csv", "firms.toml", "industry.csv", "region.hrc"):
        assert (shown[0] / name).read_bytes() == (example_folder() / name).read_bytes()


def test_demo_writes_what_its_job_asks_for(shown):
    outputs = read_job(shown[0] / "firms.toml").outputs
    named = [*outputs.public, *outputs.confidential, outputs.certificate, outputs.report]
    assert all(path.exists() for path in named)


@pytest.mark.parametrize(
    "name", ["firms.csv", "firms.toml", "protected.jj", "protected.proof", "report.html"]
)
def test_demo_keeps_what_is_confidential_to_its_owner(shown, name):
    assert stat.S_IMODE((shown[0] / name).stat().st_mode) == 0o600


def test_demo_says_how_to_do_it_by_hand(shown):
    assert "discreet run firms.toml" in shown[1].out


def test_demo_can_be_shown_twice(call, shown):
    assert call("demo", "--directory", shown[0]).code == 0
