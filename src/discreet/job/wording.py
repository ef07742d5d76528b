"""What the Python interface calls things, and what they are called in a job file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import InputError

WORDING = (
    (r"missing=\{'(.+?)': …\}", r"missing = […] in [variables.\1]"),
    (r"totals=\{'(.+?)': …\}", r"total = … in [variables.\1]"),
    (r"[Dd]eclare a (finer|coarser) unit", r"Write a \1 unit in [data]"),
    (r"ask for needs to be clipped to them", "cut the needs to them with clip = true in [protection]"),
)


@contextmanager
def in_job_words() -> Iterator[None]:
    """Put what is wrong into the words of job files."""
    try:
        yield
    except InputError as problem:
        text = str(problem)
        for said, here in WORDING:
            text = re.sub(said, here, text)
        raise type(problem)(text) from None
