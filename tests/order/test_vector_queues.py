# SPDX-License-Identifier: Apache-2.0
"""A VECCALC queue hands tensors from V to V and sets no flag: a copy into one, or out of one, needs flags of its own."""

from __future__ import annotations

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

COUNT = 1024
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, 1024);
    to.SetGlobalBuffer((__gm__ float*)z, 1024);
    TPipe pipe;
    TQue<TPosition::IN, 1> in;
    TQue<TPosition::VECCALC, 1> middle;
    TQue<TPosition::OUT, 1> out;
    pipe.InitBuffer(in, 2, 2048);
    pipe.InitBuffer(middle, 2, 2048);
    pipe.InitBuffer(out, 2, 2048);
    for (int i = 0; i < 1024; i += 512) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, from[i], 512);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = middle.AllocTensor<float>();
        Adds(b, a, 0.0f, 512);
        in.FreeTensor(a);
        middle.EnQue(b);
        b = middle.DeQue<float>();
        LocalTensor<float> c = out.AllocTensor<float>();
        Add(c, b, b, 512);
        middle.FreeTensor(b);
        out.EnQue(c);
        c = out.DeQue<float>();
        DataCopy(to[i], c, 512);
        out.FreeTensor(c);
    }
}
"""


def checked(source: str) -> list[tuple[str, str]]:
    x, z = Buffer.from_array(np.arange(COUNT, dtype=np.float32)), Buffer(COUNT, np.float32)
    with aclimb.check() as check:
        stream = Stream()
        launch(stream, LaunchConfig(num_blocks=1), Kernel(Program(source, name="twice").compile()), x, z)
        stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), np.arange(COUNT, dtype=np.float32) * 2)
    return [(each.rule, str(each)) for each in check.findings]


def test_a_vector_queue_between_queues_that_copy_is_in_order() -> None:
    assert checked(KERNEL.replace("::IN", "::VECIN").replace("::OUT", "::VECOUT")) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (KERNEL.replace("::IN", "::VECCALC").replace("::OUT", "::VECOUT"), "MTE2 writes and V reads a"),
        (KERNEL.replace("::IN", "::VECIN").replace("::OUT", "::VECCALC"), "V writes and MTE3 reads c"),
    ],
    ids=["into", "out_of"],
)
def test_a_copy_of_a_vector_queue_without_flags_is_a_race(text: str, words: str) -> None:
    found = checked(text)
    assert {rule for rule, _ in found} == {"O1"}
    assert any(words in message for _, message in found), found
