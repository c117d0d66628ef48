// SPDX-License-Identifier: Apache-2.0
// Order between cores that is missing, M14 to M17 and M23 to M25: a tile in, one added, out; then the neighbour's, and out again.
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

// What the neighbour wrote, in t already.
__aicore__ inline void Pass(Tiles& a) {
    SetFlag<HardEvent::MTE2_V>(1);
    WaitFlag<HardEvent::MTE2_V>(1);
    Adds(a.y, a.t, 0, kTile);
    SetFlag<HardEvent::V_MTE3>(1);
    WaitFlag<HardEvent::V_MTE3>(1);
    DataCopy(a.gz, a.y, kTile);
}

extern "C" __global__ __mix__(0, 1) void m14_wait_too_late(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    OwnTile(a);
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    //+ CrossCoreWaitFlag(0);
    DataCopy(a.t, Gm(work, Neighbour()), kTile);
    CrossCoreWaitFlag(0); //-
    Pass(a);
}

// However many instructions of V stand between the copy and the set: the set is not of the pipe that copies.
extern "C" __global__ __mix__(0, 1) void m15_set_of_other_pipe(GM_ADDR in, GM_ADDR out, GM_ADDR work, uint32_t fillers) {
    Tiles a(in, out, work);
    OwnTile(a);
    for (uint32_t i = 0; i < fillers; ++i) Duplicate(Ub(512), 1, kTile);
    CrossCoreSetFlag<0, PIPE_V>(0); //-
    //+ CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    DataCopy(a.t, Gm(work, Neighbour()), kTile);
    Pass(a);
}

// AIVs 0 and 1 belong to one block, 2 and 3 to the other; each reads what an AIV of the other block wrote.
extern "C" __global__ __mix__(1, 2) void m16_other_mode(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    if ASCEND_IS_AIV {
        Tiles a(in, out, work);
        OwnTile(a);
        CrossCoreSetFlag<1, PIPE_MTE3>(0); //-
        //+ CrossCoreSetFlag<0, PIPE_MTE3>(0);
        CrossCoreWaitFlag(0);
        DataCopy(a.t, Gm(work, 3 - GetBlockIdx()), kTile);
        Pass(a);
    }
}

extern "C" __global__ __mix__(0, 1) void m17_no_sync_all(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    OwnTile(a);
    PipeBarrier<PIPE_ALL>();
    //+ SyncAll();
    DataCopy(a.t, Gm(work, Neighbour()), kTile);
    Pass(a);
}

// Tiles of 64 bytes, 32 bytes apart.
extern "C" __global__ __vector__ void m23_short_stride(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Gm(out, 0, 256)[GetBlockIdx() * 8], a.z, kTile); //-
    //+ DataCopy(Gm(out, 0, 256)[GetBlockIdx() * 16], a.z, kTile);
}

extern "C" __global__ __vector__ void m24_plain_instead_of_atomic(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    if (GetBlockIdx() != 0) SetAtomicAdd<int32_t>(); //-
    //+ SetAtomicAdd<int32_t>();
    DataCopy(Gm(out, 0), a.z, kTile);
    SetAtomicNone();
}

extern "C" __global__ __vector__ void m25_two_atomics(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    SetAtomicAdd<int32_t>();
    if (GetBlockIdx() == 0) SetAtomicMax<int32_t>(); //-
    DataCopy(Gm(out, 0), a.z, kTile);
    SetAtomicNone();
}
