// SPDX-License-Identifier: Apache-2.0
// What counts int4b_t: values everywhere, but sizeof, which is 1, in DataCopy with a count; bytes in DataCopyPad.
#include "kernel_operator.h"
using namespace AscendC;

// `count` from value `first` on into the UB, 64 bytes that were 0x77; all of them as half to y.
extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR y, uint32_t first, uint32_t count) {
    GlobalTensor<int4b_t> in;
    GlobalTensor<half> out;
    in.SetGlobalBuffer((__gm__ int4b_t*)x, 256);
    out.SetGlobalBuffer((__gm__ half*)y, 128);
    TPipe pipe;
    TBuf<TPosition::VECCALC> narrow, wide;
    pipe.InitBuffer(narrow, 64);
    pipe.InitBuffer(wide, 256);
    Duplicate(narrow.Get<int16_t>(), static_cast<int16_t>(0x7777), 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(narrow.Get<int4b_t>(), in[first], count);
    PipeBarrier<PIPE_ALL>();
    Cast(wide.Get<half>(), narrow.Get<int4b_t>(), RoundMode::CAST_NONE, 128);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, wide.Get<half>(), 128);
}

// Half to int4b_t; `count` of them inside the UB behind a gap of 64 values, and `count` from there to y.
extern "C" __global__ __aicore__ void round_trip(GM_ADDR x, GM_ADDR y, uint32_t count) {
    GlobalTensor<half> in;
    GlobalTensor<int4b_t> out;
    in.SetGlobalBuffer((__gm__ half*)x, 128);
    out.SetGlobalBuffer((__gm__ int4b_t*)y, 256);
    TPipe pipe;
    TBuf<TPosition::VECCALC> narrow, wide;
    pipe.InitBuffer(narrow, 192);
    pipe.InitBuffer(wide, 256);
    LocalTensor<int4b_t> first = narrow.Get<int4b_t>(), second = first[128 + 64];
    DataCopy(wide.Get<half>(), in, 128);
    PipeBarrier<PIPE_ALL>();
    Cast(first, wide.Get<half>(), RoundMode::CAST_RINT, 128);
    PipeBarrier<PIPE_ALL>();
    DataCopy(second, first, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, second, count);
}

// Rows of `bytes` bytes, `gap` bytes apart.
extern "C" __global__ __aicore__ void pad(GM_ADDR x, GM_ADDR y, uint32_t bytes, uint32_t gap) {
    GlobalTensor<int4b_t> in;
    GlobalTensor<int8_t> out;
    in.SetGlobalBuffer((__gm__ int4b_t*)x, 256);
    out.SetGlobalBuffer((__gm__ int8_t*)y, 64);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    LocalTensor<int4b_t> rows = buffer.Get<int4b_t>();
    Duplicate(buffer.Get<int16_t>(), static_cast<int16_t>(0x7777), 32);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(rows, in, DataCopyExtParams(2, bytes, gap, 0, 0), DataCopyPadExtParams<int4b_t>(true, 0, static_cast<uint8_t>(32 - bytes), 0));
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, rows.ReinterpretCast<int8_t>(), 64);
}

extern "C" __global__ __aicore__ void counts(GM_ADDR x, __gm__ uint64_t* y) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GlobalTensor<int4b_t> gm;
    gm.SetGlobalBuffer((__gm__ int4b_t*)x, 256);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    LocalTensor<int4b_t> ub = buffer.Get<int4b_t>();
    uint64_t found[] = {
        sizeof(int4b_t),
        gm.GetSize(),
        gm[64].GetSize(),
        reinterpret_cast<uint64_t>(gm[64].GetPhyAddr()) - reinterpret_cast<uint64_t>(x),
        reinterpret_cast<uint64_t>(gm.GetPhyAddr(64)) - reinterpret_cast<uint64_t>(x),
        gm.ReinterpretCast<int8_t>().GetSize(),
        gm.ReinterpretCast<int8_t>().ReinterpretCast<int4b_t>().GetSize(),
        ub.GetSize(),
        ub[64].GetSize(),
        ub.GetLength(),
        ub[64].GetPhyAddr() - ub.GetPhyAddr(),
        ub.ReinterpretCast<int8_t>().GetSize(),
        buffer.Get<int4b_t>(64).GetLength(),
    };
    for (uint64_t each : found) *y++ = each;
}
