"""A job from its records to its files."""

import json
import stat

import pytest

import discreet
from discreet.assessment import assess
from discreet.certificate import verify
from discreet.errors import InputError
from discreet.io.certificates import read_certificate
from discreet.io.told import read_release
from discreet.job.course import outputs_of, protect_job, run_job
from discreet.job.files import read_job
from discreet.job.problems import problem_of, tabulate_job
from discreet.problem import Role
from discreet.records.tabulation import tabulate

OUTPUTS = """
[outputs]
public = ["public.csv", "public.html"]
confidential = ["protected.jj"]
certificate = "protected.proof"
report = "report.html"
mark = "x"
"""


def cells(problem):
    """The value of each cell by its codes."""
    structure = problem.table.structure
    return {structure.name(cell): problem.table.value[cell] for cell in range(problem.size)}


@pytest.fixture
def done(written):
    return run_job(read_job(written(OUTPUTS)))


def test_a_job_is_the_same_as_its_steps(written, folder):
    said = problem_of(read_job(written()))
    by_hand = assess(
        tabulate(folder / "firms.csv", ["region", "trade"], "turnover", contributor="firm"), ["p:10"]
    )
    assert cells(said) == cells(by_hand)
    assert (said.need_above == by_hand.need_above).all()


def test_a_run_ends_safe(done):
    assert done.result.is_safe


def test_a_run_writes_what_is_asked_for(done, folder):
    names = {"public.csv", "public.account.json", "public.html", "protected.jj", "protected.release.json"}
    assert {path.name for path in done.files} == names | {"protected.proof", "report.html"}
    assert all(path.parent == folder for path in done.files)


@pytest.mark.parametrize("name", ["protected.jj", "protected.proof", "report.html"])
def test_what_is_confidential_is_for_its_owner_alone(done, folder, name):
    assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_the_public_table_has_the_mark_of_the_job(done, folder):
    assert ",x" in (folder / "public.csv").read_text()


def test_the_certificate_is_about_the_problem_of_the_job(done, written, folder):
    problem = problem_of(read_job(written()))
    release = read_release(problem, folder / "protected.jj")
    assert verify(read_certificate(folder / "protected.proof"), problem, release).holds


def test_the_package_offers_jobs(written):
    assert discreet.run_job(discreet.read_job(written())).result.is_safe


def test_columns_play_the_parts_that_are_said(written):
    more = 'holding = "group"\nrequest = "asked"\nsampling_weight = "turnover"\nshadow = "turnover"\n'
    table = tabulate_job(read_job(written(old="[variables.region]", new=more + "[variables.region]")))
    assert set(table.evidence) == {"record", "holding"}
    assert table.evidence["record"].times is not None
    assert table.evidence["record"].requests.any()


def test_several_tables_are_linked(written):
    table = tabulate_job(read_job(written('[[tables]]\nby=["region"]\n[[tables]]\nby=["trade"]\n')))
    assert len(table) == 5


def test_rules_see_as_many_contributions_as_they_need(written):
    job = read_job(written('[[rules]]\nrule = "dominance"\nnumber = 5\npercent = 90\n'))
    assert tabulate_job(job).evidence["record"].listed >= 5


def test_cells_that_must_be_published_are(written):
    job = read_job(written('[cells]\npublished = [{region = "South"}]\n'))
    problem = problem_of(job)
    assert [problem.table.structure.name(c) for c in (problem.role == Role.PUBLISHED).nonzero()[0]] == [
        "region=South, trade=Total"
    ]


def test_cells_that_are_marked_are_sensitive(written):
    more = (
        '[[rules]]\nrule = "manual"\npercent = 20\n[cells]\nmarked = [{region = "South", trade = "mills"}]\n'
    )
    problem = problem_of(read_job(written(more)))
    names = [problem.table.structure.name(c) for c in problem.sensitive.nonzero()[0]]
    assert "region=South, trade=mills" in names


def test_what_is_known_bounds_every_cell(written):
    problem = problem_of(
        read_job(written("[knowledge]\nwithin = [10, 20]\nwhole = true\n[protection]\nclip = true\n"))
    )
    assert problem.whole
    assert (problem.upper <= problem.table.value * 12 // 10 + 1).all()
    problem.refuse_impossible()


def test_a_coalition_goes_by_the_names_of_its_members(written):
    problem = problem_of(read_job(written('[knowledge]\ncoalitions = [["d", "e"]]\n')))
    assert {tuple(problem.table.contributors[n] for n in c) for c in problem.coalitions} == {("d", "e")}


def test_a_coalition_of_strangers_is_refused(written):
    with pytest.raises(InputError, match="No cell lists the contributor 'nobody'"):
        problem_of(read_job(written('[knowledge]\ncoalitions = [["d", "nobody"]]\n')))


def test_labels_say_what_codes_mean(written):
    job = read_job(written(old="[variables.trade]", new='[variables.trade]\nlabels = {mills = "Mills"}'))
    (trade,) = [d for d in tabulate_job(job).structure.dimensions if d.name == "trade"]
    assert trade.label == {"mills": "Mills"}


def test_codes_for_missing_are_safe(written):
    job = read_job(written(old="[variables.trade]", new='[variables.trade]\nmissing = ["mines"]'))
    table = tabulate_job(job)
    assert table.missing.any()
    assert not (problem_of(job).sensitive & table.missing).any()


def test_the_weight_of_cells_is_that_of_the_job(written):
    problem = problem_of(read_job(written('[protection]\nweight = "one"\n')))
    assert (problem.weight == 1).all()


def test_method_and_limits_are_those_of_the_job(written):
    job = read_job(
        written("[protection]\noptions = {patience = 3}\n[limits]\nseed = 5\nwork = 10\nthreads = 1\n")
    )
    said = protect_job(job, problem_of(job)).summary()
    assert (said["options"]["patience"], said["seed"]) == (3, 5)


def test_who_is_left_out_is_not_judged(written):
    job = read_job(written("[knowledge]\ninsiders = false\nimplicit = false\n"))
    assert not any(protect_job(job, problem_of(job)).audit.judged.values())


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        ('public = ["out.jj"]', "a .jj is confidential, got it among the public outputs"),
        ('confidential = ["out.csv"]', "a .csv is public, got it among the confidential outputs"),
        ('public = ["out.pdf"]', "unknown ending '.pdf'"),
        ('public = ["nowhere/out.csv"]', "there is no folder"),
        ('public = ["firms.csv"]', "is a file that is read"),
        ('report = "report.pdf"', "expected .html"),
    ],
)
def test_outputs_that_cannot_be_are_refused_before_the_work(written, outputs, said):
    with pytest.raises(InputError) as error:
        outputs_of(read_job(written(f"[outputs]\n{outputs}\n")))
    assert said in str(error.value)


def test_nothing_public_is_written_of_what_is_not_safe(written, folder, monkeypatch):
    monkeypatch.setattr(discreet.result.Result, "is_safe", property(lambda _: False))
    done = run_job(read_job(written(OUTPUTS)))
    assert {path.name for path in done.files} == {"protected.jj", "protected.release.json", "report.html"}
    assert not (folder / "public.csv").exists()


def test_the_account_of_a_job_tells_no_rule(done, folder):
    said = json.loads((folder / "public.account.json").read_text())
    assert "rules" not in said
