// SPDX-License-Identifier: Apache-2.0
// What an instruction computes with besides its operands. FAULT chooses one mistake; 0 is the kernel put right.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 512;

template <HardEvent event> __aicore__ inline void Order(int32_t id) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

// 1: the work space is where MTE2 loads the next tile; 2: it holds values that are stored later; 3: MTE3 still stores from it
extern "C" __global__ __vector__ void sums(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> xg, yg, zg;
    xg.SetGlobalBuffer((__gm__ float*)x, 2 * N);
    yg.SetGlobalBuffer((__gm__ float*)y, 16);
    zg.SetGlobalBuffer((__gm__ float*)z, 2 * N);
    LocalTensor<float> a(TPosition::VECCALC, 0, N), next(TPosition::VECCALC, 4096, N), work(TPosition::VECCALC, 8192, N),
        sum(TPosition::VECCALC, 12288, 16), twice(TPosition::VECCALC, 16384, N);
    Duplicate(sum, 0.0f, 16);
    DataCopy(a, xg, N);
    Order<HardEvent::MTE2_V>(0);
    Muls(twice, a, 2.0f, N);
#if FAULT == 2
    ReduceSum(sum, a, twice, N);
#endif
    Order<HardEvent::V_MTE3>(0);
    DataCopy(zg, twice, N);
#if FAULT == 3
    ReduceMax(sum, a, twice, N, true);
#endif
    DataCopy(next, xg[N], N);
#if FAULT == 1
    ReduceSum(sum, a, next, N);
#elif FAULT == 0
    ReduceSum(sum, a, work, N);
#endif
    Order<HardEvent::MTE2_V>(1);
    Adds(next, next, 1.0f, N);
    Order<HardEvent::V_MTE3>(1);
    DataCopy(yg, sum, 16);
    DataCopy(zg[N], next, N);
}

// 4: MTE2 fills the last 8 KB of UB while Select works there
extern "C" __global__ __vector__ void selects(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> xg, yg;
    xg.SetGlobalBuffer((__gm__ float*)x, 2 * N);
    yg.SetGlobalBuffer((__gm__ float*)y, 16);
    LocalTensor<float> a(TPosition::VECCALC, 0, 64), last(TPosition::VECCALC, 184 * 1024, 64);
    LocalTensor<uint8_t> mask(TPosition::VECCALC, 8192, 32);
    DataCopy(a, xg, 64);
    Order<HardEvent::MTE2_V>(0);
    CompareScalar(mask, a, 3.0f, CMPMODE::LT, 64);
    DataCopy(last, xg[64], 64);
#if FAULT != 4
    Order<HardEvent::MTE2_V>(1);
    Adds(a, last, 0.0f, 64);
#endif
    Select(a, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    Order<HardEvent::V_MTE3>(0);
    DataCopy(yg, a, 16);
}
