import pytest

RECORDS = """firm,group,region,trade,turnover,asked
a,G,North,mills,100.5,0
b,G,North,mills,20,0
c,,North,mines,30,1
d,,South,mills,40,0
e,,South,mills,50,0
f,H,South,mines,60,0
g,H,South,mines,70,0
h,,South,mines,80,0
"""
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
percent = 10
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with records in it."""
    (tmp_path / "firms.csv").write_text(RECORDS)
    return tmp_path


@pytest.fixture
def written(folder):
    """Writes a job file, which holds more than the usual one or other words, and says where it is."""

    def write(more="", old="", new=""):
        assert old in JOB
        path = folder / "job.toml"
        path.write_text(JOB.replace(old, new, 1) + more if old else JOB + more)
        return path

    return write
