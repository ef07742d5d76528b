"""What pages are made of, as plain data that the script knows how to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Block = dict[str, Any]


def section(title: str, *blocks: Block) -> Block:
    """A heading, and what stands below it."""
    return {"title": title, "blocks": [block for block in blocks if block]}


def text(words: str) -> Block:
    """A paragraph."""
    return {"kind": "text", "text": words}


def points(words: Iterable[str]) -> Block:
    """Sentences that stand one below the other."""
    return {"kind": "points", "items": list(words)}


def facts(rows: Iterable[tuple[str, str]]) -> Block:
    """Names, and what is so called."""
    return {"kind": "facts", "rows": [list(row) for row in rows]}


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Block:
    """A small table whose first column names the rows."""
    return {"kind": "grid", "head": list(head), "rows": [list(row) for row in rows]}


def bars(
    title: str,
    series: Mapping[str, int],
    rows: Iterable[tuple[str, Sequence[float], str]],
) -> Block:
    """A bar a row: its name, its parts as shares of the full width, and what it says. A part has a tone."""
    drawn = [
        {"name": name, "parts": [round(part, 4) for part in parts], "text": said}
        for name, parts, said in rows
    ]
    return {
        "kind": "bars",
        "title": title,
        "series": list(series),
        "tones": list(series.values()),
        "rows": drawn,
    }


def columns(*blocks: Block) -> Block:
    """Blocks side by side, where there is room."""
    return {"kind": "columns", "blocks": list(blocks)}


def figure(name: str, said: str, more: str = "") -> Block:
    """A number that matters, what it is, and perhaps what it is a part of."""
    return {"name": name, "text": said, "more": more}
