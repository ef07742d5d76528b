"""The pages of the site: what they show is what their lines print, and the site can be built from them."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import discreet

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def script():
    """A way to load a script that may load others beside it."""
    before = list(sys.path)
    sys.path.insert(0, str(ROOT / "scripts"))
    yield importlib.import_module
    sys.path[:] = before


def pages():
    """All pages of the documentation."""
    return sorted(DOCS.rglob("*.md"))


def numbers_aside(text):
    """The same text with every number, and the blanks that numbers shift, made alike."""
    return re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*", "#", text))


def navigation(entries):
    """The pages that a part of the navigation names."""
    for entry in entries:
        for target in entry.values():
            yield from navigation(target) if isinstance(target, list) else (target,)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(DOCS)))
def test_what_a_page_shows_is_what_its_lines_print(script, page):
    maker = script("make_pages")
    if page not in maker.pages():
        pytest.skip("made by another script, and tested there")
    shown = page.read_text(encoding="utf-8")
    alike = str if page.parent.name == "theory" else numbers_aside
    assert alike(maker.filled(shown)) == alike(shown)


@pytest.mark.parametrize("name", ["held", "told", "reach", "witness", "mirror"])
def test_a_picture_shows_what_is_computed(script, name):
    picture = script("figures").PICTURES[name]()
    assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == picture


def test_the_picture_of_the_large_example_shows_what_is_computed(script):
    """Its pattern may differ between versions of the solver; what it shows and where may not."""

    def outline(picture):
        return re.sub(r'class="(primary|secondary|published)"', "", picture)

    shown = (DOCS / "pictures" / "firms.svg").read_text(encoding="utf-8")
    assert outline(script("figures").PICTURES["firms"]()) == outline(shown)


def test_a_page_whose_output_changed_is_noticed(script):
    text = '```python\nprint("now")\n```\n\n```text\nbefore\n```\n'
    assert script("make_pages").filled(text) == text.replace("before", "now")


def test_a_command_that_fails_unannounced_is_an_error(script):
    with pytest.raises(RuntimeError, match="no such file"):
        script("make_pages").filled("```console\n$ discreet describe nothing.csv\n```\n")


def test_every_page_is_in_the_navigation(script):
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    written = {str(page.relative_to(DOCS)) for page in pages()} | set(script("make_site").FROM_ROOT.values())
    assert sorted(navigation(site["nav"])) == sorted(written)


@pytest.mark.parametrize("name", discreet.__all__)
def test_everything_that_is_exported_is_in_the_reference(name):
    homes = [f"discreet.{discreet.HOME_OF[name]}.{name}"]
    text = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    errors = re.search(r"discreet\.errors\n(?:.*\n)*?.*members: \[(.*)\]", text)[1].split(", ")
    assert name in errors or f"::: {homes[0]}\n" in text


def test_lines_that_are_run_fit_on_a_page(script):
    blocks = [
        (page.name, line)
        for page in pages()
        for block in script("make_pages").BLOCK.finditer(page.read_text(encoding="utf-8"))
        for line in block[4].splitlines()
        if len(line) > 86 and (block[1] == "python" or line.startswith("$ "))
    ]
    assert blocks == []


@pytest.fixture(scope="module")
def site():
    """The site, built strictly: any warning is an error."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_site.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "site"


def test_the_site_has_every_page(site):
    for page in pages():
        name = page.relative_to(DOCS).with_suffix("")
        folder = name.parent if name.name == "index" else name
        assert (site / folder / "index.html").is_file(), page


@pytest.mark.parametrize("name", ["public.html", "report.html"])
def test_the_pages_that_the_tutorial_makes_are_on_the_site(site, name):
    assert f"(made/{name})" in (DOCS / "tutorial.md").read_text(encoding="utf-8")
    assert (site / "made" / name).is_file()


def test_no_page_of_the_site_loads_anything_from_elsewhere(site):
    loading = re.compile(r'<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="(https?:)?//', re.IGNORECASE)
    assert [page for page in site.rglob("*.html") if loading.search(page.read_text(encoding="utf-8"))] == []


def test_a_link_that_leads_nowhere_keeps_the_site_from_being_built(script, tmp_path, monkeypatch):
    maker = script("make_site")
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8").split("nav = [")[0]
    (tmp_path / "zensical.toml").write_text(config, encoding="utf-8")
    (tmp_path / "build" / "site-source").mkdir(parents=True)
    (tmp_path / "build" / "site-source" / "index.md").write_text("# A\n\n[B](nowhere.md)\n")
    monkeypatch.setattr(maker, "ROOT", tmp_path)
    assert maker.build() != 0
