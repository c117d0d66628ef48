// Kernels that break one rule of a SuperKernel each, and the same put right. A block owns 16 words.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kWords = 16;

class AddOne {
  public:
    __aicore__ inline AddOne(GM_ADDR in, GM_ADDR out) {
        from.SetGlobalBuffer((__gm__ int32_t*)in + GetBlockIdx() * kWords, kWords);
        to.SetGlobalBuffer((__gm__ int32_t*)out + GetBlockIdx() * kWords, kWords);
        pipe.InitBuffer(buffer, kWords * sizeof(int32_t));
        local = buffer.Get<int32_t>();
    }
    __aicore__ inline void CopyIn() {
        DataCopy(local, from, kWords);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    __aicore__ inline void Compute() {
        Adds(local, local, 1, kWords);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    }
    __aicore__ inline void CopyOut() { DataCopy(to, local, kWords); }
    __aicore__ inline void Run() {
        CopyIn();
        Compute();
        CopyOut();
    }

  private:
    GlobalTensor<int32_t> from, to;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    LocalTensor<int32_t> local;
};

#define KERNEL extern "C" __global__ __vector__ void

KERNEL plain(GM_ADDR in, GM_ADDR out) { AddOne(in, out).Run(); }
KERNEL good_set(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetNextTaskStart();
}
KERNEL good_wait(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    WaitPreTaskEnd();
    op.Run();
}
// K1: block 1 returns early.
KERNEL set_missing(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    if (GetBlockIdx() == 1) return;
    SetNextTaskStart();
}
KERNEL wait_missing(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    if (GetBlockIdx() != 1) WaitPreTaskEnd();
    op.Run();
}
// K2
KERNEL set_twice(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetNextTaskStart();
    if (GetBlockIdx() == 2) SetNextTaskStart();
}
KERNEL wait_twice(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    WaitPreTaskEnd();
    if (GetBlockIdx() == 0) WaitPreTaskEnd();
    op.Run();
}
// K3: key 2 does not call it.
KERNEL set_by_key(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    if (TILING_KEY_IS(1)) SetNextTaskStart();
    if (TILING_KEY_IS(2)) return;
}
// K5, K19: the copy comes behind the set.
KERNEL set_before_copy(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.CopyIn();
    op.Compute();
    SetNextTaskStart();
    op.CopyOut();
}
// K7, K19: reads before it waits.
KERNEL wait_after_copy(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.CopyIn();
    WaitPreTaskEnd();
    op.Compute();
    op.CopyOut();
}
// K5: the set waits for V, the copy is MTE3's.
KERNEL set_on_v(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetNextTaskStart<PIPE_V>();
}
// K19
KERNEL set_on_s(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetNextTaskStart<PIPE_S>();
}
// K10
KERNEL flag_left(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID3);
}
KERNEL cross_flag_left(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
}
// K11
KERNEL reserved_flag(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    CrossCoreSetFlag<0, PIPE_MTE3>(14);
    CrossCoreWaitFlag(14);
}
// K12
KERNEL sync_all(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SyncAll();
    SyncAll();
}
KERNEL own_barrier(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
}
// K15
KERNEL leaves_atomic(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetAtomicAdd<int32_t>();
}
KERNEL without_pipe(GM_ADDR in, GM_ADDR out) {
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)in + GetBlockIdx() * kWords, kWords);
    to.SetGlobalBuffer((__gm__ int32_t*)out + GetBlockIdx() * kWords, kWords);
    LocalTensor<int32_t> local(TPosition::VECCALC, 4096, kWords);
    DataCopy(local, from, kWords);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, local, kWords);
}
// K16
KERNEL raw_index(GM_ADDR in, GM_ADDR out) {
    if (block_idx >= 0) AddOne(in, out).Run();
}
// K21: 16 sets that nobody waits for.
KERNEL too_many_sets(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    for (int i = 0; i < 16; ++i) CrossCoreSetFlag<0, PIPE_MTE3>(5);
}
// The number of blocks, the index and the ratio as the sub-kernel sees them.
KERNEL who_am_i(GM_ADDR in, GM_ADDR out) {
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t*)out + GetBlockIdx() * kWords, kWords);
    to.SetValue(0, GetBlockIdx());
    to.SetValue(1, GetBlockNum());
    to.SetValue(2, GetSubBlockNum());
}
// K13: only the first AIV of a block tells the AIC.
extern "C" __global__ __mix__(1, 1) void first_aiv_only(GM_ADDR in, GM_ADDR out) {
    if ASCEND_IS_AIC
        CrossCoreWaitFlag(4);
    else if (GetSubBlockIdx() == 0) CrossCoreSetFlag<2, PIPE_MTE3>(4);
}
extern "C" __global__ __mix__(1, 1) void both_aivs(GM_ADDR in, GM_ADDR out) {
    if ASCEND_IS_AIC
        CrossCoreWaitFlag(4);
    else CrossCoreSetFlag<2, PIPE_MTE3>(4);
}
extern "C" __global__ __mix__(1, 2) void mixed_sync_all(GM_ADDR in, GM_ADDR out) {
    SyncAll<false>();
    SyncAll<false>();
}
extern "C" __global__ __cube__ void cube(GM_ADDR in, GM_ADDR out) {}
// K19: a set on V that has waited for the copies, and writes before the wait.
KERNEL set_on_v_behind_the_copy(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
    SetNextTaskStart<PIPE_V>();
}
KERNEL set_on_v_behind_a_barrier(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.Run();
    PipeBarrier<PIPE_ALL>();
    SetNextTaskStart<PIPE_V>();
}
KERNEL wait_after_write(GM_ADDR in, GM_ADDR out) {
    AddOne op(in, out);
    op.CopyOut();
    PipeBarrier<PIPE_ALL>();
    WaitPreTaskEnd();
    op.Run();
}
KERNEL wait_after_store(GM_ADDR in, GM_ADDR out) {
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t*)out + GetBlockIdx() * kWords, kWords);
    to.SetValue(0, 7);
    WaitPreTaskEnd();
}
