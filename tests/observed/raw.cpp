// SPDX-License-Identifier: Apache-2.0
// Plain loads and stores, which issue nothing. Comments name the lines.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    int32_t length, step;
    int64_t more[6];
};

extern "C" __global__ __aicore__ void sum_up(__gm__ int32_t* x, __gm__ int32_t* y, uint32_t length) {
    if (GetBlockIdx() != 0) return;
    int32_t sum = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum += x[i]; // load
    }
    y[1] = sum; // store
}

extern "C" __global__ __aicore__ void sizes(__gm__ uint8_t* x, __gm__ uint8_t* y) {
    y[0] = x[3];                               // one
    ((__gm__ uint16_t*)y)[1] = x[4];           // two
    ((__gm__ double*)y)[1] = x[5];             // eight
    *(__gm__ Tiling*)(y + 64) = *(__gm__ Tiling*)(x + 64); // struct
    memset(y + 256, 7, 100);                   // fill
    memcpy(y + 512, x + 512, 40);              // copy
    ((__gm__ half*)y)[512] = ((__gm__ half*)x)[512] + (half)1.0f; // half
}

extern "C" __global__ __aicore__ void with_tiling(__gm__ float* y, GM_ADDR tiling) {
    const Tiling mine = *(__gm__ Tiling*)tiling;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<float> local = buffer.Get<float>();
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer(y, 64);
    for (int32_t i = 0; i < mine.length; i += mine.step) local.SetValue(i, (float)i);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, local, 64);
}

extern "C" __global__ __aicore__ void own_memory(__gm__ int32_t* y) {
    int32_t local[64];
    for (int32_t i = 0; i < 64; i++) local[(i * 7) % 64] = i;
    int32_t sum = 0;
    for (int32_t i = 0; i < 64; i++) sum += local[i] * (i & 3);
    y[0] = sum; // only
}

extern "C" __global__ __aicore__ void into_ub(__gm__ float* y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<float> local = buffer.Get<float>();
    Duplicate(local, 3.0f, 64);
    __ubuf__ float* pointer = (__ubuf__ float*)local[16].GetPhyAddr();
    y[0] = pointer[4]; // ub
}

extern "C" __global__ __aicore__ void registers(__gm__ float* y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<float> local = buffer.Get<float>();
    Duplicate(local, 3.0f, 64);
    WholeReduceSum(local[128], local, 64, 1, 1, 1, 8);
    y[0] = GetReduceRepeatSumSpr<float>(); // sum
    WholeReduceMax(local[136], local, 64, 1, 1, 1, 8, ReduceOrder::ORDER_VALUE_INDEX);
    float value, index;
    GetReduceRepeatMaxMinSpr(value, index); // extreme
    y[1] = value;
    y[2] = index;
}

extern "C" __global__ __aicore__ void loop(__gm__ int32_t* y, int32_t count) {
    int32_t a = 1, b = 0;
    for (int32_t i = 0; i < count; i++) {
        a = a * 5 + i;
        if (a & 8) b ^= a;
        else b += a >> 3;
    }
    y[GetBlockIdx()] = a + b;
}

extern "C" __global__ __aicore__ void count_calls(__gm__ int32_t* y) {
    static int32_t calls = 0;
    y[0] = ++calls;
}

static int32_t twice(int32_t value) {
    int32_t sum = 0;
    for (int32_t i = 0; i < value; i++) sum += 2 + (i & 0 ? sum : 0);
    return sum;
}
volatile int32_t start = 21;
static int32_t computed = twice(start); // when the image is mapped, and nobody runs a core

extern "C" __global__ __aicore__ void initialised(__gm__ int32_t* y) { y[0] = computed; }

extern "C" __global__ __aicore__ void both_write(__gm__ int32_t* y) {
    y[0] = (int32_t)GetBlockIdx(); // race
}

extern "C" __global__ __aicore__ void each_its_own(__gm__ int32_t* y) { y[16 * GetBlockIdx()] = (int32_t)GetBlockIdx(); }
