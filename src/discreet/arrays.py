"""The kinds of arrays that values hold, and how a value keeps them from changing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]


def owned(array: AnyArray, dtype: npt.DTypeLike | None = None) -> AnyArray:
    """The same numbers in memory that nobody else can write to; copied only where that is needed."""
    wanted = np.asarray(array, dtype=dtype)
    if not (wanted.flags.owndata and not wanted.flags.writeable and wanted.flags.c_contiguous):
        wanted = np.array(wanted, order="C", copy=True)
        wanted.flags.writeable = False
    return wanted


def sealed(array: AnyArray) -> AnyArray:
    """A fresh array that its maker gives away: read-only from now on, without a copy."""
    array.flags.writeable = False
    return array


def readonly(array: AnyArray) -> AnyArray:
    """A view that kernels may read; they compile for read-only inputs alone, so all inputs pass here."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


class Frozen:
    """Base of values: arrays in dataclass fields are owned and read-only, after unpickling too."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            held = getattr(self, field.name)
            if isinstance(held, np.ndarray):
                object.__setattr__(self, field.name, owned(held))

    def __getstate__(self) -> dict[str, Any]:
        """What was derived stays behind: it is cheaper to find again than to send."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        Frozen.__post_init__(self)


def segments(start: Ints, chosen: AnyArray) -> tuple[Ints, Ints]:
    """Positions of the entries of some rows of a compressed matrix, and how many entries each row has."""
    length = start[chosen + 1] - start[chosen]
    shift = np.repeat(start[chosen] - (np.cumsum(length) - length), length)
    return np.arange(int(length.sum()), dtype=np.int64) + shift, length
