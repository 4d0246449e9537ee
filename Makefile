# Each target makes its own virtual environment in .venv if there is none, and installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORPUS ?= ../shared/corpus
# What the weights are trained with, and judged by.
CORPORA ?= $(CORPUS) ../shared/corpus-train
# What a cross-validation holds back: the part to choose by, or a kind of site, or a fifth of the sites, at a time (part, kind, site).
BY ?= part

.PHONY: demo docs docs-tables test test-faults lint train cross-validate train-content-seeker bench-quality bench-speed bench-markdown \
	bench-papers bench-drift bench-poisoning bench-twice bench-curve bench-alone bench-report quality-floors \
	screenshot clean

demo: $(VENV)/.installed
	cd example_project && ../$(BIN)/python -m example_project.demo

test: $(VENV)/.test $(VENV)/.browser $(VENV)/parser-tests
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

# The long part of what the tests try in short: crawls that are stopped and killed, hostile input, stores under fire.
test-faults: $(VENV)/.test
	$(BIN)/python -m stress.fault_crawls
	$(BIN)/python -m stress.fault_inputs
	$(BIN)/python -m stress.fault_stores

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.docs ## Build the site into build/site; DOCS_ARGS=serve shows it while pages are edited
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs $(or $(DOCS_ARGS),build --strict)

docs-tables: $(VENV)/.installed ## Write the tables of docs and README; ARGS='--take FILE ...' first takes over figures
	$(BIN)/python -m docs.generate $(ARGS)

bench-quality: $(VENV)/.bench $(VENV)/node_modules
	$(BIN)/python -m benchmarks.quality $(CORPUS) $(ARGS)

bench-speed: $(VENV)/.bench
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.speed $(CORPUS) $(ARGS)

bench-markdown: $(VENV)/.bench
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.markdown $(CORPUS) $(ARGS)

bench-drift: $(VENV)/.installed
	$(BIN)/python -m benchmarks.drift $(CORPUS) $(ARGS)

bench-poisoning: $(VENV)/.installed
	$(BIN)/python -m stress.poisoning $(CORPUS) $(ARGS)

bench-twice: $(VENV)/.installed
	$(BIN)/python -m benchmarks.twice $(CORPUS) $(ARGS)

bench-curve: $(VENV)/.bench
	$(BIN)/python -m benchmarks.curve $(CORPUS) $(ARGS)

bench-alone: $(VENV)/.bench $(VENV)/node_modules
	$(BIN)/python -m benchmarks.alone $(CORPUS) $(ARGS)

# What the documentation says of the default method: on sites that nothing was trained with or chosen by.
bench-report: $(VENV)/.bench $(VENV)/node_modules
	$(BIN)/python -m benchmarks.report $(CORPORA) $(ARGS)

bench-papers: $(VENV)/.installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m research.papers.papers $(CORPUS) $(ARGS)

train: $(VENV)/.train
	$(BIN)/python -m research.training.train $(CORPORA) $(ARGS)

cross-validate: $(VENV)/.train
	$(BIN)/python -m research.training.train $(CORPORA) --cross-validate $(BY) $(ARGS)

# The decision trees of the method content_seeker; ARGS=--cross-validate says how good such trees are on other sites.
train-content-seeker: $(VENV)/.train
	$(BIN)/python -m research.training.train_content_seeker $(CORPUS) $(ARGS)

quality-floors: $(VENV)/.installed
	$(BIN)/python -m benchmarks.gate $(CORPORA) --raise $(ARGS)

# The picture in the README; wants Chromium and its driver.
screenshot: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m tests.support.screenshot docs/report.png

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache example_project/output example_project/.scrapy

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed; name it with PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# Extractors that run by Node, and the DOM they get; without them, or without npm, benchmarks leave them out. This release
# of jsdom is the last that runs on all of Node from 18 on.
NODE_PACKAGES := defuddle@0.19.4 @mozilla/readability@0.6.0 jsdom@26.1.0
$(VENV)/node_modules: | $(VENV)/bin/python
	-npm install --prefix $(VENV) --no-audit --no-fund --save-exact $(NODE_PACKAGES)

# The parser tests that html5lib's source distribution carries; without them their tests are skipped.
$(VENV)/parser-tests: | $(VENV)/.test
	-$(BIN)/python -m pip download --quiet --no-deps --no-build-isolation --no-binary html5lib --dest $@ html5lib==1.1

$(VENV)/.test $(VENV)/.browser $(VENV)/.lint $(VENV)/.bench: $(VENV)/.%: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

# Of the versions that the weights in the package were trained with, to get the same ones.
$(VENV)/.train: research/training/constraints.txt $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[train]' --constraint $<
	touch $@
