// SPDX-License-Identifier: Apache-2.0
// What the scalar unit does by itself: plain C++, and plain pointers to global memory.
#include "kernel_operator.h"

using namespace AscendC;

// A chain of numbers, each computed from the one before: five operations with the loop.
extern "C" __global__ __aicore__ void additions(GM_ADDR y, uint32_t count) {
    uint32_t value = count;
    for (uint32_t i = 0; i < count; ++i) value = (value * 1664525u + 1013904223u) ^ i;
    *((__gm__ uint32_t*)y + GetBlockIdx()) = value;
}

// The sum of `count` numbers, `step` apart, again and again.
extern "C" __global__ __aicore__ void loads(GM_ADDR x, GM_ADDR y, uint32_t count, uint32_t step, uint32_t rounds) {
    const __gm__ uint32_t* from = (const __gm__ uint32_t*)x;
    uint32_t sum = 0;
    for (uint32_t round = 0; round < rounds; ++round)
        for (uint32_t i = 0; i < count; ++i) sum += from[i * step] ^ round;
    *(__gm__ uint32_t*)y = sum;
}

// A struct that is copied as a whole.
struct Settings {
    uint64_t values[40];
};
extern "C" __global__ __aicore__ void settings(GM_ADDR x, GM_ADDR y, uint32_t which) {
    Settings own;
    const __gm__ Settings* given = (const __gm__ Settings*)x;
    for (uint32_t i = 0; i < 40; ++i) own.values[i] = given->values[i];
    *(__gm__ uint64_t*)y = own.values[which % 40];
}

// Little computed, and a vector instruction behind it.
extern "C" __global__ __aicore__ void then_add(uint32_t count) {
    LocalTensor<float> tile(TPosition::VECCALC, 0, 1024);
    uint32_t value = count;
    for (uint32_t i = 0; i < count; ++i) value = (value * 1664525u + 1013904223u) ^ i;
    Adds(tile, tile, static_cast<float>(value), 1024);
}

// The first block looks at a word until the last one, which has something to do before, has written there.
extern "C" __global__ __aicore__ void polls(GM_ADDR word, uint32_t count) {
    GlobalTensor<uint32_t> flag;
    flag.SetGlobalBuffer((__gm__ uint32_t*)word, 16);
    if (GetBlockIdx() == 0) {
        do DataCacheCleanAndInvalid<uint32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
        while (*(volatile __gm__ uint32_t*)word == 0);
        return;
    }
    uint32_t value = 1;
    for (uint32_t i = 0; i < count; ++i) value = (value * 1664525u + 1013904223u) ^ i;
    flag.SetValue(0, value | 1);
    DataCacheCleanAndInvalid<uint32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
}
