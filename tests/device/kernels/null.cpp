// SPDX-License-Identifier: Apache-2.0
// Accesses through pointers that a compiler can prove to be null: undefined in C++, and a fault on the device.
#include "kernel_operator.h"

__aicore__ inline __gm__ int32_t* Nothing() { return nullptr; }

extern "C" __global__ __aicore__ void volatile_store(__gm__ int32_t* y) {
    *(volatile int*)0 = 1; // fault
}

extern "C" __global__ __aicore__ void loop_of_stores(__gm__ int32_t* y) {
    __gm__ int32_t* p = nullptr;
    if (AscendC::GetBlockIdx() == 0)
        for (int i = 0; i < 8; ++i) p[i] = 1; // fault
}

extern "C" __global__ __aicore__ void store_between(__gm__ int32_t* y) {
    y[0] = 5;
    Nothing()[1] = 7; // fault
    y[1] = 6;
}

extern "C" __global__ __aicore__ void used_read(__gm__ int32_t* y) {
    __gm__ int32_t* p = Nothing();
    y[0] = p[1]; // fault
}

extern "C" __global__ __aicore__ void read_of_a_member(__gm__ int32_t* y) {
    struct Pair {
        int32_t first, second;
    };
    const __gm__ Pair* pair = reinterpret_cast<const __gm__ Pair*>(Nothing());
    y[0] = pair->second; // fault
}

extern "C" __global__ __aicore__ void checked_too_late(__gm__ int32_t* y, __gm__ int32_t* p) {
    y[1] = p[0]; // fault
    y[0] = p ? 1 : -1;
}

extern "C" __global__ __aicore__ void checked_in_time(__gm__ int32_t* y, __gm__ int32_t* p) { y[0] = p ? p[0] : -1; }
