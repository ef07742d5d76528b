"""The import order of the package, read from its source, so that breaking it fails a test."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import discreet
from discreet.registry import METHODS

ROOT = Path(discreet.__file__).parent
LAYERS = """
errors arrays units | limits | engines | hierarchy structure evidence table selection | rules problem
| assessment description | release freedom
| witnesses insiders implicit judgement certificate | attack | auditor | loss | methods registry
| display profile result pipeline | comparison report | io | records | job | generate examples | cli __main__
"""
ORDER = [name for name in LAYERS.split() if name != "|"]
SOLVERS = {"highspy", "pyscipopt", "pysat", "ortools", "cvxpy", "scipy.optimize", "gurobipy", "cplex"}
HEAVY = {"pandas", "polars", "narwhals", "pyarrow", "duckdb", "matplotlib", "plotly", "fastapi", "flask"}
SCREEN = {"typer", "rich"}
JUDGES = ["certificate", "judgement", "witnesses", "io.certificates", "io.told", "io.formats", "io.jj"]
SOLVING = {"engines.linear", "attack", "auditor", "methods", "pipeline", "registry"}

TO_BE_RENAMED = {"attack.harvest"}

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path != ROOT / "__init__.py"
}


def imports(name):
    """Every import of a module, wherever it stands: what it names, and whether it runs with the module."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    late = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    typing = {
        id(n)
        for f in ast.walk(tree)
        if isinstance(f, ast.If) and ast.unparse(f.test) == "TYPE_CHECKING"
        for n in ast.walk(f)
    }
    for node in ast.walk(tree):
        at_once = id(node) not in late and id(node) not in typing
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, at_once
        elif isinstance(node, ast.ImportFrom):
            base = absolute(name, node)
            yield base, at_once
            for alias in node.names:
                if f"{base}.{alias.name}".removeprefix("discreet.") in MODULES:
                    yield f"{base}.{alias.name}", at_once


def absolute(name, node):
    if not node.level:
        return node.module
    parts = ["discreet", *name.split(".")]
    is_package = MODULES[name].name == "__init__.py"
    kept = parts[: len(parts) - node.level + is_package]
    return ".".join([*kept, *([node.module] if node.module else [])])


def own(name):
    """The modules of the package that a module imports."""
    return {i.removeprefix("discreet.") for i, _ in imports(name) if i.startswith("discreet.")}


def outside(name):
    """The packages of others that a module imports, and which of them at once."""
    found = {}
    for imported, at_once in imports(name):
        if not imported.startswith("discreet"):
            found[imported] = found.get(imported, False) or at_once
    return found


def uses(imported, packages):
    return any(imported == p or imported.startswith(f"{p}.") for p in packages)


def test_every_part_has_its_place_in_the_order():
    assert {name.split(".")[0] for name in MODULES} == set(ORDER)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_from_its_left(name):
    part = name.split(".")[0]
    allowed = ORDER[: ORDER.index(part) + 1]
    assert {other.split(".")[0] for other in own(name)} <= set(allowed)


@pytest.mark.parametrize("name", [name for name in MODULES if not name.startswith("engines")])
def test_only_engines_import_a_solver(name):
    assert not [i for i in outside(name) if uses(i, SOLVERS)]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "engines.tolerances"])
def test_small_floats_stand_among_the_tolerances_only(name):
    text = MODULES[name].read_text(encoding="utf-8")
    numbers = [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == 2]
    assert not [n for n in numbers if "e-" in n.lower() and not n.lower().startswith("0x")]


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("methods")])
def test_methods_know_neither_the_auditor_nor_one_another(name):
    registered = {home.split(":")[0].removeprefix("discreet.") for home in METHODS.values()}
    assert not own(name) & {"auditor", "judgement", "certificate", "pipeline", *(registered - {name})}


@pytest.mark.parametrize("name", MODULES)
def test_dataframe_plotting_and_web_libraries_are_imported_when_they_are_needed(name):
    assert not [i for i, at_once in outside(name).items() if at_once and uses(i, HEAVY)]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.startswith("cli")])
def test_only_the_command_line_writes_to_the_screen(name):
    assert not [i for i in outside(name) if uses(i, SCREEN)]


@pytest.mark.parametrize("name", JUDGES)
def test_whoever_judges_needs_no_solver(name):
    reached, waiting = set(), [name]
    while waiting:
        here = waiting.pop()
        if here not in reached and here in MODULES:
            reached.add(here)
            waiting += own(here)
    assert not [r for r in reached if uses(r, SOLVING)]
    assert not [i for r in reached for i in outside(r) if uses(i, SOLVERS | {"numba"})]


@pytest.mark.parametrize("name", [name for name in MODULES if not MODULES[name].name.startswith("__")])
def test_no_module_has_the_name_of_something_it_exports(name):
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    made = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    assert name.split(".")[-1] not in made or name in TO_BE_RENAMED


def test_importing_the_package_imports_nothing_heavy():
    said = subprocess.run(
        [sys.executable, "-c", "import discreet, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT.parent)},
    )
    assert not {"numpy", "scipy", "numba", "highspy", "pyarrow", "typer", "rich"} & set(said.stdout.split())
