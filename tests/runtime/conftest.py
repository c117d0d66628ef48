# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aclimb import Kernel

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def kernel(load: Callable[..., Kernel]) -> Callable[[str], Kernel]:
    """kernel(name) is a kernel of kernels.cpp; "faulty" is the one of faults.cpp."""
    return lambda name: load(HERE / ("faults.cpp" if name == "faulty" else "kernels.cpp"), name)
