"""Runs benchmarks, each in a process of its own, and writes what they found into `docs/`.

`python -m benchmarks.run [--into FOLDER] [NAME…]`; without names all run. `--list` shows them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path

from .measuring import Finding, Others, machine
from .report import markdown

BENCHMARKS = [
    ("suppress-dense-loose", "suppression:dense_loose"),
    ("suppress-dense-tight", "suppression:dense_tight"),
    ("suppress-sparse-loose", "suppression:sparse_loose"),
    ("suppress-sparse-tight", "suppression:sparse_tight"),
    ("propagation", "propagation:run"),
    ("audit-loose", "auditing:loose"),
    ("audit-tight", "auditing:tight"),
    ("audit-million", "million:run"),
    ("structure-million", "building:run"),
    ("records", "records:plain"),
    ("records-huge", "records:huge"),
    ("records-holdings", "records:holdings"),
    ("start-up", "starting:run"),
]
DOCS = Path(__file__).parent.parent / "docs"


def main(arguments: list[str]) -> int:
    """Runs the named benchmarks, or all."""
    known = [name for name, _ in BENCHMARKS]
    folder = DOCS
    if arguments[:1] == ["--into"]:
        folder, arguments = Path(arguments[1]), arguments[2:]
    if arguments == ["--list"]:
        print("\n".join(known))
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"Unknown benchmark {unknown[0]!r}, expected some of: {', '.join(known)}.", file=sys.stderr)
        return 2
    missed: list[str] = []
    for name, place in BENCHMARKS:
        if not arguments or name in arguments:
            print(f"\n== {name}", flush=True)
            finding = _apart(place)
            print(f"wanted   {finding['wanted']}\nmeasured {finding['measured']}", flush=True)
            _keep(folder, name, finding, known)
            missed += [name] if finding["met"] is False else []
    if missed:
        print(f"\nNot met: {', '.join(missed)}.")
    return 1 if missed else 0


def _apart(place: str) -> Finding:
    """One benchmark in a child; what it prints is seen, what it returns comes back through a file."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "finding.json"
        others = Others()
        command = [sys.executable, "-m", "benchmarks.run", "--child", place, str(answer)]
        done = subprocess.run(command, check=False)
        if not answer.exists():
            ended = f"ended with {done.returncode}"
            return {"wanted": "to run", "measured": ended, "met": False, "rows": [], "others": others.cores}
        finding: Finding = json.loads(answer.read_text())
        return finding | {"others": others.cores}


def _child(place: str, answer: str) -> int:
    module, name = place.split(":")
    try:
        finding = getattr(import_module(f"benchmarks.{module}"), name)()
    except Exception:
        traceback.print_exc()
        return 1
    Path(answer).write_text(json.dumps(finding))
    return 0


def _keep(folder: Path, name: str, finding: Finding, known: list[str]) -> None:
    """Writes the finding beside those of earlier runs, in the order of the list."""
    path = folder / "benchmarks.json"
    found = json.loads(path.read_text())["benchmarks"] if path.exists() else {}
    found[name] = finding
    everything = {"machine": machine(), "benchmarks": {k: found[k] for k in known if k in found}}
    folder.mkdir(exist_ok=True)
    path.write_text(json.dumps(everything, indent=1) + "\n")
    (folder / "benchmarks.md").write_text(markdown(everything))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(_child(*sys.argv[2:]))
    sys.exit(main(sys.argv[1:]))
