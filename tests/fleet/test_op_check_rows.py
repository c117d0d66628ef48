# SPDX-License-Identifier: Apache-2.0
"""op.check in several processes: the same report as in one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aclimb import op
from aclimb.errors import InvalidArgument

PROGRAM = Path(__file__).with_name("op_program.py")


def said(*words: str) -> str:
    done = subprocess.run([sys.executable, str(PROGRAM), *words], capture_output=True, text=True, check=True, timeout=600)
    return done.stdout


def test_two_processes_report_what_one_does() -> None:
    alone = said("0")
    assert "TwiceInProcesses: 4 of 5 rows are fine, 2 findings" in alone
    assert "wrong-result: float32[7]: output 0: 6 of 7 elements differ, the first at [1]: 2.0 instead of 3.0" in alone
    assert "params-not-released: what prepare stored is still there after 3 of 4 rows; give it a deleter, or let go of it" in alone
    assert "[(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]" in alone
    assert said("2") == alone


def test_what_has_no_name_in_a_module_is_refused_with_what_to_do() -> None:
    made = op.define("NobodyKnowsIt")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    with made.registered(), pytest.raises(InvalidArgument) as caught:
        op.check(made, [(np.zeros(3, np.float32),)], jobs=2)
    assert str(caught.value) == (
        "NobodyKnowsIt has no name of its own in a module, under which another process could find it; put it at the top of a file, or "
        "leave jobs and on out"
    )
