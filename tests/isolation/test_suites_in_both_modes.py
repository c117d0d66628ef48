# SPDX-License-Identifier: Apache-2.0
"""The tests of the runtime and of acl pass on isolated devices, too: some of them here, all of them in the slow suite."""

from __future__ import annotations

import pytest
from inner_run import outcomes

FEW = [
    "tests/runtime/test_launch.py",
    "tests/runtime/test_freed_memory.py",
    "tests/runtime/test_faults.py",
    "tests/acl/test_launch_calls.py",
]
# What an isolated device refuses, or cannot have; docs/explain/trust.md says so.
REFUSED = {
    "tests/runtime/test_ranks.py": "ranks see each other's windows",
    "tests/acl/test_memory.py::test_a_kernel_that_misses_host_memory_fails_and_harms_nothing": "memory of malloc_host is the host's",
}


@pytest.mark.timeout(400)
def test_fifty_tests_pass_on_isolated_devices() -> None:
    found = outcomes(FEW)
    assert {name: words for name, words in found.items() if words} == {}
    assert len(found) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["tests/runtime", "tests/acl"])
def test_all_tests_pass_on_isolated_devices(folder: str) -> None:
    left_out = [f"--deselect={each}" for each in REFUSED]
    found = outcomes([folder, *left_out], seconds=1800)
    assert {name: words for name, words in found.items() if words} == {}
    assert len(found) > 100
