// SPDX-License-Identifier: Apache-2.0
// Several cores: who they are, and how they wait for each other.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline GlobalTensor<int32_t> Words(GM_ADDR address) {
    GlobalTensor<int32_t> tensor;
    tensor.SetGlobalBuffer((__gm__ int32_t*)address);
    return tensor;
}

// Seven words a core; AICs first, then AIVs.
__aicore__ inline void Identity(GM_ADDR z) {
    auto to = Words(z);
    const int64_t core = g_coreType == AscendC::AIC ? GetBlockIdx() : GetBlockNum() + GetBlockIdx();
    const int64_t words[7] = {g_coreType, GetBlockIdx(), GetBlockNum(), GetSubBlockIdx(), GetSubBlockNum(), GetTaskRatio(), block_idx};
    for (int i = 0; i < 7; ++i) to.SetValue(core * 7 + i, words[i]);
}
extern "C" __global__ __aicore__ void identity(GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Identity(z);
}

// Every core notes its number, all meet, every core sums up what all have noted. `rounds` times, so that flags are used again.
template <bool isAIVOnly> __aicore__ inline void SumOfAll(GM_ADDR seen, GM_ADDR z, int32_t rounds, int64_t me, int64_t cores) {
    auto notes = Words(seen), to = Words(z);
    for (int32_t round = 0; round < rounds; ++round) {
        notes.SetValue(me, me + 1 + round);
        SyncAll<isAIVOnly>();
        int32_t sum = 0;
        for (int64_t i = 0; i < cores; ++i) sum += notes.GetValue(i);
        to.SetValue(round * cores + me, sum);
        SyncAll<isAIVOnly>();
    }
}
extern "C" __global__ __aicore__ void meet_mixed(GM_ADDR seen, GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    SumOfAll<false>(seen, z, rounds, g_coreType == AscendC::AIC ? GetBlockIdx() : GetBlockNum() + GetBlockIdx(), 3 * GetBlockNum());
}
extern "C" __global__ __aicore__ void meet_vectors(GM_ADDR seen, GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    SumOfAll<true>(seen, z, rounds, GetBlockIdx(), GetBlockNum());
}
extern "C" __global__ __aicore__ void meet_cubes(GM_ADDR seen, GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_0);
    SumOfAll<false>(seen, z, rounds, GetBlockIdx(), GetBlockNum());
}

// The same over global memory.
extern "C" __global__ __vector__ void meet_softly(GM_ADDR seen, GM_ADDR z, GM_ADDR workspace, int32_t rounds) {
    auto notes = Words(seen), to = Words(z);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 1024);
    for (int32_t round = 0; round < rounds; ++round) {
        notes.SetValue(GetBlockIdx(), GetBlockIdx() + 1 + round);
        SyncAll(Words(workspace), ub);
        int32_t sum = 0;
        for (int64_t i = 0; i < GetBlockNum(); ++i) sum += notes.GetValue(i);
        to.SetValue(round * GetBlockNum() + GetBlockIdx(), sum);
        SyncAll(Words(workspace), ub);
    }
}

// One after the other: each core appends to what its predecessor left.
extern "C" __global__ __vector__ void in_a_row(GM_ADDR z, GM_ADDR workspace) {
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 64);
    auto to = Words(z);
    const int32_t me = static_cast<int32_t>(GetBlockIdx());
    if (me > 0) IBWait(Words(workspace), ub, me - 1, 0);
    to.SetValue(me, me == 0 ? 1 : to.GetValue(me - 1) * 2 + 1);
    IBSet(Words(workspace), ub, me, 0);
}

// Vector and cube calls, queues and flags in shared code: each core does its own part and nothing of the other's.
extern "C" __global__ __aicore__ void shared_code(GM_ADDR x, GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TQue<TPosition::A1, 1> a1;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    pipe.InitBuffer(a1, 1, 512);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, 64);
    to.SetGlobalBuffer((__gm__ float*)z, 128);
    auto a = in.AllocTensor<float>();
    DataCopy(a, from, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, 64);
    PipeBarrier<PIPE_V>();
    SetFlag<HardEvent::V_MTE3>(EVENT_ID5);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID5);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(to, b, 64);
    out.FreeTensor(b);
    auto c = a1.AllocTensor<float>();
    DataCopy(c, from, 64);
    a1.EnQue(c);
    c = a1.DeQue<float>();
    if ASCEND_IS_AIC {
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    }
    DataCopy(to[64], c, 64); // from L1: the AIC's half of z
    a1.FreeTensor(c);
}
