// SPDX-License-Identifier: Apache-2.0
// Small kernels with one thing to see in their timeline.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 1024;

// One tile: copied in, doubled, copied out.
extern "C" __global__ __aicore__ void one_tile(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    out.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kCount, kCount);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, kCount * sizeof(float));
    pipe.InitBuffer(outQueue, 1, kCount * sizeof(float));
    LocalTensor<float> loaded = inQueue.AllocTensor<float>();
    DataCopy(loaded, in, kCount);
    inQueue.EnQue(loaded);
    loaded = inQueue.DeQue<float>();
    LocalTensor<float> doubled = outQueue.AllocTensor<float>();
    Add(doubled, loaded, loaded, kCount);
    outQueue.EnQue(doubled);
    inQueue.FreeTensor(loaded);
    doubled = outQueue.DeQue<float>();
    DataCopy(out, doubled, kCount);
    outQueue.FreeTensor(doubled);
}

// Goes on as long as the sum it computed says: its control flow reads results.
extern "C" __global__ __aicore__ void steered(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    out.SetGlobalBuffer((__gm__ float*)z, 64);
    LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
    DataCopy(tile, in, 64);
    PipeBarrier<PIPE_ALL>();
    const auto rounds = static_cast<int32_t>(tile.GetValue(0));
    for (int32_t i = 0; i < rounds; ++i) Adds(tile, tile, 1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, tile, 64);
}

// Every core waits for every other.
extern "C" __global__ __aicore__ void meeting(GM_ADDR workspace) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    SyncAll();
}

// `count` Adds on tiles that have nothing to do with each other.
extern "C" __global__ __aicore__ void many_adds(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        LocalTensor<float> tile(TPosition::VECCALC, i % 16 * 4096, 1024);
        Adds(tile, tile, 1.0f, 1024);
    }
}

// Reads one number of global memory again and again.
extern "C" __global__ __aicore__ void reads_words(GM_ADDR x, uint32_t count, uint32_t step) {
    GlobalTensor<int32_t> words;
    words.SetGlobalBuffer((__gm__ int32_t*)x);
    for (uint32_t i = 0; i < count; ++i) words.GetValue(i * step);
}

extern "C" __global__ __aicore__ void fails(GM_ADDR x) {
    GlobalTensor<float> in;
    in.SetGlobalBuffer((__gm__ float*)x, 8);
    LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
    DataCopy(tile, in, 64);
}
