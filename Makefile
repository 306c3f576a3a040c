# Everything happens in a private .venv; stamp files inside it say what is up to date.
#   make setup   the editor, ready as .venv/bin/foretype
#   make run     start it
#   make test    ruff, mypy and pytest (installs the training and development extras first)
#   make lint    ruff and mypy only
#   make bench   measure the default model on this machine

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --require-virtualenv install
CONSTRAINTS := constraints.txt

.PHONY: setup run test lint bench clean

setup: $(VENV)/editor.stamp

run: setup
	$(BIN)/foretype

test: lint
	$(BIN)/pytest -q

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: setup
	$(BIN)/foretype bench

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Foretype needs Python 3.11 or later, and $(PYTHON) is %d.%d; try: make PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/editor.stamp: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(PIP) --constraint $(CONSTRAINTS) --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/editor.stamp
	$(PIP) --constraint $(CONSTRAINTS) --editable '.[train,dev]'
	@touch $@
