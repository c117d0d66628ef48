// SPDX-License-Identifier: Apache-2.0
// AIVs one after the other, one group behind another, and semaphores that hold one event.
#include "kernel_operator.h"
using namespace AscendC;

// The next free place of the log, and who was there; plain scalar accesses, so that only the order of the cores keeps it whole.
__aicore__ inline void Log(GlobalTensor<int32_t>& log, int32_t what) {
    const int32_t at = log.GetValue(0);
    log.SetValue(0, at + 1);
    log.SetValue(1 + at, what);
}

struct Workspace {
    GlobalTensor<int32_t> gm, log;
    LocalTensor<int32_t> ub;
    __aicore__ inline Workspace(GM_ADDR words, GM_ADDR z) : ub(TPosition::VECCALC, 0, 1024) {
        gm.SetGlobalBuffer((__gm__ int32_t*)words);
        log.SetGlobalBuffer((__gm__ int32_t*)z);
    }
};

extern "C" __global__ __aicore__ void in_order(GM_ADDR words, GM_ADDR z, int32_t rounds) {
    InitSocState();
    Workspace w(words, z);
    InitDetermineComputeWorkspace(w.gm, w.ub);
    for (int32_t round = 0; round < rounds; round++) {
        WaitPreBlock(w.gm, w.ub);
        Log(w.log, round * 100 + static_cast<int32_t>(GetBlockIdx()));
        NotifyNextBlock(w.gm, w.ub);
    }
}
extern "C" __global__ __aicore__ void no_notify(GM_ADDR words, GM_ADDR z) {
    InitSocState();
    Workspace w(words, z);
    InitDetermineComputeWorkspace(w.gm, w.ub);
    WaitPreBlock(w.gm, w.ub);
    if (GetBlockIdx() != 1) NotifyNextBlock(w.gm, w.ub);
}
extern "C" __global__ __aicore__ void no_wait(GM_ADDR words, GM_ADDR z) {
    InitSocState();
    Workspace w(words, z);
    InitDetermineComputeWorkspace(w.gm, w.ub);
    if (GetBlockIdx() == 1) NotifyNextBlock(w.gm, w.ub);
}
extern "C" __global__ __aicore__ void no_init(GM_ADDR words, GM_ADDR z) {
    InitSocState();
    Workspace w(words, z);
    WaitPreBlock(w.gm, w.ub);
}
extern "C" __global__ __aicore__ void small_ub(GM_ADDR words, GM_ADDR z) {
    InitSocState();
    Workspace w(words, z);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 8);
    InitDetermineComputeWorkspace(w.gm, ub);
}

// Blocks 0 and 1 arrive, the others wait; round by round each waiting one reads what both wrote before.
extern "C" __global__ __aicore__ void groups(GM_ADDR words, GM_ADDR x, GM_ADDR z, int32_t rounds) {
    InitSocState();
    const int32_t block = static_cast<int32_t>(GetBlockIdx()), waiting = static_cast<int32_t>(GetBlockNum()) - 2;
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)x);
    to.SetGlobalBuffer((__gm__ int32_t*)z);
    GroupBarrier<PipeMode::MTE3_MODE> barrier(words, 2, static_cast<uint32_t>(waiting));
    GroupBarrier<PipeMode::MTE3_MODE> back(words + barrier.GetWorkspaceLen(), static_cast<uint32_t>(waiting), 2);
    for (int32_t round = 1; round <= rounds; round++) {
        if (block < 2) {
            from.SetValue(block, round * 10 + block);
            barrier.Arrive(static_cast<uint32_t>(block));
            back.Wait(static_cast<uint32_t>(block));
        } else {
            barrier.Wait(static_cast<uint32_t>(block - 2));
            to.SetValue((block - 2) * rounds + round - 1, from.GetValue(0) + from.GetValue(1));
            back.Arrive(static_cast<uint32_t>(block - 2));
        }
    }
}
extern "C" __global__ __aicore__ void nobody_arrives(GM_ADDR words) {
    InitSocState();
    GroupBarrier<PipeMode::MTE3_MODE> barrier(words, 3, 2);
    if (GetBlockIdx() == 0) barrier.Arrive(1);
    else barrier.Wait(0);
}
extern "C" __global__ __aicore__ void wrong_index(GM_ADDR words) {
    InitSocState();
    GroupBarrier<PipeMode::MTE3_MODE>(words, 3, 2).Arrive(3);
}

// Block 0 sets an event ten times, block 1 takes it ten times: the second set waits until the first was taken.
extern "C" __global__ __aicore__ void ten_events(GM_ADDR words, GM_ADDR x, GM_ADDR z) {
    InitSocState();
    Workspace w(words, z);
    GlobalTensor<int32_t> box;
    box.SetGlobalBuffer((__gm__ int32_t*)x);
    for (int32_t i = 0; i < 10; i++) {
        if (GetBlockIdx() == 0) {
            IBSet(w.gm, w.ub, 0, 0);
            if (i > 0) IBWait(w.gm, w.ub, 1, 1); // of the round before: the set above went through only because that one was taken
            box.SetValue(0, i);
            IBSet(w.gm, w.ub, 0, 2);
        } else {
            IBWait(w.gm, w.ub, 0, 0);
            IBWait(w.gm, w.ub, 0, 2);
            Log(w.log, box.GetValue(0));
            if (i < 9) IBSet(w.gm, w.ub, 1, 1);
        }
    }
}
extern "C" __global__ __aicore__ void set_twice(GM_ADDR words, GM_ADDR z) {
    InitSocState();
    Workspace w(words, z);
    IBSet(w.gm, w.ub, 0, 3);
    IBSet(w.gm, w.ub, 0, 3);
}
