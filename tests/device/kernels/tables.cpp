// SPDX-License-Identifier: Apache-2.0
// Tables in global memory that stand in the source of a kernel.
#include "kernel_operator.h"
using namespace AscendC;

const static __gm__ float kPrimes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
__gm__ const half kEye[256] = {
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static __gm__ int32_t kept[8] = {1, 2, 3, 4, 5, 6, 7, 8};

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

// z = x + the primes, read by DataCopy, by DataCopyPad and by SetGlobalBuffer with a length.
extern "C" __global__ __aicore__ void add_primes(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> primes, measured;
    primes.SetGlobalBuffer(const_cast<__gm__ float*>(kPrimes));
    measured.SetGlobalBuffer((__gm__ float*)kPrimes, 16);
    LocalTensor<float> a(TPosition::VECIN, 0, 16), b(TPosition::VECIN, 64, 16);
    DataCopy(a, At<float>(x), 16);
    DataCopy(b, primes, 8);
    DataCopyPad(b[8], measured[8], {1, 32, 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    Add(a, a, b, 16);
    PipeBarrier<PIPE_ALL>();
    a.SetValue(0, a.GetValue(0) + kPrimes[3] - primes.GetValue(3) + measured(0) - kPrimes[0]);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<float>(z), a, 16);
}

// z = x times a matrix that has 1, 2, 3, 4 on its diagonal, on the AIC.
extern "C" __global__ __aicore__ void times_table(GM_ADDR x, GM_ADDR z) {
    InitSocState();
    LocalTensor<half> a1(TPosition::A1, 0, 256), b1(TPosition::B1, 4096, 256), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    GlobalTensor<half> eye;
    eye.SetGlobalBuffer(kEye);
    DataCopy(a1, At<half>(x), 256);
    DataCopy(b1, eye, 256);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Mmad(c, a2, b2, MmadParams(16, 16, 16, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    Fixpipe<float, float, CFG_ROW_MAJOR>(At<float>(z), c, FixpipeParamsV220(16, 16, 16, 16, false));
}

extern "C" __global__ __aicore__ void writes_a_table(GM_ADDR z) {
    LocalTensor<int32_t> a(TPosition::VECIN, 0, 8);
    Duplicate(a, kept[1], 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<int32_t>((GM_ADDR)kept), a, 8);
}

extern "C" __global__ __aicore__ void reads_behind_a_table(GM_ADDR z) {
    LocalTensor<float> a(TPosition::VECIN, 0, 16384);
    GlobalTensor<float> primes;
    primes.SetGlobalBuffer(const_cast<__gm__ float*>(kPrimes));
    DataCopy(a, primes, 16384);
}
