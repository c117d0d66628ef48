// SPDX-License-Identifier: Apache-2.0
// Kernels of several ranks: what their context says, and who waits for whom.
#include "kernel_operator.h"
using namespace AscendC;

struct HcclCombinOpParam {
    uint64_t workSpace, workSpaceSize;
    uint32_t rankId, rankNum;
    uint64_t winSize;
    uint64_t windowsIn[32], windowsOut[32];
};

__aicore__ inline __gm__ HcclCombinOpParam* Context() { return (__gm__ HcclCombinOpParam*)GetHcclContext<0>(); }

// The first `words` of a context, through the scalar unit.
extern "C" __global__ __aicore__ void copy_context(__gm__ uint64_t* out, int64_t from, uint32_t words) {
    auto* context = (__gm__ uint64_t*)(GetHcclContext<0>() + from);
    for (uint32_t i = 0; i < words; i++) out[i] = context[i];
}

extern "C" __global__ __aicore__ void copy_second_context(__gm__ uint64_t* out) {
    out[0] = ((__gm__ HcclCombinOpParam*)GetHcclContext<HCCL_GROUP_ID_1>())->rankNum;
}

extern "C" __global__ __aicore__ void set_context(__gm__ uint64_t* out, GM_ADDR mine) {
    SetHcclContext<1>(mine);
    out[0] = (uint64_t)GetHcclContext<1>();
}

// `bytes` of 7 into the window of a rank, from `offset` on.
extern "C" __global__ __aicore__ void put(uint32_t rank, uint64_t offset, uint32_t bytes) {
    GlobalTensor<uint8_t> window;
    window.SetGlobalBuffer((__gm__ uint8_t*)Context()->windowsIn[rank] + offset);
    LocalTensor<uint8_t> sevens(TPosition::VECCALC, 0, 4096);
    for (uint32_t i = 0; i < bytes; i++) sevens.SetValue(i, 7);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(window, sevens, DataCopyExtParams(1, bytes, 0, 0, 0));
}

extern "C" __global__ __aicore__ void poke(uint32_t rank, uint64_t offset) { *(__gm__ uint8_t*)(Context()->windowsIn[rank] + offset) = 7; }

extern "C" __global__ __aicore__ void store_at(GM_ADDR to) {
    GlobalTensor<int32_t> word;
    word.SetGlobalBuffer((__gm__ int32_t*)to);
    word.SetValue(0, 7);
}

__aicore__ inline GlobalTensor<int32_t> Word(uint32_t rank, uint64_t offset) {
    GlobalTensor<int32_t> word;
    word.SetGlobalBuffer((__gm__ int32_t*)(Context()->windowsIn[rank] + offset), 8);
    return word;
}

extern "C" __global__ __aicore__ void tell(uint32_t rank, uint64_t offset, int32_t value) { Word(rank, offset).SetValue(0, value); }

// Three ways to wait for a word in the own window.
extern "C" __global__ __aicore__ void wait_by_value(uint64_t offset, int32_t value) {
    auto word = Word(Context()->rankId, offset);
    while (word.GetValue(0) != value) {}
}

extern "C" __global__ __aicore__ void wait_by_pointer(uint64_t offset, int32_t value) {
    auto word = Word(Context()->rankId, offset);
    auto* at = (__gm__ volatile int32_t*)word.GetPhyAddr();
    while (*at != value) DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(word);
}

extern "C" __global__ __aicore__ void wait_by_copy(uint64_t offset, int32_t value) {
    auto word = Word(Context()->rankId, offset);
    LocalTensor<int32_t> local(TPosition::VECCALC, 0, 8);
    do {
        DataCopy(local, word, 8);
        PipeBarrier<PIPE_ALL>();
    } while (local.GetValue(0) != value);
}

// Tells the next rank that it is there, `rounds` times, and waits for the one before.
extern "C" __global__ __aicore__ void ring(int32_t rounds) {
    auto* context = Context();
    const uint32_t next = (context->rankId + 1) % context->rankNum;
    for (int32_t round = 1; round <= rounds; round++) {
        Word(next, 0).SetValue(0, round);
        while (Word(context->rankId, 0).GetValue(0) < round) {}
    }
}

// The second block of a rank answers the other rank; the first waits for that answer's answer. One thread runs both.
extern "C" __global__ __aicore__ void two_blocks() {
    auto* context = Context();
    const uint32_t other = 1 - context->rankId;
    if (GetBlockIdx() == 0) {
        LocalTensor<int32_t> local(TPosition::VECCALC, 0, 8);
        do {
            DataCopy(local, Word(context->rankId, 64), 8);
            PipeBarrier<PIPE_ALL>();
        } while (local.GetValue(0) != 2);
    } else {
        Word(other, 0).SetValue(0, 1);
        while (Word(context->rankId, 0).GetValue(0) != 1) {}
        Word(other, 64).SetValue(0, 2);
    }
}

__BLOCK_LOCAL__ int32_t turns;
// A variable of a core, in an image that two devices run at the same time.
extern "C" __global__ __aicore__ void count_turns(__gm__ int32_t* out, int32_t rounds) {
    auto* context = Context();
    for (int32_t round = 1; round <= rounds; round++) {
        turns += 1 + context->rankId;
        Word(1 - context->rankId, 0).SetValue(0, round);
        while (Word(context->rankId, 0).GetValue(0) < round) {}
    }
    out[0] = turns;
}
