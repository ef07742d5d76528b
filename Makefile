# make demo: protect the example, and see what comes out
# make test: everything that has to hold
# make thorough: ten thousand random files where make test takes a few hundred
# make site: the documentation, in site/
# make bench: the benchmarks, with their figures in docs/benchmarks.md
# Each sets up .venv first, once. PYTHON=python3.12 chooses the Python it is made of.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install

.PHONY: demo test thorough bench docs site clean

demo: .venv/installed
	$(BIN)/discreet demo --directory demo-output

test: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m small

thorough: .venv/installed-dev
	DISCREET_FILES=10000 $(BIN)/python -m pytest --timeout 0 tests/records -k dialect

bench: .venv/installed-benchmark
	$(BIN)/python -m benchmarks.run

docs: .venv/installed-dev
	$(BIN)/python scripts/make_docs.py
	$(BIN)/python scripts/make_pages.py

site: .venv/installed-docs
	$(BIN)/python scripts/make_site.py

clean:
	rm -rf .cache .venv demo-output build site dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks scripts -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "discreet needs Python 3.11 or newer; name one with PYTHON=…")'
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	$(PIP) --editable .
	@touch $@

.venv/installed-%: .venv/installed
	$(PIP) --editable '.[$*]'
	@touch $@
