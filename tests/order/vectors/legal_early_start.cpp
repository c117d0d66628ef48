// SPDX-License-Identifier: Apache-2.0
// Members of a SuperKernel that overlap as they may: T24 to T26, T36. The first writes its tiles of `work`, the second reads them.
#include "tiles.h"

__aicore__ inline void Compute(Tiles& a) {
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gw, a.z, kTile);
}
__aicore__ inline void Finish(GM_ADDR out) {
    SetFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(2);
    Adds(Ub(320), Ub(256), 0, kTile);
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(Gm(out, GetBlockIdx()), Ub(320), kTile);
}

extern "C" __global__ __vector__ void first(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Compute(a);
    SetNextTaskStart();
}

extern "C" __global__ __vector__ void second(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, Neighbour()), kTile);
    Finish(out);
}

// What nobody else reads may be written behind the set.
extern "C" __global__ __vector__ void t24_scratch_behind_the_set(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Compute(a);
    SetNextTaskStart();
    DataCopy(Gm(work, GetBlockIdx() + 48), a.z, kTile);
}

// What the first member does not touch may be read before the wait.
extern "C" __global__ __vector__ void t25_weights_before_the_wait(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    DataCopy(Ub(512), Gm(in, 40), kTile);
    WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, Neighbour()), kTile);
    SetFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(2);
    Add(Ub(320), Ub(256), Ub(512), kTile);
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(Gm(out, GetBlockIdx()), Ub(320), kTile);
}

// MTE3 of this core is behind its V, which is behind its MTE2: what the first member loaded here, it has.
extern "C" __global__ __vector__ void t26_own_input(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Duplicate(Ub(512), 5, kTile);
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(Gm(in, GetBlockIdx()), Ub(512), kTile);
    WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, Neighbour()), kTile);
    Finish(out);
}

// More cores than the first member has: they set and wait in its place. Each reads one of the first member's tiles.
extern "C" __global__ __vector__ void t36_more_cores(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, GetBlockIdx() % 8), kTile);
    Finish(out);
}
