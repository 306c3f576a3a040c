# Everything happens in a private .venv; stamp files inside it say what is up to date.
#   make setup   the editor, ready as .venv/bin/foretype
#   make run     start it
#   make test    ruff, mypy and pytest (installs the training and development extras first)
#   make lint    ruff and mypy only
#   make translations   collect the texts of the interface, and build what Qt loads
#   make bench   measure the default model on this machine
#   make onefile the editor as one executable, dist/foretype (docs/packaging.md)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --require-virtualenv install
CONSTRAINTS := constraints.txt
LUPDATE := app/*.py app/personalise/*.py -tr-function-alias tr+=marked -locations none -no-obsolete
TRANSLATED := $(filter-out %_en.ts,$(wildcard assets/translations/*.ts))

.PHONY: setup run test lint translations bench onefile clean

setup: $(VENV)/editor.stamp

run: setup
	$(BIN)/foretype

test: lint
	$(BIN)/pytest -q

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy

translations: setup
	$(BIN)/pyside6-lupdate $(LUPDATE) -ts $(TRANSLATED)
	$(BIN)/pyside6-lupdate $(LUPDATE) -pluralonly -ts assets/translations/foretype_en.ts
	for file in assets/translations/*.ts; do $(BIN)/pyside6-lrelease -silent $$file; done

bench: setup
	$(BIN)/foretype bench

# A tool of whoever packages, no dependency; it packs what the venv holds of the editor.
onefile: setup
	$(PIP) 'pyinstaller>=6.9,<7'
	$(BIN)/pyinstaller --noconfirm docs/foretype.spec

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
