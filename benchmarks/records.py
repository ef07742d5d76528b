"""Records to a table of thirty grouping sets, beside hand-written SQL and beside pandas."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from discreet.generate import random_tree
from discreet.hierarchy import Hierarchy
from discreet.records.leaves import RECORDS, query_of_records
from discreet.records.tabulation import tabulate
from discreet.table import Table

from .measuring import Finding, Span, span
from .report import show

SHAPE = {"region": (400, 4), "sector": (60, 2), "size": (8, 1)}
"""Finest codes and levels below the total: 5 x 3 x 2 = 30 grouping sets."""
SQL = Path(__file__).parent / "cube.sql"
MOST_RATIO, MOST_GIGABYTES, LEAST_PANDAS, MOST_EXTRA, MOST_HOLDING = 1.3, 1.5, 3.0, 1.0, 4.0
TIMES = 3
GROUPS = 100_000


def plain() -> Finding:
    """Ten million records, sum, count and the two largest."""
    with records(10_000_000) as (path, trees):
        ours, table = _timed("tabulate", lambda: _tabulated(path, trees))
        sql, cells = _timed("hand-written SQL", lambda: _by_hand(path, trees))
        pandas, other = _timed("pandas", lambda: _in_pandas(path, trees), times=1)
        plans = _plan(path, trees)
    if not _shown(table) == cells == other:
        raise RuntimeError("The three ways disagree.")
    rows = [ours, sql, pandas]
    show(rows)
    ratio, faster = ours["seconds"] / sql["seconds"], pandas["seconds"] / ours["seconds"]
    return {
        "wanted": (
            f"at most {MOST_RATIO:g} × hand-written SQL, {LEAST_PANDAS:g} × faster than pandas, "
            f"less than {MOST_GIGABYTES:g} GB"
        ),
        "measured": f"{ratio:.2f} × SQL, {faster:.1f} × faster than pandas, {ours['peak GB']:.2f} GB",
        "met": ratio <= MOST_RATIO and faster >= LEAST_PANDAS and ours["peak GB"] < MOST_GIGABYTES,
        "rows": rows,
        "note": (
            f"10M records in Parquet, 30 grouping sets, {table.structure.size:,} cells; sum, count and the "
            f"two largest of each; the median of {TIMES} runs (pandas: one). The SQL is "
            "`benchmarks/cube.sql`. pandas adds up the finest cells first, too. *Peak* is of the process. "
            f"Plans of the first stage of `tabulate` and of both stages by hand:\n\n```text\n{plans}\n```"
        ),
    }


def huge() -> Finding:
    """Fifty million records: memory is what counts."""
    with records(50_000_000) as (path, trees):
        with span() as idle:
            pass
        with span() as working:
            _tabulated(path, trees)
    extra = working.gigabytes - idle.gigabytes
    return {
        "wanted": f"50M records in less than {MOST_EXTRA:g} GB of extra memory",
        "measured": f"{extra:.2f} GB, {working.seconds:.1f} s",
        "met": extra < MOST_EXTRA,
        "rows": [],
        "note": "The peak of the process during the run, less what it held before.",
    }


def holdings() -> Finding:
    """One million records in holdings, against the same without."""
    with records(1_000_000) as (path, trees):
        _tabulated(path, trees)
        plain = _timed("plain", lambda: _tabulated(path, trees))[0]
        grouped = _timed("with holdings", lambda: _tabulated(path, trees, holding="holding"))[0]
    show([plain, grouped])
    ratio = grouped["seconds"] / plain["seconds"]
    return {
        "wanted": f"less than {MOST_HOLDING:g} × the plain one, at 1M records",
        "measured": f"{ratio:.1f} ×",
        "met": ratio < MOST_HOLDING,
        "rows": [plain, grouped],
        "note": (
            f"A third of the records belong to one of {GROUPS:,} holdings, most of which are in several "
            "cells; the others stand alone. Counts and the two largest of records and of holdings."
        ),
    }


@contextmanager
def records(size: int) -> Iterator[tuple[Path, dict[str, Hierarchy]]]:
    """A Parquet file of invented records, and the trees of their codes."""
    rng = np.random.default_rng(0)
    trees = {name: random_tree(rng, n, levels, name) for name, (n, levels) in SHAPE.items()}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = Path(folder) / "records.parquet"
        columns = []
        for at, (name, tree) in enumerate(trees.items()):
            codes = _leaves(tree)
            connection.register(f"codes_{name}", pd.DataFrame({"i": range(len(codes)), "code": codes}))
            pick = f"CAST(hash(i * {2 * at + 3} + {at}) % {len(codes)} AS BIGINT)"
            columns.append(f"(SELECT list(code ORDER BY i) FROM codes_{name})[{pick} + 1] AS {name}")
        connection.execute(
            f"COPY (SELECT {', '.join(columns)}, "
            "CAST(100 / (0.0001 + (hash(i * 31) % 1000000) / 1000000.0) AS BIGINT) AS turnover, "
            f"CASE WHEN hash(i * 17) % 3 = 0 THEN 'H' || hash(i * 13) % {GROUPS} ELSE '' END AS holding "
            f"FROM range({size}) r(i)) TO '{path}' (FORMAT parquet)"
        )
        yield path, trees


def _leaves(tree: Hierarchy) -> list[str]:
    inner = set(tree.parent.tolist())
    return [code for place, code in enumerate(tree.code) if place not in inner]


def _shown(table: Table) -> tuple[int, int]:
    """The largest total, and how many rows readers see that hold something."""
    cell = np.arange(table.structure.size) if table.rows is None else table.rows.cell
    return int(table.value.max()), int((table.frequency[cell] > 0).sum())


def _tabulated(path: Path, trees: dict[str, Hierarchy], **roles: Any) -> Table:
    return tabulate(path, list(SHAPE), "turnover", hierarchies=trees, keep=2, **roles)


def _by_hand(path: Path, trees: dict[str, Hierarchy]) -> tuple[int, int]:
    with _prepared(path, trees) as connection:
        connection.execute(SQL.read_text())
        found = connection.execute("SELECT * FROM cube").fetchnumpy()
        return int(found["total"].max()), len(found["total"])


@contextmanager
def _prepared(path: Path, trees: dict[str, Hierarchy]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the records and a table a tree."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW records AS FROM read_parquet('{path}')")
        for name, letter in (("region", "r"), ("sector", "s"), ("size", "z")):
            connection.register(f"{name}s", _ladders(trees[name], letter))
        yield connection


def _ladders(tree: Hierarchy, letter: str) -> pd.DataFrame:
    """Every finest code with what it belongs to, one column a level below the total."""
    place = np.array([tree.position[code] for code in _leaves(tree)])
    columns = {}
    for level in range(int(tree.level.max())):
        columns[f"{letter}{level + 1}"] = [tree.code[p] for p in place]
        place = tree.parent[place]
    return pd.DataFrame(columns)


def _in_pandas(path: Path, trees: dict[str, Hierarchy]) -> tuple[int, int]:
    held = pd.read_parquet(path, columns=[*SHAPE, "turnover"])
    groups = held.groupby(list(SHAPE), observed=True, sort=False)["turnover"]
    leaves = groups.agg(total="sum", number="count", first="max")
    ordered = held.sort_values("turnover", ascending=False, kind="stable")
    second = ordered.groupby(list(SHAPE), observed=True, sort=False)["turnover"].nth(1)
    leaves["second"] = ordered.loc[second.index].set_index(list(SHAPE))["turnover"]
    leaves = leaves.reset_index()
    names = []
    for name, letter in (("region", "r"), ("sector", "s"), ("size", "z")):
        ladder = _ladders(trees[name], letter)
        leaves = leaves.merge(ladder, left_on=name, right_on=f"{letter}1")
        names.append([*ladder.columns, None])
    cells, most = 0, 0
    for keys in product(*names):
        chosen = [key for key in keys if key is not None]
        tall = leaves.groupby(chosen, sort=False) if chosen else leaves.groupby(lambda _: 0)
        sums = tall[["total", "number"]].sum()
        both = pd.concat([leaves.assign(top=leaves[name]) for name in ("first", "second")]).dropna(
            subset="top"
        )
        both.sort_values("top", ascending=False).groupby(chosen or (lambda _: 0), sort=False)["top"].head(2)
        cells += len(sums)
        most = max(most, int(sums["total"].max()))
    return most, cells


def _plan(path: Path, trees: dict[str, Hierarchy]) -> str:
    """How DuckDB runs the first stage of ours, and both by hand; of the second the steps are counted."""
    with _prepared(path, trees) as connection:
        first, second = SQL.read_text().split(";")[:2]
        connection.execute(
            f"CREATE TEMP VIEW {RECORDS} AS SELECT region AS c0, sector AS c1, size AS c2, turnover AS v, "
            "turnover AS s, 1::BIGINT AS times, 0::TINYINT AS marks FROM records"
        )
        asked = [query_of_records(("c0", "c1", "c2"), "s", 2, plain=True), first[first.index("SELECT") :]]
        plans = [connection.execute(f"EXPLAIN {query}").fetchall()[0][1] for query in asked]
        connection.execute(first)
        drawn = connection.execute(f"EXPLAIN {second[second.index('SELECT') :]}").fetchall()[0][1]
    steps = Counter(re.findall(r"╭─ ([A-Z][A-Za-z ]+?) [─┴]", drawn))
    plans.append("".join(f"{number:>4} × {step}\n" for step, number in steps.most_common()))
    return "\n".join(plans)


def _timed(name: str, run: Callable[[], Any], times: int = TIMES) -> tuple[dict[str, Any], Any]:
    spans: list[Span] = []
    for _ in range(times):
        with span() as taken:
            result = run()
        spans.append(taken)
    row = {
        "way": name,
        "seconds": median(s.seconds for s in spans),
        "processor s": median(s.cpu for s in spans),
        "peak GB": max(s.gigabytes for s in spans),
    }
    return row, result
