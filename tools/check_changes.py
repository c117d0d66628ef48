# SPDX-License-Identifier: Apache-2.0
"""What one runs after an edit: lint and types, then the tests that the changed files can reach, nearest first, within a minute.

python tools/check_changes.py [--base REVISION] [--seconds N] [--list]

Changed is what differs from --base (HEAD unless told) and what git does not know yet. How far a test file is from a change:

    0   it changed itself, or a helper, conftest or kernel of its folder did
    1   it imports the changed module, or its folder is the one that NEAR names for the changed native code, page or example
    n   a module that it imports reaches the change in n - 1 imports

Test files are taken in that order until those taken would fill the time that lint has left: seconds of a file are those of its last run,
else a guess. When the time is up no further test begins. What is left out is counted, and `make test` runs it.
"""

from __future__ import annotations

import argparse
import ast
import heapq
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
SECONDS = ROOT / ".pytest_cache" / "v" / "aclimb" / "seconds"  # written by tests/accounting.py
GUESS, WORKERS, START, LAST = 5.0, 2, 6.0, 9.0  # seconds of an unknown file; workers of xdist; until they have collected; of the last test
LINTED = ("src", "tests", "examples", "benchmarks", "tools")
# Where tests of what is not Python lie. The longest prefix counts.
NEAR = {
    "engine": ("engine", "runtime"),
    "engine/check": ("engine", "check", "check_rules", "order"),
    "engine/isa": ("engine", "isa"),
    "engine/isolation": ("engine", "isolation"),
    "engine/program": ("isolation",),
    "engine/ranks": ("engine", "ranks", "runtime"),
    "engine/sync": ("engine", "runtime", "device"),
    "engine/timing": ("engine", "timing"),
    "device/include": ("device", "runtime", "library"),
    "device/include/lib": ("library", "matmul"),
    "host": ("c_api", "host", "programs"),
    "host/src/library": ("library",),
    "src/aclimb/chips": ("chips", "timing"),
    "src/aclimb/report/html": ("report",),
    "examples": ("examples",),
    "docs": ("docs",),
    "tools": ("docs", "packaging"),
    "pyproject.toml": ("packaging",),
    "CMakeLists.txt": ("packaging", "engine"),
    "README.md": ("docs",),
    "CONTRIBUTING.md": ("docs", "recipes"),
}


def changed(base: str) -> list[Path]:
    """The files that differ from a revision, or are new, or gone."""
    ask = (["git", "diff", "--name-only", base], ["git", "ls-files", "-o", "--exclude-standard"])
    said = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines() for command in ask]
    return sorted({Path(name) for names in said for name in names})


@cache
def module_of(path: Path) -> str:
    """src/aclimb/op/call.py -> aclimb.op.call; helpers of tests are known by the name of their file."""
    parts = path.with_suffix("").parts
    words = parts[1:] if parts[0] == "src" else parts[-1:]
    return ".".join(words[:-1] if words[-1] == "__init__" else words)


def imports(path: Path) -> Iterator[str]:
    """Every module that a file may import, at its top or inside of functions."""
    for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


@cache
def importers() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in (path.relative_to(ROOT) for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py")):
        for module in set(imports(path)):
            found.setdefault(module, []).append(path)
    return found


@cache
def tests() -> list[Path]:
    return sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))


def distances(changes: Iterable[Path]) -> dict[Path, int]:
    """How far each test file is from a change, of those that can reach one."""
    pending = [(0, change) for change in changes]
    pending += [(0, test) for change in changes for test in tests() if _is_of_folder(change, test)]
    pending += [(1, test) for change in changes for test in tests() if _folder(test) in _near(change)]
    heapq.heapify(pending)
    far: dict[Path, int] = {}
    while pending:  # the nearest first: the first distance of a file is its shortest
        distance, path = heapq.heappop(pending)
        if path in far:
            continue
        far[path] = distance
        if path.suffix == ".py":
            for importer in importers().get(module_of(path), ()):
                heapq.heappush(pending, (distance + 1, importer))
    return {path: far[path] for path in tests() if path in far}


def _folder(test: Path) -> str:
    return test.parts[1] if len(test.parts) > 2 else ""


def _is_of_folder(change: Path, test: Path) -> bool:
    """A change of the test itself, or of what a folder of tests shares: conftest, kernels, tables. Helpers have importers."""
    if change.parts[0] != "tests" or (change.suffix == ".py" and change.name != "conftest.py"):
        return change == test
    return change.parts[1] == _folder(test) or change == Path("tests/conftest.py")


def _near(change: Path) -> tuple[str, ...]:
    fitting = [prefix for prefix in NEAR if Path(prefix) == change or Path(prefix) in change.parents]
    return NEAR[max(fitting, key=len)] if fitting and change.suffix != ".pyi" else ()


def choose(far: dict[Path, int], seconds: float) -> list[Path]:
    """The nearest, and of equally near ones the shortest, that fit."""
    known = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
    chosen, room = [], (seconds - START - LAST) * WORKERS
    for path in sorted(far, key=lambda each: (far[each], known.get(str(each), GUESS))):
        room -= known.get(str(path), GUESS)
        if room < 0 and far[path] > 0:
            break
        chosen.append(path)
    return chosen


def lint(changes: Iterable[Path]) -> bool:
    here = [path for path in changes if (ROOT / path).exists()]
    python = [str(path) for path in here if path.suffix == ".py" and path.parts[0] in LINTED]
    native = [str(path) for path in here if path.suffix in (".cpp", ".h", ".c", ".def") and path.parts[0] in ("engine", "device", "host")]
    commands = [["ruff", "check", *python], ["ruff", "format", "--check", *python]] if python else []
    commands += [["mypy"]] if python else []
    commands += [["clang-format", "--dry-run", "-Werror", *native], ["python", "tools/lint_native.py", *native]] if native else []
    codes = [subprocess.run([BIN / words[0], *words[1:]], cwd=ROOT).returncode for words in commands]
    return not any(codes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="HEAD", help="what differs from this revision has changed")
    parser.add_argument("--seconds", type=float, default=60, help="how long all of it may take")
    parser.add_argument("--list", action="store_true", help="only say which tests would run, with their distance")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    changes = changed(options.base)
    fine = options.list or lint(changes)
    far = distances(changes)
    chosen = choose(far, until - time.monotonic())
    print(f"  check      {len(changes)} files changed; {len(chosen)} of {len(far)} test files that they reach", flush=True)
    if options.list:
        print("\n".join(f"  {far[path]}  {path}" for path in chosen))
    elif chosen:
        within = ["--within", f"{max(1.0, until - time.monotonic() - LAST):.1f}"]
        # Whole files in this order, the next one to whoever is free: the nearest come first.
        words = ["-n", str(WORKERS), "--dist", "loadfile", "-q", "--no-header", *within, *map(str, chosen)]
        fine &= subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT).returncode in (0, 5)
    if len(chosen) < len(far):
        print(f"  check      {len(far) - len(chosen)} test files further away were left out: `make test` runs them")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
