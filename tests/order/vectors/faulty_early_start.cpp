// SPDX-License-Identifier: Apache-2.0
// Members of a SuperKernel, M18 to M22 and M27. The first writes its tiles of `work`; the second reads them, and writes `out`.
#include "tiles.h"

// What every second member does with the tile in t: its tiles lie behind those of the first.
__aicore__ inline void Finish(GM_ADDR out) {
    const Local t = Ub(256), y = Ub(320);
    SetFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(2);
    Adds(y, t, 0, kTile);
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(Gm(out, GetBlockIdx()), y, kTile);
}

__aicore__ inline void Compute(Tiles& a) {
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
}

// --- members that are right

extern "C" __global__ __vector__ void first(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Compute(a);
    DataCopy(a.gw, a.z, kTile);
    SetNextTaskStart();
}

extern "C" __global__ __vector__ void second(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, Neighbour()), kTile);
    Finish(out);
}

// --- and those that are not

extern "C" __global__ __vector__ void m18_set_before_the_copy(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Compute(a);
    SetNextTaskStart(); //-
    DataCopy(a.gw, a.z, kTile);
    //+ SetNextTaskStart();
}

extern "C" __global__ __vector__ void m19_wait_behind_the_copy(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    //+ WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, Neighbour()), kTile);
    WaitPreTaskEnd(); //-
    Finish(out);
}

extern "C" __global__ __vector__ void m19_wait_behind_the_copy_of_its_own(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    //+ WaitPreTaskEnd();
    DataCopy(Ub(256), Gm(work, GetBlockIdx()), kTile);
    WaitPreTaskEnd(); //-
    Finish(out);
}

extern "C" __global__ __vector__ void m20_set_of_other_pipe(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Compute(a);
    DataCopy(a.gw, a.z, kTile);
    SetNextTaskStart<PIPE_V>(); //-
    //+ SetNextTaskStart<PIPE_MTE3>();
}

// Overwrites what the first member reads on another core.
extern "C" __global__ __vector__ void m21_write_before_the_wait(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    const Local five = Ub(384);
    Duplicate(five, 5, kTile);
    SetFlag<HardEvent::V_MTE3>(3);
    WaitFlag<HardEvent::V_MTE3>(3);
    DataCopy(Gm(in, Neighbour()), five, kTile); //-
    WaitPreTaskEnd();
    //+ DataCopy(Gm(in, Neighbour()), five, kTile);
    DataCopy(Ub(256), Gm(work, Neighbour()), kTile);
    Finish(out);
}

// The set does not cover MTE3, which still reads z when the second member fills it.
extern "C" __global__ __vector__ void m22_set_of_v(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Compute(a);
    DataCopy(a.gw, a.z, kTile);
    SetNextTaskStart<PIPE_V>(); //-
    //+ SetNextTaskStart<PIPE_MTE3>();
}
extern "C" __global__ __vector__ void m22_fills_the_same_bytes(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    WaitPreTaskEnd();
    DataCopy(a.z, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(2);
    Adds(a.y, a.z, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(a.gz, a.y, kTile);
}

// V fills z before the wait: no set of the first member covers that.
extern "C" __global__ __vector__ void m22_fills_before_the_wait(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    //+ WaitPreTaskEnd();
    Duplicate(a.z, 7, kTile);
    WaitPreTaskEnd(); //-
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(a.gz, a.z, kTile);
}

// The end of a TPipe is a barrier only where it is the end of a kernel of its own.
extern "C" __global__ __vector__ void m27_two_tpipes(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, kTileBytes);
        Local z = buffer.Get<int32_t>();
        Duplicate(z, 7, kTile);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(Gm(work, GetBlockIdx()), z, kTile);
    }
    //+ PipeBarrier<PIPE_ALL>();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kTileBytes);
    Local x = buffer.Get<int32_t>();
    DataCopy(x, Gm(in, GetBlockIdx()), kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(x, x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Gm(out, GetBlockIdx()), x, kTile);
}
extern "C" __global__ __vector__ void last(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work, GetBlockIdx() + 8);
    Compute(a);
    DataCopy(a.gz, a.z, kTile);
}
