// SPDX-License-Identifier: Apache-2.0
// Each block writes a row, synchronises through words of global memory, and reads the row of a block that has written by then. With
// UNORDERED the same without the synchronisation.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 64;

#ifdef UNORDERED
#define ORDER(call) PipeBarrier<PIPE_ALL>()
#else
#define ORDER(call) call
#endif

struct Rows {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    LocalTensor<float> l;
    LocalTensor<int32_t> ub;
    GlobalTensor<float> rows, out;
    GlobalTensor<int32_t> words;
    int32_t block = static_cast<int32_t>(GetBlockIdx()), blocks = static_cast<int32_t>(GetBlockNum());

    __aicore__ inline Rows(GM_ADDR x, GM_ADDR y, GM_ADDR w) {
        pipe.InitBuffer(buffer, 16384);
        l = buffer.Get<float>();
        ub = buffer.GetWithOffset<int32_t>(2048, 8192);
        rows.SetGlobalBuffer((__gm__ float*)x);
        out.SetGlobalBuffer((__gm__ float*)y);
        words.SetGlobalBuffer((__gm__ int32_t*)w);
    }
    __aicore__ inline void Write() {
        Duplicate(l, static_cast<float>(block + 1), N);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(rows[block * N], l, N);
        PipeBarrier<PIPE_ALL>();
    }
    __aicore__ inline void Read(int32_t of) {
        DataCopy(l, rows[of * N], N);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(out[block * N], l, N);
        PipeBarrier<PIPE_ALL>();
    }
};

extern "C" __global__ __vector__ void everybody(GM_ADDR x, GM_ADDR y, GM_ADDR w) {
    Rows r(x, y, w);
    r.Write();
    ORDER(SyncAll(r.words, r.ub));
    r.Read((r.block + 1) % r.blocks);
}

// Twice, so that the second event needs its word empty.
extern "C" __global__ __vector__ void events(GM_ADDR x, GM_ADDR y, GM_ADDR w) {
    Rows r(x, y, w);
    const int32_t next = (r.block + 1) % r.blocks;
    for (int32_t round = 0; round < 2; round++) {
        r.Write();
        ORDER(IBSet(r.words, r.ub, r.block, 0));
        ORDER(IBWait(r.words, r.ub, next, 0));
        r.Read(next);
        ORDER(IBSet(r.words, r.ub, r.block, 1)); // the row may be written again
        ORDER(IBWait(r.words, r.ub, (r.block + r.blocks - 1) % r.blocks, 1));
    }
}

extern "C" __global__ __vector__ void turns(GM_ADDR x, GM_ADDR y, GM_ADDR w) {
    Rows r(x, y, w);
    ORDER(InitDetermineComputeWorkspace(r.words, r.ub));
    for (int32_t round = 0; round < 2; round++) {
        ORDER(WaitPreBlock(r.words, r.ub));
        r.Write();
        r.Read((r.block + r.blocks - 1) % r.blocks);
        ORDER(NotifyNextBlock(r.words, r.ub));
    }
}

extern "C" __global__ __vector__ void groups(GM_ADDR x, GM_ADDR y, GM_ADDR w) {
    Rows r(x, y, w);
    const auto all = static_cast<uint32_t>(r.blocks), own = static_cast<uint32_t>(r.block);
    GroupBarrier<PipeMode::MTE3_MODE> written(w, all, all), read(w + written.GetWorkspaceLen(), all, all);
    for (int32_t round = 0; round < 2; round++) {
        r.Write();
        ORDER(written.Arrive(own));
        ORDER(written.Wait(own));
        r.Read((r.block + 1) % r.blocks);
        ORDER(read.Arrive(own));
        ORDER(read.Wait(own));
    }
}
