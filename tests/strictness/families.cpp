// SPDX-License-Identifier: Apache-2.0
// One instruction of each vector family, on tensors that say they have one block each and are used beyond it; good_ declares them whole.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 128;

template <bool good, typename T> __aicore__ inline LocalTensor<T> Piece(uint32_t index) {
    return LocalTensor<T>(TPosition::VECCALC, index * 1024, good ? kCount : 32 / sizeof(T));
}

template <bool good> __aicore__ void Families(GM_ADDR x, GM_ADDR z) {
    InitSocState();
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    zGm.SetGlobalBuffer((__gm__ float*)z);
    auto a = Piece<good, float>(0), b = Piece<good, float>(1), c = Piece<good, float>(2), d = Piece<good, float>(3);
    auto h = Piece<good, half>(4);
    auto bits = Piece<good, uint8_t>(5);
    DataCopy(a, xGm, kCount);
    PipeBarrier<PIPE_ALL>();
    Duplicate(b, 50.0f, kCount);
    Compare(bits, a, b, CMPMODE::LT, kCount);
    Select(c, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, kCount);
    Cast(h, c, RoundMode::CAST_RINT, kCount);
    Cast(d, h, RoundMode::CAST_NONE, kCount);
    Add(d, d, d, kCount);
    Muls(d, d, 0.5f, uint64_t(64), 2, {1, 1, 8, 8});
    Axpy(d, a, 2.0f, kCount);
    WholeReduceMax(c, a, 64, 2, 1, 1, 8);
    BlockReduceSum(b, a, 2, 64, 1, 1, 8);
    DataCopy(d[64], b, DataCopyParams{1, 2, 0, 0});
    Copy(c[32], a, 64, 1, {1, 1, 8, 8});
    ReduceSum(b, a, h.template ReinterpretCast<float>(), kCount);
    Brcb(c[48], a, 1, {1, 8});
    PipeBarrier<PIPE_ALL>();
    d.SetValue(100, a.GetValue(99) + b.GetValue(0));
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm, d, kCount);
    DataCopy(zGm[kCount], c, kCount);
}
extern "C" __global__ __aicore__ void families(GM_ADDR x, GM_ADDR z) { Families<false>(x, z); }
extern "C" __global__ __aicore__ void good_families(GM_ADDR x, GM_ADDR z) { Families<true>(x, z); }

// The same for instructions that wait for their turn: V stands at a flag that comes last.
template <bool good> __aicore__ void Late(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    zGm.SetGlobalBuffer((__gm__ float*)z);
    auto a = Piece<good, float>(0), b = Piece<good, float>(1);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(b, a, a, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, b, kCount);
    DataCopy(a, xGm, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
}
extern "C" __global__ __aicore__ void late(GM_ADDR x, GM_ADDR z) { Late<false>(x, z); }
extern "C" __global__ __aicore__ void good_late(GM_ADDR x, GM_ADDR z) { Late<true>(x, z); }

// Words of a soft SyncAll and of IBSet behind the length that was declared.
template <bool good> __aicore__ void Words(GM_ADDR x, GM_ADDR z, GM_ADDR words) {
    GlobalTensor<int32_t> wordsGm;
    wordsGm.SetGlobalBuffer((__gm__ int32_t*)words, good ? 256 : 8);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 256);
    SyncAll(wordsGm, ub);
    if (GetBlockIdx() == 0) IBSet(wordsGm[64], ub, 1, 1);
    if (GetBlockIdx() == 1) IBWait(wordsGm[64], ub, 1, 1);
    ((__gm__ float*)z)[GetBlockIdx()] = ((__gm__ float*)x)[GetBlockIdx()];
}
extern "C" __global__ __aicore__ void words(GM_ADDR x, GM_ADDR z, GM_ADDR w) { Words<false>(x, z, w); }
extern "C" __global__ __aicore__ void good_words(GM_ADDR x, GM_ADDR z, GM_ADDR w) { Words<true>(x, z, w); }
