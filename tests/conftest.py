"""What holds for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# the first example may pay for compiling, and machines may be busy
settings.register_profile("discreet", deadline=None)
settings.load_profile("discreet")

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    """The folder of sample files that are not part of the project; in CI it must be there."""
    if not DATA.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"{DATA} is missing")
        pytest.skip(f"{DATA} is missing")
    return DATA
