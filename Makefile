# Each verb makes its own .venv. Plugins that cannot be installed on this machine are left out, and named.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
NPM := $(BIN)/python tests/web/npm.py --ignore-scripts --no-audit --no-fund
PLUGINS := cpu wgpu opencl
export XDG_RUNTIME_DIR ?= /tmp

.PHONY: demo test check lint bench fuzz soak translate web test-web pages docs docs-check dist test-dist clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed
	$(BIN)/gpucore demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup --max-worker-restart 0

check: lint
	$(BIN)/python -m pytest -q tests/architecture tests/typing

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev $(PEERS)/.installed
	$(BIN)/gpucore bench --device all --json benchmarks/results/bench.json
	$(BIN)/python benchmarks/cpu.py --numba $(PEERS)/bin/python

# FUZZ_KERNELS, _SEED, _DEVICES and _PROCESSES: see tests/fuzz/campaign.py.
fuzz: $(VENV)/.installed-dev
	$(BIN)/python tests/fuzz/campaign.py

# SOAK_SECONDS, _SEED and _DEVICES: see tests/soak/soak.py. Ten minutes.
soak: $(VENV)/.installed-dev
	$(BIN)/python tests/soak/soak.py

# Metal and Direct3D 12 by translation. TRANSLATE_TESTS= leaves the golden kernels, which take ten seconds.
TRANSLATE := .translate
COMPUSHADY := compushady==0.17.5
VULKAN := vulkan==1.3.275.1
TRANSLATE_TESTS ?= --run-large
translate: $(VENV)/.installed-dev $(TRANSLATE)/.installed
	TRANSLATION_REQUIRED=1 $(BIN)/python -m pytest -q tests/translate $(TRANSLATE_TESTS)

# A page of demos, on loopback.
WEB := .web
WEB_PORT ?= 8000
web: $(WEB)/.built
	@echo "http://localhost:$(WEB_PORT)/ - Ctrl-C ends the server"
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(WEB) $(WEB_PORT)

$(WEB)/.built: $(VENV)/.installed $(wildcard examples/*.py examples/web/*)
	mkdir -p $(WEB)
	cp examples/web/*.html examples/web/*.css examples/web/*.js $(WEB)/
	$(BIN)/gpucore export web examples/web/site.py:record -o $(WEB)/kernels
	touch $@

# Everything in a browser, the whole conformance kit too: three minutes. `make test` runs the rest of it.
test-web: $(VENV)/.installed-dev
	GPUCORE_REQUIRE_BACKENDS=web $(BIN)/python -m pytest -q tests/web --run-large

# The pages that are made from tests, docstrings and measurements. docs/errors.md is written by hand, and tests/architecture holds it
# to the source.
pages: $(VENV)/.installed-dev
	$(BIN)/python -m gpucore.testing.page docs/conformance.json > docs/conformance.md
	$(BIN)/python tests/docs/reference_page.py > docs/reference.md
	$(BIN)/python benchmarks/accuracy_tables.py

# The site of all pages. A warning is an error: so is a link within it that leads nowhere. -E: what links become depends on
# files outside of docs/, too.
SITE := docs/_build
SPHINX := $(BIN)/python -m sphinx -W --keep-going -q -E -d $(SITE)/doctrees
docs: $(VENV)/.installed-dev
	$(SPHINX) docs $(SITE)/html
	@echo "file://$(CURDIR)/$(SITE)/html/index.html"

# Links to other hosts, too. Without a network, or where a host refuses, they are listed and no error.
docs-check: docs
	$(BIN)/python -m pytest -q tests/docs/test_documentation_site.py
	-$(BIN)/python -m sphinx -b linkcheck -q -d $(SITE)/doctrees docs $(SITE)/linkcheck

# Wheels, sdists and bills of materials of the last commit, into dist/.
dist: $(VENV)/.installed-dist
	$(BIN)/python tests/packaging/make_dist.py dist

# What `make test` leaves out: frozen applications, and all Pythons that this machine has.
test-dist: $(VENV)/.installed-dist
	$(BIN)/python -m pytest -q tests/packaging --run-large

clean:
	rm -rf dist $(VENV) $(PEERS) $(TRANSLATE) $(WEB) docs/_build docs/project tests/translate/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz .soak .sanitizer

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: core/pyproject.toml $(wildcard plugins/*/pyproject.toml) | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e 'core[cli]'
	@for plugin in $(PLUGINS); do \
	  $(BIN)/python -m pip install -q -e plugins/$${plugin}_backend || echo "gpucore-$$plugin does not install here"; \
	done
	@if command -v nvidia-smi >/dev/null 2>&1; then \
	  $(BIN)/python -m pip install -q -e 'plugins/cuda_backend[wheels]' || echo "gpucore-cuda does not install here"; \
	fi
	touch $@

# Tests compile for CUDA with no GPU: the plugin without a binding, and NVRTC. What gpucore-dask needs is in requirements-dev.txt.
$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt scale/pyproject.toml docs/requirements.txt plugins/wgpu_backend/web/package-lock.json
	$(BIN)/python -m pip install -q -r requirements-dev.txt
	$(NPM) ci --prefix plugins/wgpu_backend/web || echo "what builds the runtime of pages does not install here"
	$(BIN)/python -m pip install -q --no-deps -e plugins/cuda_backend -e scale
	touch $@

$(VENV)/.installed-dist: $(VENV)/.installed-dev requirements-dist.txt
	$(BIN)/python -m pip install -q -r requirements-dist.txt
	touch $@

# Numba may want another llvmlite than the cpu plugin: it has its own environment. Benchmarks run without it, too.
$(PEERS)/.installed:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install -q numba || echo "numba does not install here"
	touch $@

# naga as WebAssembly; Vulkan for Python; DXC, which the sources of compushady carry: nothing of them is
# built.
$(TRANSLATE)/.installed: tests/translate/package-lock.json | $(VENV)/.installed-dev
	mkdir -p $(TRANSLATE)
	$(NPM) ci --prefix tests/translate
	$(BIN)/python -m pip install -q --no-deps --upgrade --target $(TRANSLATE)/python $(VULKAN)
	$(BIN)/python -m pip download -q --no-deps --no-binary compushady -d $(TRANSLATE) $(COMPUSHADY)
	$(BIN)/python tests/translate/dxc_library.py $(TRANSLATE)/compushady-*.tar.gz
	rm $(TRANSLATE)/compushady-*.tar.gz
	touch $@
