// SPDX-License-Identifier: Apache-2.0
// Order inside one AIV that is missing, M1 to M13 and M26: a tile in, one added, and out.
#include "tiles.h"

extern "C" __global__ __vector__ void m01_no_flag_in(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    //+ SetFlag<HardEvent::MTE2_V>(0);
    //+ WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m02_no_flag_out(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    //+ SetFlag<HardEvent::V_MTE3>(0);
    //+ WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m03_no_flag_back_in(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    for (int i = 0; i < 3; ++i) {
        Tiles a(in, out, work, GetBlockIdx() * 3 + i);
        //+ if (i) WaitFlag<HardEvent::V_MTE2>(1);
        DataCopy(a.x, a.gx, kTile);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        if (i) WaitFlag<HardEvent::MTE3_V>(1);
        Adds(a.z, a.x, 1, kTile);
        //+ if (i < 2) SetFlag<HardEvent::V_MTE2>(1);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(a.gz, a.z, kTile);
        if (i < 2) SetFlag<HardEvent::MTE3_V>(1);
    }
}

extern "C" __global__ __vector__ void m04_no_flag_back_out(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    for (int i = 0; i < 3; ++i) {
        Tiles a(in, out, work, GetBlockIdx() * 3 + i);
        if (i) WaitFlag<HardEvent::V_MTE2>(1);
        DataCopy(a.x, a.gx, kTile);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        //+ if (i) WaitFlag<HardEvent::MTE3_V>(1);
        Adds(a.z, a.x, 1, kTile);
        if (i < 2) SetFlag<HardEvent::V_MTE2>(1);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(a.gz, a.z, kTile);
        //+ if (i < 2) SetFlag<HardEvent::MTE3_V>(1);
    }
}

extern "C" __global__ __vector__ void m05_other_source(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE3_V>(0);  //-
    WaitFlag<HardEvent::MTE3_V>(0); //-
    //+ SetFlag<HardEvent::MTE2_V>(0);
    //+ WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m06_wait_too_late(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    //+ WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    WaitFlag<HardEvent::MTE2_V>(0); //-
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m07_set_too_early(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    SetFlag<HardEvent::MTE2_V>(0); //-
    DataCopy(a.x, a.gx, kTile);
    //+ SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m08_other_id(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(1); //-
    //+ SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m09_set_twice(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0); //-
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void m10_barrier_of_one_pipe(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    PipeBarrier<PIPE_V>(); //-
    //+ PipeBarrier<PIPE_ALL>();
    Adds(a.z, a.x, 1, kTile);
    PipeBarrier<PIPE_ALL>();
    DataCopy(a.gz, a.z, kTile);
}

// With the compiler's barriers between vector instructions it is right.
extern "C" __global__ __vector__ void m11_no_barrier_of_v(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.y, a.x, 1, kTile);
    //+ PipeBarrier<PIPE_V>();
    Adds(a.z, a.y, 0, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// The second copy fills the second half of the first one's bytes again.
extern "C" __global__ __vector__ void m12_no_barrier_of_mte2(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(Ub(0), a.gx, kTile);
    //+ PipeBarrier<PIPE_MTE2>();
    DataCopy(Ub(32), a.gx[8], 8);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// Where the compiler does not help: the scalar unit reads what V has not written yet.
extern "C" __global__ __vector__ void m13_no_flag_to_s(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.y, a.x, 1, kTile);
    //+ SetFlag<HardEvent::V_S>(0);
    //+ WaitFlag<HardEvent::V_S>(0);
    const int32_t first = a.y.GetValue(0);
    PipeBarrier<PIPE_ALL>();
    Adds(a.z, a.x, first, kTile);
    PipeBarrier<PIPE_ALL>();
    DataCopy(a.gz, a.z, kTile);
}

// A plain pointer is never helped.
extern "C" __global__ __vector__ void m13_no_flag_to_a_pointer(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.y, 5, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gw, a.y, kTile);
    //+ SetFlag<HardEvent::MTE3_S>(0);
    //+ WaitFlag<HardEvent::MTE3_S>(0);
    const int32_t first = *((__gm__ int32_t*)work + GetBlockIdx() * kTile);
    Duplicate(a.z, first, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// Two tensors at addresses that the kernel chose itself.
extern "C" __global__ __vector__ void m26_alias(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
    DataCopy(Ub(96), a.gx, kTile); //-
    //+ DataCopy(Ub(128), a.gx, kTile);
}
