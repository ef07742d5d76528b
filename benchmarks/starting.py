"""How long the program and the package take to start."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from statistics import median
from time import perf_counter

from .measuring import Finding
from .report import show

TIMES = 5
MOST = {"discreet --help": 0.4, "import discreet": 0.5}
CODE = {
    "python alone": "pass",
    "import discreet": "import discreet",
    "discreet --help": "import sys; sys.argv = ['discreet', '--help']; from discreet.cli import main; main()",
}


def run() -> Finding:
    """The median of five starts each."""
    rows = []
    for name, code in CODE.items():
        if "cli" in code and importlib.util.find_spec("discreet.cli") is None:
            rows.append({"start": name, "seconds": "skipped: there is no command line yet"})
            continue
        command = [sys.executable, "-c", code]
        env = os.environ | {"COLUMNS": "100"}
        _start(command, env)
        taken = sorted(_start(command, env) for _ in range(TIMES))
        rows.append({"start": name, "seconds": median(taken), "slowest": taken[-1]})
    show(rows)
    measured = {row["start"]: row["seconds"] for row in rows if isinstance(row["seconds"], float)}
    judged = [measured[name] < most for name, most in MOST.items() if name in measured]
    return {
        "wanted": ", ".join(f"`{name}` < {most:g} s" for name, most in MOST.items()),
        "measured": ", ".join(
            f"`{n}` {measured[n]:.2f} s" if n in measured else f"`{n}` skipped" for n in MOST
        ),
        "met": all(judged) if len(judged) == len(MOST) else None,
        "rows": rows,
        "note": f"Median of {TIMES} starts after one that does not count, Python's own start included.",
    }


def _start(command: list[str], env: dict[str, str]) -> float:
    begun = perf_counter()
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - begun
