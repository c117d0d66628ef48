# SPDX-License-Identifier: Apache-2.0
"""Host code that calls acl: Concat of the examples, whose launch function starts its kernels with the C API."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from cpp_parts import HERE, Build

from aclimb import Program, Stream, op

CONCAT = HERE.parents[1] / "examples" / "operators" / "concat"


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory, build: Build) -> Path:
    """The library with its kernels beside it: one name for each process, where it stays mapped."""
    made = tmp_path_factory.getbasetemp() / "concat_library"
    if not made.exists():
        made.mkdir()
        shutil.copy(build(CONCAT / "op_host" / "concat.cpp"), made / "libconcat.so")
        Program(CONCAT / "concat.cpp").compile().save(made / "concat.o")
    return made


@pytest.mark.requirement("cpp-34")
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", [np.int32, np.float16, np.complex128])
def test_concat_in_cpp_copies_with_kernels_that_it_launches_itself(axis: int, dtype: type, folder: Path, stream: Stream) -> None:
    arrays = [np.arange(40 * n, dtype=dtype).reshape((40, n) if axis else (n, 40)) for n in (3, 64, 0, 500)]
    with op.load(folder / "libconcat.so") as library:
        got = library["Concat"](arrays, axis=axis, stream=stream)
        stream.synchronize()
        np.testing.assert_array_equal(got.to_numpy(), np.concatenate(arrays, axis))


@pytest.mark.requirement("cpp-34")
def test_an_error_of_concat_says_what_acl_says(folder: Path) -> None:
    with (
        op.load(folder / "libconcat.so") as library,
        pytest.raises(op.OpError, match=r"Concat failed in infer_shape: .*: input 1 may differ"),
    ):
        library["Concat"]([np.ones((2, 3), np.int8), np.ones((3, 3), np.int8)], axis=1)
