"""Findings as a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .measuring import Finding

MET = {True: "yes", False: "**no**", None: "not measured"}


def markdown(everything: dict[str, Any]) -> str:
    """The page: what was wanted and what came out, then the details."""
    found: dict[str, Finding] = everything["benchmarks"]
    told = ", ".join(f"{name} {what}" for name, what in everything["machine"].items())
    summary = [
        {
            "benchmark": f"[{name}](#{name})",
            "wanted": f["wanted"],
            "measured": f["measured"],
            "met": MET[f["met"]],
            "other work": f["others"],
        }
        for name, f in found.items()
    ]
    parts = [
        "# Benchmarks\n\nWritten by `make bench`; what is measured, and how, is said in "
        "`benchmarks/README.md`. *Other work* is the number of cores that other programs kept busy "
        "meanwhile: where it is not near zero, times are too long.\n",
        f"Machine: {told}.\n",
        _table(summary),
    ]
    for name, finding in found.items():
        parts.append(f"## {name}\n\n{finding.get('note', '')}\n")
        parts += [_table(finding["rows"])] if finding["rows"] else []
    return "\n".join(parts)


def _table(rows: Sequence[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [columns, ["---"] * len(columns)]
    lines += [[text(row.get(name, "")) for name in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def text(value: Any) -> str:
    """A number with about three digits, large whole ones in full."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Prints rows as they come."""
    for row in rows:
        print("  " + ", ".join(f"{name} {text(value)}" for name, value in row.items()), flush=True)
