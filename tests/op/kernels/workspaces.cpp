// SPDX-License-Identifier: Apache-2.0
// Two steps with a workspace between them, and what can go wrong with one.
#include "kernel_operator.h"

using namespace AscendC;

// Byte i of the workspace is value + i.
extern "C" __global__ __vector__ void fill_bytes(GM_ADDR workspace, uint32_t size, uint32_t value) {
    for (uint32_t i = GetBlockIdx(); i < size; i += GetBlockNum()) workspace[i] = static_cast<uint8_t>(value + i);
}

// z = the bytes of the workspace.
extern "C" __global__ __vector__ void copy_bytes(GM_ADDR workspace, GM_ADDR z, uint32_t size) {
    for (uint32_t i = GetBlockIdx(); i < size; i += GetBlockNum()) z[i] = workspace[i];
}

// z = x, by way of a workspace.
extern "C" __global__ __vector__ void through_workspace(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    const uint32_t count = *(const __gm__ uint32_t*)tiling;
    for (uint32_t i = 0; i < count; ++i) ((__gm__ float*)workspace)[i] = ((const __gm__ float*)x)[i];
    for (uint32_t i = 0; i < count; ++i) ((__gm__ float*)z)[i] = ((const __gm__ float*)workspace)[i];
}

// Copies 64 bytes from `offset` in the workspace to z, with the instructions that check where they read.
extern "C" __global__ __vector__ void move_bytes(GM_ADDR workspace, GM_ADDR z, uint32_t offset) {
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer((__gm__ uint8_t*)workspace + offset);
    to.SetGlobalBuffer((__gm__ uint8_t*)z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    LocalTensor<uint8_t> local = buffer.Get<uint8_t>();
    DataCopy(local, from, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, local, 64);
}
