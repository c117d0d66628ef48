# SPDX-License-Identifier: Apache-2.0
"""The public names hold still: __all__, what is visible, and the reference page say the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import aclimb

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "api_python.md"


def test_all_is_this_list() -> None:
    assert aclimb.__all__ == [
        "Buffer", "Device", "Event", "Kernel", "KernelBinary", "LaunchConfig", "Profile", "Program", "Stream", "__version__", "check",
        "launch", "live", "profile", "ranks",
    ]  # fmt: skip


def test_the_reference_page_lists_the_same_names() -> None:
    table = PAGE.read_text().partition("## Program")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == aclimb.__all__


def test_nothing_else_is_visible_in_a_fresh_interpreter() -> None:
    """Besides the folders of the package, which Python makes visible when they are imported."""
    code = "import aclimb, types; print(*(n for n, v in vars(aclimb).items() if not isinstance(v, types.ModuleType)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    visible = {name for name in answer.stdout.split() if not name.startswith("_")}
    lazy = {"Profile", "check", "profile"}  # there when asked for: most programs never profile or check
    assert visible == {name for name in aclimb.__all__ if not name.startswith("_")} - lazy


def test_every_public_name_has_a_docstring() -> None:
    for name in aclimb.__all__:
        value = getattr(aclimb, name)
        assert name == "__version__" or value.__doc__, name
