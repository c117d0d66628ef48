# SPDX-License-Identifier: Apache-2.0
"""AscendC::Std, NumericLimits, Layout: what a compiler can check."""

from __future__ import annotations

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
static_assert(NumericLimits<float>::Max() == 3.40282347e+38f && NumericLimits<int32_t>::Lowest() == -2147483647 - 1, "");
static_assert(float(NumericLimits<half>::Max()) == 65504.0f && float(NumericLimits<half>::Lowest()) == -65504.0f, "");
static_assert(float(NumericLimits<half>::Min()) == 6.103515625e-05f, "");
static_assert(float(NumericLimits<half>::DeNormMin()) == 5.9604644775390625e-8f, "");
static_assert(float(NumericLimits<bfloat16_t>::NegativeInfinity()) == -NumericLimits<float>::Infinity(), "");
static_assert(float(NumericLimits<half>::QuietNaN()) != float(NumericLimits<half>::QuietNaN()), "");
static_assert(Std::abs(-3) == 3 && Std::max(2, 5) == 5 && Std::get<1>(Std::make_tuple(1, 2.5f)) == 2.5f, "");
static_assert(Std::is_one_of_v<int, float, int> && Std::IsSame<int, int>::value && !Std::always_false_v<int>, "");
static_assert(Std::tuple_size<Std::tuple<int, half>>::value == 2, "");
static_assert(Std::is_same_v<Std::tuple_element_t<1, Std::tuple<int, half>>, half>, "");
static_assert(Std::is_same_v<Std::remove_pointer_t<Std::add_pointer_t<float>>, float> && Std::make_index_sequence<3>::size() == 3, "");
constexpr auto layout = MakeLayout(MakeShape(4, 8), MakeStride(8, 1));
static_assert(Crd2Idx(MakeCoord(2, 3), layout) == 19 && layout(MakeCoord(1, 1)) == 9 && Std::get<0>(layout.GetShape()) == 4, "");

extern "C" __global__ __aicore__ void k(GM_ADDR x) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    LocalTensor<float> made = buffer.Get<float>();
    Duplicate(made, Std::sqrt(9.0f), 16);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)x, 16);
    DataCopy(to, made, 16);
    pipe.DestroyWithoutPipeAll();
    TPipe next;
}
"""


def test_words_around_the_library() -> None:
    z, stream = Buffer((16,), np.float32), Stream()
    launch(stream, LaunchConfig(num_blocks=1), Kernel(Program(SOURCE).compile(), "k"), z)
    stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), np.full(16, 3, np.float32))
