// SPDX-License-Identifier: Apache-2.0
// Plain loops over floats, so that any length works: what an operator computes is easy to say in NumPy.
#include "kernel_operator.h"

using namespace AscendC;

struct AddTiling {
    uint32_t count;
    float alpha;
};

// z = x + alpha * y. What a kernel of an operator looks like: inputs, outputs, workspace, tiling.
extern "C" __global__ __vector__ void add_scaled(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(AddTiling, plan, tiling);
    const auto *left = (const __gm__ float*)x, *right = (const __gm__ float*)y;
    auto* sum = (__gm__ float*)z;
    for (uint32_t i = GetBlockIdx(); i < plan.count; i += GetBlockNum()) sum[i] = left[i] + plan.alpha * right[i];
}

// The same with the tiling struct as a parameter instead of its address.
extern "C" __global__ __vector__ void add_by_value(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, AddTiling plan) {
    const auto *left = (const __gm__ float*)x, *right = (const __gm__ float*)y;
    auto* sum = (__gm__ float*)z;
    for (uint32_t i = GetBlockIdx(); i < plan.count; i += GetBlockNum()) sum[i] = left[i] + plan.alpha * right[i];
}

// y = x * factor.
extern "C" __global__ __vector__ void scale(GM_ADDR x, GM_ADDR y, uint32_t n, float factor) {
    const auto* from = (const __gm__ float*)x;
    auto* to = (__gm__ float*)y;
    for (uint32_t i = GetBlockIdx(); i < n; i += GetBlockNum()) to[i] = from[i] * factor;
}

// y = y + x.
extern "C" __global__ __vector__ void add_into(GM_ADDR x, GM_ADDR y, uint32_t n) {
    const auto* from = (const __gm__ float*)x;
    auto* to = (__gm__ float*)y;
    for (uint32_t i = GetBlockIdx(); i < n; i += GetBlockNum()) to[i] += from[i];
}

struct CountTiling {
    uint32_t count;
};

// z = z + x, for an operator whose output is cleared first.
extern "C" __global__ __vector__ void accumulate(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(CountTiling, plan, tiling);
    const auto* from = (const __gm__ float*)x;
    auto* to = (__gm__ float*)z;
    for (uint32_t i = GetBlockIdx(); i < plan.count; i += GetBlockNum()) to[i] += from[i];
}
