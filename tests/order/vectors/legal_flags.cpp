// SPDX-License-Identifier: Apache-2.0
// Order inside one AIV that is there, although it does not look so: T1 to T4, T7, T10, T16, T19, T20, T27, T37.
#include "tiles.h"

// V waits for MTE2, which waited for V: a barrier of V by a detour.
extern "C" __global__ __vector__ void t01_round_trip(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.y, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE2>(0);
    WaitFlag<HardEvent::V_MTE2>(0);
    SetFlag<HardEvent::MTE2_V>(1);
    WaitFlag<HardEvent::MTE2_V>(1);
    Adds(a.z, a.y, 0, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// Written backwards: each pipe stops at its wait.
extern "C" __global__ __vector__ void t02_wait_first(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
}

// One id again and again, as FetchEventID hands it out.
extern "C" __global__ __vector__ void t03_one_id(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2 * kTileBytes);
    Local x = buffer.Get<int32_t>(), z = x[kTile];
    for (int i = 0; i < 3; ++i) {
        const int64_t tile = GetBlockIdx() * 3 + i;
        DataCopy(x, Gm(in, tile), kTile);
        const TEventID in_id = pipe.FetchEventID(HardEvent::MTE2_V);
        SetFlag<HardEvent::MTE2_V>(in_id);
        WaitFlag<HardEvent::MTE2_V>(pipe.FetchEventID(HardEvent::MTE2_V));
        Adds(z, x, 1, kTile);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(Gm(out, tile), z, kTile);
        SetFlag<HardEvent::MTE3_MTE2>(0);
        WaitFlag<HardEvent::MTE3_MTE2>(0);
        SetFlag<HardEvent::MTE3_V>(0);
        WaitFlag<HardEvent::MTE3_V>(0);
    }
}

// MTE3 reads bytes 0 to 15 of a block of 32 while V writes bytes 16 to 31.
extern "C" __global__ __vector__ void t04_bytes_of_one_block(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, 3, 8);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopyPad(a.gz, a.z, DataCopyExtParams(1, 16, 0, 0, 0));
    uint64_t mask[2] = {0xf0, 0};
    Adds(a.z, a.z, 1, mask, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_ALL>();
    DataCopy(a.gz[8], a.z, 8);
}

extern "C" __global__ __vector__ void t07_even_and_odd_lanes(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    uint64_t even[2] = {0x5555, 0}, odd[2] = {0xaaaa, 0};
    Adds(a.z, a.x, 1, even, 1, {1, 1, 8, 8});
    Adds(a.z, a.x, 2, odd, 1, {1, 1, 8, 8});
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

extern "C" __global__ __vector__ void t10_double_buffers(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inputs;
    TQue<TPosition::VECOUT, 2> outputs;
    pipe.InitBuffer(inputs, 2, kTileBytes);
    pipe.InitBuffer(outputs, 2, kTileBytes);
    for (int i = 0; i < 5; ++i) {
        const int64_t tile = GetBlockIdx() * 5 + i;
        Local x = inputs.AllocTensor<int32_t>();
        DataCopy(x, Gm(in, tile), kTile);
        inputs.EnQue(x);
        x = inputs.DeQue<int32_t>();
        Local z = outputs.AllocTensor<int32_t>();
        Adds(z, x, 1, kTile);
        outputs.EnQue(z);
        inputs.FreeTensor(x);
        z = outputs.DeQue<int32_t>();
        DataCopy(Gm(out, tile), z, kTile);
        outputs.FreeTensor(z);
    }
}

// Through the scalar unit: nothing is issued before V has ended.
extern "C" __global__ __vector__ void t16_through_s(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_S>(0);
    WaitFlag<HardEvent::MTE2_S>(0);
    Adds(a.z, a.x, 1, kTile);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    DataCopy(a.gz, a.z, kTile);
}

// The compiler puts a barrier between vector instructions.
extern "C" __global__ __vector__ void t19_v_after_v(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.y, a.x, 1, kTile);
    Adds(a.z, a.y, 0, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// ... and flags between them and the scalar unit, both ways.
extern "C" __global__ __vector__ void t20_get_value(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(a.z, a.x, 1, kTile);
    const int32_t first = a.z.GetValue(0);
    Adds(a.z, a.x, first, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// One instruction reads and writes the same bytes, and comes back to them.
extern "C" __global__ __vector__ void t27_in_place(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    LocalTensor<float> x(TPosition::VECCALC, 0, 128), sum(TPosition::VECCALC, 1024, 64);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)in, 128);
    to.SetGlobalBuffer((__gm__ float*)out, 64);
    DataCopy(x, from, 128);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(x, x, 1.0f, 128);
    Duplicate(sum, 0.0f, 64);
    Add(sum, x, sum, 64, 2, {1, 1, 1, 0, 8, 0}); // two repeats into the same 64 floats
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(to, sum, 64);
}

// V stands at its first wait while the queue hands id 0 out again.
extern "C" __global__ __vector__ void t37_id_again(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inputs;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(inputs, 2, kTileBytes);
    pipe.InitBuffer(buffer, kTileBytes);
    Local z = buffer.Get<int32_t>();
    for (int i = 0; i < 4; ++i) {
        Local x = inputs.AllocTensor<int32_t>();
        DataCopy(x, Gm(in, GetBlockIdx() * 4 + i), kTile);
        inputs.EnQue(x);
        x = inputs.DeQue<int32_t>();
        if (i) Add(z, z, x, kTile);
        else Adds(z, x, 0, kTile);
        inputs.FreeTensor(x);
    }
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Gm(out, GetBlockIdx()), z, kTile);
}
