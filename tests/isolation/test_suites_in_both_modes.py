# SPDX-License-Identifier: Apache-2.0
"""The tests of the runtime, of acl and of faults pass on isolated devices, too: some of them here, all of them in the slow suite."""

from __future__ import annotations

import pytest
from inner_run import outcomes

# By folder: the files that run here, and how many tests are in them, each counted once for all its parameters.
FEW = {
    "runtime": (["test_launch.py", "test_streams.py"], 39),
    "acl": (["test_launch_calls.py", "test_superkernel.py"], 26),
    "check": (["test_output.py"], 10),
    "device": (["test_tables.py"], 5),
    "strictness": (["test_global_ends.py"], 15),
}
# What no isolated device can have, and why.
LEFT_OUT = {
    "tests/acl/test_memory.py::test_a_kernel_that_misses_host_memory_fails_and_harms_nothing": "memory of malloc_host is the host's",
    "tests/check/test_after_faults.py::test_an_atomic_copy_that_ends_in_the_middle_leaves_no_lock": "it closes a page in the host, where "
    "no kernel runs",
}


def failed(found: dict[str, str]) -> dict[str, str]:
    return {name: words for name, words in found.items() if words}


def test_fifty_are_not_left_to_the_slow_suite() -> None:
    assert sum(count for _, count in FEW.values()) >= 50


@pytest.mark.parametrize("folder", FEW)
def test_some_tests_pass_on_isolated_devices(folder: str) -> None:
    files, count = FEW[folder]
    found = outcomes([f"tests/{folder}/{file}" for file in files])
    assert failed(found) == {}
    assert len(found) >= count


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "count"), [("runtime", 90), ("acl", 300), ("check", 25)])
def test_all_tests_pass_on_isolated_devices(folder: str, count: int) -> None:
    left_out = [f"--deselect={each}" for each in LEFT_OUT]
    found = outcomes([f"tests/{folder}", *left_out], seconds=1800)
    assert failed(found) == {}
    assert len(found) >= count
