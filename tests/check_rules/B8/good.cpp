// SPDX-License-Identifier: Apache-2.0
// The note lies behind the words of SyncAll.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __aicore__ void twice_with_note(GM_ADDR x, GM_ADDR z, GM_ADDR workspace) {
    GlobalTensor<float> from, to, notes;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kCount, kCount);
    GlobalTensor<int32_t> words;
    words.SetGlobalBuffer((__gm__ int32_t*)workspace, GetBlockNum() * 8);
    notes.SetGlobalBuffer((__gm__ float*)workspace + GetBlockNum() * 8);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 1024, kCount);
    LocalTensor<int32_t> scratch(TPosition::VECCALC, 2048, 256);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
    SyncAll(words, scratch);
    DataCopy(notes[GetBlockIdx() * 8], out, 8);
}
