// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void says(int32_t number) { AscendC::printf("kernel says %d\n", number); }

extern "C" __global__ __aicore__ void fails(int32_t) { AscendC::Trap(); }

extern "C" __global__ __aicore__ void takes_a_while(int32_t) {
    for (volatile int64_t i = 0; i < 80000000; i = i + 1) {}
}

extern "C" __global__ __aicore__ void spins(int32_t) {
    for (volatile int64_t i = 0;; i = i + 1) {}
}
