# SPDX-License-Identifier: Apache-2.0
"""PI, which kernels use without a declaration of their own."""

from __future__ import annotations

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import CompileError

KERNEL = """
#include "kernel_operator.h"
{before}
extern "C" __global__ __aicore__ void circle(__gm__ float* y) {{
    if ASCEND_IS_AIV {{ y[0] = {value}; }}
}}
"""
USING = "using namespace AscendC;"


@pytest.mark.parametrize(
    ("before", "value", "expected"),
    [
        (USING, "2 * PI", np.float32(2) * np.float32(np.pi)),
        (USING, "PI == PI ? PI : 0", np.float32(np.pi)),
        ("", "AscendC::PI", np.float32(np.pi)),
        (f"{USING} constexpr float PI = 3.0f;", "PI", 3),
        (f"{USING} const float PI{{3.0f}};", "PI", 3),
        (f"{USING} namespace mine {{ constexpr float PI = 3.0f; }}", "mine::PI", 3),
        (f"{USING} enum Names {{ PI = 3 }};", "PI", 3),
        (f"#define PI 3.0f\n{USING}", "PI", 3),
        (f"{USING} struct Circle {{ static constexpr float PI = 3.0f; }};", "Circle::PI", 3),
        (f"{USING} template <typename T> T PI(T x) {{ return x; }}", "PI(3.0f)", 3),
    ],
)
def test_pi_is_there_for_who_has_none(before: str, value: str, expected: float, stream: Stream) -> None:
    source = KERNEL.format(before=before, value=value)
    kernel, y = Kernel(Program(source, name="circle").compile()), Buffer(1, "float32")
    launch(stream, LaunchConfig(num_blocks=1), kernel, y)
    assert y.to_numpy()[0] == expected


def test_pi_without_its_namespace_is_unknown() -> None:
    with pytest.raises(CompileError, match=r"'?PI'? was not declared in this scope|undeclared identifier 'PI'"):
        Program(KERNEL.format(before="", value="PI"), name="circle").compile()
