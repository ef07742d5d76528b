"""A made-up table to try things out on: turnover of firms by region and industry.

`turnover.csv` holds a row for each cell, `region.hrc` and `industry.csv` the two hierarchies. No firm,
place or figure in it is real; `scripts/make_example.py` made them.
"""

from pathlib import Path


def example_folder() -> Path:
    """Where the files of the example are."""
    return Path(__file__).parent
