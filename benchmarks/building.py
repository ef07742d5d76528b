"""The structure of a million-cell table."""

from __future__ import annotations

from statistics import median

import numpy as np

from discreet.generate import random_tree
from discreet.hierarchy import Dimension
from discreet.structure import Structure

from .measuring import Finding, span
from .report import show

TIMES = 3
MOST_SECONDS, MOST_GIGABYTES = 3.0, 1.0


def run() -> Finding:
    """Three dimensions of a hundred codes and their totals, flat and hierarchical."""
    rng = np.random.default_rng(0)
    Structure.full([Dimension.of(name, random_tree(rng, 3)) for name in "abc"])
    rows = []
    for kind, levels, width in (("flat", 1, 100), ("three levels", 3, 71)):
        dimensions = [Dimension.of(name, random_tree(rng, width, levels, name)) for name in "abc"]
        builds = []
        for _ in range(TIMES):
            with span() as building:
                structure = Structure.full(dimensions)
            builds.append(building)
        with span() as deriving:
            _ = structure.by_cell, structure.total, structure.row
        rows.append(
            {
                "dimensions": kind,
                "cells": structure.size,
                "equations": structure.equations,
                "seconds": median(build.seconds for build in builds),
                "slowest": max(build.seconds for build in builds),
                "peak GB": builds[0].gigabytes,
                "seconds of indices": deriving.seconds,
                "peak GB of indices": deriving.gigabytes,
            }
        )
        del structure
    show(rows)
    slowest, largest = (max(row[name] for row in rows) for name in ("seconds", "peak GB"))
    return {
        "wanted": f"a million cells in less than {MOST_SECONDS:g} s and {MOST_GIGABYTES:g} GB",
        "measured": f"{slowest:.2f} s, {largest:.2f} GB",
        "met": slowest < MOST_SECONDS and largest < MOST_GIGABYTES,
        "rows": rows,
        "note": (
            f"`Structure.full` over three dimensions, median of {TIMES}. Memory is the peak of the "
            "whole process. The indices (equations by cell, totals) are made when first asked for."
        ),
    }
