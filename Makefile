# make run   the demonstration, nothing to set up by hand
# make deb   the Debian package, into dist/
# make test  ruff, mypy --strict and pytest, as .ci/run calls them
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# What the caller has set for their own tests is not for these.
unexport PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONWARNINGS PYTHONOPTIMIZE

.PHONY: run deb test long other-drivers benchmarks translations clean

run: $(VENV)/.installed
	$(BIN)/lastcard demo

deb: | $(BIN)/pip
	$(BIN)/python systemd/package/build.py

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

long: other-drivers
	$(BIN)/python -m pytest -m long -rs

# Other people's drivers, for the tests of the simulated chip. What can't be had is said here, and again by its tests.
other-drivers: $(VENV)/.installed-dev
	-$(BIN)/python -m tests.hardware.other_drivers

benchmarks: $(VENV)/.installed-dev
	for file in tests/benchmarks/[a-z]*.py; do $(BIN)/python $$file || exit 1; done

# What is said is marked with _(), or is a notice or a bad line. The template is not kept: it would change with every line moved.
LOCALE := table_app/locale
MARKED := _ said refused trouble Notice BadLineError _n:1,2 said_counted:1,2 refused_counted:1,2
MARKS := $(foreach mark,$(MARKED),--keyword=$(mark))

translations: $(VENV)/.installed-dev
	$(BIN)/pybabel --quiet extract $(MARKS) --add-location=file --output=$(VENV)/lastcard.pot table_app
	$(BIN)/pybabel --quiet update --domain=lastcard --input-file=$(VENV)/lastcard.pot --output-dir=$(LOCALE) \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --width=120
	$(BIN)/pybabel compile --domain=lastcard --directory=$(LOCALE) --statistics

# A half-made environment (the plug again) has no pip; it is made anew, never trusted.
$(BIN)/pip:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps mfrc522==0.0.7
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
