// SPDX-License-Identifier: Apache-2.0
// Blocks add floats to one row one after the other.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __aicore__ void sum_of_rows(GM_ADDR x, GM_ADDR z, GM_ADDR workspace) {
    GlobalTensor<float> from, to;
    GlobalTensor<int32_t> words;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    words.SetGlobalBuffer((__gm__ int32_t*)workspace);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount);
    LocalTensor<int32_t> scratch(TPosition::VECCALC, 1024, 256);
    InitDetermineComputeWorkspace(words, scratch);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitPreBlock(words, scratch);
    SetAtomicAdd<float>();
    DataCopy(to, in, kCount);
    SetAtomicNone();
    NotifyNextBlock(words, scratch);
}
