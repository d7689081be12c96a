# Each target does its own set-up: the first one takes minutes, afterwards it is a glance.
SHELL := /bin/sh
export PYTHON ?= python3
# Containers often set it; without compiled files each of hundreds of processes compiles everything.
export PYTHONDONTWRITEBYTECODE :=
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/ready
MODEL := sample_models/digits_float32.onnx
PICTURE := sample_models/inputs/digit_3.png
LANGUAGE_MODEL := sample_models/alice
PROMPT := Alice opened the door
SYSTEM := $(if $(filter Windows_NT,$(OS)),Windows,$(shell uname -s))
SECONDS := 60
SEED := 18
COUNT := 60
JOBS := 2
FILES := $(wildcard sample_models/*.onnx)
# Those left out are a slow test, too, need another tree, or a browser; what is shared lies in parts/.
BENCHMARKS := $(filter-out backend other_tree peer_netron_window,$(notdir $(basename $(wildcard benchmarks/[a-z]*.py))))
SCREEN := $(if $(filter Linux,$(SYSTEM)),$(DISPLAY)$(WAYLAND_DISPLAY),$(SYSTEM))

.PHONY: help setup system run quick test test-slow mutants lint bench fuzz fuzz-loaders click click-formats bundle pictures how-to docs vscode windows

help:
	@echo "make run        the window on a sample model; without a screen its pictures and reports"
	@echo "make test       the tests; make test-slow runs the long ones too"
	@echo "make quick      the tests that start no process and need no window, under a minute"
	@echo "make mutants    COUNT=60 one-token changes of the package, chosen by SEED=18: the"
	@echo "                score of the tests, and each change that none of them noticed"
	@echo "make lint       ruff and mypy"
	@echo "make bench      what is measured beside peers and limits"
	@echo "make fuzz       broken files for readers and loaders, SECONDS=60; with atheris where it is installed"
	@echo "make fuzz-loaders  broken files for loaders only: SEED=18 and SECONDS=60 as in CI"
	@echo "make click      presses all that can be pressed in the window, SECONDS=60 for each of FILES=..."
	@echo "make click-formats  the same in one file of each format"
	@echo "make bundle     a program that needs no Python, in out/bundle, tried by its commands"
	@echo "make windows    commands and tests on Windows, as a table; elsewhere WINDOWS_TOOL=PATH runs it"
	@echo "make vscode     the extension for VS Code, out/inspector-VERSION.vsix"
	@echo "make docs       the pages as a site in out/site; every link is checked"
	@echo "make pictures   the pictures of the pages, made by the program itself"
	@echo "make how-to     runs the commands of docs/how_to and writes their output into the pages"

setup: $(READY)

system:
	@sh tools/system_packages.sh

$(READY): pyproject.toml | system
	@echo "Setting up .venv: some minutes the first time"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

run: $(READY)
ifeq ($(SCREEN),)
	@echo "No screen here (DISPLAY and WAYLAND_DISPLAY are empty): the same without a window."
	$(BIN)/python -m inspector.ui.app.tour $(MODEL) --input $(PICTURE) --output out
	@echo "The same for a language model:"
	$(BIN)/python -m inspector.ui.app.tour $(LANGUAGE_MODEL) --prompt "$(PROMPT)" --theme light --output out/language
else
	$(BIN)/inspector $(LANGUAGE_MODEL) $(MODEL)
endif

quick: $(READY)
	$(BIN)/python -m pytest -m quick -n 2 --dist loadfile

mutants: $(READY)
	$(BIN)/python -m tools.mutants --seed $(SEED) --count $(COUNT) --jobs $(JOBS)

test: $(READY)
	$(BIN)/python -m pytest -m "not slow" -n auto --maxprocesses 4 --dist loadfile

test-slow: $(READY)
	$(BIN)/python -m pytest --cold

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; \
		$(BIN)/python -m benchmarks.$$name $$(case $$name in (open|window) echo "$(if $(CI),--small)";; esac); done

fuzz: $(READY)
	$(BIN)/python -m fuzz $(SECONDS)

fuzz-loaders: $(READY)
	$(BIN)/python -m fuzz.loaders --seconds $(SECONDS) --seed $(SEED)

bundle:
	PYTHON="$(PYTHON)" sh tools/bundle.sh

# WINDOWS_TOOL runs Windows' Python on this machine; not needed on Windows itself.
windows:
	$(PYTHON) -m tools.try_windows $(if $(WINDOWS_TOOL),--tool "$(WINDOWS_TOOL)")

vscode: $(READY)
	$(BIN)/python -m tools.make_vscode_extension

click: $(READY)
	$(BIN)/python tests/ui/programs/clicked_through.py --seconds $(SECONDS) $(FILES)

# One file of each format, out of the tests.
click-formats: $(READY)
	PYTHONPATH=. $(BIN)/python tests/ui/programs/clicked_through.py --seconds $(SECONDS) \
		$$($(BIN)/python -m tests.ui.programs.one_of_each_format out/formats)

pictures: $(READY)
	$(BIN)/python -m tools.make_pictures
	$(BIN)/python -m tools.make_animation

how-to: $(READY)
	$(BIN)/python -m tools.make_how_to_pages

docs: $(READY)
	@$(BIN)/python -c "import material" 2>/dev/null || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/python -m tools.draw_imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@! grep -rlE '<(script|img)[^>]* src="https?:|<link[^>]* rel="stylesheet"[^>]* href="https?:' \
		--include='*.html' out/site || { echo "These pages load something from another server."; exit 1; }
	@echo "Open out/site/index.html"
