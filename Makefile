.DEFAULT_GOAL := help
BIN := .venv/bin
PORT ?= 8501
FLINKS := 1.9.3 1.20.5 2.2.1 python-2.2.1
ROOMS := $(wildcard app.py explorer components reference tests benchmarks)

.PHONY: help run test quick mutants check format docs dist playground screenshots audit lock clean
.PHONY: environment

help: ## print this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

run: environment ## open the page on http://127.0.0.1:8501, or another PORT=
	@$(BIN)/python -m explorer ui --port $(PORT)

# Each process would otherwise compile pytest, its plugins and hypothesis anew.
test quick: export PYTHONDONTWRITEBYTECODE :=

test: environment ## run every test, with Chromium, Spark and three Flinks
	@.ci/browser-and-java
	@# The first trial leaves an archive of Spark's classes: later JVMs start in half of the time.
	@$(BIN)/python -m tests.engine.on_spark
	@.ci/flink $(FLINKS)
	@# Flink's JVMs, of which these tests start a hundred, begin with archives of classes, too.
	@env -u CI $(BIN)/python -m tests.capture.flinks
	$(BIN)/pytest -n 2 --dist loadgroup

quick: environment ## run the tests that need no browser, no Java and no patience
	$(BIN)/pytest -n 2 --dist loadgroup -p no:hypothesispytest \
		-m "not browser and not spark and not flink and not law and not process and not slow"

mutants: environment ## measure the tests: which of 100 changes of the code does none notice?
	$(BIN)/python -m benchmarks.mutants

check: environment ## lint, format, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(ROOMS)
	$(BIN)/lint-imports

format: environment ## fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: environment ## build the documentation site in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

dist: environment ## build wheel and source distribution in dist
	$(BIN)/python -m hatchling build

playground: environment ## build the explorer without a server: build/playground, build/explorer.html
	@command -v npm >/dev/null || .ci/debian "npm is missing" nodejs npm
	@$(BIN)/python -m reference.playground.building

screenshots: environment ## take the images of README and docs anew, with Chromium
	@.ci/browser-and-java
	$(BIN)/pytest -q -n 0 tests/journeys/screenshots.py

audit: environment ## list licences and known vulnerabilities; AUDIT_DATA=FILE has advisories
	@$(BIN)/python .ci/audit

lock: environment ## pin every dependency again in requirements.lock
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --generate-hashes \
		--upgrade --quiet --custom-compile-command "make lock" --output-file requirements.lock

clean: ## remove the environment and all caches
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

environment:
	@.ci/environment
