// SPDX-License-Identifier: Apache-2.0
// printf with widths that no line has, and texts that are not short.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void wide(GM_ADDR x) {
    AscendC::printf("[%2000000000d]", 7);
    AscendC::printf("[%.2000000000f]", 0.5f);
    AscendC::printf("[%-99999999999999999999s]", "left");
    AscendC::printf("[%5.2f|%-6d|%06d|%+d]", 1.5f, 7, 42, 3);
}

extern "C" __global__ __aicore__ void long_format(GM_ADDR x) {
#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
    AscendC::printf(HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED "%d\n", 1);
}

// Eight of sixteen, from the third on.
extern "C" __global__ __aicore__ void checkpoint(GM_ADDR x) {
    GlobalTensor<float> xGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 16);
    DumpAccChkPoint(xGm, 5, 2, 8);
}

// 2^32 - 1 elements to show, of which the tensor has eight.
extern "C" __global__ __aicore__ void large_shape(GM_ADDR x) {
    GlobalTensor<float> xGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 8);
    uint32_t shape[] = {65537, 65535};
    ShapeInfo info(2, shape);
    DumpTensor(xGm, 1, 8, info);
}
