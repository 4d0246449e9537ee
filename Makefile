# Each target makes its own virtual environment in .venv if there is none, and installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Compiled tests are kept, whatever the shell says: a second run begins ten seconds sooner.
export PYTHONDONTWRITEBYTECODE :=
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
# Pages with their main text, to measure on; of CORPORA all, to train with and to report on.
CORPUS ?= ../shared/corpus
CORPORA ?= $(CORPUS) ../shared/corpus-train
# Pages whose values alone are known.
VALUES ?= ../shared/corpus-values
# Pages with the article that people want of each as HTML, or a checkout of another extractor's tests.
THINGS ?= ../shared/things/mozilla.jsonl.gz

.DEFAULT_GOAL := help
.PHONY: help demo test test-quick test-tools test-scale lint docs docs-tables docs-lines screenshot clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-22s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## Crawl a site of this machine and show what was stripped
	cd example_project && ../$(BIN)/python -m example_project.demo

test: $(VENV)/.test $(VENV)/.browser $(VENV)/parser-tests ## Run the tests of the package; PYTEST_ARGS='-k name' runs some
	@$(if $(PYTEST_ARGS),:,echo 'This takes some 6 minutes on two idle cores, and longer on busy ones; test-quick takes one.')
	$(PYTEST) $(PYTEST_ARGS)

test-quick: $(VENV)/.test ## Run the tests without whole crawls, the browser and the slow ones
	$(PYTEST) -m "not crawl and not browser and not slow" --hypothesis-profile quick $(PYTEST_ARGS)

test-tools: $(VENV)/.test $(VENV)/.browser $(VENV)/.lint ## Run the tests of benchmarks, research, stress and release
	@$(if $(PYTEST_ARGS),:,echo 'This takes some 5 minutes on two idle cores, and longer on busy ones.')
	$(PYTEST) benchmarks/tests research/tests stress/tests release/tests $(PYTEST_ARGS)

test-core: $(VENV)/.test ## Run the tests of the core in a copy without extras
	$(BIN)/python -m tests.support.copies -n auto --dist worksteal -m "not browser" $(PYTEST_ARGS)

test-scale: $(VENV)/.scale ## Run the tests on Spark and datatrove, which want Java 17
	BLOCKFILTER_TEST_SCALE=required $(BIN)/python -m pytest tests/extras/spark tests/docs/test_scale.py $(PYTEST_ARGS)

lint: $(VENV)/.lint ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.docs ## Build the site into build/site; DOCS_ARGS=serve shows it while pages are edited
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs $(or $(DOCS_ARGS),build --strict)

docs-tables: $(VENV)/.installed ## Write the tables of docs and README; ARGS='--take FILE ...' first takes over figures
	$(BIN)/python -m docs.generate $(ARGS)

docs-lines: $(VENV)/.installed ## Write the table of lines of code in CONTRIBUTING
	$(BIN)/python -m docs.generate.lines

screenshot: $(VENV)/.test $(VENV)/.browser ## Take the picture of a report anew, with Chromium
	$(BIN)/python -m tests.support.screenshot docs/report.png docs/report-dark.png

clean: ## Remove the environment and all that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .nox
	rm -rf example_project/output example_project/.scrapy

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed; name it with PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# Dependency groups, each with the package, so that the versions fit together.
$(VENV)/.test $(VENV)/.browser $(VENV)/.scale $(VENV)/.lint $(VENV)/.bench $(VENV)/.docs $(VENV)/.beside $(VENV)/.native: $(VENV)/.%: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable . --group $*
	touch $@

# The parser tests that html5lib's source distribution carries; without them their tests are skipped.
$(VENV)/parser-tests: | $(VENV)/.test
	-$(BIN)/python -m pip download --quiet --no-deps --no-build-isolation --no-binary html5lib --dest $@ html5lib==1.1

include benchmarks/Makefile research/Makefile stress/Makefile
