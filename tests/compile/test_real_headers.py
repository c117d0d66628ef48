# SPDX-License-Identifier: Apache-2.0
"""A few builds with the device headers as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclimb.binary import KernelBinary

pytestmark = pytest.mark.usefixtures("real_headers")

VECTOR = """
using namespace AscendC;
template <typename T> class Adds1 {
  public:
    __aicore__ inline void Process(__gm__ T* x, T value) {
        TPipe pipe;
        TQue<TPosition::VECIN, 1> in;
        pipe.InitBuffer(in, 1, 256 * sizeof(T));
        GlobalTensor<T> gm;
        gm.SetGlobalBuffer(x, 256);
        LocalTensor<T> local = in.AllocTensor<T>();
        DataCopy(local, gm, 256);
        in.EnQue(local);
        local = in.DeQue<T>();
        Adds(local, local, value, 256);
        in.FreeTensor(local);
    }
};
template <typename T> __global__ __aicore__ void adds(__gm__ T* x, T value, bfloat16_t unused) {
    Adds1<T>().Process(x, value);
}
template __global__ __aicore__ void adds<half>(__gm__ half* x, half value, bfloat16_t unused);
"""
MIXED = """
extern "C" __global__ __aicore__ void mixed(GM_ADDR x) {
    if ASCEND_IS_AIC {
        AscendC::CrossCoreSetFlag<2, PIPE_FIX>(3);
        AscendC::LocalTensor<float> c(AscendC::TPosition::CO1, 0, 256);
        AscendC::LocalTensor<half> a(AscendC::TPosition::A2, 0, 256), b(AscendC::TPosition::B2, 0, 256);
        AscendC::Mmad(c, a, b, AscendC::MmadParams(16, 16, 16, 0, false, true));
    }
    if ASCEND_IS_AIV {
        AscendC::CrossCoreWaitFlag(3);
        AscendC::LocalTensor<float> t(AscendC::TPosition::VECCALC, 0, 64);
        AscendC::Abs(t, t, 64);
    }
}
"""


def test_half_and_bfloat16_are_scalars(compiler: str, build: Callable[..., KernelBinary]) -> None:
    kernel = build(VECTOR).kernels[0]
    assert kernel.signature == "adds<half>(x: half*, value: half, unused: bfloat16)"
    assert [(p.kind, p.size, p.offset) for p in kernel.parameters] == [
        ("pointer", 8, 0),
        ("float", 2, 8),
        ("float", 2, 16),
    ]
    assert kernel.kernel_type.name == "AIV_ONLY"


def test_a_kernel_with_work_for_both_cores_is_mixed(compiler: str, build: Callable[..., KernelBinary]) -> None:
    binary = build(MIXED)
    (kernel,) = binary.kernels
    assert (kernel.kernel_type.name, kernel.uses_cross_core, kernel.uses_sync_all) == ("MIX_AIC_1_2", True, False)
    assert set(binary.images) == {"aiv", "aic"}


def test_a_call_with_template_arguments_is_found_by_the_namespace_of_its_tensors(compiler: str, build: Callable[..., KernelBinary]) -> None:
    """Without `using namespace AscendC`. clang does so in C++17, g++ only in C++20."""
    text = """
    template <typename T> __global__ __aicore__ void f(GM_ADDR x) {
        AscendC::LocalTensor<T> a(AscendC::TPosition::VECCALC, 0, 64), b(AscendC::TPosition::VECCALC, 256, 64);
        ReduceSum<T>(a, b, a, 64);
        Cast<half, float>(b.template ReinterpretCast<half>(), a, AscendC::RoundMode::CAST_NONE, 64);
    }
    """
    assert build(text, instances=["f<float>"]).kernel_names == ("f<float>",)
