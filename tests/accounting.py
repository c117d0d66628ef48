# SPDX-License-Identifier: Apache-2.0
"""What a run of the tests was made of: kernels built and found in the cache, and processor time of Python, compilers and programs.

Each worker counts its own and its children's; whoever started the workers adds up and prints the lines at the end.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aclimb.compile.cache import Cache

KEY = "aclimb_accounting"
COMPILERS = ("g++", "gcc", "c++", "cc", "clang", "clang++", "zig", "ld", "ld.lld", "cmake", "ninja", "make", "bisheng", "ccec")
_seconds: Counter[str] = Counter()  # of children, by kind
_counts: Counter[str] = Counter()
_total: Counter[str] = Counter()  # of all workers
_files: Counter[str] = Counter()  # seconds of each test file


def _kind(args: Any) -> str:
    words = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
    names = [Path(os.fsdecode(word)).name.partition("-1")[0] for word in words[:3]]
    is_compiler = names[0] in COMPILERS or "ziglang" in names or "c++-header" in str(words)
    return "compilers" if is_compiler else "programs"


def _count_children() -> None:
    """What a child used, and its own children, is known when it is waited for."""

    def try_wait(self: subprocess.Popen[Any], flags: int) -> tuple[int, int]:
        try:
            pid, status, used = os.wait4(self.pid, flags)
        except ChildProcessError:  # somebody else waited for it
            return self.pid, 0
        if pid == self.pid:
            _seconds[_kind(self.args)] += used.ru_utime + used.ru_stime  # type: ignore[assignment]
        return pid, status

    subprocess.Popen._try_wait = try_wait  # type: ignore[attr-defined]


def _count_builds() -> None:
    find, keep = Cache.find, Cache.keep

    def finding(self: Cache, key: str, **more: Any) -> bytes | None:
        found = find(self, key, **more)
        _counts["hits"] += found is not None
        return found

    def keeping(self: Cache, *args: Any, **more: Any) -> Any:
        _counts["builds"] += 1
        return keep(self, *args, **more)

    Cache.find, Cache.keep = finding, keeping  # type: ignore[method-assign]


def pytest_configure(config: pytest.Config) -> None:
    _count_builds()
    if hasattr(config, "workerinput") or config.getoption("dist", "no") == "no":  # else its children are the workers
        _count_children()


def _used() -> Counter[str]:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return Counter({"Python": own.ru_utime + own.ru_stime}) + _seconds + _counts


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        _total.update(_used())
    else:
        output[KEY] = dict(_used())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _total.update(getattr(node, "workeroutput", {}).get(KEY, {}))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _files[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    cache = getattr(terminalreporter.config, "cache", None)  # none without the plugin
    if cache is not None:  # for tools/check_changes.py
        cache.set("aclimb/seconds", {**cache.get("aclimb/seconds", {}), **{file: round(spent, 2) for file, spent in _files.items()}})
    kinds = {kind: _total[kind] for kind in ("Python", "compilers", "programs")}
    parts = ", ".join(f"{kind} {seconds:.0f}" for kind, seconds in kinds.items())
    terminalreporter.section("what it was made of")
    terminalreporter.line(f"kernels: {_total['builds']} built, {_total['hits']} found in the cache")
    terminalreporter.line(f"processor time: {sum(kinds.values()):.0f} s: {parts} (with what programs build themselves)")
