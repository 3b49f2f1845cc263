# GNU make. Each install leaves a stamp in the virtual environment, so that nothing is installed twice.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
OUT ?= demo-report
# More arguments for pip, such as an index with CPU builds of torch.
PIP_FLAGS ?=
# A Python 3.11 or newer to make the environment with; found when not given.
PYTHON ?=
# More arguments for pytest, such as `-k markers -x`.
PYTEST_FLAGS ?=
# More arguments for the fuzz run, such as `--inputs 5000 --seed 2 --only PDF`.
FUZZ_FLAGS ?=

BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-input --progress-bar off -qq \
	-c constraints.txt $(PIP_FLAGS)
STAMP := $(VENV)/.stamp
INSTALL_FILES := pyproject.toml constraints.txt $(STAMP)-venv

.PHONY: help demo test test-browser app lint types cases bench-examples bench-linking bench-evidence fuzz bench-blowup train-smoke bench-nli bench-scores bench-attribution bench-integrity bench-distortions bench-speed install install-dev clean bench-pdf-engines

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Set OUT=folder for the demo's reports, VENV=folder for the environment, PYTHON=/path/to/python3.11,"
	@echo "PIP_FLAGS=... for pip (an index with CPU builds of torch, for one) and PYTEST_FLAGS=... for pytest."

demo: $(STAMP)-base ## Check the example manuscript and write the reports to demo-report
	$(BIN)/veriscite demo --output "$(OUT)"

app: $(STAMP)-app ## Open the app in the browser
	$(BIN)/streamlit run app/main.py

test: lint types ## Lint, types and tests, without the browser
	$(BIN)/python -m pytest -m "not browser" $(PYTEST_FLAGS)

test-browser: $(STAMP)-dev ## Tests of the app in Chromium
	$(BIN)/python -m pytest -m browser $(PYTEST_FLAGS)

lint: $(STAMP)-dev ## Code rules and format (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)-dev ## Types (mypy)
	$(BIN)/mypy

bench-examples: $(STAMP)-base ## Hold the shipped examples against what is right
	$(BIN)/python -m tests.benchmarks.examples

cases: $(STAMP)-dev ## Count how many hard cases pass (needs the shared data)
	$(BIN)/python -m tests.benchmarks.cases

bench-linking: $(STAMP)-dev ## How well manuscripts are read and linked (needs the shared data)
	$(BIN)/python -m tests.benchmarks.linking

bench-evidence: $(STAMP)-dev ## Matching of records, calls and wall time of the retrieval (matching needs the shared data)
	$(BIN)/python -m tests.benchmarks.evidence

fuzz: $(STAMP)-dev ## Hostile input for every parser (FUZZ_FLAGS="--inputs 5000 --seed 2")
	$(BIN)/python -m tests.fuzz $(FUZZ_FLAGS)

bench-blowup: $(STAMP)-dev ## How the time of every parser grows on adversarial input up to 10 MB
	$(BIN)/python -m tests.fuzz.blowup

bench-pdf-engines: $(STAMP)-dev ## pypdf beside pypdfium2, and memory for a thesis (needs the shared data)
	$(BIN)/python -m tests.benchmarks.linking.engines

bench-nli: $(STAMP)-dev ## Every figure of the NLI verifier: scores, errors, attribution, speed (needs the shared data)
	$(BIN)/python -m models.benchmark

bench-scores: $(STAMP)-dev ## Score the default NLI model alone (needs the shared data)
	$(BIN)/python -m models.evaluate

bench-attribution: $(STAMP)-dev ## Whether attributions find planted errors, and their cost (needs the shared data)
	$(BIN)/python -m models.attribution_bench

bench-integrity: $(STAMP)-dev ## A second head for Citation-Integrity's labels, trained and scored (needs the shared data)
	$(BIN)/python -m models.integrity_head

bench-distortions: $(STAMP)-dev ## Recall of each kind of planted error (needs the shared data)
	$(BIN)/python -m models.distortion_bench

bench-speed: $(STAMP)-dev ## The verifier's time per claim beside a plain loop (needs the shared data)
	$(BIN)/python -m models.speed_bench

train-smoke: $(STAMP)-dev ## Run the training script on a few rows (needs the shared data)
	$(BIN)/python -m models.train --smoke --output build/train-smoke

install: $(STAMP)-base ## Make the environment, without development tools

install-dev: $(STAMP)-dev ## Make the environment, with development tools

clean: ## Remove what make, tests and builds left, the environment included
	if [ -f "$(VENV)/pyvenv.cfg" ]; then rm -rf -- "$(VENV)"; fi
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-report
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(STAMP)-venv:
	@for candidate in $(PYTHON) python3.11 python3 python3.12 python3.13; do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$("$$candidate" --version)"; \
	    if "$$candidate" -m venv "$(VENV)"; then touch "$@"; exit 0; fi; \
	    echo "error: $$candidate cannot make a virtual environment; on Debian install python3-venv." >&2; \
	    exit 1; \
	  fi; \
	done; \
	echo "error: VeriScite needs Python 3.11 or newer. Install it, or name it: make PYTHON=/path/to/python3.11" >&2; \
	exit 1

$(STAMP)-base: $(INSTALL_FILES)
	@echo "Installing VeriScite (some minutes the first time: torch is large)"
	$(PIP_INSTALL) -e .
	@touch "$@"

$(STAMP)-app: $(STAMP)-base
	@echo "Installing the app's requirements"
	$(PIP_INSTALL) -e ".[app]"
	@touch "$@"

# The development extras hold everything else.
$(STAMP)-dev: $(INSTALL_FILES)
	@echo "Installing VeriScite with development tools (some minutes the first time: torch is large)"
	$(PIP_INSTALL) -e ".[dev]"
	@touch "$(STAMP)-base" "$(STAMP)-app" "$@"
