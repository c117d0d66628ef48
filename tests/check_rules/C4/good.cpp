// SPDX-License-Identifier: Apache-2.0
// The cache is cleaned from the start of the line.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void two_words(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, 16);
    to.SetGlobalBuffer((__gm__ float*)z, 16);
    to.SetValue(0, from.GetValue(0) * 2.0f);
    to.SetValue(8, from.GetValue(8) * 2.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(to);
    DataSyncBarrier<MemDsbT::DDR>();
}
