// SPDX-License-Identifier: Apache-2.0
// Work for the scalar unit alone: no instruction is issued, the time is that of the compiled code.
#include "kernel_operator.h"

constexpr int kValues = 64, kSide = 8, kWalk = 1024;

// A sort, a sum with a branch for each value, a small matrix product.
extern "C" __global__ __aicore__ void sort_and_sum(GM_ADDR out, uint32_t rounds) {
    int32_t values[kValues];
    uint32_t seed = 12345;
    uint64_t sum = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        for (int32_t& value : values) {
            seed = seed * 1664525u + 1013904223u;
            value = static_cast<int32_t>(seed >> 8) % 1000;
        }
        for (int i = 1; i < kValues; i++) {
            const int32_t value = values[i];
            int at = i - 1;
            for (; at >= 0 && values[at] > value; at--) values[at + 1] = values[at];
            values[at + 1] = value;
        }
        for (const int32_t value : values) sum = value & 1 ? sum * 31 + value : sum ^ (sum << 7) ^ value;
        for (int i = 0; i < kSide; i++)
            for (int j = 0; j < kSide; j++) {
                float dot = 0;
                for (int k = 0; k < kSide; k++) dot += static_cast<float>(values[i * kSide + k]) * values[k * kSide + j];
                sum += static_cast<uint64_t>(dot);
            }
    }
    *reinterpret_cast<__gm__ uint64_t*>(out) = sum;
}

// A stencil over global memory, element by element.
extern "C" __global__ __aicore__ void walk(GM_ADDR out, uint32_t rounds) {
    auto* x = reinterpret_cast<__gm__ int32_t*>(out);
    auto* y = x + kWalk;
    for (uint32_t round = 0; round < rounds; round++)
        for (int i = 1; i < kWalk - 1; i++) y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4 + (x[i] > 0 ? 1 : -1);
}
