"""What is wrong is said in the words of job files."""

import re
from pathlib import Path

import pytest

from discreet import job
from discreet.errors import InputError
from discreet.job.files import read_job
from discreet.job.problems import problem_of
from discreet.job.wording import WORDING


@pytest.mark.parametrize("said", [said for said, _ in WORDING if "(" not in said])
def test_the_wording_of_the_python_interface_that_is_translated_still_exists(said):
    folder = Path(job.__file__).parent
    sources = [path for path in folder.parent.rglob("*.py") if path.parent.name not in {"cli", "job"}]
    assert any(re.search(said, path.read_text(encoding="utf-8")) for path in sources)


def test_codes_for_missing_are_declared_in_their_section(written, folder):
    (folder / "region.hrc").write_text("Land\n@North\n")
    path = written(old="[variables.region]", new='[variables.region]\nhierarchy = "region.hrc"')
    with pytest.raises(InputError) as error:
        problem_of(read_job(path))
    assert "firms.csv, line 5, column 'region'" in str(error.value)
    assert "declare codes for missing with missing = […] in [variables.region]." in str(error.value)
