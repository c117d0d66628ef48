# SPDX-License-Identifier: Apache-2.0
"""Whatever instruction goes beyond its tensors: a lax launch computes what the kernel with tensors of the right size does, and says where.

An instruction that was refused is run again, so none may have changed anything before it looked at its last operand.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parts import X

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("families.cpp")
MATMUL = Path(__file__).parents[2] / "examples" / "matmul" / "matmul.cpp"


@cache
def binary() -> KernelBinary:
    return Program(SOURCE).compile()


def z_of(name: str, strictness: str, *more: Any, blocks: int = 1) -> np.ndarray:
    stream, z = Stream(), Buffer.from_array(np.zeros(256, np.float32))
    config = LaunchConfig(num_blocks=blocks, strictness=strictness)
    launch(stream, config, Kernel(binary(), name), Buffer.from_array(X), z, *more)
    stream.synchronize()
    return z.to_numpy()


def lines_logged(caplog: pytest.LogCaptureFixture) -> list[int]:
    return [int(re.search(r"families\.cpp:(\d+) ", message)[1]) for message in caplog.messages]  # type: ignore[index]


def lines_of(first: str, last: str) -> list[int]:
    """Lines with a call on tensors, from one text of the source to another."""
    lines = SOURCE.read_text().splitlines()
    begin = next(number for number, text in enumerate(lines) if first in text)
    end = next(number for number, text in enumerate(lines) if last in text and number >= begin)
    return [number + 1 for number in range(begin, end + 1) if "Barrier" not in lines[number]]


def test_every_vector_family_goes_on_and_each_line_is_named(caplog: pytest.LogCaptureFixture) -> None:
    expected = z_of("good_families", "strict")
    assert caplog.messages == []
    np.testing.assert_array_equal(z_of("families", "hardware"), expected)
    assert lines_logged(caplog) == lines_of("DataCopy(a, xGm", "DataCopy(zGm[kCount]")


def test_instructions_that_had_to_wait_go_on_too(caplog: pytest.LogCaptureFixture) -> None:
    np.testing.assert_array_equal(z_of("late", "hardware")[:128], X + X)
    assert len(lines_logged(caplog)) == 3
    caplog.clear()
    np.testing.assert_array_equal(z_of("good_late", "hardware")[:128], X + X)
    assert caplog.messages == []


@pytest.mark.parametrize("name", ["words", "good_words"])
def test_words_of_soft_synchronisation_go_on_too(name: str, caplog: pytest.LogCaptureFixture) -> None:
    z = z_of(name, "hardware", Buffer.from_array(np.zeros(256, np.int32)), blocks=4)
    np.testing.assert_array_equal(z[:4], X[:4])
    assert len(caplog.messages) == (3 if name == "words" else 0)


def test_the_cube_goes_on_with_tensors_that_are_too_small(caplog: pytest.LogCaptureFixture) -> None:
    """The matmul example, with 16 elements declared for each of its tensors in L1, L0A, L0B and L0C."""
    source, count = re.subn(r"(LocalTensor<\w+>\(TPosition::\w+, .*), [\w *]+\);", r"\1, 16);", MATMUL.read_text())
    assert count == 5
    m, n, k = 40, 70, 100
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (k, n)))
    stream, c = Stream(), Buffer.from_array(np.zeros((m, n), np.float32))
    kernel = Kernel(Program(source).compile())
    launch(stream, LaunchConfig(1, strictness="hardware"), kernel, Buffer.from_array(a), Buffer.from_array(b), c, m, n, k)
    stream.synchronize()
    np.testing.assert_array_equal(c.to_numpy(), a.astype(np.float32) @ b.astype(np.float32))
    assert {re.search(r"refuses it: OutOfBounds: (\w+)", message)[1] for message in caplog.messages} == {  # type: ignore[index]
        "DataCopy", "LoadData", "Mmad", "Fixpipe"
    }  # fmt: skip
