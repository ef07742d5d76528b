"""Small pictures as SVG: tables of cells and bars of intervals, for a light and a dark page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

STYLE = """\
text{font:14px ui-sans-serif,system-ui,sans-serif;fill:#22242a}.s{font-size:12.5px;fill:#62656e}
.t{font-size:9px;fill:#62656e}.b{font-weight:600}.c{text-anchor:middle}.e{text-anchor:end}
rect{stroke:#e2dfd8}rect.published{fill:#fff}rect.primary{fill:#fbd9b5}rect.secondary{fill:#d6e6f5}
rect.empty{fill:#efece6}rect.up{fill:#d5ead9}rect.down{fill:#e4dcf2}rect.plain{stroke:none}
rect.track{fill:#efece6;stroke:none}rect.reach{fill:#4b83b6;stroke:none}rect.need{fill:#d9782d;stroke:none}
.line{stroke:#22242a;stroke-width:2}.arrow{stroke:#a2a5ad;stroke-width:2;fill:none}
@media(prefers-color-scheme:dark){text{fill:#e7e5e0}.s,.t{fill:#a2a5ad}rect{stroke:#34373e}
rect.published{fill:#1b1e23}rect.primary{fill:#6b3f14}rect.secondary{fill:#1f4262}rect.empty{fill:#282b31}
rect.up{fill:#1f4a33}rect.down{fill:#43356a}rect.track{fill:#2b2e35}rect.reach{fill:#5f9bd0}
rect.need{fill:#e08b45}.line{stroke:#e7e5e0}}
"""
WIDE, HIGH, NAMES = 62, 30, 52

Cell = tuple[str, str]
"""What stands in a cell, and its class."""


def svg(width: float, height: float, parts: Sequence[str], said: str) -> str:
    """A whole picture, and what it says to those who do not see it."""
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(said)}">'
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>"]) + "\n"


def text(x: float, y: float, said: str, kind: str = "") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(said)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rectangle of a class."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2" class="{kind}"/>'


def grid(
    x: float,
    y: float,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Cell]],
) -> list[str]:
    """A table under its title, with the names of rows and columns."""
    left = x + NAMES
    parts = [text(x, y + 14, title, "b")]
    parts += [text(left + WIDE * (k + 0.5), y + 40, name, "s c") for k, name in enumerate(columns)]
    for r, (name, line) in enumerate(zip(rows, cells, strict=True)):
        top = y + 48 + HIGH * r
        parts.append(text(x, top + 19, name, "s"))
        for k, (said, kind) in enumerate(line):
            parts.append(box(left + WIDE * k + 1, top + 1, WIDE - 2, HIGH - 2, kind))
            parts.append(text(left + WIDE * (k + 0.5), top + 20, said, "c"))
    return parts


def legend(x: float, y: float, entries: Sequence[tuple[str, str]]) -> list[str]:
    """What the colours mean."""
    parts = []
    for kind, said in entries:
        parts += [box(x, y, 12, 12, kind), text(x + 18, y + 11, said, "s")]
        x += 38 + 6.4 * len(said)
    return parts
