import pytest


@pytest.fixture
def written(tmp_path):
    """Writes a file and says where it is."""

    def write(content, name="cells.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
