# SPDX-License-Identifier: Apache-2.0
"""Buffers that die while Python has no finished frame on top: the place of their free is looked for, and the interpreter lives on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Python 3.11 collects where something is allocated, so also where the generator is, in a frame that is not one yet.
COLLECTED_WHILE_A_GENERATOR_IS_MADE = """
import gc
from aclimb import Buffer

def generator():
    yield 1

def leave_a_ring():
    ring = [Buffer(64)]
    ring.append(ring)

def main():
    for _ in range(20):
        gc.collect()
        leave_a_ring()
        gc.set_threshold(1, 10, 10)
        made = generator(*())
        gc.set_threshold(100000)
        gc.collect()
        assert made.gi_frame.f_code is generator.__code__
        assert list(made) == [1]

main()
"""
# From Python 3.12 on, C calls a function through a frame that has no code of the user's, and that is on top while the locals die.
A_LOCAL_OF_A_FUNCTION_THAT_C_CALLED = """
import gc
from aclimb import Buffer

def use(number):
    buffer = Buffer(64)
    return number

def main():
    for _ in range(20):
        assert list(map(use, range(10))) == list(range(10))
        gc.collect()

main()
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(COLLECTED_WHILE_A_GENERATOR_IS_MADE, id="collected_while_a_generator_is_made"),
        pytest.param(A_LOCAL_OF_A_FUNCTION_THAT_C_CALLED, id="a_local_of_a_function_that_c_called"),
    ],
)
def test_a_buffer_that_dies_between_frames_leaves_the_interpreter_whole(program: str) -> None:
    env = os.environ | {"PYTHONMALLOC": "debug"}  # what is used after its free is seen at once
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=600, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
