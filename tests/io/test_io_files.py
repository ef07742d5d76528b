import os
import stat
import threading

import pytest

from discreet.errors import InputError
from discreet.io.files import read_text, refuse_unwritable, whole_file, write_text


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_confidential_file_is_readable_by_its_owner_alone(tmp_path):
    path = tmp_path / "secret.jj"
    path.write_text("old")
    path.chmod(0o644)
    write_text(path, "new", confidential=True)
    assert path.read_text() == "new"
    assert mode(path) == 0o600


@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_public_file_gets_the_usual_permissions(tmp_path, mask, expected):
    before = os.umask(mask)
    try:
        write_text(tmp_path / "public.csv", "text", confidential=False)
    finally:
        os.umask(before)
    assert mode(tmp_path / "public.csv") == expected


def test_the_unfinished_file_is_readable_by_its_owner_alone(tmp_path):
    with whole_file(tmp_path / "public.csv", confidential=False) as file:
        file.write(b"half")
        file.flush()
        (part,) = tmp_path.iterdir()
        assert mode(part) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["public.csv"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, OSError])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "out.jj"
    path.write_text("old")

    def fail():
        with whole_file(path, confidential=True) as file:
            file.write(b"half")
            raise error

    with pytest.raises((error, InputError)):
        fail()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.jj"]


def test_of_two_files_written_together_none_appears_when_the_second_fails(tmp_path):
    def fail():
        with (
            whole_file(tmp_path / "a", confidential=False) as first,
            whole_file(tmp_path / "b", confidential=False),
        ):
            first.write(b"whole")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match=r"there is no folder .*nowhere"):
        write_text(tmp_path / "nowhere" / "out.jj", "", confidential=True)


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(InputError, match="it is a folder"):
        write_text(tmp_path, "", confidential=True)


def test_devices_are_never_replaced():
    with pytest.raises(InputError, match="not an ordinary file"):
        refuse_unwritable("/dev/null")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_named(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="may not be written to"):
            write_text(tmp_path / "out.jj", "", confidential=True)
    finally:
        tmp_path.chmod(0o700)


def test_a_name_that_is_none_is_refused():
    with pytest.raises(InputError, match=r"no such file|not the name of a file"):
        read_text("a\0b")


def test_the_mark_in_front_of_utf8_is_not_part_of_the_text(tmp_path):
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbfRegi\xc3\xb3n")
    assert read_text(path) == "Región"


def test_text_that_is_not_utf8_is_refused_with_its_line(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"a\nb\nRegi\xf3n\n")
    with pytest.raises(InputError, match=r"latin.txt, line 3: a character that is not UTF-8"):
        read_text(path)


def test_a_misspelt_file_name_is_corrected(tmp_path):
    (tmp_path / "cells.csv").write_text("x")
    with pytest.raises(InputError, match=r"no such file. Did you mean 'cells.csv'"):
        read_text(tmp_path / "cell.csv")


def test_files_can_be_written_from_many_threads(tmp_path):
    names = [tmp_path / f"{n}.txt" for n in range(8)]
    threads = [
        threading.Thread(target=write_text, args=(path, path.name), kwargs={"confidential": False})
        for path in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {mode(path) for path in names} == {mode(names[0])}
    assert all(path.read_text() == path.name for path in names)
