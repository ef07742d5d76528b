import os
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    """The folder of sample files that are not part of the project; in CI it must be there."""
    if not DATA.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"{DATA} is missing")
        pytest.skip(f"{DATA} is missing")
    return DATA


@pytest.fixture
def written(tmp_path):
    """Writes a file and says where it is."""

    def write(content, name="cells.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
