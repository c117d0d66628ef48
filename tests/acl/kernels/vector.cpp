// SPDX-License-Identifier: Apache-2.0
// AIV kernels that do what they are told, in one file so that they are built once.
#include "kernel_operator.h"

using namespace AscendC;

// z = x + y over n floats, n / blocks of them for each block; a share is a multiple of 8.
extern "C" __global__ __vector__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    const uint32_t share = n / GetBlockNum();
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * share, share);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * share, share);
    zGm.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * share, share);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue, yQueue;
    TQue<TPosition::VECOUT, 1> zQueue;
    pipe.InitBuffer(xQueue, 1, share * sizeof(float));
    pipe.InitBuffer(yQueue, 1, share * sizeof(float));
    pipe.InitBuffer(zQueue, 1, share * sizeof(float));

    LocalTensor<float> xLocal = xQueue.AllocTensor<float>(), yLocal = yQueue.AllocTensor<float>();
    DataCopy(xLocal, xGm, share);
    DataCopy(yLocal, yGm, share);
    xQueue.EnQue(xLocal);
    yQueue.EnQue(yLocal);
    xLocal = xQueue.DeQue<float>();
    yLocal = yQueue.DeQue<float>();
    LocalTensor<float> zLocal = zQueue.AllocTensor<float>();
    Add(zLocal, xLocal, yLocal, share);
    xQueue.FreeTensor(xLocal);
    yQueue.FreeTensor(yLocal);
    zQueue.EnQue(zLocal);
    zLocal = zQueue.DeQue<float>();
    DataCopy(zGm, zLocal, share);
    zQueue.FreeTensor(zLocal);
}

struct AffineTiling {
    uint32_t count;
    float scale;
    float bias;
};

// y = x * scale + bias for the first `count` of n floats, 0 for the rest; the tiling struct lies in device memory.
extern "C" __global__ __vector__ void affine(GM_ADDR x, GM_ADDR tiling, uint32_t n, GM_ADDR y) {
    const auto* plan = (const __gm__ AffineTiling*)tiling;
    const auto* from = (const __gm__ float*)x;
    auto* to = (__gm__ float*)y;
    for (uint32_t i = 0; i < n; ++i) to[i] = i < plan->count ? from[i] * plan->scale + plan->bias : 0.0f;
}

// out[block] = block.
extern "C" __global__ __vector__ void fill_index(GM_ADDR out) {
    ((__gm__ int32_t*)out)[GetBlockIdx()] = static_cast<int32_t>(GetBlockIdx());
}

// out[block] += 1: a block that runs twice shows.
extern "C" __global__ __vector__ void count_runs(GM_ADDR out) { ((__gm__ int32_t*)out)[GetBlockIdx()] += 1; }

struct Twelve {
    uint32_t words[3];
};
struct ThreeHundred {
    uint8_t bytes[300];
};

// Writes its parameters to out, one behind the other without gaps: 1 + 2 + 4 + 8 + 12 + 300 = 327 bytes.
extern "C" __global__ __vector__ void echo_args(uint8_t one, uint16_t two, uint32_t four, uint64_t eight, Twelve twelve, ThreeHundred big,
                                                GM_ADDR out) {
    uint32_t end = 0;
    const auto copy = [&](const void* from, uint32_t size) {
        for (uint32_t i = 0; i < size; ++i) out[end + i] = static_cast<const uint8_t*>(from)[i];
        end += size;
    };
    copy(&one, 1);
    copy(&two, 2);
    copy(&four, 4);
    copy(&eight, 8);
    copy(&twelve, 12);
    copy(&big, 300);
}

// Writes the bytes of two blocks of memory to out, one behind the other.
extern "C" __global__ __vector__ void two_sources(GM_ADDR first, uint32_t firstSize, GM_ADDR second, uint32_t secondSize, GM_ADDR out) {
    for (uint32_t i = 0; i < firstSize; ++i) out[i] = first[i];
    for (uint32_t i = 0; i < secondSize; ++i) out[firstSize + i] = second[i];
}

// z = 10 z + digit: the order of launches shows in the number.
extern "C" __global__ __vector__ void append_digit(GM_ADDR z, int64_t digit) {
    auto* number = (__gm__ int64_t*)z;
    *number = *number * 10 + digit;
}

// Turns round `turns` times, then stores a word: some 2 ns for a turn.
extern "C" __global__ __vector__ void slow(GM_ADDR z, uint64_t turns, int32_t value) {
    for (volatile uint64_t turn = 0; turn < turns; turn = turn + 1) {}
    *(__gm__ int32_t*)z = value;
}

// Waits until the host writes something else than 0 to *open.
extern "C" __global__ __vector__ void gate(GM_ADDR open) {
    while (*(volatile __gm__ int32_t*)open == 0) {}
}
