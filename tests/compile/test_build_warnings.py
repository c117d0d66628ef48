# SPDX-License-Identifier: Apache-2.0
"""Numbers of data types and formats in #if lines, and a word about names there that nobody defined."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.errors import BuildWarning

pytestmark = pytest.mark.usefixtures("real_headers")
Write = Callable[..., Path]

CHOICE = """
extern "C" __global__ __aicore__ void choose(__gm__ int32_t* y) {
#if ORIG_DTYPE_X == DT_BF16
    y[0] = 27;
#elif ORIG_DTYPE_X == DT_FLOAT16
    y[0] = 1;
#else
    y[0] = -1;
#endif
#if FORMAT_X == FORMAT_FRACTAL_NZ
    y[1] = 29;
#else
    y[1] = FORMAT_X;
#endif
}
"""


@pytest.mark.requirement("lib-61")
@pytest.mark.parametrize(
    ("dtype", "format_", "expected"),
    [("DT_FLOAT16", "FORMAT_ND", [1, 2]), ("DT_BF16", "FORMAT_FRACTAL_NZ", [27, 29]), ("DT_FLOAT", "FORMAT_NCHW", [-1, 0])],
)
def test_the_preprocessor_compares_types_and_formats(dtype: str, format_: str, expected: list[int], write: Write, compiler: str) -> None:
    kernel = Kernel(Program(write(CHOICE), defines={"ORIG_DTYPE_X": dtype, "FORMAT_X": format_}).compile())
    y, stream = Buffer.from_array(np.zeros(2, np.int32)), Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel, y)
    stream.synchronize()
    assert y.to_numpy().tolist() == expected


@pytest.mark.requirement("lib-61")
def test_the_numbers_are_those_of_ge(tmp_path: Path) -> None:
    names = {"DT_FLOAT": 0, "DT_INT32": 3, "DT_INT64": 9, "DT_BOOL": 12, "DT_BF16": 27, "DT_INT4": 29, "DT_HIFLOAT8": 34}
    names |= {"FORMAT_NHWC": 1, "FORMAT_ND": 2, "FORMAT_NC1HWC0": 3, "FORMAT_HWCN": 16, "FORMAT_NDHWC": 27, "FORMAT_FRACTAL_NZ": 29}
    names |= {"FORMAT_NCDHW": 30, "FORMAT_NDC1HWC0": 32, "FORMAT_FRACTAL_Z_3D": 33, "FORMAT_NC": 35, "FORMAT_NCL": 47}
    asserts = "\n".join(f"#if {name} != {number}\n#error {name}\n#endif" for name, number in names.items())
    text = f'#include "kernel_operator.h"\n{asserts}\nextern "C" __global__ __aicore__ void f() {{}}\n'
    with warnings.catch_warnings(record=True) as caught:
        assert Program(text).compile().kernel_names == ("f",)
    assert caught == []  # a name that is missing would be taken for 0


UNDEFINED = """#include "mine.h"
#if defined(OPTION) && OPTION > 2
#endif
#if ORIG_DTYPE_X == DT_BF16
#endif
extern "C" __global__ __aicore__ void f() {}
"""


def told(build: Callable[[], KernelBinary]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        build()
    assert {each.category for each in caught} <= {BuildWarning}
    return [str(each.message) for each in caught]


def test_an_undefined_name_in_if_is_a_warning_with_its_line(write: Write, tmp_path: Path, compiler: str) -> None:
    (tmp_path / "mine.h").write_text("#pragma once\n#if MINE\n#endif\n")
    source = write(UNDEFINED)
    words = told(Program(source).compile)
    assert words == [
        f"{tmp_path}/mine.h:2:5: warning: MINE is not defined, and #if takes it for 0; give it a value with"
        ' defines={"MINE": ...} or -D MINE=..., or ask #if defined(MINE)\n     2 | #if MINE\n       |     ^',
        f"{source}:5:5: warning: ORIG_DTYPE_X is not defined, and #if takes it for 0; give it a value with"
        ' defines={"ORIG_DTYPE_X": ...} or -D ORIG_DTYPE_X=..., or ask #if defined(ORIG_DTYPE_X)\n'
        "     5 | #if ORIG_DTYPE_X == DT_BF16\n       |     ^",
    ]
    assert told(Program(source).compile) == words  # from the cache as well
    assert told(Program(source, defines={"MINE": 1, "ORIG_DTYPE_X": "DT_BF16"}).compile) == []


def test_names_of_the_compiler_and_those_that_were_silenced_are_not_named(write: Write) -> None:
    kernel = 'extern "C" __global__ __aicore__ void f() {}\n'
    assert told(Program(write(f"#if __DAV_C220_CUBE__ || __SOME_COMPILER__\n#endif\n{kernel}")).compile) == []
    assert told(Program(write(f"#if NOBODY\n#endif\n{kernel}"), extra_flags=["-Wno-undef"]).compile) == []


def test_of_many_warnings_the_first_are_shown(write: Write) -> None:
    lines = "\n".join(f"#if NOBODY_{i}\n#endif" for i in range(50))
    words = told(Program(write(f'{lines}\nextern "C" __global__ __aicore__ void f() {{}}\n')).compile)
    assert len(words) == 21
    assert words[-1] == "... and 30 more warnings"


def test_the_warning_names_the_line_that_called_compile(write: Write) -> None:
    with pytest.warns(BuildWarning) as caught:
        Program(write('#if NOBODY\n#endif\nextern "C" __global__ __aicore__ void f() {}\n')).compile()
    assert [each.filename for each in caught] == [__file__]


def test_the_command_line_shows_warnings_and_builds(write: Write, tmp_path: Path) -> None:
    source = write('#if NOBODY\n#endif\nextern "C" __global__ __aicore__ void f() {}\n')
    command = [sys.executable, "-m", "aclimb", "build", str(source), "-o", str(tmp_path / "f.o")]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 0
    assert answer.stderr.startswith(f"{source}:2:5: warning: NOBODY is not defined, and #if takes it for 0;")
    assert answer.stderr.count("NOBODY") == 5
    assert answer.stdout == f"{tmp_path}/f.o: f for Ascend910_9392\n"
