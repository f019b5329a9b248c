# Sandtable: `make demo` and `make test` each do all the set-up that they need.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Where the environment forbids to keep compiled modules, each test that starts the command would compile it all again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo test check format models lock clean

install: $(READY)

$(READY): requirements.lock pyproject.toml Makefile .ci/system-libraries.sh
	sh .ci/system-libraries.sh
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make install PYTHON=...")'
	@# One that was begun and not finished, or by an older Python, is made anew.
	@$(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m rules.warm
	$(BIN)/python -m vision.warm
	touch $(READY)

demo: $(READY)
	$(BIN)/sandtable demo

# Each core takes tests from the others when it has none left; more than four would want more memory than time.
test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory test
	$(BIN)/python -m pytest --doctest-modules calibration rules vision ui -p no:cacheprovider

format:
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Train every model again; needs models/requirements-training.txt and takes hours on two cores.
models: $(READY)
	sh models/train.sh

# Pin what pyproject.toml asks for; no address of an index is written down.
lock:
	$(BIN)/pip-compile --quiet --all-extras --allow-unsafe --generate-hashes --strip-extras \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist *.egg-info
