# SPDX-License-Identifier: Apache-2.0
"""Profiles, checks, stress, printf and faults with lines say of a kernel on an isolated device what they say of it elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def said(isolated: str, what: str) -> str:
    words = [sys.executable, str(HERE / "observed_program.py"), what]
    ran = subprocess.run(words, env={**os.environ, "ACLIMB_ISOLATED": isolated}, capture_output=True, text=True, timeout=600, check=True)
    return ran.stdout


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("profile", "MTE2_V 0 add.cpp:50"),
        ("scalar", "MTE2_V 0 add.cpp:50"),
        ("check", "[O1]\\n    MTE2 writes local   careless.cpp:13   DataCopy(local, from, 64);"),
        ("stress", "schedules change the result"),
        ("fault", "careless.cpp:18   if (faulty) *(__gm__ int*)nullptr = 1;"),
    ],
)
def test_what_is_said_is_the_same_with_and_without_isolation(what: str, words: str) -> None:
    plain = said("0", what)
    assert words in plain
    assert said("1", what) == plain
