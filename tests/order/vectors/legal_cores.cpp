// SPDX-License-Identifier: Apache-2.0
// Cores that share global memory as they may: T5, T6, T8, T9, T12, T17, T18, T23, T28, T29, T34.
#include "tiles.h"

__aicore__ inline void OwnTile(Tiles& a) {
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gw, a.z, kTile);
}
__aicore__ inline void Pass(Tiles& a) {
    SetFlag<HardEvent::MTE2_V>(1);
    WaitFlag<HardEvent::MTE2_V>(1);
    Adds(a.y, a.t, 0, kTile);
    SetFlag<HardEvent::V_MTE3>(1);
    WaitFlag<HardEvent::V_MTE3>(1);
    DataCopy(a.gz, a.y, kTile);
}

// Four rows of two columns of 64 bytes: each of two blocks writes one column.
extern "C" __global__ __vector__ void t05_columns(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    const Local column = Ub(0, 4 * kTile);
    Duplicate(column, static_cast<int32_t>(GetBlockIdx()) + 1, 4 * kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Gm(out, GetBlockIdx(), 8 * kTile), column, DataCopyParams(4, 2, 0, 2));
}

extern "C" __global__ __mix__(0, 1) void t06_sum_of_all(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    SetAtomicAdd<int32_t>();
    DataCopy(Gm(work, 0), a.z, kTile);
    SetAtomicNone();
    SyncAll();
    if (GetBlockIdx() != 0) return;
    DataCopy(a.t, Gm(work, 0), kTile);
    Pass(a);
}

// Everybody clears the words that everybody then meets at: the same bytes, written in no order.
extern "C" __global__ __mix__(0, 1) void t08_everybody_clears(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Global words = Gm(work, 0, 256);
    Local zeros = Ub(1024, 256);
    Duplicate(zeros, 0, 256);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(words, zeros, 64);
    SyncAll();
    SyncAll(words, zeros);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// Tiles of the workspace from the fourth on; the words of the synchronisation lie before them.
extern "C" __global__ __vector__ void t09_soft_sync_all(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    a.gw = Gm(work, GetBlockIdx() + 16);
    OwnTile(a);
    SyncAll(Gm(work, 0, 256), Ub(1024, 256));
    DataCopy(a.t, Gm(work, Neighbour() + 16), kTile);
    Pass(a);
}

extern "C" __global__ __vector__ void t09_ib_set(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    a.gw = Gm(work, GetBlockIdx() + 16);
    Global words = Gm(work, 0, 256);
    Local scratch = Ub(1024, 256);
    OwnTile(a);
    IBSet(words, scratch, GetBlockIdx(), 0);
    IBWait(words, scratch, Neighbour(), 0);
    DataCopy(a.t, Gm(work, Neighbour() + 16), kTile);
    Pass(a);
}

// One block behind the other adds to one tile.
extern "C" __global__ __vector__ void t09_pre_block(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Global words = Gm(work, 0, 256), sum = Gm(out, 0);
    Local scratch = Ub(1024, 256);
    InitDetermineComputeWorkspace(words, scratch);
    DataCopy(a.x, a.gx, kTile);
    WaitPreBlock(words, scratch);
    DataCopy(a.t, sum, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(a.z, a.x, a.t, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(sum, a.z, kTile);
    NotifyNextBlock(words, scratch);
}

// Two blocks share 32 bytes, 16 each.
extern "C" __global__ __vector__ void t12_halves_of_a_block(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, static_cast<int32_t>(GetBlockIdx()) + 1, 8);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopyPad(Gm(out, 0)[GetBlockIdx() * 4], a.z, DataCopyExtParams(1, 16, 0, 0, 0));
}

// A flag between cores stops the scalar unit, and with it every pipe.
extern "C" __global__ __mix__(0, 1) void t17_overwrite_behind_the_wait(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    Duplicate(a.t, 9, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Gm(out, Neighbour()), a.t, kTile);
}

// Launched twice: what one launch wrote, the next one reads.
extern "C" __global__ __vector__ void t18_launch_after_launch(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work, Neighbour());
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Gm(out, GetBlockIdx()), a.z, kTile);
}

extern "C" __global__ __vector__ void t23_same_weights(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    DataCopy(a.y, Gm(in, 32), kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(a.z, a.x, a.y, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// One's own cache is no obstacle to oneself.
extern "C" __global__ __vector__ void t28_own_words(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Global word = Gm(work, GetBlockIdx());
    word.SetValue(0, 7);
    Gm(out, GetBlockIdx()).SetValue(0, word.GetValue(0));
}

// Past the cache: the data, a barrier, then the word that says so; block 1 looks until it is there.
extern "C" __global__ __mix__(0, 1) void t29_polling(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    auto data = (__gm__ int32_t*)work, flag = (__gm__ int32_t*)work + 16;
    if (GetBlockIdx() == 0) {
        WriteGmByPassDCache(data, 5);
        DataSyncBarrier<MemDsbT::ALL>();
        WriteGmByPassDCache(flag, 1);
    } else {
        while (ReadGmByPassDCache(flag) != 1) {}
        Gm(out, 0).SetValue(0, ReadGmByPassDCache(data));
    }
}

extern "C" __global__ __mix__(0, 1) void t34_waits_the_other_way_round(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    OwnTile(a);
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreSetFlag<0, PIPE_MTE3>(1);
    CrossCoreWaitFlag(1);
    CrossCoreWaitFlag(0);
    DataCopy(a.t, Gm(work, Neighbour()), kTile);
    Pass(a);
}
