"""The documentation says what the program does, all of it, and what it says works."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from discreet.cli.app import app
from discreet.job.model import Job
from discreet.registry import METHODS
from discreet.rules.registry import RULES, make_rule

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
IMPORTS = '''"""A method written as a trial, after the recipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...engines.status import Status
from ...limits import Limits, Watch
from ...problem import Problem
from ...release import Release
from ..method import Outcome


'''
LINE = '    "suppress-everything": "discreet.methods.suppress.everything:SuppressEverything",\n'


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def numbers_aside(text):
    """The same text with every number, and the blanks that numbers shift, made alike."""
    return re.sub(r"[ ]+", " ", re.sub(r"\d[\d,.]*", "#", text))


def test_the_page_of_methods_is_what_the_registry_says(made):
    assert (ROOT / "docs" / "methods.md").read_text(encoding="utf-8") == made.methods_page()


def test_the_page_of_rules_is_what_the_registry_says(made):
    assert (ROOT / "docs" / "rules" / "index.md").read_text(encoding="utf-8") == made.rules_page()


@pytest.mark.parametrize("key", RULES)
def test_the_page_of_a_rule_is_what_the_registry_says(made, key):
    assert (ROOT / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8") == made.rule_page(key)


@pytest.mark.parametrize("key", RULES)
def test_the_worked_example_of_a_rule_has_safe_and_unsafe_cells(made, key):
    rule = make_rule(RULES[key].example)
    unsafe = rule.needs(made.example_cells()).above > 0
    assert unsafe.any()
    assert unsafe.all() == rule.scope.marked


def test_the_page_of_commands_is_what_the_program_says(made):
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == made.commands_page()


def test_the_page_of_job_files_is_what_the_model_says(made):
    assert (ROOT / "docs" / "jobs.md").read_text(encoding="utf-8") == made.jobs_page()


def test_the_schema_of_job_files_is_what_the_model_says(made):
    assert (ROOT / "docs" / "job.schema.json").read_text(encoding="utf-8") == made.schema_page()


@pytest.mark.parametrize("section", Job.model_fields)
def test_every_section_of_a_job_file_is_documented(section):
    assert re.search(
        rf"^## \[+{section}[.\]]", (ROOT / "docs" / "jobs.md").read_text(encoding="utf-8"), re.MULTILINE
    )


def test_what_the_readme_shows_is_what_its_lines_print(made):
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    assert numbers_aside(shown) == numbers_aside(made.readme_page())


@pytest.mark.parametrize("key", METHODS)
def test_every_method_is_documented(key):
    assert f"## {key}\n" in (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", get_command(app).commands)
def test_every_command_is_documented(name):
    assert f"## {name}\n" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    anchors = {
        re.sub(r"[^a-z0-9 _-]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M)
    }
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif "://" not in target and not target.startswith("made/"):
            assert (page.parent / target.split("#")[0]).exists(), target


def test_what_the_readme_makes_can_be_made():
    wanted = set(re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M))
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert wanted == {"demo", "test"}
    assert wanted <= targets


def test_the_checks_before_a_change_are_what_the_readme_says():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    commands = [line for line in script.read_text(encoding="utf-8").splitlines() if line.startswith("make")]
    assert commands == ["make test"]


def test_one_version_is_said_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def recipe():
    """The method that the recipe for adding one writes."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return textwrap.dedent(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A copy of the project with one more method: a file and a line."""
    folder = tmp_path_factory.mktemp("trial")
    leave = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
    for name in ("src", "tests", "scripts", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "src/discreet/methods/suppress/everything.py").write_text(IMPORTS + recipe(), encoding="utf-8")
    registry = folder / "src/discreet/registry.py"
    text = registry.read_text(encoding="utf-8")
    changed = text.replace("METHODS = {\n", "METHODS = {\n" + LINE)
    assert changed != text
    registry.write_text(changed, encoding="utf-8")
    return folder


def in_trial(folder, *words):
    """What a Python command says in the copy."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_recipe_names_the_line_of_the_registry():
    assert LINE.strip(" ,\n") in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_a_new_method_is_on_the_command_line(trial):
    listed = json.loads(in_trial(trial, "-m", "discreet", "methods", "--json"))
    (entry,) = [method for method in listed if method["method"] == "suppress-everything"]
    assert entry["summary"] == "Withholds whatever may be withheld"


def test_a_new_method_protects(trial, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,value,upl\nTotal,7,0\nx,3,2\ny,4,0\n")
    words = ("protect", str(table), "--method", "suppress-everything", "--json")
    account = json.loads(in_trial(trial, "-m", "discreet", *words))
    assert (account["safe"], account["secondary"]) == (True, 2)


def test_a_new_method_is_in_the_table_of_methods(trial):
    code = "import sys; sys.path.insert(0, 'scripts'); import make_docs; print(make_docs.methods_page())"
    page = in_trial(trial, "-c", code)
    assert "| [`suppress-everything`](#suppress-everything) | suppress |" in page


def test_a_new_method_is_in_the_conformance_suite(trial):
    collected = in_trial(trial, "-m", "pytest", "--collect-only", "tests/test_conformance.py")
    before = sum("suppress-lp" in line for line in collected.splitlines())
    assert sum("suppress-everything" in line for line in collected.splitlines()) == before > 0
