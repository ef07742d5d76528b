"""A page in one file: what it says as data, and beside it the one style and the one script of all pages.

Nothing that comes from a table is written as markup: it lies in a block of JSON in which no tag can
begin or end, and the script puts it on the page as text. The page may load nothing from anywhere.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="page"><noscript>This page shows its table with a script of its own. Allow scripts, \
or take another form of the table.</noscript></main>
<script id="data" type="application/json">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def make_page(title: str, content: Mapping[str, Any]) -> str:
    """The page that shows some content; the title is ours and never comes from a table."""
    style, script = (_part(name) for name in ("style.css", "script.js"))
    policy = (
        f"default-src 'none'; style-src '{_fingerprint(style)}'; script-src '{_fingerprint(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return FRAME.format(title=title, policy=policy, style=style, script=script, data=inert(content))


def inert(content: Mapping[str, Any]) -> str:
    """JSON that can stand within a page: without any sign that markup begins with."""
    said = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return said.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _fingerprint(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
