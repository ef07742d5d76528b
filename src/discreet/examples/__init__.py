"""Made-up records to try things out on: plants of firms, what they turn over, and a job for them.

`firms.csv` holds a row for each plant, `industry.csv` and `region.hrc` two hierarchies, and `firms.toml`
is the job. No firm, place or figure in it is real; `scripts/make_example.py` made them.
"""

from pathlib import Path


def example_folder() -> Path:
    """Where the files of the example are."""
    return Path(__file__).parent
