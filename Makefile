# Every target sets up what it needs in .venv, from a fresh clone too; the second call is quick.

PYTHON ?= python3
ARGS   ?=

# make test, cases, tests: of one ruleset alone where it is named, RULESET=quickstart
RULESET ?=
RULESETS := $(patsubst src/sandtable/rulesets/%/rules,%,$(wildcard src/sandtable/rulesets/*/rules))
ifneq ($(filter-out $(RULESETS),$(RULESET)),)
$(error There is no ruleset $(RULESET); there are $(RULESETS))
endif

# make soak: which share of the seeds, how many battles in all, and the file that keeps the totals;
# ARGS="--ruleset RULESET" or ARGS="--ruleset RULESET/SCENARIO" plays those alone, --lean small battles mostly
SHARD   ?= 0
OF      ?= 1
BATTLES ?= 10000
OUT     ?= .soak/totals.json
PAIRS   ?= 100000

# make attack: how much of it, and the file that keeps the totals; ARGS="--only files forged" does these alone
SHARE    ?= 1.0
ATTACKED ?= .soak/attack.json

# make killing: how often, in SQLite and in PostgreSQL each, and the file that keeps the totals
KILLS  ?= 1000
KILLED ?= .soak/killing.json

BIN     := .venv/bin
KERNEL  := $(wildcard src/sandtable/field/_kernel*.py src/sandtable/field/_kernel*.pxd)
# A stale extension must never win over its source, so it goes before anything is built.
BUILT    = src/sandtable/field/_kernel*.so

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play test venv lint formatted types layers cases tests bench soak secrecy killing attack format lock clean

help:  ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/.ready  ## Open the table in the browser; ARGS="--port 8050" goes to the command
	@$(BIN)/sandtable serve $(ARGS)

test: lint formatted types layers cases tests  ## Run every check and every test; RULESET=NAME those of one ruleset
	@echo "make test: everything$(if $(RULESET), about $(RULESET)) passed"

venv: .venv/.dev-ready  ## Make the developers' environment in .venv, the kernel compiled

lint: .venv/.dev-ready  ## ruff's rules
	$(BIN)/ruff check .

formatted: .venv/.dev-ready  ## ruff's format, checked only
	$(BIN)/ruff format --check .

types: .venv/.dev-ready  ## mypy --strict
	$(BIN)/mypy --strict src tests $(wildcard benchmarks)

layers: .venv/.dev-ready  ## Imports point one way
	$(BIN)/lint-imports

cases: .venv/.dev-ready  ## Play every conformance case, or those of RULESET
	$(BIN)/sandtable case cases/$(RULESET)

# What is about one ruleset: its own tests, and of those that go over all rulesets the ones that bear its name.
OF_RULESET = tests/rulesets/$(RULESET) src/sandtable/rulesets/$(RULESET) tests/test_golden.py tests/test_ledgers.py -k "$(RULESET)"

tests: .venv/.dev-ready  ## pytest; ARGS="-k journal" chooses, RULESET=NAME takes what is about one ruleset
	$(BIN)/pytest -n 3 --dist worksteal $(if $(RULESET),$(OF_RULESET)) $(ARGS)

bench: .venv/.dev-ready  ## Run every benchmark
	@set -e; for script in $(filter-out benchmarks/_%,$(wildcard benchmarks/*.py)); do \
		echo "$$script"; $(BIN)/python "$$script" $(ARGS); done

soak: .venv/.dev-ready  ## Play random battles; SHARD=0 OF=1 BATTLES=10000 OUT=.soak/totals.json, resumable
	@mkdir -p "$(dir $(OUT))"
	$(BIN)/python -m tests.soak --shard $(SHARD) --of $(OF) --battles $(BATTLES) --out "$(OUT)" $(ARGS)

secrecy: .venv/.dev-ready  ## Compare pairs of battles that differ in a secret; SHARD=0 OF=1 PAIRS=100000, resumable
	@mkdir -p .soak
	$(BIN)/python -m tests.secrecy --shard $(SHARD) --of $(OF) --pairs $(PAIRS) --out .soak/secrecy.json $(ARGS)

killing: .venv/.dev-ready  ## Kill a server at random moments, on either database; KILLS=1000, resumable
	$(BIN)/python -m tests.server.killing --times $(KILLS) --out "$(KILLED)" $(ARGS)

attack: .venv/.dev-ready  ## Damaged files, forged journals, hostile requests, kills and faults; SHARE=1.0, resumable
	$(BIN)/python -m tests.attack --share $(SHARE) --out "$(ATTACKED)" $(ARGS)

format: .venv/.dev-ready  ## Put every file into ruff's format, mending what ruff can mend
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

lock: .venv/.made  ## Choose versions anew and write requirements/*.txt; UPGRADE=--upgrade takes the newest
	$(BIN)/python requirements/lock.py $(UPGRADE)

clean:  ## Remove all that was made, the environment too; the totals of the soak stay
	rm -rf .venv build dist src/*.egg-info $(BUILT) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- the environment, by stamps ----------------------------------------------------------------------------------

# Debian's Python comes without venv; who may install it gets it here.
DEBIAN_VENV = { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing python3-venv" && \
	apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv; }

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Sandtable needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(DEBIAN_VENV) || \
		{ echo "Python has no venv here; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.run: requirements/run.txt | .venv/.made
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/run.txt
	@touch $@

.venv/.dev: requirements/dev.txt | .venv/.made
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

INSTALL = rm -f $(BUILT) && \
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e . && \
	{ ls $(BUILT) >/dev/null 2>&1 || [ -z "$(KERNEL)" ] || echo "The kernel could not be compiled, so it is interpreted: the same answers, more slowly."; }

.venv/.ready: .venv/.run pyproject.toml setup.py $(KERNEL)
	@$(INSTALL)
	@touch $@

.venv/.dev-ready: .venv/.dev pyproject.toml setup.py $(KERNEL)
	@$(INSTALL)
	@touch $@ .venv/.run .venv/.ready
