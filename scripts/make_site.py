"""Builds the site: the pages of `docs/` and of the project's root, put together and given to Zensical.

Run `python scripts/make_site.py`; the site is in `site/`. A link that leads nowhere is an error.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from discreet import read_job, run_job
from discreet.examples import example_folder

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "build" / "site-source"
"""`zensical.toml` reads the pages from here."""
FROM_ROOT = {"ARCHITECTURE.md": "architecture.md", "CHANGELOG.md": "changelog.md"}
FROM_ROOT |= {"CONTRIBUTING.md": "contributing.md"}
MADE_PAGES = ("public.html", "report.html")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
MADE = re.compile(r"<!-- (?:made: \w+|end) -->\n?")


def gather() -> None:
    """All pages in one folder, with links that hold there."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    for name, page in FROM_ROOT.items():
        shutil.copy(ROOT / name, SOURCE / page)
    for path in SOURCE.rglob("*.md"):
        text = MADE.sub("", path.read_text(encoding="utf-8"))
        up = "../" * (len(path.relative_to(SOURCE).parts) - 1)
        path.write_text(LINK.sub(lambda link, up=up: _moved(link, up), text), encoding="utf-8")


def run_example() -> None:
    """The pages that the job of the tutorial writes, beside those that lead to them."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(example_folder(), folder, dirs_exist_ok=True)
        job = Path(folder, "firms.toml")
        run_job(read_job(job))
        (SOURCE / "made").mkdir()
        for name in MADE_PAGES:
            shutil.copyfile(job.with_name(name), SOURCE / "made" / name)


def _moved(link: re.Match[str], up: str) -> str:
    """A link between `docs/` and the root, as the gathered pages have it."""
    target = link[1].removeprefix("docs/").removeprefix("../" * (up.count("../") + 1))
    return f"]({up if target in FROM_ROOT else ''}{FROM_ROOT.get(target, target)}{link[2] or ''})"


def build() -> int:
    """Builds the site strictly; the exit code says whether it could be built."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    return subprocess.run([*command, "--config-file", str(ROOT / "zensical.toml")], check=False).returncode


if __name__ == "__main__":
    gather()
    run_example()
    sys.exit(build())
