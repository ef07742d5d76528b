"""Fills the pages of the site with what their lines print and what the program computes for them.

Run `python scripts/make_pages.py` after a change, perhaps with the names of pages; a test compares what it
makes with the files. Each page is run in a folder of its own, which holds the example that ships with
discreet. In a page

- a block with a title is a file of that name, which the lines below it can read;
- a `console` block holds commands, each with what it prints;
- `python` blocks go on from one another, and a `text` block without a title is what the one above prints;
- what stands between `<!-- made: NAME -->` and `<!-- end -->` is what `figures.NAME()` says;
- other blocks are only shown.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import figures

from discreet.examples import example_folder

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE_ELSEWHERE = {"benchmarks.md", "commands.md", "jobs.md", "methods.md"}
"""Right in `docs/`; the pages on rules are made elsewhere, too."""
WIDTH = 80
BLOCK = re.compile(r'^```(\w+)(?: title="(.+?)")?(.*)\n((?:.*\n)*?)```$', re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)
MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """The pages that are run; those that other scripts make as a whole are not."""
    elsewhere = {*(DOCS / name for name in MADE_ELSEWHERE), *(DOCS / "rules").iterdir()}
    return sorted(set(DOCS.rglob("*.md")) - elsewhere)


def filled(text: str) -> str:
    """A page with everything in it run and computed once more."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(Path(folder)):
        for path in (*example_folder().iterdir(), *(DOCS / "data").iterdir()):
            if path.suffix in {".csv", ".hrc", ".toml"}:
                shutil.copy(path, folder)
        return BLOCK.sub(_Runs().fill, MADE.sub(lambda m: f"{m[1]}{getattr(figures, m[2])()}\n{m[3]}", text))


class _Runs:
    """The blocks of one page, run one after the other."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.said: str | None = None

    def fill(self, block: re.Match[str]) -> str:
        """One block as it is now."""
        kind, title, rest, content = block.groups()
        if title:
            Path(title).write_text(content, encoding="utf-8")
        elif kind == "console":
            content = "".join(f"$ {command}\n{run(command)}" for command in COMMAND.findall(content))
        elif kind == "python":
            self.said = self._python(content)
        elif kind == "text" and self.said is not None:
            content = self.said
        titled = f' title="{title}"' if title else ""
        return f"```{kind}{titled}{rest}\n{content}```"

    def _python(self, content: str) -> str:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(content, "page", "exec"), self.names)
        return "".join(line.rstrip() + "\n" for line in said.getvalue().splitlines())


def run(command: str) -> str:
    """What a shell command prints, errors too, as wide as a terminal and without blanks at the ends."""
    done = subprocess.run(
        re.sub(r"(^|&& |; )discreet ", rf"\1{sys.executable} -m discreet ", command),
        shell=True,
        env=os.environ | {"COLUMNS": str(WIDTH), "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode and "echo $?" not in command:
        raise RuntimeError(f"{command}\n{done.stdout}")
    return "".join(f"{_wrapped(line.rstrip())}\n" for line in done.stdout.splitlines())


def _wrapped(line: str) -> str:
    is_prose = line.startswith(("error: ", "{"))
    return line if not is_prose or len(line) <= WIDTH else "\n".join(textwrap.wrap(line, WIDTH))


def main(wanted: list[str]) -> None:
    """Writes the pictures and the pages whose paths hold one of the words, or all."""
    for name, picture in figures.PICTURES.items():
        path = DOCS / "pictures" / f"{name}.svg"
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture(), encoding="utf-8")
    for page in pages():
        if not wanted or any(word in str(page.relative_to(DOCS)) for word in wanted):
            page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
