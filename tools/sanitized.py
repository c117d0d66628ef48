# SPDX-License-Identifier: Apache-2.0
"""The engine's own tests and a part of the Python tests, with an engine that a sanitizer watches: `make test-asan`, `make test-tsan`.

python tools/sanitized.py address|thread [arguments of pytest]

The first report of a sanitizer ends the process that it is about, so that its test fails; the report is in that test's output, or in
build/sanitized when the output was lost with the process. docs/explain/sanitizers.md says what is watched and what is not.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build" / "sanitized"
SUPPRESSED = ROOT / "tools" / "sanitizers"
ADDR_NO_RANDOMIZE = 0x0040000
VENVS = {"address": ".venv-asan", "thread": ".venv-tsan"}
LIBRARIES = {"address": ("libasan.so", "libubsan.so", "libstdc++.so"), "thread": ("libtsan.so", "libstdc++.so")}
# Streams, events, memory and arguments; kernels that launch, fault and hang; isolated devices; random calls; schedules while others copy.
CHOSEN = (
    "tests/runtime",
    "tests/ranks",
    "tests/isolation",
    "tests/acl",
    "tests/check",
    "tests/early_start",
    "tests/check_rules/test_check_schedules.py",
)
# What a sanitizer itself stands in the way of, with the reason.
LEFT_OUT: dict[str, dict[str, str]] = {
    "address": {},
    "thread": {
        "tests/runtime/test_freed_memory.py::test_an_address_of_nothing_is_called_that": "at that address is the sanitizer's own memory",
        "tests/runtime/test_freed_memory.py::test_a_scalar_access_to_nothing_is_an_address_fault_as_before": "likewise",
        "tests/acl/test_fork_calls.py": "a child waits for ever for the sanitizer's heap, where a thread was at the fork",
        "tests/runtime/test_fork.py": "likewise",
    },
}
# Python's own leaks are not ours to mend, and an engine that outlives its interpreter keeps its threads' memory on purpose.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:allow_user_segv_handler=1:use_sigaltstack=0:detect_stack_use_after_return=0:quarantine_size_mb=8",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": f"halt_on_error=1:second_deadlock_stack=1:suppressions={SUPPRESSED / 'thread.txt'}",
}


def library(name: str) -> str:
    return subprocess.check_output(["g++", f"-print-file-name={name}"], text=True).strip()


def environment(kind: str) -> dict[str, str]:
    """Python was not built with the sanitizer, so its library has to be there first."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    options = {name: f"{words}:log_path={REPORTS / name[:4].lower()}:log_exe_name=1" for name, words in OPTIONS.items()}
    options["UBSAN_OPTIONS"] = OPTIONS["UBSAN_OPTIONS"]  # beside the other sanitizer it writes to standard error in any case
    return dict(os.environ, **options, LD_PRELOAD=" ".join(map(library, LIBRARIES[kind])), ACLIMB_DEVICE_MEMORY="4GiB")


def main() -> int:
    kind, arguments = sys.argv[1], sys.argv[2:]
    for old in REPORTS.glob("*"):
        old.unlink()
    ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)  # ThreadSanitizer knows fewer places for libraries than newer kernels choose from
    settings = environment(kind)
    python = ROOT / VENVS[kind] / "bin" / "python"
    own = subprocess.run([(ROOT / VENVS[kind] / ".engine_tests").read_text().strip()], env=settings, check=False).returncode
    words: list[str | Path] = [python, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider", "--capture=sys"]
    words += [f"--deselect={each}" for each in LEFT_OUT[kind]] + list(arguments or CHOSEN)
    status = subprocess.run(words, cwd=ROOT, env=settings, check=False).returncode
    reports = sorted(REPORTS.glob("*"))
    for test, reason in LEFT_OUT[kind].items():
        print(f"  left out   {test}: {reason}")
    for each in reports:
        print(f"\n{each.relative_to(ROOT)}\n{each.read_text()}")
    return 1 if own or status or reports else 0


if __name__ == "__main__":
    sys.exit(main())
