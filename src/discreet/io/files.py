"""Files appear whole or not at all, and what is confidential is readable by its owner alone."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError, suggest

OWNER_ONLY = 0o600
ANYONE = 0o666
BOM = b"\xef\xbb\xbf"


@contextmanager
def whole_file(path: str | Path, *, confidential: bool) -> Iterator[BinaryIO]:
    """A file to write that takes its name only once it is complete.

    Until then it lies beside its target under a temporary name, readable by its owner alone. A
    confidential file stays so; a public one gets the usual permissions at the end.
    """
    target = Path(path)
    refuse_unwritable(target)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".part", dir=target.parent)
    except OSError as problem:
        raise _unwritable(target, problem) from None
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.chmod(OWNER_ONLY if confidential else _usual_mode(target.parent))
        part.replace(target)
        _settle(target.parent)
    except OSError as problem:
        raise _unwritable(target, problem) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(path: str | Path, text: str, *, confidential: bool) -> None:
    """Write a whole file in UTF-8."""
    with whole_file(path, confidential=confidential) as file:
        file.write(text.encode())


def refuse_unwritable(path: str | Path) -> None:
    """An error where a file cannot be written, before any work is put into it."""
    target = Path(path)
    with _told_plainly(target):
        if target.is_dir():
            raise InputError(f"Cannot write {target}: it is a folder. Name a file in it.")
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            raise InputError(f"Cannot write {target}: it is not an ordinary file. Name another one.")
        if not target.parent.is_dir():
            raise InputError(f"Cannot write {target}: there is no folder {target.parent}. Make it first.")
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise InputError(
                f"Cannot write {target}: the folder {target.parent} may not be written to. "
                "Choose another folder, or ask for permission."
            )


def read_bytes(path: str | Path) -> bytes:
    """What is in a file, without the mark that some programs put in front of UTF-8."""
    source = Path(path)
    refuse_unreadable(source)
    with _told_plainly(source):
        content = source.read_bytes()
    return content.removeprefix(BOM)


def refuse_unreadable(path: str | Path) -> None:
    """An error where there is no file to read."""
    source = Path(path)
    with _told_plainly(source):
        if source.is_dir():
            raise InputError(f"Cannot read {source}: it is a folder. Name a file in it.")
        if not source.exists():
            raise InputError(f"Cannot read {source}: there is no such file. {_neighbour(source)}".rstrip())


def read_utf8(path: str | Path) -> bytes:
    """What is in a text file, as bytes that are known to be UTF-8."""
    content = read_bytes(path)
    if not content.isascii():
        _decoded(path, content)
    return content


def read_text(path: str | Path) -> str:
    """The text in a file, which must be UTF-8."""
    return _decoded(path, read_bytes(path))


@contextmanager
def in_file(path: str | Path) -> Iterator[None]:
    """Put the name of a file in front of what is wrong in it."""
    try:
        yield
    except InputError as problem:
        raise type(problem)(f"{path}: {problem}") from None


def _decoded(path: str | Path, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise InputError(
            f"{path}, line {line}: a character that is not UTF-8. Save the file as UTF-8 and try again."
        ) from None


def _neighbour(source: Path) -> str:
    if not source.parent.is_dir():
        return f"There is no folder {source.parent} either."
    with suppress(OSError):
        hint = suggest(source.name, [p.name for p in source.parent.iterdir() if p.is_file()])
        return hint if hint.startswith("Did you mean") else ""
    return ""


@contextmanager
def _told_plainly(path: Path) -> Iterator[None]:
    """What the operating system says of a file, in an error of ours."""
    try:
        yield
    except OSError as problem:
        raise InputError(f"Cannot use {path}: {_reason(problem)}.") from None
    except ValueError as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"Cannot use {str(path)!r}: it is not the name of a file.") from None


def _unwritable(target: Path, problem: OSError) -> InputError:
    return InputError(f"Cannot write {target}: {_reason(problem)}. Choose another place, or make room.")


def _reason(problem: OSError) -> str:
    return (problem.strerror or "the system refuses").lower()


def _usual_mode(folder: Path) -> int:
    """The permissions that new files get in a folder, found without touching the process's own mask."""
    with tempfile.TemporaryDirectory(prefix=".", dir=folder) as place:
        handle = os.open(Path(place) / "probe", os.O_CREAT | os.O_EXCL | os.O_WRONLY, ANYONE)
        try:
            return stat.S_IMODE(os.fstat(handle).st_mode)
        finally:
            os.close(handle)


def _settle(folder: Path) -> None:
    """Make the new name survive a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
