// SPDX-License-Identifier: Apache-2.0
// Each block stores into a line of its own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kStep = 16; // floats from one block's result to the next

extern "C" __global__ __aicore__ void first_of_each(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x);
    to.SetGlobalBuffer((__gm__ float*)z);
    const float value = from.GetValue(GetBlockIdx() * 16);
    to.SetValue(GetBlockIdx() * kStep, value + value);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(to[GetBlockIdx() * kStep]);
    DataSyncBarrier<MemDsbT::DDR>();
}
