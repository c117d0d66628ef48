// SPDX-License-Identifier: Apache-2.0
// Small kernels for the tests of the runtime, in one file so that they are built once.
#include "kernel_operator.h"

using namespace AscendC;

// z = x + y, a share of `length` / blocks floats for each block.
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
    const uint32_t share = length / GetBlockNum();
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

// Every scalar type, widened into z: integers as int64, floats as double.
extern "C" __global__ __aicore__ void scalars(GM_ADDR z, int8_t i8, uint8_t u8, int16_t i16, uint16_t u16, int32_t i32, uint32_t u32,
                                              int64_t i64, uint64_t u64, bool flag) {
    auto* out = (__gm__ int64_t*)z;
    out[0] = i8;
    out[1] = u8;
    out[2] = i16;
    out[3] = u16;
    out[4] = i32;
    out[5] = u32;
    out[6] = i64;
    out[7] = static_cast<int64_t>(u64);
    out[8] = flag;
}

extern "C" __global__ __aicore__ void floats(GM_ADDR z, float f32, half f16, bfloat16_t bf16) {
    auto* out = (__gm__ float*)z;
    out[0] = f32;
    out[1] = static_cast<float>(f16);
    out[2] = static_cast<float>(bf16);
}

struct Tiling {
    uint32_t length;
    float scale;
    uint64_t offset;
    uint8_t tag[5];
};

extern "C" __global__ __aicore__ void takes_struct(GM_ADDR z, Tiling tiling, uint16_t last) {
    auto* out = (__gm__ uint64_t*)z;
    out[0] = tiling.length;
    out[1] = static_cast<uint64_t>(tiling.scale);
    out[2] = tiling.offset;
    out[3] = tiling.tag[4];
    out[4] = last;
}

extern "C" __global__ __aicore__ void store_word(GM_ADDR z, uint32_t index, int32_t value) { ((__gm__ int32_t*)z)[index] = value; }

// z = 10 z + digit: the order of launches shows in the number.
extern "C" __global__ __aicore__ void append_digit(GM_ADDR z, int64_t digit) {
    auto* number = (__gm__ int64_t*)z;
    *number = *number * 10 + digit;
}

// Turns round `turns` times, then stores a word.
extern "C" __global__ __aicore__ void slow_store(GM_ADDR z, uint64_t turns, int32_t value) {
    for (volatile uint64_t turn = 0; turn < turns; turn = turn + 1) {
    }
    *(__gm__ int32_t*)z = value;
}

extern "C" __global__ __aicore__ void keyed(GM_ADDR z) {
    if (TILING_KEY_IS(10)) {
        *(__gm__ int32_t*)z = 10;
    } else if (TILING_KEY_IS(20)) {
        *(__gm__ int32_t*)z = 20;
    }
}

extern "C" __global__ __aicore__ void meets(GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    SyncAll();
    if (GetBlockIdx() == 0) *(__gm__ int32_t*)z = static_cast<int32_t>(GetBlockNum());
}

extern "C" __global__ __aicore__ void meets_mixed(GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    SyncAll<false>();
    if ASCEND_IS_AIV {
        if (GetBlockIdx() == 0) *(__gm__ int32_t*)z = static_cast<int32_t>(GetBlockNum());
    }
}

// A line from every block, some of them before and some after the cores met.
extern "C" __global__ __aicore__ void speaks(GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    printf("block %d of %d\n", static_cast<int32_t>(GetBlockIdx()), static_cast<int32_t>(GetBlockNum()));
    SyncAll();
    printf("  %s %5.2f %x 100%%\n", GetBlockIdx() % 2 ? "odd" : "even", 1.5f * GetBlockIdx(), 0xabcu);
}

extern "C" __global__ __aicore__ void dumps(GM_ADDR x) {
    GlobalTensor<float> xGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 16);
    DumpTensor(xGm[GetBlockIdx() * 8], 7, 8);
}

// total += sum of x over blocks, in float: the order of the additions shows in the bits.
extern "C" __global__ __aicore__ void accumulate(GM_ADDR x, GM_ADDR total, uint32_t share) {
    GlobalTensor<float> xGm, totalGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * share, share);
    totalGm.SetGlobalBuffer((__gm__ float*)total, share);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, share * sizeof(float));
    LocalTensor<float> local = queue.AllocTensor<float>();
    DataCopy(local, xGm, share);
    queue.EnQue(local);
    local = queue.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(totalGm, local, share);
    SetAtomicNone();
    queue.FreeTensor(local);
}

extern "C" __global__ __aicore__ void accumulate_integers(GM_ADDR x, GM_ADDR total, uint32_t share) {
    GlobalTensor<int32_t> xGm, totalGm;
    xGm.SetGlobalBuffer((__gm__ int32_t*)x + GetBlockIdx() * share, share);
    totalGm.SetGlobalBuffer((__gm__ int32_t*)total, share);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, share * sizeof(int32_t));
    LocalTensor<int32_t> local = queue.AllocTensor<int32_t>();
    DataCopy(local, xGm, share);
    queue.EnQue(local);
    local = queue.DeQue<int32_t>();
    SetAtomicAdd<int32_t>();
    DataCopy(totalGm, local, share);
    SetAtomicNone();
    queue.FreeTensor(local);
}

// z = exp(x), floats and halves as they come.
template <typename T> __aicore__ inline void ExpOf(GM_ADDR x, GM_ADDR z, uint32_t length) {
    GlobalTensor<T> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ T*)x, length);
    zGm.SetGlobalBuffer((__gm__ T*)z, length);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, length * sizeof(T));
    LocalTensor<T> local = buffer.Get<T>();
    DataCopy(local, xGm, length);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Exp(local, local, length);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, length);
}
extern "C" __global__ __aicore__ void exp_float(GM_ADDR x, GM_ADDR z, uint32_t length) { ExpOf<float>(x, z, length); }
extern "C" __global__ __aicore__ void exp_half(GM_ADDR x, GM_ADDR z, uint32_t length) { ExpOf<half>(x, z, length); }
