"""Writes the pages that are made from the program itself, and the outputs that the README shows.

Run `python scripts/make_docs.py` after a change; a test compares what it makes with the files.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np

from discreet.evidence import Evidence
from discreet.examples import example_folder
from discreet.job.model import Job
from discreet.job.schema import job_schema
from discreet.registry import describe_methods
from discreet.rules.registry import RULES, describe_rules, make_rule

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
WIDTH = 80
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def methods_page() -> str:
    """Every method in the registry, with its source and its options."""
    lines = ["# Methods", "", "Made by `make docs` from the registry; `discreet methods` lists the same.", ""]
    lines += ["| method | family | what it does |", "| --- | --- | --- |"]
    methods = describe_methods()
    lines += [f"| [`{m['method']}`](#{m['method']}) | {m['family']} | {m['summary']} |" for m in methods]
    for method in methods:
        lines += ["", f"## {method['method']}", "", f"{method['summary']}.", "", f"{method['source']}.", ""]
        lines += ["| option | default | what it says |", "| --- | --- | --- |"]
        lines += [f"| `{o['name']}` | `{o['default']}` | {o['help']} |" for o in method["options"]]
    return "\n".join(lines) + "\n"


RULES_SAID = """\
# Rules

Made by `make docs` from the registry. A rule looks at the contributors of a cell and says whether it is
unsafe and how much protection it needs, below and above its value. Rules are given as texts, on the command
line as `--rule p:10 --rule threshold:3` and in Python as `assess(table, ["p:10", "threshold:3"])`, or as
mappings with the parameters by their names, `{"rule": "p", "percent": 10, "level": "holding"}`.

- X is the total of a cell and x1 ≥ x2 ≥ … what its contributors contribute. If another variable than the
  published one is judged, a shadow, needs are carried to the published one in proportion.
- With `@holding` the contributions of one holding are added up first and count as one.
- With sampling weights a contribution of weight w counts as w equal ones, a fraction of one by its fraction.
- All numbers are exact: a tie is decided by the inequality as it is written, a need is rounded up to a unit,
  and where a rule hits it is at least one unit.
- Of several rules, of one kind too, any makes a cell unsafe, and the need is the largest that any gives.
- A cell with a missing code is safe whatever the rules say.
- Percentages may be fractions, such as 12.5.
- With contributions below zero only threshold, zero and manual make sense; the others refuse unless absolute
  values are to be judged. Tables that count contributors know the threshold only.
"""
CELLS = ((400, 198, 40), (400, 198, 39), (75, 25), (76, 24), (30, 40, 30), (100,), (0, 0), ())
ASKED = (2, 3)
"""Cells in the examples whose largest contributor asked for confidentiality with the first code."""


def rules_page() -> str:
    """What holds for all rules, and where each is described."""
    lines = [*RULES_SAID.splitlines(), "", "| rule | what it says |", "| --- | --- |"]
    lines += [f"| [`{r['rule']}`]({r['rule']}.md) | {r['summary']} |" for r in describe_rules()]
    return "\n".join(lines) + "\n"


def rule_page(key: str) -> str:
    """One rule with its formula, its parameters, and what it says of a few cells."""
    (rule,) = (described for described in describe_rules() if described["rule"] == key)
    lines = [f"# The rule {key}", "", f"{rule['summary']}.", "", *_formula(rule["formula"]), ""]
    lines += ["## How it is written", "", f"```text\n{rule['form']}\n```", ""]
    lines += ["| parameter | default | may be | what it says |", "| --- | --- | --- | --- |"]
    lines += [_parameter(p) for p in rule["parameters"]]
    lines += ["", "## What it says", "", *_worked(rule["example"])]
    lines += ["", "[What holds for all rules](index.md)"]
    return "\n".join(lines) + "\n"


def _formula(text: str) -> list[str]:
    """A formula with its numbers below the line, and a line for each of its sentences."""
    lowered = re.sub(r"\bx(?:([0-9n]+)|\((.+?)\))", lambda m: f"x<sub>{m[1] or m[2]}</sub>", text)
    first, *further = lowered.split("; ")
    return [f"> {first}", *(line for part in further for line in (">", f"> {part}"))]


def _parameter(parameter: Mapping[str, Any]) -> str:
    default = "" if parameter["default"] is None else f"`{str(parameter['default']).lower()}`"
    return f"| `{parameter['name']}` | {default} | {parameter['allowed']} | {parameter['help']} |"


def _worked(text: str) -> list[str]:
    """What a rule says of each of the example cells."""
    rule = make_rule(text)
    needs = rule.needs(example_cells())
    lines = [f"`{text}`: {rule.sentence}", "", "| contributions | needs below | needs above |"]
    lines += ["| --- | --- | --- |"]
    for place, (cell, below, above) in enumerate(zip(CELLS, *map(np.ndarray.tolist, needs), strict=True)):
        if rule.scope.marked and not cell:
            continue
        said = [str(amount) for amount in sorted(cell, reverse=True)] or ["nobody"]
        said[0] += " (asked)" if rule.scope.requests and place in ASKED else ""
        found = (below, above) if below or above else ("safe", "safe")
        lines.append(f"| {', '.join(said)} | {found[0]} | {found[1]} |")
    return [*lines, "", "Every one of these cells is marked."] if rule.scope.marked else lines


def example_cells() -> Evidence:
    """What the rules are shown of the example cells."""
    listed = np.array([[*sorted(cell, reverse=True), 0, 0, 0][:3] for cell in CELLS], np.int64)
    request = np.zeros(listed.shape, np.uint8)
    request[list(ASKED), 0] = 1
    count = np.array([len(cell) for cell in CELLS], np.int64)
    return Evidence(listed.sum(axis=1), count, listed, request=request, requests=request.max(axis=1))


def commands_page() -> str:
    """Every command with its arguments and options; options that several commands share stand at the end."""
    from typer.main import get_command

    from discreet.cli.app import EXITS, app

    lines = [
        "# Commands",
        "",
        "Made by `make docs` from the program; `discreet COMMAND --help` says the same.",
    ]
    lines += ["", EXITS]
    commands: Mapping[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
    shared: dict[str, list[Any]] = {}
    for name, command in commands.items():
        places = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option"]
        usage = " ".join(["discreet", name, *(str(p.metavar) for p in places), "[OPTIONS]"])
        lines += ["", f"## {name}", "", str(command.help), "", f"```sh\n{usage}\n```", ""]
        lines += _table([*places, *(p for p in options if not p.rich_help_panel)])
        panels = {p.rich_help_panel: None for p in options if p.rich_help_panel}
        shared |= {panel: [p for p in options if p.rich_help_panel == panel] for panel in panels}
        lines += [f"\nAnd: {', '.join(f'[{p}](#{_anchor(p)})' for p in panels)}."] if panels else []
    for panel, options in shared.items():
        lines += ["", f"## {panel}", "", *_table(options)]
    return "\n".join([*lines, ""])


def _table(options: Sequence[Any]) -> list[str]:
    return ["| | |", "| --- | --- |", *(f"| {_spelling(p)} | {p.help} |" for p in options)]


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def _spelling(option: Any) -> str:
    """An argument by its name, an option by its flags and what goes with it."""
    if option.param_type_name == "argument":
        return f"`{option.metavar}`"
    value = "" if option.is_flag else f" {option.metavar}"
    return f"`{', '.join(option.opts)}{value}`"


JOBS_SAID = """\
# Job files

Made by `make docs` from the program. A job file says in one place how records become a table, what makes its
cells sensitive, what readers know, how it is protected, and where everything goes. `discreet init DATA`
writes a first one for records that nobody described yet, `discreet run JOB.toml` does it, and `discreet
describe`, `compare`, `audit`, `verify` and `convert` take one in the place of a table. Names of files are
seen from the folder of the job file. Editors that know [its schema](job.schema.json) complete and check it.
The [rules](rules/index.md) have keys of their own.

In Python it is `run_job(read_job("firms.toml"))`. This is the job of `make demo`:

```toml
{example}```
"""


def jobs_page() -> str:
    """Every section of a job file with its keys."""
    example = (example_folder() / "firms.toml").read_text(encoding="utf-8")
    lines = [JOBS_SAID.format(example=example).rstrip()]
    for name, field in Job.model_fields.items():
        title, section = _section(name, field)
        lines += ["", f"## {title}", "", str(field.description)]
        if section is not None:
            lines += ["", "| key | default | what it says |", "| --- | --- | --- |"]
            lines += [f"| `{key}` | {_default(held)} | {held.description} |" for key, held in section]
    return "\n".join(lines) + "\n"


def _section(name: str, field: Any) -> tuple[str, Any]:
    """How a section is written, and its keys; rules have keys of their own."""
    inner = [
        kind for kind in (field.annotation, *get_args(field.annotation)) if hasattr(kind, "model_fields")
    ]
    if not inner:
        return f"[[{name}]]", None
    is_list, is_named = get_origin(field.annotation) is tuple, get_origin(field.annotation) is dict
    title = f"[[{name}]]" if is_list else f"[{name}.NAME]" if is_named else f"[{name}]"
    return title, inner[0].model_fields.items()


def _default(field: Any) -> str:
    if field.is_required():
        return "needed"
    default = field.get_default(call_default_factory=True)
    return "" if default is None or default in ((), {}) else f"`{json.dumps(default)}`"


def schema_page() -> str:
    """What a job file may say, for editors."""
    return json.dumps(job_schema(), indent=2, ensure_ascii=False) + "\n"


def readme_page() -> str:
    """The README with the outputs that its commands and its Python lines give now."""
    text = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(Path(folder)):
        run("discreet demo", Path(folder))
        said = ""

        def filled(block: re.Match[str]) -> str:
            nonlocal said
            kind, content = block[1], block[2]
            if kind == "console":
                content = _console(content, Path(folder) / "demo-output")
            if kind == "python":
                said = _python(content)
            if kind == "text":
                content = said
            return f"```{kind}\n{content}```"

        return BLOCK.sub(filled, text)


def _console(content: str, folder: Path) -> str:
    """Commands stand after a dollar sign and go on after a backslash; what they print follows."""
    return "".join(f"$ {command}\n{run(command, folder)}" for command in COMMAND.findall(content))


def run(command: str, folder: Path) -> str:
    """What a shell command prints, without blanks at the ends of lines."""
    words = f"{sys.executable} -m discreet "
    environment = os.environ | {"COLUMNS": str(WIDTH)}
    done = subprocess.run(
        re.sub(r"^discreet ", words, command),
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def _python(content: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(content, "README.md", "exec"), {})
    return said.getvalue()


PAGES = {
    ROOT / "docs" / "methods.md": methods_page,
    ROOT / "docs" / "rules" / "index.md": rules_page,
    ROOT / "docs" / "commands.md": commands_page,
    ROOT / "docs" / "jobs.md": jobs_page,
    ROOT / "docs" / "job.schema.json": schema_page,
    README: readme_page,
}
PAGES |= {ROOT / "docs" / "rules" / f"{key}.md": partial(rule_page, key) for key in RULES}

if __name__ == "__main__":
    for path, page in PAGES.items():
        path.write_text(page(), encoding="utf-8")
