# SPDX-License-Identifier: Apache-2.0
"""The tests of inside/, in a process where every device is isolated: whether one is, is decided when the first image is mapped."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from inner_run import outcomes

HERE = Path(__file__).parent
INSIDE = sorted((HERE / "inside").glob("test_*.py"))
NAMES = [(file.name, name) for file in INSIDE for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)]


@cache
def found(file: str) -> dict[str, str]:
    return outcomes([str(HERE / "inside" / file)], ACLIMB_ISOLATED_MEMORY="1G", ACLIMB_DEVICE_MEMORY="4G", ACLIMB_DEVICES="2")


@pytest.mark.parametrize(("file", "name"), NAMES)
def test_isolated(file: str, name: str) -> None:
    assert found(file).get(name, f"it did not run: {found(file)}") == ""
